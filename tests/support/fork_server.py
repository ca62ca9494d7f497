"""The process whose forks are `nestline` commands: `forks.py` starts it and talks to it.

It imports what the commands need, loads the compiled code, and then waits. A fork has all of that
at once, where `python -m nestline` takes more than a second; from there on, it is the same: the
module runs as `__main__`, with signals, terminal, exit handlers and exit status of its own.
"""

import fcntl
import gc
import io
import json
import os
import runpy
import select
import signal
import socket
import sys
import termios
from typing import Any

STREAMS = 3
LONGEST_REQUEST = 1 << 20


def prepare() -> None:
    """Import and load what most commands need."""
    import nestline.terminal.commands.play
    import nestline.web.app
    import nestline.web.command  # noqa: F401
    from nestline.engine.warm_up import warm_up_rules, warm_up_search

    for warm_up in (warm_up_rules, warm_up_search):
        warm_up(lambda text: None)
    # What the collector never looks at stays shared between the forks, which end much sooner.
    gc.collect()
    gc.freeze()


def serve(control: socket.socket) -> dict[str, Any]:
    """Answer requests for ever; returns in each fork, with its request."""
    ends: dict[int, socket.socket] = {}
    signals, wakeup = socket.socketpair()
    for end in (signals, wakeup):
        end.setblocking(False)
    signal.set_wakeup_fd(wakeup.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        readable, _, _ = select.select([control, signals], [], [])
        if signals in readable:
            signals.recv(4096)
            for number in list(ends):
                ended, status = os.waitpid(number, os.WNOHANG)
                if ended:
                    with ends.pop(number) as end:
                        end.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        if control in readable:
            text, handles, _, _ = socket.recv_fds(control, LONGEST_REQUEST, STREAMS + 1)
            if not text:  # Whoever started this process is gone, perhaps killed.
                for each in ends:
                    os.kill(each, signal.SIGTERM)
                sys.exit()
            number = os.fork()
            if number == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for unused in (control, signals, wakeup, *ends.values()):
                    unused.close()
                return become(json.loads(text), *handles)
            ends[number] = socket.socket(fileno=handles[STREAMS])
            for handle in handles[:STREAMS]:
                os.close(handle)


def become(request: dict[str, Any], *handles: int) -> dict[str, Any]:
    """Take over the request's streams, folder and environment, in a session of its own."""
    os.setsid()
    with socket.socket(fileno=handles[STREAMS]) as end:
        end.sendall(str(os.getpid()).encode())
    for stream, handle in enumerate(handles[:STREAMS]):
        os.dup2(handle, stream)
        os.close(handle)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = _text(1, "strict")
    sys.stderr = _text(2, "backslashreplace")
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    return request


def _text(stream: int, errors: str) -> io.TextIOWrapper:
    """What Python makes of an output stream at its start."""
    text = os.fdopen(stream, "w", encoding="utf-8", errors=errors, closefd=False)
    assert isinstance(text, io.TextIOWrapper)
    text.reconfigure(line_buffering=stream == 2 or os.isatty(stream))
    return text


if __name__ == "__main__":
    prepare()
    wanted = serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv[1:] = wanted["arguments"]
    runpy.run_module("nestline", run_name="__main__", alter_sys=True)
