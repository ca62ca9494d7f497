"""Compiles the exported functions to WebAssembly, with numba and LLVM alone.

LLVM's object file is already a module: all addresses and indices are final, and it imports only its
memory and its stack pointer. That is how LLVM behaves, not a promise; the checks here and the tests
of the module's behaviour would notice a change.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
LARGEST = 64 * 1024
"""The module must stay small: every visitor downloads it."""

HEADER_BYTES = 8
CUSTOM_SECTION, IMPORTS = 0, 2
MEMORY = b"__linear_memory\x02"
"""The end of the import's name, and the sign of a memory."""
MOST_PAGES = 4096
"""The most memory that the page may give the module, 256 MiB: threads must know it beforehand."""
NOTE = b"compiled with"


def build() -> bytes:
    """The module's bytes, compiled in a process of its own, since numba must not optimise for it.

    Code optimised for this computer may have its address size built in.
    """
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "module.wasm"
        environment = {**os.environ, "NUMBA_OPT": "0", "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-m", "nestline.browser.build", str(target)]
        subprocess.run(command, env=environment, check=True)
        return target.read_bytes()


def compile_module() -> bytes:
    """The module's bytes; only right in a process that `build` has started."""
    import warnings

    import llvmlite.binding as llvm
    import numba

    _emit_no_native_code()

    from nestline.browser.exports import EXPORTS
    from nestline.browser.memory import Export
    from nestline.compiled import RARE

    # What is compiled here is not for the cache.
    warnings.simplefilter("ignore", numba.NumbaWarning)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static"
    )

    def module_of(text: str) -> Any:
        module = llvm.parse_assembly(_TARGET.sub("", text))
        module.triple = TRIPLE
        module.data_layout = str(machine.target_data)
        return module

    def compiled(export: Export) -> tuple[str, str]:
        signature = export.result(*export.parameters)
        options = {"nogil": True, "_nrt": False}
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        njit = cast(Any, numba.njit)
        made = njit(signature, **options, **wrappers)(export.function)
        [overload] = made.overloads.values()
        text = _FAILURE.sub("  call void @llvm.trap()", overload.library.get_llvm_str())
        return overload.fndesc.llvm_func_name, f"{text}\ndeclare void @llvm.trap()\n"

    module = module_of(_RUNTIME)
    # In this order: numba makes what an inlined function calls first inlined, too, and the rules
    # inlined everywhere would make the module half as large again.
    for export in EXPORTS:
        name, text = compiled(export)
        module.link_in(module_of(text))
        module.link_in(module_of(_glue(export, name)))
        for made in (name, _exported(export)):
            for attribute in ("minsize", "optsize"):
                module.get_function(made).add_function_attribute(attribute)
    names = {_exported(export) for export in EXPORTS}
    rare = ["".join(f"{len(part)}{part}" for part in name.split(".")) for name in RARE]  # mangled
    for function in module.functions:
        if not function.is_declaration and any(name in function.name for name in rare):
            for attribute in ("noinline", "minsize", "optsize"):
                function.add_function_attribute(attribute)
        if not function.is_declaration and function.name not in names:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    llvm.set_option("nestline", "-unroll-runtime=false")  # Only loops whose length is known.
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    return check(stamp(bound(strip(machine.emit_object(module))), versions()))


def _emit_no_native_code() -> None:
    """Keep numba from also making each function ready to run here, which takes half of the time.

    Where another version of numba calls these parts by other names, it only takes longer.
    """
    from numba.core import codegen, cpu, dispatcher

    def nothing(*_: Any, **__: Any) -> None:
        """Instead of what makes functions callable, or caches them."""

    def nowhere(library: Any, _name: str) -> int:
        library._ensure_finalized()
        return 0

    context, library = cast(Any, cpu.CPUContext), cast(Any, codegen.JITCodeLibrary)
    context.create_cpython_wrapper = context.create_cfunc_wrapper = nothing
    library.get_pointer_to_function, library._finalize_specific = nowhere, nothing
    cast(Any, codegen.JITCPUCodegen).set_env = nothing
    cast(Any, dispatcher.Dispatcher).enable_caching = nothing


_TARGET = re.compile(r"^target .*$", re.MULTILINE)

_FAILURE = re.compile(r"^  store .*!numba_exception_output.*$", re.MULTILINE)
"""Where numba notes what it raises. The module traps there: nobody could catch it in the page, and
so no caller has to ask whether something was raised."""

_RUNTIME = """
define void @NRT_incref(ptr %0) { ret void }
define void @NRT_decref(ptr %0) { ret void }
"""
"""Nothing here is allocated, so references need not be counted."""


def _exported(export: Any) -> str:
    return f"nestline_{export.name}"


def _glue(export: Any, name: str) -> str:
    """A function that calls numba's, whose result goes to an address, and traps if it fails."""
    kinds = {"int64": "i64", "int32": "i32", "float64": "double"}
    given = [kinds.get(str(kind), "ptr") for kind in export.parameters]
    result = kinds[str(export.result)]
    parameters = ", ".join(f"{kind} %a{place}" for place, kind in enumerate(given))
    passed = "".join(f", {kind} %a{place}" for place, kind in enumerate(given))
    types = "".join(f", {kind}" for kind in given)
    return f"""
declare i32 @"{name}"(ptr, ptr{types})
declare void @llvm.trap()
define {result} @{_exported(export)}({parameters}) #0 {{
  %result = alloca {result}
  %problem = alloca ptr
  store ptr null, ptr %problem
  %status = call i32 @"{name}"(ptr %result, ptr %problem{passed})
  %fails = icmp ne i32 %status, 0
  br i1 %fails, label %failed, label %done
failed:
  call void @llvm.trap()
  unreachable
done:
  %value = load {result}, ptr %result
  ret {result} %value
}}
attributes #0 = {{ "wasm-export-name"="{export.name}" }}
"""


def sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    """The number of each section of a module, and its bytes with number and length."""
    place = HEADER_BYTES
    while place < len(module):
        start, shift, length = place, 0, 0
        place += 1
        while True:
            byte = module[place]
            length |= (byte & 127) << shift
            shift += 7
            place += 1
            if byte < 128:
                break
        place += length
        yield module[start], module[start:place]


def strip(module: bytes) -> bytes:
    """A module without the sections that are for linkers and debuggers."""
    kept = [content for number, content in sections(module) if number != CUSTOM_SECTION]
    return module[:HEADER_BYTES] + b"".join(kept)


def bound(module: bytes) -> bytes:
    """The module with a limit to its memory, so that one changed bit makes the memory shared."""
    found = [module[:HEADER_BYTES]]
    for number, section in sections(module):
        if number == IMPORTS:
            head = 1 + next(place for place, byte in enumerate(section[1:], 1) if byte < 128)
            before, after = section[head:].split(MEMORY)
            assert after[0] == 0, "the memory has a limit already"
            assert after[1] < 128, "the least memory takes more than one byte"
            body = before + MEMORY + bytes([1, after[1]]) + _number(MOST_PAGES) + after[2:]
            section = bytes([number]) + _number(len(body)) + body
        found.append(section)
    return b"".join(found)


def _number(value: int) -> bytes:
    """A number as modules write it (LEB128)."""
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def versions() -> str:
    """What compiles here: the same versions make the same bytes."""
    import llvmlite
    import numba

    python = ".".join(platform.python_version_tuple()[:2])
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, Python {python}"


def stamp(module: bytes, text: str) -> bytes:
    """The module with a note of what it was compiled with."""
    content = bytes([len(NOTE)]) + NOTE + text.encode()
    assert len(content) < 128
    return module + bytes([CUSTOM_SECTION, len(content)]) + content


def compiled_with(module: bytes) -> str:
    """The note of `stamp`."""
    notes = [content[2:] for number, content in sections(module) if number == CUSTOM_SECTION]
    return notes[0][1 + len(NOTE) :].decode()


def check(module: bytes) -> bytes:
    """The module, if it is small and imports nothing but its memory and its stack pointer."""
    assert len(module) <= LARGEST, f"the module has {len(module):,} bytes"
    [imports] = [content for number, content in sections(module) if number == IMPORTS]
    names = set(re.findall(rb"[a-z_]{4,}", imports))
    assert names == {b"__linear_memory", b"__stack_pointer"}, f"the module imports {names}"
    return module


def main() -> None:
    Path(sys.argv[1]).write_bytes(compile_module())


if __name__ == "__main__":
    main()
