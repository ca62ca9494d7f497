"""What the tags of a record mean for a game: its players, its options, and its result."""

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from nestline.errors import NotationError
from nestline.game.seats import Seat
from nestline.position import REASONS, Outcome, Side
from nestline.record import Record

OWN_TAGS = frozenset(
    ("First", "Second", "FirstLevel", "SecondLevel", "Termination", "Visibility", "TouchMove",
     "PlyLimit", "Touched", "DrawOffer")
)  # fmt: skip
"""Tags that a game writes itself; it keeps all others unchanged."""

Meaning = TypeVar("Meaning")


class Options(NamedTuple):
    """What a record says about a game besides its moves."""

    seats: tuple[Seat, Seat]
    visibility: str
    touch_move: bool | None
    """None: as the rule set says."""
    ply_limit: int | None
    touched: str | None
    draw_offer: Side | None
    further: dict[str, str]
    """Tags without a meaning here."""


def read_options(record: Record) -> Options:
    """The tags, parsed; `NotationError` names the one that makes no sense."""
    tags = record.tags
    first, second = record.rules.players
    limit = tags.get("PlyLimit")
    if limit is not None and not re.fullmatch("[1-9][0-9]{0,8}", limit):
        raise NotationError(f"tag PlyLimit: {limit!r} is not a whole number of at least 1")
    return Options(
        seats=(
            Seat(tags.get("First") or first, tags.get("FirstLevel")),
            Seat(tags.get("Second") or second, tags.get("SecondLevel")),
        ),
        # Earlier versions wrote the tag only for hidden games, whatever the rules.
        visibility=tags.get("Visibility", "open"),
        touch_move=_read_word(tags, "TouchMove", {"yes": None, "no": False}),
        ply_limit=int(limit) if limit else None,
        touched=tags.get("Touched"),
        draw_offer=_read_word(tags, "DrawOffer", {str(side): side for side in Side}),
        further={tag: value for tag, value in tags.items() if tag not in OWN_TAGS},
    )


def _read_word(
    tags: Mapping[str, str], tag: str, meanings: Mapping[str, Meaning]
) -> Meaning | None:
    text = tags.get(tag)
    if text is None:
        return None
    if text.lower() not in meanings:
        raise NotationError(f"tag {tag}: {text!r} is none of {', '.join(meanings)}")
    return meanings[text.lower()]


def read_end(record: Record, reached: Outcome | None, touch_move: bool) -> Outcome | None:
    """The outcome that a record adds to the one `reached` by its moves; None if it adds nothing.

    `NotationError` where the two contradict each other.
    """
    reason = record.tags.get("Termination")
    if reason is not None and reason not in REASONS:
        raise NotationError(f"tag Termination: {reason!r} is none of {', '.join(REASONS)}")
    if record.result == "*":
        return None
    if reached:
        if record.result != reached.result:
            raise NotationError(
                f"the result {record.result} contradicts the moves, which end {reached.result}"
            )
        if reason not in (None, reached.reason):
            raise NotationError(
                f"tag Termination: {reason} contradicts the moves, which end by {reached.reason}"
            )
        return None
    winner = {"1-0": Side.FIRST, "0-1": Side.SECOND}.get(record.result)
    if winner is None:
        allowed = ["agreement"] * record.rules.draw_agreement + ["unfinished"]
    else:
        allowed = ["resignation"] + ["touch"] * touch_move
    reason = reason or allowed[0]
    if reason not in allowed:
        raise NotationError(
            f"the result {record.result} by {reason} contradicts the moves, after which the "
            f"game goes on; allowed are {' and '.join(allowed)}"
        )
    return Outcome(winner, reason)
