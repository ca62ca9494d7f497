"""Games between people: links, two tabs, spectators, broken connections, restarted servers."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser.conftest import MakeVisitor
from browser.driver import (
    CHROMIUM,
    DESKTOP,
    PHONE,
    Server,
    Visitor,
    handle,
    more_choices,
    open_menu,
    press,
    square,
    status,
    wait_until,
)  # fmt: skip
from browser.screens import HERE, OPEN, SHORT_GAME

LOST = ("WebSocket", "ERR_", "Failed to load resource")


def create_by_link(visitor: Visitor, rules: str = "gobblers-official") -> tuple[Page, str]:
    """The inviting player's page, and the link."""
    page = visitor.page()
    page.goto("/")
    page.locator(f'input[value="{rules}"]').check()
    page.locator('input[value="link"]').check()
    if rules == "gobblers-official":
        more_choices(page)
        page.get_by_label("Covered pieces").select_option("open")
    press(page, "Get the link")
    link = page.get_by_label("Invitation link")
    expect(link).to_be_visible()
    return page, link.input_value()


def place(page: Page, seat: str, size: int, target: str) -> None:
    handle(page, f"{seat}:{size - 1}").click()
    square(page, target).click()


def test_a_link_game_with_a_spectator_and_a_killed_server(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    ann, bob, eve = (Visitor(browser, server, size) for size in (DESKTOP, PHONE, DESKTOP))
    for each in (ann, bob, eve):
        each.expected = LOST
    first, link = create_by_link(ann)
    assert "#join=" in link
    second = bob.page()
    second.goto(link)
    expect(status(first)).to_have_text("Your turn")
    expect(status(second)).to_contain_text("is thinking")
    assert "#" not in second.url
    watching = eve.page()
    watching.goto(second.url)
    open_menu(watching)
    expect(watching.get_by_role("button", name="Resign")).to_be_hidden()

    place(first, "first", 3, "b2")
    for page in (second, watching):
        expect(square(page, "b2")).to_have_accessible_name("b2: Red large")
    server.stop(signal.SIGKILL)
    for page in (first, second, watching):
        expect(page.get_by_text("The connection is lost")).to_be_visible()
    # Moves played meanwhile are not lost either.
    place(second, "second", 3, "a1")
    server.start()
    for page in (first, second, watching):
        expect(page.get_by_text("The connection is lost")).to_be_hidden()
        expect(square(page, "a1")).to_have_accessible_name("a1: Blue large")
    place(first, "first", 2, "c3")
    place(second, "second", 2, "a2")
    place(first, "first", 3, "a2")
    expect(square(watching, "a2")).to_have_accessible_name("a2: Red large, on Blue medium")
    for each in (ann, bob, eve):
        each.close()
    server.stop()


def test_two_tabs_on_one_seat_stay_in_step(visitor: MakeVisitor) -> None:
    ann = visitor()
    first, link = create_by_link(ann)
    bob = visitor().page()
    bob.goto(link)
    expect(status(first)).to_have_text("Your turn")
    other = ann.page()
    other.goto(first.url)
    expect(status(other)).to_have_text("Your turn")
    place(other, "first", 3, "b2")
    expect(square(first, "b2")).to_have_accessible_name("b2: Red large")
    expect(status(first)).to_contain_text("is thinking")


def test_an_invitation_is_good_for_one(visitor: MakeVisitor) -> None:
    _, link = create_by_link(visitor())
    bob, watching = visitor().page(), visitor().page()
    bob.goto(link)
    expect(status(bob)).to_contain_text("thinking")
    watching.goto(link)
    expect(watching.locator(".notice")).to_contain_text("taken that seat already")
    expect(square(watching, "b2")).to_be_visible()


def test_an_own_invitation_asks_first(visitor: MakeVisitor) -> None:
    ann = visitor()
    page, link = create_by_link(ann)
    other = ann.page()
    other.goto(link)
    expect(other.get_by_role("dialog")).to_contain_text("already holds a seat")
    press(other, "Cancel")
    expect(status(other)).to_have_text("Waiting for your friend")
    expect(status(page)).to_have_text("Waiting for your friend")


def pair(visitor: MakeVisitor, server: Server, rules: str) -> tuple[Page, Page, str]:
    """Two people in a game."""
    game, tokens, invitations = server.create(
        rules=rules, seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    joined = server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    first = visitor().open_game(game, tokens["first"])
    second = visitor().open_game(game, joined["tokens"]["second"])
    return first, second, game


def test_a_draw_is_offered_declined_and_accepted(visitor: MakeVisitor, server: Server) -> None:
    first, second, game = pair(visitor, server, "gobblet")
    press(first, "Offer a draw")
    press(second, "Decline")
    expect(first.locator(".news").get_by_text("offers a draw")).to_be_hidden()
    handle(first, "first:0").click()
    square(first, "b2").click()
    expect(square(second, "b2")).to_have_accessible_name("b2: White large")
    press(second, "Offer a draw")
    press(first, "Accept")
    for page in (first, second):
        expect(status(page)).to_have_text("A draw")
    assert server.get(f"/games/{game}")["outcome"]["reason"] == "agreement"


def test_what_was_declined_is_told(visitor: MakeVisitor, server: Server) -> None:
    first, second, _ = pair(visitor, server, "gobblet")
    news = first.locator(".news")
    press(first, "Offer a draw")
    expect(news).to_contain_text("You offered a draw. Black has not answered yet.")
    press(second, "Decline")
    expect(news).to_contain_text("Black declined the draw.")
    expect(second.locator(".news")).not_to_contain_text("declined")
    place(first, "first", 1, "b2")
    expect(news).not_to_contain_text("declined")
    press(first, "Ask to take back")
    expect(news).to_contain_text("You asked to take back 1 move.")
    press(second, "Decline")
    expect(news).to_contain_text("Black did not want to take back.")
    press(first, "Offer a draw")
    expect(second.locator(".news")).to_contain_text("White offers a draw.")
    place(second, "second", 1, "a1")
    expect(news).to_contain_text("Black played on instead of a draw.")


def test_two_people_and_one_closes_the_laptop(visitor: MakeVisitor, server: Server) -> None:
    """Names, presence, and the mark in the title of a tab."""
    ann, bob = visitor(), visitor()
    first, link = create_by_link(ann)
    first.get_by_label("Your name").fill("Ann")
    press(first, "Save")
    expect(first.locator(".player", has_text="Ann")).to_be_visible()
    second = bob.page()
    second.goto(link)
    expect(second.locator(".player", has_text="Ann")).to_contain_text("here")
    expect(first.locator(".player", has_text="Blue")).to_contain_text("here")
    expect(first).to_have_title("● Your turn · nestline")
    place(first, "first", 3, "b2")
    expect(first).not_to_have_title(re.compile("●"))
    expect(second).to_have_title("● Your turn · nestline")
    press(second, "Skip")
    expect(second.get_by_label("Your name")).to_have_count(0)
    # Another window is in front of the page; then the laptop is closed.
    second.evaluate("""() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    expect(first.locator(".player", has_text="Blue")).to_contain_text("away")
    address = second.url
    second.close()
    expect(first.locator(".player", has_text="Blue")).to_contain_text("gone")
    again = bob.page()
    again.goto(address)
    expect(first.locator(".player", has_text="Blue")).to_contain_text("here")
    # The name is remembered for the next game.
    third = ann.page()
    third.goto("/")
    third.locator('input[value="link"]').check()
    press(third, "Get the link")
    expect(third.locator(".player", has_text="Ann")).to_be_visible()


@pytest.fixture
def with_windows(browser: Browser, server: Server) -> Iterator[Visitor]:
    """A visitor whose browser can show notifications."""
    running = browser.browser_type.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    yield (visitor := Visitor(running, server))
    visitor.close()
    running.close()


def test_a_hidden_page_tells_whose_turn_it_is(with_windows: Visitor, server: Server) -> None:
    """Only to whoever wants that. What the browser shows is written down by the test."""
    game, tokens, invitations = server.create(
        rules="gobblers", seats={"first": {"player": "here"}, "second": {"player": "link"}}
    )
    joined = server.post(f"/games/{game}/join", {"invitation": invitations["second"]})
    bob = with_windows
    bob.context.grant_permissions(["notifications"])
    bob.context.add_init_script("""
      window.shown = [];
      window.Notification = class extends Notification {
        constructor(title, options) {
          super(title, options);
          window.shown.push(`${title}. ${options.body}`);
        }
      };
    """)
    page = bob.open_game(game, joined["tokens"]["second"])
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    server.play(game, tokens["first"], "3b2")
    expect(status(page)).to_have_text("Your turn")
    assert page.evaluate("window.shown") == []
    press(page, "Notify me")
    expect(page.get_by_role("button", name="Notify me")).to_have_attribute("aria-pressed", "true")
    server.play(game, joined["tokens"]["second"], "3a1")
    server.play(game, tokens["first"], "2c3")
    expect(page.locator('[data-ply="3"]')).to_be_visible()
    assert page.evaluate("window.shown") == ["It is your turn. Gobblet Gobblers: P1 medium to c3."]


def test_an_invitation_goes_to_the_share_sheet(visitor: MakeVisitor) -> None:
    """Where the system has one; Chromium has none here, so the page is given one."""
    ann = visitor()
    ann.context.add_init_script("navigator.share = async (what) => { window.sent = what; };")
    page, link = create_by_link(ann)
    press(page, "Send it…")
    assert page.evaluate("window.sent") == {"title": "A game for two", "url": link}


def test_taking_back_is_asked_for(visitor: MakeVisitor, server: Server) -> None:
    first, second, _ = pair(visitor, server, "gobblers")
    place(first, "first", 3, "b2")
    press(first, "Ask to take back")
    expect(second.locator(".news").get_by_text("P1 asks to take back 1 move.")).to_be_visible()
    press(second, "Allow")
    expect(square(first, "b2")).to_have_accessible_name("b2: empty")
    expect(status(first)).to_have_text("Your turn")


def test_players_cannot_study_before_the_end(visitor: MakeVisitor, server: Server) -> None:
    first, second, _ = pair(visitor, server, "gobblers")
    open_menu(first)
    for name in ("Study", "Hint"):
        expect(first.get_by_role("button", name=name)).to_be_hidden()
    press(first, "Resign")
    first.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(second)).to_have_text("You win!")
    for page in (first, second):
        open_menu(page)
        expect(page.get_by_role("button", name="Study")).to_be_visible()
        expect(page.get_by_role("button", name="Review")).to_be_hidden()


def test_a_rematch_swaps_the_sides(visitor: MakeVisitor, server: Server) -> None:
    first, second, game = pair(visitor, server, "gobblers")
    place(first, "first", 3, "b2")
    expect(square(second, "b2")).to_have_accessible_name("b2: P1 large")
    press(second, "Resign")
    second.get_by_role("dialog").get_by_role("button", name="Resign").click()
    press(first, "Rematch")
    expect(second.locator(".news").get_by_text("P1 wants a rematch.")).to_be_visible()
    press(second, "Rematch")
    expect(status(second)).to_have_text("Your turn")
    expect(status(first)).to_contain_text("is thinking")
    assert first.url == second.url
    assert game not in first.url


class Line:
    """The connections of a page, which the test can cut or silence."""

    def __init__(self, page: Page) -> None:
        self.sockets: list[WebSocketRoute] = []
        self.is_dead = False
        page.route_web_socket("**/socket", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        server = socket.connect_to_server()
        is_first = len(self.sockets) == 1
        socket.on_message(lambda text: None if is_first and self.is_dead else server.send(text))
        server.on_message(lambda text: None if is_first and self.is_dead else socket.send(text))


@pytest.mark.parametrize("how", ["cut", "slept"])
def test_a_broken_connection_is_made_again(how: str, visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblers", seats=HERE)
    ann = visitor()
    ann.expected = LOST
    ann.hold(game, tokens["first"])
    page = ann.page()
    page.clock.install()
    line = Line(page)
    page.goto(f"/game/{game}")
    expect(status(page)).to_have_text("P1 is to move.")
    if how == "cut":
        line.sockets[0].close(code=1012)
        server.play(game, tokens["first"], "3b2")
        page.clock.run_for(2000)
    else:
        # The laptop slept: the connection is dead, and the browser does not know.
        line.is_dead = True
        server.play(game, tokens["first"], "3b2")
        page.clock.fast_forward("02:00:00")
        page.clock.run_for(8000)
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    assert len(line.sockets) == 2


def test_a_game_deleted_meanwhile_leaves_its_record(visitor: MakeVisitor, server: Server) -> None:
    """The server's messages are the test's: games are deleted only after months."""
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    ann = visitor()
    ann.hold(game, tokens["first"])
    page = ann.page()
    sockets: list[WebSocketRoute] = []
    is_deleted = False

    def connect(socket: WebSocketRoute) -> None:
        upstream = socket.connect_to_server()

        def answer(text: str | bytes) -> None:
            asked = json.loads(text)
            if not is_deleted or asked["type"] != "watch":
                upstream.send(text)
            else:
                told = {"code": "not-found", "message": "there is no such game"}
                socket.send(json.dumps({"type": "error", "ask": asked["ask"], **told}))

        socket.on_message(answer)
        sockets.append(socket)

    page.route_web_socket("**/socket", connect)
    page.goto(f"/game/{game}")
    expect(status(page)).to_contain_text("Red wins")
    wait_until(page, "() => Boolean(localStorage.getItem('nestline.records'))")
    is_deleted = True
    told = {"code": "not-found", "message": "the game has been deleted", "game": game}
    sockets[0].send(json.dumps({"type": "error", **told}))
    expect(page.get_by_text("The game has been deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="A game you played")).to_be_visible()
    expect(page.locator("pre")).to_contain_text("3a3")


def test_a_review_outlives_its_connection(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2", "4c3")
    server.act(game, tokens["first"], "resign")
    ann = visitor()
    ann.expected = LOST
    ann.hold(game, tokens["first"])
    page = ann.page()
    line = Line(page)
    page.goto(f"/game/{game}")
    press(page, "Review")
    expect(page.locator(".review .remark")).to_contain_text("Looking at")
    line.sockets[0].close(code=1012)
    expect(page.locator(".review .remark")).to_contain_text("Judged by the engine.")
    expect(page.locator(".point")).to_have_count(2)
