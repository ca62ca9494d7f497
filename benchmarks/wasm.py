"""The engine as WebAssembly against the native one: nodes per second in node and in Chromium.

All three search the same positions to the same depth with the same random numbers, so they look at
the same nodes; otherwise this fails. They take turns for several rounds, and the fastest of each
counts. Time is that of the processor, for all processes of the one that works, so that other
programs on the machine do not matter much. Everything is searched once and several times over: the
difference is the speed without starting and compiling, which weigh only on the first seconds.
"""

import argparse
import json
import math
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Page, sync_playwright

from nestline import Position, load_rules
from nestline.engine.search.chance import make_chance
from nestline.engine.search.weights import family_of
from nestline.web.games.views import board_json

HERE = Path(__file__).parent
ROOT = HERE.parent
ENGINE = ROOT / "src" / "nestline" / "web" / "static" / "engine"
sys.path[:0] = [str(HERE), str(ROOT / "tests")]

import search  # noqa: E402

from browser.driver import CHROMIUM, launch  # noqa: E402

ROUNDS = 7
POSITIONS = 8
DEPTH = 7
TIMES = 1, 4
"""How often all positions are searched in a row, for the start and for the difference."""
IN_CHROMIUM = """
async ([engine, family, question]) => {
  const { measure } = await import("/benchmarks/wasm.mjs");
  const { loadModule } = await import(`${engine}module.js`);
  const weights = await (await fetch(`${engine}weights/${family}.bin`)).arrayBuffer();
  return measure(engine, await loadModule(), weights, question);
}
"""


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {".js": "text/javascript", ".mjs": "text/javascript"}  # noqa: RUF012

    def log_message(self, *what: Any) -> None:
        pass


def question(rules: str, times: int) -> dict[str, Any]:
    places = search.positions()[rules][:POSITIONS]
    return {
        "rules": load_rules(rules).fields(),
        "start": board_json(Position.start(rules)),
        "boards": [board_json(place) for place in places],
        "depth": DEPTH,
        "times": times,
        "mebibytes": search.MEMORY,
        "chance": make_chance(1).tolist(),
    }


def natively(rules: str, times: int) -> int:
    places = search.positions()[rules][:POSITIONS]
    return sum(search.to_depth(rules, places, DEPTH, 1)[0] for _ in range(times))


def in_node(rules: str, times: int) -> int:
    family = family_of(load_rules(rules))
    asked = {"engine": f"{ENGINE}/", "family": family, **question(rules, times)}
    command = [ROOT / ".venv" / "bin" / "node", HERE / "wasm.mjs"]
    run = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return int(json.loads(run.stdout))


def in_chromium(page: Page, rules: str, times: int) -> int:
    engine = f"/{ENGINE.relative_to(ROOT).as_posix()}/"
    family = family_of(load_rules(rules))
    return int(page.evaluate(IN_CHROMIUM, [engine, family, question(rules, times)]))


def processor_seconds() -> float:
    """What this process and those it has started, node and the browser, have computed."""
    own = psutil.Process()
    times = own.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for each in own.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += sum(each.cpu_times()[:2])
    return float(total)


def compare(page: Page | None, rules: str, rounds: int) -> None:
    players: dict[str, Callable[[str, int], int]] = {"native": natively, "node": in_node}
    if page:
        players["Chromium"] = partial(in_chromium, page)
    seconds = {(where, times): math.inf for where in players for times in TIMES}
    nodes = natively(rules, 1)
    for _ in range(rounds):
        for where, times in seconds:
            began = processor_seconds()
            found = players[where](rules, times)
            taken = processor_seconds() - began
            seconds[where, times] = min(seconds[where, times], taken)
            assert found == times * nodes, f"{where} looked at {found} nodes"
    print(f"{rules}: {POSITIONS} positions to depth {DEPTH}, {nodes:,} nodes each time")
    once, often = TIMES
    first = {where: nodes / seconds[where, once] / 1e6 for where in players}
    steady = {
        where: (often - once) * nodes / (seconds[where, often] - seconds[where, once]) / 1e6
        for where in players
    }
    for name, speeds in (("with starting", first), ("then", steady)):
        for where, speed in speeds.items():
            share = f"{speed / speeds['native']:.2f} of native"
            print(f"  {name:14}{where:9}{speed:.2f} million nodes/s, {share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", nargs="+", choices=list(search.positions()))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    if not CHROMIUM:
        print("there is no Chromium here: node alone is measured")
    for_requests = partial(Quiet, directory=str(ROOT))
    with ThreadingHTTPServer(("127.0.0.1", 0), for_requests) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            browser = launch(playwright, program=CHROMIUM) if CHROMIUM else None
            page = browser.new_page() if browser else None
            if page:
                page.goto(f"http://127.0.0.1:{server.server_port}/benchmarks/")
            for rules in options.rules or search.positions():
                compare(page, rules, options.rounds)
            if browser:
                browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
