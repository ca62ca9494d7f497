"""The sentences that the page's own games share with the Python package, taken from its source.

A sentence stays where Python says it. Here it gets a name for the page and is found by some of its
words, `{}` standing for what is filled in; each becomes a function of what is filled in.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from types import ModuleType

from nestline import notation, position, record, values
from nestline.engine.players import levels
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.game import PLIES_WITHOUT_PEOPLE, game, sentences, tags
from nestline.rules.schema import VISIBILITIES
from nestline.web import refusals
from nestline.web.fields import MOST_PLIES
from nestline.web.games import actions, catalogue, creation, service

LISTS: dict[str, Iterable[str]] = {
    "LEVELS": LEVEL_NAMES,
    "LEVEL_ALIASES": ALIASES,
    "KNOWN_TAGS": record.KNOWN_TAGS.values(),
    "OWN_TAGS": sorted(tags.OWN_TAGS),
    "REASONS": values.REASONS,
    "RESULTS": record.RESULTS,
    "VISIBILITIES": VISIBILITIES,
}
NUMBERS = {
    "MAX_NESTING": record.MAX_NESTING,
    "MOST_PLIES": MOST_PLIES,
    "PLIES_WITHOUT_PEOPLE": PLIES_WITHOUT_PEOPLE,
}

SENTENCES: dict[ModuleType, dict[str, str]] = {
    notation: {
        "notASquare": "is not a square; squares",
        "rowsAndColumns": "rows and columns are 0 to",
        "squaresAre": "its squares are a1 to",
        "notOnTheBoard": "is not on the {}x{} board; ",
        "oneSquareOnly": "names one square only",
        "notAMove": "is not a move",
        "lettersForThreeSizes": "sizes are written as letters",
        "noSize": "there is no size {}; {}",
        "sizesAre": "sizes are 1 to",
        "onlySize": "the only size is 1",
        "notAPosition": "is not a position",
        "playerToMove": "the player to move is w or b",
        "wrongRows": "the board has {} row",
        "notASquareOfARow": "row {}: {} is not a square",
        "wrongSquares": "row {} has {} square",
    },
    position: {
        "noStackShows": "no stack shows a size",
        "noneLeft": "is left in the reserve",
        "ontoEmptySquares": "new pieces go onto empty squares",
        "ontoThreats": "a new piece goes onto an empty square",
        "tooLarge": "can only land on smaller pieces",
        "noMovingHere": "pieces on the board do not move in",
        "isEmpty": "{} is empty",
        "opponentsPiece": "shows {}'s piece, and it is",
        "ownSquare": "a piece cannot go back",
        "mayNotLift": "lifting {} reveals a line",
        "coversNothing": "pieces do not cover each other",
        "coversOpponents": "only pieces of the opponent's can be covered",
        "coversOwn": "only own pieces can be covered",
        "noSizeOnSquare": "{}: there is no size",
        "cannotLieOn": "cannot lie on a size",
        "tooManyPieces": "on the board; there are",
        "nestedOrder": "has more pieces of size",
        "notTheTurn": "so it cannot be",
        "overAlready": "the game is over, {}",
    },
    values: {"outcome": "{} ({})"},
    record: {
        "noRulesTag": "which names the rule set, is missing",
        "unknownResult": "tag Result: {} is none of",
        "resultsDiffer": "the tag Result says",
        "tagTwice": "stands twice",
        "notATag": "a tag is written like",
        "commentNeverEnds": "a comment that begins here never ends",
        "commentNeverBegan": "no {",
        "nestedTooDeep": "variations are nested more than",
        "misplaced": "stands where {} was expected",
        "nothingMore": "nothing",
        "moveOrResult": "a move or a result",
        "unclosed": "the variation that begins in line",
        "theEnd": "the end",
        "moveOf": "move {} of {}",
        "unprintable": "has characters that cannot be written",
    },
    tags: {
        "notALimit": "tag PlyLimit: ",
        "unknownWord": "tag {}: {} is none of",
        "unknownReason": "tag Termination: {} is none of",
        "resultContradicts": "the result {} contradicts the moves, which end",
        "reasonContradicts": "contradicts the moves, which end by",
        "gameGoesOn": "after which the game goes on",
    },
    game: {
        "noVisibility": "visibility is one of",
        "noPeeking": "does not allow looking under pieces",
        "noTouchRule": "has no rule about touched pieces",
        "personBegins": "a person who plays the computer is",
        "fromMemory": "this game is played from memory",
        "mustPlayTouched": "{}: {} has touched",
        "touchStays": "does not free a touched piece",
        "noTouchMove": "touching a piece has no meaning",
        "alreadyTouched": "has already touched",
        "alreadyOffered": "has already offered a draw",
        "wasLifted": "a piece was lifted",
        "wasCovered": "a piece was covered",
        "wasShown": "the covered pieces have been shown",
        "nothingToRedo": "there is nothing to do again",
        "toMove": "is to move.",
        "nothingToUndo": "there is nothing to take back",
        "finishedStays": "cannot be taken back; start again",
        "isOver": "the game is over: {}",
        "notYourTurn": "'s turn, not",
        "showsNothing": "is empty",
        "showsPiece": "shows {}'s piece",
        "onlyOwnPieces": "can only lift own pieces",
        "noAgreement": "knows no draw by agreement",
        "noDrawOffered": "nobody has offered",
    },
    sentences: {
        "winsWith": "wins with the",
        "winsByLosingLine": "has made the {}, which loses",
        "although": ", although",
        "liftingRevealed": "lifting {} revealed",
        "thereStands": "there stands",
        "winsByReveal": "{} wins: {} {}'s {}",
        "winsWithoutMove": "wins: {} has no legal move",
        "winsByTouch": "which cannot be played",
        "winsByResignation": "resigned",
        "drawBothLines": "both players have a line",
        "drawByRepetition": "the same position has occurred",
        "drawAllPlaced": "all pieces are on the board",
        "drawBoardFull": "every square is occupied",
        "drawWithoutMove": "Draw: {} has no legal move",
        "drawByAgreement": "Draw by agreement.",
        "unfinishedAfter": "Unfinished after",
        "theLimit": ", the limit of this game",
    },
    actions: {
        "noneTouched": "no piece has been touched",
        "useUndo": "here nobody has to be asked",
        "bothComputers": "the computer plays both sides",
        "nobodyAsked": "nobody has asked {} to take",
        "noPlyThere": "is not there to go to",
        "pliesAtLeast": "at least {}",
        "pliesBetween": "{} to {}",
        "pliesAfterRedo": "after doing everything again",
        "personAlready": "is played by a person already",
        "computerPlays": "take the seat over first",
        "closed": "stays as it is; ask for a rematch",
        "rematchTooEarly": "a rematch can be asked for",
        "rematchBegun": "the rematch has begun",
    },
    refusals: {"stale": "the game is at number"},
    levels: {"noLevel": "there is no level {}"},
    creation: {
        "levelProblem": "level: {}",
        "notSolved": "there is no perfect play",
        "needsLevel": "a computer needs a level",
        "hasNoLevel": "only a computer has a level",
        "saidByRecord": "the record says it",
    },
    catalogue: {"tooManyMoves": "record: a game here has at most"},
    service: {"recordIsSecret": "the record tells what is covered"},
}


def module_text(written_by: str) -> str:
    """The page's module of sentences."""
    lines = [
        "/**",
        " * The sentences that games in the page share with the server's.",
        f" * {written_by}",
        " */",
        'import { quoted } from "./texts.js";',
        "",
        "/** @typedef {string | number} Filled */",
        "",
    ]
    for name, words in LISTS.items():
        lines += list_of(name, words)
    lines += [f"export const {name} = {number};" for name, number in NUMBERS.items()]
    for module, names in SENTENCES.items():
        found = dict(sentences_of(module))
        for name, words in names.items():
            fitting = [node for text, node in found.items() if words in text]
            # Where one sentence contains another's words, the words are the whole of the other.
            exact = [node for text, node in found.items() if words == text]
            if len(exact or fitting) != 1:
                raise SystemExit(f"{module.__name__}: {len(fitting)} sentences have {words!r}")
            lines += function(name, (exact or fitting)[0])
    return "\n".join([*lines, ""])


def list_of(name: str, words: Iterable[str]) -> list[str]:
    """A list as the formatter of the page writes it."""
    written = [json.dumps(word) for word in words]
    line = f"export const {name} = [{', '.join(written)}];"
    if len(line) <= 120:
        return [line]
    return [f"export const {name} = [", *(f"  {word}," for word in written), "];"]


def sentences_of(module: ModuleType) -> Iterator[tuple[str, ast.expr]]:
    """Every text of a module by its words, with {} for what is filled in."""
    yield from _sentences_in(ast.parse(inspect.getsource(module)))


def _sentences_in(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.JoinedStr):
        yield "".join(map(_words, node.values)), node
        inner: list[ast.AST] = [
            part for part in node.values if isinstance(part, ast.FormattedValue)
        ]
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value, node
        return
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # A docstring.
    else:
        inner = list(ast.iter_child_nodes(node))
    for each in inner:
        yield from _sentences_in(each)


def _words(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def function(name: str, node: ast.expr) -> Iterator[str]:
    """The sentence as a function of what is filled in."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    names: dict[str, str] = {}
    text = ""
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            source = ast.unparse(part.value)
            if source not in names:
                names[source] = _free_name(part.value, list(names.values()))
            filled = names[source]
            text += f"${{quoted({filled})}}" if part.conversion == ord("r") else f"${{{filled}}}"
        else:
            assert isinstance(part, ast.Constant)
            text += re.sub(r"[`\\]|\$(?=\{)", r"\\\g<0>", str(part.value))
    written = f"`{text}`" if names or '"' in text else f'"{text}"'
    if names:
        yield f"/** {' '.join(f'@param {{Filled}} {each}' for each in names.values())} */"
    head = f"export const {name} = ({', '.join(names.values())}) =>"
    line = f"{head} {written};"
    yield from [line] if len(line) <= 120 else [head, f"  {written};"]


def _free_name(value: ast.expr, taken: list[str]) -> str:
    """A parameter's name: the last name in the expression that is filled in."""
    found = [
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in sorted(
            (each for each in ast.walk(value) if isinstance(each, ast.Attribute | ast.Name)),
            key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0),
        )
    ]
    words = found[-1].strip("_").split("_")
    name = words[0] + "".join(word.capitalize() for word in words[1:])
    number = 2
    while name in taken:
        name = f"{name.rstrip('0123456789')}{number}"
        number += 1
    return name
