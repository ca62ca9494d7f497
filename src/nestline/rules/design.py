"""Designs: rule sets written as one word, a set that comes with nestline and what differs from it.

`gobblers.misere-yes.stock-3-3-3` is `gobblers` with three pieces of each size, where a line loses.
Such a word carries its rules: it needs no file, and links leave it as it is. It has letters, digits
and `-._*` only.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from nestline.errors import RuleSetError, did_you_mean
from nestline.rules.schema import FIELDS

LONGEST_DESIGN = 1_000
"""In characters."""

_ESCAPED = re.compile(r"(?:\*[0-9A-F]{2})+")


def write_design(like: str, changes: Mapping[str, Any]) -> str:
    """The design of a set with these changes.

    >>> write_design("gobblers", {"stock": (3, 3, 3), "title": "Three each"})
    'gobblers.title-Three_each.stock-3-3-3'
    """
    parts = [f"{key}-{_written(changes[key])}" for key in FIELDS if key in changes]
    return ".".join([like, *parts])


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "-".join(map(_written, value))
    return re.sub(r"[^A-Za-z0-9]", _escape, str(value))


def _escape(found: re.Match[str]) -> str:
    if found[0] == " ":
        return "_"
    return "".join(f"*{byte:02X}" for byte in found[0].encode())


def read_design(text: str) -> tuple[str, dict[str, Any]]:
    """The set that a design changes, and the changes, which are still to be checked."""
    if len(text) > LONGEST_DESIGN:
        raise RuleSetError(f"a design has at most {LONGEST_DESIGN:,} characters")
    like, *parts = text.split(".")
    changes: dict[str, Any] = {}
    for part in parts:
        key, mark, value = part.partition("-")
        if not mark:
            raise RuleSetError(
                f"{text}: {part!r} is not a change; one is written like stock-3-3-3 or moving-no"
            )
        if key not in FIELDS:
            raise RuleSetError(
                f"{text}: unknown field {key!r}{did_you_mean(key, FIELDS)}; "
                f"allowed are {', '.join(FIELDS)}"
            )
        if key in changes:
            raise RuleSetError(f"{text}: {key} is changed twice")
        changes[key] = _read(text, key, value)
    return like, changes


def _read(design: str, key: str, text: str) -> Any:
    field = FIELDS[key]
    for choice in field.choices:
        if _written(choice) == text:
            return choice
    if field.kind == "choice":
        allowed = " or ".join(map(_written, field.choices))
        raise RuleSetError(f"{design}: {key}: {text!r} is not allowed; it takes {allowed}")
    try:
        parts = [_ESCAPED.sub(_unescape, part.replace("_", " ")) for part in text.split("-")]
    except UnicodeDecodeError:
        raise RuleSetError(f"{design}: {key}: {text!r} is not Unicode text") from None
    if field.kind in ("number", "counts"):
        numbers = [int(part) if re.fullmatch("[0-9]{1,4}", part) else part for part in parts]
        return numbers if field.kind == "counts" or len(numbers) > 1 else numbers[0]
    return parts if field.kind == "pair" else "-".join(parts)


def _unescape(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("*", "")).decode()


def design_file(text: str) -> str:
    """A design as the text of a rule set's file."""
    return rules_text(*read_design(text))


def rules_text(like: str, changes: Mapping[str, Any]) -> str:
    """The file of a rule set that differs from another one: its TOML text."""
    lines = [f'like = "{like}"']
    for key, value in changes.items():
        listed = list(value) if isinstance(value, tuple) else value
        # Such values are written alike in JSON and TOML.
        lines.append(f"{key} = {json.dumps(listed, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
