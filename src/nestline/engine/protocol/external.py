"""An external UGI program as a player like any other.

It is not trusted: whatever it does instead of playing (it does not start, crashes, hangs, floods
its pipes, plays an illegal move) ends in an `EngineFailure` within a bounded time. The match
decides what that means for the game. The next move restarts the program.

    with ExternalPlayer("nestline ugi", rules="gobblet", limits=Limits(seconds=1)) as player:
        game.play(player.choose(game))
"""

import contextlib
import signal
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from nestline.engine.choices import moves_of
from nestline.engine.players.player import Player
from nestline.engine.protocol.options import Option, read_option, shortened
from nestline.engine.protocol.pipes import Pipes
from nestline.engine.search.engine import Limits, Stop
from nestline.errors import EngineFailure, GameError, NestlineError
from nestline.game import Game
from nestline.position import Move, Position
from nestline.rules import RuleSet, load_rules
from nestline.system import split_command

RULES = "rules"
"""The option that tells a program the rules, if it has one; otherwise it has to know them."""

MOST_OPTIONS = 1000
LONGEST_NAME = 60
LONGEST_MESSAGE = 400

GLANCE = 0.05
"""Seconds between checks whether the program should stop."""


class Patience(NamedTuple):
    """How many seconds a program may take."""

    start: float = 30.0
    """To identify itself."""
    ready: float = 120.0
    """To get ready: some compile first, as ours does."""
    grace: float = 2.0
    """For a move, beyond the time it was given."""
    unlimited: float = 600.0
    """For a move, if it was given a depth or a number of nodes instead of a time."""
    leave: float = 2.0
    """To exit when told to."""


class ExternalPlayer(Player):
    """Plays the moves of a program, which starts at once; close it, or use it in a `with`
    statement.

    The command is a list of words, or a string as typed in a shell. `limits` apply to every move.
    Options are those the program declares; it is told the rules automatically.
    """

    def __init__(
        self,
        command: "str | Sequence[str]",
        *,
        rules: "str | RuleSet",
        limits: Limits,
        options: Mapping[str, object] | None = None,
        name: str | None = None,
        patience: Patience | None = None,
    ) -> None:
        if limits == Limits():
            raise GameError("a player needs a limit on its time, its depth or its positions")
        self.rules = load_rules(rules)
        self.limits = limits
        self._command = _split(command)
        self._patience = patience or Patience()
        self._settings = _written(options or {})
        self._given_name = name
        self._own_name: str | None = None
        self._options: dict[str, Option] = {}
        self._last: tuple[Position, tuple[Move, ...]] | None = None
        self._remark = ""
        self._pipes: Pipes | None = None
        self._end: weakref.finalize[[], ExternalPlayer] | None = None
        self._start()

    @property
    def name(self) -> str:
        """The name it was given, or its own."""
        return self._given_name or self._own_name or Path(self._command[0]).name

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that the program declares."""
        return tuple(self._options.values())

    def choose(self, game: Game, stop: Stop | None = None) -> Move:
        """The program's move, legal and in time; otherwise `EngineFailure`."""
        moves_of(game)
        if game.rules != self.rules:
            raise GameError(f"{self.name} was told to play {self.rules.name}, and cannot play "
                            f"{game.rules.name}")  # fmt: skip
        try:
            if self._pipes is None:
                self._start()
            return self._ask(game, stop or Stop())
        except BaseException:
            # Also when interrupted: a program left in the middle of a search is of no use.
            self._abandon()
            raise

    def close(self) -> None:
        """Tell the program to quit; kill it if it does not."""
        if self._pipes is not None:
            deadline = time.monotonic() + self._patience.leave
            if self._pipes.send("quit", deadline):
                self._pipes.status(deadline)
        self._abandon()

    def _abandon(self) -> None:
        self._last = None
        if self._end is not None:
            self._end()
        self._pipes = self._end = None

    # The dialogue.

    def _start(self) -> None:
        try:
            self._pipes = Pipes(self._command)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise EngineFailure(f"{self.name} cannot be started: {reason.lower()}") from None
        # A player that nobody closes leaves no process behind either.
        self._end = weakref.finalize(self, self._pipes.close)
        try:
            self._options = {}
            self._wait("ugi", "ugiok", self._patience.start)
            for option, value in self._checked_settings().items():
                self._send(f"setoption name {option} value {value}", self._patience.ready)
            self._wait("isready", "readyok", self._patience.ready)
        except BaseException:
            self._abandon()
            raise

    def _note(self, line: str) -> None:
        """Keep what a line tells besides answers: the program's name, its options, a remark."""
        if line.startswith("id name "):
            shown = "".join(filter(str.isprintable, line.removeprefix("id name ")))
            self._own_name = " ".join(shown.split())[:LONGEST_NAME] or None
        elif line.startswith("info string "):
            self._remark = line.removeprefix("info string ")
        elif line.startswith("option ") and len(self._options) < MOST_OPTIONS:
            with contextlib.suppress(GameError):
                option = read_option(line)
                self._options[option.name.lower()] = option

    def _checked_settings(self) -> dict[str, str]:
        """The settings by the program's own option names, the rules first."""
        wanted = {RULES: _reference(self.rules)} if RULES in self._options else {}
        wanted |= self._settings
        found = {}
        for name, value in wanted.items():
            option = self._options.get(name.lower())
            if option is None:
                known = ", ".join(item.name for item in self.options) or "none at all"
                raise self._failure(f"has no option {shortened(name)}; it has {known}")
            is_path = name == RULES and value != self.rules.name
            try:
                found[option.name] = value if is_path else option.check(value)
            except GameError as error:
                raise self._failure(f"cannot be set up: {error}") from None
        return found

    def _ask(self, game: Game, stop: Stop) -> Move:
        if not self._is_continued(game):
            self._send("uginewgame", self._patience.ready)
            self._wait("isready", "readyok", self._patience.ready)
        self._send(_position_line(game), self._patience.ready)
        # Anything it says before it answers this does not answer what we ask now.
        self._wait("isready", "readyok", self._patience.ready)
        seconds = self.limits.seconds
        allowed = self._patience.unlimited if seconds is None else seconds + self._patience.grace
        words = self._wait(_go_line(self.limits), "bestmove", allowed, stop).split()
        if len(words) < 2:
            raise self._failure("answered bestmove without a move")
        move = self._read_move(words[1], game)
        self._last = game.start, (*game.moves, move)
        return move

    def _is_continued(self, game: Game) -> bool:
        """Whether the game continues the one of the last move."""
        if self._last is None:
            return False
        start, moves = self._last
        return game.start == start and game.moves[: len(moves)] == moves

    def _read_move(self, text: str, game: Game) -> Move:
        try:
            move = game.position.read_move(text)
            game.position.play(move)
        except NestlineError as error:
            remark = f" (its last remark: {shortened(self._remark)})" if self._remark else ""
            raise self._failure(
                f"played an illegal move, {shortened(text)}: {error}{remark}"
            ) from None
        if move not in game.legal_moves():
            raise self._failure(f"played {move}, although {game.touched} was touched")
        return move

    def _send(self, line: str, seconds: float) -> None:
        assert self._pipes is not None
        if not self._pipes.send(line, time.monotonic() + seconds) and not self._pipes.has_ended:
            raise self._failure(f"did not read {_first_word(line)} within {seconds:g} s")

    def _wait(self, line: str, answer: str, seconds: float, stop: Stop | None = None) -> str:
        """Send a line and wait for one that begins with this word; `stop` is passed on."""
        assert self._pipes is not None
        deadline = time.monotonic() + seconds
        self._remark = ""
        self._send(line, seconds)
        while not self._pipes.has_ended and time.monotonic() < deadline:
            said = self._pipes.receive(min(deadline, time.monotonic() + GLANCE))
            if said is not None:
                if _first_word(said) == answer:
                    return said
                self._note(said)
            if stop is not None and stop.is_asked:
                stop = None
                self._send("stop", self._patience.grace)
                deadline = min(deadline, time.monotonic() + self._patience.grace)
        if self._pipes.has_ended:
            what = f"{self._how_it_ended()} instead of answering {_first_word(line)}"
        else:
            what = f"did not answer {_first_word(line)} with {answer} within {seconds:g} s"
        raise self._failure(what)

    def _how_it_ended(self) -> str:
        assert self._pipes is not None
        status = self._pipes.status(time.monotonic() + self._patience.leave)
        if status is None:
            return "closed its output"
        if status < 0:
            how = f"was ended by signal {-status} ({signal.strsignal(-status)})"
        else:
            how = f"ended with status {status}"
        words = self._pipes.last_words
        return f"{how} (its last words: {shortened(words)})" if words else how

    def _failure(self, what: str) -> EngineFailure:
        return EngineFailure(f"{self.name} {what}"[:LONGEST_MESSAGE])


def _split(command: "str | Sequence[str]") -> list[str]:
    try:
        words = split_command(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise EngineFailure(f"{shortened(str(command))} is not a command: {error}") from None
    if not words or not words[0]:
        raise EngineFailure("a command names a program, and this one is empty")
    return words


def _written(options: Mapping[str, object]) -> dict[str, str]:
    """Settings as the protocol writes them."""
    found = {}
    for name, value in options.items():
        if name.lower() == RULES:
            raise EngineFailure("the rules of a program are not set as an option, but apart")
        text = str(value).lower() if isinstance(value, bool) else str(value).strip()
        if len(text.splitlines()) != 1:
            raise EngineFailure(f"{name}: a value is one line of text, not {shortened(text)}")
        found[name] = text
    return found


def _reference(rules: RuleSet) -> str:
    """The rules as another program finds them: by name, or by the absolute path of their file."""
    try:
        is_found = load_rules(rules.reference) == rules
    except NestlineError:
        is_found = False
    if not is_found:
        raise EngineFailure(f"{rules.name} lies in no file, so no other program can be told of it")
    if rules.reference == rules.name:
        return rules.name
    return str(Path(rules.reference).resolve())


def _position_line(game: Game) -> str:
    is_usual = game.start == Position.start(game.rules)
    line = "position startpos" if is_usual else f"position fen {game.start}"
    return f"{line} moves {' '.join(map(str, game.moves))}" if game.moves else line


def _go_line(limits: Limits) -> str:
    words = ["go"]
    if limits.seconds is not None:
        words.append(f"movetime {max(round(1000 * limits.seconds), 1)}")
    if limits.depth is not None:
        words.append(f"depth {limits.depth}")
    if limits.nodes is not None:
        words.append(f"nodes {limits.nodes}")
    return " ".join(words)


def _first_word(line: str) -> str:
    return (line.split(maxsplit=1) or [""])[0]
