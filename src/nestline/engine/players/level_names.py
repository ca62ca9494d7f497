"""The names of the computer's levels, for code that must not wait for the compiler.

Levels belong to a family of rule sets, since games differ in how much there is to know: a game that
a child plays perfectly has few levels. `ladders` says what each level does.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nestline.rules import RuleSet

LARGE, FREE, SMALL, FLAT = "large", "free", "small", "flat"
"""The families: boards of 4x4, those of them where a new piece may land on any smaller one, smaller
boards, and smaller boards where nothing can be covered."""

HIGHEST = {LARGE: 16, FREE: 9, SMALL: 7, FLAT: 3}
"""The number of the highest level of each family."""

RANDOM, PERFECT = "random", "perfect"
"""Below the numbered levels, and above them where a game is solved."""

CHILD_LEVELS = tuple(f"child-{number}" for number in range(1, 9))
"""Between `random` and level 1 on boards of 4x4, where level 1 wins every game against `random`.
They came later than the numbers, which records and links use."""

MAXIMUM_SECONDS = {"maximum-1": 1.0, "maximum": 5.0, "maximum-20": 20.0}
"""Above the numbered levels where a game is not solved: the engine at its best, and how long it
thinks about a move."""

LARGEST_SMALL_BOARD = 3

_NUMBERS = tuple(str(number) for number in range(1, max(HIGHEST.values()) + 1))

LEVEL_NAMES = (RANDOM, *CHILD_LEVELS, *_NUMBERS, PERFECT, *MAXIMUM_SECONDS)
"""All levels, weakest first. A number beyond a family's highest is that highest one: earlier
versions had ten levels for every game. A child's level of a smaller board is level 1."""

ALIASES = {
    "easy": {LARGE: 2, FREE: 2, SMALL: 2, FLAT: 1},
    "medium": {LARGE: 5, FREE: 5, SMALL: 4, FLAT: 2},
    "hard": {LARGE: 8, FREE: 8, SMALL: 6, FLAT: 3},
}


def is_large(rules: "RuleSet") -> bool:
    """Whether the board is one of those that have levels for children, and no tablebase."""
    return rules.board > LARGEST_SMALL_BOARD


def family_of(rules: "RuleSet") -> str:
    """The family of rule sets that shares its levels with this one."""
    if is_large(rules):
        return FREE if rules.place_onto == "smaller" and rules.sizes > 1 else LARGE
    return SMALL if rules.sizes > 1 else FLAT


def numbered_levels(rules: "RuleSet") -> tuple[str, ...]:
    """The numbered levels of a rule set, weakest first."""
    return _NUMBERS[: HIGHEST[family_of(rules)]]


def child_levels(rules: "RuleSet") -> tuple[str, ...]:
    """The levels of a rule set below its numbered ones."""
    return CHILD_LEVELS if is_large(rules) else ()


def levels_of(rules: "RuleSet", is_solved: bool) -> tuple[str, ...]:
    """The levels to choose from, weakest first."""
    highest = (PERFECT,) if is_solved else tuple(MAXIMUM_SECONDS)
    return (RANDOM, *child_levels(rules), *numbered_levels(rules), *highest)


def number_of(level: str, rules: "RuleSet") -> int:
    """The number of a numbered level, or of one by its alias, for these rules."""
    family = family_of(rules)
    number = ALIASES[level][family] if level in ALIASES else int(level)
    return min(number, HIGHEST[family])
