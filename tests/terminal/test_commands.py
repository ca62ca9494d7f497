"""The commands that print information, run as a user runs them."""

import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import psutil
import pytest

from nestline import load_rules, rule_set_names
from nestline.terminal.commands.play import levels_in_words
from support.arena_driver import until
from support.command_line import nestline
from support.forks import Fork

POSITION = "x3/x,b1w3,x/w2,x2 b"


def facts(*arguments: str) -> dict:  # type: ignore[type-arg]
    finished = nestline(*arguments, "--json")
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)


def refusal(*arguments: str, folder: Path | None = None) -> str:
    """The one line on standard error of a refused command."""
    finished = nestline(*arguments, folder=folder)
    assert finished.returncode == 2
    assert finished.stdout == ""
    assert finished.stderr.count("\n") == 1
    assert finished.stderr.startswith("nestline: ")
    return finished.stderr


def test_version() -> None:
    assert nestline("--version").stdout.startswith("nestline, version ")


def test_help_names_every_command() -> None:
    listed = nestline("--help").stdout
    for command in ("play", "rules", "perft", "picture"):
        assert f"\n  {command} " in listed


def test_rules_list() -> None:
    assert [line.split()[0] for line in nestline("rules", "list").stdout.splitlines()] == list(
        rule_set_names()
    )
    assert [item["name"] for item in facts("rules", "list")] == list(rule_set_names())


@pytest.mark.parametrize("name", rule_set_names())
def test_rules_show_tells_each_field_and_its_source(name: str) -> None:
    found = load_rules(name)
    shown = nestline("rules", "show", name).stdout
    for key in found.fields():
        if key not in ("title", "summary"):
            line = next(line for line in shown.splitlines() if line.startswith(f"{key} "))
            assert line.endswith(found.sources[key])
    told = facts("rules", "show", name)
    assert told["board"] == found.board
    assert told["stock"] == list(found.stock)
    assert told["sources"] == dict(found.sources)


def test_rules_show_leaves_no_gap_where_a_summary_is_missing() -> None:
    design = "gobblers.stock-3-3-3"
    assert load_rules(design).summary == ""
    title, gap, field = nestline("rules", "show", design).stdout.splitlines()[:3]
    assert title == f"{design}: Gobblet Gobblers"
    assert gap == ""
    assert field.startswith("board ")


def test_rules_check(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('like = "gobblers"\ntitle = "Mine"\nboard = 2\nline = 2\n')
    finished = nestline("rules", "check", str(file))
    assert finished.returncode == 0
    assert "fine. Mine: 2x2 board, lines of 2" in finished.stdout
    assert facts("rules", "check", str(file))["valid"] is True
    file.write_text('like = "gobblers"\nbord = 3\n')
    message = "mine.toml: unknown key 'bord' (did you mean board?); allowed are like, title"
    assert message in refusal("rules", "check", str(file))


def test_a_rule_set_in_a_file_works_where_a_name_does(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('like = "tictactoe"\nboard = 2\nline = 2\nstock = [4]\n')
    finished = nestline("perft", "./mine.toml", "2", "--json", folder=tmp_path)
    assert json.loads(finished.stdout)["nodes"] == 12
    drawn = nestline("picture", "start", "--rules", "mine.toml", folder=tmp_path)
    assert drawn.stdout.count("+----+----+\n") == 3


def test_perft() -> None:
    counted = facts("perft", "gobblers", "4")
    assert counted.pop("seconds") > 0
    assert counted == {
        "rules": "gobblers",
        "position": "x3/x3/x3 w",
        "depth": 4,
        "nodes": 572472,
    }
    assert nestline("perft", "gobblet", "0").stdout.startswith("1 nodes")


def test_perft_divide_adds_up() -> None:
    counted = facts("perft", "gobblers", "3", "--position", POSITION, "--divide")
    assert counted["position"] == POSITION
    assert sum(counted["divide"].values()) == counted["nodes"]
    lines = nestline("perft", "tictactoe", "2", "--divide").stdout.splitlines()
    assert lines[0] == "1a1: 8"
    assert len(lines) == 10


def test_perft_of_a_finished_game() -> None:
    assert facts("perft", "tictactoe", "3", "--position", "w1,w1,w1/b1,b1,x/x3 b")["nodes"] == 0


def test_picture_as_text() -> None:
    finished = nestline("picture", POSITION)
    assert "| XX |" in finished.stdout
    assert "b2: P2 1 under P1 3" in finished.stdout
    assert "under" not in nestline("picture", POSITION, "--hide-covered").stdout


@pytest.mark.parametrize(
    ("position", "rules"),
    [
        ("start", "gobblers"),
        ("x3/x,w3,x/x3 b", "gobblers"),
        ("w1,b1,w1/b1,w1,b1/b1,w1,x w", "tictactoe"),
        ("x4/x,w4,x2/x4/x4 b", "gobblet"),
    ],
)
def test_a_picture_without_rules_takes_the_position_for_what_it_is(
    position: str, rules: str
) -> None:
    assert facts("picture", position)["rules"] == rules


def test_picture_as_facts() -> None:
    told = facts("picture", POSITION)
    assert told["turn"] == "second"
    assert told["stacks"]["b2"] == [{"side": "second", "size": 1}, {"side": "first", "size": 3}]
    assert told["reserves"]["first"] == {"1": 2, "2": 1, "3": 1}
    assert told["outcome"] is None
    assert "3a1" in told["legal_moves"]


def test_picture_files(tmp_path: Path) -> None:
    drawing, bitmap = tmp_path / "a.svg", tmp_path / "a.png"
    options = ["--last-move", "3b2", "--targets", "a1,c3", "--flip", "--size", "200"]
    assert nestline("picture", POSITION, "-o", str(drawing), *options).returncode == 0
    assert ElementTree.parse(drawing).getroot().get("width") == "200"
    assert nestline("picture", POSITION, "-o", str(bitmap), "--size", "100").returncode == 0
    assert bitmap.read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rules", "show", "chess"], "unknown rule set 'chess'; known are tictactoe, gobblers"),
        (["rules", "check", "missing.toml"], "missing.toml: the rule set cannot be read"),
        (["perft", "gobblers", "many"], "'many' is not a valid integer"),
        (["perft", "gobblers", "-1"], "-1"),
        (["perft", "gobblers", "2", "--position", "x3/x3 w"], "the board has 2 rows"),
        (["picture", "nonsense"], "'nonsense' is not a position"),
        (["picture", "w1w1,x2/x3/x3 w"], "a3: a size 1 cannot lie on a size 1"),
        (["picture", "w3b1,x2/x3/x3 w"], "a size 1 cannot lie on a size 3"),
        (
            ["picture", "w1,w1,w1/x3/x3 w", "--rules", "gobblers"],
            "P1 has 3 pieces of size 1 on the board; there are 2",
        ),
        (["picture", "x5/x5/x5/x5/x5 w"], "the board has 5 rows; gobblers has 3"),
        (["picture", "x4/x4/x4/x4 w", "--rules", "gobblers"], "the board has 4 rows"),
        (["picture", "w4,w4,w4,w4/x4/x4/x4 b"], "White has 4 pieces of size 4 on the board"),
        (["picture", "start", "-o", "a.jpeg"], "a picture's file ends in .svg or .png"),
        (["picture", "start", "-o", "no/such/folder/a.svg"], "cannot be written"),
        (["picture", "start", "-o", "a.svg", "--targets", "z9"], "z9 is not on the 3x3 board"),
        (["picture", "start", "-o", "a.svg", "--last-move", "zz"], "zz"),
        (["picture"], "Missing argument 'POSITION'"),
        (["dance"], "there is no command 'dance'; commands are play, rules"),
        (["--nonsense"], "there is no option --nonsense"),
        (["play", "gobblet"], "'gobblet' needs an option before it; did you mean --rules gobblet?"),
        (["play", "goblet"], "did you mean --rules gobblet?"),
        (["play", "mine.toml"], "did you mean --rules mine.toml?"),
        (["play", "hard"], "did you mean --level hard?"),
        (["play", "2"], "'2' is one word too many; nestline play --help says what it takes"),
        (["play", "--rules", "gobblet", "gobblers"], "'gobblers' is one word too many"),
        (["match", "hard", "easy", "gobblet"], "did you mean --rules gobblet?"),
        (["match", "gobblet", "hard"], "'gobblet' is a game, not a player; did you mean --rules"),
        (["picture", "gobblet"], "is a game, not a position; did you mean start --rules gobblet?"),
        (["web", "gobblet"], "'gobblet' is one word too many"),
        (["gobblet"], "no command 'gobblet' (did you mean nestline play --rules gobblet?)"),
        (["rules", "gobblet"], "no command 'gobblet' (did you mean nestline rules show gobblet?)"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    assert message in refusal(*arguments, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_record_behind_no_option_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("1. 3b2\n")
    assert "did you mean --load game.txt?" in refusal("play", "game.txt", folder=tmp_path)


def test_broken_toml_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("board = = 3")
    assert "broken.toml: not valid TOML" in refusal("perft", "./broken.toml", "2", folder=tmp_path)


def test_output_into_a_closed_pipe_is_quiet() -> None:
    command = f"{sys.executable} -m nestline rules show gobblet | true"
    finished = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert finished.stderr == ""


def test_ctrl_c_stops_a_long_count_at_once(tmp_path: Path) -> None:
    with open(tmp_path / "errors", "wb") as errors:
        running = Fork("perft", "gobblers", "12", environment=os.environ, errors=errors.fileno())
    # It has begun to count: all that comes before takes a fraction of that.
    until(lambda: psutil.Process(running.pid).cpu_times().user > 1)
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=30) == 130
    assert "Traceback" not in (tmp_path / "errors").read_text("utf-8")


@pytest.mark.parametrize("command", [["--version"], ["rules", "list"], ["--help"]])
def test_trivial_commands_do_not_load_the_compiler(command: list[str]) -> None:
    code = (
        "import sys\nfrom nestline.terminal import main\n"
        f"sys.argv = ['nestline', *{command!r}]\n"
        "try: main.main()\nexcept SystemExit: pass\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_options_for_files_need_a_file() -> None:
    assert "--targets is for files; name one with -o" in refusal(
        "picture", "start", "--targets", "zz"
    )


@pytest.mark.parametrize(
    ("rules", "listed"),
    [
        ("gobblet", "random, child-1 to child-8, 1 to 16, maximum-1, maximum, maximum-20"),
        ("gobblers", "random, 1 to 7, perfect"),
    ],
)
def test_the_question_for_a_level_names_all_of_the_game(rules: str, listed: str) -> None:
    assert levels_in_words(load_rules(rules)) == f"{listed}, easy, medium, hard"
