"""The pages about the rules under test: their tables against the documents, tests and rule sets.

Every word of the five documents outside headings, drawings and code is in a row of the table; every
row quotes its document; every row and its tests name each other.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nestline import Game, Position, Seat, Status, kernel, load_rules, notation, rule_set_names
from nestline.draw import text_board
from nestline.engine.players.levels import make_player
from nestline.perft import count_sequences
from nestline.rules.schema import FIELDS
from nestline.terminal.main import COMMANDS

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
TRACEABILITY = (DOCS / "contribute" / "traceability.md").read_text("utf-8")
FIELDS_PAGE = (DOCS / "program" / "fields.md").read_text("utf-8")
PERFT_PAGE = (DOCS / "program" / "perft.md").read_text("utf-8")
MANUAL = (DOCS / "play" / "rules.md").read_text("utf-8")
DOCUMENTS = ("000", "001", "002", "003", "004")
NO_TEST = "–"
NOT_A_RULE = "not a rule: "

_BULLET = re.compile(r"^\s*(?:[-*]|\d+\.|[a-d]\))\s+(?:\[ \]\s+)?")
_DRAWING = re.compile(r"^\s*(?:[A-D] )?[+|]|^\s+A\s+B\s+C\s+D\s*$")
_LAYOUT = ("---", "<header>", "</header>")


class Row(NamedTuple):
    """One row of a document's table."""

    section: str
    sentence: str
    what: str
    tests: tuple[str, ...]


class Section(NamedTuple):
    """The words under one heading of a document: all of them, and those that need a row."""

    everything: str
    sentences: str


class Quote(NamedTuple):
    """What a test's docstring quotes."""

    section: str
    sentence: str


def tidy(text: str) -> str:
    return " ".join(text.split())


@cache
def sections(document: str) -> dict[str, Section]:
    """The document split at its headings, without bullets and item numbers."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    everything, sentences = [], []
    in_code = False
    for line in (HERE / "sources" / f"{document}.txt").read_text("utf-8").splitlines():
        if line.strip().startswith("```"):
            in_code = not in_code
        elif line.startswith("#") and not in_code:
            everything, sentences = found.setdefault(line.strip("# "), ([], []))
        elif line.strip() not in _LAYOUT:
            everything.append(_BULLET.sub("", line))
            if not in_code and not _DRAWING.match(line):
                sentences.append(_BULLET.sub("", line))
    return {name: Section(tidy(" ".join(both)), tidy(" ".join(some)))
            for name, (both, some) in found.items()}  # fmt: skip


def table_after(heading: str, page: str = TRACEABILITY) -> list[list[str]]:
    """The cells of the first table after a line of a page, without its header."""
    lines = page[page.index(heading) + len(heading) :].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        rows.append([cell.strip().replace("\\|", "|") for cell in cells])
    return rows


@cache
def rows(document: str) -> tuple[Row, ...]:
    found = []
    for section, sentence, what, tests in table_after(f"### Document {document}:"):
        names = () if tests == NO_TEST else tuple(name.strip("`") for name in tests.split("<br>"))
        found.append(Row(section, sentence, what, names))
    return tuple(found)


@cache
def quotes(document: str) -> dict[str, tuple[Quote, ...]]:
    """For each test of a document, as file::name, what its docstring quotes."""
    found = {}
    for file in sorted(HERE.glob(f"test_{document}_*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                text = tidy(ast.get_docstring(node) or "")
                found[f"{file.name}::{node.name}"] = tuple(_quotes_in(text, document))
    return found


def _quotes_in(docstring: str, document: str) -> Iterator[Quote]:
    """Quotes are written as: Section: "sentence" / "another one" / Other section: "sentence"."""
    section = ""
    for part in docstring.removesuffix('".').split('" / '):
        named = [name for name in sections(document) if part.startswith(f'{name}: "')]
        if named:
            section = named[0]
            part = part.removeprefix(f"{section}: ")
        assert section, f"{docstring!r} begins with no section of document {document}"
        assert part.startswith('"'), f"{part!r} is not a quotation"
        yield Quote(section, part[1:])


def test_pages_are_not_empty() -> None:
    """The tables are where this file looks for them."""
    assert {document: len(rows(document)) > 15 for document in DOCUMENTS} == dict.fromkeys(
        DOCUMENTS, True
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_rows_quote_the_document(document: str) -> None:
    """Each sentence of the table is in its section of the document, word for word."""
    for row in rows(document):
        assert row.section in sections(document), row
        assert row.sentence in sections(document)[row.section].everything, row


@pytest.mark.parametrize("document", DOCUMENTS)
def test_document_is_covered(document: str) -> None:
    """Each word of the document, outside headings, drawings and code, is in a row."""
    for name, section in sections(document).items():
        covered = bytearray(len(section.sentences))
        for row in rows(document):
            if row.section == name:
                for match in re.finditer(re.escape(row.sentence), section.sentences):
                    covered[match.start() : match.end()] = b"\1" * len(match[0])
        missing = "".join(
            letter if not done else " "
            for letter, done in zip(section.sentences, covered, strict=True)
        )
        assert not missing.split(), f"{document}, {name}: no row for {tidy(missing)!r}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_rule_has_a_test(document: str) -> None:
    """A row names tests, or says why the sentence is not a rule."""
    for row in rows(document):
        assert bool(row.tests) != row.what.startswith(NOT_A_RULE), row


@pytest.mark.parametrize("document", DOCUMENTS)
def test_rows_and_tests_name_each_other(document: str) -> None:
    """The tests of a row exist and quote it; each test's quotations have a row with its name."""
    table = {(row.section, row.sentence, test) for row in rows(document) for test in row.tests}
    written = {(*quote, test) for test, found in quotes(document).items() for quote in found}
    assert table == written


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_rows_name_exists(document: str) -> None:
    """Names in the third column are fields of rule sets, functions, or commands."""
    for row in rows(document):
        names = re.findall(r"`([^`]+)`", row.what)
        assert names or row.what.startswith(NOT_A_RULE), row
        for name in names:
            assert name in FIELDS or _exists(name), f"{name} in {row}"


def _exists(name: str) -> bool:
    if name.startswith("nestline "):
        return name.removeprefix("nestline ") in COMMANDS
    known: dict[str, Any] = {
        "Game": Game("tictactoe"),
        "Position": Position.start("tictactoe"),
        "RuleSet": load_rules("tictactoe"),
        "Seat": Seat,
        "Status": Status,
        "kernel": kernel,
        "make_player": make_player,
        "notation": notation,
        "text_board": text_board,
    }
    first, _, attribute = name.partition(".")
    return first in known and (not attribute or hasattr(known[first], attribute))


def test_every_field_is_described() -> None:
    """The table of fields has every field in order, with what the schema allows."""
    described = [
        (name.strip("`"), allowed) for name, allowed, _ in table_after("what it does:", FIELDS_PAGE)
    ]
    assert described == [(name, field.allowed) for name, field in FIELDS.items()]


def test_values_of_the_five_sets() -> None:
    """The table of values is what the files say, and marks what is ours."""
    table = {
        name.strip("`"): values for name, *values in table_after("## The five sets", FIELDS_PAGE)
    }
    assert set(table) == set(FIELDS) - {"title", "summary", "colours"}
    for column, name in enumerate(rule_set_names()):
        rules = load_rules(name)
        for field, values in table.items():
            ours = rules.sources[field].startswith("ours")
            shown = values[column].removesuffix(" (ours)")
            assert _written(getattr(rules, field)) == shown, (name, field)
            assert values[column].endswith(" (ours)") == ours, (name, field)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and isinstance(value[0], str):
        return ", ".join(value)
    return json.dumps(value)


def test_which_values_are_ours() -> None:
    """The list of what is ours is complete, with the reasons of the files."""
    listed = {(name.strip("`"), field.strip("`"), why)
              for name, field, why in table_after("## Which values are ours")}  # fmt: skip
    expected = {
        (name, field, source.removeprefix("ours: "))
        for name in rule_set_names()
        for field, source in load_rules(name).sources.items()
        if source.startswith("ours")
    }
    assert listed == expected


def test_which_readings_are_ours() -> None:
    """Each reading quotes its document, and a rule set's file that marks one is listed."""
    listed = {(document, sentence) for document, sentence, _, _ in
              table_after("## Which readings are ours")}  # fmt: skip
    for document, sentence in listed:
        assert any(sentence in part.everything for part in sections(document).values()), sentence
    for name in rule_set_names():
        for source in load_rules(name).sources.values():
            if "; ours: " in source:
                assert any(source.startswith(document) for document, _ in listed), source
    assert {document for document, _ in listed} == {"000", "002", "003"}


def test_perft_numbers() -> None:
    """The perft numbers, as deep as a moment allows."""
    names = ("tictactoe", "gobblers", "gobblet", "gobblet-house")
    for depth, *numbers in table_after("# Perft", PERFT_PAGE):
        for name, number in zip(names, numbers, strict=True):
            if number and int(number) < 1_000_000:
                start = Position.start(name)
                assert count_sequences(start, int(depth)).nodes == int(number)


def test_trade_name_sentence() -> None:
    """The page says what the names of games are used for."""
    assert (
        "Gobblet is a publisher's trade name; we use the names of games only to say which rules a "
        "rule set follows." in tidy(MANUAL)
    )
