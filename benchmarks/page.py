"""How fast the page is, in the system's Chromium and on this machine.

Prints when the start page can be used, how long a visitor takes from the start page to a first
accepted move, how long a press takes to be seen, and how evenly a wandering piece is drawn.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from playwright.sync_api import Page, expect, sync_playwright

from browser.driver import CHROMIUM, Server, Visitor, handle, launch, square

ROUNDS = 5

FRAMES = """async () => {
  const times = [];
  const count = time => { times.push(time); if (times.length < 40) requestAnimationFrame(count); };
  requestAnimationFrame(count);
  document.querySelector('[data-square="b2"]').click();
  await new Promise(resolve => setTimeout(resolve, 800));
  return times.slice(1).map((time, at) => time - times[at]);
}"""

LATENCY = """async selector => {
  const began = performance.now();
  document.querySelector(selector).click();
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}"""


def visit(page: Page) -> dict[str, float]:
    """One visit from the start page to a move, with its times in milliseconds."""
    began = time.perf_counter()
    page.goto("/")
    play = page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    usable = time.perf_counter()
    play.click()
    handle(page, "first:2").wait_for()
    ready = time.perf_counter()
    latency = page.evaluate(LATENCY, '[data-handle="first:2"]')
    gaps = page.evaluate(FRAMES)
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    handle(page, "first:2").wait_for()
    return {
        "start page usable": 1000 * (usable - began),
        "press Play to board": 1000 * (ready - usable),
        "a press to the next frame": latency,
        "longest frame of an animation": max(gaps[:30]),
        "median frame of an animation": median(gaps[:30]),
    }


def first_move(page: Page) -> float:
    """Start page to first accepted move, pressing as soon as there is something to press."""
    began = time.perf_counter()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    handle(page, "first:2").click()
    square(page, "b2").click()
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    return 1000 * (time.perf_counter() - began)


def main() -> None:
    if not CHROMIUM:
        sys.exit("there is no Chromium here")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = launch(playwright)
        found: dict[str, list[float]] = {}
        for _ in range(ROUNDS):
            visitor = Visitor(browser, server, motion="full")
            for name, value in visit(visitor.page()).items():
                found.setdefault(name, []).append(value)
            visitor.close()
            visitor = Visitor(browser, server, motion="full")
            found.setdefault("start page to first move", []).append(first_move(visitor.page()))
            visitor.close()
        browser.close()
        server.stop()
    for name, values in found.items():
        print(f"{name:32} {median(values):7.0f} ms   (worst of {ROUNDS}: {max(values):.0f} ms)")


if __name__ == "__main__":
    main()
