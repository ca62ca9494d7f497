"""`nestline` alone opens the page in a browser, or says where it is."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest


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
    """What the program says when it is ready; before that it may say that it compiles."""
    assert process.stderr
    for line in process.stderr:
        if "http://" in line:
            return line
    raise AssertionError("the program ended without an address")


@pytest.mark.parametrize("has_browser", [True, False])
def test_nestline_alone_opens_the_page(tmp_path: Path, has_browser: bool) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\nprintf %s \"$1\" > '{opened}'\n", "utf-8")
    browser.chmod(0o755)
    environment = {"BROWSER": f"{browser} %s"} if has_browser else {}
    with start(tmp_path, **environment) as process:
        try:
            line = line_with_address(process)
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert address
            assert ("is open in your browser" in line) == has_browser
            assert "Ctrl-C" in line
            assert opened.exists() == has_browser
            if has_browser:
                assert opened.read_text("utf-8") == address[0]
            assert "nestline" in httpx.get(address[0]).text
        finally:
            process.send_signal(signal.SIGINT)


def test_without_the_servers_packages_one_sentence_says_what_to_install() -> None:
    """They are an extra; what is missing is taken away here before anything looks for it."""
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
