"""`nestline` without a command opens the page in a browser, or prints its address."""

import json
import os
import re
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest

from nestline.web.running import address_of_running
from nestline.web.settings import Settings
from support.web_driver import WAIT


def start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    usual = {
        name: value for name, value in os.environ.items() if name not in ("BROWSER", "DISPLAY")
    }
    return subprocess.Popen(
        [sys.executable, "-m", "nestline"],
        env={
            **usual,
            "NESTLINE_WEB_DATABASE": str(folder / "games.sqlite3"),
            "NESTLINE_WEB_BUILD_TABLES": "no",
            "PYTHONPATH": os.pathsep.join(sys.path),
            **environment,
        },
        stderr=subprocess.PIPE,
        text=True,
    )


def line_with_address(process: subprocess.Popen[str]) -> str:
    """What the program prints when it is ready; before that it may say that it compiles."""
    assert process.stderr
    for line in process.stderr:
        if "http://" in line:
            return line
    raise AssertionError("the program ended without an address")


@pytest.fixture
def browser(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """A browser that logs what it is asked to open: the BROWSER setting, and the log file."""
    opened = tmp_path / "opened"
    program = tmp_path / "browser"
    program.write_text(f"#!/bin/sh\nprintf %s \"$1\" > '{opened}'\n", "utf-8")
    program.chmod(0o755)
    return {"BROWSER": f"{program} %s"}, opened


def address_in(line: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    return found[0]


def test_nestline_alone_opens_the_page_and_a_second_one_opens_the_same(
    tmp_path: Path, browser: tuple[dict[str, str], Path]
) -> None:
    environment, opened = browser
    with start(tmp_path, **environment) as process:
        try:
            line = line_with_address(process)
            address = address_in(line)
            assert "is open in your browser" in line
            assert "Ctrl-C" in line
            assert opened.read_text("utf-8") == address
            assert "nestline" in httpx.get(address, timeout=WAIT).text
            opened.unlink()
            with start(tmp_path, **environment) as second:
                told = line_with_address(second)
                assert second.wait(WAIT) == 0
            assert "runs already, and is open in your browser" in told
            assert address_in(told) == address
            assert opened.read_text("utf-8") == address
            assert process.poll() is None, "the first one goes on"
        finally:
            process.send_signal(signal.SIGINT)
    assert not (tmp_path / "games.sqlite3.server").exists()


def test_without_a_browser_the_address_is_said_and_a_note_of_the_past_is_not_believed(
    tmp_path: Path,
) -> None:
    """A killed server leaves its address file, and something else may answer on its port."""
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        note = {"host": "127.0.0.1", "port": other.server_port, "instance": "past"}
        (tmp_path / "games.sqlite3.server").write_text(json.dumps(note), "utf-8")
        with start(tmp_path) as process:
            try:
                line = line_with_address(process)
                assert "nestline runs at" in line
                assert f":{other.server_port}/" not in line
                assert "nestline" in httpx.get(address_in(line), timeout=WAIT).text
            finally:
                process.send_signal(signal.SIGINT)
        other.shutdown()


@pytest.mark.parametrize("note", ["", "{", "[1]", '{"host": "127.0.0.1"}', '{"port": "x"}'])
def test_a_note_that_says_nothing_is_none(tmp_path: Path, note: str) -> None:
    settings = Settings(database=str(tmp_path / "games.sqlite3"))
    assert address_of_running(settings) is None
    (tmp_path / "games.sqlite3.server").write_text(note, "utf-8")
    assert address_of_running(settings) is None


def test_without_the_servers_packages_one_sentence_says_what_to_install() -> None:
    """They are an extra; they are hidden here before anything imports them."""
    program = (
        "import sys; sys.modules['uvicorn'] = None;"
        "from nestline.terminal.main import main; sys.argv = ['nestline']; main()"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stdout == ""
    [line] = run.stderr.splitlines()
    assert "pip install 'nestline[web]'" in line
    assert "nestline play" in line
