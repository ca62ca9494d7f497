"""`nestline report`: what a bug report needs, and nothing about the person who sends it."""

import getpass
import json
import platform
from pathlib import Path

import pytest

from nestline import __version__, tables
from support.command_line import nestline


def test_it_tells_versions_code_and_tables(tmp_path: Path) -> None:
    path = tables.build("tictactoe", tmp_path)
    environment = {"NESTLINE_TABLES": str(tmp_path)}
    found = json.loads(nestline("report", "--json", environment=environment).stdout)
    assert found["nestline"] == __version__
    assert found["python"].endswith(platform.python_version())
    assert found["tablebases"] == {
        "tictactoe": "0.00 MB", "gobblers": "not built", "gobblers-official": "not built"
    }  # fmt: skip
    assert found["packages"]["numba"][0].isdigit()
    Path(path).write_bytes(b"not a table")
    found = json.loads(nestline("report", "--json", environment=environment).stdout)
    assert found["tablebases"]["tictactoe"] == "damaged"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_it_names_no_person_machine_or_folder(tmp_path: Path, options: tuple[str, ...]) -> None:
    said = nestline("report", *options, environment={"NESTLINE_TABLES": str(tmp_path)}).stdout
    assert "gobblers-official" in said
    for secret in (str(tmp_path), str(Path.home()), platform.node(), getpass.getuser()):
        assert secret not in said
