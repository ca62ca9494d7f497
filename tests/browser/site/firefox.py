"""Drives the system's Firefox by WebDriver BiDi, since Playwright needs a Firefox of its own."""

import json
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
READY = "WebDriver BiDi listening on "
SECONDS = 90
UNTIL = """
const until = async (found, seconds = 60) => {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
    const value = await found();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`too late: ${found}; ${document.body.innerText.slice(0, 300)}`);
};
"""


class Firefox:
    """One tab of a Firefox with a new profile."""

    def __init__(self, profile: Path) -> None:
        assert FIREFOX
        command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0"]
        self._process = subprocess.Popen(
            [*command, "--profile", str(profile)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"HOME": str(profile), "PATH": "/usr/bin:/bin"},
        )
        assert self._process.stdout is not None
        line = next(line for line in self._process.stdout if READY in line)
        address = line.partition(READY)[2].strip()
        self._open = ExitStack()
        self._socket: ClientConnection = self._open.enter_context(
            connect(f"{address}/session", max_size=None, open_timeout=SECONDS)
        )
        self._next = 0
        self._ask("session.new", capabilities={})
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **parameters: Any) -> Any:
        self._next += 1
        asked = {"id": self._next, "method": method, "params": parameters}
        self._socket.send(json.dumps(asked))
        while True:
            message = json.loads(self._socket.recv(SECONDS))
            if message.get("id") == self._next:
                assert message["type"] == "success", message
                return message["result"]

    def open(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def run(self, code: str, *given: Any) -> Any:
        """What a function's body returns in the page, with `until` and `given` at hand; JSON."""
        body = f"async () => {{ {UNTIL} const given = {json.dumps(given)}; {code} }}"
        expression = f"({body})().then((value) => JSON.stringify(value ?? null))"
        target = {"context": self._tab}
        told = self._ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return json.loads(told["result"]["value"])

    def close(self) -> None:
        self._open.close()
        with self._process as process:
            process.terminate()
            process.wait(30)
