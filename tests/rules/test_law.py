"""The numbers of a rule set, against the naive rules."""

import pytest

import naive_rules as naive
from nestline.rules import law
from support.helpers import built_rules


def test_values_are_known_by_their_index() -> None:
    assert law.PLACE_ONTO.index("empty") == law.EMPTY == 0
    assert law.PLACE_ONTO.index("smaller") == law.SMALLER
    assert law.PLACE_ONTO.index("threat") == law.THREAT
    assert law.COVER.index("any") == law.ANY == 0
    assert law.COVER.index("opponent") == law.OPPONENTS
    assert law.COVER.index("own") == law.OWN
    assert law.COVER.index("none") == law.NOTHING
    assert law.REVEAL.index("loses") == law.LOSES == 0
    assert law.REVEAL.index("forbidden") == law.FORBIDDEN
    assert law.REVEAL.index("ignored") == law.IGNORED
    assert law.LINE_SIZES.index("any") == law.ANY_SIZES == 0
    assert law.LINE_SIZES.index("equal") == law.EQUAL
    assert law.LINE_SIZES.index("rising") == law.RISING


def test_a_player_has_a_word() -> None:
    """The largest board with all sizes takes the 64 bits of a bitboard."""
    assert (law.MAX_BOARD, law.MAX_SIZES, law.LAYER_BITS) == (4, 4, 16)


@pytest.mark.parametrize(
    ("board", "line", "wrap"),
    [(2, 2, False)]
    + [
        (board, line, wrap)
        for board in (3, 4)
        for line in range(2, board + 1)
        for wrap in (False, True)
    ],
)
def test_every_line_starts_once(board: int, line: int, wrap: bool) -> None:
    found = []
    for across, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        starts = law.line_starts(board, line, across, up, wrap)
        assert 0 <= starts < 1 << board * board
        for start in range(board * board):
            if starts >> start & 1:
                row, column = divmod(start, board)
                assert row == 0 or column == 0 or line < board
                found.append(
                    sorted(
                        (row + up * step) % board * board + (column + across * step) % board
                        for step in range(line)
                    )
                )
    assert sorted(found) == sorted(map(sorted, naive.lines_of(board, line, wrap)))


@pytest.mark.parametrize(
    ("wrap", "starts"),
    [(False, (0b001_001_001, 0b111, 0b001, 0b100)), (True, (0b001_001_001, 0b111, 0b111, 0b111))],
)
def test_lines_of_a_rule_set(wrap: bool, starts: tuple[int, ...]) -> None:
    """Along rows, up columns, up to the right and up to the left."""
    found = built_rules(wrap=wrap).law
    masks = (found.row_starts, found.column_starts, found.rising_starts, found.falling_starts)
    assert masks == starts


def test_stock_of_a_rule_set() -> None:
    assert built_rules(stock=(2, 3, 1, 4)).law.stock == (2, 3, 1, 4)
    assert built_rules(stock=(3, 1)).law.stock == (3, 1, 0, 0)


@pytest.mark.parametrize(
    ("line_sizes", "made"),
    [
        ("any", ["123", "321", "222", "112", "132"]),
        ("equal", ["222"]),
        ("rising", ["123", "321"]),
    ],
)
def test_sizes_that_make_a_line(line_sizes: str, made: list[str]) -> None:
    rules = built_rules(stock=(3, 3, 3), line_sizes=line_sizes)
    lines = ("123", "321", "222", "112", "132")
    assert [line for line in lines if rules.makes_line(list(map(int, line)))] == made
