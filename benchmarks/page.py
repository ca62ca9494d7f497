"""How fast the page is, in the system's Chromium and on this machine.

Prints the times until the start page is usable, from the start page to the first accepted move, and
from a click to its effect on the screen, and how smoothly a sliding piece is drawn: some 20 frames
while the move goes to the server and the answer comes back.
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

FRAME = 1000 / 60
ANIMATION = 340
"""How long a piece slides, in milliseconds."""

FRAMES = """async duration => {
  const times = [];
  document.querySelector('[data-square="b2"]').click();
  const began = performance.now();
  await new Promise(resolve => {
    const count = time => {
      times.push(time);
      if (time - began < duration) requestAnimationFrame(count); else resolve();
    };
    requestAnimationFrame(count);
  });
  return times.slice(1).map((time, at) => time - times[at]);
}"""

LATENCY = """async selector => {
  const began = performance.now();
  document.querySelector(selector).click();
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}"""


def visit(page: Page) -> dict[str, float]:
    """One visit from the start page to a move; its times in milliseconds."""
    began = time.perf_counter()
    page.goto("/")
    play = page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    usable = time.perf_counter()
    play.click()
    handle(page, "first:2").wait_for()
    ready = time.perf_counter()
    latency = page.evaluate(LATENCY, '[data-handle="first:2"]')
    gaps = page.evaluate(FRAMES, ANIMATION)
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    handle(page, "first:2").wait_for()
    return {
        "start page usable": 1000 * (usable - began),
        "press Play to board": 1000 * (ready - usable),
        "a press to the next frame": latency,
        "longest frame of an animation": max(gaps),
        "frames dropped by an animation": sum(round(gap / FRAME) - 1 for gap in gaps),
    }


def first_move(page: Page) -> float:
    """From the start page to the first accepted move, clicking as soon as possible."""
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
        unit = "" if name.startswith("frames") else " ms"
        worst = f"(worst of {ROUNDS}: {max(values):.0f}{unit})"
        print(f"{name:32} {median(values):7.0f}{unit:3}   {worst}")


if __name__ == "__main__":
    main()
