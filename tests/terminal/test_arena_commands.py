"""`nestline match` and `nestline tournament` as a user runs them, and with programs that fail."""

import json
import os
import re
import signal
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import click
import pexpect
import pytest

from nestline import Game, NestlineError, read_record
from nestline.terminal.main import cli
from support.arena_driver import Run, facts, finish, lines, records, until

PROGRAM = Path(__file__).parents[1] / "support" / "ugi_program.py"

CUP = """
rules = "tictactoe"
rounds = 2
pairings = "first"
limits = {{ movetime = 50 }}
anchor = "steady"

[players]
steady = "ugi:{python} {program} well"
crashes = "ugi:{python} {program} crash"
hangs = "ugi:{python} {program} hang"
cheats = "ugi:{python} {program} illegal"
is_dead = "ugi:{python} {program} dead"
greedy = "greedy"
"""


def test_a_tournament_goes_on_when_programs_crash_hang_and_cheat(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP.format(python=sys.executable, program=PROGRAM))
    told = facts("tournament", "cup.toml", folder=tmp_path)
    assert told["games"] == 20
    by_name = {player["name"]: player for player in told["players"]}
    assert by_name["steady"]["rating"] == by_name["steady"]["error"] == 0
    assert by_name["is_dead"]["losses"] == 4
    reasons = [(item["game"], item["reason"]) for item in told["forfeits"]]
    for name, reason in (
        ("crashes", "ended with status 1 .*out of ideas.* instead of answering go"),
        ("hangs", "did not answer go with bestmove within 2.05 s"),
        ("cheats", "illegal move, '1a1': 1a1: a1 is occupied"),
        ("is_dead", "ended with status 3 instead of answering ugi"),
    ):
        assert any(re.search(f"{name}: .*{reason}", text) for _, text in reasons), (name, reasons)
    assert not any(text.startswith(("steady", "greedy")) for _, text in reasons)
    games = [json.loads(line) for line in lines(tmp_path / "cup")]
    forfeited = {game["number"] for game in games if game["forfeit"]}
    assert forfeited == {number for number, _ in reasons}
    for game in games:
        record = read_record((tmp_path / "cup" / "games" / f"{game['number']:06}.txt").read_text())
        assert record.tags.get("Forfeit") == game["forfeit"]
        if game["forfeit"]:
            assert record.tags["Termination"] == "resignation"
        assert Game.from_record(record).result == game["result"]
    again = finish("tournament", "cup.toml", folder=tmp_path)
    assert re.search(r"1 +\w+ +[+-]\d+", again)
    assert f"Game {reasons[0][0]} was forfeited by {reasons[0][1]}" in again


def test_a_match_is_told_in_a_few_lines(tmp_path: Path) -> None:
    told = finish("match", "greedy", "random", "--rules", "gobblers", "--games", "10",
                  "--sprt", "0,400", "--output", str(tmp_path / "out"))  # fmt: skip
    first, second, third = told.splitlines()
    assert re.fullmatch(r"greedy against random: [\d.]+ of \d+ points \(.*\), [\d.]+%", first)
    assert re.fullmatch(r"Elo difference: \+\d+ ± \d+ \(95 %\)", second)
    assert third.startswith("Sequential test of +0 against +400 Elo: ")
    picture = ElementTree.parse(tmp_path / "out" / "ratings.svg").getroot()
    texts = [element.text for element in picture.iter() if element.tag.endswith("text")]
    assert "greedy" in texts
    assert "random" in texts


def test_openings_come_from_a_file_and_all_games_go_into_one(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text("x3/x,w3,x/x3 b\n1. 2a1 2c3\n")
    told = facts("match", "greedy", "random", "--rules", "gobblers", "--games", "6", "--openings",
                 "openings.txt", "--records", "games.txt", "--output", "out",
                 folder=tmp_path)  # fmt: skip
    assert told["games"] == told["planned"] == 6
    kept = records(tmp_path / "out")
    text = (tmp_path / "games.txt").read_text()
    assert text == "\n".join(kept[name] for name in sorted(kept))
    begun = [Game.from_record(read_record(kept[name])) for name in sorted(kept)]
    assert [str(game.start) for game in begun] == [
        *["x3/x,w3,x/x3 b"] * 2, *["x3/x3/x3 w"] * 2, *["x3/x,w3,x/x3 b"] * 2
    ]  # fmt: skip
    assert [list(map(str, game.moves[:2])) for game in begun[2:4]] == [["2a1", "2c3"]] * 2
    (tmp_path / "openings.txt").write_text("1. 2a1 2c3\n")
    status, _, errors = Run("match", "greedy", "random", "--rules", "gobblers", "--games", "6",
                            "--openings", "openings.txt", "--output", "out",
                            folder=tmp_path).finish()  # fmt: skip
    assert status == 2
    assert "out: another tournament is kept in this folder: openings was" in errors


def test_ctrl_c_without_a_folder_tells_the_result_so_far_and_loses_no_game(tmp_path: Path) -> None:
    """On a terminal, where the score is shown all the while."""
    command = ("-m", "nestline", "match", "greedy", "mcts:nodes=3000", "--rules", "gobblet",
               "--games", "1000", "--concurrency", "2", "--sprt", "-5,5", "--records",
               "games.txt")  # fmt: skip
    terminal = pexpect.spawn(
        sys.executable, [*command], cwd=str(tmp_path), timeout=300, encoding="utf-8",
        env={**os.environ, "TERM": "xterm", "TMPDIR": str(tmp_path)}, dimensions=(24, 100),
    )  # fmt: skip
    terminal.expect(r"\d+ of 1,000 games of gobblet")
    terminal.expect(
        r"greedy: [\d.]+ of \d+ \(\+\d+ =\d+ -\d+\), Elo [+-]\d+ ± \d+, LLR [+-][\d.]+ of ±2.94"
    )
    terminal.sendintr()
    terminal.expect(r"Stopped after (\d+) of 1,000 games\.\r\n")
    games = int(terminal.match.group(1))
    terminal.expect(rf"greedy against mcts:nodes=3000: [\d.]+ of {games} points [^\r]*\r\n")
    terminal.expect(r"Elo difference: ")
    terminal.expect(r"Sequential test .* undecided")
    terminal.expect(
        r"The finished games are in (\S+); the same command with --output (\S+) goes on"
    )
    assert terminal.match.group(1) == terminal.match.group(2)
    folder = Path(terminal.match.group(1))
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert len(lines(folder)) == games
    assert (tmp_path / "games.txt").read_text().count("[Rules ") == games


def test_a_match_leaves_no_folder_of_its_own_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    finish("match", "greedy", "random", "--rules", "tictactoe", "--games", "2")
    assert list(tmp_path.glob("nestline-match-*")) == []


def test_equal_players_are_told_apart() -> None:
    told = facts("match", "random", "random", "--rules", "tictactoe", "--games", "4")
    assert {player["name"] for player in told["players"]} == {"random", "random (2)"}
    assert told["difference"]["of"] == "random"


def test_balanced_openings_and_perfect_play_use_the_table(
    standard_tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NESTLINE_TABLES", str(standard_tables))
    told = facts("match", "perfect", "engine:tables=yes", "--rules", "gobblers-official",
                 "--games", "6", "--balanced", "--opening-plies", "3")  # fmt: skip
    assert told["pairs"] == [0, 0, 3, 0, 0]
    assert told["players"][0]["draws"] == 6


def test_records_of_own_rules_find_them(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('like = "tictactoe"\ntitle = "Mine"\n')
    finish("match", "greedy", "1", "--rules", "./mine.toml", "--games", "2", "--output", "out",
           folder=tmp_path)  # fmt: skip
    text = (tmp_path / "out" / "games" / "000001.txt").read_text()
    assert read_record(text, tmp_path / "out" / "games").rules.title == "Mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("match", "greedy"), "Missing argument 'B'"),
        (("match", "greedy", "deep"), "there is no player 'deep'"),
        (("match", "greedy", "1", "--games", "7"), "7 is not an even number of at least 2"),
        (("match", "greedy", "1", "--rules", "chess"), "unknown rule set 'chess'"),
        (("match", "greedy", "1", "--nodes", "0"), "--nodes: '0' is not a whole number from 1"),
        (("match", "greedy", "1", "--sprt", "5"), "'5' is not two Elo values with a comma"),
        (("match", "greedy", "1", "--sprt", "5,1"), "the lower one first"),
        (("match", "greedy", "1", "--opening-plies", "99"), "99 is not a whole number from 0"),
        (("match", "greedy", "1", "--concurrency", "0"), "0"),
        (("match", "greedy", "mcts", "--depth", "3"), "mcts cannot play gobblet: Monte Carlo"),
        (("match", "greedy", "perfect"), "gobblet: "),
        (("match", "greedy", "1", "--balanced"), "gobblet: "),
        (
            ("match", "greedy", "1", "--games", "2", "--ray=nowhere:1"),
            "nowhere:1 cannot be used",
        ),
        (("match", "greedy", "1", "--openings", "none"), "none: the openings cannot be read"),
        (("match", "greedy", "1", "--records", "no/games"), "no/games: the file cannot be written"),
        (("tournament", "none.toml"), "none.toml: the tournament cannot be read"),
        (("tournament", "cup"), "cup: "),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_leaves_nothing(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((NestlineError, click.ClickException)) as caught:
        cli.main(list(arguments), standalone_mode=False)
    error = caught.value
    shown = error.format_message() if isinstance(error, click.ClickException) else str(error)
    assert message in shown
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_is_one_line_and_status_2(tmp_path: Path) -> None:
    status, output, errors = Run("match", "greedy", "deep", folder=tmp_path).finish()
    assert (status, output) == (2, "")
    assert errors.count("\n") == 1
    assert errors.startswith("nestline: there is no player 'deep'; players are the levels random")


def test_ctrl_c_ends_programs_that_hang_too(tmp_path: Path) -> None:
    program = f"ugi:{sys.executable} {PROGRAM} mute"
    run = Run("match", "greedy", program, "--rules", "tictactoe", "--games", "4", "--concurrency",
              "1", "--output", str(tmp_path / "out"))  # fmt: skip
    until(lambda: run.workers("mute") != [run.process.pid] and len(run.workers("mute")) == 2)
    os.killpg(run.process.pid, signal.SIGINT)
    status, _, errors = run.finish()
    assert status == 130
    assert "\nStopped before a game was finished.\n" in errors
    assert lines(tmp_path / "out") == []
