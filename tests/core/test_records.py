"""Several records in one text, and records that name no rule set."""

import time
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from nestline.errors import NestlineError, NotationError
from nestline.record import read_record, read_records, write_record, write_records
from nestline.rules import load_rules

TWO = """[Rules "gobblers"]
[Date "2001-02-03"]

1. 3b2 {not a tag: [Rules "chess"]} (1. 2b2 3a1) 3a1
; nor is this: [Rules "chess"]

[Rules "tictactoe"]

1. b2 a1 1-0 {the end}
"""


def test_records_are_told_apart_by_tags_and_results() -> None:
    first, second = read_records(TWO)
    assert (first.rules.name, len(first.moves), first.tags["Date"]) == ("gobblers", 2, "2001-02-03")
    assert (second.rules.name, len(second.moves), second.result) == ("tictactoe", 2, "1-0")
    untagged = read_records("1. 3b2 3a1 * {so far} 1. 2a1 * 1. 1c3", rules=load_rules("gobblers"))
    assert [len(record.moves) for record in untagged] == [2, 1, 1]


def test_what_is_written_is_read_again() -> None:
    records = read_records(TWO)
    assert read_records(write_records(records)) == records


def test_the_rule_set_in_use_is_for_records_that_name_none() -> None:
    records = read_records("\ufeff1. b2 *\n" + TWO, rules=load_rules("tictactoe"))
    assert [record.rules.name for record in records] == ["tictactoe", "gobblers", "tictactoe"]


def test_moves_alone_are_a_record_of_the_rules_in_use() -> None:
    record = read_record("1. 3b2 3a1", rules="gobblers")
    assert (record.rules.name, list(map(str, record.moves))) == ("gobblers", ["3b2", "3a1"])
    assert read_record('[Rules "tictactoe"] 1. b2', rules="gobblers").rules.name == "tictactoe"
    with pytest.raises(NotationError, match="which names the rule set, is missing"):
        read_record("1. 3b2 3a1")


def test_many_records_take_no_longer_each() -> None:
    def seconds_for(count: int) -> float:
        began = time.process_time()
        assert len(read_records(TWO * count)) == 2 * count
        return time.process_time() - began

    assert seconds_for(1600) < 8 * 3 * seconds_for(200) + 0.1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "there is no record in this text"),
        ("\n \n", "there is no record in this text"),
        ("1. 3b2 3a1", "the tag .* which names the rule set, is missing"),
        (TWO + '[Rules "gobblers"]\n1. 3b2 zz', "line 11: move 1 of P2: 'zz' is not a move"),
        (TWO + "{", "the tag .* which names the rule set, is missing"),
    ],
)
def test_what_cannot_be_read(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        read_records(text)


def nested(depth: int) -> str:
    """A record whose variations are nested this deep."""
    return '[Rules "gobblers"] 1. 3b2' + " (1. 2b2" * depth + ")" * depth + " *"


def test_variations_are_nested_thirty_deep_and_no_deeper() -> None:
    assert read_record(nested(30)).moves
    with pytest.raises(NotationError, match="nested more than 30 deep"):
        read_record(nested(31))


def test_a_start_with_the_wrong_turn_is_refused_unless_the_record_is_an_old_one() -> None:
    text = '[Rules "tictactoe"] [Position "x3/x3/x3 b"] *'
    with pytest.raises(NestlineError, match="cannot be O's turn"):
        read_record(text)
    assert str(read_record(text, lenient=True).start) == "x3/x3/x3 b"
    with pytest.raises(NestlineError, match="cannot be O's turn"):
        read_records(text)


def test_only_files_are_looked_for_in_the_folder(tmp_path: Path) -> None:
    with pytest.raises(NestlineError, match=r"^unknown rule set 'chess'"):
        read_record('[Rules "chess"] *', folder=tmp_path)
    (tmp_path / "mine.toml").write_text('like = "gobblers"\nrepetition = 0\n', "utf-8")
    assert read_record('[Rules "mine.toml"] *', folder=tmp_path).rules.repetition == 0


def test_blank_lines_count_up_to_a_broken_tag() -> None:
    with pytest.raises(NotationError, match=r"^line 4: a tag is written like"):
        read_record('\n\n[Rules "gobblers"]\n[Date 2024]\n\n')


def test_records_cannot_be_changed() -> None:
    record = read_record("1. 3b2", rules="gobblers")
    for value in (record, record.line, record.line.moves[0]):
        with pytest.raises(FrozenInstanceError):
            value.comment = "else"  # type: ignore[union-attr,misc]


def test_words_longer_than_a_line_stay_whole() -> None:
    record = read_record(f"1. 3b2 {{{'a' * 100}}} *", rules="gobblers")
    assert f"\n{{{'a' * 100}}}\n" in write_record(record)


@pytest.mark.parametrize("padding", range(10))
def test_lines_are_broken_between_words_only(padding: int) -> None:
    comment = "." * padding + " half-move" * 20
    record = read_record(f'[Rules "gobblers"] 1. 3b2 {{{comment.strip()}}} *')
    text = write_record(record)
    assert max(map(len, text.splitlines())) <= 80
    assert "-\n" not in text
    assert read_record(text) == record
