"""What several commands share: saying things, printing facts, writing files whole or not at all."""

import json
import os
import queue
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from nestline.engine.warm_up import warm_up_rules
from nestline.errors import NestlineError

Result = TypeVar("Result")

json_option = click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")


def say(text: str) -> None:
    """A remark to the person at the terminal, apart from the output."""
    click.echo(text, err=True)


def print_json(facts: Any) -> None:
    """Facts for programs: one JSON value on one line, as it is for people to read."""
    click.echo(json.dumps(facts, ensure_ascii=False))


def prepare_rules() -> None:
    """Load the compiled rules, and tell the person if they have to be compiled first."""
    warm_up_rules(say)


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file under a temporary name, then move it into place: it is never half there."""
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise NestlineError(f"{path}: this is not a file that could be replaced")
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        reason = (error.strerror or str(error)).lower()
        raise NestlineError(f"{path}: the file cannot be written: {reason}") from None


class Advance(Protocol):
    """To be told the part done, from 0 to 1, and a new title if what is done has changed."""

    def __call__(self, part: float, title: str | None = None) -> None: ...


FIRST_SIGN = 1e-4
"""The least part of some work from which the time left can be told; from less it is ages."""


def with_progress(title: str, work: Callable[[Advance], Result]) -> Result:
    """Do long work beside a progress bar, where a person is looking; Ctrl-C leaves it at once.

    The work runs in a thread of its own, since compiled code in the main thread would keep Ctrl-C
    waiting.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    answer: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=1.0)

        def advance(part: float, title: str | None = None) -> None:
            shown = part if part > FIRST_SIGN else 0.0
            bar.update(task, completed=shown, description=title)

        def run() -> None:
            try:
                answer.put(work(advance))
            except BaseException as error:
                answer.put(error)

        threading.Thread(target=run, daemon=True).start()
        while True:
            try:
                found = answer.get(timeout=0.1)
                break
            except queue.Empty:
                continue
    if isinstance(found, BaseException):
        raise found
    return found
