"""Worker processes: deaf to Ctrl-C, which their parent handles, and gone as soon as it is.

What the workers do is left to whoever starts them.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Ctrl-C reaches every process of the terminal; one started here is deaf to it from birth."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # It is started with the first process, and would undo what is done here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_with_parent() -> None:
    """In a worker: ignore Ctrl-C, and leave at once when the parent ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
