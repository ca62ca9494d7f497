"""Games between people: links, two tabs, spectators, broken connections, restarted servers."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser.conftest import MakeVisitor
from browser.driver import DESKTOP, PHONE, Server, Visitor, handle, press, square, status
from browser.screens import HERE

LOST = ("WebSocket", "ERR_", "Failed to load resource")


def create_by_link(visitor: Visitor, rules: str = "gobblers-official") -> tuple[Page, str]:
    """The inviting player's page, and the link."""
    page = visitor.page()
    page.goto("/")
    page.locator(f'input[value="{rules}"]').check()
    page.locator('input[value="link"]').check()
    if rules == "gobblers-official":
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
        expect(page.locator(".remark").first).to_have_text("Nobody loses.")
    assert server.get(f"/games/{game}")["outcome"]["reason"] == "agreement"


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
    expect(first.get_by_role("button", name="Study")).to_be_hidden()
    press(first, "Resign")
    first.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(second.locator(".remark").first).to_have_text("You win. Well played!")
    for page in (first, second):
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
