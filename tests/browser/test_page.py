"""The page as a whole: its files, its policy, its accessibility, its logic."""

import subprocess
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from browser.conftest import MakeVisitor
from browser.driver import NODE_FOLDER, ROOT, Server, square, status
from browser.screens import HERE, SCREENS
from nestline.web.pages import page_files

AXE = NODE_FOLDER / "axe-core" / "axe.min.js"
MOST_BYTES = 150_000
# The page is usable without these rules' opinion: they are axe's own advice on larger pages.
NOT_ASKED = ["region"]


def violations(page: Page) -> list[str]:
    """What axe objects to. It is put in by the browser, not by the page's own policy."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("async () => (await axe.run(document)).violations")
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}"
        for each in found
        if each["id"] not in NOT_ASKED
    ]


@pytest.mark.parametrize("name", SCREENS)
def test_no_screen_shuts_anybody_out(name: str, visitor: MakeVisitor, server: Server) -> None:
    """axe finds nothing, in the light and in the dark."""
    each = visitor()
    page = SCREENS[name](each, server)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []


def test_axe_would_notice(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/help")
    page.locator("h1").wait_for()
    page.evaluate("document.querySelector('h1').append(document.createElement('button'))")
    assert any(each.startswith("button-name") for each in violations(page))


def test_the_start_is_small_and_asks_nobody_else(visitor: MakeVisitor, server: Server) -> None:
    each = visitor()
    page = each.page()
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: len(response.body())}))
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert len(sizes) > 10
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_files_are_kept_for_ever_and_the_page_is_not(server: Server) -> None:
    page = httpx.get(server.address)
    assert page.headers["cache-control"] == "no-cache"
    folder, _, files = page_files()
    assert folder in page.text
    again = httpx.get(server.address, headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in files:
        answer = httpx.get(f"{server.address}{folder}{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers.get("content-encoding") == "gzip" or len(answer.content) < 500
    assert httpx.get(f"{server.address}{folder}nothing.js").status_code == 404
    assert httpx.get(f"{server.address}/static/other/main.js").status_code == 404


def test_the_policy_allows_no_foreign_and_no_inline_script(server: Server) -> None:
    policy = httpx.get(server.address).headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    page = httpx.get(server.address).text
    assert "<script>" not in page
    assert "style=" not in page


def test_nothing_names_another_host() -> None:
    folder = ROOT / "src" / "nestline" / "web" / "static"
    for file in folder.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file


def test_every_module_can_be_read_in_one_sitting() -> None:
    for file in (ROOT / "src" / "nestline" / "web" / "static").glob("*.js"):
        text = file.read_text("utf-8")
        assert text.startswith("/**\n * "), file
        assert len(text.splitlines()) < 500, file


@pytest.mark.parametrize("file", sorted((Path(__file__).parent / "units").iterdir()))
def test_the_logic(file: Path) -> None:
    node = ROOT / ".venv" / "bin" / "node"
    run = subprocess.run([node, "--test", file], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout


def test_the_focus_is_never_lost(visitor: MakeVisitor, server: Server) -> None:
    """What was pressed goes away, and the words about the game have the focus."""
    game, tokens, _ = server.create(rules="gobblet", seats=HERE)
    server.play(game, tokens["first"], "4b2")
    server.act(game, tokens["first"], "offer-draw")
    page = visitor().open_game(game, tokens["first"])
    decline = page.get_by_role("button", name="Decline")
    decline.focus()
    page.keyboard.press("Enter")
    expect(decline).to_be_hidden()
    expect(status(page)).to_be_focused()


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
    game, tokens, _ = server.create(rules=name, seats=HERE)
    board = visitor().open_game(game, tokens["first"])
    board.locator('[data-handle="first:1"]').click()
    square(board, "b2").click()
    expect(square(board, "b2")).to_have_accessible_name("b2: P1 large")
