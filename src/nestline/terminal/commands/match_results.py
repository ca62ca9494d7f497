"""What `nestline match` and `nestline tournament` print: results, and news during play."""

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from nestline.errors import NestlineError

if TYPE_CHECKING:
    from rich.table import Table

    from nestline.arena.results import Results, Tally
    from nestline.arena.single_game import FinishedGame
    from nestline.arena.tournament import Tournament

WIDE_ENOUGH = 10_000
"""The width of the cross table; files get it too, so it does not depend on the terminal."""

BEST_SHOWN = 5
"""How many players of a tournament the news names."""


def news(tournament: "Tournament", played: "Mapping[int, FinishedGame]") -> str:
    """The score so far on one line; empty until everybody has played."""
    from nestline.arena.results import Results

    try:
        results = Results(tournament, played)
    except NestlineError:
        return ""
    if len(tournament.entries) > 2:
        points, errors = results.ratings.points, results.ratings.errors
        best = (f"{name} {points[name]:+.0f} ± {errors[name]:.0f}" for name in results.ranking)
        return ", ".join([*best][:BEST_SHOWN])
    one, other = tournament.pairings[0]
    tally = results.tally(one)
    elo, error = results.ratings.difference(one, other)
    score = f"{one}: {tally.points:g} of {tally.games} {_counts(tally)}"
    parts = [score, f"Elo {elo:+.0f} ± {error:.0f}"]
    if tournament.sprt:
        sprt = results.as_json()["sprt"]
        parts.append(f"LLR {sprt['log_likelihood_ratio']:+.2f} of ±{sprt['bound']:.2f}")
    return ", ".join(parts)


def _counts(tally: "Tally") -> str:
    return f"(+{tally.wins} ={tally.draws} -{tally.losses})"


def print_match(results: "Results") -> None:
    tournament = results.tournament
    one, other = tournament.pairings[0]
    tally = results.tally(one)
    elo, error = results.ratings.difference(one, other)
    click.echo(
        f"{one} against {other}: {tally.points:g} of {tally.games} points {_counts(tally)}, "
        f"{tally.points / tally.games:.1%}"
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


def print_tournament(results: "Results") -> None:
    click.echo(cross_table(results), nl=False)
    _print_forfeits(results)


def _print_forfeits(results: "Results") -> None:
    for game in results.forfeits:
        click.echo(f"Game {game.number} was forfeited by {game.forfeit}")


def cross_table(results: "Results") -> str:
    """Everybody's rating and points, best first."""
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
    return _as_text(table)


def _as_text(table: "Table") -> str:
    from rich.console import Console

    file = io.StringIO()
    Console(file=file, width=WIDE_ENOUGH).print(table)
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    return "\n".join(line for line in lines if line) + "\n"
