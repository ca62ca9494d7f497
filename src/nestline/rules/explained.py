"""What each field of a rule set means, for people who design one: on the page and in the terminal.

`schema` has what a field may hold. A field without words here is still offered, by its key.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from nestline.rules.schema import FIELDS

PIECES, MOVES, ENDS, TABLE, LOOKS, OTHERS = (
    "Board and pieces", "Moves", "Winning and draws", "At the table", "Names and looks",
    "More rules",
)  # fmt: skip
GROUPS = (PIECES, MOVES, ENDS, OTHERS, TABLE, LOOKS)
"""The parts of a form, in their order."""

YES, NO = "Yes", "No"


class Explained(NamedTuple):
    """A field in words."""

    group: str
    label: str
    words: str
    choices: Mapping[Any, str] = MappingProxyType({})
    """What people read for a value."""


EXPLAINED: dict[str, Explained] = {
    "title": Explained(LOOKS, "Name", "What the game is called."),
    "summary": Explained(LOOKS, "Summary", "A sentence or two for people choosing a game."),
    "board": Explained(
        PIECES, "Board", "The side of the square board.",
        {1: "1 by 1", 2: "2 by 2", 3: "3 by 3", 4: "4 by 4"},
    ),
    "line": Explained(
        PIECES, "Line", "How many visible pieces in a row, a column or a diagonal win.",
    ),
    "line_sizes": Explained(
        PIECES, "Sizes of a line", "Which sizes the pieces of a line need.",
        {"any": "Any sizes", "equal": "All the same size",
         "rising": "Rising from one end to the other"},
    ),
    "wrap": Explained(
        PIECES, "Lines over the edge", "Whether lines go on at the opposite edge, as on a ring.",
    ),
    "misere": Explained(
        ENDS, "A line loses", "Whether a line loses for its player instead of winning.",
    ),
    "stock": Explained(
        PIECES, "Pieces", "How many pieces of each size a player has, the smallest first. "
        "A larger piece covers a smaller one.",
    ),
    "reserve": Explained(
        PIECES, "Reserve", "Which pieces can be taken from beside the board.",
        {"loose": "Any piece", "nested": "Stacks: only the outermost piece of each"},
    ),
    "place_onto": Explained(
        MOVES, "New pieces go", "Where a piece from the reserve may be put.",
        {
            "empty": "Onto empty squares",
            "smaller": "Onto empty squares and smaller pieces",
            "threat": "Onto empty squares, and onto a smaller piece of a line that is nearly full",
        },
    ),
    "cover": Explained(
        MOVES, "What may be covered", "Whose smaller pieces may be covered, by new pieces and by "
        "moving ones.",
        {"any": "Everybody's", "opponent": "The opponent's only", "own": "One's own only",
         "none": "None at all"},
    ),
    "moving": Explained(
        MOVES, "Pieces move", "Whether pieces on the board may move, to empty squares and onto "
        "smaller pieces. A piece that moves away shows what it covered.",
    ),
    "same_square": Explained(
        MOVES, "Back to its square", "Whether a lifted piece may go back to its own square, which "
        "then counts as a move.",
    ),
    "reveal": Explained(
        ENDS, "Uncovering a line", "What happens when a lifted piece uncovers a line of the "
        "opponent's.",
        {
            "loses": "It loses, unless the piece lands on that line",
            "forbidden": "Such a piece cannot be lifted",
            "ignored": "Nothing: only the mover's own line counts after a move",
        },
    ),
    "both_lines": Explained(
        ENDS, "Both have a line", "Whose line counts when a move leaves both players with one.",
        {"opponent": "The other player's", "mover": "That of the player who moved",
         "draw": "Neither: a draw"},
    ),
    "no_move": Explained(
        ENDS, "No move left", "What happens to a player who cannot move.",
        {"loses": "That player loses", "draw": "The game is a draw"},
    ),
    "repetition": Explained(
        ENDS, "Draw by repetition", "The game is drawn when the same position, with the same "
        "player to move, has occurred this many times; 0 for no such rule.",
    ),
    "draw_all_placed": Explained(
        ENDS, "Draw with all pieces placed", "Whether the game is drawn when all pieces are on the "
        "board and nobody has a line.",
    ),
    "draw_board_full": Explained(
        ENDS, "Draw on a full board", "Whether the game is drawn when every square is occupied and "
        "nobody has a line.",
    ),
    "draw_agreement": Explained(
        ENDS, "Draw by agreement", "Whether the players may agree to a draw.",
    ),
    "touch_move": Explained(
        TABLE, "Touch-move", "Whether a touched piece on the board must be played. "
        "Touching one that cannot be played loses.",
    ),
    "peek": Explained(
        TABLE, "Looking under pieces", "Whether players may lift one of their own pieces to look "
        "under it, and put it back.",
    ),
    "visibility": Explained(
        TABLE, "Covered pieces", "What is seen of covered pieces, unless a game is set up "
        "otherwise.",
        {
            "open": "Always shown",
            "peek": "Hidden, lift yours to look",
            "memory": "Hidden, remember them",
        },
    ),
    "person_begins": Explained(
        TABLE, "A person begins", "Whether somebody who plays the computer always has the first "
        "move.",
    ),
    "take_back_after_end": Explained(
        TABLE, "Taking back the end", "Whether a finished game can be taken up again by taking "
        "back moves.",
    ),
    "players": Explained(LOOKS, "Players", "What the first and the second player are called."),
    "symbols": Explained(
        LOOKS, "Letters", "One letter for each player, for boards drawn as text.",
    ),
    "labels": Explained(
        LOOKS, "Rows", "How the rows are labelled on boards drawn as text.",
        {"numbers": "With numbers", "letters": "With letters, like the columns"},
    ),
    "colours": Explained(LOOKS, "Colours", "The colour of each player's pieces."),
}  # fmt: skip


def explained(key: str) -> Explained:
    """A field in words; one that nobody has described yet by its key."""
    found = EXPLAINED.get(key)
    if found is not None:
        return found
    label = key.replace("_", " ").capitalize()
    return Explained(OTHERS, label, f"It takes {FIELDS[key].allowed}.")


def choice_words(key: str, value: Any) -> str:
    """What people read for a value of a choice or a number."""
    found = explained(key).choices.get(value)
    if found is not None:
        return found
    if isinstance(value, bool):
        return YES if value else NO
    return str(value)
