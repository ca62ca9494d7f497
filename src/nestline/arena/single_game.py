"""One game of a tournament, played to its end: what every worker does, wherever it runs.

Players are made for the game and closed after it, so that no state leaks from one game into
another. A player that fails loses the game, and the reason is recorded. `local_processes` and
`ray_cluster` hand the games out.
"""

import contextlib
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nestline.arena.contestant import Contestant
from nestline.arena.tournament import Fixture, Tournament, derived_seed
from nestline.engine.players.player import Player
from nestline.engine.search.engine import Limits
from nestline.errors import NestlineError
from nestline.game import Game
from nestline.position import Position, Side
from nestline.rules import RuleSet

LONGEST_REASON = 500


@dataclass(frozen=True)
class Conditions:
    """What a worker has to know about a tournament to play any of its games."""

    rules: RuleSet
    contestants: Mapping[str, Contestant]
    limits: Limits
    ply_limit: int

    @classmethod
    def of(cls, tournament: Tournament) -> "Conditions":
        contestants = {name: entry.contestant for name, entry in tournament.entries.items()}
        return cls(tournament.rules, contestants, tournament.limits, tournament.ply_limit)


@dataclass(frozen=True)
class FinishedGame:
    """A finished game."""

    number: int
    first: str
    second: str
    result: str
    """As in records: 1-0, 0-1 or 1/2-1/2."""
    termination: str
    opening: int
    """How many of the moves belong to the opening."""
    moves: tuple[str, ...]
    seconds: float
    forfeit: str | None = None
    """Why the loser could not go on, if that ended the game."""
    start: str | None = None
    """The starting position, if it is not the usual one."""

    def points_of(self, name: str) -> float:
        """1, 1/2 or 0 for one of its two players."""
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.first if self.result == "1-0" else self.second) == name)

    def as_json(self) -> dict[str, Any]:
        """The game as JSON data."""
        return {**asdict(self), "moves": " ".join(self.moves)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "FinishedGame":
        return cls(**{**content, "moves": tuple(content["moves"].split())})


def try_player(contestant: Contestant, rules: RuleSet, limits: Limits) -> None:
    """Let a player choose one move, so that everything is compiled or loaded."""
    player = contestant.make(rules, limits, seed=0)
    player.choose(Game(rules))
    _close(player)


_warm: set[tuple[str, str, str]] = set()
"""The players that have already moved in this process: rules, name and kind."""


class _Failed(Exception):
    """A player could not be made, or did not choose a legal move."""


def play_game(conditions: Conditions, fixture: Fixture) -> FinishedGame:
    """Play a game to its end, or until a player who fails forfeits."""
    began = time.perf_counter()
    seated: list[Player] = []
    moves, start = fixture.opening
    position = Position(start, conditions.rules) if start else None
    game = Game(conditions.rules, start=position, ply_limit=conditions.ply_limit)
    for move in moves:
        game.play(move)
    forfeit = None
    try:
        _play_on(game, conditions, fixture, seated)
    except _Failed as failure:
        forfeit = _on_one_line(str(failure))
    finally:
        for player in seated:
            _close(player)
    assert game.outcome is not None
    return FinishedGame(
        number=fixture.number,
        first=fixture.first,
        second=fixture.second,
        result=game.result,
        termination=game.outcome.reason,
        opening=len(moves),
        moves=tuple(map(str, game.moves)),
        seconds=round(time.perf_counter() - began, 3),
        forfeit=forfeit,
        start=start,
    )


def _play_on(game: Game, conditions: Conditions, fixture: Fixture, seated: list[Player]) -> None:
    rules, limits = conditions.rules, conditions.limits
    for side, name in zip(Side, (fixture.first, fixture.second), strict=True):
        contestant = conditions.contestants[name]
        try:
            player_here = rules.name, name, type(contestant).__name__
            if not contestant.is_foreign and player_here not in _warm:
                # Otherwise the first game of a process would be played with less time to think.
                try_player(contestant, rules, limits)
                _warm.add(player_here)
            player = contestant.make(rules, limits, derived_seed(fixture.seed, side))
        except Exception as error:
            game.resign(side)
            raise _Failed(_described(name, error)) from None
        seated.append(player)
    while not game.outcome:
        side = game.turn
        try:
            game.play(seated[side].choose(game), by=side)
        except Exception as error:
            game.resign(side)
            name = (fixture.first, fixture.second)[side]
            raise _Failed(_described(name, error)) from None


def _described(name: str, error: Exception) -> str:
    """The failure in words: ours are sentences already, foreign ones need their type."""
    text = str(error) if isinstance(error, NestlineError) else f"{type(error).__name__}: {error}"
    return f"{name}: {text}"


def _close(player: Player) -> None:
    """Close a player; if one from another package cannot be closed, that loses no game."""
    with contextlib.suppress(Exception):
        player.close()


def _on_one_line(text: str) -> str:
    shown = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return shown if len(shown) <= LONGEST_REASON else shown[: LONGEST_REASON - 1] + "…"
