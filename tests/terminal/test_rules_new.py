"""`nestline rules new`: a rule set designed by options, or by questions."""

import json
import shlex
import sys
from pathlib import Path

import click
import pytest

from nestline.rules import load_rules
from nestline.rules.explained import EXPLAINED, GROUPS, LOOKS, TABLE
from nestline.rules.schema import FIELDS
from nestline.terminal.commands import rules_new
from support.code_blocks import code_blocks
from support.command_line import nestline

PAGE = Path(__file__).parents[2] / "docs" / "play" / "workshop.md"


def test_the_documentation_shows_what_is_printed(tmp_path: Path) -> None:
    (block,) = code_blocks(PAGE)
    command, _, printed = block.text.removeprefix("$ nestline ").partition("\n")
    assert nestline(*shlex.split(command), folder=tmp_path).stdout == printed


def test_options_make_a_design_and_a_file(tmp_path: Path) -> None:
    run = nestline(
        "rules", "new", "--like", "gobblers", "--stock", "1,1,1", "--title", "Tiny game",
        "-o", "tiny.toml", folder=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    design = "gobblers.title-Tiny_game.stock-1-1-1"
    assert f"Tiny game: {design}" in run.stdout
    assert "Solved: a draw, if both play well." in run.stdout
    assert f"nestline play --rules {design}" in run.stdout
    written = load_rules(tmp_path / "tiny.toml")
    assert written.fields() == load_rules(design).fields()


def test_who_wins_is_told_at_once() -> None:
    run = nestline("rules", "new", "--like", "gobblers", "--title", "The same")
    assert "Solved: P1, who begins, wins in 13 moves." in run.stdout
    options = ("--moving", "no", "--repetition", "0", "--no-move", "draw")
    facts = json.loads(nestline("rules", "new", *options, "--json").stdout)
    assert facts["design"] == "gobblers.title-My_game.moving-no.no_move-draw.repetition-0"
    assert (facts["solved"]["value"], facts["solved"]["reachable"]) == ("draw", 148_599_441)


def test_a_game_too_large_for_the_atlas() -> None:
    run = nestline("rules", "new", "--like", "gobblet", "--line", "3")
    assert "Nobody knows who wins" in run.stdout
    assert "nestline solve" not in run.stdout
    run = nestline("rules", "new", "--like", "gobblet", "--line", "3", "--solve")
    assert (run.returncode, run.stdout) == (2, "")
    assert "too large to be solved at once" in run.stderr


def test_a_small_game_is_solved() -> None:
    options = ("--board", "2", "--line", "2", "--stock", "1,1", "--same-square", "yes")
    unknown = nestline("rules", "new", *options)
    assert "Not solved yet: this game is not in the atlas" in unknown.stdout
    assert "nestline solve gobblers.title-My_game.board-2" in unknown.stdout
    assert (
        "Solved: P1, who begins, wins in 3 moves."
        in nestline("rules", "new", *options, "--solve").stdout
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--stock", "2,2,3", "--reserve", "nested"), "[2, 2, 3] does not nest"),
        (("--stock", "2,x"), 'stock: [2, "x"] is not allowed'),
        (("--moving", "perhaps"), 'moving: "perhaps" is not allowed; it takes yes or no'),
        (("--players", "Ann"), 'players: ["Ann"] is not allowed'),
        (("--like", "goblers"), "did you mean gobblers?"),
    ],
)
def test_what_cannot_be_played_is_refused(
    options: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    run = nestline("rules", "new", *options, "-o", "rules.toml", folder=tmp_path)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_questions_explain_every_field_and_ask_again(tmp_path: Path) -> None:
    """An empty answer keeps a value; wrong ones and contradictions are told, and asked again."""
    answers = {"board": ["5", ""], "moving": ["no"]}
    typed = ["", "Mine"]
    for group in GROUPS:
        keys = [key for key in FIELDS if EXPLAINED[key].group == group and key != "title"]
        typed += ["y"] if group in (TABLE, LOOKS) else []
        typed += [text for key in keys for text in answers.get(key, [""])]
    typed += ["0", ""]
    run = nestline("rules", "new", "-o", "mine.toml", text="\n".join(typed), folder=tmp_path)
    assert run.returncode == 0, (run.stdout, run.stderr)
    for key in FIELDS:
        assert EXPLAINED[key].words in run.stdout
    assert "5 is not allowed; it takes a whole number from 1 to 4" in run.stdout
    assert "repetition: 3 contradicts moving = false" in run.stdout
    assert "gobblers.title-Mine.moving-no.repetition-0" in run.stdout
    assert load_rules(tmp_path / "mine.toml").moving is False


def test_questions_break_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda *_, **__: "3")
    assert rules_new._ask("repetition", 3) == 3
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 60
    assert " ".join(lines).strip().endswith(EXPLAINED["repetition"].words)


def test_every_field_is_explained() -> None:
    for key in FIELDS:
        words = EXPLAINED[key]
        assert words.group in GROUPS
        known = [choice for choice in FIELDS[key].choices if not isinstance(choice, bool | int)]
        assert set(known) <= set(words.choices), key
        assert words.words.endswith("."), key
