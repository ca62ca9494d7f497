"""Our engine as a UGI program: lines in, lines out. UGI is the game-neutral cousin of UCI.

`search` and `players` do the thinking, `go` reads the limits of a move. The reader of the lines
must never wait for a search, so a worker thread carries them out in order; only what cannot wait is
answered at once. Everything that needs the compiler is imported in that thread too, so that `ugiok`
comes without delay.

>>> program = Program(print)
>>> for line in ("position startpos moves 3b2", "query p1turn", "query result"):
...     _ = program.obey(line)
>>> program.finish()
response false
response none
True
"""

import queue
import re
import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from nestline import __version__
from nestline.engine.players.level_names import ALIASES, LEVEL_NAMES
from nestline.engine.protocol.options import Option, shortened
from nestline.engine.warm_up import warm_up_search
from nestline.errors import GameError, NestlineError
from nestline.rules import load_rules, rule_set_names
from nestline.system import memory_bytes

if TYPE_CHECKING:
    from nestline.engine.players.player import Player
    from nestline.engine.search.engine import Engine, Report, Stop
    from nestline.game import Game

COMMANDS = ("ugi", "isready", "uginewgame", "setoption", "position", "go", "stop", "query", "quit")

FULL = "full"
"""The level that is the engine itself, without the errors of the others."""

NO_MOVE = "0000"
"""What `bestmove` says where there is no move: the game is over, or `go` was refused."""

LONGEST_LINE = 65_536
"""The maximum length of a line in bytes: some thirteen thousand moves."""

PATIENCE = 3.0
"""Seconds within which a stopped search ends; only compiling and loading take longer."""

OPTIONS = {
    option.name: option
    for option in (
        Option("Rules", "combo", "gobblers", choices=rule_set_names()),
        Option("Threads", "spin", "1", 1, 256),
        Option("Hash", "spin", "16", 1, min(max(16, memory_bytes() // 2**21), 65_536)),
        Option("Level", "combo", FULL, choices=(FULL, *LEVEL_NAMES, *ALIASES)),
        Option("Tables", "check", "true"),
        Option("Seed", "spin", "0", 0, 2**31 - 1),
    )
}
"""Rules also takes the path of a TOML file. Seed 0 plays differently every time."""

_ANSWERS_ANYWAY = {"isready": "readyok", "go": f"bestmove {NO_MOVE}"}
"""What the other side waits for, even if its request cannot be met."""


class Program:
    """One UGI session; `write` gets each line of output, without its newline."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._writing = threading.Lock()
        self._values = {name: option.default for name, option in OPTIONS.items()}
        self._rules = load_rules(self._values["Rules"])
        self._game: Game | None = None
        self._engine: Engine | None = None
        self._player: Player | None = None
        self._is_compiled = False
        self._is_thinking = threading.Event()
        self._is_stopped = threading.Event()
        self._stopper: Stop | None = None
        self._lines: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    # In the thread that reads the lines.

    def obey(self, line: str) -> bool:
        """Take a line; false after `quit`."""
        command, rest = (*line.split(maxsplit=1), "", "")[:2]
        if command == "quit":
            return False
        if command == "ugi":
            self._introduce()
        elif command == "stop":
            self._stop()
        elif command and command not in COMMANDS:
            allowed = ", ".join(COMMANDS)
            self.remark(f"unknown command {shortened(command)}; commands are {allowed}")
        elif command and not self._is_thinking.is_set():
            if command == "go":
                self._is_stopped.clear()
                self._is_thinking.set()
            self._lines.put((command, rest.strip()))
        elif command == "isready":
            self._say("readyok")
        elif command:
            self.remark(f"{command} is not heard while thinking; isready, stop and quit are")
        return True

    def finish(self, seconds: float = PATIENCE) -> bool:
        """End the session: a running search is stopped and still answered.

        False if the worker thread could not be joined because it is compiling.
        """
        self._lines.put(None)
        self._stop()
        self._worker.join(seconds)
        return not self._worker.is_alive()

    def remark(self, text: str) -> None:
        """A sentence for people, on one line."""
        self._say(f"info string {' '.join(text.split())}")

    def _introduce(self) -> None:
        self._say(f"id name nestline {__version__}")
        self._say("id author the nestline authors")
        for option in OPTIONS.values():
            self._say(str(option))
        self._say("ugiok")

    def _stop(self) -> None:
        # Set the flag first, then use the stopper; the other thread makes the stopper, then looks
        # at the flag: whoever comes second sees what the first has done.
        self._is_stopped.set()
        if (stopper := self._stopper) is not None:
            stopper.ask()

    def _say(self, line: str) -> None:
        with self._writing:
            self._write(line)

    # In the worker thread.

    def _work(self) -> None:
        while (line := self._lines.get()) is not None:
            self._obey_now(*line)
        self._close_player()

    def _obey_now(self, command: str, rest: str) -> None:
        answer = None
        try:
            if not self._is_compiled and command not in ("setoption", "uginewgame"):
                self._compile()
            answer = {
                "isready": self._get_ready,
                "uginewgame": self._start_anew,
                "setoption": self._set_option,
                "position": self._set_position,
                "go": self._go,
                "query": self._tell,
            }[command](rest)
        except NestlineError as error:
            self.remark(str(error))
        except MemoryError:
            self.remark("there is not enough memory for this; a smaller Hash needs less")
        except Exception as error:
            # This is a bug, but whoever waits for an answer must get one.
            traceback.print_exc()
            self.remark(f"{command} failed by a defect of nestline: {error!r}")
        if command == "go":
            # Before the answer, after which the next line may come at any moment.
            self._is_thinking.clear()
        answer = answer or _ANSWERS_ANYWAY.get(command)
        if answer:
            self._say(answer)

    def _compile(self) -> None:
        """Load the compiled code, and announce the wait if it has to be compiled first."""
        warm_up_search(self.remark)
        self._is_compiled = True

    def _get_ready(self, rest: str) -> None:
        if self._values["Level"] == FULL:
            self._ready_engine()

    def _ready_engine(self) -> "Engine":
        from nestline.engine.search.engine import Engine

        if self._engine is None:
            self._engine = Engine(
                self._rules,
                memory=int(self._values["Hash"]),
                threads=int(self._values["Threads"]),
                seed=self._seed,
                tables=self._values["Tables"] == "true",
            )
        return self._engine

    def _ready_player(self) -> "Player":
        from nestline.engine.players.levels import make_player

        if self._player is None:
            self._player = make_player(self._values["Level"], self._seed)
        return self._player

    @property
    def _seed(self) -> int | None:
        return int(self._values["Seed"]) or None

    def _close_player(self) -> None:
        if self._player is not None:
            self._player.close()
            self._player = None

    def _ready_game(self) -> "Game":
        from nestline.game import Game

        if self._game is None:
            self._game = Game(self._rules)
        return self._game

    def _start_anew(self, rest: str) -> None:
        self._game = None
        if self._engine:
            self._engine.forget()

    def _set_option(self, rest: str) -> None:
        name, value = _read_setting(rest)
        option = next((item for item in OPTIONS.values() if item.name.lower() == name), None)
        if option is None:
            raise GameError(f"there is no option {shortened(name)}; options are "
                            f"{', '.join(OPTIONS)}")  # fmt: skip
        if option.name == "Rules":
            self._rules = load_rules(value)
            self._game = None
        else:
            value = option.check(value)
        self._values[option.name] = value
        self._engine = None
        self._close_player()

    def _set_position(self, rest: str) -> None:
        from nestline.game import Game
        from nestline.position import Position

        words, moves = rest.split(), []
        if "moves" in words:
            here = words.index("moves")
            words, moves = words[:here], words[here + 1 :]
        if words[:1] == ["fen"]:
            start = Position(" ".join(words[1:]), self._rules)
        elif words == ["startpos"]:
            start = Position.start(self._rules)
        else:
            raise GameError("position takes startpos, or fen and a position, then perhaps moves")
        game = Game(start=start)
        for move in moves:
            game.play(move)
        self._game = game

    def _tell(self, rest: str) -> str:
        game = self._ready_game()
        winner = None if game.outcome is None else game.outcome.winner
        ended = "draw" if winner is None else ("p1win", "p2win")[winner]
        answers = {
            "gameover": "true" if game.outcome else "false",
            "p1turn": "true" if game.turn == 0 else "false",
            "result": ended if game.outcome else "none",
        }
        if rest not in answers:
            raise GameError(f"query takes one of {', '.join(answers)}, not {shortened(rest)}")
        return f"response {answers[rest]}"

    def _go(self, rest: str) -> str:
        from nestline.engine.protocol.go import read_limits
        from nestline.engine.search.engine import Stop

        game = self._ready_game()
        if game.outcome:
            raise GameError(f"there is no move to choose: {game.explain()}")
        limits = read_limits(rest.split(), game.turn)
        stop = self._stopper = Stop()
        if self._is_stopped.is_set():
            stop.ask()
        if self._values["Level"] != FULL:
            began = time.perf_counter()
            move = self._ready_player().choose(game, stop)
            self._say(f"info time {1000 * (time.perf_counter() - began):.0f}")
            return f"bestmove {move}"
        report = self._ready_engine().think(game, limits, report=self._report, stop=stop)
        self._say(f"info {_effort(report)}")
        return f"bestmove {report.move}"

    def _report(self, report: "Report") -> None:
        if (plies := report.plies_to_win) is not None:
            score = f"mate {plies}"
        elif (plies := report.plies_to_loss) is not None:
            score = f"mate -{plies}"
        else:
            score = f"cp {report.score}"
        line = " ".join(map(str, report.variations[0].moves))
        self._say(f"info depth {report.depth} score {score} {_effort(report)} pv {line}")


def _effort(report: "Report") -> str:
    speed = report.nodes / max(report.seconds, 0.001)
    return f"nodes {report.nodes} nps {speed:.0f} time {1000 * report.seconds:.0f}"


def _read_setting(text: str) -> tuple[str, str]:
    """The lower-case name and the value, from `name X value Y`."""
    match = re.fullmatch(r"name\s+(.+?)\s+value\s+(.+)", text)
    if match is None:
        raise GameError("setoption is written: setoption name NAME value VALUE")
    return match[1].lower(), match[2]


def converse(source: BinaryIO, sink: BinaryIO) -> bool:
    """Serve the lines of a stream until `quit` or its end; returns what `Program.finish` does."""
    is_deaf = threading.Event()

    def write(line: str) -> None:
        try:
            sink.write(line.encode("utf-8", "surrogateescape") + b"\n")
            sink.flush()
        except OSError:
            # Nobody is reading any more, and soon nobody will be writing.
            is_deaf.set()

    program = Program(write)
    is_cut = False
    while not is_deaf.is_set():
        line = source.readline(LONGEST_LINE)
        ended = line.endswith(b"\n")
        if is_cut:
            is_cut = not ended
        elif len(line) == LONGEST_LINE and not ended:
            is_cut = True
            program.remark(f"a line of more than {LONGEST_LINE} bytes is not read")
        elif not program.obey(line.decode("utf-8", "surrogateescape")):
            break
        if not line:
            break
    return program.finish()
