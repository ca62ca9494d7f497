"""Pictures: exact text boards, SVG that is well-formed and reveals no secrets, PNG sizes."""

import random
import re
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nestline.draw import png, svg, text_board
from nestline.draw.palette import terminal_colour
from nestline.errors import NestlineError
from nestline.position import Move, Piece, Position, Side
from nestline.rules import RuleSet, load_rules, rule_set_names

SVG = "{http://www.w3.org/2000/svg}"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

DOCUMENT_004 = """\
  +----+----+----+----+
  |    |    |    | OO |
D |    |    |    | OO |
  +----+----+----+----+
  |    | XX |    |    |
C |    | XX |    |    |
  +----+----+----+----+
  |    |    |    |    |
B |    |    |    |    |
  +----+----+----+----+
  |    |    | XX |    |
A |    |    | X  |    |
  +----+----+----+----+
    A    B    C    D

Player 1 (X) Stacks: [2, 4, 4]
Player 2 (O) Stacks: [3, 4, 4]"""

STACKED = "x3/b1w3,w2,x/x2,w1b2 w"  # for gobblers and gobblers-official
STACKED_ELSEWHERE = "x3/w1w3,w2,x/x2,b1b2 w"  # shows the same, but hides other pieces
LINES_OF_BOTH = "w3,w2,w1/w1b2,b3,b1/x3 b"

CUSTOM = {
    "one square, one piece": "board = 1\nline = 1\nstock = [1]\nmoving = false\nrepetition = 0",
    "one square, nested": 'board = 1\nline = 1\nstock = [1, 1, 1, 1]\nreserve = "nested"',
    "two by two": "board = 2\nline = 2\nstock = [4, 1]",
    "crowded": "board = 4\nline = 3\nstock = [16, 12, 8, 5]",
    "crowded and nested": 'board = 4\nline = 1\nstock = [16, 16, 16]\nreserve = "nested"',
}


@pytest.fixture(params=[*rule_set_names(), *CUSTOM])
def rules(request: pytest.FixtureRequest, tmp_path: Path) -> RuleSet:
    if request.param in CUSTOM:
        return custom_rules(tmp_path, CUSTOM[request.param])
    return load_rules(request.param)


def custom_rules(folder: Path, fields: str) -> RuleSet:
    file = folder / "custom.toml"
    file.write_text(f'like = "gobblers"\n{fields}\n', encoding="utf-8")
    return load_rules(file)


def random_game(
    rules: RuleSet, seed: int = 1, plies: int = 40
) -> list[tuple[Position, Move | None]]:
    """The positions of a game from the start, each with the move that led to it."""
    chance = random.Random(seed)
    game: list[tuple[Position, Move | None]] = [(Position.start(rules), None)]
    while len(game) <= plies and (moves := game[-1][0].legal_moves()):
        move = chance.choice(moves)
        game.append((game[-1][0].play(move), move))
    return game


def tops(position: Position) -> Mapping[str, tuple[Piece, ...]]:
    return {square: stack[-1:] for square, stack in position.stacks.items()}


def elements(picture: str, name: str, of_class: str | None = None) -> list[ElementTree.Element]:
    found = ElementTree.fromstring(picture).iter(SVG + name)
    return [one for one in found if of_class is None or one.get("class") == of_class]


def words(picture: str) -> str:
    return "\n".join(ElementTree.fromstring(picture).itertext())


def png_size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert picture[-8:-4] == b"IEND"
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def test_document_004_to_the_letter() -> None:
    position = Position("x3,b4/x,w4,x2/x4/x2,w3,x b", rules="gobblet-house")
    assert text_board(position, labels="letters") == DOCUMENT_004


def test_numbers_label_the_rows_by_default() -> None:
    board = text_board(Position.start("gobblers"), stacks=False).splitlines()
    assert [line[0] for line in board] == list("  3  2  1  ")
    assert board[-1] == "    a    b    c"


@pytest.mark.parametrize(
    ("size", "rows"), [(1, ("X ", "  ")), (2, ("XX", "  ")), (3, ("XX", "X ")), (4, ("XX", "XX"))]
)
def test_a_piece_has_as_many_characters_as_its_size(
    size: int, rows: tuple[str, str], tmp_path: Path
) -> None:
    rules = custom_rules(tmp_path, "board = 1\nline = 1\nstock = [1, 1, 1, 1]")
    board = text_board(Position(f"w{size} b", rules)).splitlines()
    assert board[1:3] == [f"  | {rows[0]} |", f"1 | {rows[1]} |"]


def test_covered_pieces_are_listed_bottom_to_top() -> None:
    position = Position("x3/b1w2b3,x2/x,w1w3,x w", rules="gobblers-official")
    listed = text_board(position).split("\n\n")[-1].splitlines()
    assert listed == ["b1: Red 1 under Red 3", "a2: Blue 1 under Red 2 under Blue 3"]
    assert "BA: Red 1 under Red 3" in text_board(position, labels="letters")


def test_stacks_can_be_left_out() -> None:
    position = Position(STACKED, rules="gobblers")
    assert text_board(position).startswith(text_board(position, stacks=False) + "\n\n")
    assert "Reserve" not in text_board(position, stacks=False)
    assert "under" not in text_board(position, stacks=False)


def test_an_endless_reserve_is_not_listed() -> None:
    assert text_board(Position.start("tictactoe")).splitlines()[-1] == "    a    b    c"


def test_a_large_reserve_is_counted(tmp_path: Path) -> None:
    rules = custom_rules(tmp_path, "board = 4\nline = 4\nstock = [16, 1]")
    assert "P1 (X) Reserve: 16 of size 1, 1 of size 2" in text_board(Position.start(rules))


def test_text_fits_every_rule_set(rules: RuleSet) -> None:
    for position, move in random_game(rules):
        plain = text_board(position)
        assert not plain.endswith("\n")
        assert all(line == line.rstrip() for line in plain.splitlines())
        assert {len(line) for line in plain.splitlines() if "+" in line} == {rules.board * 5 + 3}
        shown = sum(piece.size for stack in tops(position).values() for piece in stack)
        cells = [line[2:] for line in plain.splitlines() if "|" in line]
        assert sum(symbol in rules.symbols for line in cells for symbol in line) == shown
        # Colour and the last move add nothing but escape sequences.
        coloured = text_board(position, colour=True, last_move=move)
        assert ESCAPE.sub("", coloured) == plain
        assert text_board(position, last_move=move) == plain


def test_the_last_move_is_marked_in_colour() -> None:
    position = Position("x3/x,w3,x/x3 b", rules="gobblers")
    quiet = text_board(position, colour=True)
    placed = text_board(position, colour=True, last_move="3b2")
    moved = text_board(position, colour=True, last_move=Move("a1b2"))
    assert len({quiet, placed, moved}) == 3


def test_every_style_is_ended_on_its_line() -> None:
    position = Position(LINES_OF_BOTH, rules="gobblers")
    for line in text_board(position, colour=True, last_move="a1c3").splitlines():
        assert (ESCAPE.findall(line) or ["\x1b[0m"])[-1] == "\x1b[0m"


def test_labels_are_letters_or_numbers() -> None:
    with pytest.raises(NestlineError, match="letters"):
        text_board(Position.start("gobblers"), labels="roman")  # type: ignore[arg-type]


def test_svg_fits_every_rule_set(rules: RuleSet) -> None:
    for position, move in random_game(rules, plies=24):
        moves = position.legal_moves()
        picture = svg(position, last_move=move, targets=moves)
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert rules.title in (root.findtext(SVG + "title") or "")
        covered = sum(len(stack) - 1 for stack in position.stacks.values())
        assert len(elements(picture, "g", "ring")) == covered
        assert len(elements(picture, "g", "target")) == len({move.target for move in moves})
        squares = 0 if move is None else 1 if move.places else 2
        assert len(elements(picture, "g", "last-move")) == squares
        # Lines are drawn exactly where there are some, and nobody is to move after the end.
        has_line = any(position.lines(side) for side in Side)
        assert bool(elements(picture, "g", "line")) == has_line
        assert bool(elements(picture, "g", "turn")) == (position.outcome() is None)


def test_svg_stands_alone() -> None:
    picture = svg(Position(LINES_OF_BOTH, rules="gobblers"), targets=["a1"], last_move="1c3")
    used = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(picture).iter()}
    assert not used & {"text", "script", "image", "style", "foreignObject"}
    assert picture.count("http") == 1  # the name of the format itself
    names = re.findall(r' id="([^"]+)"', picture)
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:url\(|href=")#([^)"]+)', picture)) <= set(names)


def test_ids_of_different_pictures_differ() -> None:
    pictures = [svg(Position(text)) for text in (STACKED, LINES_OF_BOTH)]
    first, second = (set(re.findall(r' id="([^"]+)"', picture)) for picture in pictures)
    assert first
    assert second
    assert not first & second


def test_same_arguments_same_bytes() -> None:
    position = Position(STACKED, rules="gobblers")
    picture = svg(position, targets=["a1", "b1", "c3"], last_move="c3c1")
    again = svg(Position(str(position)), targets=["c3", "a1", "b1", "a1"], last_move=Move("c3c1"))
    assert picture == again
    view = dict(reversed(list(position.stacks.items())))
    assert svg(position, view=view) == svg(position)


def test_both_players_lines_are_drawn_and_told() -> None:
    picture = svg(Position(LINES_OF_BOTH, rules="gobblers-official"))
    assert len(elements(picture, "g", "line")) == 2
    assert "Red wins" in words(picture)
    assert "Red has the line a3-b3-c3." in words(picture)
    assert "Blue has the line a2-b2-c2." in words(picture)


def test_a_picture_is_told_in_words() -> None:
    told = words(svg(Position(STACKED, rules="gobblers-official"), last_move="b1c1"))
    assert "Red to move" in told
    assert "c1: Red 1 under Blue 2" in told
    assert "Last move: from b1 to c1." in told
    assert "Blue has 1 of size 1, 1 of size 2, 2 of size 3 in reserve." in told
    assert "a draw" in words(svg(Position("b1,w1,b1/b1,w1,w1/w1,b1,w1 b", rules="tictactoe")))


def test_names_are_escaped(tmp_path: Path) -> None:
    fields = 'title = "Cups & <b>Co</b> \\"]]>"\nplayers = ["D\'Arc", "Łukasz"]'
    position = Position(STACKED, custom_rules(tmp_path, fields))
    told = words(svg(position))
    assert "Cups & <b>Co</b> \"]]>: D'Arc to move" in told
    assert "c1: D'Arc 1 under Łukasz 2" in told
    assert png_size(png(position, size=32))[0] == 32


def test_flip_turns_the_board() -> None:
    position = Position("x3/x3/w3,x2 b", rules="gobblers")
    places = [
        [
            use.get("transform")
            for use in elements(svg(position, flip=flip, reserves=False), "g")
            if use.find(SVG + "use") is not None
        ]
        for flip in (False, True)
    ]
    assert places == [["translate(84 296)"], ["translate(296 84)"]]


def test_coordinates_and_reserves_can_be_left_out() -> None:
    position = Position.start("gobblet")
    full, bare = svg(position), svg(position, coordinates=False, reserves=False)
    assert len(bare) < len(full)
    assert not elements(bare, "use")
    assert not elements(bare, "g")


@pytest.mark.parametrize("draw", [text_board, svg])
def test_a_view_hides_covered_pieces(draw: Callable[..., str]) -> None:
    """Positions that differ only in hidden pieces have the same picture."""
    one = Position(STACKED, rules="gobblers-official")
    other = Position(STACKED_ELSEWHERE, rules="gobblers-official")
    assert draw(one) != draw(other)
    assert draw(one, view=tops(one)) == draw(other, view=tops(other))
    assert "under" not in draw(one, view=tops(one))


def test_a_view_shows_what_it_holds() -> None:
    position = Position(STACKED, rules="gobblers-official")
    view = {**tops(position), "a2": position.stack("a2")}
    assert text_board(position, view=view).endswith("\n\na2: Blue 1 under Red 3")
    assert len(elements(svg(position, view=view), "g", "ring")) == 1


def test_covered_pieces_can_be_left_out() -> None:
    position = Position(STACKED, rules="gobblers")
    assert svg(position, covered=False) == svg(position, view=tops(position))


@pytest.mark.parametrize("size", [16, 64, 480])
def test_png_has_the_size_asked_for(size: int) -> None:
    position = Position(STACKED, rules="gobblers")
    assert png_size(png(position, size=size, reserves=False)) == (size, size)
    root = ElementTree.fromstring(svg(position, size=size))
    width, height = png_size(png(position, size=size))
    assert (str(width), str(height)) == (root.get("width"), root.get("height"))
    assert width == size < height


def test_png_shows_what_svg_shows() -> None:
    position = Position(STACKED, rules="gobblers")
    pictures = [
        png(position, size=64),
        png(position, size=64, covered=False),
        png(position, size=64, flip=True),
        png(position, size=64, coordinates=False),
        png(position, size=64, targets=["a1"]),
        png(position, size=64, last_move="3a2"),
    ]
    assert len(set(pictures)) == len(pictures)
    assert pictures[0] == png(position, size=64)


@pytest.mark.parametrize("size", [15, 8193, 0, -480])
def test_impossible_sizes_are_refused(size: int) -> None:
    with pytest.raises(NestlineError, match="pixels"):
        svg(Position.start("gobblers"), size=size)


def test_squares_off_the_board_are_refused() -> None:
    position = Position.start("gobblers")
    with pytest.raises(NestlineError, match="'d4' is not a square of this 3x3 board"):
        svg(position, targets=["d4"])
    with pytest.raises(NestlineError, match="d1"):
        text_board(position, last_move="a1d1")
    with pytest.raises(NestlineError, match="z9"):
        svg(position, view={"z9": (Piece(Side.FIRST, 1),)})


@pytest.mark.parametrize(
    ("colour", "expected"),
    [("#000000", 16), ("#ffffff", 231), ("#ff0000", 196), ("#080808", 232), ("#f2e6d0", 254)],
)
def test_the_nearest_terminal_colour(colour: str, expected: int) -> None:
    assert terminal_colour(colour) == expected
