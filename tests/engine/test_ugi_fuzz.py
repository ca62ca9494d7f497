"""Fuzzing `nestline ugi`: it answers, and what it refuses changes nothing."""

import itertools
import queue
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nestline.engine.protocol.ugi import COMMANDS, OPTIONS, Program
from support.ugi_driver import Conversation

SECONDS = 60


def one_of(*texts: str) -> st.SearchStrategy[str]:
    """One of the parts between the bars."""
    return st.sampled_from("|".join(texts).split("|"))


MOVES = st.lists(one_of("3b2|2a1|1c3|a1|a1c3|4d4|b2|0000|x"), max_size=4)
POSITIONS = one_of(
    "startpos|fen x3/x,w3,x/x3 b|fen x3/x,w3,x/x3_b|fen x3/x3/w3,w2,w1 b|fen start",
    "fen x4/x4/x4/x4 w|fen|fen 1 2 3||moves",
)
LIMITS = one_of(
    "depth 1|depth 2|nodes 50|movetime 5|infinite|p1time 20 p2time 20 p1inc 0 p2inc 0",
    "depth|nodes 0|depth 1 nodes x|",
)
VALUES = one_of(
    "1|2|true|false|tictactoe|gobblers|gobblet|full|random|easy||0|-1|none.toml|99999999999|ü"
)
SENSIBLE = st.one_of(
    one_of("ugi|isready|uginewgame|stop||query gameover|query p1turn|query result|query|query x"),
    st.builds("position {}".format, POSITIONS),
    st.builds("position {} moves {}".format, POSITIONS, MOVES.map(" ".join)),
    st.builds("go {}".format, LIMITS),
    st.builds("setoption name {} value {}".format, one_of(*OPTIONS, "X"), VALUES),
)
WORDS = one_of(
    *COMMANDS[:-1], "name|value|moves|startpos|fen|depth|1|-1|infinite|3b2|Rules|Hash|Level"
)
JUMBLED = st.lists(WORDS, max_size=6).map(" ".join)
NONSENSE = st.text(max_size=30).filter(lambda text: text.split()[:1] != ["quit"])
LINES = st.lists(st.one_of(SENSIBLE, SENSIBLE, JUMBLED, NONSENSE), max_size=12)


class Sounding:
    """A program in this process, and what it says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.program = Program(self._heard.put)

    def say(self, *lines: str) -> None:
        for line in lines:
            assert self.program.obey(line)

    def hear(self, last: str) -> list[str]:
        """Everything said up to the line that begins with this word."""
        heard: list[str] = []
        while not heard or heard[-1].split()[0] != last:
            heard.append(self._heard.get(timeout=SECONDS))
        self.said += heard
        return heard

    def finish(self) -> None:
        """End the program, and return the rest of its output."""
        assert self.program.finish(SECONDS)
        while not self._heard.empty():
            self.said.append(self._heard.get())

    def ask(self, line: str) -> list[str]:
        """The answers to one line, after which no search is running."""
        self.say(line)
        heard = self.hear("bestmove") if line.split()[:1] == ["go"] else []
        self.say("isready")
        return heard + self.hear("readyok")[:-1]


@given(LINES)
@settings(max_examples=120)
def test_whatever_it_is_told_it_answers_afterwards(lines: list[str]) -> None:
    sounding = Sounding()
    sounding.say(*lines, "stop", "isready")
    sounding.hear("readyok")
    sounding.finish()
    assert not [line for line in sounding.said if "defect" in line]
    assert all("\n" not in line and "\r" not in line for line in sounding.said)
    asked = sum(line.split()[:1] == ["go"] for line in lines)
    unheard = sum(line.startswith("info string go is not heard") for line in sounding.said)
    assert sum(line.startswith("bestmove ") for line in sounding.said) == asked - unheard


FINE = one_of(
    "uginewgame|ugi|position startpos|position startpos moves a1|position startpos moves b2 c3 a1",
    "query result|query p1turn|query gameover|go depth 1|go depth 2|setoption name Hash value 2",
    "setoption name Tables value false|setoption name Threads value 1",
)
REFUSED = one_of(
    "go depth x|go nodes 0|go p2inc 5|position|position startpos moves a1 a1|position moves a2",
    "position startpos moves b2 9z9|position fen x3/x3 w|position fen x2/x2 b moves a1",
    "query|query x|nonsense|ISREADY|\x00|setoption name|setoption name X value 1",
    "setoption name Rules value chess|setoption name Hash value 0|setoption name Level value x",
)


@given(st.lists(st.tuples(FINE, st.lists(REFUSED, max_size=2)), max_size=8))
@settings(max_examples=60)
def test_what_is_refused_changes_nothing(script: list[tuple[str, list[str]]]) -> None:
    """The same session with and without nonsense in between."""
    quiet, disturbed = Sounding(), Sounding()
    for sounding in (quiet, disturbed):
        for line in ("setoption name Rules value tictactoe", "setoption name Seed value 1"):
            assert sounding.ask(line) == []
    for fine, refused in script:
        for line in refused:
            answers = disturbed.ask(line)
            assert answers[0].startswith("info string ")
            assert answers[1:] in ([], ["bestmove 0000"])
        told = [_timeless(sounding.ask(fine)) for sounding in (quiet, disturbed)]
        assert told[0] == told[1]
    quiet.finish()
    disturbed.finish()


def _timeless(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("info ")]


@pytest.fixture(scope="module")
def program() -> Iterator[Conversation]:
    with Conversation() as running:
        yield running


MARKS = itertools.count()
BYTES = st.binary(max_size=40).filter(lambda raw: b"quit" not in raw)


@given(st.lists(st.one_of(SENSIBLE.map(str.encode), JUMBLED.map(str.encode), BYTES), max_size=10))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_through_a_pipe_it_answers_afterwards(program: Conversation, lines: list[bytes]) -> None:
    program.say_bytes(b"".join(line + b"\n" for line in lines))
    said = []
    mark = f"mark-{next(MARKS)}"
    while not said or mark not in said[-1]:
        # A search that was just stopped may not have ended when the next line comes.
        program.say("stop", f"query {mark}")
        said += program.hear("info string query")
    program.say("isready")
    said += program.hear("readyok")
    assert not [line for line in said if "defect" in line]
