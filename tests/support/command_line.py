"""The command line in this very process, which has loaded everything already.

A process of its own takes a second or two to start. Tests of signals, terminals and of what is
left behind need one nevertheless; `python -m nestline` is started by those.
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
    """Run a command with this text as its standard input: its status, and what it printed."""
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
