"""Games that live in the browser: played without the server, kept whatever happens to the page."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browser.driver import (
    CHROMIUM,
    Server,
    Visitor,
    choose_level,
    let_play,
    press,
    square,
    status,
)
from browser.screens import HERE, SHORT_GAME

MakeVisitor = Callable[..., Visitor]

WITHOUT_STORAGE = "Object.defineProperty(window, 'indexedDB', { get() { throw new Error(); } });"
STORAGE_THAT_FILLS = """
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (value) {
  if (!window.isFull) return put.call(this, value);
  const error = new DOMException("no room", "QuotaExceededError");
  Object.defineProperty(this.transaction, "error", { value: error });
  return this.transaction.abort();
};
"""
WITH_TYPING = "localStorage.setItem('nestline.preferences', '{\"typed\": true}')"
WITHOUT_WASM = "WebAssembly.compile = () => Promise.reject(new Error('blocked'));"


def choose(page: Page, rules: str, opponent: str, level: str | None = None) -> None:
    page.add_init_script(WITH_TYPING)
    page.goto("/")
    page.locator(f'input[name=rules][value="{rules}"]').check(force=True)
    page.locator(f'input[name=opponent][value="{opponent}"]').check(force=True)
    if level:
        choose_level(page, level)


def start(page: Page, rules: str, opponent: str, level: str | None = None) -> None:
    choose(page, rules, opponent, level)
    press(page, "Play")
    page.locator("nest-board [role=grid]").wait_for()
    expect(page).to_have_url(re.compile("/game/local-[a-z0-9]{12}$"))


def type_moves(page: Page, *moves: str) -> None:
    for move in moves:
        field = page.get_by_label("Type a move")
        field.fill(move)
        field.press("Enter")
        expect(field).to_have_value("")


def expect_moves(page: Page, *moves: str) -> None:
    listed = page.locator("nest-moves button.move")
    expect(listed).to_have_text(["Start", *moves])


def test_against_the_computer_without_the_server(visitor: MakeVisitor) -> None:
    person = visitor()
    page = person.page()
    start(page, "gobblers", "computer", "3")
    page.route("**/api/**", lambda route: route.abort())
    type_moves(page, "L (1,1)")
    moves = page.locator("nest-moves button.move")
    expect(moves).to_have_count(3)
    expect(status(page)).to_have_text("Your turn")
    page.get_by_label("Type a move").fill("2b2")
    page.get_by_label("Type a move").press("Enter")
    expect(page.locator(".typed .problem")).to_have_text(
        "2b2: b2 shows a size 3; a size 2 can only land on smaller pieces."
    )
    page.get_by_role("button", name="Take back").click()
    expect(moves).to_have_count(1)
    press(page, "Redo")
    expect(moves).to_have_count(3)
    press(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("You lose")
    expect(page.locator(".headline .remark")).to_have_text("P2 wins: P1 resigned.")
    press(page, "Rematch")
    expect(page.locator(".player").filter(has_text=re.compile(r"You\s*P2"))).to_be_visible()
    expect(moves).to_have_count(2)


def test_the_first_move_needs_nothing_compiled(visitor: MakeVisitor, tmp_path: Path) -> None:
    """On a new machine the server compiles for a while; the page plays meanwhile."""
    server = Server(tmp_path)
    server.environment["NUMBA_CACHE_DIR"] = str(tmp_path / "cache")
    server.start(sign_of_life="/")
    try:
        page = visitor(server=server).page()
        start(page, "gobblers", "computer", "5")
        type_moves(page, "3b2")
        expect(page.locator("nest-moves button.move")).to_have_count(3)
        assert server.get("/status")["getting_ready"] is not None
    finally:
        server.stop()


def test_two_computers_play_to_the_end(visitor: MakeVisitor) -> None:
    page = visitor().page()
    start(page, "tictactoe", "screen")
    type_moves(page, "b2")
    for name in ("O", "X"):
        let_play(page, name, "random")
    expect(status(page)).to_have_text(re.compile("wins!|A draw"))


def test_the_address_of_a_game_in_another_browser_is_explained(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/game/local-abcdefghijkl")
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    expect(page.get_by_text("“Share” there makes a link for others.")).to_be_visible()


def test_the_computer_does_not_think_about_what_was_taken_back(visitor: MakeVisitor) -> None:
    page = visitor().page()
    start(page, "gobblet", "computer", "maximum-20")
    type_moves(page, "4b2")
    expect(page.locator(".thinking-bar")).to_contain_text("deep")
    page.get_by_role("button", name="Take back").click()
    expect_moves(page)
    began = time.monotonic()
    for worker in page.workers:
        # A thread that searches answers only when it has ended.
        assert worker.evaluate("1") == 1
    assert time.monotonic() - began < 8


def test_two_tabs_show_the_same_game(visitor: MakeVisitor) -> None:
    person = visitor()
    page = person.page()
    start(page, "gobblers", "screen")
    other = person.page()
    other.goto(page.url)
    type_moves(page, "3b2")
    expect_moves(other, "3b2")
    type_moves(other, "3a1")
    expect_moves(page, "3b2", "3a1")


def test_a_tab_that_is_opening_hears_of_a_move(visitor: MakeVisitor) -> None:
    """It has read the game from the storage, and waits for the engine, when the move is made."""
    person = visitor()
    page = person.page()
    start(page, "gobblers", "screen")
    other = person.page()
    held: list[Route] = []
    other.route("**/*.wasm", lambda route: held.append(route))
    other.goto(page.url)
    while not held:
        other.wait_for_timeout(20)
    type_moves(page, "3b2")
    expect_moves(page, "3b2")
    for route in held:
        route.continue_()
    expect_moves(other, "3b2")


def test_a_killed_browser_loses_nothing(browser: Browser, server: Server, tmp_path: Path) -> None:
    kind = browser.browser_type
    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}
    context = kind.launch_persistent_context(tmp_path, base_url=server.address, **options)
    page = context.new_page()
    start(page, "gobblers", "screen")
    address = page.url
    type_moves(page, "3b2", "3a1", "2c1")
    expect_moves(page, "3b2", "3a1", "2c1")
    session = context.new_cdp_session(page)
    with pytest.raises(Exception, match="closed"):
        session.send("Browser.crash")
    context.close()
    context = kind.launch_persistent_context(tmp_path, base_url=server.address, **options)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Gobblet Gobblers on this screen").click()
    expect(page).to_have_url(address)
    expect_moves(page, "3b2", "3a1", "2c1")
    context.close()


def expect_warning(page: Page, reason: str) -> None:
    sentence = f"{reason}: the game goes on, but it is lost when this page is closed."
    expect(page.locator(".notice")).to_have_text(sentence)


def test_without_storage_the_game_goes_on(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.add_init_script(WITHOUT_STORAGE)
    start(page, "gobblers", "computer", "1")
    expect_warning(page, "This browser does not store anything")
    type_moves(page, "3b2")
    expect(page.locator("nest-moves button.move")).to_have_count(3)
    expect(status(page)).to_have_text("Your turn")


def test_with_a_full_storage_the_game_goes_on(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.add_init_script(STORAGE_THAT_FILLS)
    start(page, "gobblers", "screen")
    page.evaluate("window.isFull = true")
    type_moves(page, "3b2")
    expect_warning(page, "This browser's storage is full")
    type_moves(page, "3a1")
    expect_moves(page, "3b2", "3a1")
    page.evaluate("window.isFull = false")
    type_moves(page, "2c1")
    expect_moves(page, "3b2", "3a1", "2c1")
    # With room again, everything is there.
    page.reload()
    expect_moves(page, "3b2", "3a1", "2c1")


FILLED_STORAGE = """async ([most, finished]) => {
  const address = document.querySelector("script[type=module]").src;
  const storage = await import(new URL("local/storage.js", address).href);
  for (const { id } of await storage.newest()) await storage.remove(id);
  for (let age = 0; age < most; age++)
    await storage.add({ id: `game-${age}`, changed: age, over: finished.includes(age), done: [] });
  const kept = (await storage.newest()).map(({ id }) => Number(id.slice(5)));
  return Array.from({ length: most }, (_, age) => age).filter((age) => !kept.includes(age));
}"""


@pytest.mark.parametrize(("finished", "gone"), [([3, 5, 7], [3, 5]), ([4, 501], [0, 4])])
def test_old_games_make_room_finished_ones_first(
    visitor: MakeVisitor, finished: list[int], gone: list[int]
) -> None:
    page = visitor().page()
    page.goto("/")
    assert page.evaluate(FILLED_STORAGE, [502, finished]) == gone


def test_without_webassembly_the_server_has_the_game(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.add_init_script(WITHOUT_WASM)
    choose(page, "gobblers", "computer", "1")
    press(page, "Play")
    expect(page).to_have_url(re.compile("/game/[A-Za-z0-9]+$"))
    type_moves(page, "3b2")
    expect(status(page)).to_have_text("Your turn")


def test_without_webassembly_the_server_studies(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    page.add_init_script(WITHOUT_WASM)
    page.goto("/study?rules=gobblers")
    expect(page.locator(".study .value")).to_contain_text("P1 wins in 13")
    expect(page.locator(".study .remark")).to_contain_text("Exact: this game is solved.")
    page.locator('.chip[data-move="3b2"]').click()
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    game, tokens, _ = server.create(rules="gobblers", seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page.goto(f"/game/{game}#review")
    expect(page.locator(".review .remark")).to_contain_text("Exact: this game is solved.")
    expect(page.locator(".review .point")).to_have_count(len(SHORT_GAME))


def test_a_friend_is_invited_into_a_game(visitor: MakeVisitor) -> None:
    page = visitor().page()
    start(page, "gobblers", "computer", "1")
    type_moves(page, "3b2")
    expect(status(page)).to_have_text("Your turn")
    listed = page.locator("nest-moves button.move").all_inner_texts()
    press(page, "Share")
    press(page, "Invite a friend")
    link = page.get_by_label("Invitation link").input_value()
    friend = visitor().page()
    friend.goto(link)
    expect(friend.locator("nest-moves button.move")).to_have_text(listed)
    expect(status(page)).to_have_text("Your turn")
    type_moves(page, "2c1" if listed[-1].endswith("a1") else "2a1")
    expect(status(friend)).to_have_text("Your turn")


def test_who_clicks_twice_gets_one_game(visitor: MakeVisitor) -> None:
    person = visitor()
    page = person.page()
    start(page, "gobblers", "screen")
    press(page, "Share")
    page.get_by_role("button", name="Invite a friend").dblclick()
    page.get_by_label("Invitation link").wait_for()
    page.goto("/study?rules=gobblet")
    press(page, "Play on")
    page.get_by_role("dialog").get_by_role("button", name="Play").dblclick()
    page.locator("nest-board [role=grid]").wait_for()
    expect(page).to_have_url(re.compile("/game/local-"))
    page.goto("/")
    # One on the server, one in this browser, and the one that was put online.
    expect(page.locator(".own-games > li")).to_have_count(3)


def test_looking_under_a_piece_and_touch_move(visitor: MakeVisitor) -> None:
    page = visitor().page()
    start(page, "gobblet", "screen")
    type_moves(page, "4b2", "4c3")
    page.locator('[data-square="b2"]').click()
    expect(page.locator(".remark").first).to_contain_text("b2 has been touched")
    type_moves(page, "b2a1")
    expect_moves(page, "4b2", "4c3", "b2a1")
