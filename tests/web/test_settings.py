"""The settings: read from the environment, refused if they make no sense, documented one by one."""

import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from nestline.errors import NestlineError
from nestline.web.settings import Settings, read_settings, variables

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "host" / "settings.md").read_text("utf-8")


def test_every_setting_is_documented_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(NESTLINE_WEB_\w+)` \| (?:`(.*?)`)? ?\| .", PAGE, re.MULTILINE))
    assert list(rows) == list(variables().values())
    assert read_settings(rows) == Settings()


def test_a_default_that_differs_would_be_noticed() -> None:
    usual = {str: "error", bool: "no", int: "234", float: "234"}
    special = {"origins": "https://club.example", "trusted_proxies": "10.0.0.1",
               "body_bytes": "2345", "message_bytes": "2345", "head_bytes": "2345"}  # fmt: skip
    for item in fields(Settings):
        value = special.get(item.name) or usual[item.type]  # type: ignore[index]
        assert read_settings({variables()[item.name]: value}) != Settings()


def test_every_variable_on_the_pages_and_in_the_dockerfile_exists() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "Dockerfile"]
    text = "".join(page.read_text("utf-8") for page in pages)
    named = set(re.findall(r"NESTLINE_WEB_[A-Z_]+[A-Z]", text))
    assert named == set(variables().values())


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("CACHED_GAMES", "0", "it is at least 1"),
        ("CACHED_GAMES", "1.5", "is not a whole number"),
        ("ANALYSIS_SECONDS", "inf", "is not allowed"),
        ("ANALYSIS_SECONDS", "soon", "is not a number"),
        ("BUILD_TABLES", "perhaps", "neither yes nor no"),
        ("LOG_LEVEL", "loud", "none of debug"),
        ("DATABASE", "oracle://x", "no other kind"),
        ("DATABSE", "x", "is not a setting"),
        ("ENGINE_THREADS", "5000", "it is 0 to 256"),
        ("ORIGINS", "https://fine.example school.example", "'school.example' is not an origin"),
        ("ORIGINS", "https://school.example/page", "is not an origin"),
        ("TRUSTED_PROXIES", "127.0.0.1, proxy", "'proxy' is neither an address nor a network"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "neither an address nor a network"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, text: str, told: str) -> None:
    with pytest.raises(NestlineError, match=told):
        read_settings({f"NESTLINE_WEB_{name}": text})


def test_the_dockerfile_starts_the_command_there_is() -> None:
    """Docker is seldom available; check its command line against the options there are."""
    last = (ROOT / "Dockerfile").read_text("utf-8").strip().splitlines()[-1]
    words = re.findall(r'"(.*?)"', last)
    assert words[:2] == ["nestline", "web"]
    command = shutil.which("nestline") or str(ROOT / ".venv" / "bin" / "nestline")
    told = subprocess.run([command, "web", "--help"], capture_output=True, text=True, check=True)
    assert all(word in told.stdout for word in words if word.startswith("--"))
