"""The mutants of a module: each has one small fault, made by an operator of Cosmic Ray."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

from cosmic_ray import plugins
from cosmic_ray.mutating import mutate_code

SOURCES = Path(__file__).parent.parent / "src" / "nestline"

OPERATORS = (
    *(f"ReplaceBinaryOperator_{pair}" for pair in (
        "Add_Sub", "Sub_Add", "Mul_Add", "FloorDiv_Mul", "Mod_FloorDiv", "Div_Mul",
        "LShift_RShift", "RShift_LShift", "BitAnd_BitOr", "BitOr_BitAnd", "BitXor_BitOr",
    )),
    *(f"ReplaceComparisonOperator_{pair}" for pair in (
        "Eq_NotEq", "NotEq_Eq", "Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Is_IsNot", "IsNot_Is",
    )),
    "ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_USub_UAdd", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue",
    "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak",
    "AddNot", "ZeroIterationForLoop", "NumberReplacer",
)  # fmt: skip


class Mutant(NamedTuple):
    module: str
    code: str
    line: int
    function: int
    """The first line of the function that it is in; 0 outside all functions."""
    change: str
    number: int
    """Equal lines can be changed equally; this counts them."""

    @property
    def numbered(self) -> str:
        return f"{self.change} ({self.number})" if self.number > 1 else self.change

    @property
    def name(self) -> str:
        """A name that stays the same as long as the line does, wherever it moves."""
        return f"{self.module}: {self.numbered}"


class _WithoutAnnotations(ast.NodeTransformer):
    """Removes type annotations, which do nothing at run time; mypy checks those."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def meaning(code: str) -> str:
    return ast.dump(_WithoutAnnotations().visit(ast.parse(code)))


def mutants_of(module: str) -> Iterator[Mutant]:
    """The mutants of a module."""
    code = (SOURCES / module).read_text("utf-8")
    lines = code.splitlines(keepends=True)
    tree = ast.parse(code)
    starts = [_first_line(node) - 1 for node in tree.body]
    functions = sorted(
        (_first_line(node), node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    names: Counter[str] = Counter()
    # One function or class at a time, since Cosmic Ray parses all of its text for each mutant.
    for start, end in pairwise([*starts, len(lines)]):
        block = "".join(lines[start:end])
        for mutated in _variants(block):
            line, change = _difference(block, mutated)
            changed = "".join([*lines[:start], mutated, *lines[end:]])
            names[change] += 1
            line += start
            inside = [first for first, last in functions if first <= line <= last]
            function = inside[-1] if inside else 0
            yield Mutant(module, changed, line, function, change, names[change])


def _first_line(node: ast.stmt) -> int:
    """With the decorators, as Python counts it."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])


def _variants(code: str) -> Iterator[str]:
    """What the operators make of a piece of code, each result once."""
    seen = {meaning(code)}
    for name in OPERATORS:
        operator = plugins.get_operator(f"core/{name}")()
        occurrence = 0
        while (mutated := mutate_code(code, operator, occurrence)) is not None:
            occurrence += 1
            with suppress(SyntaxError):
                if (what := meaning(mutated)) not in seen:
                    seen.add(what)
                    yield mutated


def _difference(code: str, mutated: str) -> tuple[int, str]:
    """The number of the first line that differs, and what becomes of what."""
    before, after = code.splitlines(), mutated.splitlines()
    same = _common(before, after)
    rest = _common(before[same:][::-1], after[same:][::-1])
    old, new = (
        " ".join(line.strip() for line in lines[same : len(lines) - rest])
        for lines in (before, after)
    )
    return same + 1, f"{old}  →  {new}"


def _common(some: list[str], others: list[str]) -> int:
    """How many first lines are the same."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def is_in(share: float, mutant: Mutant) -> bool:
    """Whether a mutant is in a share of all; a share always has the same ones."""
    digest = hashlib.sha256(mutant.name.encode()).digest()
    return int.from_bytes(digest[:4]) < share * 2**32
