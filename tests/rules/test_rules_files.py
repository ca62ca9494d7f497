"""Rule set files: what is refused and with which words; inheritance; sources; users' own files.

`test_against_naive_rules` checks what the fields do to a game.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nestline.errors import RuleSetError
from nestline.game import Game
from nestline.position import Outcome, Position, Side
from nestline.record import read_record, write_record
from nestline.rules import RuleSet, load_rules, rule_set_names
from nestline.rules.schema import FIELDS
from support.helpers import FIVE_NAMES, toml_text


def write(folder: Path, text: str, name: str = "mine.toml") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def refusal(path: str) -> str:
    with pytest.raises(RuleSetError) as caught:
        load_rules(path)
    told = str(caught.value)
    assert len(told.splitlines()) == 1, "one line"
    return told


def changed(folder: Path, values: Mapping[str, Any], like: str = "gobblers") -> str:
    return write(folder, toml_text(values, like))


# Keys and values.


def test_unknown_key(tmp_path: Path) -> None:
    path = write(tmp_path, 'like = "gobblers"\nbord = 3\n')
    told = refusal(path)
    assert told.startswith(
        f"{path}: unknown key 'bord' (did you mean board?); allowed are like, title, "
    )
    assert all(key in told for key in FIELDS)


@pytest.mark.parametrize("key", ["name", "reference", "sources", "sizes", "squares", "law"])
def test_attributes_that_are_no_keys(tmp_path: Path, key: str) -> None:
    assert f"unknown key '{key}'" in refusal(write(tmp_path, f'like = "gobblers"\n{key} = "x"\n'))


NEEDED = [key for key, field in FIELDS.items() if field.default is None]


@pytest.mark.parametrize("key", NEEDED)
def test_missing_key(tmp_path: Path, key: str) -> None:
    values = {name: value for name, value in load_rules("gobblers").fields().items() if name != key}
    path = write(tmp_path, toml_text(values))
    told = refusal(path)
    assert told.startswith(f"{path}: the key '{key}' is missing; it takes {FIELDS[key].allowed}")
    assert 'like = "gobblers"' in told


def test_keys_that_files_of_earlier_versions_lack(tmp_path: Path) -> None:
    values = {name: load_rules("gobblers").fields()[name] for name in NEEDED}
    rules = load_rules(write(tmp_path, toml_text(values)))
    assert {key: getattr(rules, key) for key in FIELDS if key not in NEEDED} == {
        "line_sizes": "any", "wrap": False, "misere": False, "cover": "any", "reveal": "loses",
        "visibility": "open", "person_begins": False, "take_back_after_end": True,
    }  # fmt: skip
    assert "visibility" not in rules.sources


VALUES_OF_ALL_TYPES = ["7.5", "true", '"?"', "[]", "{ a = 1 }", "[[1], [2]]", "2020-02-02"]
TEXTS = ("title", "summary")
TRUTHS = [key for key, field in FIELDS.items() if field.allowed == "true or false"]
WRONG_TYPES = [
    (key, value)
    for key in FIELDS
    for value in VALUES_OF_ALL_TYPES
    if not (value == '"?"' and key in TEXTS) and not (value == "true" and key in TRUTHS)
]


@pytest.mark.parametrize(("key", "value"), WRONG_TYPES)
def test_wrong_type(tmp_path: Path, key: str, value: str) -> None:
    path = write(tmp_path, f'like = "gobblers"\n{key} = {value}\n')
    told = refusal(path)
    assert told.startswith(f"{path}: {key}: ")
    assert told.endswith(f" is not allowed; it takes {FIELDS[key].allowed}")


def test_yes_and_no_are_eleven_fields() -> None:
    assert TRUTHS == [
        "wrap",
        "misere",
        "moving",
        "same_square",
        "draw_all_placed",
        "draw_board_full",
        "draw_agreement",
        "touch_move",
        "peek",
        "person_begins",
        "take_back_after_end",
    ]


IMPOSSIBLE: list[tuple[str, Any]] = [
    *(("title", value) for value in ("", "  ")),
    ("summary", ""),
    *(("board", value) for value in (0, 5, -3, 16, "3")),
    *(("line", value) for value in (0, 5, -1)),
    *(("stock", value) for value in ([], [1] * 5, [0], [2, 0], [-1], [17], [2, 2.0], [True], 2)),
    *(("reserve", value) for value in ("", "stack", "LOOSE")),
    *(("place_onto", value) for value in ("", "larger", "anything", 0)),
    *((key, value) for key in ("moving", "same_square", "peek") for value in (0, 1, "yes")),
    *(("line_sizes", value) for value in ("", "falling", 3)),
    *(("cover", value) for value in ("all", "nobody", True)),
    *(("reveal", value) for value in ("wins", "allowed", False)),
    *(("both_lines", value) for value in ("first", "nobody")),
    *(("no_move", value) for value in ("wins", "passes")),
    *(("repetition", value) for value in (1, -3, 101, False)),
    *(("players", value) for value in (["A"], ["A", "B", "C"], ["A", "A"], ["A", "a"], ["", "B"])),
    *(("players", value) for value in (["A ", "B"], ["A  B", "C"], ["<b>", "C"], ["A\n", "B"])),
    *(("symbols", value) for value in (["X"], ["X", "X"], ["X", "x"], ["XX", "O"], ["1", "2"])),
    *(("symbols", value) for value in (["", "O"], ["é", "O"], [" ", "O"])),
    *(("colours", value) for value in (["red", "blue"], ["#12345", "#abcdef"], ["#ABCDEF"] * 2)),
    *(("colours", value) for value in (["#abcdef", "#ABCDEF"], ["#abcdeg", "#000000"])),
]


@pytest.mark.parametrize(("key", "value"), IMPOSSIBLE, ids=map(str, IMPOSSIBLE))
def test_impossible_value(tmp_path: Path, key: str, value: Any) -> None:
    path = changed(tmp_path, {key: value})
    told = refusal(path)
    assert told.startswith(f"{path}: {key}: ")
    assert told.endswith(f" is not allowed; it takes {FIELDS[key].allowed}")


def test_numbers_have_their_choices() -> None:
    """From which forms and designs choose."""
    assert FIELDS["board"].choices == (1, 2, 3, 4)
    assert FIELDS["repetition"].choices == (0, *range(2, 101))


CONTRADICTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("line", {"board": 2, "stock": [1]}, "3 is longer than the board's side 2; it takes a whole "
     "number from 1 to 2"),
    ("stock", {"board": 1, "line": 1}, "[2, 2, 2] has more pieces of one size than the board has "
     "squares; each is at most 1"),
    ("stock", {"stock": [1, 10]}, "[1, 10] has more pieces of one size than the board has "
     "squares; each is at most 9"),
    ("stock", {"reserve": "nested", "stock": [2, 2, 3]}, "[2, 2, 3] does not nest; with reserve = "
     '"nested" every size has the same number'),
    ("line_sizes", {"line_sizes": "equal"}, '"equal" contradicts stock = [2, 2, 2]: nobody has 3 '
     "pieces of one size"),
    ("line_sizes", {"line_sizes": "rising", "stock": [3, 3]}, '"rising" contradicts stock = [3, '
     "3]: a line of 3 needs 3 sizes"),
    ("line_sizes", {"line_sizes": "rising", "wrap": True}, '"rising" contradicts wrap = true: a '
     "line that goes round the board has no end"),
    ("wrap", {"wrap": True, "board": 2, "line": 2}, "true contradicts board = 2, line = 2: going "
     "over the edge adds no line there"),
    ("wrap", {"wrap": True, "line": 1}, "true contradicts board = 3, line = 1"),
    ("place_onto", {"cover": "none"}, '"smaller" contradicts cover = "none": nothing may be '
     'covered; it takes "empty"'),
    ("place_onto", {"cover": "own", "place_onto": "threat"}, '"threat" contradicts cover = "own"'),
    ("reveal", {"reveal": "forbidden", "moving": False, "repetition": 0}, '"forbidden" contradicts '
     "moving = false: pieces that never move reveal nothing"),
    ("reveal", {"reveal": "ignored", "both_lines": "mover", "cover": "own"}, '"ignored" '
     'contradicts stock = [2, 2, 2], cover = "own": no piece of the opponent\'s is ever covered'),
    ("reveal", {"reveal": "forbidden", "stock": [3]}, '"forbidden" contradicts stock = [3], '),
    ("both_lines", {"reveal": "ignored"}, '"opponent" contradicts reveal = "ignored": only the '
     'line of the mover counts; it takes "mover"'),
    ("draw_all_placed", {"draw_all_placed": True, "cover": "none", "place_onto": "empty"}, "true "
     'contradicts stock = [2, 2, 2], cover = "none": the board has no room for all of them'),
    ("peek", {"peek": True, "cover": "none", "place_onto": "empty"}, 'true contradicts cover = '
     '"none": nothing is ever covered'),
    ("visibility", {"visibility": "memory", "cover": "none", "place_onto": "empty"}, '"memory" '
     'contradicts cover = "none": nothing is ever covered'),
    ("same_square", {"same_square": True, "moving": False, "repetition": 0}, "true contradicts "
     "moving = false"),
    ("repetition", {"moving": False}, "3 contradicts moving = false: positions cannot repeat; it "
     "takes 0 there"),
    ("draw_all_placed", {"stock": [5], "draw_all_placed": True}, "true contradicts stock = [5]: "
     "the board has no room"),
    ("touch_move", {"touch_move": True, "moving": False, "repetition": 0}, "true contradicts "
     "moving = false"),
    ("peek", {"peek": True, "stock": [2]}, "true contradicts stock = [2]: with one size nothing"),
    ("peek", {"peek": True, "touch_move": True}, "true contradicts touch_move = true"),
    ("visibility", {"visibility": "peek"}, '"peek" contradicts peek = false: nobody may look'),
    ("visibility", {"visibility": "memory", "stock": [2]}, '"memory" contradicts stock = [2]: with '
     "one size nothing is ever covered"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "values", "expected"), CONTRADICTIONS)
def test_contradiction(tmp_path: Path, key: str, values: dict[str, Any], expected: str) -> None:
    path = changed(tmp_path, values)
    assert refusal(path).startswith(f"{path}: {key}: {expected}")


def test_a_contradiction_with_what_is_inherited(tmp_path: Path) -> None:
    """gobblet nests and has touch-move; what a file changes must be consistent with that."""
    assert ": stock: [1, 2] does not nest" in refusal(
        changed(tmp_path, {"stock": [1, 2]}, "gobblet")
    )
    assert ": peek: true contradicts touch_move" in refusal(
        changed(tmp_path, {"peek": True}, "gobblet")
    )


EXTREMES: list[dict[str, Any]] = [
    {"board": 1, "line": 1, "stock": [1]},
    {"board": 4, "line": 1, "stock": [16, 16, 16, 16]},
    {"board": 4, "line": 4, "stock": [1, 16, 3, 7], "repetition": 100},
    {"board": 4, "stock": [8, 8, 8, 8], "reserve": "nested", "draw_all_placed": True},
    {"board": 2, "line": 2, "stock": [2, 1, 2], "draw_all_placed": True, "repetition": 2},
    {"moving": False, "repetition": 0, "no_move": "draw"},
    {"peek": True, "same_square": True},
    {"peek": True, "stock": [1, 1]},
    {
        "board": 4,
        "stock": [2, 2, 2, 2],
        "cover": "none",
        "place_onto": "empty",
        "draw_all_placed": True,
    },
    {"line_sizes": "equal", "stock": [3, 1], "wrap": True, "misere": True},
    {"line_sizes": "rising", "wrap": True, "line": 2},
    {"reveal": "ignored", "both_lines": "mover", "cover": "opponent", "place_onto": "threat"},
    {"reveal": "forbidden", "both_lines": "draw", "misere": True},
    {"cover": "none", "place_onto": "empty", "stock": [2, 2], "draw_all_placed": True},
]


@pytest.mark.parametrize("values", EXTREMES)
def test_what_is_just_allowed(tmp_path: Path, values: dict[str, Any]) -> None:
    rules = load_rules(changed(tmp_path, values))
    loaded = {key: rules.fields()[key] for key in values}
    assert loaded == {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    assert rules.squares == rules.board**2 == len(rules.square_names)
    assert rules.sizes == len(rules.stock)
    assert Position.start(rules).legal_moves()


# Files.


def test_not_toml(tmp_path: Path) -> None:
    path = write(tmp_path, 'like = "gobblers"\nboard = = 3\n')
    assert refusal(path).startswith(f"{path}: not valid TOML: ")
    assert "line 2" in refusal(path)


@pytest.mark.parametrize("text", ["x = " + "[" * 5000, "x = " + "9" * 5000, "board = 3\nboard = 3"])
def test_toml_that_is_too_much(tmp_path: Path, text: str) -> None:
    assert ": not valid TOML: " in refusal(write(tmp_path, text))


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes('like = "gobblers"\ntitle = "Größe"\n'.encode("latin-1"))
    assert refusal(str(path)) == f"{path}: the rule set is not UTF-8 text"


def test_missing_file_and_folder(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.toml")
    assert refusal(missing) == f"{missing}: the rule set cannot be read: no such file or directory"
    assert refusal(f"{tmp_path}/") == f"{tmp_path}/: the rule set cannot be read: is a directory"


def test_unknown_name() -> None:
    assert refusal("chess") == (
        "unknown rule set 'chess'; known are tictactoe, gobblers, gobblers-official, gobblet, "
        "gobblet-house, or the path of a .toml file"
    )


@pytest.mark.parametrize("name", ["", " ", "..", "ruleset.py", "*"])
def test_names_that_are_none(name: str) -> None:
    assert refusal(name).startswith(f"unknown rule set {name!r}; known are ")


@pytest.mark.parametrize("name", ["Gobblers", "gobblers ", "goblers"])
def test_names_that_are_nearly_one(name: str) -> None:
    expected = f"unknown rule set {name!r} (did you mean gobblers?); known are "
    assert refusal(name).startswith(expected)


def test_the_empty_file(tmp_path: Path) -> None:
    assert "the key 'title' is missing" in refusal(write(tmp_path, ""))


# Inheritance.


def test_like_a_name(tmp_path: Path) -> None:
    rules = load_rules(changed(tmp_path, {"board": 4}, "gobblers-official"))
    official = load_rules("gobblers-official")
    assert rules.fields() == {**official.fields(), "board": 4, "summary": ""}
    assert rules.name == "mine"
    assert rules.law != official.law


def test_an_inherited_summary_that_no_longer_fits_is_left_out(tmp_path: Path) -> None:
    """A file that plays differently from its parent says itself what it is, or nothing."""
    summary = load_rules("gobblet").summary
    assert "Four visible pieces" in summary
    shorter = load_rules(changed(tmp_path, {"line": 3}, "gobblet"))
    assert (shorter.summary, shorter.sources.get("summary")) == ("", None)
    assert load_rules(changed(tmp_path, {"line": 3, "summary": "Mine."}, "gobblet")).summary == (
        "Mine."
    )
    renamed = load_rules(changed(tmp_path, {"players": ["Sun", "Moon"], "line": 4}, "gobblet"))
    assert (renamed.summary, renamed.sources["summary"]) == (
        summary, load_rules("gobblet").sources["summary"],
    )  # fmt: skip


@pytest.mark.parametrize("values", [{"peek": False}, {"peek": False, "stock": [2]}])
def test_an_inherited_visibility_that_no_longer_fits_is_open(
    tmp_path: Path, values: dict[str, Any]
) -> None:
    """Files of earlier versions may have like = "gobblers-official" and peek = false."""
    rules = load_rules(changed(tmp_path, values, "gobblers-official"))
    assert (rules.visibility, rules.sources.get("visibility")) == ("open", None)
    kept = load_rules(changed(tmp_path, {"board": 4}, "gobblers-official"))
    assert kept.visibility == "peek"


def test_like_a_file_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is relative to the file that names it, wherever the program runs."""
    write(tmp_path, toml_text({"line": 2}, "gobblers"), "base.toml")
    (tmp_path / "deep").mkdir()
    write(tmp_path, toml_text({"repetition": 5}, "../base.toml"), "deep/middle.toml")
    path = write(tmp_path, toml_text({"peek": True}, "./middle.toml"), "deep/leaf.toml")
    monkeypatch.chdir("/")
    rules = load_rules(path)
    assert (rules.line, rules.repetition, rules.peek, rules.board) == (2, 5, True, 3)
    monkeypatch.chdir(tmp_path)
    again = load_rules("deep/leaf.toml")
    assert again == rules
    assert (again.reference, again.name) == ("deep/leaf.toml", "leaf")


def test_like_a_file_that_needs_no_ending_in_front(tmp_path: Path) -> None:
    write(tmp_path, toml_text({"line": 2}, "gobblers"), "base.toml")
    assert load_rules(write(tmp_path, 'like = "base.toml"\n')).line == 2


def test_like_itself(tmp_path: Path) -> None:
    path = write(tmp_path, 'like = "./mine.toml"\n')
    assert refusal(path) == f"{path}: like: './mine.toml' leads back to mine.toml"


def test_like_in_a_circle(tmp_path: Path) -> None:
    first = write(tmp_path, 'like = "./b.toml"\n', "a.toml")
    write(tmp_path, 'like = "./c.toml"\n', "b.toml")
    write(tmp_path, f'like = "../{tmp_path.name}/a.toml"\n', "c.toml")
    told = refusal(first)
    assert told.startswith(f"{first}: like: ")
    assert told.endswith("a.toml' leads back to a.toml")


def test_two_files_like_the_same_one(tmp_path: Path) -> None:
    """That is not a circle."""
    write(tmp_path, toml_text({"line": 2}, "gobblers"), "base.toml")
    one = load_rules(write(tmp_path, 'like = "./base.toml"\n', "one.toml"))
    two = load_rules(write(tmp_path, 'like = "./base.toml"\n', "two.toml"))
    assert one.fields() == two.fields()
    assert one != two


@pytest.mark.parametrize(
    ("like", "expected"),
    [
        ('"chess"', "unknown rule set 'chess'; known are tictactoe, "),
        ('"./none.toml"', "none.toml: the rule set cannot be read: no such file or directory"),
        ('"./loop.toml"', "loop.toml"),  # Python versions find the loop at different moments.
        ('"\\u0000/"', "is not the path of a file: "),
        ("3", "3 is not a name; allowed is a rule set's name or .toml file"),
        ("[]", "[] is not a name; allowed is a rule set's name or .toml file"),
    ],
)
def test_like_something_impossible(tmp_path: Path, like: str, expected: str) -> None:
    """The file that says `like` is named, since that is where the mistake is."""
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    path = write(tmp_path, f"like = {like}\n")
    told = refusal(path)
    assert told.startswith(f"{path}: like: ")
    assert expected in told


def test_a_mistake_in_the_parent_names_both_files(tmp_path: Path) -> None:
    write(tmp_path, toml_text({"board": 9}, "gobblers"), "base.toml")
    path = write(tmp_path, 'like = "./base.toml"\n')
    assert refusal(path).startswith(f"{path}: like: {tmp_path / 'base.toml'}: board: 9 is not ")


# Where each field comes from.

DOCUMENTS = {
    "gobblers": "000",
    "gobblers-official": "001",
    "tictactoe": "002",
    "gobblet": "003",
    "gobblet-house": "004",
}


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_every_shipped_field_has_a_source(name: str) -> None:
    sources = load_rules(name).sources
    assert set(sources) == set(FIELDS)
    for key, source in sources.items():
        assert source.startswith((f"{DOCUMENTS[name]}", "ours: ")), (key, source)
        assert len(source.split()) > 1, (key, source)


@pytest.mark.parametrize("name", ["gobblers-official", "gobblet", "gobblet-house"])
def test_silence_of_a_document_is_marked(name: str) -> None:
    """The values marked (*) in the rule book."""
    starred = {"no_move"} | ({"both_lines"} if name == "gobblet-house" else set())
    for key in starred:
        assert load_rules(name).sources[key].startswith("ours: the document is silent")


def test_sources_of_an_own_file(tmp_path: Path) -> None:
    text = 'like = "gobblers"\nline = 2\nboard = 4\n[source]\nboard = "my club, 1998"\n'
    path = write(tmp_path, text)
    sources = load_rules(path).sources
    assert sources["board"] == "my club, 1998"
    assert sources["line"] == path
    assert sources["moving"] == load_rules("gobblers").sources["moving"]
    with pytest.raises(TypeError):
        sources["line"] = "x"  # type: ignore[index]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("source = 3\n", "source: must be a table of field = "),
        ("[[source]]\nboard = 'x'\n", "source: must be a table of field = "),
        ("[source]\nbord = 'x'\n", "source: unknown field 'bord'; allowed are title, summary, bo"),
        ("[source]\nlike = 'x'\n", "source: unknown field 'like'; allowed are title, summary, bo"),
        ("[source]\nboard = 3\n", "source.board: 3 is not a text"),
    ],
)
def test_broken_sources(tmp_path: Path, text: str, expected: str) -> None:
    path = write(tmp_path, f'like = "gobblers"\n{text}')
    assert refusal(path).startswith(f"{path}: {expected}")


# Shipped sets and own files.


def test_names_simplest_first() -> None:
    expected = ("tictactoe", "gobblers", "gobblers-official", "gobblet", "gobblet-house")
    assert rule_set_names() == expected
    for name in expected:
        rules = load_rules(name)
        assert (rules.name, rules.reference) == (name, name)
        assert load_rules(rules) is rules


@pytest.mark.parametrize("name", FIVE_NAMES)
def test_titles_and_summaries_are_for_people(name: str) -> None:
    rules = load_rules(name)
    assert rules.title[0].isupper()
    assert rules.summary.endswith(".")
    assert "\n" not in rules.summary


def test_square_names_and_lines() -> None:
    rules = load_rules("gobblers")
    assert rules.square_names == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert [rules.square_index(name) for name in rules.square_names] == list(range(9))
    assert rules.square_name(5) == "c2"
    assert len(rules.line_squares) == 8
    assert {frozenset(line) for line in rules.line_squares} >= {
        frozenset(("a1", "b2", "c3")),
        frozenset(("a3", "b2", "c1")),
        frozenset(("a1", "b1", "c1")),
        frozenset(("c1", "c2", "c3")),
    }


def test_an_own_file_works_wherever_a_name_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, toml_text({"board": 2, "line": 2, "stock": [1, 1]}, "gobblers"))
    for reference in ("./mine.toml", "mine.toml", str(tmp_path / "mine.toml")):
        position = Position("x2/x,w2 b", rules=reference)
        assert position.rules.board == 2
        assert Position.start(reference).play("2b1") == position
        assert Position.from_stacks({"b1": [(0, 2)]}, Side.SECOND, reference) == position
        game = Game(reference)
        for move in ("2a1", "2b2", "1a2"):
            game.play(move)
        assert game.outcome == Outcome(Side.FIRST, "line")
        text = write_record(game.to_record())
        assert f'[Rules "{reference}"]' in text
        assert Game.from_record(read_record(text)).position == game.position
    assert load_rules(Path("mine.toml")) == load_rules(os.path.join(".", "mine.toml"))


def test_own_names_symbols_and_colours_of_any_kind(tmp_path: Path) -> None:
    """Asymmetric names: the first is not a variation of the second."""
    values = {
        "players": ["Frühling der 2-Klasse", "O'Neil"],
        "symbols": ["f", "Z"],
        "colours": ["#000000", "#FfFfFe"],
    }
    rules: RuleSet = load_rules(changed(tmp_path, values))
    assert rules.players == ("Frühling der 2-Klasse", "O'Neil")
    assert (rules.symbols, rules.colours) == (("f", "Z"), ("#000000", "#FfFfFe"))
    game = Game(rules)
    game.resign(Side.FIRST)
    assert game.explain() == "O'Neil wins: Frühling der 2-Klasse resigned."


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_bytes(b'\xef\xbb\xbflike = "gobblers"\n')
    assert load_rules(file).board == 3


def test_devices_and_huge_files_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(RuleSetError, match="not an ordinary file"):
        load_rules(Path(os.devnull))
    huge = tmp_path / "huge.toml"
    huge.write_text("#" * 100_000)
    with pytest.raises(RuleSetError, match="at most 65,536 bytes"):
        load_rules(huge)


@pytest.mark.parametrize("key", ["title", "summary"])
def test_texts_are_one_printable_line(tmp_path: Path, key: str) -> None:
    path = write(tmp_path, f'like = "gobblers"\n{key} = "a\\nb\\u001b[31m"\n')
    assert refusal(path).startswith(f"{path}: {key}: ")


def test_names_of_players_are_not_squares(tmp_path: Path) -> None:
    path = write(tmp_path, 'like = "gobblers"\nplayers = ["Team a1", "B"]\n')
    assert refusal(path).startswith(f"{path}: players: ")


def test_labels_are_inherited_like_any_field(tmp_path: Path) -> None:
    path = write(tmp_path, 'like = "gobblet-house"\n')
    assert load_rules(path).labels == "letters"
