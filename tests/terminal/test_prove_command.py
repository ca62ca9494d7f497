"""The command `nestline prove`, run as a user runs it."""

import json
import re
import sys

import pexpect
import pytest

from nestline import Position
from support.command_line import nestline

WON_IN_THREE = "w3,b1,x/x,b2,w2/x3 w"
FINISHED = "w1,w2,w3/x3/b1,b2,x b"


def test_a_win_is_told_with_its_line() -> None:
    finished = nestline("prove", "gobblers", WON_IN_THREE, "--within", "7")
    assert finished.returncode == 0
    verdict, effort = finished.stdout.splitlines()
    assert verdict.startswith("P1 (first): forced win in 3 plies: ")
    position = Position(WON_IN_THREE, "gobblers")
    for move in verdict.rpartition(": ")[2].split():
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == 0
    assert " nodes in " in effort


def test_none_is_told_for_either_side() -> None:
    for side, name in (("first", "White"), ("second", "Black")):
        finished = nestline("prove", "gobblet", "--within", "8", "--for", side, "--memory", "16")
        assert finished.stdout.startswith(f"{name} ({side}): none within 8 plies\n")


def test_the_facts_as_json() -> None:
    finished = nestline("prove", "gobblers", WON_IN_THREE, "--within", "5", "--json")
    facts = json.loads(finished.stdout)
    assert facts.pop("nodes") > 0
    assert facts.pop("seconds") > 0
    assert len(facts.pop("line")) == 3
    assert facts == {
        "rules": "gobblers",
        "position": WON_IN_THREE,
        "for": "first",
        "within": 5,
        "win": True,
        "plies": 3,
    }
    finished = nestline("prove", "tictactoe", "start", "--within", "9", "--for", "second", "--json")
    facts = json.loads(finished.stdout)
    assert (facts["for"], facts["win"]) == ("second", False)
    assert (facts["plies"], facts["line"]) == (None, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gobblers"], "Missing option '--within'"),
        (["gobblers", "--within", "0"], "within 0 plies; it takes 1 to 60"),
        (["gobblers", "--within", "61"], "within 61 plies; it takes 1 to 60"),
        (["gobblers", "--within", "many"], "'many' is not a valid integer"),
        (["gobblers", "--within", "3", "--for", "x"], "'x' is not one of first, second"),
        (["gobblers", "--within", "3", "--memory", "0"], "cannot be 0 MiB; it takes 1 to 65,536"),
        (["chess", "--within", "3"], "unknown rule set 'chess'"),
        (["gobblers", "nonsense", "--within", "3"], "'nonsense' is not a position"),
        (["gobblet", FINISHED, "--within", "3"], "the board has 3 rows; gobblet has 4"),
        (["gobblers", FINISHED, "--within", "3"], "the game is over, 1-0 (line)"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str) -> None:
    finished = nestline("prove", *arguments)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.count("\n") == 1
    assert message in finished.stderr


def test_ctrl_c_tells_how_far_it_came() -> None:
    running = pexpect.spawn(
        sys.executable, ["-m", "nestline", "prove", "gobblet", "--within", "40"],
        timeout=120, encoding="utf-8", dimensions=(24, 80),
    )  # fmt: skip
    for _ in range(40):
        running.expect("searching within 1[0-9] plies")
        assert not re.search("[0-9]{5}:", running.before), "nobody can tell the time left"
    running.sendintr()
    running.expect("Stopped; there is none within [0-9]+ plies")
    running.expect(pexpect.EOF)
    assert "Traceback" not in running.before
    running.close()
    assert running.exitstatus == 130
