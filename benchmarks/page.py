"""How fast the page is, in the system's Chromium and on this machine.

Prints the times until the start page is usable, from the start page to the first accepted move, and
from a click to its effect on the screen, and how smoothly a sliding piece is drawn: some 20 frames
while the move is stored and the computer thinks. Then how long the computer of level 5 thinks about
its reply, what a first visit transfers, and how the memory of the browser changes while the engine
analyses one position after another, for as many minutes as are given (1 by default): what all its
processes have, and what the page and its workers still hold after a garbage collection.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import psutil
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


REPLIES = """async folder => {
  const { Engine } = await import(`${folder}engine/engine.js`);
  const { Law } = await import(`${folder}engine/law.js`);
  const { Instance, loadModule } = await import(`${folder}engine/module.js`);
  const rules = await (await fetch("/api/v1/rules/gobblers")).json();
  const law = new Law(new Instance(await loadModule()), rules);
  const engine = new Engine(() => null);
  const times = [];
  for (const move of ["3b2", "3a1", "2c3", "2b1", "1a3", "3c1"]) {
    const positions = [law.start(), law.play(law.start(), move)];
    const began = performance.now();
    await engine.choose(rules, { positions }, "5");
    times.push(performance.now() - began);
  }
  engine.close();
  return times;
}"""


def replies(page: Page) -> list[float]:
    """How long level 5 takes to answer a move, the first time with loading its worker."""
    page.goto("/about")
    folder = str(page.locator("script[type=module]").first.get_attribute("src"))
    found: list[float] = page.evaluate(REPLIES, folder.removesuffix("main.js"))
    return found


def transferred(visitor: Visitor) -> tuple[int, int]:
    """Bytes of the start page, and of a game against the computer as far as its first reply."""
    page = visitor.page()
    session = visitor.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[int] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.wait_for_timeout(1000)
    start = sum(sizes)
    page.get_by_role("button", name="Play", exact=True).click()
    handle(page, "first:2").click()
    square(page, "b2").click()
    page.locator('[data-ply="2"]').wait_for()
    page.wait_for_timeout(500)
    return int(start), int(sum(sizes))


def memory() -> int:
    """What all processes of the browser have in memory."""
    children = psutil.Process().children(recursive=True)
    return sum(each.memory_info().rss for each in children if "chrom" in each.name())


EAGERLY = "--enable-blink-features=ForceEagerMeasureMemory"
"""Chromium measures at once, after a garbage collection, instead of at the next one."""

HELD = "async () => (await performance.measureUserAgentSpecificMemory()).bytes"


def analysis(page: Page, minutes: float) -> tuple[list[int], list[int]]:
    """Memory of the browser and of the page, ten times while it analyses many positions."""
    page.goto("/study?rules=gobblet")
    used, held = [], []
    for _ in range(10):
        until = time.monotonic() + 6 * minutes
        while time.monotonic() < until:
            for number in range(3):
                page.locator(".chip").nth(number).click()
                page.wait_for_timeout(1500)
                page.get_by_role("button", name="Back", exact=True).click()
                page.wait_for_timeout(500)
        held.append(page.evaluate(HELD))
        used.append(memory())
    return used, held


def megabytes(sizes: list[int]) -> str:
    return ", ".join(f"{each / 1e6:.1f}" for each in sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="of analysis")
    minutes = parser.parse_args().minutes
    if not CHROMIUM:
        sys.exit("there is no Chromium here")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = launch(playwright, EAGERLY, program=CHROMIUM)
        found: dict[str, list[float]] = {}
        for _ in range(ROUNDS):
            visitor = Visitor(browser, server, motion="full")
            for name, value in visit(visitor.page()).items():
                found.setdefault(name, []).append(value)
            visitor.close()
            visitor = Visitor(browser, server, motion="full")
            found.setdefault("start page to first move", []).append(first_move(visitor.page()))
            visitor.close()
        visitor = Visitor(browser, server)
        start, game = transferred(visitor)
        thought = replies(visitor.page())
        visitor.close()
        for name, values in found.items():
            unit = "" if name.startswith("frames") else " ms"
            worst = f"(worst of {ROUNDS}: {max(values):.0f}{unit})"
            print(f"{name:32} {median(values):7.0f}{unit:3}   {worst}")
        first = f"(the first: {thought[0]:.0f} ms)"
        print(f"{'reply of level 5':32} {median(thought[1:]):7.0f} ms    {first}")
        with_game = f"(with a game: {game / 1000:.0f})"
        print(f"{'bytes of the start page':32} {start / 1000:7.0f} kB    {with_game}")
        visitor = Visitor(browser, server)
        used, held = analysis(visitor.page(), minutes)
        visitor.close()
        browser.close()
        server.stop()
    print(f"{'memory while analysing':32} {megabytes(used)} MB, in {minutes:g} minutes")
    print(f"{'held by page and workers':32} {megabytes(held)} MB")


if __name__ == "__main__":
    main()
