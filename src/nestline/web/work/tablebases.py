"""The tablebases of the solved rule sets, opened or built in the background.

Nobody waits for a tablebase: until it is ready the search answers, and clients are told so. `solve`
reads tablebases, `build_table` builds them.
"""

import logging
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nestline.engine.players.perfect import building_remark
from nestline.errors import TableError
from nestline.position import Position
from nestline.rules import RuleSet, load_rules, rule_set_names
from nestline.rules.law import Law
from nestline.solve.index import estimate
from nestline.solve.table import Table, open_table, tables_folder
from nestline.solve.table_format import table_name
from nestline.system import lock_file

log = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 2.0


@dataclass
class _Entry:
    rules: RuleSet
    table: Table | None = None
    state: str = "none"
    part: float = 0.0
    remark: str | None = None


class Tablebases:
    """The tablebases of the shipped rule sets that can be solved on this machine."""

    def __init__(self, folder: str | None = None, build: bool = True) -> None:
        self._folder: Path = tables_folder(folder)
        self._build = build
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._entries: dict[Law, _Entry] = {}
        for name in rule_set_names():
            rules = load_rules(name)
            try:
                estimate(rules.law)
            except TableError:
                continue
            is_expected = build or (self._folder / table_name(rules)).exists()
            self._entries[rules.law] = _Entry(rules, state="building" if is_expected else "none")

    def start(self) -> None:
        """Open the existing tablebases and build the missing ones in the background.

        This needs compiled code. Before it is called, tablebases count as being built.
        """
        for entry in self._entries.values():
            if not self._open(entry):
                entry.state = "building" if self._build else "none"
        if self._build and any(entry.table is None for entry in self._entries.values()):
            self._thread = threading.Thread(target=self._build_all, name="tables", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Cancel a running build, and close the tables."""
        self._stopping.set()
        if (process := self._process) is not None:
            process.terminate()
        if self._thread:
            self._thread.join()
        for entry in self._entries.values():
            if entry.table:
                entry.table.close()

    def table(self, rules: RuleSet) -> Table | None:
        """The tablebase for these rules, if it is ready."""
        entry = self._entries.get(rules.law)
        return entry.table if entry else None

    def path(self, name: str) -> Path | None:
        """The file of the tablebase of the rule set of that name, if it is ready."""
        for entry in self._entries.values():
            if entry.rules.name == name and entry.table:
                return entry.table.path
        return None

    def is_solvable(self, rules: RuleSet) -> bool:
        """Whether there is a tablebase for these rules, or will be one."""
        entry = self._entries.get(rules.law)
        return entry is not None and entry.state != "none"

    def set_aside(self, rules: RuleSet, problem: TableError) -> None:
        """Stop using a tablebase that turned out to be damaged."""
        entry = self._entries[rules.law]
        entry.table, entry.state, entry.remark = None, "none", str(problem)
        log.error("%s", problem)

    def state(self, rules: RuleSet) -> dict[str, Any]:
        """The state of the tablebase for these rules, as JSON."""
        entry = self._entries.get(rules.law)
        if entry is None:
            return {"state": "none", "part": 0.0, "remark": None}
        return {"state": entry.state, "part": entry.part, "remark": self.remark(rules)}

    def remark(self, rules: RuleSet) -> str | None:
        """What to tell a person who would benefit from the tablebase; None if it is ready."""
        entry = self._entries.get(rules.law)
        if entry is None or entry.state == "ready":
            return None
        if entry.state == "building":
            return building_remark(entry.part)
        return entry.remark

    def states(self) -> dict[str, dict[str, Any]]:
        """The state of every tablebase, by the name of the rule set."""
        return {entry.rules.name: self.state(entry.rules) for entry in self._entries.values()}

    def _open(self, entry: _Entry) -> bool:
        try:
            table = open_table(entry.rules, self._folder)
            # One probe, so that no request waits for compiled code to be loaded.
            table.moves(Position.start(entry.rules))
        except TableError:
            return False
        entry.table, entry.state, entry.part, entry.remark = table, "ready", 1.0, None
        return True

    def _build_all(self) -> None:
        for entry in self._entries.values():
            if entry.table is None and not self._stopping.is_set():
                try:
                    self._build_one(entry)
                except (TableError, OSError) as error:
                    entry.state, entry.remark = "none", str(error)
                    log.warning("no tablebase of %s: %s", entry.rules.name, entry.remark)

    def _build_one(self, entry: _Entry) -> None:
        """Have a tablebase built, or wait for the process that is building it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        sign = self._folder / f".building-{entry.rules.name}"
        progress = sign.with_name(f"{sign.name}.part")
        while not self._stopping.is_set():
            lock = lock_file(sign)
            if lock is None:
                entry.part = _read_part(progress)
                self._stopping.wait(SECONDS_BETWEEN_LOOKS)
                continue
            try:
                if not self._open(entry):
                    self._run_build(entry, progress)
            finally:
                progress.unlink(missing_ok=True)
                lock.release()
            return

    def _run_build(self, entry: _Entry, progress: Path) -> None:
        log.info("building the tablebase of %s in the background", entry.rules.name)
        command = [sys.executable, "-m", "nestline.web.work.build_table", entry.rules.name]
        with subprocess.Popen(
            [*command, str(self._folder)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            self._process = process
            if self._stopping.is_set():
                process.terminate()
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                entry.part = float(line)
                # Other processes waiting for the same tablebase read the progress here.
                progress.write_text(line, "ascii")
            problem = process.stderr.read().strip()
        self._process = None
        if self._stopping.is_set():
            return
        if not self._open(entry):
            raise TableError(problem.rpartition("\n")[2] or "the tablebase could not be built")
        log.info("the tablebase of %s is ready", entry.rules.name)


def _read_part(progress: Path) -> float:
    try:
        return float(progress.read_text("ascii"))
    except (OSError, ValueError):
        return 0.0
