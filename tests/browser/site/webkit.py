"""Drives WebKitGTK's small browser by WebDriver, on a screen that nobody sees."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx

from browser.site.firefox import SECONDS, UNTIL
from support.ports import free_port

DRIVER, SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
WEBKIT = DRIVER and SCREEN
OPTIONS = {
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # The sandbox cannot be used as root.
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "GDK_BACKEND": "x11",
}


class WebKit:
    """One tab of a WebKitGTK that has been nowhere yet."""

    def __init__(self, profile: Path) -> None:
        assert DRIVER
        assert SCREEN
        reading, writing = os.pipe()
        self._screen = subprocess.Popen(
            [SCREEN, "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as display:
            number = display.readline().strip()
        port = free_port()
        self._driver = subprocess.Popen(
            [DRIVER, f"--port={port}", "--host=127.0.0.1"],
            env={"HOME": str(profile), "PATH": "/usr/bin:/bin", "DISPLAY": f":{number}", **OPTIONS},
            stderr=subprocess.DEVNULL,
        )
        transport = httpx.HTTPTransport(retries=10)
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", timeout=SECONDS, transport=transport
        )
        told = self._ask("/session", capabilities={"alwaysMatch": {}})
        self._session = f"/session/{told['sessionId']}"
        self._ask(f"{self._session}/timeouts", script=1000 * SECONDS)

    def _ask(self, path: str, **body: Any) -> Any:
        answer = self._client.post(path, json=body)
        told = answer.json()["value"]
        assert answer.is_success, told
        return told

    def open(self, url: str) -> None:
        self._ask(f"{self._session}/url", url=url)

    def run(self, code: str, *given: Any) -> Any:
        """What a function's body returns in the page, with `until` and `given` at hand; JSON."""
        body = f"async () => {{ {UNTIL} const given = {json.dumps(given)}; {code} }}"
        script = f"""
          const done = arguments[0];
          ({body})().then(
            (value) => done({{ value: value ?? null }}),
            (error) => done({{ problem: String(error) }}),
          );
        """
        told = self._ask(f"{self._session}/execute/async", script=script, args=[])
        assert "problem" not in told, told["problem"]
        return told["value"]

    def close(self) -> None:
        self._client.delete(self._session)
        self._client.close()
        for process in (self._driver, self._screen):
            with process:
                process.terminate()
                process.wait(30)
