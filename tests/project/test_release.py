"""What `make release` checks first: the versions in the code, the changelog and the citation."""

import runpy
from pathlib import Path

import pytest

from nestline import __version__

ROOT = Path(__file__).parents[2]
FILES = ("src/nestline/__init__.py", "CITATION.cff", "CHANGELOG.md")


def test_versions_agree() -> None:
    assert runpy.run_path(str(ROOT / "tools" / "release.py"))["check_versions"]() == __version__


@pytest.mark.parametrize("file", FILES)
def test_a_version_that_differs_is_named(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text("utf-8")
        (tmp_path / name).write_text(
            text.replace(__version__, "9.9.9") if name == file else text, "utf-8"
        )
    check = runpy.run_path(str(ROOT / "tools" / "release.py"))["check_versions"]
    monkeypatch.setitem(check.__globals__, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match=f"9.9.9 in {file}"):
        check()
