"""The atlas that comes with the package, and what it knows about a rule set."""

from functools import lru_cache
from importlib import resources

from nestline.atlas.games import game_of
from nestline.atlas.solving import twin_of
from nestline.atlas.table import Row, parse_table
from nestline.rules import RuleSet

FILE = "atlas.csv"


@lru_cache(maxsize=1)
def committed_atlas() -> tuple[Row, ...]:
    """The rows of the package's atlas, made from its `grid.toml`."""
    text = (resources.files("nestline.atlas") / FILE).read_text("utf-8")
    return tuple(parse_table(text, FILE))


@lru_cache(maxsize=1)
def _by_game() -> dict[object, Row]:
    return {row.game: row for row in committed_atlas()}


def known_game(rules: RuleSet) -> Row | None:
    """What the atlas knows about the game that a rule set plays; None if it is not in there.

    >>> from nestline.rules import load_rules
    >>> known_game(load_rules("tictactoe")).value
    'draw'
    """
    game = game_of(rules)
    found = _by_game().get(game)
    if found is None and (twin := twin_of(game)) is not None:
        other = _by_game().get(twin)
        if other is not None and not other.stuck:
            return other
    return found
