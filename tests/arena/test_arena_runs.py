"""Tournaments in many processes: the same games whatever is killed, stopped, or run elsewhere."""

import json
import os
import re
import shutil
import signal
import threading
from pathlib import Path

import pytest

from nestline import Game, NestlineError, load_rules, read_record
from nestline.arena.descriptions import read_contestant
from nestline.arena.results import Results
from nestline.arena.run import Stopped, run_tournament
from nestline.arena.sprt import Sprt
from nestline.arena.tournament import Entry, Tournament, all_pairings
from nestline.engine.search.engine import Limits
from support.arena_driver import Run, facts, finish, lines, records, until

MATCH = ("match", "greedy", "mcts:nodes=1000", "--rules", "gobblet", "--games", "12", "--seed", "7")
ON_TWO = ("--concurrency", "2")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The records of the match, played undisturbed in one process."""
    folder = tmp_path_factory.mktemp("reference") / "match"
    told = facts(*MATCH, "--concurrency", "1", "--output", str(folder))
    assert told["games"] == 12
    assert told["forfeits"] == []
    found = records(folder)
    assert len(found) == 12
    return found


def small(
    rounds: int = 3, *players: str, rules: str = "tictactoe", **options: object
) -> Tournament:
    entries = {text: Entry(text, read_contestant(text)) for text in players or ("greedy", "random")}
    return Tournament(
        rules=load_rules(rules), entries=entries, pairings=all_pairings(entries), rounds=rounds,
        limits=Limits(nodes=50), **options,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.fixture(scope="module")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small") / "one"
    run_tournament(small(), folder=folder, concurrency=1)
    return folder


@pytest.fixture
def finished(small_folder: Path, tmp_path: Path) -> Path:
    """The folder of a small finished tournament."""
    return Path(shutil.copytree(small_folder, tmp_path / "one"))


def test_records_are_whole_games_that_read_back(reference: dict[str, str]) -> None:
    numbers = set()
    openings = []
    for name in sorted(reference):
        record = read_record(reference[name])
        game = Game.from_record(record)
        assert game.outcome is not None
        assert game.result == record.result
        assert {record.tags["First"], record.tags["Second"]} == {"greedy", "mcts:nodes=1000"}
        numbers.add(int(record.tags["Game"]))
        openings.append(game.positions[int(record.tags["OpeningPlies"])].canonical())
    assert numbers == set(range(1, 13))
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 6


def test_each_opening_is_played_from_both_sides(reference: dict[str, str]) -> None:
    firsts = [read_record(reference[name]).tags["First"] for name in sorted(reference)]
    assert firsts == ["greedy", "mcts:nodes=1000"] * 6


def test_ctrl_c_keeps_the_finished_games_and_the_same_command_goes_on(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    command = (*MATCH, *ON_TWO, "--output", str(tmp_path / "match"))
    run = Run(*command)
    until(lambda: len(lines(tmp_path / "match")) >= 2)
    os.killpg(run.process.pid, signal.SIGINT)
    status, output, errors = run.finish()
    assert status == 130
    kept = lines(tmp_path / "match")
    assert f"Stopped after {len(kept)} of 12 games." in errors
    assert f"games are in {tmp_path / 'match'}; the same command goes on" in errors
    assert re.match(rf"greedy against mcts:nodes=1000: [\d.]+ of {len(kept)} points", output)
    assert 2 <= len(kept) < 12
    finish(*command)
    assert lines(tmp_path / "match")[: len(kept)] == kept
    assert len(lines(tmp_path / "match")) == 12
    assert records(tmp_path / "match") == reference


def test_a_killed_main_process_loses_nothing_and_its_workers_leave(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    command = (*MATCH, *ON_TWO, "--output", str(tmp_path / "match"))
    run = Run(*command)
    until(lambda: len(lines(tmp_path / "match")) >= 2)
    run.process.kill()
    status, _, _ = run.finish()
    assert status == -signal.SIGKILL
    with (tmp_path / "match" / "games.jsonl").open("a") as file:
        file.write('{"number": 12, "first": "gree')  # as if it had died in the middle of a line
    kept = lines(tmp_path / "match")[:-1]
    next((tmp_path / "match" / "games").iterdir()).unlink()
    finish(*command)
    assert lines(tmp_path / "match")[: len(kept)] == kept
    assert records(tmp_path / "match") == reference


def test_a_game_whose_worker_is_killed_is_played_again(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    run = Run(*MATCH, *ON_TWO, "--output", str(tmp_path / "match"))
    until(lambda: len(lines(tmp_path / "match")) >= 2)
    for worker in run.workers("spawn_main"):
        os.kill(worker, signal.SIGKILL)
    status, _, errors = run.finish()
    assert status == 0, errors
    assert records(tmp_path / "match") == reference


def test_ray_plays_the_same_games_also_if_a_worker_is_killed(
    tmp_path: Path, reference: dict[str, str]
) -> None:
    run = Run(*MATCH, *ON_TWO, "--output", str(tmp_path / "match"), "--ray")
    until(lambda: len(lines(tmp_path / "match")) >= 2)
    # Between two games a worker has another name.
    playing = until(lambda: run.workers("ray::play_game"))
    os.kill(playing[0], signal.SIGKILL)
    status, output, errors = run.finish()
    assert status == 0, errors
    assert "Elo difference" in output
    assert errors == ""
    assert records(tmp_path / "match") == reference


def test_ctrl_c_ends_a_ray_cluster_too(tmp_path: Path) -> None:
    run = Run(*MATCH, *ON_TWO, "--output", str(tmp_path / "match"), "--ray")
    until(lambda: len(lines(tmp_path / "match")) >= 2)
    os.killpg(run.process.pid, signal.SIGINT)
    status, _, errors = run.finish()
    assert status == 130, errors
    assert 2 <= len(lines(tmp_path / "match")) < 12


def test_a_changed_configuration_is_refused_and_changes_nothing(finished: Path) -> None:
    before = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    for changed, what in (
        (small(4), "rounds was 3 and is now 4"),
        (small(seed=1), "seed was 0 and is now 1"),
        (small(3, "greedy", "1"), "players was"),
        (small(rules="gobblers"), 'rules was "tictactoe" and is now "gobblers"'),
        (small(ply_limit=100), "ply limit was 200 and is now 100"),
        (small(sprt=Sprt(0, 10)), "sprt was null"),
    ):
        with pytest.raises(NestlineError, match=f"another tournament.*{what}.*name another"):
            run_tournament(changed, folder=finished)
    after = {path: path.read_bytes() for path in finished.rglob("*") if path.is_file()}
    assert after == before


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(NestlineError, match="holds other things"):
        run_tournament(small(), folder=tmp_path)
    with pytest.raises(NestlineError, match="cannot be used"):
        run_tournament(small(), folder=tmp_path / "notes.txt" / "deeper")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"number": 1}', '{"moves": 3}', ""])
def test_a_broken_line_among_the_games_is_named(finished: Path, line: str) -> None:
    path = finished / "games.jsonl"
    path.write_text(f"{line}\n{path.read_text()}")
    with pytest.raises(NestlineError, match=r"games.jsonl: line 1 is not a game"):
        run_tournament(small(), folder=finished)


@pytest.mark.parametrize("plan", ["nonsense", "[]", ""])
def test_a_broken_plan_is_refused(finished: Path, plan: str) -> None:
    (finished / "tournament.json").write_text(plan)
    with pytest.raises(NestlineError, match=r"tournament.json: this is not the plan"):
        run_tournament(small(), folder=finished)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    tournament = small(20, "mcts:nodes=20000", "greedy", rules="gobblers")
    stop = threading.Event()
    problems: list[Exception] = []

    def run() -> None:
        try:
            run_tournament(tournament, folder=tmp_path / "one", concurrency=1, stop=stop)
        except Stopped as error:
            problems.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until(lambda: lines(tmp_path / "one"))
    try:
        with pytest.raises(NestlineError, match="another run is playing"):
            run_tournament(tournament, folder=tmp_path / "one")
    finally:
        stop.set()
        thread.join()
    assert len(problems) == 1


def test_a_finished_tournament_is_only_told_again(finished: Path) -> None:
    numbers: list[int] = []
    results = run_tournament(
        small(), folder=finished, watch=lambda played: numbers.append(len(played))
    )
    assert len(results.games) == 6
    assert numbers == [6]


def test_every_game_can_be_watched() -> None:
    numbers: list[int] = []
    tournament = small(3, "greedy", "random", "1")
    run_tournament(tournament, concurrency=1, watch=lambda played: numbers.append(len(played)))
    assert numbers == list(range(19))


def test_results_so_far_need_a_game_of_everybody() -> None:
    tournament = small(1, "greedy", "random", "1")
    games = {game.number: game for game in run_tournament(tournament, concurrency=1).games}
    with pytest.raises(NestlineError, match="there is nothing to say about 1"):
        Results(tournament, {number: games[number] for number in (1, 2)})
    some = Results(tournament, {number: games[number] for number in (1, 2, 3)})
    assert sorted(some.ranking) == ["1", "greedy", "random"]
    assert (some.as_json()["games"], some.as_json()["planned"]) == (3, 6)


def test_a_sequential_test_stops_at_the_same_game_whatever_the_order(tmp_path: Path) -> None:
    tournament = small(200, "greedy", "random", rules="gobblers", sprt=Sprt(0, 300))
    told = run_tournament(tournament, concurrency=1).as_json()
    assert told["sprt"]["accepted"] == "elo1"
    assert told["games"] < 400
    assert sum(told["pairs"]) * 2 == told["games"]
    assert run_tournament(tournament, folder=tmp_path / "one", concurrency=3).as_json() == told
    kept = lines(tmp_path / "one")
    assert len(kept) >= told["games"]
    assert run_tournament(tournament, folder=tmp_path / "one").as_json() == told
    assert lines(tmp_path / "one") == kept


def test_games_are_as_long_as_the_limit_allows() -> None:
    tournament = small(4, "random", "greedy", rules="gobblet", ply_limit=6)
    results = run_tournament(tournament, concurrency=1)
    assert {(game.termination, len(game.moves)) for game in results.games} == {("unfinished", 6)}
    assert results.tally("random").draws == 8


def test_a_worker_that_always_dies_does_not_go_on_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player comes from another package, whose entry point makes it known to all workers.

    The games finished by then are kept in a temporary folder, and the user is told which.
    """
    package = tmp_path / "site"
    (package / "deadly-1.0.dist-info").mkdir(parents=True)
    (package / "deadly-1.0.dist-info" / "METADATA").write_text("Name: deadly\nVersion: 1.0\n")
    (package / "deadly-1.0.dist-info" / "entry_points.txt").write_text(
        "[nestline.players]\ndeadly = deadly:KIND\n"
    )
    (package / "deadly.py").write_text(
        "import os\n"
        "from nestline.arena import Contestant, Kind\n"
        "from nestline.engine import RandomPlayer\n"
        "class Player(RandomPlayer):\n"
        "    def choose(self, game):\n"
        "        if game.ply > 3: os._exit(1)\n"
        "        return super().choose(game)\n"
        "class Deadly(Contestant):\n"
        "    def make(self, rules, limits, seed): return Player(seed)\n"
        "KIND = Kind('deadly:', lambda text, folder: Deadly())\n"
    )
    arguments = ("match", "greedy", "deadly:", "--rules", "gobblers", "--games", "4")
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=os.pathsep)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    status, _, errors = Run(*arguments, "--concurrency", "1").finish()
    assert status == 2
    assert "has ended the process that played it 3 times" in errors
    (kept,) = tmp_path.glob("nestline-match-*")
    assert f"The finished games are in {kept}; " in errors
    assert lines(kept)


def test_results_are_written_whole(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    told = facts("match", "greedy", "random", "--rules", "gobblers", "--games", "6",
                 "--output", str(folder))  # fmt: skip
    assert json.loads((folder / "results.json").read_text()) == told
    assert (folder / "ratings.svg").read_text().startswith("<svg")
    assert "greedy" in (folder / "crosstable.txt").read_text()
    assert [path.name for path in folder.rglob(".*")] == [".lock"]
