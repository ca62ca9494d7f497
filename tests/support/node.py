"""Runs the page's modules in node, which is a Python package of the development environment."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NODE = ROOT / ".venv" / "bin" / "node"
ENGINE = ROOT / "src" / "nestline" / "web" / "static" / "engine"


def answer_of(
    script: Path,
    question: Any,
    seconds: float = 300,
    module: Path | None = None,
    *further: str,
    flags: Sequence[str] = (),
) -> Any:
    """What a script writes to its output, given the question on its input; both are JSON.

    The script runs the page's WebAssembly, or that of another file; the flags are node's own.
    """
    run = subprocess.run(
        [NODE, *flags, script, *further],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=seconds,
        env={**os.environ, "WASM": str(module or ENGINE / "nestline.wasm")},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout)
