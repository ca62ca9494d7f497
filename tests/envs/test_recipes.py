"""The recipes in docs/research/recipes.md, each run as it stands with the library's own package."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "research" / "recipes.md"
SECTIONS = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.M | re.S)
RECIPES = {
    title: re.findall(r"^```python\n(.*?)^```", text, re.M | re.S) for title, text in SECTIONS
}
PACKAGES = {
    "Stable-Baselines3": "sb3_contrib",
    "Tianshou": "tianshou",
    "TorchRL": "torchrl",
    "Shimmy": "shimmy",
    "OpenSpiel": "pyspiel",
    "mctx": "mctx",
}


def test_every_library_has_one_recipe() -> None:
    assert list(RECIPES) == list(PACKAGES)
    assert all(len(programs) == 1 for programs in RECIPES.values())


@pytest.mark.full
@pytest.mark.parametrize("library", PACKAGES)
def test_the_recipe_runs(library: str, tmp_path: Path) -> None:
    package = PACKAGES[library]
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    (program,) = RECIPES[library]
    path = tmp_path / "recipe.py"
    path.write_text(program)
    finished = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, cwd=tmp_path, timeout=300
    )
    assert finished.returncode == 0, finished.stderr
