"""`nestline play` without a terminal: through a pipe, what cannot begin, and its page in docs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from nestline.solve.index import MAX_SOLVED_BOARD
from nestline.terminal.commands.play import LARGEST_SOLVED_BOARD, play
from nestline.terminal.game.typed_commands import COMMANDS
from support.command_line import nestline
from support.terminal_driver import COMMAND, TIMEOUT

ESCAPE = "\x1b"


def test_through_a_pipe(tmp_path: Path) -> None:
    done = _piped(tmp_path, "3\n2\nLb2\nnonsense\n\xff\nundo\n", "--plain")
    assert done.returncode == 0
    assert ESCAPE not in done.stdout
    assert "Red to move (3b2, a1c3, help): Lb2\n" in done.stdout
    assert "'nonsense' is not a move" in done.stdout
    assert "Taken back: 3b2." in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--rules", "chess"), "unknown rule set 'chess'"),
        (("--rules", "gobblers", "--people", "3"), "3 is not in the range 0<=x<=2"),
        (("--rules", "gobblers", "--people", "2", "--touch"), "no rule about touched pieces"),
        (("--rules", "gobblet", "--people", "2", "--visibility", "peek"), "does not allow looking"),
        (("--rules", "tictactoe", "--people", "1", "--level", "easy", "--first", "computer"),
         "a person who plays the computer is X and begins"),
        (("--load", "none.txt"), "none.txt cannot be read: no such file or directory"),
        (("--load", "none.txt", "--plies", "9"), "a record says how it is played"),
        (("--rules", "gobblers", "--game", "2"), "--game is for the games of a file"),
    ],
)  # fmt: skip
def test_what_cannot_begin(tmp_path: Path, arguments: tuple[str, ...], sentence: str) -> None:
    done = nestline("play", *arguments, folder=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    # The first start on a machine also says that it compiles.
    lines = [line for line in done.stderr.splitlines() if not line.startswith("Compiling ")]
    assert len([line for line in lines if " done in " not in line]) == 1
    assert not list(tmp_path.iterdir())


def _piped(folder: Path, typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=typed,
        capture_output=True,
        encoding="latin-1",
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=TIMEOUT,
        check=False,
    )


def test_a_seed_makes_the_levels_repeatable_hard_too(tmp_path: Path) -> None:
    options = ("--rules", "tictactoe", "--people", "0", "--level", "hard", "--seed", "7")
    once, again = (_piped(tmp_path, "", *options).stdout for _ in range(2))
    assert "Move 5: " in once
    assert once == again


def test_the_page_names_every_command_and_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "play" / "terminal.md").read_text("utf-8")
    for command in COMMANDS:
        assert re.search(rf"\| .*`{command.usage}`", page), command.name
    for parameter in play.params:
        for option in parameter.opts + parameter.secondary_opts:
            assert f"`{option}" in page, option


def test_perfect_play_is_offered_on_boards_that_can_be_solved() -> None:
    assert LARGEST_SOLVED_BOARD == MAX_SOLVED_BOARD
