"""Properties that hold for every position, move and value, tested with hypothesis.

Round trips through text, `repr` and pickle; symmetry; the kernel's small functions against naive
ones. Bitboards are in `test_words`, records and bad input in `test_properties_text`.
"""

import pickle
import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive_rules as naive
from nestline import kernel, notation
from nestline.game import Game
from nestline.position import Move, Outcome, Piece, Position, Side
from nestline.rules import Law, RuleSet, load_rules
from support.helpers import (
    FIVE_NAMES,
    built_rules,
    custom_rules,
    naive_rules_of,
    random_fields,
    random_position,
    walked_position,
)

SEEDS = st.integers(0, 2**32)


@cache
def custom(seed: int) -> RuleSet:
    return built_rules(**random_fields(random.Random(f"set {seed}")))


RULE_SETS = st.one_of(st.sampled_from(FIVE_NAMES).map(load_rules), st.integers(0, 40).map(custom))


@st.composite
def positions(
    draw: st.DrawFn, rule_sets: st.SearchStrategy[RuleSet] = RULE_SETS, going_on: bool = False
) -> Position:
    """Positions from games and (unless the game must be unfinished) pieces dropped anywhere."""
    rules = draw(rule_sets)
    chance = random.Random(draw(SEEDS))
    if going_on or draw(st.booleans()):
        return walked_position(rules, chance, draw(st.integers(0, 20)))
    return random_position(rules, chance)


# Moves in every accepted spelling.


def square_spellings(name: str, board: int) -> list[str]:
    column, row = "abcd".index(name[0]), int(name[1]) - 1
    down = board - 1 - row
    letters = name[0] + "abcd"[row]
    return [
        name,
        name.upper(),
        letters,
        letters.upper(),
        letters.title(),
        f"({down},{column})",
        f"( {down} , {column} )",
        f"{down},{column}",
        f"{down}, {column}",
    ]


def move_spellings(draw: st.DrawFn, move: Move, rules: RuleSet) -> str:
    def square(name: str) -> str:
        return draw(st.sampled_from(square_spellings(name, rules.board)))

    blank = st.sampled_from(("", " ", "  ", "\t"))
    target = square(move.target)
    if move.origin:
        between = draw(st.sampled_from(("", "-", "x", "X", "->", "→")))
        text = square(move.origin) + draw(blank) + between + draw(blank) + target
    elif rules.sizes == 1 and draw(st.booleans()):
        text = target
    else:
        sizes = [str(move.size)]
        if rules.sizes == 3 and move.size:
            sizes += ["sml"[move.size - 1], "SML"[move.size - 1]]
        needs_blank = target[0].isdigit()  # otherwise the size would look like part of the row
        text = draw(st.sampled_from(sizes)) + " " * needs_blank + draw(blank) + target
    return draw(blank) + text + draw(blank)


@given(st.data())
def test_every_spelling_is_the_same_move(data: st.DataObject) -> None:
    position = data.draw(positions(going_on=True))
    moves = position.legal_moves()
    if not moves:
        return
    move = data.draw(st.sampled_from(moves))
    text = data.draw(st.composite(move_spellings)(move, position.rules))
    assert position.read_move(text) == move
    assert position.play(text) == position.play(move)
    assert notation.read_move(text, position.rules) == (move.size, move.origin, move.target)


@given(RULE_SETS, st.data())
def test_every_spelling_is_the_same_square(rules: RuleSet, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(rules.square_names))
    for text in square_spellings(name, rules.board):
        assert notation.read_square(f" {text} ", rules) == name


@given(positions(going_on=True))
def test_the_canonical_spelling_is_read_and_written(position: Position) -> None:
    for move in position.legal_moves():
        assert Move(str(move)) == move
        assert position.read_move(str(move)) == move
        assert move.places == (move.size is not None) == (move.origin is None)


# Positions as text.


@given(positions())
def test_a_position_is_read_as_it_was_written(position: Position) -> None:
    text = str(position)
    assert Position(text, position.rules) == position
    assert str(Position(text, position.rules)) == text


@given(positions(), st.data())
def test_a_position_written_sloppily(position: Position, data: st.DataObject) -> None:
    text = str(position)
    for run in (4, 3, 2):
        if data.draw(st.booleans()):
            text = text.replace(f"x{run}", ",".join("x" * run))
    text = text.replace(" ", data.draw(st.sampled_from((" ", "_", "  ", "\n", "__"))))
    if data.draw(st.booleans()):
        text = text.upper()
    assert Position(f" {text}\t", position.rules) == position


@given(positions())
def test_a_position_from_its_stacks(position: Position) -> None:
    again = Position.from_stacks(position.stacks, position.turn, position.rules)
    assert again == position
    assert again.stacks == position.stacks
    named = {name.upper(): iter(stack) for name, stack in position.stacks.items()}
    assert Position.from_stacks(named, position.turn, position.rules) == position


# Values: repr, pickle, equality, hash, order.

NAMES = {
    "Position": Position,
    "Move": Move,
    "Outcome": Outcome,
    "Side": Side,
    "Piece": Piece,
    "load_rules": load_rules,
}


@given(positions(st.sampled_from(FIVE_NAMES).map(load_rules)))
def test_repr_of_positions_evaluates_back(position: Position) -> None:
    again = eval(repr(position), NAMES)
    assert again == position
    assert again.rules is position.rules


@pytest.mark.parametrize("file", ["mine.toml", "mi ne.toml", "größe-😀.toml", "q'\"\\n\\.toml"])
def test_repr_with_rules_of_a_file(file: str, tmp_path: Path) -> None:
    """Even where the path has characters that mean something in Python."""
    path = tmp_path / file
    path.write_text('like = "gobblers"\nboard = 4\n', "utf-8")
    rules = load_rules(str(path))
    assert eval(repr(rules), NAMES) == rules
    position = Position.start(rules).play("3d4")
    assert eval(repr(position), NAMES) == position


def test_repr_with_rules_of_a_file_without_an_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Path("gobblet")` is a file, whatever shipped set has that name."""
    (tmp_path / "gobblet").write_text('like = "gobblers"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    rules = load_rules(Path("gobblet"))
    assert rules.board == 3
    assert eval(repr(rules), NAMES) == rules


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_rule_sets_are_values(name: str, tmp_path: Path) -> None:
    rules = load_rules(name)
    assert eval(repr(rules), NAMES) == rules
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.sources == rules.sources
    assert again.law == rules.law
    assert all(rules != load_rules(other) for other in FIVE_NAMES if other != name)
    assert rules != custom_rules(tmp_path, name)
    assert rules != name
    with pytest.raises(AttributeError):
        rules.board = 2  # type: ignore[misc]


@given(positions(), positions())
def test_equality_hash_and_order(one: Position, two: Position) -> None:
    assert one == Position.from_words(one._first, one._second, one.turn, one.rules)
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert hash(again) == hash(one)
    assert str(again) == str(one)
    same = (str(one), one.rules) == (str(two), two.rules)
    assert (one == two) == same
    if one.rules.name != "built":
        assert (one < two) + (one > two) + (one == two) == 1
        assert (one <= two) == (one < two or same)
    turned = Position.from_words(one._first, one._second, one.turn.other, one.rules)
    assert turned != one


def test_the_rules_are_part_of_a_position() -> None:
    one, two = Position.start("gobblers"), Position.start("gobblers-official")
    assert one != two
    assert len({one, two, Position("start"), Position("x3/x3/x3 w")}) == 2
    assert sorted([two, one]) == [one, two]


def test_comparing_with_strangers() -> None:
    position, move = Position.start(), Move("1a1")
    assert position != str(position)
    assert move != "1a1"  # type: ignore[comparison-overlap]
    with pytest.raises(TypeError):
        _ = position < str(position)  # type: ignore[operator]
    with pytest.raises(TypeError):
        _ = move < "1a1"  # type: ignore[operator]


@given(positions(going_on=True))
def test_moves_are_ordered_by_their_text(position: Position) -> None:
    moves = position.legal_moves()
    assert [str(move) for move in sorted(moves)] == sorted(map(str, moves))
    assert len(set(moves)) == len(moves)


def test_positions_and_moves_do_not_change() -> None:
    position, move = Position.start().play("3b2"), Move("3b2")
    before = (str(position), hash(position))
    for name in ("turn", "rules", "_first", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(AttributeError):
        del position.turn
    with pytest.raises(AttributeError):
        move.target = "a1"  # type: ignore[misc]
    with pytest.raises(TypeError):
        position.stacks["a1"] = ()  # type: ignore[index]
    position.reserve(Side.FIRST)[3] = 9
    position.play("3a1")
    assert (str(position), hash(position)) == before
    assert position.reserve(Side.FIRST) == {1: 2, 2: 2, 3: 1}


# Symmetry, with the images computed on coordinates.


def image_of_square(name: str, symmetry: int, board: int) -> str:
    column, row = "abcd".index(name[0]), int(name[1]) - 1
    if symmetry & 4:
        column, row = row, column
    if symmetry & 1:
        column = board - 1 - column
    if symmetry & 2:
        row = board - 1 - row
    return f"{'abcd'[column]}{row + 1}"


def image_of_move(move: Move, symmetry: int, board: int) -> str:
    target = image_of_square(move.target, symmetry, board)
    if move.origin is None:
        return f"{move.size}{target}"
    return image_of_square(move.origin, symmetry, board) + target


@given(positions())
def test_symmetry(position: Position) -> None:
    board = position.rules.board
    images = position.symmetries()
    assert images[0] == position
    assert len(images) == 8
    for symmetry, image in enumerate(images):
        assert image.turn == position.turn
        assert dict(image.stacks) == {
            image_of_square(name, symmetry, board): stack for name, stack in position.stacks.items()
        }
        assert image.outcome() == position.outcome()
        assert {str(move) for move in image.legal_moves()} == {
            image_of_move(move, symmetry, board) for move in position.legal_moves()
        }


@given(positions(), positions())
def test_canonical_positions(position: Position, other: Position) -> None:
    canonical = position.canonical()
    images = position.symmetries()
    assert canonical in images
    assert {image.canonical() for image in images} == {canonical}
    fields = naive_rules_of(position.rules)
    if other.rules == position.rules:
        alike = naive.canonical(fields, str(position)) == naive.canonical(fields, str(other))
        assert (canonical == other.canonical()) == alike


# The kernel's small functions.


def bits(word: int) -> list[int]:
    """The indices of the bits set in a 64-bit word, which may be negative."""
    return [bit for bit in range(64) if word >> bit & 1]


def word_of(numbers: "list[int] | set[int]") -> int:
    word = sum(1 << number for number in set(numbers))
    return word - (1 << 64) if word >> 63 else word


@given(positions())
def test_visible_pieces_and_landings(position: Position) -> None:
    own, opp = position.words
    rules = position.rules
    shown = [set[int](), set[int]()]
    for name, stack in position.stacks.items():
        shown[stack[-1].side].add(16 * (stack[-1].size - 1) + rules.square_index(name))
    assert kernel.visible(own, opp) == word_of(shown[position.turn])
    assert kernel.visible(opp, own) == word_of(shown[position.turn.other])
    landings = kernel.open_squares(own, opp, rules.law)
    for size in range(1, rules.sizes + 1):
        free = [
            rules.square_index(name)
            for name in rules.square_names
            if not (top := position.top(name)) or top.size < size
        ]
        assert bits(kernel.layer(landings, size)) == free


@cache
def law(board: int, line: int) -> Law:
    return built_rules(board=board, line=line, stock=(1,)).law


@given(st.integers(1, 4), st.data())
def test_lines_and_threats(board: int, data: st.DataObject) -> None:
    line = data.draw(st.integers(1, board))
    mask = data.draw(st.integers(0, (1 << board * board) - 1))
    full = lacking = 0
    for squares in naive.lines_of(board, line):
        there = [square for square in squares if mask >> square & 1]
        full += len(there) == line
        if len(there) == line - 1:
            lacking |= word_of(there)
    assert bool(kernel.has_line(mask, law(board, line))) == (full > 0)
    assert kernel.threatening(mask, law(board, line)) == lacking


@pytest.mark.parametrize("board", [1, 2, 3, 4])
def test_every_line_alone(board: int) -> None:
    """Each line counts; without any one of its squares it does not."""
    for line in range(1, board + 1):
        for squares in naive.lines_of(board, line):
            mask = word_of(list(squares))
            assert kernel.has_line(mask, law(board, line))
            for square in squares:
                assert not kernel.has_line(mask & ~(1 << square), law(board, line))


@given(positions())
def test_reserve_of_the_kernel(position: Position) -> None:
    own, _ = position.words
    for size in range(1, position.rules.sizes + 1):
        takes = bool(kernel.in_reserve(own, size, position.rules.law))
        assert takes == (size in position.reserve_tops(position.turn))


# Undo and redo.


@given(RULE_SETS, SEEDS, st.integers(0, 30))
def test_undo_and_redo_are_inverse(rules: RuleSet, seed: int, plies: int) -> None:
    chance = random.Random(seed)
    game = Game(rules)
    seen = [(game.position, game.moves, game.outcome, game.repetitions)]
    for _ in range(plies):
        if not (moves := game.legal_moves()):
            break
        move = chance.choice(moves)
        if not rules.take_back_after_end and game.position.play(move).outcome():
            break
        game.play(move)
        seen.append((game.position, game.moves, game.outcome, game.repetitions))
    for expected in reversed(seen[:-1]):
        game.undo(agreed=True)
        assert (game.position, game.moves, game.outcome, game.repetitions) == expected
    assert not game.can_undo
    for expected in seen[1:]:
        game.redo()
        assert (game.position, game.moves, game.outcome, game.repetitions) == expected
    assert not game.can_redo
