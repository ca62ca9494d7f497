"""Proofs by several workers, which can be interrupted and resumed.

The workers, threads or the machines of a cluster, answer the parts of a `split.Tree`. With a
journal, a file that gets a line for every answer, an interrupted proof resumes where it stopped.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from nestline.cluster import run_on_cluster
from nestline.engine.prove.prover import Progress, Proof, Prover, Stopped, depths_of, tell
from nestline.engine.prove.split import Part, Tree
from nestline.errors import NestlineError
from nestline.position import Position, Side, move_of_code
from nestline.rules import RuleSet

AHEAD = 16
"""How many parts are looked for at a time."""

GLANCE = 0.2
"""Seconds between looks at whether to stop."""


class Answer(NamedTuple):
    """The answer to a part, and the number of positions that it took."""

    part: Part
    is_won: bool
    nodes: int


NextPart = Callable[[], Part | None]
"""Asked for another part whenever there is room; None if there is none now."""

Workers = Callable[[NextPart], Generator[Answer]]
"""Who answers the parts: yields answers until nothing is left and nothing is running."""


def threads_of(prover: Prover, count: int, stop: threading.Event) -> Workers:
    """Threads of this process, which share the prover's transposition table."""

    def answer(next_part: NextPart) -> Generator[Answer]:
        provers = [prover, *(prover.sibling() for _ in range(count - 1))]
        idle: SimpleQueue[Prover] = SimpleQueue()
        for one in provers:
            one.start()
            idle.put(one)
        running: set[Future[Answer]] = set()
        with ThreadPoolExecutor(count, "prover") as pool:
            try:
                while not stop.is_set():
                    while len(running) < count and (part := next_part()):
                        running.add(pool.submit(_answer_by_one_of, idle, part))
                    if not running:
                        return
                    done, running = wait(running, GLANCE, FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            finally:
                for one in provers:
                    one.stop()

    return answer


def _answer_by_one_of(idle: "SimpleQueue[Prover]", part: Part) -> Answer:
    prover = idle.get()
    try:
        before = prover.nodes
        is_won = prover.is_forced(part.own, part.opp, part.plies, part.attacks)
        return Answer(part, is_won, prover.nodes - before)
    finally:
        idle.put(prover)


def cluster_of(rules: RuleSet, memory: int, address: str, stop: threading.Event) -> Workers:
    """The cores of a Ray cluster, each with a transposition table of its own."""

    def answer(next_part: NextPart) -> Generator[Answer]:
        answers = run_on_cluster(
            _answer_remotely, next_part, address, stop, shared=(rules, memory),
            name=lambda part: f"the part {tuple(part)}",
        )  # fmt: skip
        for _, found in answers:
            yield found

    return answer


@lru_cache(maxsize=1)
def _remote_prover(rules: RuleSet, memory: int) -> Prover:
    """A worker's prover, which remembers positions from one part to the next."""
    return Prover(rules, memory=memory)


def _answer_remotely(shared: tuple[RuleSet, int], part: Part) -> Answer:
    prover = _remote_prover(*shared)
    prover.start()
    is_won = prover.is_forced(part.own, part.opp, part.plies, part.attacks)
    return Answer(part, is_won, prover.nodes)


class ParallelProver:
    """Proofs by several threads, or by workers of another kind."""

    def __init__(
        self,
        prover: Prover,
        *,
        threads: int = 1,
        ray: str | None = None,
        journal: str | os.PathLike[str] | None = None,
    ) -> None:
        """All threads share the transposition table of `prover`.

        `ray` is the address of a Ray cluster whose cores do the work instead, or "local" for one on
        this computer; each of them has a table of that size.
        """
        if threads < 1:
            raise NestlineError(f"a proof cannot have {threads} threads; it takes at least 1")
        self._prover = prover
        self._journal = Path(journal) if journal else None
        self._stopped = threading.Event()
        self._workers = (
            cluster_of(prover.rules, prover.memory, ray, self._stopped)
            if ray
            else threads_of(prover, threads, self._stopped)
        )

    def stop(self) -> None:
        """Make a running proof return as soon as possible; safe to call from another thread."""
        self._stopped.set()
        self._prover.stop()

    def check(self, position: Position, within: int) -> None:
        """Refuse questions that make no sense, as `prove` does."""
        self._prover.check(position, within)

    def prove(
        self,
        position: Position,
        within: int,
        attacker: Side | None = None,
        *,
        progress: Progress | None = None,
    ) -> Proof:
        """See `Prover.prove`; the number of nodes depends on who was faster."""
        self.check(position, within)
        attacks = int(attacker is None or attacker == position.turn)
        self._prover.start()
        self._prover.is_forced(*position.words, 0, attacks)  # Compile or load it once.
        self._stopped.clear()
        with _Journal(self._journal, position, attacks) as journal:
            run = _Run(self._prover, self._workers, journal)
            return run.deepen(position, within, attacks, progress)


class _Run:
    """One proof in progress."""

    def __init__(self, prover: Prover, workers: Workers, journal: "_Journal") -> None:
        self._prover = prover
        self._looking = prover.sibling()
        self._workers = workers
        self._journal = journal
        self._tree = Tree(prover.rules, self._glance)
        self._nodes = 0
        for answer in journal.read():
            self._tree.learn(answer.part, answer.is_won)
            self._nodes += answer.nodes

    def _glance(self, part: Part) -> bool | None:
        return self._looking.glance(part.own, part.opp, part.plies, part.attacks)

    def deepen(
        self, position: Position, within: int, attacks: int, progress: Progress | None
    ) -> Proof:
        """Search one depth after the other, as `Prover.prove` does."""
        began = time.perf_counter()
        own, opp = position.words
        searched, plies, win = 0, None, False
        line: list[int] = []
        try:
            for depth in depths_of(within, attacks):
                tell(progress, within, depth, searched, 0.0)
                if self._answer(self._tree.part(own, opp, attacks, depth)):
                    nearer = self._tree.part(own, opp, attacks, depth - 1)
                    # Where the loser has to reveal a line, the win may be one ply nearer.
                    sooner = depth - 1 > searched and self._answer(nearer)
                    plies, win = depth - sooner, True
                    line = self._prover.line(own, opp, plies, attacks)
                    break
                searched = depth
        except Stopped:
            return Proof(None, None, (), searched, self._nodes, time.perf_counter() - began)
        moves = tuple(move_of_code(self._prover.rules.board, code) for code in line)
        return Proof(win, plies, moves, searched, self._nodes, time.perf_counter() - began)

    def _answer(self, root: Part) -> bool:
        """Have all parts answered that the root needs."""
        handed_out: set[Part] = set()
        waiting: list[Part] = []

        def next_part() -> Part | None:
            if not waiting:
                wanted = self._tree.wanted(root, len(handed_out) + AHEAD)
                waiting.extend(part for part in reversed(wanted) if part not in handed_out)
            if not waiting:
                return None
            part = waiting.pop()
            handed_out.add(part)
            return part

        if self._tree.wanted(root, 1):
            for answer in self._workers(next_part):
                handed_out.discard(answer.part)
                self._nodes += answer.nodes
                self._tree.learn(answer.part, answer.is_won)
                self._journal.write(answer)
                if not self._tree.wanted(root, 1):
                    break
            self._prover.start()
        is_won = self._tree.answer(root)
        if is_won is None:
            raise Stopped
        return is_won


class _Journal:
    """The answers of a proof in a file, one JSON object a line; without a path it keeps nothing."""

    def __init__(self, path: Path | None, position: Position, attacks: int) -> None:
        self._path = path
        self._header = {
            "journal": "nestline prove",
            "rules": position.rules.name,
            "law": list(map(str, position.rules.law)),
            "position": str(position),
            "attacks": attacks,
        }
        self._file: Any = None

    def __enter__(self) -> Self:
        if self._path is None:
            return self
        try:
            before = self._path.read_text("utf-8") if self._path.exists() else ""
            if before and self._lines()[0] != self._header:
                raise NestlineError(f"{self._path} is not a journal of this proof")
            self._file = self._path.open("a", encoding="utf-8")
            if not before.endswith("\n") and before:
                self._file.write("\n")  # A line that was cut off must not swallow the next one.
        except (OSError, UnicodeDecodeError) as error:
            raise NestlineError(f"{self._path} cannot be used as a journal: {error}") from error
        if not before:
            self._put(self._header)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            self._file.close()

    def _lines(self) -> list[Any]:
        """All lines but a last one that was cut off."""
        lines: list[Any] = []
        if self._path:
            for text in self._path.read_text("utf-8").splitlines():
                with suppress(json.JSONDecodeError):
                    lines.append(json.loads(text))
        return lines or [None]

    def read(self) -> Iterator[Answer]:
        """The answers of earlier runs."""
        for number, line in enumerate(self._lines()[1:], start=1):
            try:
                own, opp, attacks, plies, is_won, nodes = map(int, line)
            except (TypeError, ValueError):
                raise NestlineError(
                    f"{self._path} is not a journal: what stands at its answer {number} is none"
                ) from None
            yield Answer(Part(own, opp, attacks, plies), bool(is_won), nodes)

    def write(self, answer: Answer) -> None:
        self._put([*answer.part, int(answer.is_won), answer.nodes])

    def _put(self, value: object) -> None:
        if self._file:
            self._file.write(json.dumps(value) + "\n")
            self._file.flush()
