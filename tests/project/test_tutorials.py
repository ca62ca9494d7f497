"""The tutorials do what they say: their commands run, and so do the notebooks.

The Python sessions in them run as doctests.
"""

import json
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from support.code_blocks import code_blocks
from support.web_driver import Server

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.py"))

sys.path.insert(0, str(ROOT / "tools" / "docs"))

from notebooks import cells, run_cell  # noqa: E402


class Command(NamedTuple):
    """A line of a console, and what it should print, in which … stands for anything."""

    line: str
    expected: str


def commands(page: Path) -> list[Command]:
    """The commands of a page that are to be run, in order."""
    run = [
        block for block in code_blocks(page) if block.language == "console" and not block.excerpt
    ]
    parts = [part for block in run for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]]
    return [Command(*part.split("\n", 1)) for part in parts]


def run_all(page: Path, folder: Path, address: str = "", **variables: str) -> None:
    """Run the commands of a page in one shell, and compare what each prints."""
    script = [
        "set -e",
        *(f"{name}={value}" for name, value in variables.items()),
        f'python() {{ {sys.executable} "$@"; }}',
        f'nestline() {{ {sys.executable} -m nestline "$@"; }}',
    ]
    for command in commands(page):
        script += ["echo @@@", command.line.replace("http://127.0.0.1:8000", address)]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split("@@@\n")[1:]
    for command, said in zip(commands(page), printed, strict=True):
        expected = ".*".join(map(re.escape, command.expected.strip().split("…")))
        assert re.fullmatch(expected, said.strip(), re.S), (command.line, said)


@pytest.mark.parametrize("page", sorted(TUTORIALS.glob("*.md")), ids=lambda page: page.name)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    for block in code_blocks(page):
        is_file = re.match(r"# [\w.-]+: ", block.text)
        assert block.excerpt or block.language == "console" or block.session or is_file, block.text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_run_and_show_boards(path: Path) -> None:
    names: dict[str, object] = {}
    shown = [run_cell(text, names).value for is_prose, text in cells(path) if not is_prose]
    assert sum(hasattr(value, "_repr_svg_") for value in shown) >= 2


@pytest.mark.skipif(not shutil.which("curl"), reason="the tutorial uses curl")
def test_the_site_is_written_and_served(tmp_path: Path) -> None:
    files = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "public"))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            address = f"http://127.0.0.1:{server.server_port}"
            run_all(TUTORIALS / "static-site.md", tmp_path, address)
        finally:
            server.shutdown()


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 2


def test_the_player_competes(tmp_path: Path) -> None:
    page = TUTORIALS / "player.md"
    for block in code_blocks(page):
        if named := re.match(r"# ([\w.-]+): ", block.text):
            (tmp_path / named[1]).write_text(block.text, "utf-8")
    run_all(page, tmp_path)


@pytest.mark.skipif(not shutil.which("curl"), reason="the tutorial uses curl")
def test_the_server_is_run_backed_up_and_restored(tmp_path: Path) -> None:
    """All commands up to the restart run against one server, the rest against the next."""
    page = TUTORIALS / "server.md"
    text = page.read_text("utf-8")
    restart = text.index("## Restore it")
    before, after = tmp_path / "before.md", tmp_path / "after.md"
    before.write_text(text[:restart], "utf-8")
    after.write_text(text[restart:], "utf-8")
    server = Server(str(tmp_path / "games.sqlite3"), tmp_path)
    try:
        run_all(before, tmp_path, server.url)
    finally:
        server.stop()
    game = json.loads((tmp_path / "game.json").read_text())["game"]
    server = Server(str(tmp_path / "backup.sqlite3"), tmp_path)
    try:
        run_all(after, tmp_path, server.url, id=game["id"])
    finally:
        server.stop()
