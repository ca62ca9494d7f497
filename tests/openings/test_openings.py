"""The opening explorer: which lines it has, how it is filled, and the commands that show it."""

import json
from importlib import resources
from pathlib import Path

import pytest

from nestline import Game, Position, load_rules
from nestline.openings.explorer import (
    Explorer,
    Line,
    OpeningsError,
    published_explorer,
    read_explorer,
)
from nestline.openings.make import analyse_lines, essential_replies, play_games
from support.command_line import nestline

PUBLISHED = ("gobblet", "gobblet-house")
FILES = resources.files("nestline.web") / "static" / "study" / "openings"
MOST_BYTES = 30_000
PLAYER = "engine:nodes=50"
NODES, GAMES = 300, 6


class Interrupted(Exception):
    pass


def fill(explorer: Explorer, path: Path, interrupt_after: int | None = None) -> None:
    """Fill an explorer and keep it in a file; broken off after so many writings."""
    written = 0

    def keep() -> None:
        nonlocal written
        path.write_text(explorer.to_text(), "utf-8")
        written += 1
        if written == interrupt_after:
            raise Interrupted

    analyse_lines(explorer, NODES, memory=1, keep=keep)
    play_games(explorer, GAMES, keep=keep)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Explorer:
    path = tmp_path_factory.mktemp("openings") / "gobblet.json"
    explorer = Explorer(load_rules("gobblet"), PLAYER, seed=1)
    fill(explorer, path)
    return explorer


def check(explorer: Explorer, games: int) -> None:
    """Every line is there; first moves are worth what the best reply leaves; games add up."""
    replies = essential_replies(explorer.rules)
    firsts = {moves[:1] for moves in replies}
    assert set(explorer.lines) == {*firsts, *replies}
    assert explorer.games == games
    for first in firsts:
        answers = [explorer.lines[moves] for moves in replies if moves[:1] == first]
        line = explorer.lines[first]
        assert line.score == -max(answer.score for answer in answers)
        assert line.played == sum(answer.played for answer in answers)
        assert line.drawn == sum(answer.drawn for answer in answers)
        assert line.won == line.played - line.drawn - sum(answer.won for answer in answers)
    assert sum(explorer.lines[first].played for first in firsts) == games
    for line in explorer.lines.values():
        assert line.depth > 0
        game = Game(explorer.rules)
        for move in (*line.moves, *line.best):
            game.play(move)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_reply_is_there_once_up_to_symmetry(name: str) -> None:
    start = Position.start(name)
    all_positions = {
        start.play(first).play(reply).canonical()
        for first in start.legal_moves()
        for reply in start.play(first).legal_moves()
    }
    replies = essential_replies(load_rules(name))
    found = [start.play(first).play(reply).canonical() for first, reply in replies]
    assert len(found) == len(set(found)) == 33
    assert set(found) == all_positions
    assert len({first for first, _ in replies}) == 3


def test_it_is_filled(filled: Explorer) -> None:
    check(filled, GAMES)


@pytest.mark.parametrize("interrupt_after", [5, 34])
def test_an_interrupted_run_goes_on(filled: Explorer, tmp_path: Path, interrupt_after: int) -> None:
    path = tmp_path / "gobblet.json"
    with pytest.raises(Interrupted):
        fill(Explorer(filled.rules, PLAYER, seed=1), path, interrupt_after)
    known = read_explorer(path.read_text("utf-8"), filled.rules)
    assert known.to_text() != filled.to_text()
    fill(known, path)
    assert path.read_text("utf-8") == filled.to_text()


def test_threads_find_the_same(filled: Explorer) -> None:
    explorer = Explorer(filled.rules, PLAYER, seed=1)
    analyse_lines(explorer, NODES, threads=3, memory=1)
    for moves, line in explorer.lines.items():
        assert line == filled.lines[moves]._replace(played=0, won=0, drawn=0)


def test_more_nodes_search_again_and_keep_the_games(filled: Explorer) -> None:
    explorer = read_explorer(filled.to_text(), filled.rules)
    moves = ("4a1", "4b1")
    explorer.put(explorer.lines[moves]._replace(nodes=NODES - 1, score=7_000, played=5, won=2))
    analyse_lines(explorer, NODES, memory=1)
    assert explorer.lines[moves].score == filled.lines[moves].score
    assert explorer.lines[moves][-3:] == (5, 2, filled.lines[moves].drawn)


def test_images_of_a_position_find_the_same_lines(filled: Explorer) -> None:
    start = Position.start("gobblet")
    corner, image = (filled.choices(start.play(move)) for move in ("4a1", "4d4"))
    assert [choice.line for choice in corner] == [choice.line for choice in image]
    assert [choice.move for choice in corner] != [choice.move for choice in image]
    assert len(corner) == 9
    scores = [choice.line.score for choice in corner]
    assert scores == sorted(scores, reverse=True)
    assert filled.choices(start.play("4a1").play("4b1")) == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_ones_are_whole_and_small(name: str) -> None:
    explorer = published_explorer(load_rules(name))
    assert explorer is not None
    assert explorer.games >= 100
    check(explorer, explorer.games)
    text = (FILES / f"{name}.json").read_text("utf-8")
    assert explorer.to_text() == text
    assert len(text.encode()) < MOST_BYTES


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rules": "gobblet", "lines": [[1]]}'])
def test_another_file_is_refused(text: str) -> None:
    with pytest.raises(OpeningsError, match="no file of openings"):
        read_explorer(text, load_rules("gobblet"))


def test_show() -> None:
    told = json.loads(nestline("openings", "show", "gobblet", "4d4", "--json").stdout)
    explorer = published_explorer(load_rules("gobblet"))
    assert explorer is not None
    assert len(told["moves"]) == 9
    assert told["games"] == explorer.games
    best = told["moves"][0]
    assert best["score"] == max(
        line.score for line in explorer.lines.values() if line.moves[:1] == ("4a1",) and
        len(line.moves) == 2
    )  # fmt: skip
    lines = nestline("openings", "show", "gobblet").stdout.splitlines()
    assert lines[0].split() == ["move", "value", "depth", "played", "won", "drawn", "mirror",
                                "images"]  # fmt: skip
    assert len(lines) == 4
    assert "only the first moves" in nestline("openings", "show", "gobblet", "4a1", "4b1").stdout


def test_make_keeps_everything_in_its_file(tmp_path: Path) -> None:
    command = ("openings", "make", "gobblet", "--nodes", "100", "--games", "0", "--memory", "1")
    assert nestline(*command, folder=tmp_path).returncode == 0
    path = tmp_path / "gobblet.json"
    known = read_explorer(path.read_text("utf-8"), load_rules("gobblet"))
    assert len(known.lines) == 36
    known.put(Line(("4a1",), 1, 1, 10**9, ()))
    path.write_text(known.to_text(), "utf-8")
    again = nestline(*command, "--player", "3", folder=tmp_path)
    assert again.returncode == 2
    assert "its games are by engine:nodes=10000" in again.stderr
    assert path.read_text("utf-8") == known.to_text()
    shown = nestline("openings", "show", "gobblet", "--file", "gobblet.json", folder=tmp_path)
    assert len(shown.stdout.splitlines()) == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", "gobblet.line-3"), "`nestline openings make gobblet.line-3` makes some"),
        (("show", "gobblers"), "`nestline probe gobblers start` knows every move"),
        (("show", "gobblet", "4a9"), "a9 is not on the 4x4 board"),
        (("show", "gobblet-house", "--file", "gobblet.json"), "of gobblet, not of gobblet-house"),
        (("make", "gobblers"), "gobblers can be solved"),
        (("make", "gobblet.line-1", "--nodes", "9"), "no openings: every game ends at once"),
        (("make", "gobblet", "--player", "nobody"), "there is no player 'nobody'"),
        (("make", "gobblet", "--output", "."), "not a file that could be replaced"),
    ],
)
def test_refusals(
    filled: Explorer, arguments: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "gobblet.json").write_text(filled.to_text(), "utf-8")
    refused = nestline("openings", *arguments, folder=tmp_path)
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert refused.stderr.count("\n") == 1
