"""Squares and moves as the board on the screen names them.

Document 004 labels both sides of the board with letters, and so writes squares as `BA`; otherwise
the core's own spelling is used. Reading what people type needs none of this: `notation` reads all
spellings.
"""

import re

from nestline.game import Game
from nestline.position import Move
from nestline.rules import RuleSet

LOSES_AT_ONCE = "!"

_NAMED = re.compile(r"(?<![A-Za-z0-9])([1-4]?)([a-d][1-4])([a-d][1-4])?(?![A-Za-z0-9])")


def spell(text: object, rules: RuleSet) -> str:
    """A square, a move, or a sentence about them, with the names the board shows.

    >>> from nestline.rules import load_rules
    >>> spell("4b1: b1 shows a size 4", load_rules("gobblet-house"))
    '4 BA: BA shows a size 4'
    """
    if rules.labels == "numbers":
        return str(text)
    return _NAMED.sub(_with_letters, str(text))


def _with_letters(match: re.Match[str]) -> str:
    names = [_letters(square) for square in match.groups()[1:] if square]
    return " ".join([match[1], *names] if match[1] else names)


def _letters(square: str) -> str:
    return f"{square[0]}{'abcd'[int(square[1]) - 1]}".upper()


def spell_move(move: Move, rules: RuleSet) -> str:
    """A move as a person would type it: without the size, where there is only one."""
    return spell(move.target if move.places and rules.sizes == 1 else move, rules)


def move_examples(rules: RuleSet) -> tuple[str, str | None]:
    """A placement and, where pieces move, a board move, to show how they are written."""
    square = "b2" if rules.board > 1 else "a1"
    placing = spell_move(Move(f"{rules.sizes}{square}"), rules)
    if not rules.moving or rules.board == 1:
        return placing, None
    return placing, spell("a1c3" if rules.board > 2 else "a1b2", rules)


def moves_page(game: Game) -> str:
    """The legal moves, one line for each piece that can be played.

    Moves that lose at once are marked, unless that would reveal what is covered.
    """
    marks = game.visibility == "open"
    rows: dict[str, list[str]] = {}
    marked = False
    for move in game.legal_moves():
        if move.origin:
            source = f"Move {spell(move.origin, game.rules)} to"
        else:
            source = "Place on" if game.rules.sizes == 1 else f"Place size {move.size} on"
        losing = marks and move.origin is not None and game.position.is_losing_reveal(move)
        marked |= losing
        target = spell(move.target, game.rules) + LOSES_AT_ONCE * losing
        rows.setdefault(source, []).append(target)
    width = max(map(len, rows)) + 1
    page = [f"{f'{source}:':{width}} {' '.join(targets)}" for source, targets in rows.items()]
    if marked:
        page.append(f"{LOSES_AT_ONCE} loses at once: it uncovers a line of the opponent.")
    return "\n".join(page)
