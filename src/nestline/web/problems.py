"""From errors to sentences: what a client is told about a form that is wrong, or a failure."""

import logging
from collections.abc import Sequence
from typing import Any

from nestline.web.refusals import Refusal

log = logging.getLogger(__name__)

SHOWN = 60


def first_problem(errors: Sequence[Any]) -> Refusal:
    """The first thing that is wrong with a form, with the name of its field."""
    error = errors[0]
    if error["type"] == "json_invalid":
        return Refusal(400, "bad-request", "the body is not JSON")
    # Names of classes in the place of a union, and where a parameter stands, tell nobody anything.
    place = [part for part in error["loc"] if part not in ("body", "query", "path")]
    named = ".".join(str(part) for part in place if not _is_class(part))
    message = f"{error['msg'][:1].lower()}{error['msg'][1:]}".removeprefix("value error, ")
    return Refusal(422, "invalid", f"{named}: {message}" if named else message)


def _is_class(part: Any) -> bool:
    return isinstance(part, str) and (part[:1].isupper() or "[" in part)


def log_failure(error: BaseException) -> None:
    """A defect of the server: written down in full, told to nobody."""
    log.error("a request failed", exc_info=error)
