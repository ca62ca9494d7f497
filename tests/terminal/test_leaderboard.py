"""`nestline leaderboard` as a user runs it: on a terminal, into a pipe, with custom agents."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pexpect
import pytest

from nestline import NestlineError
from nestline.terminal.main import cli

SMALL = ("leaderboard", "--rules", "tictactoe", "--sample", "200")

LOWEST = """
def choose(planes, masks):
    return masks.argmax(axis=1)

def load(path):
    open(path)
    return choose

def broken(path):
    return choose[path]
"""
"""A policy that always plays the legal action with the lowest number."""

# As the installed command is: without the current folder on Python's path.
COMMAND = (sys.executable, "-P", "-m", "nestline")


def run(tables: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "lowest.py").write_text(LOWEST)
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "NESTLINE_TABLES": str(tables)},
    )


def test_agents_by_what_they_throw_away(standard_tables: Path, tmp_path: Path) -> None:
    (tmp_path / "my agent").write_text("")
    finished = run(
        standard_tables, tmp_path, *SMALL, "--levels", "2", "--json", "-o", "page.md",
        "--policy", "mine=lowest:choose", "--policy", "loaded=lowest:load:my agent",
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    rows = {row["agent"]: row for row in json.loads(finished.stdout)}
    assert list(rows) == ["random", "one ply", "level 2", "mine", "loaded", "perfect"]
    assert rows["perfect"]["regret"] == 0
    assert rows["random"]["regret"] > rows["one ply"]["regret"] > rows["level 2"]["regret"] >= 0
    assert rows["mine"]["exploit_as_first"] == rows["mine"]["exploit_as_second"] == [1, 1]
    assert rows["perfect"]["exploit_as_second"] == pytest.approx([0, 0], abs=1e-6)
    assert rows["perfect"]["exploit_as_first"][0] == pytest.approx(0, abs=1e-6)
    text = (tmp_path / "page.md").read_text()
    told = "--policy mine=lowest:choose --policy 'loaded=lowest:load:my agent'"
    assert f"`nestline {' '.join(SMALL)} --levels 2 {told}`" in text
    assert text.index("| random |") < text.index("| one ply |") < text.index("| perfect |")


def test_a_missing_table_is_built_first_and_a_pipe_gets_markdown(tmp_path: Path) -> None:
    finished = run(tmp_path / "tables", tmp_path, *SMALL, "--levels", "")
    assert finished.returncode == 0, finished.stderr
    assert len(list((tmp_path / "tables").glob("tictactoe-*"))) == 1
    assert finished.stdout.startswith("# Leaderboard: tictactoe\n")
    assert "|---|---|---|---|---|---|---|\n| random | 0." in finished.stdout


def test_a_terminal_gets_a_table_and_remarks_above_the_bar(
    standard_tables: Path, tmp_path: Path
) -> None:
    place = {"NESTLINE_TABLES": str(standard_tables), "TERM": "xterm"}
    terminal = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:], *SMALL, "--levels", ""], env={**os.environ, **place},
        cwd=str(tmp_path), timeout=300, encoding="utf-8", dimensions=(24, 80),
    )  # fmt: skip
    terminal.expect(pexpect.EOF)
    shown = terminal.before
    assert "measuring agents" in shown
    # A remark takes a line of its own, which is cleared before it is written.
    remarks = re.findall(r"([^\r\n]*)(random|one ply|perfect): regret [\d.]+(.*)\r\n", shown)
    assert [name for _, name, _ in remarks] == ["random", "one ply", "perfect"]
    assert {(before, after) for before, _, after in remarks} == {("\x1b[2K", "")}
    table = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown[shown.index("Leaderboard: tictactoe") :])
    assert "|" not in table
    assert re.search(r"random +0\.\d{3} +\d+\.\d% ", table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rules", "gobblet"), "too large to be solved"),
        (("--levels", "8"), "there is no level '8'"),
        (("--policy", "mine"), "NAME=MODULE:FUNCTION"),
        (("--policy", "mine=nowhere:choose"), "cannot be loaded"),
        (("--policy", "mine=lowest:broken:1"), "cannot be loaded: TypeError"),
        (("--sample", "3"), "200"),
        (("-o", "missing/page.md"), "missing/page.md: the file cannot be written"),
    ],
)
def test_refusals(
    standard_tables: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    (tmp_path / "lowest.py").write_text(LOWEST)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises((NestlineError, click.ClickException), match=message):
        cli.main(["leaderboard", *arguments], standalone_mode=False)
