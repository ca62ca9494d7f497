"""Differences between operating systems, in one place: cores, memory, locks, priorities, processes.

Everything else in the package is the same on Linux, macOS and Windows. Features are detected by
whether the name exists, not by the name of the system.
"""

import ctypes
import io
import multiprocessing
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection

    Connection = PipeConnection
else:
    from multiprocessing.connection import Connection as Connection

if TYPE_CHECKING:
    import psutil
    from filelock import BaseFileLock

STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)
)
"""The signals that ask a process to exit; SIGBREAK is Windows' counterpart of SIGTERM."""

LEAST_PRIORITY, LOCAL_MODES = 19, 3
"""POSIX constants: priorities, and indices into the list of modes of `termios`."""

SECONDS_OF_A_CALLBACK = 0.05

MANY_FILES = 1_048_576
"""More open files than any process here needs."""

STANDARD_OUTPUT, OBEY_SEQUENCES = -11, 4
THIS_THREAD, BELOW_NORMAL = -2, -1
"""Windows constants."""


def system_name() -> str:
    """The operating system and its version, which for Linux is the kernel's."""
    import platform

    return f"{platform.system()} {platform.release()}"


def cores() -> int:
    """The processor cores this process may use."""
    if hasattr(os, "process_cpu_count"):  # from Python 3.13 on
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_bytes() -> int:
    """The memory of this computer."""
    import psutil

    return psutil.virtual_memory().total


# Files.


def lock_file(path: "str | os.PathLike[str]") -> "BaseFileLock | None":
    """Lock a file to show that this process is working on something; None if another has it.

    The lock ends with the process, however it ends, or with `release()`. The file stays, and its
    content does not matter: on Windows no other process can read it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=0o600, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def keep_files_private() -> None:
    """From now on this process, and those it starts, make files that only their owner can read."""
    os.umask(0o077)


def make_private(path: "str | os.PathLike[str]") -> None:
    """Let only the owner read and write a file, which is made if it does not exist."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    with suppress(OSError):  # It may belong to somebody else who lets us write.
        os.chmod(path, 0o600)


def most_open_files() -> int:
    """How many files and connections this process may have open."""
    limits = _resource_limits()
    if limits is None:
        return MANY_FILES
    limit: int = limits.getrlimit(limits.RLIMIT_NOFILE)[0]
    return MANY_FILES if limit == limits.RLIM_INFINITY else limit


def raise_open_files() -> None:
    """Let this process, and those it starts, have as many files open as the system allows."""
    limits = _resource_limits()
    if limits is None:
        return
    _soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    most = MANY_FILES if hard == limits.RLIM_INFINITY else min(hard, MANY_FILES)
    if most_open_files() < most:
        with suppress(OSError, ValueError):
            limits.setrlimit(limits.RLIMIT_NOFILE, (most, hard))


def _resource_limits() -> Any:
    """The module `resource`; None where there are no such limits."""
    try:
        import resource
    except ImportError:
        return None
    return resource


def relative_path(path: "str | os.PathLike[str]", folder: "str | os.PathLike[str]") -> str:
    """The path from a folder to a file, in a form every system reads; absolute across drives."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(path).resolve().as_posix()


# Sockets.


def claim_address(probe: socket.socket) -> None:
    """Make binding fail if another program is listening, and only then.

    POSIX would also refuse an address that was in use a minute ago. Windows would let two programs
    listen at the same address, and SO_REUSEADDR is just what allows that.
    """
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


# The terminal.


def takes_all_characters(stream: TextIO) -> bool:
    """Whether the stream can print all text; on Windows, files and pipes often cannot."""
    return (stream.encoding or "").lower().startswith("utf")


def tolerate_unprintable(stream: TextIO) -> None:
    """Print a question mark for a character that the stream cannot encode, instead of failing."""
    if isinstance(stream, io.TextIOWrapper) and not takes_all_characters(stream):
        stream.reconfigure(errors="replace")


def enable_escape_sequences() -> bool:
    """Whether standard output obeys escape sequences; on Windows, switch them on first."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return False
    if hasattr(ctypes, "windll"):
        kernel, mode = ctypes.windll.kernel32, ctypes.c_ulong()
        output = ctypes.c_void_p(kernel.GetStdHandle(STANDARD_OUTPUT))
        is_console = kernel.GetConsoleMode(output, ctypes.byref(mode))
        return bool(is_console and kernel.SetConsoleMode(output, mode.value | OBEY_SEQUENCES))
    return os.environ.get("TERM", "dumb") != "dumb"


@contextmanager
def ignored_keys() -> Iterator[None]:
    """Neither echo nor keep what is typed in the meantime; standard input must be a terminal."""
    if sys.platform == "win32":
        import msvcrt

        try:
            yield
        finally:
            while msvcrt.kbhit():
                msvcrt.getwch()
    else:
        import termios

        usual = termios.tcgetattr(sys.stdin)
        silent = termios.tcgetattr(sys.stdin)
        silent[LOCAL_MODES] &= ~termios.ECHO
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, silent)
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, usual)


def has_screen() -> bool:
    """Whether a browser would open in a window rather than in this terminal."""
    if os.environ.get("BROWSER") or sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


# Processes.


def is_running(number: int) -> bool:
    """Whether a process with this id is running."""
    import psutil

    return psutil.pid_exists(number)


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process; on Windows there is only one step."""
    import psutil

    this = psutil.Process()
    with suppress(psutil.Error, OSError):
        if hasattr(psutil, "BELOW_NORMAL_PRIORITY_CLASS"):
            this.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        else:
            this.nice(min(this.nice() + niceness, LEAST_PRIORITY))


def lower_priority_of_thread(niceness: int) -> None:
    """Lower the priority of this thread; not on macOS, whose threads have no such priority."""
    if hasattr(ctypes, "windll"):
        ctypes.windll.kernel32.SetThreadPriority(ctypes.c_void_p(THIS_THREAD), BELOW_NORMAL)
    elif sys.platform == "linux" and hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes started here ignore Ctrl-C, which reaches every process of a terminal."""
    masks: Any = signal  # where signals can be masked
    if hasattr(masks, "pthread_sigmask"):
        # It starts with the first process, and would undo what is done here.
        resource_tracker.ensure_running()
        before = masks.pthread_sigmask(masks.SIG_BLOCK, {signal.SIGINT})
        try:
            with _interrupts_postponed():
                yield
        finally:
            masks.pthread_sigmask(masks.SIG_SETMASK, before)
    elif hasattr(ctypes, "windll"):
        # Windows passes "ignore Ctrl-C" on to new processes.
        ignore_interrupts = ctypes.windll.kernel32.SetConsoleCtrlHandler
        ignore_interrupts(None, True)
        try:
            yield
        finally:
            ignore_interrupts(None, False)
    else:
        yield


@contextmanager
def _interrupts_postponed() -> Iterator[None]:
    """A Ctrl-C takes effect at the end: a thread without our mask may get it, and Python then
    interrupts the main thread, which would leave a process half started."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """A Ctrl-C that Python would print and forget is sent again.

    That happens where it comes while C code, such as the compiler's, calls back into Python.
    """
    before = sys.unraisablehook

    def again() -> None:
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            interrupt_main()

    def hook(found: Any) -> None:
        if issubclass(found.exc_type, KeyboardInterrupt):
            # Later, when the callback is over.
            timer = threading.Timer(SECONDS_OF_A_CALLBACK, again)
            timer.daemon = True
            timer.start()
        else:
            before(found)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def leave_with_parent() -> None:
    """In a worker: ignore Ctrl-C, and exit at once when the parent ends, for whatever reason."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def split_command(command: str, separator: str = os.sep) -> list[str]:
    """The words of a command as typed in a shell; where paths have backslashes, those are kept."""
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = ""
    if separator == "\\":
        words.escape = ""
    return list(words)


class Program:
    """A separate program: Ctrl-C at our terminal does not reach it; its children end with it."""

    def __init__(self, command: Sequence[str], **streams: Any) -> None:
        import psutil

        self._since = time.time()
        self.process = subprocess.Popen(
            command,
            # Where one of the two means nothing, it is ignored.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            **streams,
        )
        with suppress(psutil.Error):
            self._since = psutil.Process(self.process.pid).create_time()

    def status(self) -> int | None:
        """The exit status, once it has ended; what it has left running is then killed too.

        Signals are negative, as with `subprocess`.
        """
        if self.process.returncode is None and self._has_ended():
            self._kill_all()
        return self.process.poll()

    def kill(self, seconds: float) -> None:
        """Kill it and everything it has started."""
        if self.status() is None:
            self._kill_all()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)

    def _has_ended(self) -> bool:
        if not hasattr(os, "killpg"):
            # Windows keeps a process id as long as somebody holds a handle to the process.
            return self.process.poll() is not None
        import psutil

        # POSIX frees it as soon as the status is read, and the group's id with it.
        try:
            return psutil.Process(self.process.pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    def _kill_all(self) -> None:
        import psutil

        descendants = self._descendants()
        if hasattr(os, "killpg") and hasattr(signal, "SIGKILL"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        else:
            with suppress(OSError):
                self.process.kill()
        for process in descendants:
            with suppress(psutil.Error):
                process.kill()

    def _descendants(self) -> "list[psutil.Process]":
        """All its descendants; on POSIX only as long as their parents live."""
        import psutil

        children: dict[int, list[psutil.Process]] = {}
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                # An older process may name a parent whose id has been reused for ours.
                if process.create_time() >= self._since:
                    children.setdefault(process.ppid(), []).append(process)
        found: list[psutil.Process] = []
        parents = [self.process.pid]
        while parents:
            new = children.pop(parents.pop(), [])
            found += new
            parents += [process.pid for process in new]
        return found
