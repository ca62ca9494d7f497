"""The command `nestline analyse`: searches a position, or reviews a game move by move."""

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nestline.terminal.common import json_option, prepare_rules, print_json, read_record_file
from nestline.terminal.parameters import complete_rules
from nestline.terminal.width import tell

if TYPE_CHECKING:
    from nestline.engine.review import Judgement, ReviewedMove
    from nestline.engine.search.engine import Engine, Limits, Report, Stop, Variation
    from nestline.record import Record
    from nestline.rules import RuleSet

SECONDS_FOR_A_POSITION, SECONDS_FOR_A_MOVE = 5.0, 1.0


@click.command()
@click.argument("what", shell_complete=complete_rules)
@click.argument("position", required=False)
@click.option("--seconds", type=float, help="Time to think; in a review, for each move.")
@click.option("--depth", type=int, help="Search depth in plies.")
@click.option("--nodes", type=int, help="Stop after this many nodes.")
@click.option("--infinite", is_flag=True, help="Think until stopped by Ctrl-C.")
@click.option("--lines", type=click.IntRange(1), default=3, show_default=True,
              help="How many moves of a position to show; mirror images count once.")  # fmt: skip
@click.option("--threads", type=int, default=1, show_default=True, help="Threads to think in.")
@click.option("--memory", type=int, default=64, show_default=True,
              help="Size of the transposition table in MiB.")  # fmt: skip
@click.option("--tables", "folder", metavar="DIR", help="The folder of the tablebases.")
@json_option
def analyse(
    what: str, position: str | None, seconds: float | None, depth: int | None, nodes: int | None,
    infinite: bool, lines: int, threads: int, memory: int, folder: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Think about a position, or review a game.

    WHAT is a rule set (a name, a design or a .toml file) and POSITION one of its positions, by
    default the start. Or WHAT is a file of records (- for standard input), whose moves are
    reviewed. For records that name no rule set, give the rule set as WHAT and the file as POSITION.

    Solved games are looked up in their tablebase, and others are searched by the engine. Ctrl-C
    stops the search and shows what it has found so far.
    """
    if infinite and (seconds, depth, nodes) != (None, None, None):
        raise click.UsageError("--infinite stands alone, without --seconds, --depth or --nodes")
    from nestline.rules import is_design, load_rules, rule_set_names

    is_rules = what in rule_set_names() or what.endswith(".toml") or is_design(what)
    rules = load_rules(what) if is_rules else None
    if rules is None and position is not None:
        read_record_file(what)  # A file that does not exist may be a mistyped rule set.
        raise click.UsageError("a record stands alone; a position needs the name of its rules")
    file = what if rules is None else position
    if rules and file is not None and file != "-" and not os.path.isfile(file):
        file = None
    text = read_record_file(file) if file is not None else ""
    prepare_rules()
    from nestline.engine.search.engine import Engine, Limits
    from nestline.terminal.game.opponent import prepare_search

    if (seconds, depth, nodes) == (None, None, None) and not infinite:
        seconds = SECONDS_FOR_A_POSITION if file is None else SECONDS_FOR_A_MOVE
    limits = Limits(seconds, depth, nodes)

    def engine_for(rules: "RuleSet") -> "Engine":
        prepare_search()
        return Engine(rules, memory=memory, threads=threads, tables=folder or True)

    if file is not None:
        from nestline.record import read_records

        records = read_records(text, None if file == "-" else Path(file).parent, rules=rules)
        _review(records, engine_for, limits, folder, as_json)
    else:
        assert rules is not None
        _think(rules, position, engine_for(rules), limits, lines, as_json)


# A position.


def _think(
    rules: "RuleSet", text: str | None, engine: "Engine", limits: "Limits", lines: int,
    as_json: bool,
) -> None:  # fmt: skip
    from nestline.engine.choices import distinct_moves
    from nestline.game import Game
    from nestline.position import Position

    place = Position(text, rules) if text else Position.start(rules)
    game = Game(start=place)
    name = rules.players[place.turn]
    images = distinct_moves(place)

    def work(report: Callable[["Report"], None], stop: "Stop") -> "Report":
        return engine.think(
            game, limits, variations=lines, report=report, stop=stop, only=images or None
        )

    def show(report: "Report") -> None:
        if not as_json:
            best = report.variations[0]
            tell(
                f"{report.depth:3} plies {report.seconds:7.1f} s {report.nodes:>13,} nodes  "
                f"{_score(best)}  {' '.join(map(str, best.moves))}"
            )

    found = _stoppable(work, show)
    if as_json:
        print_json(
            {
                "rules": rules.reference,
                "position": str(place),
                "exact": found.exact,
                "depth": found.depth,
                "nodes": found.nodes,
                "seconds": round(found.seconds, 3),
                "lines": [
                    {
                        **_line_facts(line, found.exact),
                        "mirror_images": [str(move) for move in images[line.move]],
                    }
                    for line in found.variations
                ],
            }
        )
        return
    click.echo()
    for line in found.variations:
        alike = " ".join(map(str, images[line.move]))
        tell(
            f"{_score(line)}  {name} {_outlook(line, found.exact)}: "
            f"{' '.join(map(str, line.moves))}{f'  (mirror images: {alike})' if alike else ''}"
        )


def _stoppable(
    work: Callable[[Callable[["Report"], None], "Stop"], "Report"],
    show: Callable[["Report"], None],
) -> "Report":
    """Do the work in a thread, so that Ctrl-C ends the search and not the program."""
    from nestline.engine.search.engine import Report, Stop

    stop = Stop()
    told: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def run() -> None:
        try:
            told.put(("end", work(lambda report: told.put(("report", report)), stop)))
        except BaseException as error:
            told.put(("error", error))

    threading.Thread(target=run, daemon=True).start()
    before = signal.signal(signal.SIGINT, lambda number, frame: stop.ask())
    try:
        while True:
            try:
                kind, content = told.get(timeout=0.1)
            except queue.Empty:
                continue
            if kind == "report":
                show(content)
            elif kind == "error":
                raise content
            else:
                assert isinstance(content, Report)
                return content
    finally:
        signal.signal(signal.SIGINT, before)


def _score(line: "Variation") -> str:
    if line.plies_to_win:
        return f"{f'win {line.plies_to_win}':>7}"
    if line.plies_to_loss:
        return f"{f'loss {line.plies_to_loss}':>7}"
    return f"{line.score / 100:+7.2f}"


def _outlook(line: "Variation", exact: bool) -> str:
    if line.plies_to_win:
        return f"wins in {line.plies_to_win}"
    if line.plies_to_loss:
        return f"loses in {line.plies_to_loss}"
    if exact:
        return "draws"
    size = abs(line.score)
    how = "much " if size >= 150 else "a little " if size < 60 else ""
    return "stands even" if size < 20 else f"stands {how}{'better' if line.score > 0 else 'worse'}"


def _line_facts(line: "Variation", exact: bool) -> dict[str, Any]:
    distance = line.plies_to_win or line.plies_to_loss
    value = "draw" if exact else None
    if distance:
        value = "win" if line.plies_to_win else "loss"
    return {
        "move": str(line.move),
        "score": line.score,
        "value": value,
        "distance": distance,
        "line": [str(move) for move in line.moves],
    }


# A record.


def _review(
    games: "list[Record]", engine_for: "Callable[[RuleSet], Engine]", limits: "Limits",
    tables: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Review each game in turn; as JSON, one line per game."""
    for number, game in enumerate(games, 1):
        reviewed = list(_reviewed(game, engine_for, limits, tables))
        if as_json:
            print_json(_facts(game, reviewed))
            continue
        if len(games) > 1:
            click.echo(f"{'' if number == 1 else chr(10)}Game {number} of {len(games)}")
        _print(game, reviewed)


def _reviewed(
    game: "Record", engine_for: "Callable[[RuleSet], Engine]", limits: "Limits", tables: str | None
) -> "Iterator[ReviewedMove]":
    from nestline.engine.review import review_game
    from nestline.terminal.commands.solve import has_table, is_solvable, open_or_build

    if is_solvable(game.rules) or has_table(game.rules, tables):
        with open_or_build(game.rules, tables) as table:
            yield from review_game(game, table)
    else:
        yield from review_game(game, engine_for(game.rules), limits)


def _facts(game: "Record", reviewed: "list[ReviewedMove]") -> dict[str, Any]:
    return {
        "rules": game.rules.reference,
        "position": str(game.start),
        "start": reviewed[0].before._asdict() if reviewed else None,
        "result": game.result,
        "moves": [
            {
                "number": item.number,
                "side": str(item.side),
                "move": str(item.move),
                "mark": item.mark,
                "before": item.before._asdict(),
                "after": item.after._asdict(),
                "thrown_away": item.thrown_away,
                "plies_lost": item.plies_lost,
                "chance_lost": round(item.chance_lost, 3),
                "best": [str(move) for move in item.best],
                "best_line": [str(move) for move in item.best_line],
            }
            for item in reviewed
        ],
    }


def _print(game: "Record", reviewed: "list[ReviewedMove]") -> None:
    names = game.rules.players
    players = " against ".join(
        game.tags.get(tag) or name for tag, name in zip(("First", "Second"), names, strict=True)
    )
    ended = game.tags.get("Termination")
    tell(f"{game.rules.title}: {players}, {game.result}{f' ({ended})' if ended else ''}")
    if not reviewed:
        click.echo("There is no move to review.")
        return
    click.echo(f"At the start {names[game.start.turn]} {_in_words(reviewed[0].before)}.\n")
    width = max(len(name) for name in names)
    for item in reviewed:
        line = (
            f"{item.number:3}. {names[item.side]:{width}}  {f'{item.move}{item.mark}':7} "
            f"{_in_words(item.before):16} -> {_in_words(item.after):16} {_verdict(item)}"
        )
        tell(line.rstrip())
        if not item.is_best:
            tell(f"{'':{width + 7}}best: {' '.join(map(str, item.best_line))}")
    for side, name in enumerate(names):
        click.echo()
        tell(f"{name}: {_summary([item for item in reviewed if item.side == side])}")


def _summary(moves: "list[ReviewedMove]") -> str:
    if not moves:
        return "no moves."
    best = sum(item.is_best for item in moves)
    text = f"{best} best {'move' if best == 1 else 'moves'} of {len(moves)}"
    if any(item.before.score is not None for item in moves):
        counts = {mark: sum(item.mark == mark for item in moves) for mark in ("??", "?", "?!")}
        return text + "; " + ", ".join(f"{mark} {count}" for mark, count in counts.items()) + "."
    thrown = [item.thrown_away for item in moves]
    return text + (
        f"; wins thrown away: {thrown.count('win')}, draws: {thrown.count('draw')}, "
        f"only plies lost: {thrown.count('plies')}."
    )


def _in_words(judged: "Judgement") -> str:
    if judged.value is None:
        return f"has {(judged.score or 0) / 100:+.2f}"
    if judged.value == "draw":
        return "draws"
    return f"{'wins' if judged.value == 'win' else 'loses'} in {judged.distance}"


def _verdict(item: "ReviewedMove") -> str:
    if item.thrown_away is None:
        return ""
    if item.thrown_away == "plies":
        return f"{item.plies_lost} {'ply' if item.plies_lost == 1 else 'plies'} lost"
    return f"throws the {item.thrown_away} away"
