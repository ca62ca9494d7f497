"""The commands `nestline match` and `nestline tournament`: players measured against each other."""

import io
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NestlineError
from nestline.terminal.common import (
    json_option,
    prepare_rules,
    print_json,
    say,
    with_progress,
    write_file,
)

if TYPE_CHECKING:
    from rich.table import Table

    from nestline.arena.results import Results
    from nestline.arena.sprt import Sprt
    from nestline.arena.tournament import Tournament

RAY_HERE = "local"
WIDE_ENOUGH = 10_000
"""For the cross table; it is for files too, so it does not depend on the terminal."""

concurrency_option = click.option(
    "--concurrency", type=click.IntRange(1, 1024),
    help="Games at the same time; by default as many as there are cores.",
)  # fmt: skip
ray_option = click.option(
    "--ray", is_flag=False, flag_value=RAY_HERE, metavar="[ADDRESS]",
    help="Play on a Ray cluster: the one at this address, or without one a cluster of this "
    "computer alone. Put it last, or write --ray=ADDRESS.",
)  # fmt: skip
output_option = click.option(
    "--output", metavar="FOLDER",
    help="Keep games and results here; the same command goes on where it broke off.",
)  # fmt: skip


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--rules", default="gobblet", show_default=True, help="A rule set's name or file.")
@click.option("--games", type=int, default=100, show_default=True,
              help="An even number: each opening is played from both sides.")  # fmt: skip
@click.option("--movetime", type=int, help="Milliseconds for a move; 100 if there is no limit.")
@click.option("--nodes", type=int, help="Positions to look at for a move.")
@click.option("--depth", type=int, help="Plies to look ahead.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of openings and players.")
@click.option("--opening-plies", type=int, help="Random plies at the beginning; 2, on 4x4 4.")
@click.option("--balanced", is_flag=True, help="Only openings that are drawn (solved rules only).")
@click.option("--ply-limit", type=int, default=200, show_default=True,
              help="Longer games are draws.")  # fmt: skip
@click.option("--sprt", metavar="ELO0,ELO1",
              help="Stop when it is clear which of two differences in Elo is nearer.")  # fmt: skip
@concurrency_option
@ray_option
@output_option
@json_option
def match(
    first: str, second: str, rules: str, games: int, movetime: int | None, nodes: int | None,
    depth: int | None, seed: int, opening_plies: int | None, balanced: bool, ply_limit: int,
    sprt: str | None, concurrency: int | None, ray: str | None, output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Play games between the players A and B, and tell who is stronger, and by how much.

    A player is a level (random, 1 to 10, easy, medium, hard, perfect), engine with options like
    engine:nodes=10000,threads=2, a program like "ugi:nestline ugi", greedy, or mcts.
    """
    from nestline.rules import load_rules

    loaded = load_rules(rules)
    test = _read_sprt(sprt) if sprt is not None else None
    if games < 2 or games % 2:
        raise NestlineError(
            f"--games: {games} is not an even number of at least 2; each opening is played twice"
        )
    from nestline.arena.contestant import LIMIT_OPTIONS, limits_from
    from nestline.arena.descriptions import read_contestant
    from nestline.arena.tournament import USUAL_LIMITS, Entry, Tournament

    given = {"movetime": movetime, "nodes": nodes, "depth": depth}
    limits = {}
    for name, value in given.items():
        if value is not None:
            try:
                limits[name] = LIMIT_OPTIONS[name](str(value))
            except NestlineError as error:
                raise NestlineError(f"--{name}: {error}") from None
    names = (first, second if second != first else f"{second} (2)")
    entries = {
        name: Entry(text, read_contestant(text))
        for name, text in zip(names, (first, second), strict=True)
    }
    tournament = Tournament(
        rules=loaded,
        entries=entries,
        pairings=(names,),
        rounds=games // 2,
        limits=limits_from(limits) or USUAL_LIMITS,
        seed=seed,
        opening_plies=opening_plies,
        balanced=balanced,
        ply_limit=ply_limit,
        sprt=test,
    )
    results = _play(tournament, Path(output) if output else None, concurrency, ray)
    if as_json:
        print_json(results.as_json())
    else:
        _print_match(results)


@click.command()
@click.argument("file", metavar="FILE")
@concurrency_option
@ray_option
@output_option
@json_option
def tournament(
    file: str, concurrency: int | None, ray: str | None, output: str | None, as_json: bool
) -> None:
    """Play the tournament that the TOML file FILE describes, and rate its players.

    Games and results are kept in a folder named like the file, without its ending, if --output
    names no other; the same command goes on where it broke off.
    """
    from nestline.arena.tournament_file import load_tournament

    path = Path(file)
    loaded = load_tournament(path)
    if not output and not path.suffix:
        raise NestlineError(f"{file}: name a folder for the games with --output")
    results = _play(loaded, Path(output) if output else path.with_suffix(""), concurrency, ray)
    if as_json:
        print_json(results.as_json())
    else:
        _print_tournament(results)


def _read_sprt(text: str) -> "Sprt":
    from nestline.arena.sprt import Sprt

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise NestlineError(
            f"--sprt: {text!r} is not two Elo values with a comma between them, like 0,10"
        ) from None
    return Sprt(low, high)


def _play(
    tournament: "Tournament", folder: Path | None, concurrency: int | None, ray: str | None
) -> "Results":
    """Play what is missing beside a progress bar; Ctrl-C ends the workers and keeps the games."""
    prepare_rules()
    from nestline.arena.run import Stopped, run_tournament, try_players
    from nestline.compiled import announced_compilation

    if tournament.needs_table:
        from nestline.terminal.commands.solve import open_or_build

        open_or_build(tournament.rules, None).close()
    with announced_compilation("players", say):
        try_players(tournament)
    stop, ended = threading.Event(), threading.Event()

    def work(advance: Any) -> "Results | None":
        try:
            return run_tournament(
                tournament, folder=folder, concurrency=concurrency, ray=ray,
                progress=advance, stop=stop,
            )  # fmt: skip
        except Stopped:
            return None
        finally:
            ended.set()

    games = f"{tournament.games:,} games of {tournament.rules.name}"
    try:
        results = with_progress(games, work)
    except KeyboardInterrupt:
        stop.set()
        ended.wait()
        if folder:
            say(f"Stopped; the finished games are in {folder}, the same command goes on.")
        raise
    assert results is not None
    if folder:
        _write(results, folder)
    return results


def _write(results: "Results", folder: Path) -> None:
    from nestline.arena.plot import ratings_plot

    facts = json.dumps(results.as_json(), ensure_ascii=False, indent=1) + "\n"
    write_file(folder / "results.json", facts.encode())
    write_file(folder / "crosstable.txt", _as_text(_cross_table(results)).encode())
    write_file(folder / "ratings.svg", ratings_plot(results).encode())


def _print_match(results: "Results") -> None:
    tournament = results.tournament
    one, other = tournament.pairings[0]
    tally = results.tally(one)
    elo, error = results.ratings.difference(one, other)
    click.echo(
        f"{one} against {other}: {tally.points:g} of {tally.games} points "
        f"(+{tally.wins} ={tally.draws} -{tally.losses}), {tally.points / tally.games:.1%}"
    )
    click.echo(f"Elo difference: {elo:+.0f} ± {error:.0f} (95 %)")
    if tournament.sprt:
        sprt = results.as_json()["sprt"]
        verdict = {
            "elo0": f"{tournament.sprt.elo0:+g} is accepted",
            "elo1": f"{tournament.sprt.elo1:+g} is accepted",
            None: "undecided",
        }[sprt["accepted"]]
        click.echo(
            f"Sequential test of {tournament.sprt.elo0:+g} against {tournament.sprt.elo1:+g} Elo: "
            f"{verdict} (log-likelihood ratio {sprt['log_likelihood_ratio']:+.2f}, bounds "
            f"±{sprt['bound']:.2f})"
        )
    _print_forfeits(results)


def _print_tournament(results: "Results") -> None:
    click.echo(_as_text(_cross_table(results)), nl=False)
    _print_forfeits(results)


def _print_forfeits(results: "Results") -> None:
    for game in results.forfeits:
        click.echo(f"Game {game.number} was forfeited by {game.forfeit}")


def _cross_table(results: "Results") -> "Table":
    from rich import box
    from rich.table import Table

    ranking = results.ranking
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    table.add_column("player")
    for title in ("Elo", "± 95 %", "points", "games", *map(str, range(1, len(ranking) + 1))):
        table.add_column(title, justify="right")
    for place, name in enumerate(ranking, 1):
        tally = results.tally(name)
        against = []
        for other in ranking:
            met = results.tally(name, other)
            against.append(f"{met.points:g}/{met.games}" if met.games else "")
        table.add_row(
            str(place), name, f"{results.ratings.points[name]:+.0f}",
            f"{results.ratings.errors[name]:.0f}", f"{tally.points:g}", str(tally.games), *against,
        )  # fmt: skip
    return table


def _as_text(table: "Table") -> str:
    from rich.console import Console

    file = io.StringIO()
    Console(file=file, width=WIDE_ENOUGH).print(table)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"
