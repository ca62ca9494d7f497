"""Servers and browsers for the tests of the page, which are skipped without Chromium."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.driver import CHROMIUM, ONE_PROCESS, Server, Visitor, launch

MakeVisitor = Callable[..., Visitor]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM:
        return
    skip = pytest.mark.skip(reason="there is no Chromium here; `make browser` tells how to get it")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, standard_tables: Path) -> Iterator[Server]:
    """One server for all tests of a worker that leave it intact."""
    running = Server(tmp_path_factory.mktemp("server"), standard_tables)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after these tests: Playwright's running event loop would break others."""
    with sync_playwright() as playwright:
        running = launch(playwright, ONE_PROCESS)
        yield running
        running.close()


@pytest.fixture(scope="package")
def crowd(browser: Browser) -> dict[str, list[Visitor]]:
    """Visitors of earlier tests, who have forgotten everything, by how they were made."""
    return defaultdict(list)


@pytest.fixture
def visitor(
    browser: Browser, server: Server, crowd: dict[str, list[Visitor]]
) -> Iterator[MakeVisitor]:
    """Makes visitors; at the end, none may have seen an error or a request to another host.

    A `fresh` one has a context of its own, for tests that change it.
    """
    made: list[tuple[Visitor, list[Visitor] | None]] = []

    def make(*, fresh: bool = False, **options: Any) -> Visitor:
        is_usual = not fresh and "server" not in options
        others = crowd[repr(options)] if is_usual else None
        each = (
            others.pop() if others else Visitor(browser, options.pop("server", server), **options)
        )
        made.append((each, others))
        return each

    yield make
    for each, others in made:
        if others is None:
            each.close()
        else:
            each.leave()
            others.append(each)
