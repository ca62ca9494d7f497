"""The atlas: the games of a grid, equal games, the table, runs that are interrupted, the page."""

from pathlib import Path

import pytest

from nestline.atlas.games import game_of, read_grid, same_game, size_of_game
from nestline.atlas.solving import solve_game, twin_of, without_twins
from nestline.atlas.table import (
    AtlasError,
    append_row,
    begin_appending,
    parse_table,
    read_table,
    table_text,
)
from nestline.errors import RuleSetError
from nestline.rules import load_rules
from nestline.solve.groups.survey import survey
from support.command_line import nestline
from support.helpers import built_rules

SMALL_GRID = """
[[grid]]
board = 2
line = 2
stock = [[1], [1, 1]]
place_onto = ["smaller", "empty"]
no_move = ["loses", "draw"]
both_lines = ["opponent", "mover"]
"""


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(SMALL_GRID, "utf-8")
    return path


def test_every_combination_is_a_game_once(grid: Path) -> None:
    games = read_grid(grid)
    assert len(set(games)) == len(games)
    # One size: nothing can be covered, and with one piece there is no line of two.
    one_size = [game for game in games if len(game.fields()["stock"]) == 1]
    assert len(one_size) == 2
    assert len(games) == 2 + 2 * 2 * 2
    assert [size_of_game(game) for game in games] == sorted(map(size_of_game, games))


SAME = [
    ({"moving": False, "repetition": 0, "both_lines": "mover"},
     {"moving": False, "repetition": 0, "both_lines": "opponent"}),
    ({"stock": (3,), "place_onto": "smaller"}, {"stock": (3,), "place_onto": "threat"}),
    ({"stock": (9,), "moving": False, "repetition": 0},
     {"stock": (5,), "moving": False, "repetition": 0}),
    ({"stock": (2, 1), "moving": False, "repetition": 0, "no_move": "draw"},
     {"stock": (2, 1), "moving": False, "repetition": 0, "no_move": "draw",
      "draw_all_placed": True}),
    ({"stock": (5,), "moving": False, "repetition": 0, "no_move": "draw"},
     {"stock": (5,), "moving": False, "repetition": 0, "no_move": "draw",
      "draw_board_full": True}),
    ({"stock": (1, 1)}, {"stock": (1, 1), "both_lines": "mover"}),
    ({"stock": (1, 1)}, {"stock": (1, 1), "draw_board_full": True}),
    ({"stock": (2,), "board": 4, "line": 4, "place_onto": "threat"},
     {"stock": (2,), "board": 4, "line": 4, "place_onto": "empty"}),
    ({"stock": (1, 1), "board": 4, "line": 4, "place_onto": "threat"},
     {"stock": (1, 1), "board": 4, "line": 4, "place_onto": "empty"}),
    ({"stock": (2, 1), "cover": "own", "both_lines": "mover"}, {"stock": (2, 1), "cover": "own"}),
    ({"stock": (2, 1), "reveal": "forbidden", "both_lines": "draw"},
     {"stock": (2, 1), "reveal": "forbidden"}),
    ({"stock": (3,), "line_sizes": "equal", "cover": "own"}, {"stock": (3,)}),
    ({"stock": (1, 1), "misere": True, "wrap": True, "reveal": "forbidden"}, {"stock": (1, 1)}),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), SAME, ids=str)
def test_equal_games_are_recognised_and_are_equal(
    first: dict[str, object], second: dict[str, object]
) -> None:
    one, two = built_rules(**first), built_rules(**second)
    assert one.law != two.law
    assert same_game(one, two)
    if size_of_game(game_of(one)) < 100_000:
        found, other = (survey(rules.law, threads=2) for rules in (one, two))
        assert (found.start, found.reachable) == (other.start, other.reachable)


def test_different_games_are_not_mixed_up() -> None:
    names = ("tictactoe", "gobblers", "gobblers-official", "gobblet", "gobblet-house")
    assert len({game_of(load_rules(name)) for name in names}) == len(names)


def test_nobody_without_a_move_makes_twins_equal() -> None:
    loses = game_of(built_rules(stock=(1, 1)))
    draws = game_of(built_rules(stock=(1, 1), no_move="draw"))
    assert twin_of(draws) == loses
    assert twin_of(loses) is None
    row = solve_game(loses, threads=1)
    assert not row.stuck
    assert without_twins([loses, draws], {loses: row}) == [loses]
    stuck = row._replace(stuck=True)
    assert without_twins([loses, draws], {loses: stuck}) == [loses, draws]
    other = solve_game(draws, threads=1)
    assert other._replace(game=loses) == row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[grid]]\ntitle = 'x'", "'title' is no field of a grid"),
        ("[[grid]]\nboard = [5]", "board: 5 is not allowed"),
        ("[[grid]]\nboard = []", "the list of values is empty"),
        ("[[grid]]\nboard = 2\nline = 4", "no combination of these values is a game"),
        ("board = 2", "has tables"),
        ("[[grid]\n", "not valid TOML"),
        ("[[grid]]\nstock = [[], [1]]", "stock"),
        ("[[grid]]\nstock = []", "the list of values is empty"),
    ],
)
def test_a_bad_grid_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "grid.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RuleSetError, match=message):
        read_grid(path)
    run = nestline("atlas", str(path), folder=tmp_path)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert not (tmp_path / "atlas.csv").exists()


def test_a_table_is_read_as_it_was_written(grid: Path) -> None:
    rows = [solve_game(game, threads=1) for game in read_grid(grid)[:4]]
    assert parse_table(table_text(rows), "atlas.csv") == rows
    without = table_text(rows).replace(",distance,", ",far,")
    with pytest.raises(AtlasError, match="the column 'distance' is missing"):
        parse_table(without, "atlas.csv")
    with pytest.raises(AtlasError, match="line 2 is not a row"):
        parse_table(table_text(rows).replace("loose", "wide"), "atlas.csv")


def test_a_run_goes_on_where_it_was(grid: Path, tmp_path: Path) -> None:
    whole, again = tmp_path / "whole.csv", tmp_path / "again.csv"
    run = nestline("atlas", str(grid), "-o", str(whole), "--threads", "1")
    assert run.returncode == 0, run.stderr
    assert "10 different games, 0 solved already" in run.stderr
    rows = read_table(whole)
    # A row of its own making shows that it is not solved again; the torn line is.
    known = rows[0]._replace(reachable=123_456)
    append_row(again, known)
    with again.open("a", encoding="utf-8") as file:
        file.write("2,2,1-1,loo")
    run = nestline("atlas", str(grid), "-o", str(again), "--threads", "1")
    assert run.returncode == 0, run.stderr
    assert "1 solved already" in run.stderr
    assert read_table(again) == [known, *rows[1:]]


def test_a_table_of_fewer_fields_can_be_appended_to(grid: Path, tmp_path: Path) -> None:
    first, second = (solve_game(game, threads=1) for game in read_grid(grid)[:2])
    path = tmp_path / "old.csv"
    names, *lines = (line.split(",") for line in table_text([first]).splitlines())
    old = [index for index, name in enumerate(names) if name not in ("wrap", "misere")]
    path.write_text("".join(",".join(cells[i] for i in old) + "\n" for cells in (names, *lines)))
    assert begin_appending(path) == [first]
    append_row(path, second)
    assert read_table(path) == [first, second]
    assert [file.name for file in tmp_path.iterdir() if file.suffix != ".toml"] == ["old.csv"]


def test_small_games_only_and_other_forms(grid: Path, tmp_path: Path) -> None:
    output, parquet = tmp_path / "a.csv", tmp_path / "a.parquet"
    page = tmp_path / "page.md"
    run = nestline(
        "atlas", str(grid), "-o", str(output), "--parquet", str(parquet), "--page", str(page),
        "--most-entries", "10",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "Left out" in run.stderr
    rows = read_table(output)
    assert len(rows) == 1  # Nobody is ever without a move, so `no_move` makes no difference.
    table = pytest.importorskip("pyarrow.parquet").read_table(parquet).to_pylist()
    assert [row["reachable"] for row in table] == [row.reachable for row in rows]
    text = page.read_text("utf-8")
    assert text.startswith("# The atlas\n")
    # It speaks of these games, not of those that come with the package.
    assert f"nestline atlas {grid} --output {output} \\\n    --page {page}\n" in text
    assert f"The table is `{output}`" in text
    assert "fairest.md" not in text
    assert "## Stock against rules" not in text


@pytest.mark.full
def test_a_ray_cluster_solves_the_same(grid: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    for output, options in ((here, ()), (there, ("--ray",))):
        run = nestline("atlas", str(grid), "-o", str(output), *options)
        assert run.returncode == 0, run.stderr
    assert there.read_text("utf-8") == here.read_text("utf-8")


def test_a_file_that_is_no_atlas_is_refused(grid: Path, tmp_path: Path) -> None:
    output = tmp_path / "other.csv"
    output.write_text("a,b\n1,2\n", "utf-8")
    run = nestline("atlas", str(grid), "-o", str(output))
    assert run.returncode == 2
    assert "not a table of an atlas" in run.stderr
    assert output.read_text("utf-8") == "a,b\n1,2\n"
