"""The page as it lies in the package: one HTML file, and the files it loads.

`http.pages` serves it, and `site` writes it for other hosts.
"""

import hashlib
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
    found[ATLAS] = (resources.files("nestline.atlas") / ATLAS).read_bytes()
    return Page(found.pop("index.html").decode(), found)


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
        else:
            yield prefix + item.name, item.read_bytes()
