"""The command `nestline atlas`: solves every game of a grid of rules, and writes one table."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nestline.terminal.commands.solve import device_option, threads_option
from nestline.terminal.common import (
    prepare_rules,
    require_writable,
    say,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import complete_files, ray_option

if TYPE_CHECKING:
    from nestline.atlas.games import Game
    from nestline.atlas.table import Row
    from nestline.terminal.common import Advance

FIXED_COST = 30_000
"""What a game costs besides its entries, in entries; for the time left."""


@click.command()
@click.argument("grid", metavar="GRID.toml", shell_complete=complete_files)
@click.option(
    "--output", "-o", metavar="FILE", default="atlas.csv", show_default=True,
    shell_complete=complete_files,
    help="The table, as CSV; games already in it are not solved again.",
)  # fmt: skip
@click.option("--parquet", metavar="FILE", help="Also write the table as Parquet.")
@click.option("--page", metavar="FILE.md", help="Also write a page with the plots beside it.")
@click.option(
    "--most-entries", type=click.IntRange(1), metavar="N",
    help="Leave out games with more than about N entries.",
)  # fmt: skip
@device_option
@threads_option
@ray_option("Solve")
def atlas(
    grid: str, output: str, parquet: str | None, page: str | None, most_entries: int | None,
    device: str, threads: int | None, ray: str | None,
) -> None:  # fmt: skip
    """Solve every game of a grid of rules.

    GRID.toml has tables [[grid]] in which each field of the rules has a value or a list of values.
    Each different game is solved once. Results are appended to the output as they come, so the same
    command resumes after an interruption.
    """
    from nestline.atlas.games import read_grid, size_of_game
    from nestline.atlas.table import begin_appending

    games = read_grid(grid)
    for file in filter(None, (output, parquet, page)):
        require_writable(file)
    path = Path(output)
    rows: dict[Game, Row] = {}
    if path.exists():
        rows = {row.game: row for row in begin_appending(path)}
    wanted = games
    if most_entries is not None:
        wanted = [game for game in games if size_of_game(game) <= most_entries]
    done = sum(game in rows for game in wanted)
    say(f"{grid}: {len(games):,} different games, {done:,} solved already")
    if len(wanted) < len(games):
        say(f"Left out, since they are larger than asked for: {len(games) - len(wanted):,}")
    prepare_rules()
    stop = threading.Event()
    try:
        with_progress(
            "solving",
            lambda advance: _solve(wanted, rows, path, device, threads, ray, stop, advance),
        )
    finally:
        stop.set()
    _write_all(grid, games, rows, path, parquet, page)


def _solve(
    games: "list[Game]", rows: "dict[Game, Row]", path: Path, device: str, threads: int | None,
    ray: str | None, stop: threading.Event, advance: "Advance",
) -> None:  # fmt: skip
    """Solve what is missing; `rows` gets every result, and so does the file."""
    from nestline.atlas.games import size_of_game
    from nestline.atlas.solving import rounds
    from nestline.atlas.table import append_row

    costs = {game: size_of_game(game) + FIXED_COST for game in games if game not in rows}
    total, spent, new = max(1, sum(costs.values())), 0, 0
    for some in rounds(games, rows):
        for row in _solved(some, device, threads, ray, stop):
            rows[row.game] = row
            append_row(path, row)
            spent += costs[row.game]
            new += 1
            advance(spent / total, f"solving: {new:,} of {len(costs):,} games")


def _solved(
    games: "list[Game]", device: str, threads: int | None, ray: str | None,
    stop: threading.Event,
) -> "Iterator[Row]":  # fmt: skip
    from nestline.atlas.solving import solve_game, solve_here

    if not games:
        return iter(())
    if ray is not None:
        from nestline.atlas.cluster import solve_on_cluster

        return solve_on_cluster(games, ray, stop, device=device)
    if device == "cuda":
        from nestline.solve.groups.card import Card

        load = Card().load
        return solve_here(games, lambda game: solve_game(game, load=load), stop)
    return solve_here(games, lambda game: solve_game(game, threads=threads), stop)


def _write_all(
    grid: str, games: "list[Game]", rows: "dict[Game, Row]", path: Path, parquet: str | None,
    page: str | None,
) -> None:  # fmt: skip
    """Sort the table, and write what else was asked for."""
    from nestline.atlas.solving import without_twins
    from nestline.atlas.table import table_text, write_parquet

    found = [rows[game] for game in without_twins(games, rows) if game in rows]
    listed = set(games)
    others = [row for game, row in rows.items() if game not in listed]
    write_file(path, table_text([*found, *others]).encode())
    say(f"{len(found):,} different games in {path}")
    if parquet is not None:
        write_parquet(Path(parquet), [*found, *others])
        say(f"The same as Parquet in {parquet}")
    if page is not None:
        from nestline.atlas.page import ARTICLE, Origin, page_files

        origin = Origin(grid, str(path), page)
        has_article = Path(page).with_name(ARTICLE).exists()
        files = page_files([*found, *others], origin, has_article=has_article)
        for name, text in files.items():
            write_file(Path(page).with_name(name or Path(page).name), text.encode())
        say(f"A page about them in {page}")
