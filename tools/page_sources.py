"""Generates the page's modules that come from Python: types, measures, numbers, sentences.

`python tools/page_sources.py` writes them (`make generate`); with `--check` it only says which are
stale, for `make check`.
"""

import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import page_fields
import page_sentences
from fastapi import FastAPI

from nestline import kernel
from nestline.browser import search_exports, table_exports
from nestline.browser.build import MOST_PAGES
from nestline.browser.exports import EXPORTS
from nestline.browser.memory import LAW_WORDS, WORD, Export
from nestline.browser.weights import learned_families
from nestline.draw import furniture, palette, pieces
from nestline.engine.choices import DRAWN_LINE_PLIES
from nestline.engine.players import levels, perfect
from nestline.engine.players.ladders import CHILDREN, LADDERS, Level
from nestline.engine.players.level_names import ALIASES as ALIASES_OF_LEVELS
from nestline.engine.players.level_names import CHILD_LEVELS, LARGEST_SMALL_BOARD, MAXIMUM_SECONDS
from nestline.engine.search import alphabeta, chance, deepening, workspace
from nestline.engine.search.engine import JUDGED_DEPTH
from nestline.engine.search.transposition import BYTES_PER_BUCKET, GENERATIONS
from nestline.position import MOVER, OUTCOMES
from nestline.rules.law import COVER, LAYER_BITS, LINE_SIZES, PLACE_ONTO, REVEAL
from nestline.solve import entry
from nestline.threats import NO_MOVE
from nestline.web.app import API, add_endpoints
from nestline.web.http.answers import Value, Visibility
from nestline.web.http.requests import SeatName

STATIC = Path(__file__).parents[1] / "src" / "nestline" / "web" / "static"
WRITTEN_BY = "Written by `make generate`: change it there, not here."
WIDTH = 120

ALIASES = {"SeatName": SeatName, "Value": Value, "Visibility": Visibility}
"""Choices that have a name in Python; the OpenAPI document only lists them."""

MEASURES = {
    furniture: (
        "SQUARE", "PITCH", "MARGIN", "MARGIN_WITH_COORDINATES", "CORNER", "SQUARE_CORNER",
        "TRAY_HEIGHT", "TRAY_GAP", "TRAY_ENDS", "LARGEST_TRAY_SCALE", "SLOT_GAP", "COUNT_GLYPH",
        "COUNT_GAP", "MOST_SHOWN", "WOOD_LIGHT", "WOOD", "WOOD_DARK", "GRAIN", "GROOVE", "TRAY",
        "LINEN_LIGHT", "LINEN", "GOLD",
    ),
    pieces: ("SMALLEST", "LARGEST", "SIZE_STEP", "ONLY_SIZE", "SHADOW", "ALMOST_BLACK"),
    palette: ("LIGHT_INK", "DARK_INK"),
}  # fmt: skip


def openapi_document() -> dict[str, Any]:
    """The server's OpenAPI document, without starting the server."""
    api = FastAPI()
    add_endpoints(api)
    return api.openapi()


def in_words(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return type_name(schema["$ref"].rsplit("/", 1)[1])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(in_words(each) for each in schema[several])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return choice(schema["enum"])
    match schema.get("type"):
        case "array":
            item = in_words(schema["items"])
            if schema.get("minItems") == schema.get("maxItems") is not None:
                return f"[{', '.join([item] * schema['minItems'])}]"
            return f"({item})[]" if " | " in item else f"{item}[]"
        case "object" if "properties" in schema:
            return record(schema)
        case "object":
            value = in_words(schema["additionalProperties"])
            if "propertyNames" in schema:
                # The schema does not say which of the names are present.
                return f"Partial<Record<{in_words(schema['propertyNames'])}, {value}>>"
            return f"Record<string, {value}>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as kind:
            return kind
    return "any"


def choice(values: list[Any]) -> str:
    for name, alias in ALIASES.items():
        if tuple(values) == get_args(alias):
            return name
    return " | ".join(json.dumps(value) for value in values)


def record(schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    fields = (
        f"{name}{'' if name in required else '?'}: {in_words(field)}"
        for name, field in schema["properties"].items()
    )
    return f"{{{', '.join(fields)}}}"


def type_name(name: str) -> str:
    """`GameAnswer` is a `Game` on the page, unless browsers have something of that name."""
    short = name.removesuffix("Answer")
    return name if short in ("Error", "Event") else short


def typedefs(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, alias in ALIASES.items():
        yield name, " | ".join(json.dumps(value) for value in get_args(alias))
    for name, schema in document["components"]["schemas"].items():
        yield type_name(name), in_words(schema)
    acting = document["paths"][f"{API}/games/{{game}}/actions"]["post"]["requestBody"]
    yield "Action", in_words(acting["content"]["application/json"]["schema"])


def types(document: dict[str, Any]) -> str:
    lines = [
        "/**",
        " * What the server takes and sends, as its OpenAPI document says; nothing to run.",
        f" * {WRITTEN_BY}",
        " *",
    ]
    for name, text in typedefs(document):
        lines += wrapped(f"@typedef {{{text}}} {name}")
    return "\n".join([*lines, " */", "export {};", ""])


def wrapped(text: str) -> Iterator[str]:
    """A type wrapped over several lines, between fields or choices."""
    line = " *"
    for part in re.split(r"(?<=[,|}]) ", text):
        if len(line) + 1 + len(part) > WIDTH:
            yield line
            line = " *  "
        line += f" {part}"
    yield line


def measures() -> str:
    lines = [
        "/**",
        " * Measures and colours of the board and its pieces, those of nestline's pictures.",
        f" * {WRITTEN_BY}",
        " */",
    ]
    for module, names in MEASURES.items():
        for name in names:
            lines.append(f"export const {name} = {literal(getattr(module, name))};")
    return "\n".join([*lines, ""])


def layout() -> str:
    """What the page's engine must know to call the compiled functions."""
    outcomes: list[str] = ["null"]
    for _, (winner, reason) in sorted(OUTCOMES.items()):
        who = None if winner is None else "mover" if winner == MOVER else "other"
        outcomes.append(f"{{ winner: {json.dumps(who)}, reason: {json.dumps(reason)} }}")
    exports = sorted(EXPORTS, key=lambda export: export.name)
    assert sorted(OUTCOMES) == list(range(1, len(outcomes)))
    numbers = {
        "BUCKET_BYTES": BYTES_PER_BUCKET,
        "CHANCE_WORDS": chance.WORDS + 1,
        "DEEPENED": deepening.DEEPENED,
        "DRAWN_LINE_PLIES": DRAWN_LINE_PLIES,
        "FIRST_WIN": entry.FIRST_WIN,
        "IMPOSSIBLE": entry.IMPOSSIBLE,
        "FORCED": alphabeta.FORCED,
        "GENERATIONS": GENERATIONS,
        "IMPROVED": deepening.IMPROVED,
        "INDEX_BYTES": table_exports.INDEX_BYTES,
        "INDEX_SHORTS": table_exports.INDEX_SHORTS,
        "INDEX_WORDS": table_exports.INDEX_WORDS,
        "JUDGED_DEPTH": JUDGED_DEPTH,
        "LINE_LENGTH": deepening.LINE_LENGTH,
        "MAX_DEPTH": alphabeta.MAX_DEPTH,
        "MAX_WEIGHTS": search_exports.MOST_WEIGHTS,
        "MEANWHILE": perfect.MEANWHILE,
        "LARGEST_SMALL_BOARD": LARGEST_SMALL_BOARD,
        "MOST_SECONDS": levels.MOST_SECONDS,
        "NEVER": workspace.NEVER,
        "MOST_PAGES": MOST_PAGES,
        "NODES": workspace.NODES,
        "NODES_ALLOWED": deepening.NODES_ALLOWED,
        "NO_MOVE": NO_MOVE,
        "ROOT_GUESSES": search_exports.ROOT_GUESSES,
        "ROOT_LINES": search_exports.ROOT_LINES,
        "ROOT_MOVES": search_exports.ROOT_MOVES,
        "ROOT_SCORES": search_exports.ROOT_SCORES,
        "ROOT_DEPTH": deepening.DEPTH,
        "VARIATIONS": deepening.VARIATIONS,
        "ROOT_WORDS": search_exports.ROOT_WORDS,
        "SHARED": workspace.SHARED,
        "SHARED_WORDS": workspace.SHARED_WORDS,
        "STOP": workspace.STOP,
        "SHEET_WORDS": search_exports.SHEET_WORDS,
        "WIN": alphabeta.WIN,
        "WORKSPACE_WORDS": search_exports.WORKSPACE_WORDS,
        "LAW_WORDS": LAW_WORDS,
        "LAYER_BITS": LAYER_BITS,
        "FIRST_BOARD_SOURCE": kernel.FIRST_BOARD_SOURCE,
        "MAX_MOVES": kernel.MAX_MOVES,
        "MAX_LINES": kernel.MAX_LINES,
    }
    return "\n".join(
        [
            "/**",
            " * What the engine shares with the Python package: numbers, types of functions.",
            f" * {WRITTEN_BY}",
            " *",
            *wrapped(f"@typedef {{{{{', '.join(map(function_type, exports))}}}}} Exports"),
            " */",
            *(f"export const {name} = {literal(numbers[name])};" for name in sorted(numbers)),
            f"export const PLACE_ONTO = {json.dumps(list(PLACE_ONTO))};",
            f"export const COVER = {json.dumps(list(COVER))};",
            f"export const REVEAL = {json.dumps(list(REVEAL))};",
            f"export const LINE_SIZES = {json.dumps(list(LINE_SIZES))};",
            "/** The families of rule sets for which weights are learned. */",
            f"export const WEIGHTS = {json.dumps(sorted(learned_families()))};",
            "/** @typedef {{large: number, free: number, small: number, flat: number}} Numbers */",
            "/** @type {Record<string, Numbers>} */",
            "export const ALIASES = {",
            *alias_lines(),
            "};",
            "/** Full strength by the clock. @type {Record<string, number>} */",
            "export const MAXIMUM_SECONDS = {",
            *(f"  {key(level)}: {seconds:.0f}," for level, seconds in MAXIMUM_SECONDS.items()),
            "};",
            "/** @typedef {{nodes: number, depth: number, blur: number, forgets: number, "
            "seesWins: number}} Level */",
            "/**",
            " * The numbered levels of each family of rule sets, weakest first.",
            " *",
            " * @type {{large: Level[], free: Level[], small: Level[], flat: Level[]}}",
            " */",
            "export const LADDERS = {",
            *ladder_lines(),
            "};",
            "/** @typedef {Record<string, Level>} Children */",
            "/**",
            " * The levels below the numbered ones, on boards of 4x4.",
            " *",
            " * @type {{large: Children, free: Children, small?: undefined, flat?: undefined}}",
            " */",
            "export const CHILDREN = {",
            *children_lines(),
            "};",
            "/** What the kernel's states mean; the winner as seen by the player to move. */",
            "export const OUTCOMES = [",
            *(f"  {outcome}," for outcome in outcomes),
            "];",
            "",
        ]
    )


def alias_lines() -> Iterator[str]:
    for name, numbers in ALIASES_OF_LEVELS.items():
        inside = ", ".join(f"{family}: {number}" for family, number in numbers.items())
        yield f"  {name}: {{ {inside} }},"


def ladder_lines() -> Iterator[str]:
    for name, ladder in LADDERS.items():
        yield f"  {name}: ["
        yield from (f"    {level_literal(level)}," for level in ladder)
        yield "  ],"


def children_lines() -> Iterator[str]:
    for name, children in CHILDREN.items():
        yield f"  {name}: {{"
        yield from (
            f"    {key(level)}: {level_literal(child)},"
            for level, child in zip(CHILD_LEVELS, children, strict=True)
        )
        yield "  },"


def level_literal(level: Level) -> str:
    return (
        f"{{ nodes: {level.nodes}, depth: {literal(level.depth)}, blur: {literal(level.blur)}, "
        f"forgets: {literal(level.forgets)}, seesWins: {literal(level.sees_wins)} }}"
    )


def function_type(export: Export) -> str:
    """The type of a compiled function as JavaScript sees it; addresses are numbers."""

    def kind(given: Any) -> str:
        return "bigint" if given is WORD else "number"

    names = inspect.signature(export.function).parameters
    parameters = (
        f"{name}: {kind(each)}" for name, each in zip(names, export.parameters, strict=True)
    )
    return f"{export.name}: ({', '.join(parameters)}) => {kind(export.result)}"


def key(name: str) -> str:
    """The name of a property, quoted only if it has to be."""
    return name if name.isidentifier() else json.dumps(name)


def literal(value: float | str) -> str:
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def main() -> None:
    sources = {
        STATIC / "server" / "types.js": types(openapi_document()),
        STATIC / "board" / "measures.js": measures(),
        STATIC / "engine" / "layout.js": layout(),
        STATIC / "local" / "sentences.js": page_sentences.module_text(WRITTEN_BY),
        STATIC / "workshop" / "fields.js": page_fields.module_text(WRITTEN_BY),
    }
    stale = [
        path
        for path, text in sources.items()
        if not path.exists() or path.read_text("utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        names = ", ".join(path.relative_to(STATIC).as_posix() for path in stale)
        sys.exit(f"{names}: no longer what Python says; run `make generate`" if stale else 0)
    for path in stale:
        path.write_text(sources[path], "utf-8", newline="\n")


if __name__ == "__main__":
    main()
