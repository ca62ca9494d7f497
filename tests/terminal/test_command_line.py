"""What all commands share: help, examples, mistyped words, shell completion."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from nestline.terminal.examples import EXAMPLES
from nestline.terminal.main import cli

NARROW = 40


def all_commands(
    command: click.Command = cli, name: str = "nestline", parent: click.Context | None = None
) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    yield context.command_path
    if isinstance(command, click.Group):
        for inner_name in command.list_commands(context):
            inner = command.get_command(context, inner_name)
            assert inner is not None
            yield from all_commands(inner, inner_name, context)


def run(words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *shlex.split(words)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def test_every_command_has_examples_that_its_own_parser_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text('like = "gobblers"\n')
    monkeypatch.chdir(tmp_path)
    assert set(EXAMPLES) == set(all_commands())
    for path, examples in EXAMPLES.items():
        assert any(example.startswith(path) for example in examples)
        for example in examples:
            program, *words = shlex.split(example)
            command: click.Command = cli
            context = cli.make_context(program, [])
            while isinstance(command, click.Group) and words:
                name = words.pop(0)
                inner = command.get_command(context, name)
                assert inner is not None, example
                command = inner
                if isinstance(command, click.Group):
                    context = click.Context(command, parent=context, info_name=name)
                else:
                    context = command.make_context(name, words.copy(), parent=context)


@pytest.mark.parametrize("path", EXAMPLES)
def test_h_is_short_for_help_and_help_fits_a_narrow_screen(path: str) -> None:
    page = run(f"{path} -h").stdout
    for example in EXAMPLES[path]:
        assert f"\n    {example}\n" in page
    narrow = run(f"{path} --help", COLUMNS=str(NARROW)).stdout
    assert [line for line in narrow.splitlines() if len(line) > NARROW] == []
    assert _letters(page) == _letters(narrow)


def test_a_group_without_a_command_shows_its_help() -> None:
    finished = run("nestline rules")
    assert finished.returncode == 2
    assert "\nCommands:\n  check " in finished.stderr


def _letters(page: str) -> str:
    return re.sub(r"[\s-]", "", page)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        ("nestline pley", "play"),
        ("nestline analyze gobblers", "analyse"),
        ("nestline rules shwo gobblers", "show"),
        ("nestline play --ruels gobblers", "--rules"),
        ("nestline perft goblers 2", "gobblers"),
        ("nestline rules show Gobblet", "gobblet"),
        ("nestline analyse goblers", "gobblers"),
        ("nestline play --rules gobblers --level hrad", "hard"),
        ("nestline play --visibility opne", "open"),
        ("nestline solve gobblers --device cdua", "cuda"),
    ],
)
def test_a_mistyped_word_is_answered_by_the_nearest(words: str, suggestion: str) -> None:
    finished = run(words)
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1
    assert f"(did you mean {suggestion}?)" in finished.stderr


def test_what_is_like_nothing_gets_no_suggestion() -> None:
    assert "did you mean" not in run("nestline dance").stderr
    assert "did you mean" not in run("nestline perft chess 2").stderr


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("nestline ru", {"rules"}),
        ("nestline perft gobblers-", {"gobblers-official"}),
        ("nestline analyse tic", {"tictactoe"}),
        ("nestline picture start --rules gobblet-", {"gobblet-house"}),
        ("nestline match easy hard --rules tic", {"tictactoe"}),
        ("nestline play --level e", {"easy"}),
        ("nestline match ha", {"hard"}),
        ("nestline rules show g", {"gobblers", "gobblers-official", "gobblet", "gobblet-house"}),
    ],
)
def test_the_shell_completes_commands_rule_sets_and_levels(typed: str, offered: set[str]) -> None:
    shown = run(
        "nestline",
        _NESTLINE_COMPLETE="bash_complete",
        COMP_WORDS=typed,
        COMP_CWORD=str(len(typed.split()) - 1),
    ).stdout
    pairs = [line.split(",", 1) for line in shown.splitlines()]
    assert {value for kind, value in pairs if kind == "plain"} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_page_says_how_to_switch_completion_on(shell: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "play" / "terminal.md").read_text("utf-8")
    assert f"_NESTLINE_COMPLETE={shell}_source nestline" in page
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("click asks bash for its version")
    script = run("nestline", _NESTLINE_COMPLETE=f"{shell}_source").stdout
    assert f"_NESTLINE_COMPLETE={shell}_complete" in script
