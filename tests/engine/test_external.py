"""External programs as players: those that play, and every way not to."""

import gc
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from nestline import EngineFailure, Game, GameError, Move, Position, RuleSet, load_rules
from nestline.engine.protocol.external import ExternalPlayer, Patience
from nestline.engine.protocol.options import read_option
from nestline.engine.protocol.pipes import Pipes
from nestline.engine.search.engine import Limits, Stop
from support.helpers import after, built_rules, custom_rules
from support.ugi_driver import COMMAND

SHAM = """
import os, signal, subprocess, sys, time
def say(text):
    print(text, flush=True)
def note(text):
    with open({log!r}, "a") as file:
        print(text, file=file)
note(os.getpid())
{start}
for line in sys.stdin:
    note(line.strip())
    word = line.split()[0]
    if word == "ugi":
        {ugi}
    elif word == "isready":
        {isready}
    elif word == "go":
        {go}
    elif word == "quit":
        {quit}
"""
"""A program that does what each test says; it writes down its process id and what it hears."""

PLAYING = {
    "start": "pass",
    "ugi": "say('id name Sham'); say('ugiok')",
    "isready": "say('readyok')",
    "go": "say('bestmove b2')",
    "quit": "break",
}
SOON = Patience(start=20, ready=20, grace=20, unlimited=20, leave=20)
FLOOD = "[sys.{stream}.write('nonsense ' * 1000 + '\\n') for _ in iter(int, 1)]"

Sham = Callable[..., ExternalPlayer]


@pytest.fixture
def sham(tmp_path: Path) -> Sham:
    """Makes players of a program that behaves as told."""

    def make(patience: Patience = SOON, **behaviour: str) -> ExternalPlayer:
        options = {key: behaviour.pop(key) for key in list(behaviour) if key not in PLAYING}
        path = tmp_path / "sham.py"
        path.write_text(SHAM.format(log=str(tmp_path / "log"), **{**PLAYING, **behaviour}))
        return ExternalPlayer(
            [sys.executable, "-IS", str(path)],
            rules="tictactoe",
            limits=Limits(depth=1),
            patience=patience,
            options=options,
        )

    return make


def heard(folder: Path) -> list[str]:
    """The program's process id and what it was told; nothing if it was killed before it began."""
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def is_running(number: str) -> bool:
    try:
        process = psutil.Process(int(number))
        # The system reaps a grandchild whenever it gets round to it.
        return process.status() != psutil.STATUS_ZOMBIE or process.ppid() == os.getpid()
    except psutil.NoSuchProcess:
        return False


def ends(number: str) -> bool:
    """Whether it is gone, or soon will be: the system takes a moment to reap it."""
    for _ in range(1000):
        if not is_running(number):
            return True
        time.sleep(0.01)
    return False


# Programs that play.


def test_it_plays_the_moves_of_a_program(sham: Sham, tmp_path: Path) -> None:
    with sham() as player:
        assert player.name == "Sham"
        assert player.choose(Game("tictactoe")) == Move("1b2")
    number, *lines = heard(tmp_path)
    assert lines == [
        *("ugi", "isready", "uginewgame", "isready"),
        *("position startpos", "isready", "go depth 1", "quit"),
    ]
    assert not is_running(number)


def test_a_program_is_told_to_stop(sham: Sham) -> None:
    stop = Stop()
    threading.Timer(0.2, stop.ask).start()
    until_told = "[None for line in iter(sys.stdin.readline, 'stop\\n')]; say('bestmove a1')"
    with sham(go=until_told) as player:
        assert player.choose(Game("tictactoe"), stop) == Move("1a1")


def test_it_tells_the_program_the_whole_game(sham: Sham, tmp_path: Path) -> None:
    with sham() as player:
        player.choose(after("a1 c1", "tictactoe"))
        player.choose(Game(start=Position("x3/x3/w1,x2 b", "tictactoe")))
        player.choose(after("a2", start=Position("x3/x3/w1,x2 b", "tictactoe")))
    positions = [line for line in heard(tmp_path) if line.startswith("position")]
    assert positions == [
        "position startpos moves 1a1 1c1",
        "position fen x3/x3/w1,x2 b",
        "position fen x3/x3/w1,x2 b moves 1a2",
    ]


def test_a_new_game_is_announced_once(sham: Sham, tmp_path: Path) -> None:
    answers = "say('bestmove ' + 'b2 a3 c3 b2 c1'.split()[len(played)]); played.append(1)"
    with sham(start="played = []", go=answers) as player:
        for replies in (("b1", "a1", "c1"), ("b1", "a1")):
            game = Game("tictactoe")
            for reply in replies:
                game.play(player.choose(game))
                game.play(reply)
    told = [line.split()[0] for line in heard(tmp_path)]
    games = [word for word in told if word in ("uginewgame", "go")]
    assert games == ["uginewgame", "go", "go", "go", "uginewgame", "go", "go"]


def test_its_limits_are_told(tmp_path: Path) -> None:
    path = tmp_path / "sham.py"
    path.write_text(SHAM.format(log=str(tmp_path / "log"), **PLAYING))
    limits = Limits(seconds=0.25, depth=7, nodes=1000)
    command = f"'{sys.executable}' -IS '{path}'"
    with ExternalPlayer(command, rules="tictactoe", limits=limits, patience=SOON) as player:
        player.choose(Game("tictactoe"))
    assert "go movetime 250 depth 7 nodes 1000" in heard(tmp_path)


def test_settings_are_checked_against_what_is_declared(sham: Sham, tmp_path: Path) -> None:
    lines = (
        "option name Rules type combo default chess var chess var tictactoe",
        "option name Hash Size type spin default 1 min 1 max 64",
        "option name Style type combo default Solid var Solid var Quite Wild",
        "option name Own Book type check default false",
        "option name Greeting type string default hello",
        "option nonsense",
    )
    declaring = f"[say(line) for line in {lines}]; say('ugiok')"
    good = {"hash size": "32", "Style": "quite wild", "Own Book": "true", "Greeting": "good day"}
    sham(ugi=declaring, **good).close()
    assert [line for line in heard(tmp_path) if line.startswith("setoption")] == [
        "setoption name Rules value tictactoe",
        "setoption name Hash Size value 32",
        "setoption name Style value Quite Wild",
        "setoption name Own Book value true",
        "setoption name Greeting value good day",
    ]
    for bad, sentence in (
        ({"Cash": "3"}, "has no option 'Cash'; it has Rules, Hash Size, Style, Own Book, Greeting"),
        ({"Hash Size": "65"}, "Hash Size takes a whole number from 1 to 64, not '65'"),
        ({"Style": "wild"}, "Style takes one of Solid, Quite Wild, not 'wild'"),
        ({"Own Book": "maybe"}, "Own Book takes one of true, false, not 'maybe'"),
        ({"Greeting": "good\nday"}, "a value is one line of text"),
        ({"Rules": "chess"}, "the rules of a program are not set as an option"),
    ):
        with pytest.raises(EngineFailure, match=sentence):
            sham(ugi=declaring, **bad)
    only_chess = "say('option name Rules type combo default chess var chess'); say('ugiok')"
    with pytest.raises(EngineFailure, match="Rules takes one of chess, not 'tictactoe'"):
        sham(ugi=only_chess)


@pytest.mark.parametrize("rules", ["gobblet", "custom"])
def test_two_engines_play_each_other_through_pipes(rules: str, tmp_path: Path) -> None:
    found: RuleSet = (
        custom_rules(tmp_path, stock=(3, 1)) if rules == "custom" else load_rules(rules)
    )
    seeds = (1, 2)
    players = [
        ExternalPlayer(COMMAND, rules=found, limits=Limits(depth=depth), options={"Seed": seed})
        for seed, depth in zip(seeds, (2, 3), strict=True)
    ]
    try:
        for start in (Position.start(found), Position.start(found).play(f"{found.sizes}b2")):
            game = Game(start=start, ply_limit=40)
            while not game.outcome:
                game.play(players[game.turn].choose(game))
            assert game.ply > 2
    finally:
        for player in players:
            player.close()


def test_perfect_play_on_both_sides_draws_tictactoe() -> None:
    limits = Limits(depth=9)
    with (
        ExternalPlayer(COMMAND, rules="tictactoe", limits=limits) as one,
        ExternalPlayer(COMMAND, rules="tictactoe", limits=limits, options={"Hash": 1}) as other,
    ):
        game = Game("tictactoe")
        while not game.outcome:
            game.play((one, other)[game.turn].choose(game))
        assert game.outcome.is_draw


# Programs that do not.


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-program --fast", "no-such-program cannot be started: no such file or directory"),
        ([os.sep], "cannot be started: permission denied"),
        ([], "a command names a program, and this one is empty"),
        ("", "a command names a program"),
        ("'unfinished", "is not a command: no closing quotation"),
        (["a\0b"], "cannot be started: embedded null byte"),
        (["true"], "true ended with status 0 instead of answering ugi"),
        ("sh -c 'echo oh dear >&2; exit 3'", "sh ended with status 3 .its last words: 'oh dear'."),
    ],
)
def test_a_program_that_does_not_start(command: str | list[str], sentence: str) -> None:
    with pytest.raises(EngineFailure, match=f"(?i){sentence}"):
        ExternalPlayer(command, rules="tictactoe", limits=Limits(depth=1), patience=SOON)


IMPATIENT = 0.5


@pytest.mark.parametrize(
    ("behaviour", "limit", "sentence"),
    [
        ({"start": "sys.exit(7)"}, "", r"ended with status 7 instead of answering ugi"),
        ({"start": "time.sleep(600)"}, "start", "did not answer ugi with ugiok within 0.5 s"),
        ({"ugi": "say('hello')"}, "start", "did not answer ugi with ugiok within 0.5 s"),
        ({"ugi": "say('uciok')"}, "start", "did not answer ugi with ugiok within 0.5 s"),
        ({"ugi": FLOOD.format(stream="stdout")}, "start", "did not answer ugi with ugiok"),
        ({"ugi": FLOOD.format(stream="stderr")}, "start", "did not answer ugi with ugiok"),
        (
            {"ugi": "[say(f'option name {n} type string') for n in iter(time.time, 1)]"},
            "start",
            "did not answer ugi with ugiok",
        ),
        ({"ugi": "sys.stdout.write('ugiok' * 10**6); say('')"}, "start", "did not answer ugi"),
        ({"isready": "pass"}, "ready", "Sham did not answer isready with readyok within 0.5 s"),
        ({"isready": "os.abort()"}, "", r"Sham was ended by signal 6 \(Aborted\) instead of"),
        (
            {"isready": "os.close(1); time.sleep(600)"},
            "leave",
            "Sham closed its output instead of answering isready",
        ),
    ],
)
def test_a_program_that_does_not_get_ready(
    sham: Sham, tmp_path: Path, behaviour: dict[str, str], limit: str, sentence: str
) -> None:
    patience = SOON._replace(**{limit: IMPATIENT}) if limit else SOON
    with pytest.raises(EngineFailure, match=sentence):
        sham(patience, **behaviour)
    if heard(tmp_path):
        assert not is_running(heard(tmp_path)[0])


@pytest.mark.parametrize(
    ("go", "limit", "sentence"),
    [
        ("pass", "unlimited", "Sham did not answer go with bestmove within 0.5 s"),
        ("time.sleep(600)", "unlimited", "Sham did not answer go with bestmove within 0.5 s"),
        (FLOOD.format(stream="stdout"), "unlimited", "Sham did not answer go with bestmove"),
        (FLOOD.format(stream="stderr"), "unlimited", "Sham did not answer go with bestmove"),
        ("say('best move is b2')", "unlimited", "Sham did not answer go with bestmove"),
        ("sys.exit(1)", "", "Sham ended with status 1 instead of answering go"),
        ("1 / 0", "", r"Sham ended with status 1 \(its last words: 'ZeroDivisionError: .*'\)"),
        ("os.kill(os.getpid(), 9)", "", r"Sham was ended by signal 9 \(Killed\) instead of"),
        ("say('bestmove')", "", "Sham answered bestmove without a move"),
        ("say('bestmove a1')", "", "Sham played an illegal move, 'a1': 1a1: a1 is occupied"),
        ("say('bestmove 9z9')", "", "Sham played an illegal move, '9z9': z9 is not on the"),
        ("say('bestmove 0000')", "", "Sham played an illegal move, '0000': '0000' is not a move"),
        (
            "say('info string I am lost'); say('bestmove (none)')",
            "",
            r"illegal move, '\(none\)': .* \(its last remark: 'I am lost'\)",
        ),
        ("os.write(1, b'bestmove \\xff\\xfe\\n')", "", "Sham played an illegal move"),
        ("say('bestmove ' + 'b2' * 10**5)", "", "Sham played an illegal move, 'b2b2b2"),
    ],
)
def test_a_program_that_does_not_play(
    sham: Sham, tmp_path: Path, go: str, limit: str, sentence: str
) -> None:
    patience = SOON._replace(**{limit: IMPATIENT}) if limit else SOON
    game = after("a1", "tictactoe")
    with sham(patience, go=go) as player:
        with pytest.raises(EngineFailure, match=sentence) as failure:
            player.choose(game)
        assert len(str(failure.value)) <= 400
        assert not is_running(heard(tmp_path)[0])
    assert game.moves == (Move("1a1"),)


def test_a_program_that_takes_more_than_its_time(tmp_path: Path) -> None:
    """We keep the time, whatever the program believes."""
    path = tmp_path / "sham.py"
    slow = {**PLAYING, "go": "time.sleep(600); say('bestmove b2')"}
    path.write_text(SHAM.format(log=str(tmp_path / "log"), **slow))
    with (
        ExternalPlayer(
            [sys.executable, "-IS", str(path)],
            rules="tictactoe",
            limits=Limits(seconds=0.1),
            patience=SOON._replace(grace=0.2),
        ) as player,
        pytest.raises(EngineFailure, match=r"Sham did not answer go with bestmove within 0\.3 s"),
    ):
        player.choose(Game("tictactoe"))


def test_a_program_that_stops_reading(sham: Sham) -> None:
    with sham(SOON._replace(ready=2), go="say('bestmove b2'); time.sleep(600)") as player:
        player.choose(Game("tictactoe"))
        with pytest.raises(EngineFailure, match=r"Sham did not answer isready with readyok"):
            player.choose(Game("tictactoe"))


def test_a_line_longer_than_a_pipe_is_not_waited_for() -> None:
    pipes = Pipes(["sleep", "600"])
    assert not pipes.send("x" * 10**6, time.monotonic() + IMPATIENT)
    pipes.close()
    pipes = Pipes(["cat"])
    deadline = time.monotonic() + 60
    assert pipes.send("x" * 10**6, deadline)
    pipes.close()


def test_old_answers_are_not_taken_for_new_ones(sham: Sham) -> None:
    """Not even good ones."""
    answers = "[say('bestmove ' + move) for move in (['c3'] if played else ['b2', 'b2'])]"
    with sham(start="played = []", go=f"{answers}; played.append(1)") as player:
        assert player.choose(Game("tictactoe")) == Move("1b2")
        assert player.choose(Game("tictactoe")) == Move("1c3")


def test_what_it_says_besides_is_no_matter(sham: Sham) -> None:
    """Far more than the pipes can hold, on both of them, before and after each answer."""
    noise = "[print('noise' * 20, file=f, flush=True) for f in (sys.stdout, sys.stderr) * 3000]"
    with sham(go=f"{noise}; say('info depth 1 pv b2'); say('bestmove b2 ponder a1'); {noise}",
              ugi=f"{noise}; say('ugiok'); {noise}") as player:  # fmt: skip
        for _ in range(3):
            assert player.choose(Game("tictactoe")) == Move("1b2")


def test_after_a_failure_it_is_started_again(sham: Sham, tmp_path: Path) -> None:
    once = f"say('bestmove b2') if {str(tmp_path / 'failed')!r} in __import__('glob').glob("
    once += f"{str(tmp_path / '*')!r}) else (open({str(tmp_path / 'failed')!r}, 'w'), sys.exit(4))"
    with sham(go=once) as player:
        with pytest.raises(EngineFailure, match="Sham ended with status 4"):
            player.choose(Game("tictactoe"))
        assert player.choose(Game("tictactoe")) == Move("1b2")
        assert player.choose(Game("tictactoe")) == Move("1b2")
    assert heard(tmp_path).count("ugi") == 2


# The end.


def test_a_program_that_does_not_leave_is_ended(sham: Sham, tmp_path: Path) -> None:
    deaf = "[signal.signal(number, signal.SIG_IGN) for number in (2, 15)]"
    player = sham(SOON._replace(leave=IMPATIENT), start=deaf, quit="time.sleep(600)")
    player.close()
    assert not is_running(heard(tmp_path)[0])
    player.close()


def test_a_program_that_talks_while_leaving_may_finish(sham: Sham, tmp_path: Path) -> None:
    """It would never exit if nobody read its output."""
    farewell = "[say('bye ' * 1000) for _ in range(200)]; note('gone'); break"
    sham(quit=farewell).close()
    assert heard(tmp_path)[-1] == "gone"


def test_what_a_program_has_started_is_ended_with_it(sham: Sham, tmp_path: Path) -> None:
    child = "note(subprocess.Popen(['sleep', '600']).pid)"
    with (
        sham(start=child, go="os._exit(1)") as player,
        pytest.raises(EngineFailure, match="Sham ended with status 1"),
    ):
        player.choose(Game("tictactoe"))
    assert ends(heard(tmp_path)[1])


def test_a_player_nobody_holds_leaves_no_program_behind(sham: Sham, tmp_path: Path) -> None:
    player = sham()
    assert is_running(heard(tmp_path)[0])
    del player
    gc.collect()
    assert not is_running(heard(tmp_path)[0])


# Settings.


def test_it_plays_only_the_game_it_was_told(sham: Sham) -> None:
    with sham() as player:
        with pytest.raises(GameError, match="Sham was told to play tictactoe, and cannot play"):
            player.choose(Game("gobblers"))
        with pytest.raises(GameError, match="there is no move to choose: X wins"):
            player.choose(after("a1 b1 a2 b2 a3", "tictactoe"))
        assert player.choose(Game("tictactoe")) == Move("1b2")


def test_impossible_orders_are_refused() -> None:
    with pytest.raises(GameError, match="needs a limit"):
        ExternalPlayer(COMMAND, rules="tictactoe", limits=Limits())
    with pytest.raises(EngineFailure, match="lies in no file"):
        ExternalPlayer(COMMAND, rules=built_rules(), limits=Limits(depth=1))


@pytest.mark.parametrize(
    "line",
    [
        "option name Hash type spin default 16 min 1 max 64",
        "option name Own Book type check default true",
        "option name Style type combo default Quite Wild var Solid var Quite Wild",
        "option name Clear type button",
        "option name Low type spin min -5",
    ],
)
def test_declarations_are_read_as_they_are_written(line: str) -> None:
    assert str(read_option(line)) == line


@pytest.mark.parametrize("line", ["", "option", "option name type spin", "options name A type b"])
def test_what_declares_no_option_is_refused(line: str) -> None:
    with pytest.raises(GameError, match="declares no option with a name and a type"):
        read_option(line)
