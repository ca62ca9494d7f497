"""The compilation cache: where it is, when it is discarded, and what a person is told meanwhile."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import nestline
from nestline import compiled

PACKAGE = Path(nestline.__file__).parent

COUNT = """
from nestline import kernel
from nestline.compiled import announced_compilation
from nestline.rules import load_rules
with announced_compilation("rules of the games", print):
    print("large pieces", kernel.takeable(0, 3, load_rules("gobblers").law))
stats = kernel.takeable.stats
print("hits", sum(stats.cache_hits.values()), "misses", sum(stats.cache_misses.values()))
"""


def run(script: str, **environment: str) -> str:
    """What a fresh Python process prints."""
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    return result.stdout


def folder_now() -> Path:
    """The folder that a process starting now would choose."""
    found = compiled.cache_folder.__wrapped__()
    assert isinstance(found, Path)
    assert found.is_dir()
    return found


def test_the_folder_lies_below_numbas_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "new" / "deep"))
    assert folder_now().parent == tmp_path / "new" / "deep"
    assert folder_now() == folder_now()
    assert list(folder_now().iterdir()) == [], "the trial of writing leaves nothing behind"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep caches elsewhere")
def test_the_folder_is_the_users_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder_now().parent == tmp_path / "nestline"


@pytest.fixture(params=["a file in the way", "read-only"])
def unwritable(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "cache"
    if request.param == "a file in the way":
        place.write_text("not a folder")
        yield place
        return
    place.mkdir()
    place.chmod(0o500)
    if os.access(place, os.W_OK):
        pytest.skip("nothing is read-only for this user")
    yield place
    place.chmod(0o700)


def test_an_unwritable_folder_is_no_obstacle(unwritable: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    script = (
        "from nestline import kernel, compiled\n"
        "print(compiled.cache_folder().parent, kernel.popcount(0b1011))"
    )
    printed = run(script, NUMBA_CACHE_DIR=str(unwritable), TMPDIR=str(temporary))
    assert printed.split() == [str(temporary), "3"]
    assert list(temporary.iterdir()) == [], "the stopgap is removed at the end"


def test_the_second_start_compiles_nothing(tmp_path: Path) -> None:
    """And only the first one talks about it."""
    first = run(COUNT, NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    assert first[0].startswith("Compiling the rules of the games for this computer")
    assert first[1] == "large pieces 2"
    assert first[2].startswith("… done in ")
    assert first[3] == "hits 0 misses 1"
    assert run(COUNT, NUMBA_CACHE_DIR=str(tmp_path)).splitlines() == [
        "large pieces 2",
        "hits 1 misses 0",
    ]
    assert [path.name[:9] for path in tmp_path.iterdir()] == ["compiled-"]


# What makes a fresh folder.


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package whose sources may be edited."""
    copy = tmp_path_factory.mktemp("copy") / "nestline"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("copied_compiled", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def folder_after_edit(copied: Path, source: str | None) -> str:
    """The name of the folder after adding a line to a source."""
    if source is None:
        return str(load(copied / "compiled.py").cache_folder().name)
    path = copied / source
    before = path.read_bytes()
    path.write_bytes(before + b"\n# edited\n")
    try:
        return folder_after_edit(copied, None)
    finally:
        path.write_bytes(before)


def is_compiled(path: Path) -> bool:
    lines = path.read_text("utf-8").splitlines()
    return any(line in ("@compiled", "@inlined", "@rare", "@recursive") for line in lines)


COMPILED_SOURCES = sorted(
    str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if is_compiled(path)
)


def test_an_edit_of_compiled_sources_gives_a_fresh_folder(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """numba itself would not notice a change in a function called by another."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    untouched = folder_after_edit(copied, None)
    assert untouched == folder_after_edit(copied, None)
    assert "kernel.py" in COMPILED_SOURCES
    for source in (*COMPILED_SOURCES, "rules/law.py", "compiled.py"):
        assert folder_after_edit(copied, source) != untouched, source


def test_another_copy_of_the_package_has_a_folder_of_its_own(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """numba compiles again for sources at another path, and people are told of that wait."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert folder_after_edit(copied, None) != folder_now().name


def test_an_edit_of_other_sources_does_not(
    copied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    untouched = folder_after_edit(copied, None)
    for source in (
        "errors.py",
        "game/game.py",
        "record.py",
        "rules/schema.py",
        "rules/gobblet.toml",
    ):
        assert folder_after_edit(copied, source) == untouched, source


# What a person is told.


def test_compilation_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    said: list[str] = []
    with compiled.announced_compilation("search", said.append):
        assert len(said) == 1, "before the wait"
        assert said[0].startswith("Compiling the search for this computer")
    assert len(said) == 2
    assert said[1].startswith("… done in ")
    with compiled.announced_compilation("search", said.append):
        pass
    assert len(said) == 2
    with compiled.announced_compilation("other thing", said.append):
        pass
    assert len(said) == 4, "another part is announced on its own"


def test_an_interrupted_compilation_is_announced_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda: tmp_path)
    said: list[str] = []
    with (
        pytest.raises(KeyboardInterrupt),
        compiled.announced_compilation("search", said.append),
    ):
        raise KeyboardInterrupt
    assert len(said) == 1
    with compiled.announced_compilation("search", said.append):
        pass
    assert len(said) == 3
