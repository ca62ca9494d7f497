"""A tournament's folder: its games, saved as they finish, so that an interrupted run can resume.

    tournament.json    what is played, so that no other tournament is mixed in
    games.jsonl        one line for each finished game, on the disk before the next one counts
    games/000001.txt   the same games as records
    results.json, crosstable.txt, ratings.svg     written by the commands when all games are played

`results` says what the results mean.
"""

import json
import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from nestline.arena.single_game import FinishedGame
from nestline.arena.tournament import Tournament
from nestline.errors import NestlineError
from nestline.position import Move, Position
from nestline.record import Line, Record, RecordedMove, write_record
from nestline.rules import RuleSet
from nestline.system import lock_file, relative_path

PLAN, GAMES, RECORDS, LOCK = "tournament.json", "games.jsonl", "games", ".lock"


class Store:
    """The folder of one tournament, open for one run; use it in a `with` statement."""

    def __init__(self, folder: Path, tournament: Tournament) -> None:
        """`NestlineError` if the folder holds something else, or another run is using it."""
        self.folder = folder
        self.played: dict[int, FinishedGame] = {}
        """The games of earlier runs and of this one, by number."""
        self._tournament = tournament
        try:
            _prepare(folder, tournament)
            lock = lock_file(folder / LOCK)
            if lock is None:
                raise NestlineError(f"{folder}: another run is playing this tournament")
            with ExitStack() as held:
                held.callback(lock.release)
                self._lines: IO[bytes] = held.enter_context((folder / GAMES).open("ab+"))
                self._read()
                self._held = held.pop_all()
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise NestlineError(f"{folder}: the folder cannot be used: {reason}") from None

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.close()

    def add(self, played: FinishedGame) -> None:
        """Save a finished game; it is on disk when this returns."""
        self._write_record(played)
        line = json.dumps(played.as_json(), ensure_ascii=False)
        self._lines.write(line.encode() + b"\n")
        self._lines.flush()
        os.fsync(self._lines.fileno())
        self.played[played.number] = played

    def _read(self) -> None:
        """Read the saved games; a last line cut off by a crash is removed."""
        self._lines.seek(0)
        whole = 0
        for number, line in enumerate(self._lines, 1):
            if not line.endswith(b"\n"):
                break
            try:
                played = FinishedGame.from_json(json.loads(line))
            except (ValueError, TypeError, KeyError, AttributeError):
                raise NestlineError(
                    f"{self.folder / GAMES}: line {number} is not a game of a tournament"
                ) from None
            self.played[played.number] = played
            whole += len(line)
            if not self._record_path(played).exists():
                self._write_record(played)
        self._lines.truncate(whole)
        self._lines.seek(0, os.SEEK_END)

    def _record_path(self, played: FinishedGame) -> Path:
        return self.folder / RECORDS / f"{played.number:06}.txt"

    def _write_record(self, played: FinishedGame) -> None:
        path = self._record_path(played)
        _write_whole(path, write_record(record_of(played, self._tournament, path.parent)))


def record_of(played: FinishedGame, tournament: Tournament, folder: Path) -> Record:
    """The game as a record for this folder."""
    rules = _found_from(tournament.rules, folder)
    tags = {
        "First": played.first,
        "Second": played.second,
        "Termination": played.termination,
        "Game": str(played.number),
        "OpeningPlies": str(played.opening),
        "PlyLimit": str(tournament.ply_limit),
    }
    if played.forfeit is not None:
        tags["Forfeit"] = played.forfeit
    line = Line(tuple(RecordedMove(Move(move)) for move in played.moves))
    start = Position(played.start, rules) if played.start else Position.start(rules)
    return Record(rules, start, line, played.result, tags)


def _prepare(folder: Path, tournament: Tournament) -> None:
    """Create the folder, or check that it is this tournament's."""
    facts = json.loads(json.dumps(tournament.as_json()))
    plan = folder / PLAN
    if plan.exists():
        try:
            earlier = json.loads(plan.read_text("utf-8"))
        except ValueError:
            raise NestlineError(f"{plan}: this is not the plan of a tournament") from None
        _require_same(folder, earlier, facts)
    elif folder.exists() and any(folder.iterdir()):
        raise NestlineError(f"{folder}: the folder holds other things; name an empty or a new one")
    (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    if not plan.exists():
        _write_whole(plan, json.dumps(facts, ensure_ascii=False, indent=1) + "\n")


def _require_same(folder: Path, earlier: Any, facts: dict[str, Any]) -> None:
    if not isinstance(earlier, dict):
        raise NestlineError(f"{folder / PLAN}: this is not the plan of a tournament")
    for key, value in facts.items():
        if key not in earlier or earlier[key] != value:
            was, now = _shown(earlier.get(key), value)
            raise NestlineError(
                f"{folder}: another tournament is kept in this folder: {key} was {was} and is now "
                f"{now}; name another folder"
            )


def _shown(was: Any, now: Any) -> tuple[str, str]:
    """Two values; of tables, only the parts that differ."""
    if isinstance(was, dict) and isinstance(now, dict):
        differ = [key for key in {**was, **now} if was.get(key) != now.get(key)]
        was, now = ({key: item.get(key) for key in differ} for item in (was, now))
    return json.dumps(was, ensure_ascii=False), json.dumps(now, ensure_ascii=False)


def _found_from(rules: RuleSet, folder: Path) -> RuleSet:
    """The rule set as records in this folder have to name it."""
    if not rules.reference.endswith(".toml"):
        return rules
    return replace(rules, reference=relative_path(rules.reference, folder))


def _write_whole(path: Path, text: str) -> None:
    """Write a file under a temporary name and move it into place: it is never half there."""
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(text, "utf-8", newline="\n")
    os.replace(temporary, path)
