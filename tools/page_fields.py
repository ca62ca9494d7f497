"""The page's module about rule sets: their fields in words, and which values do not go together.

The conditions stay where Python has them, in `rules.schema` and `atlas.games`. They are
written here as JavaScript, from their source: comparisons, sums and conditions, and nothing else.
"""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

from nestline.atlas import games
from nestline.engine.players.level_names import FLAT, FREE, LARGE, SMALL
from nestline.engine.players.level_words import strengths_of
from nestline.rules import load_rules, schema
from nestline.rules.explained import GROUPS, choice_words, explained
from nestline.rules.law import MAX_SIZES

WIDTH = 120
MOST_LISTED = 10
"""Numbers with more choices are typed."""

_FAMILIES = {FLAT: "tictactoe", SMALL: "gobblers", LARGE: "gobblet", FREE: "gobblet-house"}


class Code(str):
    """An expression of JavaScript."""


def module_text(written_by: str) -> str:
    """The page's module of fields."""
    constants = {
        "GROUPS": list(GROUPS),
        "FIELDS": {key: _field(key) for key in schema.FIELDS},
        "OUTSIDE_PLAY": sorted(schema.OUTSIDE_PLAY),
        "PLAY_FIELDS": list(games.PLAY_FIELDS),
        "VISIBILITIES": list(schema.VISIBILITIES),
        "MAX_SIZES": MAX_SIZES,
        "STRENGTHS": {family: _strengths(name) for family, name in _FAMILIES.items()},
        "CONTRADICTIONS": list(_contradictions()),
    }
    types = {
        "FIELDS": "Record<string, Field>",
        "STRENGTHS": 'Record<string, import("../server/types.js").Strength[]>',
        "CONTRADICTIONS": "[string, (v: any) => boolean, string][]",
    }
    lines = [
        "/**",
        " * The fields of a rule set in words, what contradicts what, and what is the same game.",
        f" * {written_by}",
        " *",
        " * @typedef {{group: string, label: string, words: string, allowed: string, kind: string,",
        " *   choices: [any, string][], default: any, pattern?: string, least?: number,",
        " *   most?: number, missing?: number[]}} Field",
        " */",
    ]  # fmt: skip
    for name, value in constants.items():
        if name in types:
            lines.append(f"/** @type {{{types[name]}}} */")
        lines.append(f"export const {name} = {written(value, 0, len(name) + 16)};")
    text = "\n".join([*lines, "", *_settle(), ""])
    return text.replace(
        "/** @param {number[]}", "\n".join([*_called_helpers(text), "/** @param {number[]}"]), 1
    )


def _field(key: str) -> dict[str, Any]:
    field, words = schema.FIELDS[key], explained(key)
    facts: dict[str, Any] = {
        "group": words.group,
        "label": words.label,
        "words": words.words,
        "allowed": field.allowed,
        "kind": field.kind,
        "choices": [],
        "default": field.default,
    }
    if field.kind == "choice" or len(field.choices) <= MOST_LISTED:
        facts["choices"] = [[value, choice_words(key, value)] for value in field.choices]
    if field.kind == "number":
        least, most = min(field.choices), max(field.choices)
        missing = sorted(set(range(least, most + 1)) - set(field.choices))
        facts |= {"least": least, "most": most, "missing": missing}
    if field.pattern:
        # Python's letters and digits are those of Unicode.
        pattern = field.pattern.replace(r"[^\W_]", r"[\p{L}\p{N}]").replace(r"\w", r"[\p{L}\p{N}_]")
        facts["pattern"] = f"^(?:{pattern})$"
    return facts


def _strengths(name: str) -> list[dict[str, Any]]:
    return [
        {**each._asdict(), "rating": None}
        for each in strengths_of(load_rules(name), is_solved=False)
    ]


def _contradictions() -> Iterator[list[Any]]:
    tree = ast.parse(inspect.getsource(schema))
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "_CONTRADICTIONS":
            assert isinstance(node.value, ast.Tuple)
            for entry in node.value.elts:
                assert isinstance(entry, ast.Tuple)
                key, condition, message = entry.elts
                assert isinstance(condition, ast.Lambda)
                code = Code(f"(v) => {expression(condition.body)}")
                yield [ast.literal_eval(key), code, ast.literal_eval(message)]


@cache
def _helpers() -> dict[str, ast.FunctionDef]:
    """The functions of the schema that only return an expression: conditions may call them."""
    tree = ast.parse(inspect.getsource(schema))
    return {
        node.name: node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Return)
        if len(node.body) - isinstance(node.body[0], ast.Expr) == 1
    }


def _helper_name(name: str) -> str:
    first, *others = name.strip("_").split("_")
    return first + "".join(map(str.capitalize, others))


def _called_helpers(code: str) -> Iterator[str]:
    """The helpers that the conditions call, as functions."""
    for name, node in _helpers().items():
        if f"{_helper_name(name)}(" in code:
            (result,) = (each.value for each in node.body if isinstance(each, ast.Return))
            assert result is not None
            parameters = ", ".join(each.arg for each in node.args.args)
            types = " ".join(f"@param {{any}} {each.arg}" for each in node.args.args)
            yield f"/** {types} */"
            yield f"function {_helper_name(name)}({parameters}) {{"
            yield f"  return {expression(result)};"
            yield "}"
            yield ""


def _settle() -> Iterator[str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(games.settle)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    yield "/** @param {number[]} numbers */"
    yield "function sum(numbers) {"
    yield "  return numbers.reduce((total, number) => total + number, 0);"
    yield "}"
    yield ""
    yield "/** One choice where several are the same game. @param {Record<string, any>} values */"
    yield f"export function {function.name}({function.args.args[0].arg}) {{"
    for statement in function.body[1:]:  # after the docstring
        yield from _statement(statement, "  ")
    yield "}"


def _statement(node: ast.stmt, indent: str) -> Iterator[str]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            for name, value in zip(names, values, strict=True):
                yield f"{indent}const {expression(name)} = {expression(value)};"
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield f"{indent}const {name} = {expression(value)};"
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            yield f"{indent}{expression(target)} = {expression(value)};"
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=of, attr="update"), args=[], keywords=given)
        ):
            for each in given:
                yield f"{indent}{expression(of)}.{each.arg} = {expression(each.value)};"
        case ast.If(test=test, body=body, orelse=others):
            yield f"{indent}if ({expression(test)}) {{"
            for each in body:
                yield from _statement(each, f"{indent}  ")
            if others:
                yield f"{indent}}} else {{"
                for each in others:
                    yield from _statement(each, f"{indent}  ")
            yield f"{indent}}}"
        case _:
            raise SystemExit(f"the page has no words for: {ast.unparse(node)}")


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.And: "&&", ast.Or: "||", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Pow: "**",
}  # fmt: skip


def expression(node: ast.expr) -> str:
    """A condition or a sum of Python as one of JavaScript; only what conditions on rules need."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return json.dumps(value)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return f"[{', '.join(map(expression, items))}]"
        case ast.Subscript(value=value, slice=ast.Constant(value=str(key))):
            return f"{expression(value)}.{key}"
        case ast.Subscript(value=value, slice=ast.Constant(value=int(key))) if key >= 0:
            return f"{expression(value)}[{key}]"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"!{_grouped(operand)}"
        case ast.BoolOp(op=operator, values=values):
            return f" {_OPERATORS[type(operator)]} ".join(
                _grouped(each) if isinstance(each, ast.BoolOp) else expression(each)
                for each in values
            )
        case ast.Compare(left=left, ops=[ast.In()], comparators=[right]):
            return f"{expression(right)}.includes({expression(left)})"
        case ast.Compare(left=left, ops=[ast.NotIn()], comparators=[right]):
            return f"!{expression(right)}.includes({expression(left)})"
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if not isinstance(
            right, ast.Tuple | ast.List
        ):
            return f"{expression(left)} {_OPERATORS[type(operator)]} {expression(right)}"
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
            return f"Math.floor({_operand(left)} / {_operand(right)})"
        case ast.BinOp(left=left, op=operator, right=right):
            return f"{_operand(left)} {_OPERATORS[type(operator)]} {_operand(right)}"
        case ast.Call(func=ast.Name(id="len"), args=[ast.Call(func=ast.Name(id="set"), args=[of])]):
            return f"new Set({expression(of)}).size"
        case ast.Call(func=ast.Name(id="len"), args=[of]):
            return f"{expression(of)}.length"
        case ast.Call(func=ast.Name(id="sum"), args=[of]) if not isinstance(of, ast.GeneratorExp):
            return f"sum({expression(of)})"
        case ast.Call(func=ast.Name(id=("min" | "max") as name), args=[of]):
            return f"Math.{name}(...{expression(of)})"
        case ast.Call(func=ast.Name(id=("min" | "max") as name), args=args):
            return f"Math.{name}({', '.join(map(expression, args))})"
        case ast.Call(
            func=ast.Name(id=("any" | "all") as name),
            args=[ast.GeneratorExp(elt=test, generators=[each])],
        ) if not each.ifs:
            method = "some" if name == "any" else "every"
            name, found = expression(each.target), expression(test)
            return f"{expression(each.iter)}.{method}(({name}) => {found})"
        case ast.Call(func=ast.Name(id=name), args=args) if name in _helpers():
            return f"{_helper_name(name)}({', '.join(map(expression, args))})"
    raise SystemExit(f"the page has no words for: {ast.unparse(node)}")


def _grouped(node: ast.expr) -> str:
    is_group = isinstance(node, ast.BoolOp | ast.Compare | ast.BinOp)
    return f"({expression(node)})" if is_group else expression(node)


def _operand(node: ast.expr) -> str:
    return _grouped(node) if isinstance(node, ast.BinOp) else expression(node)


def written(value: Any, indent: int, taken: int = 0) -> str:
    """A value as Biome formats it: on one line where it fits, but lists of lists never."""
    line = _on_one_line(value)
    fits = len(line) + max(indent, taken) + 1 <= WIDTH
    inside = " " * (indent + 2)
    if isinstance(value, dict) and not fits:
        parts = [f"{inside}{_property(key, each, indent + 2)}," for key, each in value.items()]
        return "\n".join(["{", *parts, " " * indent + "}"])
    is_matrix = isinstance(value, list) and len(value) > 1 and isinstance(value[0], list)
    if isinstance(value, list) and (is_matrix or not fits):
        parts = [f"{inside}{written(each, indent + 2)}," for each in value]
        return "\n".join(["[", *parts, " " * indent + "]"])
    return line


def _property(name: str, value: Any, indent: int) -> str:
    key = name if name.isidentifier() else json.dumps(name)
    text = written(value, indent, indent + len(key) + 2)
    is_long = isinstance(value, str) and indent + len(key) + 3 + len(text) > WIDTH
    return f"{key}:\n{' ' * (indent + 2)}{text}" if is_long else f"{key}: {text}"


def _on_one_line(value: Any) -> str:
    if isinstance(value, Code):
        return value
    if isinstance(value, dict):
        inner = ", ".join(f"{key}: {_on_one_line(each)}" for key, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_on_one_line, value))}]"
    if isinstance(value, str) and value.count('"') > value.count("'"):
        return (
            "'"
            + json.dumps(value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
            + "'"
        )
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False)
