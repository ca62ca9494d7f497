"""What a picture has to show, computed once for text and for SVG.

The arguments common to all pictures are checked here and turned into plain squares and words.
`text` and `vector` decide how it looks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nestline.errors import NestlineError
from nestline.position import Move, Piece, Position, Side
from nestline.rules import RuleSet

View = Mapping[str, tuple[Piece, ...]]


@dataclass(frozen=True)
class Scene:
    """A position as one viewer may see it. Everything drawn comes from here."""

    rules: RuleSet
    turn: Side
    stacks: View
    """Occupied squares in board order, each stack bottom to top as far as it is visible."""
    origin: str | None
    """The square the last move left; None after a placement, or without a last move."""
    target: str | None
    lines: tuple[tuple[str, ...], ...]
    finished: bool
    winner: Side | None
    reserves: tuple[dict[int, int], dict[int, int]]
    """Each player's pieces of each size not on the board. Everybody sees them, as on a table."""
    reserve_tops: tuple[tuple[int, ...], tuple[int, ...]]


def make_scene(position: Position, view: View | None, last_move: Move | str | None) -> Scene:
    """Check the arguments of a picture; `view` replaces the position's stacks."""
    rules = position.rules
    given = position.stacks if view is None else view
    check_squares(given, rules)
    stacks = {square: given[square] for square in rules.square_names if given.get(square)}
    outcome = position.outcome()
    lines = position.lines(Side.FIRST) + position.lines(Side.SECOND)
    move = Move(last_move) if isinstance(last_move, str) else last_move
    if move is not None:
        check_squares([square for square in (move.origin, move.target) if square], rules)
    return Scene(
        rules=rules,
        turn=position.turn,
        stacks=stacks,
        origin=move.origin if move else None,
        target=move.target if move else None,
        lines=tuple(line for line in lines if all(square in stacks for square in line)),
        finished=outcome is not None,
        winner=outcome.winner if outcome else None,
        reserves=(position.reserve(Side.FIRST), position.reserve(Side.SECOND)),
        reserve_tops=(position.reserve_tops(Side.FIRST), position.reserve_tops(Side.SECOND)),
    )


def check_squares(squares: Iterable[str], rules: RuleSet) -> None:
    """Refuse a square that the board does not have."""
    for square in squares:
        if square not in rules.square_names:
            side = rules.board
            raise NestlineError(
                f"{square!r} is not a square of this {side}x{side} board; "
                f"its squares are a1 to {rules.square_names[-1]}"
            )


def is_endless(rules: RuleSet) -> bool:
    """Whether the reserve cannot run out: one size, never covered, and one piece per square."""
    return rules.sizes == 1 and rules.stock[0] >= rules.squares


def piece_in_words(piece: Piece, rules: RuleSet) -> str:
    name = rules.players[piece.side]
    return name if rules.sizes == 1 else f"{name} {piece.size}"


def stack_in_words(stack: tuple[Piece, ...], rules: RuleSet) -> str:
    """The pieces from bottom to top: `Blue 1 under Red 3`."""
    return " under ".join(piece_in_words(piece, rules) for piece in stack)


def scene_in_words(scene: Scene) -> tuple[str, str]:
    """A title and a description for screen readers."""
    rules = scene.rules
    occupied = [
        f"{square}: {stack_in_words(stack, rules)}" for square, stack in scene.stacks.items()
    ]
    sentences = [
        f"A {rules.board}x{rules.board} board.",
        f"{'; '.join(occupied)}." if occupied else "All squares are empty.",
    ]
    for line in scene.lines:
        owner = rules.players[scene.stacks[line[0]][-1].side]
        sentences.append(f"{owner} has the line {'-'.join(line)}.")
    if scene.target:
        whence = f"from {scene.origin} to" if scene.origin else "a new piece on"
        sentences.append(f"Last move: {whence} {scene.target}.")
    if not is_endless(rules):
        for side in Side:
            counts = [
                str(count) if rules.sizes == 1 else f"{count} of size {size}"
                for size, count in scene.reserves[side].items()
                if count
            ]
            reserve = ", ".join(counts) or "nothing"
            sentences.append(f"{rules.players[side]} has {reserve} in reserve.")
    return f"{rules.title}: {_state_in_words(scene)}", " ".join(sentences)


def _state_in_words(scene: Scene) -> str:
    if not scene.finished:
        return f"{scene.rules.players[scene.turn]} to move"
    if scene.winner is None:
        return "a draw"
    return f"{scene.rules.players[scene.winner]} wins"
