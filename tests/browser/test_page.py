"""The page as a whole: files, content security policy, accessibility, logic."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

from browser.conftest import MakeVisitor
from browser.driver import (
    NARROW,
    NODE_FOLDER,
    ROOT,
    SIDEWAYS,
    Server,
    let_play,
    square,
    status,
    wait_until,
)
from browser.screens import HERE, OPEN, SCREENS, SHORT_GAME
from nestline.web.http.pages import page_files

AXE = NODE_FOLDER / "axe-core" / "axe.min.js"
MOST_BYTES = 250_000
LONGEST_LINE = 120
COLOURS = ["color-contrast", "link-in-text-block"]
KEEPING_WORKERS = """
  window.workers = [];
  window.Worker = class extends Worker {
    constructor(...options) {
      super(...options);
      window.workers.push(this);
      if (window.isStill) this.terminate();
    }
  };
"""


def violations(page: Page, *rules: str, ground: str = "--ground") -> list[str]:
    """What axe objects to, by all its rules or some. The browser injects it, bypassing the policy.

    axe does not judge text on a gradient, so it gets the end with the worse contrast.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    page.evaluate("ground => document.body.style.background = `var(${ground})`", ground)
    # axe describes at length all that it finds in order, unless told not to.
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = page.evaluate("async options => (await axe.run(document, options)).violations", options)
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found]


@pytest.mark.parametrize("name", SCREENS)
def test_no_screen_shuts_anybody_out(name: str, visitor: MakeVisitor, server: Server) -> None:
    """axe finds nothing, in the light theme or the dark one, and a phone shows the whole width."""
    each = visitor()
    each.run_first(KEEPING_WORKERS)
    page = SCREENS[name](each, server)
    # What is on the screen stays; the engine would think about a studied position for 20 seconds,
    # in another worker if one is lost.
    page.evaluate("isStill = true; for (const worker of workers) worker.terminate()")
    assert violations(page) == []
    # The dark theme differs only in colours.
    page.emulate_media(color_scheme="dark")
    assert violations(page, *COLOURS, ground="--ground-glow") == []
    for phone in (NARROW, SIDEWAYS):
        page.set_viewport_size({"width": phone["width"], "height": phone["height"]})
        # A stack that is shown is put away a frame later.
        wait_until(page, f"async () => document.documentElement.scrollWidth <= {phone['width']}")


def test_axe_would_notice(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/help")
    page.locator("h1").wait_for()
    page.evaluate("document.querySelector('h1').append(document.createElement('button'))")
    assert any(each.startswith("button-name") for each in violations(page))
    page.evaluate("document.querySelector('.lead, p').style.color = 'rgb(200, 190, 180)'")
    assert any(each.startswith("color-contrast") for each in violations(page, *COLOURS))


def test_the_start_is_small_and_asks_nobody_else(visitor: MakeVisitor, server: Server) -> None:
    each = visitor(fresh=True)
    page = each.page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    sizes = {answer.url: len(answer.body()) for answer in answers}
    assert len(sizes) > 10
    # Everything is preloaded, and nothing that is only needed later.
    preloaded = page.locator("link[rel=modulepreload]")
    links = preloaded.evaluate_all("links => links.map(link => link.href)")
    assert sorted(links) == sorted(url for url in sizes if url.endswith(".js"))
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_files_are_kept_for_ever_and_the_page_is_not(server: Server) -> None:
    page = server.client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    folder, _, files = page_files()
    assert folder in page.text
    again = server.client.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in files:
        answer = server.client.get(f"{folder}{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers.get("content-encoding") == "gzip" or len(answer.content) < 500
    assert server.client.get(f"{folder}nothing.js").status_code == 404
    assert server.client.get("/static/other/main.js").status_code == 404


def test_the_policy_allows_no_foreign_and_no_inline_script(server: Server) -> None:
    policy = server.client.get("/").headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert policy.count("unsafe") == 1
    page = server.client.get("/").text
    assert "<script>" not in page
    assert "style=" not in page


def test_nothing_names_another_host() -> None:
    folder = ROOT / "src" / "nestline" / "web" / "static"
    for file in folder.rglob("*.*"):
        if "fzstd" in file.parts:  # As its author wrote it; a comment says where more can be read.
            continue
        content = file.read_bytes().replace(b"http://www.w3.org/2000/svg", b"")
        assert b"http://" not in content, file
        assert b"https://" not in content, file


def test_every_file_can_be_read_in_one_sitting() -> None:
    folder = ROOT / "src" / "nestline" / "web" / "static"
    for file in (*folder.rglob("*.js"), *folder.rglob("*.css"), *folder.rglob("*.html")):
        if "fzstd" in file.parts:
            continue
        text = file.read_text("utf-8")
        assert text.startswith(("/**\n * ", "/* ", "<!doctype")), file
        if "Written by `make generate`" not in text:
            assert len(text.splitlines()) < 500, file
            assert max(map(len, text.splitlines())) <= LONGEST_LINE, file


@pytest.mark.parametrize("file", sorted((Path(__file__).parent / "units").iterdir()))
def test_the_logic(file: Path) -> None:
    node = ROOT / ".venv" / "bin" / "node"
    run = subprocess.run([node, "--test", file], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout


def test_the_focus_is_never_lost(visitor: MakeVisitor, server: Server) -> None:
    """When the pressed button disappears, the focus goes to the text about the game."""
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2")
    server.act(game, tokens["first"], "offer-draw")
    page = visitor().open_game(game, tokens["first"])
    decline = page.get_by_role("button", name="Decline")
    decline.focus()
    page.keyboard.press("Enter")
    expect(decline).to_be_hidden()
    expect(status(page)).to_be_focused()


def test_the_focus_follows_a_studied_move(visitor: MakeVisitor) -> None:
    """The pressed move has left the list; the focus goes to its value."""
    page = visitor().page()
    page.goto("/study?rules=gobblers")
    page.locator('.chip[data-move="3b2"]').press("Enter")
    expect(page.locator(".value")).to_have_text("P1 wins in 12 moves.")
    expect(page.locator(".value")).to_be_focused()


def test_the_focus_stays_in_the_moves_while_they_are_judged(
    visitor: MakeVisitor, server: Server
) -> None:
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    page = visitor().open_game(game, tokens["first"])
    move = page.locator('.move[data-ply="3"]')
    move.focus()
    page.evaluate("document.querySelector('[data-name=review]').click()")
    expect(move.locator(".sign")).to_have_text("??")
    expect(move).to_be_focused()


def test_the_focus_outlives_the_list_of_players(visitor: MakeVisitor, server: Server) -> None:
    """When the game ends, the list of players disappears."""
    game, tokens, _ = server.create(rules="tictactoe", seats=HERE)
    page = visitor().open_game(game, tokens["first"])
    # A person who plays the computer has X. The dialog gives the focus back to its button.
    let_play(page, "O", "random")
    expect(page.get_by_role("button", name="Change who plays O")).to_be_focused()
    let_play(page, "X", "random")
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    expect(status(page)).to_be_focused()


@pytest.mark.parametrize("size", [(844, 390), (1024, 600), (320, 640)], ids=str)
def test_screens_of_all_shapes_have_room(
    size: tuple[int, int], visitor: MakeVisitor, server: Server
) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]}).page()
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("nest-board [role=grid]").wait_for()
    board = page.locator("nest-board").bounding_box()
    assert board
    assert board["width"] > 220
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


HIDDEN = """() => {
  const focused = document.activeElement;
  const box = (focused.closest("label") ?? focused).getBoundingClientRect();
  const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isSeen = seen && (focused.contains(seen) || seen.closest("label")?.contains(focused));
  return isSeen ? null : focused.outerHTML.slice(0, 100);
}"""


@pytest.mark.parametrize("viewport", [NARROW, SIDEWAYS], ids=["narrow", "sideways"])
def test_the_play_button_hides_nothing_on_a_phone(
    viewport: dict[str, int], visitor: MakeVisitor
) -> None:
    """Neither what has the focus nor, at the end of the page, the links below."""
    page = visitor(viewport=viewport).page()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).wait_for()
    for _ in range(5):  # the links at the top, and the first tiles
        page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.closest('.start')"):
        assert page.evaluate(HIDDEN) is None
        page.keyboard.press("Tab")
    page.mouse.wheel(0, 5000)
    page.get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", name="Help", exact=True)).to_be_visible()


def test_an_address_that_does_not_exist_is_told_on_the_page(
    visitor: MakeVisitor, server: Server
) -> None:
    lost = visitor()
    lost.expected = ("404",)
    page = lost.page()
    answer = page.goto("/no/such/place")
    assert answer
    assert answer.status == 404
    expect(page.get_by_text("There is nothing at this address.")).to_be_visible()
    page.get_by_role("link", name="Play a game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert server.client.get("/no/such/place").json()["error"]["code"] == "not-found"


def test_a_newer_server_does_no_harm(visitor: MakeVisitor) -> None:
    """The files of the version open in the browser are gone; it loads the new page."""
    old = visitor()
    old.expected = ("404",)
    page = old.page()
    gone: list[str] = []

    def answer(route: Route) -> None:
        if gone:
            route.continue_()
        else:
            gone.append(route.request.url)
            route.fulfill(status=404)

    page.route("**/help.js", answer)
    page.goto("/")
    page.get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", name="Help")).to_be_visible()
    assert len(gone) == 1


def test_dark_is_dark_and_can_be_chosen(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Dark").check()
    assert page.evaluate(ground) != light
    page.reload()
    assert page.evaluate(ground) != light


def test_rules_are_explained_from_the_data(visitor: MakeVisitor, server: Server) -> None:
    toml = 'like = "gobblers"\ntitle = "Crowded"\nstock = [1, 4]\ndraw_board_full = true\n'
    name = server.post("/rules", {"toml": toml})["name"]
    page = visitor().page()
    page.goto(f"/rules/{name}")
    expect(page.get_by_role("heading", name="Crowded")).to_be_visible()
    expect(page.get_by_text("1 small and 4 large pieces")).to_be_visible()
    expect(page.get_by_text("A full board without a line is a draw.")).to_be_visible()
    page.locator("main").get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("radio", name="Crowded")).to_be_checked()
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator('[data-handle="first:1"]').click()
    square(page, "b2").click()
    expect(square(page, "b2")).to_have_accessible_name("b2: P1 large")
