"""Whole games as text: tags, numbered moves, comments and variations, in the manner of PGN.

>>> record = read_record('''[Rules "gobblers"]
... 1. 3b2 {the middle} 3 A1 (1... m c3) 2. b2xc3 *''')
>>> [str(recorded.move) for recorded in record.line.moves]
['3b2', '3a1', 'b2c3']

Reading is lenient with case, blanks and numbers, and strict with moves: all of them, including
those of variations, are played on a board. `game` knows what tags mean for a game.
"""

import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from nestline.errors import IllegalMove, NotationError
from nestline.position import Move, Position, Side
from nestline.rules import RuleSet, load_rules, rule_set_names

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""How the text of a record ends; `*` is an unfinished game."""

TAG_ORDER = ("Rules", "First", "Second", "Date", "Result", "Termination", "Position")
"""Tags written first, in this order; others follow in their own."""

KNOWN_TAGS = {
    name.lower(): name
    for name in (
        *TAG_ORDER, "FirstLevel", "SecondLevel", "Visibility", "TouchMove", "PlyLimit", "Touched",
        "DrawOffer",
    )
}  # fmt: skip
"""Tags with a meaning, which people may write in any case."""

MAX_NESTING = 30
LINE_WIDTH = 80

_TAG = re.compile(r'\s*\[\s*(\w+)\s*"((?:[^"\\\n]|\\.)*)"\s*\]')
_COORDINATES = r"\(\s*-?[0-9]{1,3}\s*,\s*-?[0-9]{1,3}\s*\)"
_TOKEN = re.compile(
    rf"""\s*(?:
      \{{(?P<comment>[^}}]*)\}}
    | ;(?P<rest>[^\n]*)
    | (?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=[\s(){{}};]|$)
    | (?P<number>(?:[0-9]+\s*)?\.+)
    | (?P<word>(?:[0-9A-Za-z]\s*)?{_COORDINATES}(?:\s*(?:->|→|-|x)?\s*{_COORDINATES})?)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<plain>[^\s(){{}};]+)
    | (?P<bad>\S)
    )""",
    re.VERBOSE,
)


def _tidy_comment(text: str) -> str:
    if "}" in text:
        raise NotationError("a comment cannot contain }, which ends it")
    return " ".join(text.split())


@dataclass(frozen=True)
class RecordedMove:
    """A move with the comment after it and the variations that could have been played instead."""

    move: Move
    comment: str = ""
    variations: tuple["Line", ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", _tidy_comment(self.comment))


@dataclass(frozen=True)
class Line:
    """Moves in order, with a comment before the first one."""

    moves: tuple[RecordedMove, ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "comment", _tidy_comment(self.comment))


@dataclass(frozen=True)
class Record:
    """A game as written: rule set, start, main line, result, and free tags."""

    rules: RuleSet
    start: Position
    line: Line = field(default_factory=Line)
    result: str = "*"
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tags other than Rules, Position and Result, in their order."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(recorded.move for recorded in self.line.moves)

    def __str__(self) -> str:
        return write_record(self)


def write_record(record: Record) -> str:
    """The record as text, ending with a line break."""
    tags = {**record.tags, "Rules": record.rules.reference, "Result": record.result}
    tags.pop("Position", None)
    if record.start != Position.start(record.rules):
        tags["Position"] = str(record.start)
    order = [*(name for name in TAG_ORDER if name in tags),
             *(name for name in tags if name not in TAG_ORDER)]  # fmt: skip
    head = "\n".join(f'[{name} "{_escaped(name, tags[name])}"]' for name in order)
    words = [*_line_words(record.line, record.start.turn), record.result]
    body = textwrap.fill(
        " ".join(words), LINE_WIDTH, break_long_words=False, break_on_hyphens=False
    )
    return f"{head}\n\n{body}\n"


def _escaped(name: str, value: str) -> str:
    if not re.fullmatch(r"\w+", name):
        raise NotationError(f"{name!r} is not the name of a tag; it takes letters and digits")
    if not value.isprintable():
        raise NotationError(f"tag {name}: {value!r} has characters that cannot be written")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _line_words(line: Line, turn: Side, number: int = 1) -> Iterator[str]:
    if line.comment:
        yield f"{{{line.comment}}}"
    fresh = True
    for recorded in line.moves:
        if turn == Side.FIRST:
            yield f"{number}."
        elif fresh:
            yield f"{number}..."
        yield str(recorded.move)
        if recorded.comment:
            yield f"{{{recorded.comment}}}"
        for variation in recorded.variations:
            words = " ".join(_line_words(variation, turn, number))
            yield f"({words})"
        fresh = bool(recorded.comment or recorded.variations)
        number += turn == Side.SECOND
        turn = turn.other


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


class _Match(NamedTuple):
    move: Move
    words: int


def read_record(
    text: str,
    folder: "str | os.PathLike[str] | None" = None,
    find_rules: Callable[[str], RuleSet] | None = None,
    *,
    rules: "str | RuleSet | None" = None,
    lenient: bool = False,
) -> Record:
    """Read one record. Errors name the line of the text, and illegal moves their number.

    `rules` are for a text that names none. A rule set's file with a relative path is looked up in
    `folder`, if given; `find_rules` decides what the tag Rules means, for untrusted records that
    must not open files. `lenient` accepts a start with either player to move, as earlier versions
    did.
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is not the text of a record")
    given = None if rules is None else load_rules(rules)
    find = find_rules or partial(_find_rules, folder=folder)
    return _read(text.removeprefix("\ufeff"), 1, find, given, lenient)


def _read(
    text: str, line: int, find_rules: Callable[[str], RuleSet], given: RuleSet | None, lenient: bool
) -> Record:
    """Read one record that begins on this line."""
    tags, body_start = _read_tags(text, line)
    reference = tags.pop("Rules", None)
    if reference is None and given is None:
        raise NotationError('the tag [Rules "…"], which names the rule set, is missing')
    rules = given if reference is None else find_rules(reference)
    assert rules is not None
    start = Position(tags.pop("Position", "start"), rules, lenient=lenient)
    tagged = tags.pop("Result", None)
    if tagged is not None and tagged not in RESULTS:
        raise NotationError(f"tag Result: {tagged!r} is none of {', '.join(RESULTS)}")
    reader = _Reader(text, body_start, line)
    moves = reader.read_line(start, 1, depth=0)
    written = reader.read_end()
    if tagged and written and tagged != written:
        raise NotationError(f"the tag Result says {tagged} and the moves end with {written}")
    return Record(rules, start, moves, written or tagged or "*", tags)


def read_records(
    text: str,
    folder: "str | os.PathLike[str] | None" = None,
    *,
    rules: "str | RuleSet | None" = None,
) -> list[Record]:
    """Read all records of a text in order; `rules` are for records that name none.

    >>> text = '[Rules "gobblers"] 1. 3b2 * [Rules "tictactoe"] 1. b2 a1 *'
    >>> [len(record.moves) for record in read_records(text)]
    [1, 2]
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is not the text of records")
    given = None if rules is None else load_rules(rules)
    find = partial(_find_rules, folder=folder)
    records, line = [], 1
    for part in _records_in(text.removeprefix("\ufeff")):
        records.append(_read(part, line, find, given, lenient=False))
        line += part.count("\n")
    if not records:
        raise NotationError("there is no record in this text")
    return records


def _records_in(text: str) -> Iterator[str]:
    """The text of each record: up to a tag after moves, or a move after a result."""
    begin = place = 0
    has_moves = is_over = False
    while place < len(text):
        tag = _TAG.match(text, place)
        token = None if tag else _TOKEN.match(text, place)
        if not (tag or token):
            break
        is_remark = token is not None and token.lastgroup in ("comment", "rest")
        if (tag and has_moves) or (is_over and not is_remark):
            yield text[begin:place]
            begin, has_moves, is_over = place, False, False
        if token and not is_remark:
            has_moves = True
            is_over = token.lastgroup == "result"
        match = tag or token
        assert match is not None
        place = match.end()
    if text[begin:].strip():
        yield text[begin:]


def write_records(records: Iterable[Record]) -> str:
    """The records as one text, which `read_records` can read again."""
    return "\n".join(map(write_record, records))


def _find_rules(reference: str, folder: "str | os.PathLike[str] | None") -> RuleSet:
    if reference.lower() in rule_set_names():
        return load_rules(reference.lower())
    if folder is not None and reference.endswith(".toml"):
        return load_rules(os.path.join(folder, reference))
    return load_rules(reference)


def _read_tags(text: str, line: int) -> tuple[dict[str, str], int]:
    tags: dict[str, str] = {}
    place = 0
    while match := _TAG.match(text, place):
        name = KNOWN_TAGS.get(match[1].lower(), match[1])
        if name in tags:
            raise NotationError(f"the tag {name} stands twice")
        tags[name] = re.sub(r"\\(.)", r"\1", match[2])
        place = match.end()
    rest = text[place:].lstrip()
    if rest.startswith("["):
        line += text.count("\n", 0, len(text) - len(rest))
        raise NotationError(f'line {line}: a tag is written like [Rules "gobblers"]')
    return tags, place


class _Reader:
    """Reads moves from a list of tokens, playing them as it goes."""

    def __init__(self, text: str, place: int, line: int) -> None:
        """Tokenize part of a text that begins on this line."""
        self.tokens: list[_Token] = []
        self.next = 0
        line += text.count("\n", 0, place)
        while match := _TOKEN.match(text, place):
            kind = match.lastgroup
            assert kind is not None
            before = text.count("\n", place, match.start(kind))
            token = _Token(kind, match[kind], line + before)
            if kind == "bad":
                what = "a comment that begins here never ends" if token.text == "{" else "no {"
                raise NotationError(f"line {token.line}: {token.text!r}: {what}")
            self.tokens.append(token)
            line += text.count("\n", place, match.end())
            place = match.end()

    def peek(self) -> _Token | None:
        return self.tokens[self.next] if self.next < len(self.tokens) else None

    def read_line(self, position: Position, number: int, depth: int) -> Line:
        """Moves from `position` to the end of the line, which is left for the caller to read."""
        if depth > MAX_NESTING:
            raise NotationError(f"variations are nested more than {MAX_NESTING} deep")
        comment = self._read_comments()
        moves: list[RecordedMove] = []
        while (token := self.peek()) and token.kind in ("number", "word", "plain"):
            if token.kind == "number":
                self.next += 1
                continue
            move = self._read_move(position, number)
            if move is None:
                continue
            after = _played(position, move, number, token)
            remark = self._read_comments()
            variations = []
            while (token := self.peek()) and token.kind == "open":
                self.next += 1
                variations.append(self.read_line(position, number, depth + 1))
                self._expect_close(token)
                remark = f"{remark} {self._read_comments()}"
            moves.append(RecordedMove(move, remark, tuple(variations)))
            number += position.turn == Side.SECOND
            position = after
        return Line(tuple(moves), comment)

    def read_end(self) -> str | None:
        """The result, after which only comments may follow."""
        token = self.peek()
        result = None
        if token and token.kind == "result":
            result = token.text.replace("½", "1/2")
            self.next += 1
            self._read_comments()
            token = self.peek()
        if token:
            expected = "nothing" if result else "a move or a result"
            raise NotationError(
                f"line {token.line}: {token.text!r} stands where {expected} was expected"
            )
        return result

    def _read_comments(self) -> str:
        comments = []
        while (token := self.peek()) and token.kind in ("comment", "rest"):
            comments.append(token.text.replace("}", ")"))
            self.next += 1
        return " ".join(comments)

    def _expect_close(self, opened: _Token) -> None:
        token = self.peek()
        if token is None or token.kind != "close":
            found = repr(token.text) if token else "the end"
            raise NotationError(
                f"line {(token or opened).line}: the variation that begins in line {opened.line} "
                f"needs a ) where {found} stands"
            )
        self.next += 1

    def _read_move(self, position: Position, number: int) -> Move | None:
        """The next move, from one word or, where people put blanks, from up to three.

        None if the word was a move number without its dot.
        """
        token = self.tokens[self.next]
        is_number = token.text == str(number) and position.turn == Side.FIRST
        if is_number and self._is_legal_move(position, self.next + 1):
            self.next += 1
            return None
        found = self._match_move(position, self.next)
        if isinstance(found, _Match):
            self.next += found.words
            return found.move
        if re.fullmatch(r"[0-9]+", token.text):
            self.next += 1
            return None
        raise NotationError(f"line {token.line}: {_place(position, number)}: {found}")

    def _match_move(self, position: Position, place: int) -> "_Match | NotationError":
        """The move that begins with the token at `place`, or why there is none."""
        words: list[str] = []
        problem = NotationError("a move was expected")
        for token in self.tokens[place : place + 3]:
            if token.kind not in ("word", "plain"):
                break
            words.append(token.text)
            try:
                return _Match(position.read_move(" ".join(words)), len(words))
            except NotationError as error:
                problem = error if len(words) == 1 else problem
        return problem

    def _is_legal_move(self, position: Position, place: int) -> bool:
        found = self._match_move(position, place)
        return isinstance(found, _Match) and found.move in position.legal_moves()


def _played(position: Position, move: Move, number: int, token: _Token) -> Position:
    try:
        return position.play(move)
    except IllegalMove as error:
        raise IllegalMove(f"line {token.line}: {_place(position, number)}: {error}") from None


def _place(position: Position, number: int) -> str:
    return f"move {number} of {position.rules.players[position.turn]}"
