"""One error class per kind of mistake; every message is one sentence a person can act on.

All of them are `ValueError`s with a common base, so that an interface catches `NestlineError`
and shows its text, and never has to guess what went wrong.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches


class NestlineError(ValueError):
    """A request that cannot be met; the message says what is wrong and what is allowed."""


class RuleSetError(NestlineError):
    """A rule set is unknown, its file cannot be read, or its fields make no sense together."""


class NotationError(NestlineError):
    """A text is not a move, a position or a record; the message names the place."""


class PositionError(NestlineError):
    """These pieces cannot be on the board in this way."""


class IllegalMove(NestlineError):
    """The move breaks a rule in this position; the message names the rule."""


class GameError(NestlineError):
    """The game does not allow this now: it is over, or it is not that player's turn, …"""


class TableError(NestlineError):
    """A rule set cannot be solved, or its tablebase is missing, damaged or made for another
    game."""


class EngineFailure(NestlineError):
    """An external program did not start, crashed, hung, or gave a nonsensical answer; the message
    names it and says what happened."""


class DatabaseInUse(NestlineError):
    """Another server is using the database, and it cannot be shared."""


class MissingExtra(NestlineError, ImportError):
    """A required package is not installed; the message names the extra that provides it."""


class ShapeError(NestlineError):
    """An array has the wrong shape or type of numbers; the message names both."""


@contextmanager
def errors_about(name: str) -> Iterator[None]:
    """Put what it is about in front of the message of an error that does not say so."""
    try:
        yield
    except NestlineError as error:
        raise type(error)(f"{name}: {error}") from None


def missing_extra(what: str, extra: str, error: ImportError) -> MissingExtra:
    """The sentence for a failed import: which of our extras provides the package."""
    package = (error.name or "a package").partition(".")[0]
    return MissingExtra(
        f"{what} needs {package}, which is not installed; "
        f"install it with: pip install 'nestline[{extra}]'"
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one was probably meant to be; a number is not mistyped."""
    if word.isdecimal():
        return None
    return next(iter(get_close_matches(word.lower(), list(known), n=1, cutoff=0.65)), None)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint to append to "there is no such word"; empty if no known word is near.

    >>> f"there is no level 'hrad'{did_you_mean('hrad', ['easy', 'hard'])}"
    "there is no level 'hrad' (did you mean hard?)"
    """
    near = nearest(word, known)
    return f" (did you mean {near}?)" if near else ""
