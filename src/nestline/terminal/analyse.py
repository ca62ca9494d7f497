"""The command `nestline analyse`: a game reviewed move by move, as text or as JSON."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.errors import NestlineError
from nestline.terminal.common import json_option, prepare_rules, print_json

if TYPE_CHECKING:
    from nestline.engine.review import ReviewedMove
    from nestline.record import Record
    from nestline.solve.table import Probe


@click.command()
@click.argument("record")
@click.option("--tables", "folder", help="The folder of the tables.")
@json_option
def analyse(record: str, folder: str | None, as_json: bool) -> None:
    """Review the game in the file RECORD (- for standard input) by the solution of its rules.

    Tells value and distance before and after every move, what a move threw away, and how the game
    goes on with best play. A table that is not there yet is built first.
    """
    text = _read(record)
    prepare_rules()
    from nestline.engine.review import review
    from nestline.record import read_record
    from nestline.terminal.solving import open_or_build

    game = read_record(text, None if record == "-" else Path(record).parent)
    with open_or_build(game.rules, folder) as table:
        start = table.probe(game.start)
        reviewed = list(review(game, table))
    if as_json:
        print_json(_facts(game, start, reviewed))
    else:
        _print(game, start, reviewed)


def _read(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return Path(name).read_text("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestlineError(f"{name}: the record cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise NestlineError(f"{name}: the record is not UTF-8 text") from None


def _probe_facts(probe: "Probe") -> dict[str, Any]:
    return {"value": probe.value, "distance": probe.distance}


def _facts(game: "Record", start: "Probe", reviewed: "list[ReviewedMove]") -> dict[str, Any]:
    return {
        "rules": game.rules.reference,
        "position": str(game.start),
        "start": _probe_facts(start),
        "result": game.result,
        "moves": [
            {
                "number": item.number,
                "side": str(item.side),
                "move": str(item.move),
                "before": _probe_facts(item.before),
                "after": _probe_facts(item.after),
                "thrown_away": item.thrown_away,
                "plies_lost": item.plies_lost,
                "best": [str(move) for move in item.best],
                "best_line": [str(move) for move in item.best_line],
            }
            for item in reviewed
        ],
    }


def _print(game: "Record", start: "Probe", reviewed: "list[ReviewedMove]") -> None:
    names = game.rules.players
    players = " against ".join(
        game.tags.get(tag) or name for tag, name in zip(("First", "Second"), names, strict=True)
    )
    ended = game.tags.get("Termination")
    click.echo(f"{game.rules.title}: {players}, {game.result}{f' ({ended})' if ended else ''}")
    if not reviewed:
        click.echo("There is no move to review.")
        return
    click.echo(f"At the start {names[game.start.turn]} {_in_words(start)}.\n")
    width = max(len(name) for name in names)
    for item in reviewed:
        line = (
            f"{item.number:3}. {names[item.side]:{width}}  {item.move!s:5} "
            f"{_in_words(item.before):16} -> {_in_words(item.after):16} {_verdict(item)}"
        )
        click.echo(line.rstrip())
        if not item.is_best:
            click.echo(f"{'':{width + 7}}best: {' '.join(map(str, item.best_line))}")
    for side, name in enumerate(names):
        thrown = [item.thrown_away for item in reviewed if item.side == side]
        counts = {what: thrown.count(what) for what in ("win", "draw", "plies")}
        click.echo(
            f"\n{name}: {thrown.count(None)} best moves of {len(thrown)}; wins thrown away: "
            f"{counts['win']}, draws: {counts['draw']}, only plies lost: {counts['plies']}.",
            nl=side == 1,
        )


def _in_words(probe: "Probe") -> str:
    if probe.value == "draw":
        return "draws"
    return f"{'wins' if probe.value == 'win' else 'loses'} in {probe.distance}"


def _verdict(item: "ReviewedMove") -> str:
    if item.thrown_away is None:
        return ""
    if item.thrown_away == "plies":
        return f"{item.plies_lost} {'ply' if item.plies_lost == 1 else 'plies'} lost"
    return f"throws the {item.thrown_away} away"
