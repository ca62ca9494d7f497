"""Hooks of MkDocs: pages made from the code, and checks of the built site (`mkdocs.yml`).

The commands come from click, the requests from the OpenAPI document, the notebooks from `examples/notebooks/`,
and the changes and the guide for contributors from the files at the top of the repository.
"""

import re
import subprocess
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(Path(__file__).parent)]

from commands import commands_in_markdown  # noqa: E402
from copying import with_text_to_copy  # noqa: E402
from http_requests import requests_in_markdown  # noqa: E402
from notebooks import notebook_in_markdown  # noqa: E402

from nestline import __version__  # noqa: E402

COPIES = {
    "CONTRIBUTING.md": "contribute/contributing.md",
    "CHANGELOG.md": "contribute/changes.md",
}
"""Files at the top of the repository, and the pages they are on the site."""

NOTEBOOKS = {
    "examples/notebooks/first_game.py": "tutorials/first-game.md",
    "examples/notebooks/who_wins.py": "tutorials/who-wins.md",
}
"""Notebooks, and the pages they are on the site."""

GENERATED = {"commands": commands_in_markdown, "requests": requests_in_markdown}
"""What replaces the marker `<!-- made from the code: NAME -->` on a page."""

BOOSTS = {
    "index.md": 8,
    "glossary.md": 4,
    "reference/": 0.5,
    "contribute/changes.md": 0.1,
    "contribute/traceability.md": 0.001,
}
"""How much pages, or folders of pages, count in a search; those that answer questions come first."""

FETCHED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?(?:https?:)?//[^>]*>|"
                     r"<link\b(?![^>]*rel=\"?canonical)[^>]*href=\"?(?:https?:)?//[^>]*>")  # fmt: skip
"""Tags with which a page loads something from another host."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.copyright = f"nestline {__version__}, {date_of_the_code()}. MIT licence."
    return config


def date_of_the_code() -> str:
    """The day of the last commit; from a source distribution, the newest day in the changelog."""
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%cs"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        days = re.findall(r"^## .*(\d{4}-\d\d-\d\d)", (ROOT / "CHANGELOG.md").read_text(), re.M)
        return max(days, default="unreleased")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for source, target in COPIES.items():
        text = (ROOT / source).read_text("utf-8").replace("](docs/", "](../")
        for other, page in COPIES.items():
            text = text.replace(f"]({other}", f"]({Path(page).name}")
        files.append(File.generated(config, target, content=text))
    for source, target in NOTEBOOKS.items():
        text = notebook_in_markdown(ROOT / source)
        told = f"This page is a notebook, kept as text in `{source}`.\n"
        files.append(File.generated(config, target, content=f"{text}\n{told}"))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    for start, boost in BOOSTS.items():
        if page.file.src_uri.startswith(start):
            page.meta["search"] = {"boost": boost}
    for source, target in {**COPIES, **NOTEBOOKS}.items():
        up = "../" * page.file.src_uri.count("/")
        markdown = re.sub(rf"\]\({up}\.\./{re.escape(source)}", f"]({up}{target}", markdown)
    markdown = re.sub(r"^```python\n(?=>>> )", "```pycon\n", markdown, flags=re.M)
    markdown = re.sub(r" +# doctest: .*$", "", markdown, flags=re.M)
    return re.sub(r"<!-- made from the code: (\w+) -->", lambda m: GENERATED[m[1]](), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return with_text_to_copy(html)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    fetched = FETCHED.search(output)
    if fetched:
        raise PluginError(f"{page.file.src_uri} loads something from another host: {fetched[0]}")
    return output
