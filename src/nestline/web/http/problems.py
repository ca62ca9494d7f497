"""Turns validation errors into sentences for clients, and logs the server's own failures."""

import logging
from collections.abc import Sequence
from typing import Any

from nestline.web.http.requests import KINDS
from nestline.web.refusals import Refusal

log = logging.getLogger(__name__)

JSON = "application/json"
_OBJECT = "it is a JSON object"
_SENTENCES = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "model_attributes_type": _OBJECT,
    "model_type": _OBJECT,
    "dict_type": _OBJECT,
}
"""Replacements for those of pydantic's messages that only programmers understand."""
_SIGNS = ("ask", "stops")
"""The fields by which a client matches answers to questions; the same in every message."""


def first_problem(errors: Sequence[Any]) -> Refusal:
    """The first validation error, with the name of its field."""
    error = errors[0]
    kind = error["type"]
    if kind == "json_invalid":
        return Refusal(400, "bad-request", "the body is not JSON")
    place = _place(error["loc"])
    if kind.startswith("union_tag"):
        place = [error["ctx"]["discriminator"].strip("'")]
    named = ".".join(place) or "the body"
    return Refusal(422, "invalid", f"{named}: {_sentence(error, place)}")


def body_problem(content_type: str) -> Refusal | None:
    """The refusal of a body with the wrong content type; None if the type is right."""
    if content_type.partition(";")[0].strip().lower() == JSON:
        return None
    return Refusal(
        415, "bad-request", f"the body has to be JSON, and declared as Content-Type: {JSON}"
    )


def _place(location: Sequence[Any]) -> list[str]:
    """The name of the field, without the names of classes and parts of the request."""
    parts = [str(part) for part in location]
    parts = [part for part in parts if part not in ("body", "query", "path")]
    # In a discriminated union the kind comes first: an action's name, a message's type.
    if len(parts) > 1 and parts[0] in KINDS:
        del parts[0]
    return [part for part in parts if not (part[:1].isupper() or "[" in part or "-" in part)]


def _sentence(error: Any, place: Sequence[str]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    if place and place[-1] in _SIGNS:
        return "it is a whole number or a text of at most 100 characters"
    if kind == "union_tag_not_found":
        return "it is missing"
    if kind == "union_tag_invalid":
        allowed = context["expected_tags"].replace("'", "")
        return f"{context['tag']!r:.40} is none of {allowed}"
    items = "characters" if isinstance(error["input"], str) else "items"
    if kind.endswith("too_short"):
        return f"it has at least {context['min_length']} {items}"
    if kind.endswith("too_long"):
        return f"it has at most {context['max_length']:,} {items}"
    told: str = error["msg"]
    return _SENTENCES.get(kind) or f"{told[:1].lower()}{told[1:]}".removeprefix("value error, ")


def log_failure(error: BaseException) -> None:
    """Log a bug in the server with its traceback, which clients never see."""
    log.error("a request failed", exc_info=error)
