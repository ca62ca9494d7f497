"""What a position, a line of play, or a whole game is worth, as JSON.

From the tablebase where the rule set is solved, otherwise from the engine. `analysis` decides how
long the engine may think.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from nestline.draw import svg
from nestline.engine.choices import best_line, draws_by_repetition, ranked_moves
from nestline.engine.review import Judgement, review_game
from nestline.engine.search.engine import Engine, Limits, Report, Variation
from nestline.errors import TableError
from nestline.game import Game
from nestline.notation import read_square
from nestline.position import Move, Position
from nestline.record import Record
from nestline.rules import RuleSet
from nestline.solve.table import MoveProbe, Table
from nestline.web.fields import MOST_PLIES, Json
from nestline.web.games.views import SIDE_NAMES, board_json, dangerous_moves, outcome_json
from nestline.web.refusals import invalid
from nestline.web.work.tablebases import Tablebases

NOTHING: Json = {"value": None, "distance": None, "score": None, "chance": None}


def game_at(rules: RuleSet, position: str, moves: Sequence[str] = ()) -> Game:
    """The game after the moves, which must not go on after its end."""
    if len(moves) > MOST_PLIES:
        raise invalid(f"moves: a game here has at most {MOST_PLIES:,} moves")
    game = Game(rules, start=Position(position, rules))
    for number, move in enumerate(moves, 1):
        try:
            game.play(move)
        except ValueError as error:
            raise type(error)(f"move {number}: {error}") from None
    return game


def by_table(game: Game, variations: int, tablebases: Tablebases) -> Json | None:
    """The exact study of a solved game, with lines for the best `variations` moves."""
    table = tablebases.table(game.rules)
    if table is None:
        return None
    try:
        return _exact(game, table, variations, tablebases)
    except TableError as error:
        tablebases.set_aside(game.rules, error)
        return None


def _exact(game: Game, table: Table, variations: int, tablebases: Tablebases) -> Json:
    probes = ranked_moves(table, game) if game.outcome is None else []
    worth: Json = dict(NOTHING)
    if probes:
        worth |= _worth(Judgement(probes[0].value, probes[0].distance))
    moves = [
        _worth(Judgement(probe.value, probe.distance))
        | {"line": [str(move) for move in _line(game, table, probe, place < variations)]}
        | _move_json(game, probe.move)
        for place, probe in enumerate(probes)
    ]  # fmt: skip
    return _study(game, tablebases, True, worth, moves)


def _line(game: Game, table: Table, probe: MoveProbe, is_wanted: bool) -> list[Move]:
    after = game.position.play(probe.move)
    if not is_wanted or after.outcome() is not None or draws_by_repetition(game, probe.move):
        return [probe.move]
    return [probe.move, *best_line(after, table)]


def by_engine(game: Game, report: Report | None, tablebases: Tablebases) -> Json:
    """The study of a game from what the engine has found so far, if anything."""
    found = () if report is None else (*report.variations, *report.others)
    lines = {line.move: line for line in found}
    worth: Json = dict(NOTHING)
    if report is not None:
        worth |= _worth(_judged(report.variations[0]))
        worth |= {"depth": report.depth, "nodes": report.nodes, "seconds": report.seconds}
    legal = game.legal_moves()
    order = [*lines, *(move for move in legal if move not in lines)]
    moves = [
        (_worth(_judged(lines[move])) if move in lines else NOTHING)
        | {"line": [str(step) for step in lines[move].moves] if move in lines else [str(move)]}
        | _move_json(game, move)
        for move in order
    ]
    return _study(game, tablebases, False, worth, moves)


def _worth(found: Judgement) -> Json:
    return {
        "value": found.value,
        "distance": found.distance,
        "score": found.score,
        "chance": found.chance,
    }


def _judged(line: Variation) -> Judgement:
    """A score; a forced win or loss also has its value and distance."""
    distance = line.plies_to_win or line.plies_to_loss
    value = None if distance is None else "win" if line.plies_to_win else "loss"
    return Judgement(value, distance, line.score)


def _move_json(game: Game, move: Move) -> Json:
    return {"move": str(move), "after": str(game.position.play(move))}


def _study(game: Game, tablebases: Tablebases, exact: bool, worth: Json, moves: list[Json]) -> Json:
    outcome = game.outcome
    if outcome is not None:
        value = (
            "draw" if outcome.winner is None else "win" if outcome.winner == game.turn else "loss"
        )
        worth, exact = {**worth, **_worth(Judgement(value, 0))}, True
    dangerous = set(dangerous_moves(game.position, [Move(move["move"]) for move in moves]))
    for move in moves:
        move["dangerous"] = move["move"] in dangerous
        move["words"] = _words(game, move["value"], move["distance"])
    return {
        "rules": game.rules.name,
        "board": board_json(game.position),
        "outcome": outcome_json(game),
        "text": game.explain(),
        "words": game.explain() if outcome else _words(game, worth["value"], worth["distance"]),
        "exact": exact,
        "depth": None, "nodes": None, "seconds": None, **worth,
        "moves": moves,
        "table": tablebases.state(game.rules),
    }  # fmt: skip


def _words(game: Game, value: str | None, distance: int | None) -> str | None:
    """Who wins and when, in a sentence for people."""
    if value is None:
        return None
    if value == "draw":
        return "The game is a draw with best play."
    winner = game.turn if value == "win" else game.turn.other
    moves = f"{distance} {'move' if distance == 1 else 'moves'}"
    return f"{game.rules.players[winner]} wins in {moves}."


# Reviews.


def review_json(record: Record, exact: bool, moves: list[Json]) -> Json:
    """A whole review."""
    return {
        "rules": record.rules.name,
        "start": board_json(record.start),
        "exact": exact,
        "result": record.result,
        "count": len(record.moves),
        "moves": moves,
    }


def reviewed_moves(
    record: Record, judge: Table | Engine, limits: Limits | None = None
) -> Iterator[Json]:
    """The review of a record, move by move."""
    position = record.start
    for item in review_game(record, judge, limits):
        position = position.play(item.move)
        yield {
            "number": item.number,
            "seat": SIDE_NAMES[item.side],
            "move": str(item.move),
            "board": board_json(position),
            "before": _judgement(item.before),
            "after": _judgement(item.after),
            "thrown_away": item.thrown_away,
            "plies_lost": item.plies_lost,
            "chance_lost": item.chance_lost,
            "mark": item.mark,
            "best": [str(move) for move in item.best],
            "best_line": [str(move) for move in item.best_line],
        }


def _judgement(found: Judgement) -> Json:
    return {**found._asdict(), "chance": found.chance}


# Pictures.


def position_picture(
    rules: RuleSet, position: str, last_move: str | None, targets: str, **options: Any
) -> str:
    """A position as SVG."""
    drawn = Position(position, rules)
    move = drawn.read_move(last_move) if last_move else None
    squares = [read_square(name, rules) for name in targets.split(",")] if targets else []
    return svg(drawn, last_move=move, targets=squares, **options)
