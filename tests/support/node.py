"""Runs the page's modules in node, which is a Python package of the development environment."""

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv" / "bin" / "node"
ENGINE = ROOT / "src" / "nestline" / "web" / "static" / "engine"


def answer_of(script: Path, question: Any, seconds: float = 300) -> Any:
    """What a script writes to its output, given the question on its input; both are JSON."""
    run = subprocess.run(
        [NODE, script], input=json.dumps(question), capture_output=True, text=True, timeout=seconds
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout)
