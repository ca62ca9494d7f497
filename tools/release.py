"""Tries what is about to be released: `make release` runs it on the folder of the built packages.

The versions in the code, the changelog and the citation agree; the wheel installs into a fresh
environment, and the installed command plays a game there and writes the page.
"""

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]

GAME = "3b2\n"
"""A first move; the computer answers it, and the end of the input ends the game."""


def version_in(file: str, pattern: str) -> str:
    found = re.search(pattern, (ROOT / file).read_text("utf-8"), re.M)
    return found[1] if found else "none"


def check_versions() -> str:
    versions = {
        "src/nestline/__init__.py": version_in(
            "src/nestline/__init__.py", r'^__version__ = "(.+)"'
        ),
        "CITATION.cff": version_in("CITATION.cff", r"^version: (.+)$"),
        "CHANGELOG.md": version_in("CHANGELOG.md", r"^## (?!Unreleased)v?([\d.]+)"),
    }
    if len(set(versions.values())) > 1:
        told = ", ".join(f"{version} in {file}" for file, version in versions.items())
        sys.exit(f"the versions differ: {told}")
    return next(iter(versions.values()))


def try_wheel(wheel: Path) -> None:
    """Install it where nothing else is installed, and play."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run(
            [programs / "python", "-m", "pip", "install", "--quiet", "--constraint",
             ROOT / "constraints.txt", f"{wheel}[web]"], check=True, cwd=folder,
        )  # fmt: skip
        elsewhere = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        for arguments in (
            ["--version"],
            ["report"],
            ["solve", "tictactoe"],
            ["play", "--rules", "gobblers", "--people", "1", "--level", "easy"],
            ["site", "page", "--no-tables"],
        ):
            done = subprocess.run(
                [programs / "nestline", *arguments], cwd=folder, input=GAME, text=True,
                capture_output=True, env=elsewhere,
            )  # fmt: skip
            if done.returncode:
                sys.exit(f"nestline {' '.join(arguments)} failed:\n{done.stderr}")
            print(f"nestline {' '.join(arguments)}: fine")


def main(folder: Path) -> None:
    version = check_versions()
    wheels, sources = list(folder.glob("*.whl")), list(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(sources) != 1 or version not in wheels[0].name:
        sys.exit(f"{folder} should hold one wheel and one source distribution of {version}")
    try_wheel(wheels[0].resolve())
    print(f"{version} is ready: {wheels[0].name}, {sources[0].name}. Tag it, and publish them.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
