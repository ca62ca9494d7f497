"""Descriptions of players: what is accepted, what it means, and what is refused."""

import importlib
import pickle
import re
import sys
from pathlib import Path

import pytest

from nestline import Game, NestlineError, load_rules
from nestline.arena.builtin_contestants import (
    EngineContestant,
    GreedyContestant,
    LevelContestant,
    MonteCarloContestant,
    ProgramContestant,
)
from nestline.arena.contestant import Contestant
from nestline.arena.descriptions import read_contestant
from nestline.arena.single_game import try_player
from nestline.engine.search.engine import Limits
from nestline.engine.search.weights import hand_set

PLAYERS = [
    ("random", LevelContestant("random")),
    ("1", LevelContestant("1")),
    ("10", LevelContestant("10")),
    ("hard", LevelContestant("hard")),
    ("16", LevelContestant("16")),
    ("perfect", LevelContestant("perfect")),
    ("maximum", LevelContestant("maximum")),
    ("greedy", GreedyContestant()),
    ("mcts", MonteCarloContestant()),
    ("mcts:nodes=500", MonteCarloContestant(Limits(nodes=500))),
    ("mcts:movetime=20,nodes=9", MonteCarloContestant(Limits(seconds=0.02, nodes=9))),
    ("engine", EngineContestant()),
    ("engine:", EngineContestant()),
    (
        "engine:threads=2,hash=64,nodes=1000",
        EngineContestant(threads=2, memory=64, limits=Limits(nodes=1000)),
    ),
    ("engine: depth=4 , tables=yes", EngineContestant(tables=True, limits=Limits(depth=4))),
    ("engine:selective=no,weights=hand", EngineContestant(selective=False, is_hand_set=True)),
    (f"ugi:{sys.executable}", ProgramContestant((sys.executable,))),
    (
        f'ugi:Hash=64 nodes=10 "{sys.executable}" -m "some module" --level=3',
        ProgramContestant(
            (sys.executable, "-m", "some module", "--level=3"), {"Hash": "64"}, Limits(nodes=10)
        ),
    ),
]


@pytest.mark.parametrize(("text", "contestant"), PLAYERS, ids=[text for text, _ in PLAYERS])
def test_descriptions_mean_players_which_travel_to_other_processes(
    text: str, contestant: Contestant
) -> None:
    found = read_contestant(text)
    assert found == contestant
    assert pickle.loads(pickle.dumps(found)) == contestant


@pytest.mark.parametrize("text", ["random", "3", "engine:depth=2", "greedy", "mcts:nodes=50"])
def test_players_are_made_anew_for_each_game_and_play_by_their_seed(text: str) -> None:
    rules = load_rules("gobblers")
    contestant = read_contestant(text)
    try_player(contestant, rules, Limits(nodes=100))  # levels have no time to compile
    games = []
    for seed in (1, 1, 2):
        game = Game(rules, ply_limit=8)
        player = contestant.make(rules, Limits(nodes=100), seed)
        while not game.outcome:
            game.play(player.choose(game))
        games.append(game.moves)
    assert games[0] == games[1] != games[2]


def test_a_program_is_given_the_patience_asked_for() -> None:
    contestant = read_contestant(f"ugi:patience=7 {sys.executable}")
    assert isinstance(contestant, ProgramContestant)
    assert contestant.patience.unlimited == 7
    assert contestant.options == {}


def test_limits_of_its_own_replace_those_of_the_match() -> None:
    rules = load_rules("gobblers")
    for text, nodes in (("engine", 70), ("engine:nodes=5", 5), ("mcts", 70), ("mcts:nodes=5", 5)):
        player = read_contestant(text).make(rules, Limits(nodes=70), 1)
        assert player.limits == Limits(nodes=nodes)  # type: ignore[attr-defined]


def test_weights_are_read_with_the_description(tmp_path: Path) -> None:
    (tmp_path / "mine.npz").write_bytes(hand_set(load_rules("gobblet")).to_bytes())
    one = read_contestant("engine:weights=mine.npz", tmp_path)
    assert isinstance(one, EngineContestant)
    assert one.weights is not None
    assert one.digest is not None
    (tmp_path / "mine.npz").unlink()
    rules = load_rules("gobblet")
    game = Game(rules)
    assert one.make(rules, Limits(nodes=10), 1).choose(game) in game.legal_moves()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no player ''; players are the levels random, child-1, "),
        ("grandmaster", "there is no player 'grandmaster'.*easy.*engine.*ugi:.*greedy, mcts"),
        ("17", "there is no player '17';"),
        ("eazy", r"there is no player 'eazy' \(did you mean easy\?\);"),
        ("engin:nodes=3", r"there is no player 'engin:nodes=3' \(did you mean engine\?\);"),
        ("5:nodes=3", "there is no player '5:nodes=3'"),
        ("greedy:fast", "'greedy:fast': it has no options; it is written greedy"),
        ("engine:speed=3", "unknown option 'speed'; allowed are movetime, nodes, depth, threads"),
        ("engine:nodes", "nodes needs a value, like nodes=…; it is written engine"),
        ("engine:nodes=", "nodes needs a value"),
        ("engine:nodes=-1", "nodes: '-1' is not a whole number from 1 to"),
        ("engine:nodes=1e3", "'1e3' is not a whole number"),
        ("engine:nodes=٣", "is not a whole number"),
        ("engine:threads=0", "threads: '0' is not a whole number from 1 to 256"),
        ("engine:hash=999999999999999999999999", "hash: .* is not a whole number"),
        ("engine:depth=61", "'61' is not a whole number from 1 to 60"),
        ("engine:nodes=3,nodes=4", "nodes stands twice"),
        ("engine:tables=maybe", "tables: 'maybe' is neither yes nor no"),
        ("engine:weights=missing.npz", "missing.npz: these are no weights of nestline"),
        ("engine:,", "unknown option ''"),
        ("mcts:depth=3", "unknown option 'depth'; allowed are movetime, nodes"),
        ("ugi:", "the command is missing"),
        ("ugi:Hash=3", "the command is missing"),
        ("ugi:no-such-program-here --fast", "there is no program 'no-such-program-here'"),
        ('ugi:"unfinished', "the command cannot be read: no closing quotation"),
        ("ugi:nodes=many sh", "nodes: 'many' is not a whole number"),
        ("eng\nine", "one line of text"),
        ("x" * 2000, "one line of text"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(NestlineError, match=problem):
        read_contestant(text)


def test_a_file_that_is_no_weights_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_text("nothing")
    with pytest.raises(NestlineError, match=re.escape("bad.npz: these are no weights")):
        read_contestant("engine:weights=bad.npz", tmp_path)


@pytest.fixture
def added_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package as if installed, whose entry points add two kinds, one of them wrong."""
    folder = tmp_path / "more_players-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: more-players\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        "[nestline.players]\nlast = more_players:KIND\nwrong = more_players:Last\n"
    )
    (tmp_path / "more_players.py").write_text(
        "from nestline.arena import Contestant, Kind\n"
        "class Last(Contestant):\n"
        "    name = 'last'\n"
        "    def make(self, rules, limits, seed): return self\n"
        "    def choose(self, game): return game.legal_moves()[-1]\n"
        "KIND = Kind('last[:…]', lambda text, folder: Last())\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()


@pytest.mark.usefixtures("added_kinds")
def test_other_packages_add_kinds_by_an_entry_point() -> None:
    game = Game("gobblers")
    player = read_contestant("last:anything").make(game.rules, Limits(nodes=1), 1)
    assert player.choose(game) == game.legal_moves()[-1]
    with pytest.raises(NestlineError, match=r"there is no player 'lost'.*last:…"):
        read_contestant("lost")
    with pytest.raises(NestlineError, match="more_players:Last for players 'wrong' is not a Kind"):
        read_contestant("wrong:")
