"""Designs: rule sets as one word, which works wherever a name does."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nestline.errors import RuleSetError
from nestline.game import Game
from nestline.record import read_record
from nestline.rules import is_design, load_rules, rule_set_names
from nestline.rules.design import LONGEST_DESIGN, design_file, read_design, write_design
from nestline.rules.schema import FIELDS

DESIGN = "gobblers.title-Tiny.stock-1-1-1"


def test_a_design_is_a_rule_set() -> None:
    rules = load_rules(DESIGN)
    assert (rules.name, rules.reference, rules.title) == (DESIGN, DESIGN, "Tiny")
    assert eval(repr(rules), {"load_rules": load_rules}) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    same = {**load_rules("gobblers").fields(), "title": "Tiny", "summary": "", "stock": (1, 1, 1)}
    assert rules.fields() == same


def test_a_record_carries_its_rules(tmp_path: Path) -> None:
    game = Game(DESIGN)
    game.play("1a1")
    text = str(game.to_record())
    assert f'[Rules "{DESIGN}"]' in text
    assert read_record(text, tmp_path).rules == load_rules(DESIGN)


def test_names_and_paths_stay_what_they_were() -> None:
    assert not any(
        map(is_design, (*rule_set_names(), "gobblers.toml", "./gobblers.stock-1", "x.y-1"))
    )
    with pytest.raises(RuleSetError, match="cannot be read"):
        load_rules("gobblers.toml")


@given(
    st.sampled_from(rule_set_names()),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    st.lists(st.integers(1, 16), min_size=1, max_size=4),
    st.booleans(),
)
def test_what_is_written_is_read(like: str, title: str, stock: list[int], moving: bool) -> None:
    design = write_design(like, {"title": title, "stock": tuple(stock), "moving": moving})
    assert read_design(design) == (like, {"title": title, "stock": stock, "moving": moving})
    assert set(design) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._*")


def test_designs_that_people_have_shared_stay_readable() -> None:
    changes = {"moving": False, "wrap": True, "title": "Großes 😀"}
    design = "gobblers.title-Gro*C3*9Fes_*F0*9F*98*80.wrap-yes.moving-no"
    assert write_design("gobblers", changes) == design
    assert load_rules(f"{design}.repetition-0").title == "Großes 😀"


def test_every_field_can_be_changed() -> None:
    """A design of all fields of one set, on top of another, is that set."""
    for name in rule_set_names():
        rules = load_rules(name)
        design = write_design("gobblet", rules.fields())
        assert len(design) < LONGEST_DESIGN
        assert load_rules(design).fields() == rules.fields()
        assert list(read_design(design)[1]) == list(FIELDS)


def test_it_cannot_say_more_than_a_rule_set() -> None:
    """Line breaks in a design do not reach the file that is made from it."""
    with pytest.raises(RuleSetError, match="unknown field"):
        load_rules("gobblers.stock\nboard-1")
    assert design_file("gobblers.title-*0Aboard_*3D_1").count("\n") == 2
    with pytest.raises(RuleSetError, match="title"):
        load_rules("gobblers.title-*0Aboard_*3D_1")


@pytest.mark.parametrize(
    ("design", "told"),
    [
        ("gobblers.stock", "gobblers.stock: 'stock' is not a change; one is written like "),
        ("gobblers.stok-3", "gobblers.stok-3: unknown field 'stok' (did you mean stock?); allowed"),
        ("gobblers.moving-no.moving-no", "gobblers.moving-no.moving-no: moving is changed twice"),
        ("gobblers.title-*FF", "gobblers.title-*FF: title: '*FF' is not Unicode text"),
        (
            "gobblers.misere-true",
            "gobblers.misere-true: misere: 'true' is not allowed; it takes yes or no",
        ),
        ("gobblers.title-" + "x" * 986, "a design has at most 1,000 characters"),
    ],
)
def test_what_is_no_design_is_refused(design: str, told: str) -> None:
    with pytest.raises(RuleSetError) as error:
        read_design(design)
    assert str(error.value).startswith(told)


def test_values_are_read_by_their_kind() -> None:
    design = "gobblers.board-9.line-1-2.stock-3.repetition-12345.players-A-B.summary-a-b"
    assert read_design(design)[1] == {
        "board": 9, "line": [1, 2], "stock": [3], "repetition": "12345", "players": ["A", "B"],
        "summary": "a-b",
    }  # fmt: skip
    assert len(read_design("gobblers.title-" + "x" * 985)[1]["title"]) == 985
