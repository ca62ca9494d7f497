"""What the page says where something cannot be done, or is a bad idea."""

import re

from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import (
    NARROW,
    SIDEWAYS,
    Server,
    handle,
    more_choices,
    press,
    square,
    status,
)  # fmt: skip
from browser.screens import HERE, OPEN

BY_LINK = {"first": {"player": "here"}, "second": {"player": "link"}}


def _drag(page: Page, start: str, end: str) -> None:
    """Drag with the mouse from one place to another, given as selectors."""
    for selector, act in ((start, page.mouse.down), (end, page.mouse.up)):
        box = page.locator(selector).bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y, steps=4)
        act()


def test_an_illegal_click_and_drag_are_explained(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], "3b2")
    page = visitor().open_game(game, tokens["first"])
    reason = "b2 shows a large piece; a medium piece can only land on smaller pieces."
    handle(page, "second:1").click()
    square(page, "b2").click(force=True)
    expect(page.locator(".notice")).to_have_text(reason)
    page.keyboard.press("Escape")
    square(page, "a1").click()
    expect(page.locator(".notice")).to_have_text("Take one of your own pieces first.")
    _drag(page, '[data-handle="second:1"]', '[data-square="b2"]')
    expect(page.locator(".notice")).to_have_text(reason)
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large")


def test_an_illegal_click_in_study_is_explained(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers&moves=3b2")
    expect(status(page)).to_have_text("P2 is to move.")
    handle(page, "second:0").click()
    square(page, "b2").click(force=True)
    expect(page.locator(".notice")).to_have_text(
        re.compile("^b2 shows a large piece; a small piece")
    )


def test_study_is_locked_with_a_way_back_to_the_game(visitor: MakeVisitor, server: Server) -> None:
    player = visitor()
    page = player.page()
    player.expected = ("403",)
    page.goto("/")
    page.locator('input[value="link"]').check()
    press(page, "Get the link")
    link = page.get_by_label("Invitation link").input_value()
    friend = visitor().page()
    friend.goto(link)
    expect(status(page)).to_have_text("Your turn")
    page.goto("/study")
    expect(page.get_by_role("heading", name="Your game comes first")).to_be_visible()
    page.get_by_role("link", name="Go to your game").click()
    expect(status(page)).to_have_text("Your turn")


def test_targets_in_study_tell_what_they_are_worth(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers-official&moves=3b2+3b1")
    expect(page.locator(".value")).to_contain_text("in")
    handle(page, "first:1").click()
    moves = server.get("/positions/gobblers-official?moves=3b2 3b1")["moves"]
    medium = [move for move in moves if re.fullmatch(r"2..", move["move"])]
    for value in ("win", "draw", "loss"):
        count = sum(move["value"] == value for move in medium)
        expect(page.locator(f".worth.{value}")).to_have_count(count)
    losing = next(move for move in medium if move["value"] == "loss")
    name = re.compile(f"loses in {losing['distance']}$")
    expect(square(page, losing["move"][1:])).to_have_accessible_name(name)
    assert page.locator(".layer .target:not(.worth)").count() == 0


def test_back_goes_back_in_study_and_reload_keeps_branches(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers")
    page.locator('.chip[data-move="3b2"]').click()
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    page.locator('.chip[data-move="3a1"]').click()
    expect(square(page, "a1")).to_have_accessible_name("a1: P2 large")
    page.go_back()
    expect(square(page, "a1")).to_have_accessible_name("a1: empty")
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    page.locator('.chip[data-move="2a1"]').click()
    expect(square(page, "a1")).to_have_accessible_name("a1: P2 medium")
    page.reload()
    expect(square(page, "a1")).to_have_accessible_name("a1: P2 medium")
    press(page, "Back")
    expect(page.locator(".branches").get_by_role("button", name="3a1")).to_be_visible()


def test_pieces_are_dragged_in_the_editor(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers-official")
    press(page, "Edit")
    _drag(page, '[data-handle="second:2"]', '[data-square="b2"]')
    expect(square(page, "b2")).to_have_accessible_name("b2: Blue large")
    _drag(page, '[data-square="b2"]', '[data-square="a1"]')
    expect(square(page, "a1")).to_have_accessible_name("a1: Blue large")
    expect(square(page, "b2")).to_have_accessible_name("b2: empty")
    _drag(page, '[data-square="a1"]', '[data-handle="second:0"]')
    expect(square(page, "a1")).to_have_accessible_name("a1: empty")


def test_a_blunder_is_called_what_it_is(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    # Black leaves three in a row alone, with many better moves.
    server.play(game, tokens["first"], "4a1", "4a4", "4b1", "4b4", "4c1", "3d3", "3d1")
    page = visitor().open_game(game, tokens["first"])
    press(page, "Review")
    expect(page.locator(".mistakes")).to_contain_text("3d3 lets the other side win at once")


def test_rules_cite_no_documents_to_people(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/rules/gobblers-official")
    expect(page.locator("main")).to_contain_text("Winning")
    expect(page.locator("main")).not_to_contain_text("Document")


def test_rules_tell_of_no_end_that_cannot_come(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/rules/gobblers")
    expect(page.locator("main")).to_contain_text("A player who cannot move loses.")
    page.goto("/rules/tictactoe")
    expect(page.locator("main")).to_contain_text("A full board without a line is a draw.")
    expect(page.locator("main")).not_to_contain_text("cannot move")


def test_the_summary_tells_everything_that_is_chosen(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    page.locator('input[value="gobblers-official"]').check()
    more_choices(page)
    page.get_by_label("You play").select_option("second")
    summary = page.locator(".summary")
    expect(summary).to_have_text(
        "Gobblet Gobblers, official rules against the computer, Casual (3) · you play Blue · "
        "covered pieces hidden"
    )
    page.locator('input[value="gobblet"]').check()
    page.get_by_role("checkbox", name="A touched piece must be played").uncheck()
    expect(summary).to_have_text(
        "Gobblet against the computer, Nimble · you play Black · covered pieces shown · "
        "touching is free"
    )


def test_the_own_reserve_is_in_sight_on_a_phone_held_sideways(
    visitor: MakeVisitor, server: Server
) -> None:
    for rules in ("gobblers", "gobblet"):
        game, tokens, _ = server.create(rules=rules, seats=HERE)
        page = visitor(viewport=SIDEWAYS).open_game(game, tokens["first"])
        for tray in ("first:0", "second:0"):
            expect(handle(page, tray)).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") <= SIDEWAYS["width"]


def test_so_it_is_beside_lessons_puzzles_and_a_study(visitor: MakeVisitor) -> None:
    page = visitor(viewport=SIDEWAYS).page()
    page.set_viewport_size({"width": 640, "height": 320})
    for address in ("/learn", "/puzzles/gobblers", "/study?rules=gobblet"):
        page.goto(address)
        for tray in ("first:0", "second:0"):
            expect(handle(page, tray)).to_be_in_viewport(ratio=1)


def test_no_text_overflows_on_a_narrow_phone(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, invitations = server.create(rules="gobblet", seats=BY_LINK)
    page = visitor(viewport=NARROW).open_game(game, tokens["first"])
    expect(status(page)).to_have_text("Waiting for your friend")
    too_wide = """[...document.querySelectorAll("button, .item, .panel, .player")]
        .filter(each => each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
        .map(each => each.textContent)"""
    assert page.evaluate(too_wide) == []
    friend = {"invitation": invitations["second"], "name": "W" * 40}
    joined = server.post(f"/games/{game}/join", friend)
    server.play(game, tokens["first"], "4b2")
    server.act(game, joined["tokens"]["second"], "offer-draw")
    expect(page.locator(".news")).to_contain_text("WWW offers a draw.")
    assert page.evaluate(too_wide) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("link", name="Gobblet against WWW").click(trial=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_going_back_leaves_a_dialog(visitor: MakeVisitor) -> None:
    page = visitor(viewport=NARROW).page()
    page.goto("/")
    press(page, "Play")
    page.get_by_role("button", name="Change who plays P2").click()
    expect(page.get_by_role("button", name="Done")).to_be_in_viewport(ratio=0.99)
    page.go_back()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
