"""`nestline site`: what is written, and what is refused. The browser's tests visit such a site."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from nestline.rules import rule_set_names
from support.command_line import nestline


def files_of(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    done = nestline("site", str(folder), "--no-tables", "--base", "/games/")
    assert done.returncode == 0, done.stderr
    return folder


def test_everything_that_is_named_is_there(site: Path) -> None:
    files = files_of(site)
    page = files["index.html"].decode()
    named = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert len(named) > 20
    for address in named:
        assert address.startswith("/games/"), address
        name = address.removeprefix("/games/")
        assert (name or "index.html") in files or f"{name}index.html" in files, address
    assert "/api/" not in page
    for view in ("game", "study", "learn", "puzzles", "rules", "help", "about"):
        assert files[f"{view}/index.html"] == files["index.html"]
    manifest = json.loads(files["manifest.webmanifest"])
    assert manifest["start_url"] == manifest["scope"] == "/games/"
    for icon in manifest["icons"]:
        assert icon["src"] in files
    [rules] = [name for name in files if name.endswith("/rules.json")]
    told = json.loads(files[rules])["rules"]
    assert [each["name"] for each in told] == list(rule_set_names())
    assert not any("perfect" in each["levels"] for each in told)


def test_the_service_worker_keeps_what_is_there(site: Path) -> None:
    files = files_of(site)
    first = files["service-worker.js"].decode().split("\n", 1)[0]
    told = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    assert told["tables"] == {}
    for name, checksum in told["files"].items():
        digest = base64.b64encode(hashlib.sha256(files[name]).digest()).decode()
        assert checksum == f"sha256-{digest}"
    kept = set(told["files"])
    assert {name for name in files if name.startswith("static/")} < kept
    assert {"index.html", "manifest.webmanifest", "icon.svg"} < kept
    assert "icon-512.png" not in kept


def test_the_same_files_again(site: Path, tmp_path: Path) -> None:
    before = files_of(site)
    assert nestline("site", str(site), "--no-tables", "--base", "/games/").returncode == 0
    assert files_of(site) == before
    with_server = tmp_path / "other"
    server = "https://games.example"
    assert nestline("site", str(with_server), "--no-tables", "--server", server).returncode == 0
    page = (with_server / "index.html").read_text("utf-8")
    assert f"connect-src &#x27;self&#x27; {server} wss://games.example;" in page
    assert f'href="{server}/api/v1/docs"' in page


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--base", "games"], "--base games: a path begins and ends with a slash, like /games/"),
        (["--base", "/a b/"], "--base /a b/: a path begins and ends with a slash, like /games/"),
        (["--base", "/a/../b/"], "--base /a/../b/: a path begins and ends with a slash"),
        (["--server", "https://me:secret@x.example"], ": a server is written like"),
        (["--server", "https://x.example:99999"], ": a server is written like"),
        (["--server", "https://x; script-src *"], ": a server is written like"),
        (["--server", "games.example"], "--server games.example: a server is written like"),
        (["--server", "https://x.example/path"], "--server https://x.example/path: a server is"),
    ],
)
def test_wrong_options(tmp_path: Path, options: list[str], problem: str) -> None:
    done = nestline("site", str(tmp_path / "new"), "--no-tables", *options)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "new").exists()


def test_other_files_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    for folder in (tmp_path, tmp_path / "mine.txt"):
        done = nestline("site", str(folder), "--no-tables")
        assert done.returncode == 2
        assert str(folder) in done.stderr
    assert files_of(tmp_path) == {"mine.txt": b"mine"}
