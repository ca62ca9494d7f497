"""What asks the page's modules: node, and a browser."""

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from browser.driver import CHROMIUM, launch
from support.node import ENGINE, ROOT, answer_of

Ask = Callable[[str, Any], Any]
"""What a script of this folder answers to a question; both are JSON."""

FOLDER = Path(__file__).parent
IN_CHROMIUM = """async ([script, wasm, question]) => {
  const { loadModule } = await import(`${wasm}/module.js`);
  const { answer } = await import(script);
  return JSON.stringify(await answer(JSON.parse(question), await loadModule()));
}"""


def ask_node(script: str, question: Any, module: Path | None = None) -> Any:
    return answer_of(FOLDER / "in_node.mjs", question, 3000, module, str(FOLDER / script))


class Sources(SimpleHTTPRequestHandler):
    """The working tree, for a browser."""

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="package")
def ask_chromium() -> Iterator[Ask]:
    """Closed after these tests: Playwright's running event loop would break others."""
    if not CHROMIUM:
        pytest.skip("there is no Chromium here; `make browser` tells how to get it")
    handler = partial(Sources, directory=str(ROOT))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        page = launch(playwright).new_page()
        page.goto(f"{address}/{FOLDER.relative_to(ROOT)}/law.mjs")

        def ask(script: str, question: Any) -> Any:
            engine = f"{address}/{ENGINE.relative_to(ROOT)}"
            told = page.evaluate(
                IN_CHROMIUM,
                [f"{address}/{FOLDER.relative_to(ROOT)}/{script}", engine, json.dumps(question)],
            )
            return json.loads(told)

        yield ask
        page.context.browser.close()  # type: ignore[union-attr]
        server.shutdown()


@pytest.fixture(params=["node", "Chromium"])
def ask(request: pytest.FixtureRequest) -> Ask:
    return ask_node if request.param == "node" else request.getfixturevalue("ask_chromium")
