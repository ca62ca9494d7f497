"""The commands `nestline match` and `nestline tournament`: players measured against each other."""

import json
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nestline.errors import NestlineError
from nestline.terminal.common import (
    Advance,
    json_option,
    prepare_rules,
    print_json,
    require_writable,
    say,
    with_progress,
    write_file,
)
from nestline.terminal.parameters import complete_levels, ray_option, rules_option

if TYPE_CHECKING:
    from nestline.arena.results import Results
    from nestline.arena.single_game import FinishedGame
    from nestline.arena.sprt import Sprt
    from nestline.arena.tournament import Tournament
    from nestline.rules import RuleSet

NEWS_EVERY = 1.0
"""Seconds between two updates of the standings; rating many games takes a while."""

concurrency_option = click.option(
    "--concurrency", type=click.IntRange(1, 1024),
    help="Games at the same time; by default as many as there are cores.",
)  # fmt: skip
output_option = click.option(
    "--output", metavar="FOLDER",
    help="Keep games and results here; the same command resumes where it stopped.",
)  # fmt: skip


records_option = click.option(
    "--records", metavar="FILE", help="Write all games to this one file, as records."
)


@click.command()
@click.argument("first", metavar="A", shell_complete=complete_levels)
@click.argument("second", metavar="B", shell_complete=complete_levels)
@rules_option("A rule set's name or file.", default="gobblet")
@click.option("--games", type=int, default=100, show_default=True,
              help="An even number: each opening is played from both sides.")  # fmt: skip
@click.option("--movetime", type=int, help="Milliseconds per move; 100 if no limit is given.")
@click.option("--nodes", type=int, help="Nodes to search per move.")
@click.option("--depth", type=int, help="Search depth in plies.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seeds openings and players.")
@click.option("--openings", metavar="FILE",
              help="Openings from a file, one per line: a position, or moves.")  # fmt: skip
@click.option("--opening-plies", type=int,
              help="Random plies at the beginning; by default 2, on 4x4 boards 4.")  # fmt: skip
@click.option("--balanced", is_flag=True,
              help="Only openings that are drawn (solved rule sets only).")  # fmt: skip
@click.option("--ply-limit", type=int, default=200, show_default=True,
              help="Longer games are draws.")  # fmt: skip
@click.option("--sprt", metavar="ELO0,ELO1",
              help="Stop once it is clear which of two Elo differences fits better.")  # fmt: skip
@concurrency_option
@ray_option("Play")
@output_option
@records_option
@json_option
def match(
    first: str, second: str, rules: "RuleSet", games: int, movetime: int | None, nodes: int | None,
    depth: int | None, seed: int, openings: str | None, opening_plies: int | None, balanced: bool,
    ply_limit: int, sprt: str | None, concurrency: int | None, ray: str | None,
    output: str | None, records: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Play games between the players A and B to find out which is stronger, and by how much.

    Ctrl-C prints the result so far and keeps the finished games.

    A player is a level (random, child-1 to child-8, 1 to 16, easy, medium, hard, perfect, maximum),
    engine with options like engine:nodes=10000,threads=2, a program like "ugi:nestline ugi",
    greedy, or mcts.
    """
    from nestline.rules import rule_set_names

    for name in (first, second):
        if name in rule_set_names():
            raise click.UsageError(
                f"{name!r} is a game, not a player; did you mean --rules {name}?"
            )
    test = _read_sprt(sprt) if sprt is not None else None
    if games < 2 or games % 2:
        raise NestlineError(
            f"--games: {games} is not an even number of at least 2; each opening is played twice"
        )
    from nestline.arena.contestant import LIMIT_OPTIONS, limits_from
    from nestline.arena.descriptions import read_contestant
    from nestline.arena.openings import read_openings
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
        rules=rules,
        entries=entries,
        pairings=(names,),
        rounds=games // 2,
        limits=limits_from(limits) or USUAL_LIMITS,
        seed=seed,
        opening_plies=opening_plies,
        balanced=balanced,
        openings=read_openings(Path(openings), rules) if openings else (),
        ply_limit=ply_limit,
        sprt=test,
    )
    from nestline.terminal.commands.match_results import print_match

    show = _print_as_json if as_json else print_match
    _play(tournament, Path(output) if output else None, records, concurrency, ray, show)


@click.command()
@click.argument("file", metavar="FILE")
@concurrency_option
@ray_option("Play")
@output_option
@records_option
@json_option
def tournament(
    file: str, concurrency: int | None, ray: str | None, output: str | None, records: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play the tournament that the TOML file FILE describes, and rate its players.

    Games and results are kept in a folder named after the file, without its extension, unless
    --output names another; the same command resumes an interrupted tournament.
    """
    from nestline.arena.tournament_file import load_tournament

    path = Path(file)
    loaded = load_tournament(path)
    if not output and not path.suffix:
        raise NestlineError(f"{file}: name a folder for the games with --output")
    from nestline.terminal.commands.match_results import print_tournament

    folder = Path(output) if output else path.with_suffix("")
    show = _print_as_json if as_json else print_tournament
    _play(loaded, folder, records, concurrency, ray, show)


def _read_sprt(text: str) -> "Sprt":
    from nestline.arena.sprt import Sprt

    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise NestlineError(
            f"--sprt: {text!r} is not two Elo values with a comma between them, like 0,10"
        ) from None
    return Sprt(low, high)


def _print_as_json(results: "Results") -> None:
    print_json(results.as_json())


def _play(
    tournament: "Tournament",
    output: Path | None,
    records: str | None,
    concurrency: int | None,
    ray: str | None,
    show: Callable[["Results"], None],
) -> None:
    """Play the missing games with a progress bar, then show the results, or those so far.

    Games are always kept in a folder as they finish: without an output it is a temporary one,
    removed after the last game.
    """
    if records:
        require_writable(records)
    prepare_rules()
    from nestline.arena.results import Results
    from nestline.arena.run import try_players
    from nestline.compiled import announced_compilation

    if tournament.needs_table:
        from nestline.terminal.commands.solve import open_or_build

        open_or_build(tournament.rules, None).close()
    with announced_compilation("players", say):
        try_players(tournament)
    folder = output or Path(tempfile.mkdtemp(prefix="nestline-match-"))
    score = _Score(tournament)
    try:
        _play_games(tournament, folder, concurrency, ray, score)
    except BaseException:
        if score.played:
            _show_unfinished(score, records, show)
            again = "the same command" if output else f"the same command with --output {folder}"
            say(f"The finished games are in {folder}; {again} goes on.")
        elif not output:
            shutil.rmtree(folder)
        raise
    results = Results(tournament, score.played)
    if records:
        _write_records(tournament, score.played, records)
    if output:
        _write(results, folder)
    else:
        shutil.rmtree(folder)
    show(results)


def _play_games(
    tournament: "Tournament",
    folder: Path,
    concurrency: int | None,
    ray: str | None,
    score: "_Score",
) -> None:
    """Play the missing games; Ctrl-C is passed on when all workers have ended."""
    from nestline.arena.run import Stopped, run_tournament

    stop, ended = threading.Event(), threading.Event()

    def work(advance: Advance) -> None:
        try:
            run_tournament(
                tournament, folder=folder, concurrency=concurrency, ray=ray, stop=stop,
                watch=lambda played: score.show(played, advance),
            )  # fmt: skip
        except Stopped:
            pass
        finally:
            ended.set()

    try:
        with_progress(f"{tournament.games:,} games of {tournament.rules.name}", work)
    except KeyboardInterrupt:
        stop.set()
        ended.wait()
        say("")  # ends the line on which the terminal shows ^C
        if not score.played:
            say("Stopped before a game was finished.")
        raise


class _Score:
    """The running score of a tournament."""

    def __init__(self, tournament: "Tournament") -> None:
        self.tournament = tournament
        self.played: Mapping[int, FinishedGame] = {}
        self._next_news = 0.0

    def show(self, played: "Mapping[int, FinishedGame]", advance: Advance) -> None:
        from nestline.terminal.commands.match_results import news

        self.played = played
        total = self.tournament.games
        title = f"{len(played):,} of {total:,} games of {self.tournament.rules.name}"
        told = None
        if time.monotonic() >= self._next_news:
            told = news(self.tournament, played)
            self._next_news = time.monotonic() + NEWS_EVERY
        advance(len(played) / total, title, told)


def _show_unfinished(score: _Score, records: str | None, show: Callable[["Results"], None]) -> None:
    from nestline.arena.results import Results

    say(f"Stopped after {len(score.played):,} of {score.tournament.games:,} games.")
    if records:
        _write_records(score.tournament, score.played, records)
    try:
        results = Results(score.tournament, score.played)
    except NestlineError as error:
        say(f"There are no ratings yet: {error}")
    else:
        show(results)


def _write_records(
    tournament: "Tournament", played: "Mapping[int, FinishedGame]", path: str
) -> None:
    from nestline.arena.tournament_folder import record_of
    from nestline.record import write_records

    folder = Path(path).parent
    games = (record_of(played[number], tournament, folder) for number in sorted(played))
    write_file(path, write_records(games).encode())


def _write(results: "Results", folder: Path) -> None:
    from nestline.arena.plot import ratings_plot
    from nestline.terminal.commands.match_results import cross_table

    facts = json.dumps(results.as_json(), ensure_ascii=False, indent=1) + "\n"
    write_file(folder / "results.json", facts.encode())
    write_file(folder / "crosstable.txt", cross_table(results).encode())
    write_file(folder / "ratings.svg", ratings_plot(results).encode())
