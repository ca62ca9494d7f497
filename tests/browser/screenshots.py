"""Takes a picture of every screen of the page, light and dark, in the sizes of SIZES.

`make screenshots` runs it; the pictures go into a folder outside the repository. `make pictures`
uses it for the picture in the README: given a file instead of a folder, it takes only one.
"""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, Error, sync_playwright

from browser.driver import (
    CHROMIUM,
    DESKTOP,
    HANDHELD,
    NARROW,
    PHONE,
    SIDEWAYS,
    Server,
    Visitor,
    launch,
)
from browser.screens import SCREENS

QUALITY = 88
SIZES = {"desktop": DESKTOP, "phone": PHONE, "sideways": SIDEWAYS, "narrow": NARROW}


@contextmanager
def running() -> Iterator[tuple[Browser, Server]]:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        server = Server(Path(place), Path.home() / ".cache" / "nestline")
        server.environment.pop("NESTLINE_WEB_TABLES", None)  # the usual ones
        server.start()
        browser = launch(playwright)
        yield browser, server
        browser.close()
        server.stop()


def take(
    browser: Browser,
    server: Server,
    name: str,
    path: Path,
    viewport: Mapping[str, int],
    scheme: str,
) -> None:
    visitor = Visitor(browser, server, viewport, scheme)
    try:
        page = SCREENS[name](visitor, server)
        page.wait_for_timeout(150)
        # Elements fixed to the window would hide what lies below them.
        fixed = page.locator("dialog, .go, .connection:not([hidden])").count()
        quality = QUALITY if path.suffix == ".jpg" else None
        page.screenshot(path=path, full_page=viewport in HANDHELD and not fixed, quality=quality)
        visitor.close()
    finally:
        visitor.context.close()


def main() -> None:
    if not CHROMIUM:
        sys.exit("there is no Chromium here; `make browser` tells how to get it")
    chosen, *wanted = sys.argv[1:] or [tempfile.mkdtemp(prefix="nestline-screens-")]
    place = Path(chosen)
    failed: list[str] = []
    with running() as (browser, server):
        if place.suffix:
            take(browser, server, wanted[0], place, DESKTOP, "light")
            return
        place.mkdir(parents=True, exist_ok=True)
        for size, viewport in SIZES.items():
            for scheme in ("light", "dark"):
                for name in wanted or SCREENS:
                    path = place / f"{name}-{size}-{scheme}.png"
                    try:
                        take(browser, server, name, path, viewport, scheme)
                    except (AssertionError, Error) as error:
                        failed.append(f"{name}, {size}, {scheme}: {str(error)[:400]}")
    print(place)
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
