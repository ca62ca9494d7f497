"""Study: values, previews, branches, the editor, the review."""

from playwright.sync_api import Route, expect

from browser.conftest import MakeVisitor
from browser.driver import DESKTOP, NARROW, Server, press, square, status
from browser.screens import HERE, OPEN, SHORT_GAME
from nestline.position import Position


def test_a_solved_position_is_told_exactly(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers")
    expect(page.locator(".value")).to_have_text("P1 wins in 13 moves.")
    expect(page.locator(".study .remark")).to_contain_text("Exact: this game is solved.")
    study = server.get("/positions/gobblers")
    for value in ("win", "draw", "loss"):
        moves = [move for move in study["moves"] if move["value"] == value]
        kinds = {Position(move["after"], "gobblers").canonical() for move in moves}
        expect(page.locator(f".group.{value} .chip")).to_have_count(len(kinds))
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "P1 wins in 13 moves.")
    expect(page.locator(".arrow")).to_have_count(3)


def test_a_move_is_previewed_and_played(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers")
    chip = page.locator('.chip[data-move="3b2"]')
    chip.hover()
    expect(page.locator(".ghost")).to_be_attached()
    expect(square(page, "b2")).to_have_accessible_name("b2: empty")
    chip.click()
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
    expect(status(page)).to_have_text("P2 is to move.")
    assert "moves=3b2" in page.url


def test_the_engine_is_heard_while_it_thinks(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblet")
    expect(page.locator(".study .remark")).to_contain_text("Engine, depth")
    expect(page.locator(".group.open .chip span").first).not_to_be_empty()
    before = page.locator(".study .remark").inner_text()
    expect(page.locator(".study .remark")).not_to_have_text(before)


def test_while_a_game_is_being_solved_its_study_says_so(visitor: MakeVisitor) -> None:
    page = visitor().page()
    remark = "The tablebase for perfect play is being built, 42%; the search plays until then."
    table = {"state": "building", "part": 0.42, "remark": remark}

    def answer(route: Route) -> None:
        told = route.fetch().json()
        if "tables" in told:
            told["tables"]["gobblers"] = table
        else:
            told["table"] = table
        route.fulfill(json=told)

    for path in ("rules/gobblers", "status"):
        page.route(f"**/api/v1/{path}", answer)
    page.route("**/tables/**", lambda route: route.fulfill(status=503))
    page.goto("/study?rules=gobblers")
    expect(page.locator(".study .remark")).to_contain_text(
        "The server is solving this game (42 %); then the values are exact."
    )


def test_a_game_can_be_studied_while_it_is_played(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    press(page, "Study")
    expect(page.locator(".value")).to_contain_text("Red wins in")
    page.locator(".group.win .chip").first.click()
    expect(page.locator('[data-ply="1"]')).to_be_visible()
    expect(page.locator(".value")).not_to_contain_text("Thinking")
    expect(page.locator(".value")).to_contain_text("in")


def test_branches_are_kept(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers&moves=3b2+3a1")
    expect(page.locator('[data-ply="2"]')).to_have_text("3a1")
    press(page, "Back")
    field = page.get_by_label("Type a move")
    field.fill("M c3")
    field.press("Enter")
    expect(page.locator('[data-ply="2"]')).to_contain_text("2c3")
    press(page, "Back")
    page.locator(".branches").get_by_role("button", name="3a1").click()
    expect(page.locator('[data-ply="2"]')).to_contain_text("3a1")
    expect(square(page, "a1")).to_have_accessible_name("a1: P2 large")


def test_a_position_is_edited(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers-official")
    press(page, "Edit")
    page.get_by_label("Blue small", exact=True).check()
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_accessible_name("b2: Blue small")
    page.get_by_label("Red large", exact=True).check()
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large, on Blue small")
    square(page, "b2").click()  # a large piece does not go on a large one
    expect(page.locator(".editor .problem")).not_to_be_empty()
    page.get_by_label("Take away").check()
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_accessible_name("b2: Blue small")
    page.get_by_role("radio", name="Blue", exact=True).check()
    expect(page.get_by_label("Position as text")).to_have_value("x3/x,b1,x/x3 b")
    press(page, "Study this position")
    expect(status(page)).to_have_text("Blue is to move.")
    expect(page.locator(".value")).to_contain_text("in")


def test_what_cannot_be_read_is_explained_and_no_error(visitor: MakeVisitor) -> None:
    """Any line in the console fails a visit, and browsers log one for a refused request."""
    page = visitor().page()
    page.goto("/study?rules=gobblers-official&position=nonsense")
    expect(page.locator("main")).to_contain_text("'nonsense' is not a position")
    page.goto("/study?rules=gobblers-official&moves=3b2+3b2")
    expect(page.locator(".notice")).to_contain_text("Move 2")
    expect(page.locator('[data-ply="1"]')).to_have_text("3b2")
    field = page.get_by_label("Type a move")
    field.fill("z9")
    field.press("Enter")
    expect(page.locator(".typed .problem")).not_to_be_empty()
    press(page, "Edit")
    field = page.get_by_label("Position as text")
    field.fill("x3")
    field.press("Enter")
    expect(page.locator(".editor .problem")).to_contain_text("'x3' is not a position")
    press(page, "Paste")
    for text in ("rubbish", "[Rules"):
        page.get_by_label("Position or record").fill(text)
        press(page, "Open")
        expect(page.locator("dialog .problem")).not_to_be_empty()


def test_study_goes_over_into_a_game(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblers-official&moves=3b2")
    expect(status(page)).to_have_text("Blue is to move.")
    press(page, "Play on")
    page.get_by_role("dialog").get_by_label("Against").select_option("random")
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_have_text("Your turn")
    expect(square(page, "b2")).to_have_accessible_name("b2: Red large")


def test_the_review_finds_the_mistakes(visitor: MakeVisitor, server: Server) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page = visitor().open_game(game, tokens["first"])
    press(page, "Review")
    expect(page.locator(".review .remark")).to_contain_text("Exact")
    record = server.get(f"/games/{game}")
    review = server.post("/reviews", {"record": _record(server, game)})
    thrown = [move for move in review["moves"] if move["thrown_away"] in ("win", "draw")]
    assert thrown
    expect(page.locator(".point.weight-2")).to_have_count(len(thrown))
    expect(page.locator(".moves .sign", has_text="?").first).to_be_visible()
    number = review["moves"].index(thrown[0]) + 1
    page.locator(f'.point[data-ply="{number}"]').click()
    expect(status(page)).to_have_text(f"After {number} of {record['ply']} moves")
    press(page, "What should I have played?")
    # Arrows that would overlap are left out.
    expect(page.locator(".arrow").first).to_be_attached()
    assert page.locator(".arrow").count() <= min(3, len(thrown[0]["best"]))
    expect(page.locator(".moves [aria-current]")).to_have_attribute("data-ply", str(number - 1))


def _record(server: Server, game: str) -> str:
    return server.ask("GET", f"/api/v1/games/{game}/record").text


def test_openings_are_explored(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/study?rules=gobblet")
    rows = page.locator(".openings tbody tr")
    expect(rows).to_have_count(3)
    expect(page.locator(".openings .remark")).to_contain_text("games of the engine")
    page.goto("/study?rules=gobblet&moves=4a1")
    expect(rows).to_have_count(9)
    values = rows.locator("td").all_inner_texts()
    page.set_viewport_size({"width": NARROW["width"], "height": NARROW["height"]})
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    lines = "row => row.clientHeight / parseFloat(getComputedStyle(row.lastChild).lineHeight)"
    assert all(row.evaluate(lines) < 2 for row in rows.all())
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    page.goto("/study?rules=gobblet&moves=4d4")
    expect(rows.locator('[data-move="4a1"]')).to_be_visible()
    assert rows.locator("td").all_inner_texts() == values
    reply = rows.locator('[data-move="4a1"]')
    reply.hover()
    expect(page.locator(".ghost")).to_be_attached()
    reply.click()
    expect(square(page, "a1")).to_have_accessible_name("a1: Black large")
    expect(page.locator(".openings")).to_be_hidden()
    page.goto("/study?rules=gobblers")
    expect(page.locator(".value")).to_be_visible()
    expect(page.locator(".openings")).to_be_hidden()
