"""`nestline analyse`: positions and games of every rule set, live output, stopped by Ctrl-C."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nestline import Game, read_record
from nestline.engine.review import Judgement, review_game
from nestline.engine.search.engine import Engine, Limits
from support.command_line import nestline

COMMAND = [sys.executable, "-m", "nestline", "analyse"]

BLUNDER = '[Rules "gobblet"]\n1. 4a1 4b2 2. 4a2 4c3 3. 4a3 3d4 4. 3a4 *'
"""Black's third move leaves White three in a column; White then wins."""


def analyse(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return nestline("analyse", *arguments, text=text)


def test_a_position_is_told_depth_by_depth_and_then_its_best_moves() -> None:
    done = analyse("gobblet", "--depth", "4", "--lines", "2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["1", "2", "3", "4"]
    assert lines[4] == ""
    assert len(lines) == 7
    assert "White stands" in lines[5]


def test_a_position_as_json() -> None:
    position = "x4/w4,b4,x2/w4,x,b4,x/w4,b4,x2 w"
    told = json.loads(analyse("gobblet", position, "--depth", "3", "--lines", "1", "--json").stdout)
    assert told["position"] == position
    assert not told["exact"]
    best = told["lines"][0]
    assert (best["value"], best["distance"], best["move"]) == ("win", 1, "3a4")


def test_a_solved_position_is_told_exactly(standard_tables: Path) -> None:
    options = ("--tables", str(standard_tables), "--lines", "100", "--json")
    told = json.loads(analyse("gobblers", *options).stdout)
    assert told["exact"]
    assert told["lines"][0]["distance"] == 13
    # Corner, edge and centre for three sizes; their mirror images are listed beside them.
    assert len(told["lines"]) == 9
    alike = [{line["move"], *line["mirror_images"]} for line in told["lines"]]
    assert {"3a1", "3a3", "3c1", "3c3"} in alike
    assert {"2b2"} in alike
    assert sum(map(len, alike)) == 27


def test_a_design_is_a_rule_set() -> None:
    told = json.loads(analyse("gobblet.line-3", "--depth", "1", "--json").stdout)
    assert told["rules"] == "gobblet.line-3"


def test_mirror_images_are_one_line(standard_tables: Path) -> None:
    shown = analyse("tictactoe", "--tables", str(standard_tables), "--lines", "9").stdout
    lines = shown.split("\n\n")[1].splitlines()
    assert len(lines) == 3
    assert sum("(mirror images: " in line for line in lines) == 2
    assert any(line.endswith("(mirror images: 1c1 1a3 1c3)") for line in lines)


def test_thinking_without_end_is_stopped_by_ctrl_c_and_tells_what_it_found() -> None:
    process = subprocess.Popen(
        [*COMMAND, "gobblet", "--infinite"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.split()[:1] == ["5"]:
            break
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "White stands" in rest


def test_a_game_of_gobblet_is_reviewed_with_its_blunder_marked() -> None:
    record = read_record(BLUNDER)
    moves = list(review_game(record, Engine("gobblet", seed=1), Limits(depth=4)))
    assert all(item.mark in ("", "?!") for item in moves[:5])
    assert moves[5].mark == "??"
    assert moves[5].after.value == "loss"
    assert moves[5].after.distance == 2
    assert str(moves[5].best[0]) != "3d4"
    assert moves[6].is_best
    assert moves[6].before.distance == 1


def test_the_review_is_printed() -> None:
    shown = analyse("-", "--depth", "3", text=BLUNDER).stdout
    assert "3. Black  3d4??" in shown
    assert "best: " in shown
    assert "Black: " in shown
    assert "?? 1" in shown
    short = analyse("-", "--depth", "2", text='[Rules "gobblet"] 1. 4b2 *').stdout
    assert "White: 1 best move of 1;" in short or "White: 0 best moves of 1;" in short
    assert "Black: no moves." in short


def test_all_games_of_a_file_are_reviewed() -> None:
    text = '[Rules "gobblet"] 1. 4b2 * [Rules "gobblet"] 1. 4a1 4b2 *'
    shown = analyse("-", "--depth", "1", text=text).stdout
    assert shown.startswith("Game 1 of 2\n")
    assert "\n\nGame 2 of 2\n" in shown
    lines = analyse("-", "--depth", "1", "--json", text=text).stdout.splitlines()
    assert [len(json.loads(line)["moves"]) for line in lines] == [1, 2]


def test_moves_without_tags_are_reviewed_as_those_of_the_rule_set_named(tmp_path: Path) -> None:
    (tmp_path / "moves.txt").write_text("1. 4b2 4a1")
    told = analyse("gobblet", str(tmp_path / "moves.txt"), "--depth", "1", "--json").stdout
    assert json.loads(told)["rules"] == "gobblet"
    assert [move["move"] for move in json.loads(told)["moves"]] == ["4b2", "4a1"]


def test_a_best_move_loses_nothing_whatever_its_rank() -> None:
    """If a search of the move played scores it above the best move, that counts for both."""
    game = Game("gobblet")
    for move in ("4a1", "4b2"):
        game.play(move)
    for item in review_game(game.to_record(), Engine("gobblet", seed=1), Limits(depth=2)):
        assert item.chance_lost >= 0


@pytest.mark.parametrize(
    ("judged", "chance"),
    [
        (Judgement("win", 3), 1.0),
        (Judgement("draw", None), 0.5),
        (Judgement("loss", 2), 0.0),
        (Judgement(None, None, 0, 5), 0.5),
        (Judgement(None, None, 100, 5), 0.731),
    ],
)
def test_chances(judged: Judgement, chance: float) -> None:
    assert judged.chance == pytest.approx(chance, abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gobblet", "nonsense"), "nonsense"),
        (("gobblet", "--depth", "0"), "a depth is between 1 and 60"),
        (("gobblet", "--seconds", "-1"), "more than 0 seconds"),
        (("gobblet", "--nodes", "0"), "at least 1"),
        (("gobblet", "--threads", "0"), "1 to 256 threads"),
        (("gobblet", "--memory", "0"), "MiB"),
        (("gobblet", "--infinite", "--depth", "3"), "--infinite stands alone"),
        (("gobblet", "w4,w4,w4,x/x4/x4/x4 w", "--lines", "0"), "--lines"),
        (("gobblet", "w4,w4,w4,w3/x4/x4/x4 b"), "White wins with the line"),
        (("missing.txt",), "cannot be read"),
        (("missing.txt", "x3/x3/x3 w"), "cannot be read"),
        (("missing.toml",), "missing.toml"),
    ],
)
def test_what_cannot_be_analysed_is_refused_in_one_line(
    arguments: tuple[str, ...], message: str
) -> None:
    done = analyse(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("nestline: ")
    assert message in last


def test_a_review_can_be_begun_and_left() -> None:
    began = time.perf_counter()
    reviewed = review_game(read_record(BLUNDER), Engine("gobblet"), Limits(depth=2))
    next(reviewed)
    reviewed.close()
    assert time.perf_counter() - began < 60
