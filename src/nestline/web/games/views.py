"""Games, boards and rule sets as JSON, showing only what a viewer may see.

While covered pieces are secret, nothing that depends on them is included: only the tops of the
board, no past moves, no danger marks. Everything the server says about a game is made here.
"""

import copy
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import orjson

from nestline.draw import svg
from nestline.engine.players.level_words import strengths_of
from nestline.game import Game
from nestline.notation import SIDE_LETTERS, write_board
from nestline.position import Move, Piece, Position, Side
from nestline.rules import RuleSet, rule_set_names
from nestline.rules.law import MAX_SIZES
from nestline.rules.schema import VISIBILITIES
from nestline.web.fields import Json
from nestline.web.games.online_game import OnlineGame
from nestline.web.settings import Settings
from nestline.web.work.preparation import Preparation
from nestline.web.work.tablebases import Tablebases

MOVES_AT_ONCE = 100
"""Moves in one message; clients ask for earlier ones."""
TEXTS_KEPT = 200
DAY = 86_400
BOARDS_KEPT = 1000
"""Boards cached: every game sends its start, and each new board twice."""
SECONDS_KEPT = 1000
"""Times cached: many moves are played within one second, and so expire within one."""
SIDE_NAMES = {side: str(side) for side in Side}
_PIECE_TEXTS = [[f"{letter}{size}" for size in range(MAX_SIZES + 1)] for letter in SIDE_LETTERS]


def stack_json(stack: Sequence[Piece]) -> list[str]:
    """From bottom to top, like `b1`, `w3`."""
    return [_PIECE_TEXTS[side][size] for side, size in stack]


def board_json(position: Position, hidden: bool = False) -> Json:
    """A position; of a hidden one, only the tops. The result is shared: do not change it."""
    return _board_json(position, hidden)


@lru_cache(BOARDS_KEPT)
def _board_json(position: Position, hidden: bool) -> Json:
    # A copy, discarded with its caches: thousands of games are in memory.
    position = copy.copy(position)
    stacks = dict(position.stacks)
    if hidden:
        stacks = {square: stack[-1:] for square, stack in stacks.items()}
    return {
        "text": write_board(stacks, position.turn, position.rules.board),
        "turn": SIDE_NAMES[position.turn],
        "stacks": {square: stack_json(stack) for square, stack in stacks.items()},
        "reserves": {name: list(position.reserve_tops(side)) for side, name in SIDE_NAMES.items()},
    }


def outcome_json(game: Game | Position) -> Json | None:
    """How the game ended, with the lines on the board."""
    position = game if isinstance(game, Position) else game.position
    outcome = position.outcome() if isinstance(game, Position) else game.outcome
    if outcome is None:
        return None
    return {
        "winner": None if outcome.winner is None else SIDE_NAMES[outcome.winner],
        "reason": outcome.reason,
        "result": outcome.result,
        "lines": [list(line) for side in Side for line in position.lines(side)],
    }


def dangerous_moves(position: Position, moves: Sequence[Move]) -> list[str]:
    """The moves that lose at once by revealing a line."""
    stacks = board_json(position)["stacks"]
    covering = [square for square, stack in stacks.items() if len(stack) > 1]
    revealing = {square for square in covering if _may_reveal(position, stacks, square)}
    if not revealing:
        return []
    return [
        move.text for move in moves if move.origin in revealing and position.is_losing_reveal(move)
    ]


def _may_reveal(position: Position, stacks: Mapping[str, list[str]], origin: str) -> bool:
    """Whether lifting a piece from another reveals a line of the opponent's, before it lands.

    A cheap first test: few pieces do, and playing every move to find out is slow.
    """
    opponent = SIDE_LETTERS[position.turn.other]
    if stacks[origin][-2][0] != opponent:
        return False
    theirs = {square for square, stack in stacks.items() if stack[-1][0] == opponent} | {origin}
    return any(theirs.issuperset(line) for line in position.rules.line_squares)


class GameTexts:
    """The JSON of games for all their watchers, made once per change.

    The latest ones are kept. `Hub` has far more games in memory, most of which nobody asks for.
    """

    def __init__(
        self, settings: Settings, tablebases: Tablebases, preparation: Preparation
    ) -> None:
        self._settings = settings
        self._tablebases, self._preparation = tablebases, preparation
        self._texts: OrderedDict[tuple[Any, ...], str] = OrderedDict()

    def of(self, online: OnlineGame, known: int = 0) -> str:
        """The game with its last moves, but without the first `known` ones."""
        remark = self._preparation.remark
        known = max(known, online.game.ply - MOVES_AT_ONCE)
        thinking = _thinking(online, self._tablebases, remark)
        key = online.id, online.number, online.seats, known, thinking
        text = self._texts.get(key)
        if text is None:
            days = self._settings.days_kept(online.is_over)
            told = game_json(online, self._tablebases, remark, known, days)
            text = self._texts[key] = orjson.dumps(told).decode()
            if len(self._texts) > TEXTS_KEPT:
                self._texts.popitem(last=False)
        return text


def game_json(
    online: OnlineGame, tablebases: Tablebases, getting_ready: str | None = None, known: int = 0,
    days_kept: float = 0,
) -> Json:  # fmt: skip
    """The game for all its watchers, without the first `known` moves.

    `getting_ready` is what to say while the search is still being compiled.
    """
    game, hidden = online.game, online.is_hidden
    legal = game.legal_moves()
    request = online.undo_request
    event = online.last_action
    thinking = _thinking(online, tablebases, getting_ready)
    return {
        "id": online.id,
        "number": online.number,
        "created": _time(online.created),
        "changed": _time(online.changed),
        "rules": online.rules_name,
        "visibility": game.visibility,
        "hidden": hidden,
        "touch_move": game.touch_move,
        "ply_limit": game.ply_limit,
        "seats": {
            name: {
                "player": "computer" if online.is_computer(side) else "person",
                "name": game.seats[side].name,
                "level": online.levels[side],
                "taken": online.seats[side].holder is not None,
            }
            for side, name in SIDE_NAMES.items()
        },
        "between_people": online.between_people,
        "start": board_json(game.start, hidden),
        "board": board_json(game.position, hidden),
        "ply": game.ply,
        "turn": SIDE_NAMES[game.turn],
        "moves": moves_json(online, known),
        "last_move": str(game.last_move) if game.last_move else None,
        "legal": [move.text for move in legal],
        "dangerous": [] if hidden else dangerous_moves(game.position, legal),
        "touched": game.touched,
        "draw_offer": None if game.draw_offer is None else SIDE_NAMES[game.draw_offer],
        "undo_request": {"seat": SIDE_NAMES[request.side], "ply": request.ply} if request else None,
        "can_undo": online.can_undo,
        "can_redo": game.can_redo,
        "outcome": outcome_json(game),
        "text": game.explain(),
        "thinking": thinking and dict(zip(("seat", "level", "remark"), thinking, strict=True)),
        "rematch": online.rematch,
        "rematch_offers": [SIDE_NAMES[side] for side in sorted(online.rematch_sides)],
        "event": {"action": event.name, "seat": SIDE_NAMES[event.side]} if event else None,
        "expires": _time(online.changed + days_kept * DAY) if days_kept else None,
    }


def moves_json(online: OnlineGame, first: int, end: int | None = None) -> Json:
    """The moves from one number to another; none while they would tell what is covered."""
    if online.is_hidden:
        return {"from": 0, "list": []}
    states = online.game.moves_and_positions(first, end)
    played = [{"move": str(move), "board": board_json(position)} for move, position in states]
    return {"from": first, "list": played}


def _thinking(
    online: OnlineGame, tablebases: Tablebases, getting_ready: str | None
) -> tuple[str, str | None, str | None] | None:
    """The seat and level of the computer that is to move, and what it waits for."""
    side = online.computer_side
    if side is None:
        return None
    level = online.levels[side]
    remark = tablebases.remark(online.game.rules) if level == "perfect" else None
    return SIDE_NAMES[side], level, getting_ready or remark


def common_moves(one: OnlineGame, other: OnlineGame) -> int:
    """How many first moves two states of a game share, as far as watchers know them."""
    if one.is_hidden or other.is_hidden:
        return 0
    return one.game.common_moves(other.game)


def picture(online: OnlineGame, **options: Any) -> str:
    """The board as SVG, as everybody may see it."""
    game = online.game
    return svg(game.position, view=game.view(), last_move=game.last_move, **options)


def record_text(online: OnlineGame) -> str:
    """The game as a record; the caller has checked that nothing in it is secret."""
    day = datetime.fromtimestamp(online.created, UTC).date().isoformat()
    return str(online.game.to_record({"Date": day}))


def rule_set_json(name: str, rules: RuleSet, tablebases: Tablebases) -> Json:
    """Everything about a rule set that a client needs to show and offer it."""
    strengths = strengths_of(rules, tablebases.is_solvable(rules))
    return {
        "name": name,
        "custom": name not in rule_set_names(),
        **rules.fields(),
        "sources": dict(rules.sources),
        "squares": list(rules.square_names),
        "line_squares": [list(line) for line in rules.line_squares],
        "start": board_json(Position.start(rules)),
        "levels": [each.level for each in strengths],
        "strengths": [each._asdict() for each in strengths],
        "visibilities": [
            choice for choice in VISIBILITIES
            if choice == "open" or (rules.covers and (choice == "memory" or rules.peek))
        ],
        "table": tablebases.state(rules),
    }  # fmt: skip


def _time(seconds: float) -> str:
    milliseconds = int(1000 * seconds)
    return f"{_whole_seconds(milliseconds // 1000)}.{milliseconds % 1000:03}+00:00"


@lru_cache(SECONDS_KEPT)
def _whole_seconds(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()[:19]
