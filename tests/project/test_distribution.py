"""The source distribution is the whole checkout: whoever unpacks it can do everything we can."""

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).parents[2]
FOR_THE_CHECKOUT_ALONE = ".ci/"


def files_of_the_checkout() -> set[str]:
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout of git")
    there = {name for name in listed.splitlines() if (ROOT / name).is_file()}
    return {name for name in there if not name.startswith(FOR_THE_CHECKOUT_ALONE)}


def files_distributed_from(root: Path, folder: Path) -> set[str]:
    [archive] = SdistBuilder(str(root)).build(directory=str(folder), versions=["standard"])
    with tarfile.open(archive) as packed:
        return {name.partition("/")[2] for name in packed.getnames()}


def test_the_source_distribution_has_every_file(tmp_path: Path) -> None:
    expected = files_of_the_checkout()
    assert files_distributed_from(ROOT, tmp_path) == expected | {"PKG-INFO"}


def test_ignored_links_hide_nothing_from_the_source_distribution(tmp_path: Path) -> None:
    """As `make mutants` leaves them; hatchling packs a folder where it first comes across it."""
    root = tmp_path / "checkout"
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "src/nestline/__init__.py",
                 "tests/conftest.py"):  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    expected = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    (root / ".mutants/0").mkdir(parents=True)
    (root / ".mutants/0/tests").symlink_to(root / "tests")
    assert files_distributed_from(root, tmp_path / "dist") == expected | {"PKG-INFO"}


def test_the_tests_run_without_plugins_of_pytest() -> None:
    """As `make mutants` runs them, which would take any other failure for a mutant noticed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider",
               "tests/rules/test_rules_files.py", "-k", "no_test_has_this_name"]  # fmt: skip
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, run.stdout
