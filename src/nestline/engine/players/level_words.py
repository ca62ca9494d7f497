"""The computer's levels for people: a name, a sentence, and a rating that was measured.

`ladders` says what each level does; the sentences put that into everyday words. `level_names` has
the names by which programs ask for them.
"""

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from nestline.engine.players.level_names import (
    FLAT,
    FREE,
    LARGE,
    MAXIMUM_SECONDS,
    PERFECT,
    RANDOM,
    SMALL,
    child_levels,
    family_of,
    is_large,
    levels_of,
    numbered_levels,
)

if TYPE_CHECKING:
    from nestline.rules import RuleSet


class Strength(NamedTuple):
    """A level as people choose it."""

    level: str
    title: str
    words: str
    rating: int | None
    """Points above a player who moves at random; 100 more score 64 of 100. None if nobody has
    measured it with these rules."""
    seconds: float | None
    """How long it thinks about a move, if it thinks by the clock."""


_ON_LARGE_BOARDS = (
    ("Beginner", "Looks two moves ahead, guesses a lot, and often forgets a covered piece."),
    ("Learner", "Looks three moves ahead, and guesses a little."),
    ("Casual", "Guesses no more, and sometimes forgets a covered piece."),
    ("Steady", "Thinks a little longer, and seldom forgets a covered piece."),
    ("Handy", "Thinks longer still, and hardly ever forgets a covered piece."),
    ("Skilled", "Forgets nothing."),
    ("Clever", "Thinks nearly twice as long as Skilled."),
    ("Strong", "Thinks nearly twice as long as Clever."),
)
_WORDS = {
    FLAT: (
        ("Beginner", "Overlooks most of its own wins."),
        ("Casual", "Takes every win, and stops you about every third time."),
        ("Skilled", "Stops you most of the time."),
    ),
    SMALL: (
        ("Beginner", "Plays by guesswork, and overlooks most of its own wins."),
        ("Learner", "Sees its own win now and then, but not what you are up to."),
        ("Casual", "Takes every win, and hardly looks at what you are up to."),
        ("Steady", "Looks at your answer about every third time."),
        ("Skilled", "Mostly sees your answer, and seldom forgets a covered piece."),
        ("Strong", "Nearly always sees your answer."),
        ("Expert", "Often looks a move further, and forgets nothing."),
    ),
    LARGE: (
        *_ON_LARGE_BOARDS,
        ("Sharp", "Thinks nearly twice as long as Strong."),
        ("Expert", "Thinks nearly twice as long as Sharp."),
        ("Veteran", "Thinks about twice as long as Expert."),
        ("Master", "Thinks about twice as long as Veteran."),
        ("Grandmaster", "Thinks about twice as long as Master."),
        ("Champion", "Thinks about twice as long as Grandmaster."),
        ("Legend", "Thinks about twice as long as Champion."),
        ("Titan", "Thinks about twice as long as Legend, nearly a second on a fast computer."),
    ),
    FREE: (
        *_ON_LARGE_BOARDS,
        ("Champion", "Thinks five times as long as Strong."),
    ),
}
_CHILDREN = (
    ("Dreamer", "Hardly looks at the board, and overlooks its own wins."),
    ("Guesser", "Plays by guesswork, and overlooks nearly all of its own wins."),
    ("Playful", "Guesses a lot, and sees its own win one time in ten."),
    ("Curious", "Guesses a lot, and sees its own win about every fifth time."),
    ("Hopeful", "Guesses, and sees its own win more than every third time."),
    ("Eager", "Mostly sees its own win, but not what you are up to."),
    ("Nimble", "Takes every win, and now and then looks at your answer."),
    ("Watchful", "Takes every win, and mostly looks at your answer."),
)
_LOWEST = ("First steps", "Puts pieces anywhere. Good for small children.")
_PERFECT = ("Perfect", "Knows the whole game by heart, and never makes a mistake.")

_STEPS = {
    "tictactoe": (0, 131, 128, 124, 118),
    "gobblers": (0, 116, 136, 128, 143, 140, 140, 132, 113),
    "gobblers-official": (0, 116, 121, 116, 144, 133, 130, 140, 115),
    "gobblet": (
        *(0, 104, 125, 143, 166, 129, 143, 135, 139),
        *(135, 159, 184, 154, 140, 162, 141, 116, 130, 131, 196, 140, 103, 124, 146, 60),
    ),
    "gobblet-house": (
        *(0, 114, 96, 135, 129, 115, 115, 88, 149),
        *(131, 142, 114, 107, 97, 134, 100, 120, 98),
    ),
}
"""How much stronger each level is than the one below it, from `random` on, as far as that was
measured: the Elo differences in docs/research/results.md, by `benchmarks/ladders.py`."""


def strengths_of(rules: "RuleSet", is_solved: bool) -> list[Strength]:
    """The levels to choose from, weakest first, in words."""
    # Small games were measured with their tablebases, which may be missing here.
    measured = levels_of(rules, is_solved=not is_large(rules))
    ratings: dict[str, int] = dict(
        zip(measured, accumulate(_STEPS.get(rules.name, ())), strict=False)
    )
    words = {
        RANDOM: _LOWEST,
        **dict(zip(child_levels(rules), _CHILDREN, strict=False)),
        **dict(zip(numbered_levels(rules), _WORDS[family_of(rules)], strict=True)),
        PERFECT: _PERFECT,
        **{level: _maximum(seconds) for level, seconds in MAXIMUM_SECONDS.items()},
    }
    return [
        Strength(level, *words[level], ratings.get(level), MAXIMUM_SECONDS.get(level))
        for level in levels_of(rules, is_solved)
    ]


def _maximum(seconds: float) -> tuple[str, str]:
    time = "one second" if seconds == 1 else f"{seconds:.0f} seconds"
    return f"Maximum, {time}", f"Full strength, thinking {time} about every move."
