"""Why a request was refused: a status, a code for programs, a sentence for people.

Whatever refuses a request raises a `Refusal`, or an error of `nestline.errors`, which `refusal_of`
converts; most sentences stand where the error is raised. HTTP and the WebSocket send the same ones.
"""

from typing import Any

from nestline.errors import GameError, IllegalMove, NestlineError


class Refusal(Exception):
    """A refused request; nothing was changed, unless the message says otherwise."""

    def __init__(
        self, status: int, code: str, message: str, *, retry_after: float | None = None, **more: Any
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after
        self.more = more

    def to_json(self) -> dict[str, Any]:
        """What the client receives."""
        return {"code": self.code, "message": self.message, **self.more}


def refusal_of(error: NestlineError) -> Refusal:
    """The refusal for an error raised by the library."""
    message = " ".join(str(error).split())
    if isinstance(error, IllegalMove):
        return Refusal(409, "illegal-move", message)
    if isinstance(error, GameError):
        return Refusal(409, "refused", message)
    return Refusal(422, "invalid", message)


def refused(message: str) -> Refusal:
    """The game does not allow this now."""
    return Refusal(409, "refused", message)


def invalid(message: str) -> Refusal:
    return Refusal(422, "invalid", message)


def not_found(what: str) -> Refusal:
    return Refusal(404, "not-found", what)


def invitation_used() -> Refusal:
    return Refusal(403, "invitation-used", "this invitation has been used or withdrawn")


def stale(number: int, asked: int) -> Refusal:
    return Refusal(
        409,
        "stale",
        f"the game is at number {number}, and this answers number {asked}; look at it again",
        number=number,
    )
