"""The engine's worker is lost: another goes on; if that is lost too, people can try again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from browser.driver import Visitor, press, status
from browser.game.test_local_games import type_moves
from browser.site.test_static_site import BASE, FileServer, PlainFiles, open_site
from browser.site.test_static_site import written as written

STOPPED = "The engine has stopped twice. This device may have too little free memory"
LISTED = "nest-moves button.move"
UNCAUGHT = "setTimeout(() => { throw new Error('something unforeseen'); })"
LOST = {"closed": "self.close()", "uncaught": UNCAUGHT}
"""Nothing tells the page of the first; it is what the end of a worker without memory looks like."""
HUNG = "self.onmessage = () => { for (;;); };"


@pytest.fixture
def site(browser: Browser, written: Path) -> Iterator[tuple[Visitor, Page]]:
    host = FileServer(written, PlainFiles)
    visitor, page = open_site(browser, host, "delete Navigator.prototype.serviceWorker")
    visitor.expected = ("something unforeseen", "no memory")
    yield visitor, page
    visitor.close()
    host.stop()


def running(page: Page, count: int = 1) -> list[Worker]:
    """The engine's workers, as soon as so many are running."""

    def found() -> list[Worker]:
        return [worker for worker in page.workers if worker.url.endswith("/engine/worker.js")]

    while len(found()) < count:
        page.wait_for_event("worker")
    return found()


def play(page: Page, level: str) -> None:
    """Begin a game of Gobblet against the computer."""
    page.locator('input[name=rules][value="gobblet"]').check(force=True)
    levels = page.evaluate(
        """async () => {
          const [script] = document.querySelectorAll("script[type=module]");
          const { rules } = await (await fetch(new URL("rules.json", script.src))).json();
          return rules.find(({ name }) => name === "gobblet").levels;
        }"""
    )
    page.get_by_label("Strength").fill(str(levels.index(level)))
    press(page, "Play")
    page.locator("nest-board [role=grid]").wait_for()


@pytest.mark.parametrize("end", LOST.values(), ids=LOST)
def test_the_computer_goes_on_in_another_worker(site: tuple[Visitor, Page], end: str) -> None:
    _, page = site
    play(page, "maximum")
    type_moves(page, "4a1")
    expect(status(page)).to_contain_text("thinking")
    (worker,) = running(page)
    expect(page.locator(".thinking-bar")).to_contain_text("deep")
    worker.evaluate(end)
    expect(page.locator(LISTED)).to_have_count(3)
    expect(status(page)).to_have_text("Your turn")


def test_an_idle_worker_may_be_lost(site: tuple[Visitor, Page]) -> None:
    _, page = site
    play(page, "1")
    type_moves(page, "4a1")
    expect(page.locator(LISTED)).to_have_count(3)
    for worker in running(page):
        worker.evaluate("self.close()")
    answer = page.locator(LISTED).last.inner_text()
    type_moves(page, "4d4" if answer.endswith("a4") else "4a4")
    expect(page.locator(LISTED)).to_have_count(5)


def test_a_worker_without_memory_is_replaced(site: tuple[Visitor, Page]) -> None:
    _, page = site
    page.goto(f"{BASE}study/?rules=tictactoe")
    expect(page.locator(".study .remark")).to_contain_text("Exact")
    (worker,) = running(page)
    worker.evaluate(
        "() => { WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no memory'); } }"
    )
    page.locator("select[name=rules]").select_option("gobblet")
    expect(page.locator(".study .remark")).to_contain_text("Engine, depth")


def test_a_hint_comes_from_another_worker(site: tuple[Visitor, Page]) -> None:
    _, page = site
    play(page, "1")
    press(page, "Hint")
    running(page)[-1].evaluate("self.close()")
    expect(page.locator(".item.hint")).to_contain_text("Look at")


def lose_two(page: Page) -> None:
    """Two workers, one after the other."""
    first = running(page)
    for worker in first:
        worker.evaluate("self.close()")
    while not (others := [worker for worker in running(page) if worker not in first]):
        page.wait_for_timeout(20)
    for worker in others:
        worker.evaluate("self.close()")


def test_a_game_waits_until_somebody_tries_again(site: tuple[Visitor, Page]) -> None:
    _, page = site
    play(page, "maximum")
    type_moves(page, "4a1")
    expect(page.locator(".thinking-bar")).to_contain_text("deep")
    lose_two(page)
    expect(status(page)).to_have_text("Waiting for the computer…")
    expect(page.locator(".headline .remark")).to_contain_text(STOPPED)
    expect(page.locator(".thinking:visible, .thinking-bar:visible")).to_have_count(0)
    press(page, "Try again")
    expect(page.locator(LISTED)).to_have_count(3)
    expect(status(page)).to_have_text("Your turn")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_study_can_be_tried_again(site: tuple[Visitor, Page]) -> None:
    _, page = site
    page.goto(f"{BASE}study/?rules=gobblet&moves=4a1")
    remark = page.locator(".study .remark")
    expect(remark).to_contain_text("still thinking")
    lose_two(page)
    expect(remark).to_contain_text(STOPPED)
    press(page, "Try again")
    expect(remark).to_contain_text("still thinking")
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


def test_a_worker_without_a_sign_of_life_is_lost(site: tuple[Visitor, Page]) -> None:
    _, page = site
    hung = {"body": HUNG, "content_type": "text/javascript"}
    page.route("**/engine/worker.js", lambda route: route.fulfill(**hung))
    page.clock.install()
    play(page, "1")
    type_moves(page, "4a1")
    expect(status(page)).to_contain_text("thinking")
    for _ in range(2):
        running(page)
        page.clock.run_for(40_000)
    expect(page.locator(".headline .remark")).to_contain_text("The engine cannot be started.")
    page.unroute_all()
    press(page, "Try again")
    page.clock.run_for(10_000)
    expect(page.locator(LISTED)).to_have_count(3)
