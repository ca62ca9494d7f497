"""Every code block of the documentation is run by a test, or says why not; its commands exist."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from fastapi import FastAPI

from nestline import Game, read_record
from nestline.terminal.main import cli
from nestline.web.app import add_endpoints
from support.code_blocks import Block, code_blocks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")])
by_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def is_accounted_for(block: Block, page: Path) -> bool:
    """Whether it is a doctest, an excerpt with a reason, or run by a test that names its page."""
    if block.session:
        return True
    if block.excerpt:
        return len(block.mark.removeprefix("excerpt: ").split()) >= 3
    named = re.fullmatch(r"run by (tests/[\w/]+\.py)", block.mark)
    test = ROOT / named[1] if named else None
    if page.parent.name == "tutorials" and not block.mark:
        test = ROOT / "tests" / "project" / "test_tutorials.py"
    return test is not None and test.exists() and page.name in test.read_text("utf-8")


@by_name
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    assert [block for block in code_blocks(page) if not is_accounted_for(block, page)] == []
    fences = re.findall(r"^ *```", page.read_text("utf-8"), re.M)
    assert len(fences) == 2 * len(code_blocks(page)), "a fence that is not understood"


@pytest.mark.parametrize(
    "block",
    [
        Block("", "python", "from nestline import Game\n"),
        Block("", "", "nestline play\n"),
        Block("excerpt: long", "", "nestline play\n"),
        Block("run by tests/project/test_nothing.py", "python", "pass\n"),
        Block("run by tests/project/test_imports.py", "python", "pass\n"),
    ],
)
def test_a_block_that_nothing_runs_is_noticed(block: Block) -> None:
    assert not is_accounted_for(block, DOCS / "research" / "tables.md")


def commands(page: Path) -> list[list[str]]:
    """The words of every `nestline …` of a page, in blocks and in running text."""
    text = page.read_text("utf-8")
    code = "".join(block.text for block in code_blocks(page)).replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?(?:\w+=\S+ )?nestline ([a-z-].*?)(?:  .*| #.*)?$", code, re.M)
    lines += re.findall(r"`nestline ([a-z-][^`\n]*)`", text)
    return [shlex.split(line) for line in lines]


def check(words: list[str]) -> None:
    """Fail unless the command and its options exist and choices are among those offered.

    WORDS in capitals stand for a value, and an option at the end may be without one.
    """
    command: click.Command = cli
    context = click.Context(cli, info_name="nestline")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        assert found is not None, words
        context, command, words = click.Context(found, context, words[0]), found, words[1:]
    value_of_the_last = ["…"] if words and words[-1].startswith("-") else []
    options, _, _ = command.make_parser(context).parse_args([*words, *value_of_the_last])
    for parameter in command.params:
        value = options.get(str(parameter.name))
        if (
            isinstance(parameter.type, click.Choice)
            and isinstance(value, str)
            and not value.isupper()
        ):
            parameter.type.convert(value, parameter, context)


@by_name
def test_commands_and_their_options_exist(page: Path) -> None:
    for words in commands(page):
        try:
            check(words)
        except click.ClickException as error:
            pytest.fail(f"nestline {' '.join(words)}: {error.format_message()}")


@pytest.mark.parametrize(
    "line", ["solv gobblers", "solve gobblers --stat-s", "prove x --for nobody"]
)
def test_commands_that_do_not_exist_are_noticed(line: str) -> None:
    with pytest.raises((click.ClickException, AssertionError)):
        check(line.split())


def test_the_record_of_notation_md_can_be_read() -> None:
    (block,) = (each for each in code_blocks(DOCS / "program" / "notation.md") if not each.session)
    game = Game.from_record(read_record(block.text))
    assert [str(move) for move in game.moves] == ["3b2", "3a1", "2c3"]


def test_answers_in_api_md_have_the_fields_of_the_server() -> None:
    """`Board` and `Game` stand for such an object, and … for more of the same."""
    api = FastAPI()
    add_endpoints(api)
    schemas = api.openapi()["components"]["schemas"].values()
    shapes = [set(schema["properties"]) for schema in schemas if "properties" in schema]

    def compare(value: Any) -> None:
        if isinstance(value, dict):
            by_seat_or_square = all(re.fullmatch(r"first|second|[a-d][1-4]", key) for key in value)
            assert by_seat_or_square or any(set(value) <= shape for shape in shapes), value
            for inner in value.values():
                compare(inner)
        for inner in value if isinstance(value, list) else ():
            compare(inner)

    blocks = [
        block for block in code_blocks(DOCS / "program" / "api.md") if block.language == "json"
    ]
    assert len(blocks) >= 8
    for block in blocks:
        text = re.sub(r": (Board|Game)\b", ": null", block.text).replace(", …]", "]")
        compare(json.loads(text))
