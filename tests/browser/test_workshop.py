"""The workshop: design a game, learn its value, play it, share it; also on a static site."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import MakeVisitor
from browser.driver import PHONE, SIDEWAYS, Server, Visitor, square, status
from browser.site.test_static_site import FileServer, PlainFiles
from nestline.web.site.build import Site, write_site
from nestline.web.work.tablebases import Tablebases


def choose(page: Page, field: str, words: str) -> None:
    page.get_by_role("group", name=field).get_by_role("radio", name=words, exact=True).check()


def design_tiny(page: Page) -> None:
    """Two pieces of each of two sizes, by the buttons."""
    page.get_by_label("One fewer of size 3").click()
    page.get_by_label("One fewer of size 3").click()


def test_from_a_design_to_a_shared_game(visitor: MakeVisitor, server: Server) -> None:
    each = visitor()
    page = each.page()
    page.goto("/workshop")
    verdict = page.locator(".verdict")
    expect(verdict).to_have_text("Solved: P1, who begins, wins in 13 moves.")
    expect(page.locator(".facts")).to_contain_text("The longest win takes 23 moves.")
    # Refused in words, beside the field and beside the board, until it is put right.
    choose(page, "Pieces move", "No")
    sentence = "3 contradicts moving = false: positions cannot repeat; it takes 0 there."
    expect(page.locator("#problem-repetition")).to_have_text(f"repetition: {sentence}")
    expect(page.locator(".known")).to_contain_text(sentence)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    page.get_by_label("Draw by repetition").fill("0")
    expect(page.locator("#problem-repetition")).to_be_hidden()
    expect(verdict).to_have_text("Solved: P2, who moves second, wins in 12 moves.")
    choose(page, "Pieces move", "Yes")
    design_tiny(page)
    expect(verdict).to_have_text("Solved: a draw, if both play well.")
    page.get_by_text("Names and looks").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Tiny & co")
    expect(page.locator(".game-title")).to_have_text("Tiny & co")
    # Shared by a link that carries the rules.
    page.get_by_role("button", name="Share", exact=True).click()
    link = page.get_by_label("Link to this game", exact=True).input_value()
    assert link.endswith("/workshop?rules=gobblers.title-Tiny_*26_co.stock-2-2.repetition-0")
    assert link == page.url
    page.keyboard.press("Escape")
    # Played in this browser.
    page.get_by_role("button", name="Play a friend here").click()
    page.wait_for_url("**/game/local-*")
    square(page, "b2").wait_for()
    expect(page.get_by_text("Tiny & co").first).to_be_attached()
    assert not any("/api/v1/games" in url for url in each.requests)
    # Somebody else opens the link.
    other = visitor().page()
    other.goto(link)
    expect(other.locator(".verdict")).to_have_text("Solved: a draw, if both play well.")
    expect(other.get_by_label("Pieces of size 3")).to_have_value("0")


def test_an_unknown_game_is_solved_in_the_page(visitor: MakeVisitor) -> None:
    each = visitor()
    page = each.page()
    page.goto("/workshop?rules=gobblers.board-2.line-2.stock-1-1.same_square-yes")
    expect(page.locator(".game-title")).to_have_text("My game")
    page.get_by_role("button", name="Solve it").click()
    expect(page.locator(".verdict")).to_have_text("Solved: P1, who begins, wins in 3 moves.")
    # Others are solved by a command, and Gobblet by nobody.
    page.get_by_label("Begin with").select_option("gobblers")
    choose(page, "A line loses", "Yes")
    expect(page.locator(".verdict")).to_have_text("Not solved yet.")
    facts = page.locator(".facts")
    expect(facts).to_contain_text("It has about 360,000,000 positions, too many for the page.")
    expect(facts).to_contain_text("nestline solve gobblers.title-My_game.misere-yes finds out.")
    page.get_by_label("Begin with").select_option("gobblet")
    expect(page.locator(".verdict")).to_have_text("Nobody knows who wins.")
    expect(page.get_by_role("button", name="Solve it")).to_have_count(0)


def test_a_design_is_played_by_link_and_studied(visitor: MakeVisitor, server: Server) -> None:
    """The server takes the same word, for games between people and for programs."""
    design = "gobblers.title-Tiny.stock-1-1.repetition-0"
    rules = server.get(f"/rules/{design}")
    assert (rules["title"], rules["stock"]) == ("Tiny", [1, 1])
    made = server.post("/games", {"rules": design})
    name = made["game"]["rules"]
    assert name.startswith("custom-")
    assert server.get(f"/rules/{name}")["stock"] == [1, 1]
    again = server.post("/games", {"record": f'[Rules "{design}"]\n\n1. 1a1 2b2 *'})
    assert (again["game"]["rules"], again["game"]["ply"]) == (name, 2)
    page = visitor().page()
    page.goto(f"/study?rules={design}")
    expect(page).to_have_title("Study: Tiny · nestline")
    page.goto(f"/rules/{design}")
    expect(page.get_by_role("heading", name="Tiny")).to_be_visible()
    # The lessons teach other rules.
    expect(page.get_by_role("link", name="Learn by playing")).to_have_count(0)
    expect(page.get_by_text("Each player has 1 small and 1 large piece,")).to_be_visible()
    page.get_by_text("The rule set's file").click()
    expect(page.locator(".file")).to_have_text(
        server.client.get(f"/api/v1/rules/{design}/file").text
    )


def test_a_wrong_link_says_so(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers.stock-0")
    expect(page.get_by_text("gobblers.stock-0: stock: [0] is not allowed")).to_be_visible()
    page.goto("/workshop?rules=gobblers.misere-true")
    expect(page.get_by_text("misere: 'true' is not allowed; it takes yes or no")).to_be_visible()
    page.goto("/workshop?rules=goblers.stock-1-1")
    expect(page.get_by_text("There is no rule set goblers; there are tictactoe")).to_be_visible()
    page.goto("/workshop?rules=gobblers.stock-2-2-3.reserve-nested")
    expect(page.locator("#problem-stock")).to_contain_text("[2, 2, 3] does not nest")


@pytest.mark.parametrize("width", [320, 390])
def test_it_fits_on_a_phone(width: int, visitor: MakeVisitor) -> None:
    page = visitor(viewport=PHONE).page()
    page.set_viewport_size({"width": width, "height": 700})
    page.goto("/workshop")
    page.locator(".verdict").wait_for()
    for part in page.locator("details.part summary").all():
        part.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_design_can_be_played_on_a_phone_held_sideways(visitor: MakeVisitor) -> None:
    page = visitor(viewport=SIDEWAYS).page()
    page.goto("/workshop?rules=gobblers.title-Tiny.stock-1-1-1")
    expect(page.locator(".verdict")).to_contain_text("Solved")
    page.get_by_role("group", name="Board", exact=True).scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Study").last.click()
    expect(page).to_have_url(re.compile("/study"))


def test_it_needs_no_server(browser: Browser, tmp_path: Path) -> None:
    """On a static site: designed, looked up and played without asking anybody."""
    write_site(tmp_path / "games", Site("/games/"), Tablebases(str(tmp_path), build=False))
    host = FileServer(tmp_path, PlainFiles)
    visitor = Visitor(browser, host)  # type: ignore[arg-type]
    page = visitor.page()
    page.goto("/games/workshop/")
    design_tiny(page)
    expect(page.locator(".verdict")).to_have_text("Solved: a draw, if both play well.")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    host.stop()
    page.reload()
    expect(page.locator(".verdict")).to_have_text("Solved: a draw, if both play well.")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_be_visible()
    square(page, "b2").wait_for()
    visitor.close()
