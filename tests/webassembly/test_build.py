"""The committed module is what the sources compile to, and asks for nothing but its memory."""

import os
from functools import partial
from pathlib import Path

import pytest

from nestline.browser.build import LARGEST, build, check, compiled_with, stamp, strip, versions
from nestline.browser.weights import learned_families, weights_file
from support.node import ENGINE
from webassembly.conftest import ask_node
from webassembly.test_law import check_perft

MODULE = ENGINE / "nestline.wasm"


@pytest.mark.long
def test_the_module_is_up_to_date(tmp_path: Path) -> None:
    """After a change of compiled functions: make wasm. Other versions compile to other bytes, which
    do the same."""
    fresh, committed = build(), MODULE.read_bytes()
    if compiled_with(committed) == versions():
        assert fresh == committed
    (tmp_path / "fresh.wasm").write_bytes(fresh)
    check_perft(partial(ask_node, module=tmp_path / "fresh.wasm"), 20_000)


def test_it_is_small_and_imports_only_memory_and_stack() -> None:
    module = MODULE.read_bytes()
    assert len(module) <= LARGEST
    assert check(module) == module
    assert os.fsencode(os.getcwd()) not in module


def test_it_tells_what_it_was_compiled_with() -> None:
    module = strip(MODULE.read_bytes())
    assert compiled_with(stamp(module, "a compiler")) == "a compiler"
    assert strip(stamp(module, "a compiler")) == module


def test_the_weights_are_up_to_date() -> None:
    files = {path.stem: path.read_bytes() for path in (ENGINE / "weights").iterdir()}
    assert files == {family: weights_file(family) for family in learned_families()}
