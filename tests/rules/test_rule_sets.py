"""Rule sets as values of Python, and what they inherit; `test_rules_files` has the rest."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nestline.errors import RuleSetError
from nestline.rules import load_rules
from nestline.rules.ruleset import _looks_like_a_path
from support.helpers import built_rules


def test_a_rule_set_does_not_change() -> None:
    with pytest.raises(AttributeError):
        load_rules("gobblers").board = 4  # type: ignore[misc]


def test_references_are_quoted_whatever_their_characters() -> None:
    path = 'games/😀 é \\ ".toml'
    quoted = replace(load_rules("gobblers"), reference=path).quoted_reference
    assert eval(quoted) == path
    assert "😀 é" in quoted


@pytest.mark.parametrize(
    ("fields", "covers"),
    [({}, True), ({"stock": (2,)}, False), ({"stock": (2, 2)}, True), ({"cover": "none"}, False),
     ({"cover": "own"}, True)],
)  # fmt: skip
def test_whether_pieces_can_be_covered(fields: dict[str, Any], covers: bool) -> None:
    assert built_rules(**fields).covers == covers


@pytest.mark.parametrize(
    ("changes", "visibility"),
    [
        ("", "memory"), ("stock = [2, 2]", "memory"), ("stock = [2]", "open"),
        ('cover = "none"\nplace_onto = "empty"', "open"), ('visibility = "open"', "open"),
    ],
)  # fmt: skip
def test_covered_pieces_stay_secret_where_there_are_any(
    changes: str, visibility: str, tmp_path: Path
) -> None:
    (tmp_path / "parent.toml").write_text('like = "gobblers"\nvisibility = "memory"\n')
    child = tmp_path / "child.toml"
    child.write_text(f'like = "parent.toml"\n{changes}\n')
    assert load_rules(child).visibility == visibility


def test_sources_are_inherited_with_their_values(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('like = "gobblers"\nboard = 4\n')
    parent, child = load_rules("gobblers"), load_rules(file)
    assert child.sources["line"] == parent.sources["line"]
    assert child.sources["board"] == str(file)


def test_a_file_has_a_greatest_size(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    text = 'like = "gobblers"\n'
    file.write_text(text + "#" * (65_536 - len(text)))
    assert load_rules(file).board == 3
    file.write_text(text + "#" * (65_537 - len(text)))
    with pytest.raises(RuleSetError) as error:
        load_rules(file)
    assert str(error.value) == f"{file}: a rule set has at most 65,536 bytes"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleSetError) as error:
        load_rules(tmp_path / "none.toml")
    told = f"{tmp_path / 'none.toml'}: the rule set cannot be read: no such file or directory"
    assert str(error.value) == told


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_paths_are_told_from_names_on_every_system(
    separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setattr(os, "sep", separator)
        found = [_looks_like_a_path(text) for text in (f"a{separator}b", "a/b", "a.toml", "a")]
    assert found == [True, True, True, False]
