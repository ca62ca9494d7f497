"""The page about an atlas: what is in it, and what it says, as Markdown with plots.

Everything on it is computed from the table, so the same table makes the same page.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from nestline.atlas.games import PLAY_FIELDS
from nestline.atlas.plots import LONGEST_BARS, heat_map, longest_wins, stock_text
from nestline.atlas.table import Row
from nestline.rules import load_rules

ARTICLE = "fairest.md"
"""What the atlas that comes with the package teaches."""

PLACES = ("smaller", "empty", "threat")
LINES = ("opponent", "mover")
BASE = {key: getattr(load_rules("gobblers"), key) for key in PLAY_FIELDS if key != "stock"}


class Origin(NamedTuple):
    """What a page was made from: the paths on the command line."""

    grid: str
    table: str
    page: str


def page_files(rows: list[Row], origin: Origin, *, has_article: bool = False) -> dict[str, str]:
    """The files of the page by name, the page itself under ""; `has_article` says whether there is
    an `ARTICLE` beside it."""
    name_of_page = Path(origin.page).stem
    pictures: dict[str, str] = {}
    sections = [_overview(rows, origin, has_article)]
    for sizes, words in ((3, "three sizes"), (2, "two sizes")):
        cells = _by_stock_and_rules(rows, sizes)
        if cells:
            if not pictures:
                sections.append("## Stock against rules\n")
            name = f"{name_of_page}-{sizes}-sizes.svg"
            columns = [f"{place}\n{lines}" for place in PLACES for lines in LINES]
            title = f"3x3, {words}, pieces move: where new pieces go, who has both lines"
            pictures[name] = heat_map(title, columns, cells)
            sections.append(f"![{title}]({name})\n")
    long = _longest_of_each_stock(rows)[:LONGEST_BARS]
    if long and long[0].longest_win:
        title = "The longest wins, in plies"
        name = f"{name_of_page}-longest.svg"
        pictures[name] = longest_wins(title, long, [describe(row) for row in long])
        sections += ["## Longest wins\n", f"![{title}]({name})\n"]
    sections.append(_influence(rows))
    return {"": "\n".join(sections), **pictures}


def _longest_of_each_stock(rows: list[Row]) -> list[Row]:
    """For each board and stock the game with the longest win, with few differences if several."""
    found: dict[Any, Row] = {}
    for row in sorted(rows, key=lambda row: (-row.longest_win, len(describe(row)))):
        fields = row.game.fields()
        found.setdefault((fields["board"], fields["stock"]), row)
    return list(found.values())


def describe(row: Row) -> str:
    """A game in a few words: what differs from the rules of Gobblet Gobblers."""
    fields = row.game.fields()
    words = [f"{fields['board']}x{fields['board']}", stock_text(row)]
    if fields["line"] != fields["board"]:
        words.append(f"line {fields['line']}")
    for key, value in fields.items():
        if key in ("board", "line", "stock") or value == BASE[key]:
            continue
        if key == "place_onto" and len(fields["stock"]) == 1:
            continue  # Nothing can be covered anyway.
        words.append(_differs(key, value))
    return ", ".join(words)


def _differs(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return key.replace("_", " ") if value else f"no {key.replace('_', ' ')}"
    return f"{key.replace('_', ' ')} {value}"


def _overview(rows: list[Row], origin: Origin, has_article: bool) -> str:
    results = Counter(row.value for row in rows)
    grid, table, page = map(shlex.quote, origin)
    conclusion = f" [The fairest Gobblers]({ARTICLE}) says what follows from it."
    lines = [
        "# The atlas",
        "",
        "<!-- Made by `nestline atlas --page`, which would overwrite any change. -->",
        "",
        f"{len(rows):,} different games of the family, each solved completely: who wins when both "
        f"play well, and how fast.{conclusion if has_article else ''}",
        "",
        "Distances are in plies, one player's turn each. Placements are all ways to put pieces on "
        "the board, with the player to move, not reduced by symmetry; reachable positions are "
        "those that can arise in a game, up to symmetry. The longest win is that among all "
        "placements.",
        "",
        "| the player who begins | games | share |",
        "|---|---|---|",
    ]
    for value, words in (("win", "wins"), ("draw", "draws"), ("loss", "loses")):
        share = results[value] / max(1, len(rows))
        lines.append(f"| {words} | {results[value]:,} | {share:.0%} |")
    boards = Counter(
        (fields["board"], len(fields["stock"])) for fields in (row.game.fields() for row in rows)
    )
    lines += ["", "| board | sizes | games |", "|---|---|---|"]
    lines += [
        f"| {board}x{board} | {sizes} | {count:,} |"
        for (board, sizes), count in sorted(boards.items())
    ]
    lines += [
        "",
        f"The table is `{origin.table}`, one row for each game. To make it, and this page, again:",
        "",
        "<!-- excerpt: solving a whole grid may take hours on a CPU -->",
        "```",
        f"nestline atlas {grid} --output {table} \\",
        f"    --page {page}",
        "```",
        "",
        "Games already in the table are not solved again; with `--most-entries 2000000` only the "
        "smaller ones are solved, with `--device cuda` a GPU solves them, with `--ray` a "
        "cluster. Two rule sets that play the same game have one row. Where `stuck` is `no`, "
        "nobody is ever without a move, and the row stands for both values of `no_move`.",
        "",
    ]
    return "\n".join(lines)


def _by_stock_and_rules(rows: Iterable[Row], sizes: int) -> dict[tuple[str, str], Row]:
    """The 3x3 games with moving pieces and no other difference, by stock and two rules."""
    cells = {}
    for row in rows:
        fields = row.game.fields()
        if fields["board"] == 3 and fields["line"] == 3 and len(fields["stock"]) == sizes and all(
            fields[key] == BASE[key] for key in BASE if key not in ("both_lines", "place_onto")
        ):  # fmt: skip
            column = f"{fields['place_onto']}\n{fields['both_lines']}"
            cells[stock_text(row), column] = row
    return cells


def pairs(rows: Iterable[Row], key: str, first: Any, second: Any) -> list[tuple[Row, Row]]:
    """Games that differ in one field only, which is `first` in one and `second` in the other."""
    found = {row.game: row for row in rows}
    same = []
    for game, row in found.items():
        fields = game.fields()
        if fields[key] == first:
            fields[key] = second
            other = found.get(type(game)(tuple(fields.values())))
            if other is not None:
                same.append((row, other))
    return same


CHANGES: tuple[tuple[str, Any, Any, str], ...] = (
    ("both_lines", "opponent", "mover", "both lines at once: the mover wins, not the opponent"),
    ("both_lines", "opponent", "draw", "both lines at once: a draw"),
    ("reveal", "loses", "forbidden", "a lift that reveals a line is forbidden"),
    ("reveal", "loses", "ignored", "only the line of the player who moved counts"),
    ("place_onto", "smaller", "empty", "new pieces onto empty squares only"),
    ("place_onto", "smaller", "threat", "new pieces onto empty squares or a threatening line"),
    ("cover", "any", "opponent", "only pieces of the opponent may be covered"),
    ("cover", "any", "own", "only own pieces may be covered"),
    ("cover", "any", "none", "no piece may be covered"),
    ("line_sizes", "any", "equal", "lines of one size only"),
    ("line_sizes", "any", "rising", "lines of rising sizes only"),
    ("wrap", False, True, "lines go over the edge of the board"),
    ("misere", False, True, "a line loses instead of winning"),
    ("moving", True, False, "pieces on the board stay where they are"),
    ("same_square", False, True, "a lifted piece may be put back"),
    ("reserve", "loose", "nested", "the reserve is stacks"),
    ("no_move", "loses", "draw", "a player without a move draws"),
    ("draw_all_placed", False, True, "the game is drawn when all pieces are on the board"),
    ("draw_board_full", False, True, "the game is drawn when no square is empty"),
)
"""What `_influence` compares: a field, two of its values, and the change in words."""


def _influence(rows: list[Row]) -> str:
    lines = [
        "## What one rule changes",
        "",
        "Pairs of games that differ in one rule alone: how often the change alters the result of "
        "the game, and how often only its length.",
        "",
        "| change | pairs | other result | win becomes draw | draw becomes win | other length |",
        "|---|---|---|---|---|---|",
    ]
    for key, first, second, words in CHANGES:
        both = pairs(rows, key, first, second)
        if both:
            lines.append(
                f"| {words} | {len(both):,} | {_count(both, lambda a, b: a.value != b.value)} "
                f"| {_count(both, lambda a, b: (a.value, b.value) == ('win', 'draw'))} "
                f"| {_count(both, lambda a, b: (a.value, b.value) == ('draw', 'win'))} "
                f"| {_count(both, lambda a, b: a.value == b.value and a.distance != b.distance)} |"
            )
    return "\n".join(lines) + "\n"


def _count(both: list[tuple[Row, Row]], is_counted: Callable[[Row, Row], bool]) -> str:
    return f"{sum(is_counted(first, second) for first, second in both):,}"
