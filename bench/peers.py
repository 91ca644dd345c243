"""Installs what Detour is compared with into bench/.work, from public registries, and says which versions they are."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

WORK = Path(__file__).parent / ".work"
VENV = WORK / "peers"
#: PyPI names; ruff comes with Detour's own development tools, but this one is the peer's own.
PACKAGES = ("deadends-dev", "torchfix", "ruff", "ast-grep-cli")


def python() -> Path:
    """The Python of the peers' virtual environment, made on first use."""
    executable = VENV / "bin" / "python"
    if not executable.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    return executable


def install(*packages: str) -> None:
    """Install PyPI packages that are not there yet."""
    listing = subprocess.run([str(python()), "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True)
    there = {line.split("==")[0].lower().replace("_", "-") for line in listing.stdout.splitlines()}
    missing = [package for package in packages if package.split("==")[0].lower() not in there]
    if missing:
        subprocess.run([str(python()), "-m", "pip", "install", "--quiet", *missing], check=True)


def compile_ours() -> None:
    """Write the bytecode that an installation from a wheel has, and that one from a checkout may be kept from writing.

    Some machines set PYTHONDONTWRITEBYTECODE; nobody's start-up is then what a user sees, so it is taken away here.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    package = importlib.util.find_spec("detour_lsp")
    assert package is not None
    for folder in package.submodule_search_locations or ():
        subprocess.run([sys.executable, "-m", "compileall", "-q", folder], check=True)


def ripgrep() -> Path | None:
    """ripgrep from npm (the newest build there is as a package), else from PyPI, else the system's."""
    packaged = WORK / "npm"
    if shutil.which("npm"):
        if not list(packaged.glob("node_modules/@vscode/ripgrep*/bin/rg")):
            packaged.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--silent", "--prefix", str(packaged), "@vscode/ripgrep"], check=False)
        for found in packaged.glob("node_modules/@vscode/ripgrep*/bin/rg"):
            return found
    command = [str(python()), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "ripgrep==14.1.0"]
    if subprocess.run(command, check=False).returncode == 0:
        return VENV / "bin" / "rg"
    system = shutil.which("rg")
    return Path(system) if system else None


def canons() -> Path:
    """The folder of deadends-dev's 2,460 records."""
    install("deadends-dev")
    (found,) = VENV.glob("lib/python*/site-packages/data/canons")
    return found


def tree(package: str) -> Path:
    """A package's own code without what it depends on: something large and real to check."""
    target = WORK / "trees"
    if not (target / package).is_dir():
        command = [str(python()), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), package]
        subprocess.run(command, check=True)
    return target / package


def version(command: list[str]) -> str:
    """The first line that a program says about itself."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "not installed"
    return done.stdout.strip().splitlines()[0] if done.returncode == 0 and done.stdout.strip() else "not installed"


def package_version(name: str) -> str:
    """The version of a package in the peers' environment."""
    code = f"import importlib.metadata as m; print(m.version({name!r}))"
    return version([str(python()), "-c", code])
