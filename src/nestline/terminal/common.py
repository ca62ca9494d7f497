"""What several commands share: remarks, JSON output, progress bars, writing files atomically."""

import json
import os
import queue
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from nestline.engine.warm_up import warm_up_rules
from nestline.errors import NestlineError, did_you_mean
from nestline.system import takes_all_characters

if TYPE_CHECKING:
    from rich.progress import Progress

Result = TypeVar("Result")

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


_bars: "list[Progress]" = []
"""The progress bar on the screen, if there is one."""


def say(text: str) -> None:
    """Print a remark for the person at the terminal: to standard error, above any progress bar."""
    if _bars:
        _bars[-1].console.print(text, markup=False, highlight=False, soft_wrap=True)
    else:
        click.echo(text, err=True)


def print_json(facts: Any) -> None:
    """Output for programs: one JSON value on one line, readable by people too."""
    click.echo(json.dumps(facts, ensure_ascii=not takes_all_characters(sys.stdout)))


def prepare_rules() -> None:
    """Load the compiled rules, and announce the wait if they have to be compiled first."""
    warm_up_rules(say)


def read_record_file(name: str) -> str:
    """The text of a file with records; `-` is the standard input."""
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        return Path(name).read_text("utf-8-sig")
    except OSError as error:
        from nestline.rules import rule_set_names

        reason = (error.strerror or str(error)).lower() + did_you_mean(name, rule_set_names())
        raise NestlineError(f"{name}: the record cannot be read: {reason}") from None
    except UnicodeDecodeError:
        raise NestlineError(f"{name}: the record is not UTF-8 text") from None


def require_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a file that `write_file` could not write, before the work for it begins."""
    target = _replaceable(path)
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file under a temporary name, then move it into place: it is never half there."""
    target = _replaceable(path)
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
        raise _unwritable(path, error) from None


def _replaceable(path: str | os.PathLike[str]) -> Path:
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise NestlineError(f"{path}: this is not a file that could be replaced")
    return target


def _unwritable(path: str | os.PathLike[str], error: OSError) -> NestlineError:
    reason = (error.strerror or str(error)).lower()
    return NestlineError(f"{path}: the file cannot be written: {reason}")


class Advance(Protocol):
    """Takes the part done, 0 to 1, a title if a new stage begins, and news to show below it."""

    def __call__(self, part: float, title: str | None = None, news: str | None = None) -> None: ...


FIRST_SIGN = 1e-4
"""The part done before the time left is shown; any earlier, the estimate is meaningless."""


def with_progress(title: str, work: Callable[[Advance], Result]) -> Result:
    """Do long work with a progress bar, if a person is watching; Ctrl-C aborts it at once.

    The work runs in a thread of its own, since compiled code in the main thread would delay Ctrl-C.
    """
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Bar(Progress):
        news = ""

        def get_renderables(self) -> "Iterable[RenderableType]":
            yield from super().get_renderables()
            if self.news:
                yield Text(self.news)

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    answer: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
    with (
        Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar,
        _on_screen(bar),
    ):
        task = bar.add_task(title, total=1.0)

        def advance(part: float, title: str | None = None, news: str | None = None) -> None:
            shown = part if part > FIRST_SIGN else 0.0
            bar.news = bar.news if news is None else news
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


@contextmanager
def _on_screen(bar: "Progress") -> Iterator[None]:
    """Print remarks above a bar while it is shown."""
    if bar.disable:
        yield
        return
    _bars.append(bar)
    try:
        yield
    finally:
        _bars.remove(bar)
