"""The committed module is what the sources compile to, and asks for nothing but its memory."""

import os

from nestline.browser.build import LARGEST, build, sections
from support.node import ENGINE

MODULE = ENGINE / "nestline.wasm"
MEMORY, GLOBAL = 2, 3


def test_the_module_is_up_to_date() -> None:
    """After a change of compiled functions: make wasm."""
    assert build() == MODULE.read_bytes()


def test_it_is_small_and_imports_only_memory_and_stack() -> None:
    module = MODULE.read_bytes()
    assert len(module) <= LARGEST
    imports = next(content for number, content in sections(module) if number == 2)
    assert imports.count(b"env") == 2
    assert b"__linear_memory" in imports
    assert b"__stack_pointer" in imports
    assert os.fsencode(os.getcwd()) not in module
