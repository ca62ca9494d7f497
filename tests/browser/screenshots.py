"""Takes a picture of every screen of the page, on a phone and a desktop, light and dark.

`make screenshots` runs it. The pictures go into a folder outside the repository.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Error, sync_playwright

from browser.driver import CHROMIUM, DESKTOP, PHONE, Server, Visitor, launch
from browser.screens import SCREENS


def main() -> None:
    if not CHROMIUM:
        sys.exit("there is no Chromium here; `make browser` tells how to get it")
    chosen = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="nestline-screens-")
    folder = Path(chosen)
    wanted = sys.argv[2:] or list(SCREENS)
    failed: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        server = Server(Path(place), Path.home() / ".cache" / "nestline")
        server.environment.pop("NESTLINE_WEB_TABLES", None)  # the usual ones
        server.start()
        browser = launch(playwright)
        for size, viewport in (("desktop", DESKTOP), ("phone", PHONE)):
            for scheme in ("light", "dark"):
                for name in wanted:
                    visitor = Visitor(browser, server, viewport, scheme)
                    try:
                        page = SCREENS[name](visitor, server)
                        page.wait_for_timeout(150)
                        page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
                        visitor.close()
                    except (AssertionError, Error) as error:
                        failed.append(f"{name}, {size}, {scheme}: {str(error)[:400]}")
                        visitor.context.close()
        browser.close()
        server.stop()
    print(folder)
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
