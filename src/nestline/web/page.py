"""The page: one HTML file, and the files it loads, without what only people read.

`http.pages` serves it, and `site` writes it for other hosts.
"""

import csv
import hashlib
import io
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

FOLDER = "/static/"
"""Where the HTML says that its files are."""

FIRST_MODULE = "main.js"
ATLAS = "atlas.csv"
UNSHOWN = "won", "drawn", "lost"
"""Columns of the atlas that the page does not show, and that are half of its bytes."""
_INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
_FOR_DEVELOPMENT = ".d.ts"
_COMMENTS = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
"""Those on lines of their own, which are nearly all: a quarter of what browsers would load."""


@dataclass(frozen=True)
class Page:
    """The page's sources: the HTML, and the content of its files by their relative paths."""

    source: str
    files: Mapping[str, bytes]

    @property
    def version(self) -> str:
        """A hash of everything."""
        content = (*self.files.values(), self.source.encode())
        return hashlib.sha256(b"".join(content)).hexdigest()[:12]

    def html(self, folder: str) -> str:
        """The HTML for files in this folder. All modules of the start are preloaded, since a
        browser alone finds them level by level."""
        links = [
            f'<link rel="modulepreload" href="{FOLDER}{name}" />'
            for name in _imported(self.files, [FIRST_MODULE])
        ]
        page = self.source.replace("</head>", "\n".join([*links, "</head>"]))
        return page.replace(FOLDER, folder)


def read_page() -> Page:
    """The page of this package."""
    found = dict(sorted(_files_below(resources.files("nestline.web") / "static")))
    # The solved games, which the workshop looks rules up in.
    found[ATLAS] = _shown_columns((resources.files("nestline.atlas") / ATLAS).read_text("utf-8"))
    return Page(found.pop("index.html").decode(), found)


def without_comments(source: bytes) -> bytes:
    """JavaScript or CSS as browsers need it; its names and lines stay readable in errors."""
    return _INDENTATION.sub(b"", _COMMENTS.sub(b"", source))


def _shown_columns(table: str) -> bytes:
    rows = csv.DictReader(io.StringIO(table))
    names = [name for name in rows.fieldnames or () if name not in UNSHOWN]
    shown = io.StringIO()
    writer = csv.DictWriter(shown, names, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return shown.getvalue().encode()


def _imported(files: Mapping[str, bytes], names: list[str]) -> list[str]:
    """Modules and all their imports."""
    for name in names:  # which grows meanwhile
        found = _modules(posixpath.dirname(name), files[name])
        names += [each for each in found if each not in names]
    return names


def _modules(folder: str, content: bytes) -> list[str]:
    found = re.findall(r'^import\b[^;]*from "(\.[\w./]+\.js)";$', content.decode(), re.MULTILINE)
    return list(dict.fromkeys(posixpath.normpath(posixpath.join(folder, each)) for each in found))


def _files_below(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """Every file in a folder and its subfolders: its relative path and its content."""
    for item in folder.iterdir():
        if item.is_dir():
            yield from _files_below(item, f"{prefix}{item.name}/")
        elif not item.name.endswith(_FOR_DEVELOPMENT):
            content = item.read_bytes()
            is_source = item.name.endswith((".js", ".css"))
            yield prefix + item.name, without_comments(content) if is_source else content
