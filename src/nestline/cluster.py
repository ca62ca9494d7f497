"""Tasks on a Ray cluster, in whatever order they finish.

Ray is the package's extra `cluster`, and only this module loads it. A Ray worker or machine that
dies loses no task: it is done again. Every machine of a cluster needs this package.
"""

import contextlib
import logging
import os
import shutil
import socket
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterator
from typing import Any, TypeVar

from nestline.errors import NestlineError, missing_extra

HERE = "local"
"""In place of an address: a cluster on this computer alone, for the duration of the tasks."""

FIND = "auto"
"""In place of an address: the cluster already running on this computer."""

ANSWER = 10.0
"""Seconds within which a cluster has to answer."""

GLANCE = 0.2
"""Seconds between looks at whether to stop."""

MOST_DEATHS = 3
"""How often a task may lose its worker before the run gives up."""

Task = TypeVar("Task", bound=Hashable)
Result = TypeVar("Result")


def run_on_cluster(
    function: Callable[..., Result],
    next_task: Callable[[], Task | None],
    address: str,
    stop: threading.Event,
    *,
    shared: Any,
    name: Callable[[Task], str],
    at_once: int | None = None,
    cores: int = 1,
    gpus: int = 0,
) -> Generator[tuple[Task, Result]]:
    """Call `function(shared, task)` for every task; yields tasks with their results.

    `next_task` is asked whenever there is room, and returns None if there is no task now; the
    results yielded may lead to more. Ends when nothing is left and nothing is running. `at_once`
    tasks run at a time, by default as many as the cluster has room for when each uses this many
    cores and GPUs. Closing the iterator, or setting `stop` in another thread, abandons the tasks in
    progress. `name` names a task in messages.
    """
    ray = _import_ray()
    with _connected(ray, address, at_once):
        # Lost tasks are handed out again here, so that their deaths are counted.
        remote = ray.remote(num_cpus=cores, num_gpus=gpus, max_retries=0)(function)
        again: list[Task] = []
        deaths: Counter[Task] = Counter()
        running: dict[Any, Task] = {}
        kept = ray.put(shared)
        try:
            while not stop.is_set():
                while len(running) < (at_once or _room(ray, cores, gpus)):
                    task = again.pop() if again else next_task()
                    if task is None:
                        break
                    running[remote.remote(kept, task)] = task
                if not running:
                    return
                ended, _ = ray.wait(list(running), num_returns=1, timeout=GLANCE)
                if not ended:
                    continue
                task = running.pop(ended[0])
                try:
                    result = ray.get(ended[0])
                except ray.exceptions.RayTaskError as error:
                    raise NestlineError(f"{name(task)}: {error.cause}") from error
                except ray.exceptions.RayError as error:
                    deaths[task] += 1
                    if deaths[task] >= MOST_DEATHS:
                        raise NestlineError(
                            f"{name(task)}: its process died {MOST_DEATHS} times"
                        ) from error
                    again.append(task)
                else:
                    yield task, result
        finally:
            for reference in running:
                with contextlib.suppress(Exception):
                    ray.cancel(reference, force=True)


def _room(ray: Any, cores: int, gpus: int) -> int:
    """How many tasks fit on the cluster now; machines may come and go."""
    resources = ray.cluster_resources()
    room = int(resources.get("CPU", 1)) // cores
    if gpus:
        room = min(room, int(resources.get("GPU", 1)) // gpus)
    return max(1, room)


def _import_ray() -> Any:
    """Ray itself, without its usage statistics."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise missing_extra("a Ray cluster", "cluster", error) from None
    return ray


@contextlib.contextmanager
def _connected(ray: Any, address: str, at_once: int | None) -> Iterator[None]:
    """Use a cluster, or start one here; disconnect at the end."""
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    folder = None
    try:
        if address == HERE:
            # Its sockets live in this folder, and their names must be short.
            folder = tempfile.mkdtemp(prefix="nestline-ray-")
            ray.init(num_cpus=at_once, include_dashboard=False, _temp_dir=folder, **quiet)
        else:
            _require_answer(address)
            ray.init(address=address, **quiet)
    except Exception as error:
        _remove(folder)
        # Given an address, Ray sends no token unless told to, and does not say so.
        is_silent = address not in (HERE, FIND) and "RAY_AUTH_MODE" not in os.environ
        hint = "; if it asks for a token, set RAY_AUTH_MODE=token" if is_silent else ""
        raise NestlineError(f"the Ray cluster {address} cannot be used: {error}{hint}") from error
    try:
        yield
    finally:
        ray.shutdown()
        _remove(folder)


def _require_answer(address: str) -> None:
    """Check that the cluster answers; Ray itself would try for minutes."""
    if address == FIND:
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        raise NestlineError(f"an address is HOST:PORT, ray://HOST:PORT or {FIND}")
    socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()


def _remove(folder: str | None) -> None:
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
