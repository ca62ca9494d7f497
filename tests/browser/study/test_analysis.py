"""The page's analysis says what the server's study and review say, field by field."""

import re
from typing import Any

from playwright.sync_api import Page, Route, expect

from browser.conftest import MakeVisitor
from browser.driver import Server
from browser.screens import HERE, OPEN, SHORT_GAME
from nestline.position import Position

TRIED = [
    ("gobblers", "start", []),
    ("gobblers", "start", ["3b2", "3a1", "2c3"]),
    ("gobblers-official", "start", list(SHORT_GAME)),
    ("gobblers-official", "x3/x,b1w3,x/w2,x2 b", []),
    ("tictactoe", "start", ["b2", "a1"]),
    ("gobblers", "start", ["3a1", "3c3", "a1b1", "c3c2", "b1a1", "c2c3", "a1b1", "c3c2", "b1a1"]),
]
ANALYSE = """async ([module, name, start, moves]) => {
  const { analyse, lookAt } = await import(module);
  const rules = await (await fetch(`/api/v1/rules/${name}`)).json();
  const line = { start, moves };
  return [await lookAt(rules, line), await analyse(rules, line, { variations: 3 })];
}"""
REVIEW = """async ([module, name, moves]) => {
  const { reviewGame } = await import(module);
  const rules = await (await fetch(`/api/v1/rules/${name}`)).json();
  return reviewGame(rules, { start: "start", moves });
}"""


def module_of(page: Page, name: str) -> str:
    folder = str(page.locator("script[type=module]").first.get_attribute("src"))
    return folder.replace("main.js", name)


def without(message: Any, *names: str) -> Any:
    return {name: value for name, value in message.items() if name not in names}


def test_a_study_is_the_servers(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    page.goto("/about")
    module = module_of(page, "analysis/analyse.js")
    for name, start, moves in TRIED:
        looked, found = page.evaluate(ANALYSE, [module, name, start, moves])
        query = {"position": start, "moves": " ".join(moves), "variations": 3}
        told = server.ask("GET", f"/api/v1/positions/{name}", params=query).json()
        assert without(found, "moves") == without(told, "moves")
        unknown = dict.fromkeys(("value", "distance", "score", "chance", "words"))
        bare = [move | unknown | {"line": [move["move"]]} for move in told["moves"]]
        by_move = sorted((without(move, "alike") for move in looked["moves"]), key=str)
        assert by_move == sorted(bare, key=str)
        # Each of the server's moves is there, or one that leads to its mirror image.
        groups = {move["move"]: {move["move"], *move["alike"]} for move in found["moves"]}
        assert sorted(each for group in groups.values() for each in group) == sorted(
            move["move"] for move in told["moves"]
        )
        theirs = {move["move"]: move for move in told["moves"]}
        for move in found["moves"]:
            same = without(theirs[move["move"]], "line")
            assert without(move, "alike", "line") == same
            # The server may have worked out the line of a mirror image instead, or none: its three
            # lines can be images of each other, which the page counts once.
            longest = max(len(theirs[each]["line"]) for each in groups[move["move"]])
            assert longest in (1, len(move["line"]))
            assert {theirs[each]["value"] for each in groups[move["move"]]} == {move["value"]}
            images = {Position(theirs[each]["after"], name) for each in groups[move["move"]]}
            assert len({image.canonical() for image in images}) == 1


def test_a_study_asks_for_little_of_the_table(visitor: MakeVisitor) -> None:
    """Its best lines need hundreds of blocks: they come with the whole file, in one answer."""
    page = visitor(fresh=True).page()
    asked: list[str | None] = []
    page.context.on(
        "request",
        lambda request: "/tables/" in request.url and asked.append(request.headers.get("range")),
    )
    page.goto("/study?rules=gobblers-official&moves=3b2+3b1")
    expect(page.locator(".study .remark")).to_contain_text("Exact")
    expect(page.locator(".chip[title]")).to_have_count(12)
    assert asked.count(None) == 1
    # The header, and a block for each move that is not the image of another one.
    assert len(asked) <= 2 + page.locator(".study .chip").count()
    at_first = len(asked)
    page.locator(".study .chip").first.click()
    expect(page.locator("nest-moves [aria-current]")).to_have_attribute("data-ply", "3")
    expect(page.locator(".study .remark")).to_contain_text("Exact")
    assert len(asked) == at_first


def test_a_review_is_the_servers(visitor: MakeVisitor, server: Server) -> None:
    page = visitor().page()
    page.goto("/about")
    game, tokens, _ = server.create(**OPEN, seats=HERE)
    server.play(game, tokens["first"], *SHORT_GAME)
    record = server.ask("GET", f"/api/v1/games/{game}/record").text
    module = module_of(page, "analysis/review.js")
    found = page.evaluate(REVIEW, [module, OPEN["rules"], list(SHORT_GAME)])
    told = server.post("/reviews", {"record": record})
    assert without(found, "moves", "remark") == without(told, "moves")
    for own, theirs in zip(found["moves"], told["moves"], strict=True):
        assert set(own.pop("best")) == set(theirs.pop("best"))
        assert len(own.pop("best_line")) == len(theirs.pop("best_line"))
        assert own == theirs


def test_what_its_worker_cannot_load_the_page_loads(visitor: MakeVisitor) -> None:
    """In Firefox, a worker without a network cannot reach the service worker, but its page can."""
    someone = visitor(fresh=True)
    someone.expected = ("Failed to load resource",)
    page = someone.page()
    page.goto("/about")
    module = module_of(page, "analysis/review.js")
    refused: set[str] = set()

    def refuse_once(route: Route) -> None:
        wanted = route.request.url + route.request.headers.get("range", "")
        if wanted in refused:
            route.continue_()
        else:
            refused.add(wanted)
            route.abort()

    page.route(re.compile("tables/|weights/"), refuse_once)
    found = page.evaluate(REVIEW, [module, "gobblers", list(SHORT_GAME)])
    assert found["exact"]
    assert found["remark"] is None
    assert {"table", "bin"} == {url.split("bytes=")[0].split(".")[-1] for url in refused}
    page.reload()
    page.route("**/tables/**", lambda route: route.abort())
    found = page.evaluate(REVIEW, [module, "gobblers", list(SHORT_GAME[:1])])
    assert not found["exact"]
    assert found["remark"] == "The tablebase cannot be loaded: there is no connection."


def test_the_engine_judges_where_there_is_no_table(visitor: MakeVisitor) -> None:
    page = visitor().page()
    page.goto("/about")
    module = module_of(page, "analysis/analyse.js")
    _, found = page.evaluate(ANALYSE, [module, "gobblet", "start", ["4a1"]])
    assert not found["exact"]
    assert found["depth"] >= 1
    assert all(move["score"] is not None or move["value"] for move in found["moves"])
    scores = [move["score"] for move in found["moves"]]
    assert scores == sorted(scores, reverse=True)
    module = module_of(page, "analysis/review.js")
    reviewed = page.evaluate(REVIEW, [module, "gobblet", ["4a1", "4b2", "3a1"][:2]])
    assert [move["mark"] for move in reviewed["moves"]] == ["", ""]
    assert not reviewed["exact"]
