"""The page makes rule sets from designs as Python does: same rules, same refusals, same values."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from nestline.atlas import Game, committed_atlas, known_game
from nestline.atlas.games import size_of_game
from nestline.errors import RuleSetError
from nestline.position import Position, Side
from nestline.rules import load_rules, rule_set_names
from nestline.rules.design import design_file, read_design, write_design
from nestline.rules.schema import FIELDS, contradictions
from nestline.web.games.views import rule_set_json
from nestline.web.page import read_page
from nestline.web.work.tablebases import Tablebases
from support.node import answer_of

SCRIPT = Path(__file__).with_name("workshop.mjs")
SOLVER = Path(__file__).with_name("solver.mjs")
MOST_PLAYED = 60
LONGEST_GAME = 24
TEXTS = (
    "Zoé",
    "O'Neil",
    'a "quoted" word',
    "A1",
    "b2 c3",
    "-",
    "x_y",
    "日本",
    "𝄞",
    "É1a",
    "tab\t",
    "n\n",
    " ",
)
WRONG = [
    f"gobblers.{changes}"
    for changes in (
        "", "tml", "stok-1", "stock", "stock-", "line-3.line-3", "title-*FF", "title-*ED*A0*80",
        "board-three", "board-3-3", "stock-1-2-3-4-5", "stock-99999", "moving-true",
        "reveal-maybe",
        "repetition-1", "repetition-101", f"title-{'x' * 1000}", "players-Ann", "players-Ann-ann",
        "colours-red-blue", "title-_",
    )
]  # fmt: skip


def random_value(key: str, chance: random.Random) -> Any:
    field = FIELDS[key]
    if key == "repetition":
        return chance.choice([0, 1, 2, 3, 100, 101])
    if field.choices:
        return chance.choice(field.choices)
    if field.kind == "counts":
        return tuple(
            chance.randrange(0 if chance.random() < 0.02 else 1, 6)
            for _ in range(chance.randrange(1, 5))
        )
    if field.kind == "pair":
        fitting = ("#d1495b", "#00AAff", "#12345") if key == "colours" else ("X", "o", "O", *TEXTS)
        return chance.choice(fitting), chance.choice(fitting)
    return chance.choice(TEXTS)


def random_designs(count: int, seed: int) -> list[str]:
    """Mostly small changes of the rules, since many at once contradict each other."""
    chance = random.Random(seed)
    looks = ("title", "summary", "players", "symbols", "colours")
    rules = [key for key in FIELDS if key not in looks]
    designs = []
    for _ in range(count):
        keys = chance.sample(rules, chance.randrange(1, 5)) + chance.sample(
            looks, chance.randrange(2)
        )
        designs.append(
            write_design(
                chance.choice(rule_set_names()), {key: random_value(key, chance) for key in keys}
            )
        )
    return designs


def in_python(design: str, tables: Tablebases) -> dict[str, Any]:
    """What the package says about a design."""
    try:
        like, changes = read_design(design)
    except RuleSetError as error:
        return {"refusal": str(error)}
    told: dict[str, Any] = {"again": write_design(like, _as_tuples(changes))}
    try:
        rules = load_rules(design)
    except RuleSetError as error:
        return told | {"problem": str(error)}
    row = known_game(rules)
    told["file"] = design_file(design)
    told["rules"] = {**rule_set_json(design, rules, tables), "custom": True}
    told["known"] = row and {
        "value": row.value,
        "distance": row.distance,
        "reachable": row.reachable,
        "longest": row.longest_win,
        "firstMoves": list(row.first_moves),
        "stuck": row.stuck,
    }
    return json.loads(json.dumps(told))


def _as_tuples(changes: dict[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in changes.items()
    }


def check_little_game(design: str, moves: list[str], lines: list[list[str]]) -> None:
    """The board beside the form plays by the rules, to the end or for a while."""
    position = Position.start(design)
    for move in moves:
        assert position.outcome() is None, design
        position = position.play(move)
    assert position.outcome() or len(moves) == LONGEST_GAME, design
    found = [list(line) for side in Side for line in position.lines(side)]
    assert sorted(map(sorted, lines)) == sorted(map(sorted, found)), design


def compare(designs: list[str], folder: Path) -> dict[str, int]:
    """Compare Python with the page on designs; returns how many there were of each kind."""
    tables = Tablebases(str(folder), build=False)
    atlas = read_page().files["atlas.csv"].decode()
    sets = [rule_set_json(name, load_rules(name), tables) for name in rule_set_names()]
    question = {"rules": sets, "designs": designs, "atlas": atlas, "most": MOST_PLAYED}
    told = answer_of(SCRIPT, question)
    for game in told["games"]:
        check_little_game(**game)
    counts = {"refused": 0, "fine": 0, "known": 0}
    for design, ours in zip(designs, told["answers"], strict=True):
        expected = in_python(design, tables)
        if "problems" in ours:
            key, message = ours["problems"][0]
            assert expected["problem"] == f"{design}: {key}: {message}"
            assert ours["again"] == expected["again"]
            counts["refused"] += 1
            continue
        hint = expected.get("refusal", "").replace(" (did you mean stock?)", "")
        assert ours == {**expected, **({"refusal": hint} if hint else {})}, design
        counts["fine"] += "rules" in ours
        counts["known"] += bool(ours.get("known"))
    return counts


def test_the_page_makes_the_same_rule_sets(tmp_path: Path) -> None:
    counts = compare(random_designs(1_500, 20), tmp_path)
    assert min(counts.values()) > 150, counts


def test_the_page_refuses_the_same_designs(tmp_path: Path) -> None:
    assert compare(WRONG, tmp_path)["fine"] == 0


@pytest.mark.full
def test_the_page_makes_many_same_rule_sets(tmp_path: Path) -> None:
    compare(random_designs(30_000, 21), tmp_path)


def test_every_contradiction_is_told() -> None:
    """A form shows all of them, and a file's check the first."""
    values = load_rules("gobblers").fields() | {"moving": False, "same_square": True, "line": 4}
    found = [key for key, _ in contradictions(values)]
    assert found == ["line", "same_square", "repetition"]


def test_the_page_solves_small_games_as_the_atlas_has_them() -> None:
    rows = committed_atlas()
    small = [row for row in rows if row.reachable <= 2_500]
    games = [row.game.fields() for row in random.Random(22).sample(small, 60)]
    sizes = [row.game.fields() for row in rows]
    told = answer_of(SOLVER, {"games": games, "sizes": sizes})
    by_game = {row.game: row for row in rows}
    for fields, solved in zip(games, told["solved"], strict=True):
        row = by_game[Game(tuple(fields.values()))]
        assert solved == {
            "value": row.value,
            "distance": row.distance,
            "reachable": row.reachable,
            "longest": None,
            "firstMoves": list(row.first_moves),
        }, fields
    assert told["entries"] == [size_of_game(row.game) for row in rows]
