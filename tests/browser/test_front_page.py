"""The front page: the living board, levels in words, and your games."""

import re
from importlib import resources

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import Server, choose_level, press, setup_of, square, status
from browser.screens import HERE, OPEN, SHORT_GAME
from nestline import Game

DEMONSTRATIONS = (
    resources.files("nestline.web") / "static" / "board" / "demonstrations.js"
).read_text("utf-8")


@pytest.mark.parametrize("rules", re.findall(r'^  "?([a-z-]+)"?: ', DEMONSTRATIONS, re.MULTILINE))
def test_the_games_that_boards_play_by_themselves_are_real(rules: str) -> None:
    (found,) = re.findall(rf'^  "?{rules}"?: (.+),$', DEMONSTRATIONS, re.MULTILINE)
    if not found.startswith("game("):
        (found,) = re.findall(rf"^const {found} = (.+);$", DEMONSTRATIONS, re.MULTILINE)
    moves, line = re.findall('"(.+?)"', found)
    game = Game(rules)
    for move in moves.split():
        assert game.outcome is None
        game.play(move)
    assert game.outcome
    assert game.outcome.reason == "line"
    winner = game.outcome.winner
    assert winner is not None
    assert [set(each) for each in game.position.lines(winner)] == [set(line.split())]


def test_the_board_lives_unless_motion_is_unwanted(visitor: MakeVisitor) -> None:
    page = visitor(motion="no-preference").page()
    page.goto("/")
    pieces = page.locator(".living-piece")
    expect(pieces).to_have_count(2)
    press(page, "Pause the board")
    expect(page.get_by_role("button", name="Let the board play")).to_be_visible()
    page.locator('input[value="tictactoe"]').check()
    expect(page.get_by_role("img", name="A short game of Tic-tac-toe")).to_be_visible()
    expect(pieces).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    expect(pieces).to_have_count(9)
    expect(page.locator(".living-line.shown")).to_be_attached()
    expect(page.get_by_role("button", name="Pause the board")).to_be_hidden()


def test_levels_have_names_sentences_and_ratings(visitor: MakeVisitor) -> None:
    """By the keyboard, as a slider that says what it is set to."""
    page = visitor().page()
    page.goto("/")
    slider = page.get_by_role("slider", name="Strength")
    said = page.locator(".strength")
    expect(said).to_contain_text("Casual")
    expect(said).to_contain_text("Rating 380")
    slider.press("Home")
    expect(slider).to_have_attribute(
        "aria-valuetext", "First steps. Puts pieces anywhere. Good for small children."
    )
    expect(said).to_contain_text("Rating 0")
    slider.press("End")
    expect(said).to_contain_text("never makes a mistake")
    press(page, "Easier")
    expect(page.locator(".summary")).to_contain_text("Expert (7)")
    # Each game has its own level, and full strength its seconds.
    page.locator('input[value="gobblet"]').check()
    expect(said).to_contain_text("Nimble")
    slider.press("End")
    page.get_by_role("radio", name="1 s", exact=True).check()
    expect(page.locator(".summary")).to_contain_text("Maximum, one second")
    page.locator('input[value="gobblers"]').check()
    expect(said).to_contain_text("Expert")


THINKS_FOR_A_SECOND = """() => {
  const bar = document.querySelector(".thinking-bar progress[aria-label='Time to think']");
  return bar?.checkVisibility() && bar.parentElement.textContent.includes("of 1 second");
}"""


def test_full_strength_shows_how_far_it_has_thought(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    page.locator('input[value="gobblet"]').check()
    choose_level(page, "maximum-1")
    page.get_by_role("radio", name="1 s", exact=True).check()
    press(page, "Play")
    page.locator(".handle.source").first.click()
    square(page, "b2").click()
    # Looked for in every frame, since it is there for a second only.
    page.wait_for_function(THINKS_FOR_A_SECOND)
    expect(status(page)).to_have_text("Your turn")
    expect(page.locator(".thinking-bar")).to_be_hidden()


def _lose(page: Page) -> None:
    press(page, "Resign")
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def test_after_three_losses_an_easier_level_is_offered(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    press(page, "Play")
    for _ in range(2):
        _lose(page)
        expect(page.get_by_text("losses in a row")).to_be_hidden()
        press(page, "Rematch")
        expect(page.get_by_role("button", name="Rematch")).to_be_hidden()
    _lose(page)
    expect(page.get_by_text("Three losses in a row.")).to_be_visible()
    page.get_by_role("button", name="Play Learner (2)").click()
    expect(status(page)).to_have_text(re.compile("Your turn|thinking"))
    assert "2" in [seat["level"] for seat in setup_of(page)["seats"]]
    page.goto("/")
    expect(page.locator(".strength")).to_contain_text("Learner")


def test_after_three_wins_a_harder_level_is_offered(visitor: MakeVisitor, server: Server) -> None:
    """In a game on the server, too; and after the fourth again."""
    winner = visitor()
    seats = {"first": {"player": "here"}, "second": {"player": "computer", "level": "random"}}
    # P1 wins with the next move.
    game, tokens, _ = server.create(rules="gobblers", seats=seats, position="w3,w3,x/b1,b1,x/x3 w")
    winner.run_first(
        """localStorage.setItem("nestline.series", JSON.stringify(
            {gobblers: {level: "random", count: 3, game: "earlier"}}))"""
    )
    page = winner.open_game(game, tokens["first"])
    page.locator('[data-handle="first:1"]').click()
    square(page, "c3").click()
    expect(page.get_by_text("4 wins in a row!")).to_be_visible()
    expect(page.get_by_role("button", name="Play Beginner (1)")).to_be_visible()


def test_your_games_are_found_again_reviewed_and_deleted(
    visitor: MakeVisitor, server: Server
) -> None:
    over, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(over, tokens["first"], *SHORT_GAME)
    seats = {"first": {"player": "here"}, "second": {"player": "link"}}
    running, mine, invitations = server.create(rules="gobblet", seats=seats)
    person = visitor()
    person.hold(over, tokens["first"])
    person.hold(running, mine["first"])
    page = person.page()
    page.goto("/")
    games = page.locator(".own-game")
    expect(games).to_have_count(2)
    expect(games.nth(0)).to_contain_text("Waiting for your friend")
    expect(games.nth(1)).to_contain_text("Red won")
    server.post(f"/games/{running}/join", {"invitation": invitations["second"]})
    expect(games.nth(0)).to_contain_text("Your turn")
    # A game in this browser joins them.
    press(page, "Play")
    expect(status(page)).to_have_text("Your turn")
    address = page.url
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("link", name="Your turn in 2 games").click()
    expect(page.get_by_role("heading", name="Your games")).to_be_in_viewport()
    page.get_by_role("link", name="Gobblet Gobblers against Casual (3)").click()
    expect(page).to_have_url(address)
    page.get_by_role("link", name="nestline").click()
    games.filter(has_text="Red won").get_by_role("link", name="Review").click()
    expect(page.locator(".point").first).to_be_visible()
    page.goto("/")
    expect(games).to_have_count(3)
    by_link = games.filter(has_text="Gobblet against a friend")
    for left, card in ((2, by_link), (1, games.first), (0, games.first)):
        card.get_by_role("button", name="Delete:").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(games).to_have_count(left)
        if card is by_link:
            # What happens there does not bring it back; the other game is told of after it.
            server.play(running, mine["first"], "4a1")
            server.act(over, tokens["first"], "undo", ply=4)
            expect(games.filter(has_text="Red won")).to_have_count(0)
            expect(games).to_have_count(left)
    expect(page.locator("main")).to_be_focused()
    assert page.evaluate("localStorage.getItem('nestline.seats')") == "{}"
