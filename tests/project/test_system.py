"""Platform differences: each function does on this system what it promises on all."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from nestline import system

HOLDER = """
import sys
from nestline.system import lock_file
lock = lock_file(sys.argv[1])
print(lock is not None, flush=True)
sys.stdin.read()
"""


def hold(path: Path) -> "subprocess.Popen[str]":
    """Another process that tries to take a lock."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_locked_file_is_refused_to_others_until_its_process_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with hold(path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert system.lock_file(path) is None
        holder.kill()
        holder.wait()
        lock = system.lock_file(path)
        assert lock is not None
        with hold(path) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "False\n"
            other.kill()
        lock.release()
    again = system.lock_file(path)
    assert again is not None
    again.release()


def test_cores_are_those_this_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 2, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert system.cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert system.cores() == 8
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert system.cores() == 1
    monkeypatch.setattr(os, "process_cpu_count", lambda: 4, raising=False)
    assert system.cores() == 4


def test_memory_is_what_the_system_says() -> None:
    assert system.memory_bytes() == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("command", "separator", "words"),
    [
        ("nestline ugi --fast", "/", ["nestline", "ugi", "--fast"]),
        (r"'my engine' a\ b # c", "/", ["my engine", "a b", "#", "c"]),
        (r"C:\engines\wild.exe -x", "\\", [r"C:\engines\wild.exe", "-x"]),
        (r'"C:\Program Files\wild.exe" "a b"', "\\", [r"C:\Program Files\wild.exe", "a b"]),
    ],
)
def test_commands_are_split_as_people_write_them(
    command: str, separator: str, words: list[str]
) -> None:
    assert system.split_command(command, separator) == words


def test_a_path_is_told_in_a_way_that_every_system_reads(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    assert system.relative_path(tmp_path / "rules" / "mine.toml", folder) == "../rules/mine.toml"


def test_an_address_where_somebody_listens_cannot_be_claimed() -> None:
    with socket.socket() as listener, socket.socket() as probe:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        system.claim_address(probe)
        with pytest.raises(OSError, match=r"(?i)in use"):
            probe.bind(listener.getsockname())


def test_a_lower_priority_lasts_for_the_process_alone() -> None:
    script = (
        "import psutil; from nestline.system import lower_priority"
        "; lower_priority(7); print(psutil.Process().nice())"
    )
    before = psutil.Process().nice()
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(run.stdout) == min(before + 7, 19)
    assert psutil.Process().nice() == before


def test_escape_sequences_need_a_terminal_that_obeys_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert system.enable_escape_sequences()
    monkeypatch.setenv("TERM", "dumb")
    assert not system.enable_escape_sequences()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not system.enable_escape_sequences()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert not system.enable_escape_sequences()


def test_what_cannot_be_printed_becomes_a_question_mark_and_json_stays_whole(
    tmp_path: Path,
) -> None:
    """On Windows, files and pipes may use an encoding with only some two hundred characters."""
    rules = tmp_path / "mine.toml"
    rules.write_text('like = "gobblers"\ntitle = "Ein Spiel für ♞"\n', "utf-8")
    poor = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    for arguments, told in (
        (["show", str(rules)], "Ein Spiel für ?"),
        (["show", str(rules), "--json"], r"Ein Spiel f\u00fcr \u265e"),
    ):
        command = [sys.executable, "-m", "nestline", "rules", *arguments]
        run = subprocess.run(command, capture_output=True, env=poor)
        assert run.returncode == 0, run.stderr
        assert told in run.stdout.decode("cp1252")


PARENT = """
import subprocess, sys, time
child = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid); p.wait()"
process = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE, text=True, {how})
print(process.pid, process.stdout.readline(), flush=True)
{then}
"""


def family(then: str, how: str = "") -> tuple[system.Program, list[int]]:
    """A program with a child and a grandchild, and their process ids."""
    script = PARENT.format(then=then, how=how)
    program = system.Program([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert program.process.stdout is not None
    return program, [int(word) for word in program.process.stdout.readline().split()]


def are_gone(numbers: list[int]) -> bool:
    """Whether these processes end; the system takes a moment to remove them."""
    for _ in range(1000):
        alive = [
            number
            for number in numbers
            if psutil.pid_exists(number) and psutil.Process(number).status() != "zombie"
        ]
        if not alive:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("has_groups", [True, False])
def test_a_program_is_killed_with_all_it_has_started(
    has_groups: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even without process groups, and even processes that have left the group."""
    if not has_groups:
        monkeypatch.delattr(os, "killpg")
    program, numbers = family("time.sleep(600)", how="start_new_session=True")
    assert program.status() is None
    program.kill(60)
    assert program.status() == -signal.SIGKILL
    assert are_gone(numbers)
    assert program.process.stdout is not None
    program.process.stdout.close()


def test_what_a_program_leaves_running_ends_with_it() -> None:
    program, numbers = family("sys.exit(3)")
    assert program.process.stdout is not None
    program.process.stdout.read()
    while (status := program.status()) is None:
        time.sleep(0.01)
    assert status == 3
    assert are_gone(numbers)
    program.process.stdout.close()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be masked here")
def test_a_control_c_waits_until_processes_are_started() -> None:
    """Also if another thread, which has no mask, gets it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    leave = threading.Event()
    other = threading.Thread(target=leave.wait)
    other.start()
    went_on = False

    def start_processes() -> None:
        nonlocal went_on
        with system.interrupts_held_back():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)  # until the other thread has it
            went_on = True

    try:
        with pytest.raises(KeyboardInterrupt):
            start_processes()
    finally:
        leave.set()
        other.join()
        assert signal.signal(signal.SIGINT, before) is signal.default_int_handler
    assert went_on


def test_a_control_c_that_python_forgets_comes_again(capfd: pytest.CaptureFixture[str]) -> None:
    class Interrupted:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def work() -> None:
        Interrupted()
        threading.Event().wait(20)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with system.interrupts_kept(), pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert capfd.readouterr().err == ""
