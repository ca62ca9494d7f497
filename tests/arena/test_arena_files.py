"""Tournament files: what they mean, and how they are refused."""

from pathlib import Path

import pytest

from nestline import NestlineError
from nestline.arena.sprt import Sprt
from nestline.arena.tournament import derived_seed
from nestline.arena.tournament_file import load_tournament
from nestline.engine.search.engine import Limits

SMALL = """
rules = "gobblers"
rounds = 3
[players]
strong = "engine"
weak = "1"
odd = "greedy"
"""

WHOLE = """
rules = "mine.toml"
pairings = [["a", "b"], ["b", "c"]]
rounds = 5
limits = { nodes = 100, movetime = 50 }
seed = 9
ply_limit = 60
anchor = "c"
anchor_rating = 1000

[openings]
plies = 3

[players]
a = "engine:nodes=10"
b = "mcts"
c = "random"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, "utf-8")
    return path


def test_few_keys_are_enough(tmp_path: Path) -> None:
    found = load_tournament(written(tmp_path, SMALL))
    assert found.pairings == (("strong", "weak"), ("strong", "odd"), ("weak", "odd"))
    assert found.limits == Limits(seconds=0.1)
    assert (found.games, found.ply_limit, found.seed, found.plies) == (18, 200, 0, 2)


def test_every_key_means_something(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('like = "gobblet"\nrepetition = 0\n')
    found = load_tournament(written(tmp_path, WHOLE))
    assert found.rules.repetition == 0
    assert found.pairings == (("a", "b"), ("b", "c"))
    assert found.limits == Limits(seconds=0.05, nodes=100)
    assert (found.rounds, found.seed, found.ply_limit, found.plies) == (5, 9, 60, 3)
    assert (found.anchor, found.anchor_rating) == ("c", 1000)


def test_one_player_against_the_others_and_a_sequential_test(tmp_path: Path) -> None:
    first = load_tournament(written(tmp_path, 'pairings = "first"\n' + SMALL))
    assert first.pairings == (("strong", "weak"), ("strong", "odd"))
    two = SMALL.replace('odd = "greedy"', "")
    assert load_tournament(written(tmp_path, "sprt = [0, 12.5]\n" + two)).sprt == Sprt(0, 12.5)


def test_the_games_follow_from_the_tournament(tmp_path: Path) -> None:
    fixtures = load_tournament(written(tmp_path, SMALL)).fixtures()
    assert fixtures == load_tournament(written(tmp_path, SMALL)).fixtures()
    assert [fixture.number for fixture in fixtures] == list(range(1, 19))
    assert len({fixture.seed for fixture in fixtures}) == 18
    assert fixtures[0].seed == derived_seed(0, 1)
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert (one.first, one.second, one.opening) == (other.second, other.first, other.opening)
    # Everybody plays the same openings, one per round.
    rounds = [{fixture.opening for fixture in fixtures[start : start + 6]} for start in (0, 6, 12)]
    assert [len(openings) for openings in rounds] == [1, 1, 1]
    assert len(set.union(*rounds)) == 3


def test_a_byte_order_mark_is_no_trouble(tmp_path: Path) -> None:
    assert load_tournament(written(tmp_path, "\ufeff" + SMALL)).rounds == 3


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("rounds = 3", ""), "the key 'rounds' is missing; it takes a whole number from 1"),
        (('rules = "gobblers"', ""), "the key 'rules' is missing; it takes a rule set's name"),
        (("rounds = 3", "rounds = 0"), "rounds: 0 is not allowed; it takes a whole number from 1"),
        (("rounds = 3", "rounds = true"), "rounds: True is not allowed"),
        (("rounds = 3", "rounds = 3\ngames = 4"), "unknown key 'games'; allowed are rules, play"),
        (('"gobblers"', '"chess"'), "rules: unknown rule set 'chess'"),
        (('"gobblers"', '"missing.toml"'), "rules: .*missing.toml: the rule set cannot be read"),
        (('"gobblers"', "3"), "rules: 3 is not allowed; it takes a rule set's name, or the path"),
        (('"engine"', '"engine:nodes=x"'), "players.strong: player 'engine:nodes=x': nodes: 'x'"),
        (('"engine"', "3"), "players.strong: 3 is not allowed; it takes a text of one line"),
        (('"engine"', '"deep"'), "players.strong: there is no player 'deep'"),
        (("rounds = 3", "rounds = 3\nlimits = {time = 3}"), "unknown key 'limits.time'; allowed"),
        (("rounds = 3", "rounds = 3\nlimits = {depth = 0}"), "limits.depth: 0 is not allowed"),
        (("rounds = 3", "rounds = 3\nlimits = 5"), "limits: 5 is not allowed; it takes a table"),
        (("rounds = 3", "rounds = 3\nopenings = {plies = 99}"), "openings.plies: 99 is not"),
        (("rounds = 3", 'rounds = 3\nopenings = {balanced = "yes"}'), "it takes true or false"),
        (("rounds = 3", "rounds = 3\nseed = -1"), "seed: -1 is not allowed"),
        (("rounds = 3", "rounds = 3\nply_limit = 0"), "ply_limit: 0 is not allowed"),
        (("rounds = 3", "rounds = 3\nply_limit = 2"), "openings of 2 plies leave nothing to play"),
        (("rounds = 3", 'rounds = 3\nanchor = "x"'), "the anchor 'x' is not a player; players are"),
        (("rounds = 3", 'rounds = 3\nanchor_rating = "x"'), "it takes a number"),
        (("rounds = 3", "rounds = 3\nsprt = [0, 10]"), "a sequential test is for two players"),
        (("rounds = 3", "rounds = 3\nsprt = [10, 0]"), "sprt: .* the lower one first"),
        (("rounds = 3", "rounds = 3\nsprt = 5"), "sprt: 5 is not allowed; it takes a list of two"),
        (("rounds = 3", 'rounds = 3\npairings = "some"'), "pairings: 'some' is not allowed"),
        (("rounds = 3", "rounds = 3\npairings = []"), "pairings: .* is not allowed"),
        (("rounds = 3", 'rounds = 3\npairings = [["weak", "x"]]'), "there is no player 'x'"),
        (("rounds = 3", 'rounds = 3\npairings = [["weak", "weak"]]'), "cannot play against itself"),
        (
            ("rounds = 3", 'rounds = 3\npairings = [["weak", "odd"], ["odd", "weak"]]'),
            "two players meet in one pairing only",
        ),
        (
            ("rounds = 3", 'rounds = 3\npairings = [["weak", "odd"]]'),
            "the pairings do not connect weak, odd with strong",
        ),
        (('weak = "1"\nodd = "greedy"', ""), "a tournament has at least two players"),
        (("rounds = 3", "rounds = = 3"), "not valid TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_file_and_key(
    tmp_path: Path, change: tuple[str, str], problem: str
) -> None:
    assert change[0] in SMALL
    path = written(tmp_path, SMALL.replace(*change))
    with pytest.raises(NestlineError, match=problem) as caught:
        load_tournament(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NestlineError, match="the tournament cannot be read: no such"):
        load_tournament(tmp_path / "none.toml")
    with pytest.raises(NestlineError, match="cannot be read: is a directory"):
        load_tournament(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NestlineError, match="is not UTF-8 text"):
        load_tournament(tmp_path / "bytes.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 2_000_000)
    with pytest.raises(NestlineError, match="at most 1,000,000 bytes"):
        load_tournament(tmp_path / "long.toml")
    with pytest.raises(NestlineError, match="not an ordinary file"):
        load_tournament(Path("/dev/zero"))
