"""Rule sets as values of Python; `test_rules_files` reads them."""

from dataclasses import replace
from typing import Any

import pytest

from nestline.rules import load_rules
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
