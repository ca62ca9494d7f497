"""How large a game is, before anything is built or compiled."""

import math
from collections.abc import Sequence

from nestline.errors import TableError
from nestline.rules.law import Law

MOST_SURVEYED = 1 << 40
"""The greatest number of entries for which a survey is tried, some days of a GPU."""


def entries_about(board: int, stock: Sequence[int]) -> int:
    """Roughly how many entries a game has: its placements, divided by eight."""
    squares = board**2
    ways = [
        sum(
            math.comb(squares, own) * math.comb(squares - own, opp)
            for own in range(min(pieces, squares) + 1)
            for opp in range(min(pieces, squares - own) + 1)
        )
        for pieces in stock
    ]
    return math.prod(ways) // 8 + 1


def require_possible(law: Law) -> int:
    """Refuse a game that nobody could survey; otherwise tell roughly how many entries it has."""
    entries = entries_about(law.board, law.stock[: law.sizes])
    if entries > MOST_SURVEYED:
        raise TableError(
            f"too large to be solved: about {entries:,} entries; "
            f"at most {MOST_SURVEYED:,} are possible"
        )
    return entries
