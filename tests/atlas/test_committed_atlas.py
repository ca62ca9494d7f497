"""The atlas that comes with the package: large, of its grid, and solved again in samples."""

import random
from pathlib import Path

import pytest

from nestline.atlas import known
from nestline.atlas.games import PLAY_FIELDS, Game, read_grid, size_of_game
from nestline.atlas.known import committed_atlas, known_game
from nestline.atlas.page import Origin, page_files, pairs
from nestline.atlas.solving import solve_game, without_twins
from nestline.atlas.table import Row
from nestline.rules import load_rules

GRID_FILE = Path(known.__file__).with_name("grid.toml")


def test_the_committed_atlas_is_large_small_and_of_the_grid() -> None:
    rows = committed_atlas()
    games = {row.game for row in rows}
    assert len(games) == len(rows) >= 1_000
    assert GRID_FILE.with_name("atlas.csv").stat().st_size < 1_000_000
    assert games <= set(read_grid(GRID_FILE))
    by_game = {row.game: row for row in rows}
    assert len(without_twins(list(games), by_game)) == len(rows)


def solved_again(rows: list[Row]) -> None:
    for row in rows:
        assert solve_game(row.game, threads=2) == row


def test_a_random_dozen_of_the_small_games_solved_again() -> None:
    small = [row for row in committed_atlas() if size_of_game(row.game) < 50_000]
    solved_again(random.Random().sample(small, 12))


@pytest.mark.full
def test_a_random_dozen_of_the_atlas_solved_again() -> None:
    middle = [row for row in committed_atlas() if size_of_game(row.game) < 50_000_000]
    solved_again(random.Random().sample(middle, 12))


def test_what_the_atlas_knows_about_rule_sets() -> None:
    tictactoe = known_game(load_rules("tictactoe"))
    assert tictactoe is not None
    assert (tictactoe.value, tictactoe.reachable) == ("draw", 765)
    assert known_game(load_rules("gobblet")) is None


def test_a_twin_is_known_too() -> None:
    row = next(row for row in committed_atlas() if not row.stuck)
    fields = row.game.fields()
    fields["no_move"] = "draw"
    twin = Game(tuple(fields[key] for key in PLAY_FIELDS))
    assert known_game(twin.rules()) == row


def test_the_page_is_that_of_the_table() -> None:
    origin = Origin(
        grid="src/nestline/atlas/grid.toml",
        table="src/nestline/atlas/atlas.csv",
        page="docs/research/atlas.md",
    )
    files = page_files(list(committed_atlas()), origin, has_article=True)
    docs = Path(__file__).parents[2] / "docs" / "research"
    for name, text in files.items():
        assert (docs / (name or "atlas.md")).read_text("utf-8") == text, name or "atlas.md"


def test_pairs_differ_in_one_field() -> None:
    rows = list(committed_atlas())
    both = pairs(rows, "place_onto", "smaller", "empty")
    assert both
    for first, second in both:
        differ = [
            key for key in PLAY_FIELDS if first.game.fields()[key] != second.game.fields()[key]
        ]
        assert differ == ["place_onto"]
