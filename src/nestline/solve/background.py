"""A tablebase that exists or is being built in the background.

Others decide who plays meanwhile, and who sees the progress.
"""

import os
import threading

from nestline.errors import TableError
from nestline.rules import RuleSet
from nestline.solve.build import build_table
from nestline.solve.index import estimate, has_index
from nestline.solve.table import Table, open_table, tables_folder


class _Cancelled(Exception):
    """Raised inside the build to abort it."""


class BackgroundTable:
    """The tablebase of a rule set; if it cannot be opened, a thread builds it.

    `TableError` at once for a rule set that is too large to be solved in passing, unless somebody
    has built its tablebase.
    """

    def __init__(self, rules: RuleSet, folder: "str | os.PathLike[str] | None" = None) -> None:
        self.rules = rules
        self.table: Table | None = None
        """The tablebase, once it exists."""
        self.part = 0.0
        """The progress of the build, from 0 to 1."""
        self.problem: str | None = None
        """Why the tablebase could not be built."""
        self._folder = tables_folder(folder)
        self._is_cancelled = False
        self._thread: threading.Thread | None = None
        try:
            self.table = open_table(rules, self._folder)
            self.part = 1.0
        except TableError:
            if not has_index(rules.law):
                raise
            estimate(rules.law)
            self.rebuild()

    def rebuild(self) -> None:
        """Build the tablebase if there is none, or if it turned out to be damaged."""
        self.table, self.part, self.problem = None, 0.0, None
        self._thread = threading.Thread(target=self._build, daemon=True)
        self._thread.start()

    def _build(self) -> None:
        try:
            build_table(self.rules, self._folder, progress=self._report)
            self.table = open_table(self.rules, self._folder)
        except _Cancelled:
            self.problem = "the building of the tablebase was cancelled"
        except (TableError, OSError, MemoryError) as error:
            self.problem = str(error) or "there is not enough memory to build the tablebase"

    def _report(self, part: float) -> None:
        if self._is_cancelled:
            raise _Cancelled
        self.part = part

    def wait(self, seconds: float | None = None) -> Table | None:
        """Wait for the tablebase, with a timeout."""
        if self._thread:
            self._thread.join(seconds)
        return self.table

    def cancel(self) -> None:
        """Cancel a build that is still running; an earlier tablebase stays as it is."""
        self._is_cancelled = True
        self.wait()
