"""Writes the page as static files: `nestline site FOLDER`.

The files of a version lie in a folder named after their content, so that two versions never mix.
The service worker keeps all of them, checked, for visits without a network. What a nestline server
would be asked for, rule sets and tablebases, is written as files.
"""

import base64
import hashlib
import html
import json
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import resvg_py

from nestline.errors import NestlineError
from nestline.rules import load_rules, rule_set_names
from nestline.web.games.views import rule_set_json
from nestline.web.http.middleware import POLICY
from nestline.web.http.pages import ADDRESSES
from nestline.web.page import read_page
from nestline.web.work.tablebases import Tablebases

MARK = "nestline-site.json"
"""Tells that a folder is such a site, which may be replaced."""

VIEWS = sorted({address.split("/")[1] for address in ADDRESSES} - {""})
ICON_SIZES = 192, 512
TOUCH_ICON_SIZE = 180
COLOUR = "#704a34"
PAGE = "index.html"


@dataclass(frozen=True)
class Site:
    """How a site is published: below a path, and perhaps with a server for games by link."""

    base: str = "/"
    server: str | None = None

    def __post_init__(self) -> None:
        # Browsers would take `.` and `..` out of the addresses.
        if not re.fullmatch(r"/((?!\.{1,2}/)[A-Za-z0-9._~-]+/)*", self.base):
            raise NestlineError(
                f"--base {self.base}: a path begins and ends with a slash, like /games/"
            )
        if self.server is not None and not _is_origin(self.server):
            raise NestlineError(
                f"--server {self.server}: a server is written like https://games.example"
            )

    @property
    def policy(self) -> str:
        """The content security policy for the page's head; one there cannot forbid frames."""
        if self.server is None:
            found = POLICY
        else:
            socket = re.sub("^http", "ws", self.server)
            found = POLICY.replace(
                "connect-src 'self'", f"connect-src 'self' {self.server} {socket}"
            )
        rules = (rule for rule in found.split("; ") if not rule.startswith("frame-ancestors"))
        return "; ".join(rules)


def _is_origin(text: str) -> bool:
    """Whether it is as browsers write an origin; a name and password would make it unusable."""
    if not re.fullmatch(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]+)?", text):
        return False
    try:
        return urlsplit(text).port != 0
    except ValueError:
        return False


@dataclass
class _Files:
    """What will be written, by its path below the folder, and what of it is kept offline."""

    content: dict[str, bytes] = field(default_factory=dict)
    offline: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, content: bytes, is_kept: bool = True) -> None:
        self.content[name] = content
        if is_kept:
            self.offline[name] = _checksum(content)


def write_site(folder: Path, site: Site, tablebases: Tablebases) -> int:
    """Write the site into a folder, which is new, empty, or such a site; returns its bytes."""
    _require_replaceable(folder)
    files = _files_of(site, tablebases)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as place:
            new = Path(place) / "new"
            for name, content in files.items():
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            # The old site is moved aside and removed with the temporary folder.
            if folder.exists():
                folder.rename(Path(place) / "old")
            shutil.move(new, folder)
            folder.chmod(0o755)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise NestlineError(f"{folder}: the site cannot be written: {reason}") from None
    return sum(map(len, files.values()))


def _require_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise NestlineError(f"{folder}: this is not a folder")
    if any(folder.iterdir()) and not (folder / MARK).is_file():
        raise NestlineError(f"{folder}: the folder has other files; name a new or an empty one")


def _files_of(site: Site, tablebases: Tablebases) -> dict[str, bytes]:
    sources = read_page()
    found = {**sources.files, **_rule_files(tablebases)}
    stamp = hashlib.sha256(b"".join((sources.version.encode(), *found.values()))).hexdigest()[:12]
    folder = f"static/{stamp}/"
    files = _Files()
    for name, content in found.items():
        files.add(folder + name, content)
    # A system keeps the icon of what it has installed; the page itself shows only the SVG.
    for name, content in _icons(sources.files["icon.svg"]).items():
        files.add(name, content, is_kept=name.endswith(".svg"))
    tables = _table_files(tablebases)
    named = {rules: path for rules, (path, _) in tables.items()}
    files.add("manifest.webmanifest", _manifest(site))
    page = _page(site, sources.html(f"{site.base}{folder}"), named).encode()
    files.add(PAGE, page)
    # The same page for every view, and for addresses that a host does not know.
    for view in VIEWS:
        files.add(f"{view}/{PAGE}", page, is_kept=False)
    files.add("404.html", page, is_kept=False)
    files.add(".nojekyll", b"", is_kept=False)
    for path, content in tables.values():
        files.add(path, content, is_kept=False)
    checksums = {path: _checksum(content) for path, content in tables.values()}
    files.add("service-worker.js", _service_worker(files.offline, checksums), is_kept=False)
    mark = {"nestline": version("nestline"), "base": site.base, "server": site.server}
    files.add(MARK, json.dumps(mark).encode(), is_kept=False)
    return files.content


def _rule_files(tablebases: Tablebases) -> dict[str, bytes]:
    """The rule sets as the API tells them, and as TOML files."""
    sets = [rule_set_json(name, load_rules(name), tablebases) for name in rule_set_names()]
    files = {"rules.json": json.dumps({"rules": sets}).encode()}
    for name in rule_set_names():
        files[f"rules/{name}.toml"] = (
            resources.files("nestline.rules") / f"{name}.toml"
        ).read_bytes()
    return files


def _table_files(tablebases: Tablebases) -> dict[str, tuple[str, bytes]]:
    """The path and content of each rule set's tablebase, named after its content."""
    files = {}
    for name in rule_set_names():
        if table := tablebases.table(load_rules(name)):
            content = table.path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()[:12]
            files[name] = f"tables/{name}-{digest}.table", content
    return files


def _page(site: Site, source: str, tables: Mapping[str, str]) -> str:
    """The HTML for this site: its addresses, its policy, and what its modules must know."""
    note = {
        "base": site.base, "server": site.server, "version": version("nestline"), "tables": tables,
    }  # fmt: skip
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(site.policy)}" />',
        f'<meta name="nestline-site" content="{html.escape(json.dumps(note))}" />',
        f'<meta name="theme-color" content="{COLOUR}" />',
        f'<link rel="manifest" href="{site.base}manifest.webmanifest" />',
        f'<link rel="apple-touch-icon" href="{site.base}icon-{TOUCH_ICON_SIZE}.png" />',
    ]
    charset = '<meta charset="utf-8" />'
    assert charset in source
    source = source.replace(charset, "\n    ".join([charset, *head]))
    if site.server is None:
        source = re.sub(r'\s*<a href="/api/[^>]*>.*?</a>', "", source)
    else:
        source = source.replace('href="/api/', f'href="{site.server}/api/')
    views = "|".join(VIEWS)
    source = re.sub(rf'(<a [^>]*href=")/({views})"', rf'\1{site.base}\2/"', source)
    return re.sub(r'(<a [^>]*href=")/"', rf'\1{site.base}"', source)


def _manifest(site: Site) -> bytes:
    icons = [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png",
             "purpose": "any maskable"}
            for size in ICON_SIZES
        ),
    ]  # fmt: skip
    return json.dumps(
        {
            "name": "nestline",
            "short_name": "nestline",
            "description": "Tic-tac-toe, Gobblet Gobblers and Gobblet",
            "id": site.base,
            "start_url": site.base,
            "scope": site.base,
            "display": "standalone",
            "background_color": "#fffdf8",
            "theme_color": COLOUR,
            "icons": icons,
        }
    ).encode()


def _icons(svg: bytes) -> dict[str, bytes]:
    """The icon in all forms that systems ask for."""
    text = svg.decode()
    drawn = {
        f"icon-{size}.png": bytes(resvg_py.svg_to_bytes(svg_string=text, width=size, height=size))
        for size in (TOUCH_ICON_SIZE, *ICON_SIZES)
    }
    return {"icon.svg": svg, **drawn}


def _service_worker(files: Mapping[str, str], tables: Mapping[str, str]) -> bytes:
    source = (resources.files("nestline.web.site") / "service_worker.js").read_bytes()
    told = json.dumps({"files": files, "tables": tables, "page": PAGE}).encode()
    stamp = hashlib.sha256(told + source).hexdigest()[:12]
    site = json.dumps({"version": stamp, "page": PAGE, "files": files, "tables": tables})
    return f"const SITE = {site};\n".encode() + source


def _checksum(content: bytes) -> str:
    """As browsers check it (subresource integrity)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"
