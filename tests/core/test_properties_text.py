"""Records read back as they were written, and garbage: every reader raises only our own errors.

The other round trips are in `test_properties`; each message is tested with the thing it is about.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nestline import notation
from nestline.errors import IllegalMove, NestlineError, NotationError, PositionError, RuleSetError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.record import Line, Record, RecordedMove, read_record, write_record
from nestline.rules import load_rules
from nestline.rules.schema import FIELDS
from support.helpers import FIVE_NAMES, toml_text, walked_position

SHIPPED = st.sampled_from(FIVE_NAMES).map(load_rules)
SEEDS = st.integers(0, 2**32)

# Records.

COMMENTS = st.one_of(
    st.just(""),
    st.text(st.characters(exclude_characters="}", exclude_categories=["Cs"]), max_size=120),
    st.lists(st.sampled_from(("(", ")", "{", "1.", "*", "1-0", ";", "[Rules", '"', "3b2")))
    .map(" ".join),
)  # fmt: skip
TAGS = st.dictionaries(
    st.from_regex(r"\w{1,12}", fullmatch=True).filter(
        lambda name: name not in ("Rules", "Position", "Result")
    ),
    st.text(max_size=30).filter(str.isprintable),
    max_size=4,
)


@st.composite
def lines(draw: st.DrawFn, position: Position, depth: int = 0) -> Line:
    """Random moves from a position, with comments and variations that are lines themselves."""
    moves = []
    for _ in range(draw(st.integers(0, 6 - 2 * depth))):
        legal = position.legal_moves()
        if not legal:
            break
        variations = []
        if depth < 3:
            for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)))):
                variations.append(draw(lines(position, depth + 1)))
        move = draw(st.sampled_from(legal))
        moves.append(RecordedMove(move, draw(COMMENTS), tuple(variations)))
        position = position.play(move)
    return Line(tuple(moves), draw(COMMENTS))


@st.composite
def records(draw: st.DrawFn) -> Record:
    rules = draw(SHIPPED)
    chance = random.Random(draw(SEEDS))
    start = walked_position(rules, chance, draw(st.sampled_from((0, 0, 1, 2, 7, 12))))
    result = draw(st.sampled_from(("*", "1-0", "0-1", "1/2-1/2")))
    return Record(rules, start, draw(lines(start)), result, draw(TAGS))


@given(records())
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = write_record(record)
    assert text == str(record)
    again = read_record(text)
    assert again == record
    assert again.moves == record.moves
    assert write_record(again) == text
    assert text.endswith(f"{record.result}\n")


@settings(max_examples=40)
@given(records())
def test_only_words_without_blanks_stick_out_of_a_line(record: Record) -> None:
    body = write_record(record).split("\n\n", 1)[1]
    assert all(len(line) <= 80 or " " not in line for line in body.splitlines())


def without_numbers(text: str) -> str:
    return re.sub(r"[0-9]+\.+ ", "", text)


@given(st.data())
def test_a_record_written_by_hand(data: st.DataObject) -> None:
    """Case, blanks and move numbers may be anything; the moves are the same."""
    rules = data.draw(SHIPPED)
    start = Position.start(rules)
    bare = Record(rules, start, data.draw(lines(start, depth=3)))
    head, body = write_record(Record(rules, start, Line(bare.line.moves))).split("\n\n", 1)
    body = re.sub(r"\{[^}]*\}", " ", body)
    if data.draw(st.booleans()):
        body = body.upper()
    if data.draw(st.booleans()):
        body = without_numbers(body)
    elif data.draw(st.booleans()):
        body = body.replace(". ", ".")
    body = body.replace(" ", data.draw(st.sampled_from((" ", "\n", "   ", "\t\r\n"))))
    if data.draw(st.booleans()):
        body = body.replace("*", "")
    tags = head if data.draw(st.booleans()) else f' [ Rules  "{rules.name}" ] '
    assert read_record(tags + body).moves == bare.moves


def test_blanks_inside_moves() -> None:
    text = '[Rules "gobblers"] 1. 3 b2 L a1 2. b2 - c3 (0,0) -> (1, 1) 2 s a2'
    with pytest.raises(IllegalMove, match=r"^line 1: move 2 of P2: a3b2: a3 is empty$"):
        read_record(text)
    record = read_record('[Rules "gobblers"]\n1. 3 b2 L a1\n2. (1,1) -> (0, 2) a1 x b2 3 s a2 *')
    assert [str(move) for move in record.moves] == ["3b2", "3a1", "b2c3", "a1b2", "1a2"]


def test_how_a_record_looks() -> None:
    """Tags in their order, then moves with the numbers people expect, in variations too."""
    text = """[Rules "gobblers"]
[Event "club"] [First "Ann"]
3b2 {good} 3a1 (1c3 b2c3 (1a1) 2b1) b2c3 a1b2 (2b1 {why}) 1a1 1-0"""
    assert (
        write_record(read_record(text))
        == """[Rules "gobblers"]
[First "Ann"]
[Result "1-0"]
[Event "club"]

1. 3b2 {good} 1... 3a1 (1... 1c3 2. b2c3 (2. 1a1) 2... 2b1) 2. b2c3 a1b2 (2...
2b1 {why}) 3. 1a1 1-0
"""
    )


def test_comments_of_both_kinds_and_around_variations() -> None:
    text = """[Rules "gobblers"]
    {before} 1. 3b2 {one} ; two } three
    (1. 3a1 {inside} (1. 2a1) (1. 1a1 3c3)) {after} 1... 3a1 * {ignored}"""
    record = read_record(text)
    assert record.line.comment == "before"
    first, second = record.line.moves
    assert (first.comment, second.comment) == ("one two ) three after", "")
    (variation,) = first.variations
    assert [str(each.move) for each in variation.moves] == ["3a1"]
    assert variation.moves[0].comment == "inside"
    assert [len(deeper.moves) for deeper in variation.moves[0].variations] == [1, 2]
    assert read_record(write_record(record)) == record


TICTACTOE = '[Rules "tictactoe"]\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 'the tag [Rules "…"], which names the rule set, is missing'),
        ("1. a1", 'the tag [Rules "…"], which names the rule set, is missing'),
        ('[Rules "chess"]', "unknown rule set 'chess'; known are tictactoe, "),
        ("[Rules tictactoe]", 'line 1: a tag is written like [Rules "gobblers"]'),
        (TICTACTOE + "[Date 2024]\n*", 'line 2: a tag is written like [Rules "gobblers"]'),
        (TICTACTOE * 2, "the tag Rules stands twice"),
        (TICTACTOE + '[Result "2-0"]', "tag Result: '2-0' is none of 1-0, 0-1, 1/2-1/2, *"),
        (TICTACTOE + '[Result "1-0"]\n0-1', "the tag Result says 1-0 and the moves end with 0-1"),
        (TICTACTOE + '[Position "x3/x3 w"]', "the board has 2 rows; tictactoe has 3"),
        (TICTACTOE + "1. a1 b2\n2. zz9 *", "line 3: move 2 of X: 'zz9' is not a move"),
        (TICTACTOE + "1. a1\n\na1 *", "line 4: move 1 of O: 1a1: a1 is occupied"),
        (TICTACTOE + "1. a1 b2 2. a2 b1 3. a3 c1", "line 2: move 3 of O: 1c1: the game is over"),
        (TICTACTOE + "1. a1 (1. b2\n(1. b3) *", "line 3: the variation that begins in line 2 "),
        (TICTACTOE + "1. a1 (1. b2", "line 2: the variation that begins in line 2 needs a ) "),
        (TICTACTOE + "1. a1 ) *", "line 2: ')' stands where a move or a result was expected"),
        (TICTACTOE + "1. a1 * b2", "line 2: 'b2' stands where nothing was expected"),
        (TICTACTOE + "1. a1 {never", "line 2: '{': a comment that begins here never ends"),
        (TICTACTOE + "1. a1 } *", "line 2: '}': no {"),
        (TICTACTOE + "1. a1 " + "(1. a2 " * 31, "variations are nested more than 30 deep"),
    ],
)
def test_broken_records_name_the_place(text: str, expected: str) -> None:
    with pytest.raises(NestlineError) as caught:
        read_record(text)
    assert expected in str(caught.value)


def test_an_illegal_move_of_a_variation_is_reported_with_its_number() -> None:
    with pytest.raises(IllegalMove, match=r"^line 2: move 2 of O: 1a1: a1 is occupied"):
        read_record(TICTACTOE + "1. a1 b2 2. c3 c1 (2... a1) *")


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"Na me": "x"}, "'Na me' is not the name of a tag"),
        ({"Event": "a\nb"}, "tag Event: 'a\\nb' has characters that cannot be written"),
    ],
)
def test_tags_that_cannot_be_written(tags: dict[str, str], expected: str) -> None:
    record = Record(load_rules("gobblers"), Position.start("gobblers"), tags=tags)
    with pytest.raises(NotationError) as caught:
        write_record(record)
    assert expected in str(caught.value)


def test_a_comment_cannot_hold_its_own_end() -> None:
    with pytest.raises(NotationError, match="a comment cannot contain }"):
        RecordedMove(Move("3b2"), "a } b")


# Bad input.


@pytest.mark.parametrize(
    ("stacks", "expected"),
    [
        ({"a1": [(0, 1)], "A1": [(1, 1)]}, "A1: this square has been given a stack already"),
        ({"a1": [(0, 3)], "(2,0)": [(0, 1)]}, "this square has been given a stack already"),
        ({"a1": [(-1, 1)]}, "a1: there is no side -1; sides are 0 and 1"),
        ({"a1": [(2, 1)]}, "a1: there is no side 2; sides are 0 and 1"),
        ({"a1": [(0, 0)]}, "a1: there is no size 0; sizes are 1 to 3"),
        ({"a1": [(0, 4)]}, "a1: there is no size 4; sizes are 1 to 3"),
        ({"b2": [(0, 2), (1, 2)]}, "b2: a size 2 cannot lie on a size 2"),
        ({"b2": [(0, 3), (1, 2)]}, "b2: a size 2 cannot lie on a size 3"),
        (
            {"a1": [(1, 3)], "a2": [(1, 3)], "a3": [(1, 3)]},
            "P2 has 3 pieces of size 3 on the board; there are 2",
        ),
    ],
)
def test_impossible_stacks(stacks: dict[str, list[tuple[int, int]]], expected: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_stacks(stacks, rules="gobblers")
    assert expected in str(caught.value)


NEARLY = st.text("abcdxsml0123456789(),->→/ wb_{}[];*.\"'\\=#\n", max_size=40)
GARBAGE = st.one_of(st.text(max_size=60), NEARLY, st.text("x123wb/, ", max_size=30))

GOOD_RECORD = """[Rules "gobblers"]
[First "Ann"] [Result "*"] [Position "x3/x,w3,x/x3 b"]
{a game} 1... 3a1 (1... s c3 {or} 2. b2xc3) 2. (0,0) 3 A1 ; no *
"""
GOOD_RULES = toml_text(load_rules("gobblers").fields())


@st.composite
def damaged(draw: st.DrawFn, good: str) -> str:
    """A valid text with parts cut out, doubled, or overwritten."""
    text = good
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(text)))
        end = draw(st.integers(begin, min(len(text), begin + 12)))
        middle = draw(st.one_of(st.just(""), st.just(text[begin:end] * 2), GARBAGE))
        text = text[:begin] + middle + text[end:]
    return text


def only_our_errors(read: Callable[[], Any]) -> None:
    """Whatever is read: it works, or one of our errors says in one line why not."""
    try:
        read()
    except NestlineError as error:
        told = str(error)
        assert told.strip()
        assert len(told.splitlines()) == 1, told


@settings(max_examples=300)
@given(SHIPPED, GARBAGE)
def test_garbage_moves_and_squares(rules: Any, text: str) -> None:
    position = Position.start(rules)
    for read in (
        lambda: notation.read_square(text, rules),
        lambda: notation.read_move(text, rules),
        lambda: position.read_move(text),
        lambda: position.play(text),
        lambda: position.stack(text),
        lambda: Move(text),
        lambda: Game(rules).play(text),
    ):
        only_our_errors(read)


@settings(max_examples=300)
@given(SHIPPED, st.one_of(GARBAGE, damaged("x3/x,b1w3,x/w2,x2 b"), damaged("x4/b4,x3/x4/w4,x3 w")))
def test_garbage_positions(rules: Any, text: str) -> None:
    only_our_errors(lambda: Position(text, rules))


@settings(max_examples=400)
@given(st.one_of(GARBAGE, damaged(GOOD_RECORD), GARBAGE.map(TICTACTOE.__add__)))
def test_garbage_records(text: str) -> None:
    only_our_errors(lambda: Game.from_record(read_record(text)))


@given(
    st.dictionaries(
        st.sampled_from(
            ("Termination", "PlyLimit", "Touched", "Visibility", "TouchMove", "First", "FirstLevel")
        ),
        st.one_of(GARBAGE, st.sampled_from(("touch", "unfinished", "peek", "a1", "9" * 5000, "²"))),
    ),
    SHIPPED,
    st.sampled_from(("*", "1-0", "0-1", "1/2-1/2")),
)
def test_garbage_tags(tags: dict[str, str], rules: Any, result: str) -> None:
    line = Line((RecordedMove(Position.start(rules).legal_moves()[0]),))
    record = Record(rules, Position.start(rules), line, result, tags)
    only_our_errors(lambda: Game.from_record(record))


def recorded(**tags: str) -> Record:
    return Record(load_rules("gobblers"), Position.start("gobblers"), tags=tags)


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        (lambda: load_rules("a" * 300), "unknown rule set 'aaa"),
        (lambda: load_rules("a\0/b"), "the rule set cannot be read: embedded null byte"),
        (lambda: load_rules("\ud800/b"), "the rule set cannot be read: "),
        (lambda: read_record('[Rules "a\0/b"]\n*'), "the rule set cannot be read: "),
        (lambda: Position.start().play("(0,\n9)"), "(0, 9) is not on the 3x3 board"),
        (lambda: Game.from_record(recorded(PlyLimit="9" * 5000)), "is not a whole number of at"),
        (lambda: Game.from_record(recorded(PlyLimit="²")), "is not a whole number of at least 1"),
        (lambda: Game.from_record(recorded(PlyLimit="0")), "is not a whole number of at least 1"),
        (lambda: Game.from_record(recorded(Visibility="x")), "visibility is one of open, peek, "),
        (lambda: Game.from_record(recorded(Visibility="peek")), "gobblers does not allow looking"),
        (lambda: Game.from_record(recorded(Touched="a1")), "touch-move is not played"),
        (lambda: Game.from_record(recorded(Termination="x")), "tag Termination: 'x' is none of "),
    ],
)
def test_garbage_that_was_found_before(read: Callable[[], Any], expected: str) -> None:
    only_our_errors(read)
    with pytest.raises(NestlineError) as caught:
        read()
    assert expected in str(caught.value)


@given(st.one_of(GARBAGE, st.just("a" * 5000), st.text(max_size=9).map(lambda text: f"./{text}")))
def test_garbage_names_of_rule_sets(text: str) -> None:
    with pytest.raises(RuleSetError):
        load_rules(text)


VALUES = st.recursive(
    st.one_of(
        st.integers(-3, 20).map(str),
        st.sampled_from(("true", "false", "1.5", "nan", "1979-05-27", '"loose"', '"gobblet"')),
        st.sampled_from(("9" * 5000, "[" * 3000, '"""', '"\\u0000/"', '"x/y.toml"', "")),
        st.text(max_size=8).map(lambda text: f"'{text}'"),
    ),
    lambda inner: st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=5,
)


@settings(max_examples=300)
@given(
    st.one_of(
        GARBAGE,
        damaged(GOOD_RULES),
        st.tuples(st.sampled_from(("like", "source", "source.board", "x", *FIELDS)), VALUES).map(
            lambda pair: f'{pair[0]} = {pair[1]}\nlike = "gobblers"\n'
        ),
        st.tuples(st.sampled_from(tuple(FIELDS)), VALUES).map(
            lambda pair: f'like = "gobblet"\n{pair[0]} = {pair[1]}\n'
        ),
    )
)
def test_garbage_rule_files(rules_file: Path, text: str) -> None:
    rules_file.write_bytes(text.encode("utf-8"))
    only_our_errors(lambda: load_rules(str(rules_file)))


@given(st.binary(max_size=60))
def test_garbage_bytes_in_rule_files(rules_file: Path, content: bytes) -> None:
    rules_file.write_bytes(b'like = "gobblers"\n' + content)
    only_our_errors(lambda: load_rules(str(rules_file)))


@pytest.fixture(scope="module")
def rules_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("garbage") / "garbage.toml"


@pytest.mark.parametrize("text", ["10,0", "12,1", "30,0", "0,10"])
@pytest.mark.parametrize("rules", ["tictactoe", "gobblers"])
def test_a_size_does_not_swallow_part_of_a_coordinate(text: str, rules: str) -> None:
    with pytest.raises(NotationError, match=r"is not on the 3x3 board|names one square only"):
        Position.start(rules).read_move(text)
    assert str(Position.start(rules).read_move("1 0,0")) == "1a3"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ('[rules "Gobblers"] 1. 3b2 ... 3a1', "3b2 3a1"),
        ('[RULES "gobblers"] 1. 3b2 1. ... 3a1 ½-½', "3b2 3a1"),
        ('[Rules "gobblers"] 1 3b2 3a1 2 b2 c3', "3b2 3a1 b2c3"),
        ('[Rules "gobblers"] 1 b2 2 a1', "1b2 2a1"),
        ('[Rules "gobblers"] 7 3b2 8 3a1', "3b2 3a1"),
        ('\ufeff[Rules "gobblers"] 3B2', "3b2"),
    ],
)
def test_records_written_by_a_careless_hand(text: str, moves: str) -> None:
    assert " ".join(map(str, read_record(text).moves)) == moves


def test_a_rule_set_beside_its_record_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('like = "gobblers"\nboard = 4\n')
    record = read_record('[Rules "./mine.toml"] 1. 3d4', tmp_path)
    assert record.rules.board == 4
