"""Makes the golden outputs beside this file: runs each program under real Pythons and tools.

usage: make.py PYTHONS_DIR TORCH_PYTHON [NAME...]

PYTHONS_DIR holds virtual environments `v3.8` to `v3.13` with ipython (7.34.0 in v3.8, 8.4.0 in v3.9, else the newest), pytest, rich and
loguru; TORCH_PYTHON is a Python with torch. With NAMEs (`*-3.11`, shell patterns) only those outputs are made. Paths of this machine
become `/home/user/...`. The tests only read the stored outputs.
"""

import fnmatch
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
pythons, torch_python = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
top = pathlib.Path(tempfile.mkdtemp())
project = top / "home/user/project"
shutil.copytree(here / "programs", project)
library = project.parent / "venv/lib/python3.12/site-packages"
library.mkdir(parents=True)
(project / "sitepkg_ops.py").rename(library / "ops.py")


only = sys.argv[3:] or ["*"]


def run(name, command, *, env=None, python=None):
    if not any(fnmatch.fnmatch(name, pattern) for pattern in only):
        return
    command = [str(python), *command] if python else command
    result = subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(library), "COLUMNS": "120", "TERM": "xterm-256color", "NO_COLOR": "1", "OMP_NUM_THREADS": "1", **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )
    text = result.stdout.replace(str(top).encode() + b"/", b"/").replace(str(top).encode(), b"")
    text = text.replace(str(pythons).encode(), b"/home/user/envs").replace(str(torch_python.parent.parent).encode(), b"/home/user/envs/torch")
    text = text.replace(b"/root/.pyenv/", b"/home/user/.pyenv/")
    if not text.strip():
        print("empty", name)
        return
    (here / f"{name}.txt").write_bytes(text)


plain = {"NO_COLOR": "1"}
for version in ("3.10", "3.11", "3.12", "3.13"):
    python = pythons / f"v{version}/bin/python"
    for program in ("plain", "cause", "context", "notes", "repeated", "multiline", "logged", "pool", "process", "thread", "fault", "warned", "group"):
        if program in ("group", "notes") and version == "3.10":
            continue
        run(f"{program}-{version}", [f"{program}.py"], python=python)
    run(f"notebook-{version}", ["notebook.py"], python=python)
    run(f"notebook_module-{version}", ["notebook.py", "module"], python=python)
    run(f"loguru_catch-{version}", ["loguru_catch.py"], python=python)
    for mode in ("Plain", "Verbose", "Minimal"):
        run(f"notebook_{mode.lower()}-{version}", ["notebook.py"], python=python, env={"MODE": mode})
    for style in ("long", "short", "line", "native"):
        run(f"test_model_{style}-{version}", ["-m", "pytest", f"--tb={style}", "-p", "no:cacheprovider", "test_model.py"], python=python)
    run(f"test_model_locals-{version}", ["-m", "pytest", "-l", "-p", "no:cacheprovider", "test_model.py"], python=python)
    run(f"rich_box-{version}", ["rich_box.py"], python=python)
# Old IPythons have layouts of their own: `v3.8` holds 7.34, `v3.9` holds 8.4.
for version in ("3.8", "3.9"):
    python = pythons / f"v{version}/bin/python"
    run(f"notebook-{version}", ["notebook.py"], python=python)
    run(f"notebook_module-{version}", ["notebook.py", "module"], python=python)
    run(f"plain-{version}", ["plain.py"], python=python)
    for mode in ("Plain", "Verbose", "Minimal"):
        run(f"notebook_{mode.lower()}-{version}", ["notebook.py"], python=python, env={"MODE": mode})
for version in ("3.8", "3.9", "3.10", "3.13"):
    for theme in ("Linux", "LightBG", "Neutral"):
        for mode in ("Context", "Plain", "Verbose"):
            run(
                f"notebook_module_{mode.lower()}_{theme.lower()}-{version}",
                ["notebook.py", "module"],
                python=pythons / f"v{version}/bin/python",
                env={"COLOURS": theme, "MODE": mode, "NO_COLOR": ""},
            )
python = pythons / "v3.13/bin/python"
colour = {"FORCE_COLOR": "1", "NO_COLOR": ""}
for program in ("plain", "cause", "group", "repeated", "multiline"):
    run(f"{program}_coloured-3.13", [f"{program}.py"], python=python, env=colour)
run("test_model_coloured-3.13", ["-m", "pytest", "--color=yes", "-p", "no:cacheprovider", "test_model.py"], python=python, env=colour)
run("loguru_catch_coloured-3.13", ["loguru_catch.py"], python=python, env={**colour, "LOGURU_COLORIZE": "1"})
run("notebook_coloured-3.13", ["notebook.py"], python=python, env={**colour, "COLOURS": "Linux"})
run("rich_box_narrow-3.13", ["rich_box.py"], python=python, env={"WIDTH": "60"})
run("rich_box_locals-3.13", ["rich_box.py"], python=python, env={"LOCALS": "1"})
run("rich_box_coloured-3.13", ["rich_box.py"], python=python, env={"COLOUR": "1", "NO_COLOR": ""})
run("ddp", ["-m", "torch.distributed.run", "--nproc-per-node=2", "--master-port=29611", "ddp.py"], python=torch_python)
run("ddp_record", ["-m", "torch.distributed.run", "--nproc-per-node=2", "--master-port=29613", "ddp.py"], python=torch_python, env={"RECORD": "1"})
for program in ("loader", "spawned", "compiled", "scripted", "anomaly"):
    run(program, [f"{program}.py"], python=torch_python)
