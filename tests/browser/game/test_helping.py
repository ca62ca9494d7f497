"""What the page tells people while they play and study: hints, values on the board, stacks."""

import re

from playwright.sync_api import expect

from browser.conftest import MakeVisitor
from browser.driver import DESKTOP, PHONE, Server, handle, press, square, status
from browser.screens import HERE, MIDDLE, OPEN, STACKS

HINT = ".item.hint"


def test_a_hint_comes_step_by_step(visitor: MakeVisitor, server: Server) -> None:
    """By keys alone: the piece, the square, why; the move ends it."""
    game, tokens, _ = server.create(**OPEN, seats=HERE, position="w3,x,w2/x2,b1/b2,b3,x w")
    page = visitor().open_game(game, tokens["first"])
    button = page.locator('[data-name="hint"]')
    button.press("Enter")
    expect(page.locator(HINT)).to_have_text(re.compile(r"^Look at .* piece"))
    expect(page.locator("svg .hint .arrow")).to_have_count(0)
    expect(button).to_have_text("Where to?")
    button.press("Enter")
    expect(page.locator(HINT)).to_have_text(re.compile(r"^Play .* to b3\.$"))
    expect(page.locator("svg .hint .arrow")).to_have_count(1)
    button.press("Enter")
    expect(page.locator(HINT)).to_contain_text("It completes a3-b3-c3 and wins.")
    expect(button).to_have_attribute("aria-disabled", "true")
    handle(page, "first:1").click()
    square(page, "b3").click()
    expect(status(page)).to_have_text("Red wins!")
    expect(page.locator(HINT)).to_have_count(0)


def test_a_hint_says_what_a_move_stops_and_keeps(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(rules="tictactoe", seats=HERE)
    server.play(game, tokens["first"], "b2", "a1", "c1")
    page = visitor().open_game(game, tokens["first"])
    press(page, "Hint")
    # All marks are alike, so the square comes first.
    expect(page.locator(HINT)).to_have_text("Play a piece from your reserve to a3.")
    press(page, "Why?")
    expect(page.locator(HINT)).to_contain_text("It stops c1-b2-a3.")
    expect(page.locator(HINT)).to_contain_text("It is the only move that keeps the draw.")


def test_a_hint_needs_no_server(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    press(page, "Play")
    page.locator("nest-board [role=grid]").wait_for()
    page.route("**/api/**", lambda route: route.abort())
    for label in ("Hint", "Where to?", "Why?"):
        press(page, label)
    expect(page.locator(HINT)).to_have_text(
        re.compile("to [a-d][1-4]. It wins by force in [0-9]+ moves")
    )


def test_a_hint_tells_no_secret(visitor: MakeVisitor, server: Server) -> None:
    """The two games look alike; only what is covered differs."""
    said = []
    for moves in (("1a1", "3a1", "2b1", "3b1"), ("2a1", "3a1", "1b1", "3b1")):
        game, tokens, _ = server.create(rules="gobblers-official", visibility="memory", seats=HERE)
        server.play(game, tokens["first"], *moves)
        ann = visitor()
        page = ann.open_game(game, tokens["first"])
        press(page, "Hint", "Where to?", "Why?")
        said.append(page.locator(HINT).inner_text())
        # The engine is not even loaded.
        assert not [url for url in ann.requests if "/worker.js" in url or ".table" in url]
    assert said == ["Play a large piece from your reserve to c1. It stops a1-b1-c1."] * 2
    # While nothing is covered there is no secret to tell.
    game, tokens, _ = server.create(rules="gobblers-official", visibility="memory", seats=HERE)
    server.play(game, tokens["first"], "3b2", "3a1")
    page = visitor().open_game(game, tokens["first"])
    press(page, "Hint", "Where to?", "Why?")
    expect(page.locator(HINT)).to_contain_text("It wins by force in 11 moves, counting both sides.")


def test_values_are_on_the_board(visitor: MakeVisitor) -> None:
    page = visitor(viewport=DESKTOP).page()
    page.goto(f"/study?rules=gobblers-official&moves={'+'.join(MIDDLE)}")
    best = page.locator("svg .best.worth")
    expect(best).to_have_count(4)
    expect(page.locator("svg .best.win .worth-sign")).to_have_text(["7", "7"])
    expect(square(page, "a2")).to_have_accessible_name(
        "a2: Red large, on Blue medium, at best loses in 1"
    )
    square(page, "c3").hover()
    expect(page.locator("svg .target.worth")).to_have_count(5)
    expect(page.locator("svg .tint.win")).to_have_count(1)
    expect(page.locator("svg .tint.loss")).to_have_count(4)
    page.mouse.move(5, 5)
    expect(page.locator("svg .tint")).to_have_count(0)
    # The same by keys, and said to whoever cannot see it.
    square(page, "b2").focus()
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.locator("svg .tint")).to_have_count(5)
    page.keyboard.press("Enter")
    expect(square(page, "c2")).to_have_accessible_name("c2: Blue medium, on Red small, wins in 7")


def test_a_stack_shows_what_is_inside(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE, position=STACKS)
    page = visitor().open_game(game, tokens["first"])
    inside = page.locator(".inside")
    square(page, "b2").hover()
    expect(inside).to_have_text("Red largeBlue small")
    page.mouse.move(5, 5)
    expect(inside).to_be_hidden()
    square(page, "a1").hover()
    page.wait_for_timeout(600)
    expect(inside).to_be_hidden()


def test_a_long_press_is_no_move(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE, position=STACKS)
    page = visitor(viewport=PHONE).open_game(game, tokens["first"])
    box = square(page, "b2").bounding_box()
    assert box
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator(".inside")).to_be_visible()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator(".inside")).to_be_hidden()
    expect(square(page, "b2")).to_have_attribute("aria-selected", "false")
