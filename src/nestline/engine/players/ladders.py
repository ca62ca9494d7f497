"""What the levels of each family of rule sets do; `docs/research/results.md` has their ratings.

Weaker levels make human mistakes. They look few moves ahead; they overlook an answer, or even a win
of their own; they forget covered pieces, and lift what they should have left alone; and they
misjudge moves a little, so now and then the second-best looks best.
"""

from dataclasses import dataclass

from nestline.engine.players.level_names import (
    CHILD_LEVELS,
    FLAT,
    FREE,
    LARGE,
    SMALL,
    child_levels,
    family_of,
    number_of,
)
from nestline.engine.search.alphabeta import MAX_DEPTH
from nestline.rules import RuleSet


@dataclass(frozen=True)
class Level:
    """The strength of a level.

    It searches at most `nodes` nodes, and `depth` plies deep on average: with 1.25, one ply three
    times and two plies the fourth time; with less than 1, it sometimes looks at its own move only.
    It misjudges each move by `blur` hundredths on average, forgets each covered piece with
    probability `forgets`, and looks for a win in one with probability `sees_wins`.
    """

    nodes: int = 107_000
    depth: float = MAX_DEPTH
    blur: float = 0.0
    forgets: float = 0.0
    sees_wins: float = 1.0


CHILDREN: dict[str, tuple[Level, ...]] = {
    LARGE: (
        Level(depth=0.0, blur=280, forgets=0.2, sees_wins=0.0),
        Level(depth=0.0, blur=145, forgets=0.2, sees_wins=0.03),
        Level(depth=0.0, blur=116, forgets=0.2, sees_wins=0.11),
        Level(depth=0.0, blur=94, forgets=0.2, sees_wins=0.22),
        Level(depth=0.0, blur=72, forgets=0.2, sees_wins=0.38),
        Level(depth=0.0, blur=52, forgets=0.2, sees_wins=0.6),
        Level(depth=0.22, blur=42, forgets=0.2),
        Level(depth=0.75, blur=36, forgets=0.2),
    ),
    FREE: (
        Level(depth=0.0, blur=200, forgets=0.2, sees_wins=0.0),
        Level(depth=0.0, blur=108, forgets=0.2, sees_wins=0.03),
        Level(depth=0.0, blur=77, forgets=0.2, sees_wins=0.12),
        Level(depth=0.0, blur=54, forgets=0.2, sees_wins=0.23),
        Level(depth=0.0, blur=42, forgets=0.2, sees_wins=0.4),
        Level(depth=0.0, blur=32, forgets=0.2, sees_wins=0.65),
        Level(depth=0.22, blur=27, forgets=0.2),
        Level(depth=0.75, blur=26, forgets=0.2),
    ),
}
"""The levels below the numbered ones, weakest first, on boards of 4x4. Where new pieces land freely
the evaluation tells moves less apart, so the same blur would cost more."""

_LEVELS_3_TO_8 = (
    Level(nodes=1_500, forgets=0.04),
    Level(nodes=2_400, forgets=0.02),
    Level(nodes=3_700, forgets=0.01),
    Level(nodes=5_600),
    Level(nodes=9_000),
    Level(nodes=15_500),
)
"""On boards of 4x4. Beyond them, games with free landing are mostly drawn: level 9 takes five times
the nodes there, and ten times those of level 9 would not make another step."""

LADDERS = {
    LARGE: (
        Level(nodes=10_000, depth=2, blur=35, forgets=0.2),
        Level(nodes=20_000, depth=3, blur=23, forgets=0.1),
        *_LEVELS_3_TO_8,
        Level(nodes=27_000),
        Level(nodes=49_000),
        Level(nodes=105_000),
        Level(nodes=230_000),
        Level(nodes=500_000),
        Level(nodes=1_100_000),
        Level(nodes=2_300_000),
        Level(nodes=4_700_000),
    ),
    FREE: (
        Level(nodes=10_000, depth=2, blur=17, forgets=0.2),
        Level(nodes=20_000, depth=3, blur=7, forgets=0.1),
        *_LEVELS_3_TO_8,
        Level(nodes=75_000),
    ),
    SMALL: (
        Level(depth=0.0, blur=200, forgets=0.2, sees_wins=0.05),
        Level(depth=0.0, blur=120, forgets=0.2, sees_wins=0.4),
        Level(depth=0.04, blur=60, forgets=0.15),
        Level(depth=0.36, blur=30, forgets=0.1),
        Level(depth=0.68, blur=30, forgets=0.05),
        Level(depth=0.91, forgets=0.02),
        Level(depth=1.6),
    ),
    FLAT: (
        Level(depth=0.0, blur=150, sees_wins=0.3),
        Level(depth=0.32, blur=60),
        Level(depth=0.77, blur=60),
    ),
}
"""The numbered levels of each family, weakest first."""


def level_for(name: str, rules: RuleSet) -> Level:
    """What a level does with these rules: a child's, a numbered one, or one by its alias."""
    family = family_of(rules)
    if name in child_levels(rules):
        return CHILDREN[family][CHILD_LEVELS.index(name)]
    number = 1 if name in CHILD_LEVELS else number_of(name, rules)
    return LADDERS[family][number - 1]
