"""Descriptions of players: `5`, `engine:nodes=10000`, `ugi:nestline ugi`; one grammar for all
commands.

A description is the name of a level, or a kind of player, with a colon and arguments where it takes
any. Other packages add kinds by an entry point in the group `nestline.players` that names a `Kind`,
so that every process of a match finds them.
"""

import importlib.metadata
from pathlib import Path

from nestline.arena.builtin_contestants import KINDS, LevelContestant
from nestline.arena.contestant import Contestant, Kind
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.errors import NestlineError, did_you_mean

GROUP = "nestline.players"
"""The entry points that add kinds of players."""

LONGEST = 1000
"""The maximum length of a description, or of a name, in characters."""


def read_contestant(text: str, folder: Path | None = None) -> Contestant:
    """The contestant described; `NestlineError` says what is wrong with the text."""
    if not text.isprintable() or len(text) > LONGEST:
        raise NestlineError(f"a player is described by one line of text, not {text[:60]!r}")
    name, _, arguments = text.partition(":")
    if text in LEVEL_NAMES or text in ALIASES:
        return LevelContestant(text)
    kind = KINDS.get(name) or _added_kind(name)
    if kind is None:
        levels = (*LEVEL_NAMES, *ALIASES)
        near = did_you_mean(name, (*levels, *KINDS))
        raise NestlineError(
            f"there is no player {text!r}{near}; players are the levels {', '.join(levels)}, and "
            f"{', '.join(_usages())}"
        )
    try:
        return kind.read(arguments, folder or Path())
    except NestlineError as error:
        raise NestlineError(f"player {text!r}: {error}; it is written {kind.usage}") from None


def _added_kind(name: str) -> Kind | None:
    for entry in importlib.metadata.entry_points(group=GROUP, name=name):
        kind = entry.load()
        if not isinstance(kind, Kind):
            raise NestlineError(f"the entry point {entry.value} for players {name!r} is not a Kind")
        return kind
    return None


def _usages() -> list[str]:
    added = {entry.name for entry in importlib.metadata.entry_points(group=GROUP)}
    return [*(kind.usage for kind in KINDS.values()), *(f"{name}:…" for name in sorted(added))]
