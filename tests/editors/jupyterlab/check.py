"""What jupyterlab-lsp can show of the server, in a real JupyterLab in Chromium.

FOLDER=workspace; the configuration is in JUPYTER_CONFIG_PATH and HOME. Exits 0 when everything was seen.
PICTURE=file.png: what the page shows in the end.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

SECONDS = 25.0
SETTING = "torch._dynamo.config.recompile_limit = 0"
MISMATCH = "mat1 and mat2 shapes cannot be multiplied (2x144 and 100x32)"
CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


class UnexpectedError(Exception):
    """The page is not as it should be."""


class Lab:
    """One page of JupyterLab."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address

    def open(self, name: str) -> None:
        """Open a file or notebook of the workspace, and nothing else."""
        self.page.goto(f"{self.address}/lab/tree/{name}?reset")

    def marks(self) -> list[tuple[str, str]]:
        """Severity and text of what is underlined."""
        found: list[tuple[str, str]] = []
        for mark in self.page.query_selector_all(".cm-lintRange"):
            kind = next(k for k in (mark.get_attribute("class") or "").split() if k.startswith("cm-lintRange-"))
            found.append((kind.removeprefix("cm-lintRange-"), mark.inner_text()))
        return found

    def becomes(self, what: str, get: Callable[[], object], wanted: object) -> None:
        """Wait until a value is as wanted."""
        end = time.monotonic() + SECONDS
        got: object = None
        while time.monotonic() < end:
            try:
                got = get()
            except Error:  # An element was drawn anew while it was read.
                got = None
            if got == wanted:
                return
            self.page.wait_for_timeout(100)
        raise UnexpectedError(f"{what} is {got!r}, not {wanted!r}")

    def card(self) -> str:
        """The card that Ctrl shows at the first mark."""
        box = self.page.locator(".cm-lintRange").first.bounding_box()
        assert box is not None
        shown = self.page.locator(".lsp-hover")
        end = time.monotonic() + SECONDS
        for step in range(1000):
            self.page.keyboard.down("Control")
            self.page.mouse.move(box["x"] + 60 + step % 20, box["y"] + box["height"] / 2)
            self.page.wait_for_timeout(300)
            if shown.count():
                self.page.keyboard.up("Control")
                return shown.first.inner_text()
            if time.monotonic() > end:
                break
        raise UnexpectedError("no card")


def program(lab: Lab) -> None:
    lab.open("bad.py")
    lab.becomes("marks", lab.marks, [("warning", SETTING)])
    card = lab.card()
    if "pytorch/compile-recompilation-limit" not in card or "compiles nothing" not in card:
        raise UnexpectedError(card)


def notebook(lab: Lab) -> None:
    lab.open("train.ipynb")
    lab.becomes("marks", lab.marks, [("warning", SETTING)])
    if "compiles nothing" not in lab.card():
        raise UnexpectedError("not the card")
    lab.page.locator(".cm-lintRange").first.click()
    lab.page.keyboard.press("End")
    lab.page.keyboard.press("Backspace")
    lab.page.keyboard.type("64")
    lab.becomes("marks of a limit of 64", lab.marks, [])


def log(lab: Lab) -> None:
    lab.open("classifier.log")
    lab.becomes("marks", lab.marks, [("error", MISMATCH)])
    if "pytorch/matmul-shape-mismatch" not in lab.card():
        raise UnexpectedError("not the card")


def failed_cell(lab: Lab) -> None:
    # In the notebook that is still open.
    lab.page.get_by_text("Python 3 (ipykernel) | Idle").wait_for(timeout=SECONDS * 1000)
    lab.page.locator(".jp-Cell .cm-content").last.click()
    lab.page.keyboard.press("Shift+Enter")
    cards = lab.page.locator(".jp-RenderedMarkdown h3")
    lab.becomes("the titles below the error", cards.all_inner_texts, ["Matrix shapes do not fit"])
    lab.becomes("the error above", lambda: MISMATCH in lab.page.locator(".jp-RenderedText").first.inner_text(), True)


TESTS = {
    "a finding in a program, with its card": program,
    "an incident in a log, with its card": log,
    "a finding in a cell of a notebook, while one types": notebook,
    "the card below a cell that failed": failed_cell,
}


def write_notebook(path: Path, *cells: str) -> None:
    listed = [
        {"cell_type": "code", "id": f"c{n}", "execution_count": None, "metadata": {}, "outputs": [], "source": cell}
        for n, cell in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    path.write_text(json.dumps({"cells": listed, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))


def start(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """JupyterLab as a user starts it, without a token and without asking the network for news."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--allow-root", "--no-browser", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}"]
    options += ["--IdentityProvider.token=", "--LabApp.news_url=None"]
    options += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command = [str(Path(sys.executable).with_name("jupyter-lab")), *options]
    with (folder.parent / "jupyter.log").open("wb") as told:
        process = subprocess.Popen(command, cwd=folder, stdout=told, stderr=told, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/api", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return process, address
    raise UnexpectedError((folder.parent / "jupyter.log").read_text())


def main() -> int:
    folder = Path(os.environ["FOLDER"]).resolve()
    write_notebook(folder / "train.ipynb", "import torch", f"{SETTING}\nprint(1)", f"raise RuntimeError({MISMATCH!r})")
    server, address = start(folder)
    failed = 0
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
            lab = Lab(browser.new_page(viewport={"width": 1400, "height": 900}), address)
            for name, test in TESTS.items():
                try:
                    test(lab)
                except (UnexpectedError, Error) as error:
                    failed += 1
                    print(f"FAIL {name}\n{error}", flush=True)
                else:
                    print(f"ok   {name}", flush=True)
            if picture := os.environ.get("PICTURE"):
                lab.page.screenshot(path=picture)
            browser.close()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
