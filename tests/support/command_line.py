"""Runs commands inside the test process, which has already loaded everything.

A separate process takes a second or two to start. Tests of signals and terminals need one, and get
it sooner from `forks.py`.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from click.testing import CliRunner

from nestline.terminal.main import main


def nestline(
    *arguments: str,
    text: str = "",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> CompletedProcess[str]:
    """Run a command with this text as standard input; returns its status and output."""
    command = ["nestline", *arguments]
    status = 0
    with (
        patch.object(sys, "argv", command),
        chdir(folder or os.getcwd()),
        CliRunner().isolation(text, env=environment) as (output, errors, _),
    ):
        try:
            main()
        except SystemExit as end:
            status = int(end.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
    printed = output.getvalue().decode(), errors.getvalue().decode()
    return CompletedProcess(command, status, *printed)
