"""Seeded games that every environment must reproduce, played by `Game` and by the naive rules.

Both play each game in step and are compared after every move. The game keeps the actions, and what
was legal and known after each of them. There are several styles of play, so that every kind of end
occurs. The tests of each environment compare it with these games.
"""

import random
from functools import lru_cache
from typing import NamedTuple

import naive_rules
from nestline.action_space import action_of, legal_actions
from nestline.game import Game
from nestline.rules import RuleSet, load_rules
from support.helpers import as_pair, naive_rules_of

PLY_LIMIT = 60

SEED = 4
"""The first seed with which every end occurs and each player wins; a test checks that."""


class Ply(NamedTuple):
    """A game before one of its moves, or at its end."""

    position: str
    legal: tuple[int, ...]
    """Legal actions; none at the end."""
    occurrences: int
    """Occurrences of the position, where the rules count them; otherwise 1."""
    turn: int


class Played(NamedTuple):
    """A whole game; it has one more ply than actions."""

    rules: RuleSet
    actions: tuple[int, ...]
    plies: tuple[Ply, ...]
    winner: int | None
    reason: str
    ply_limit: int

    @property
    def returns(self) -> tuple[int, int]:
        """The result for the first and the second player."""
        if self.winner is None:
            return 0, 0
        return (1, -1) if self.winner == 0 else (-1, 1)

    @property
    def truncated(self) -> bool:
        return self.reason == "unfinished"


def _ply(game: Game, ours: naive_rules.NaiveGame) -> Ply:
    """The present state, once both agree on it."""
    assert str(game.position) == ours.text
    assert game.repetitions == ours.repetitions
    over = game.outcome is not None
    legal = [] if over else legal_actions(game.position)
    if not over:
        assert legal == sorted(action_of(move, game.rules) for move in ours.legal_moves())
    occurrences = game.repetitions if game.rules.repetition else 1
    return Ply(str(game.position), tuple(legal), occurrences, int(game.turn))


STYLES = ("any", "restless", "placing", "careless")


def choose(game: Game, style: str, chance: random.Random) -> str:
    """A move in one of the styles: random, or one that leads to a certain kind of end."""
    moves = list(map(str, game.legal_moves()))
    ends = {text: game.position.play(text).outcome() for text in moves}
    quiet = [text for text in moves if not ends[text]]
    liked: list[str] = []
    if style == "any" or chance.random() < 0.1:
        liked = moves
    elif style == "restless":  # moves back and forth, so that positions repeat
        own = game.moves[-2:-1]
        back = [text for text in quiet if own and text == f"{own[0].target}{own[0].origin}"]
        liked = back or [text for text in quiet if text[0] > "4"]
    elif style == "placing":  # fills the board
        drawn = [text for text in moves if ends[text] and ends[text].winner is None]
        liked = drawn or [text for text in quiet if text[0] <= "4"]
    elif style == "careless":  # lifts pieces that reveal a line
        liked = [text for text in moves if ends[text] and ends[text].reason == "reveal"]
    return chance.choice(liked or quiet or moves)


def play_game(
    rules: RuleSet, chance: random.Random, ply_limit: int = PLY_LIMIT, style: str = "any"
) -> Played:
    """A random game of one style."""
    game = Game(rules, ply_limit=ply_limit)
    ours = naive_rules.NaiveGame(naive_rules_of(rules))
    plies = [_ply(game, ours)]
    actions = []
    while not game.outcome:
        move = choose(game, style, chance)
        actions.append(action_of(move, rules))
        game.play(move)
        ours.play(move)
        plies.append(_ply(game, ours))
    found = as_pair(game.outcome)
    assert found is not None
    expected = as_pair(ours.outcome()) or (None, "unfinished")
    assert found == expected
    return Played(rules, tuple(actions), tuple(plies), *found, ply_limit)


@lru_cache
def played_games(name: str) -> tuple[Played, ...]:
    """Games of one of the five rule sets, in all styles; always the same ones."""
    chance = random.Random(f"games of {name}, {SEED}")
    rules = load_rules(name)
    return tuple(play_game(rules, chance, style=style) for style in STYLES * 2)
