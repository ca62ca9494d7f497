"""The server's requests as Markdown, from its OpenAPI document."""

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI

from nestline.web.app import add_endpoints

Schema = dict[str, Any]


def requests_in_markdown() -> str:
    api = FastAPI()
    add_endpoints(api)
    document = api.openapi()
    lines = ["## Requests", ""]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            lines += _request(path, method, operation)
    lines += ["## Shapes", ""]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += _shape(name, schema)
    return "\n".join(lines)


def _request(path: str, method: str, operation: Schema) -> Iterator[str]:
    yield f"### `{method.upper()} {path}`\n"
    yield _text(operation.get("description") or operation["summary"]) + "\n"
    rows = [
        (f"`{item['name']}` ({item['in']})", _type(item["schema"]), item.get("description", ""))
        for item in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {})
    rows += [("body", _type(content["schema"]), kind) for kind, content in body.items()]
    if rows:
        yield from _table(("parameter", "type", "means"), rows)
    answers = [
        (status, _answer(answer), answer["description"])
        for status, answer in operation["responses"].items()
    ]
    yield from _table(("answer", "type", "means"), answers)


def _answer(answer: Schema) -> str:
    kinds = answer.get("content", {})
    return ", ".join(_type(content.get("schema", {})) or kind for kind, content in kinds.items())


def _shape(name: str, schema: Schema) -> Iterator[str]:
    yield f"### {name}\n"
    if "description" in schema:
        yield _text(schema["description"]) + "\n"
    rows = [
        (f"`{field}`", _type(inner), inner.get("description", ""))
        for field, inner in schema.get("properties", {}).items()
    ]
    if rows:
        yield from _table(("field", "type", "means"), rows)
    else:
        yield _type(schema) + "\n"


def _table(head: tuple[str, ...], rows: list[tuple[str, str, str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |\n|---|---|---|"
    for row in rows:
        yield f"| {' | '.join(_text(cell).replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def _type(schema: Schema) -> str:
    """A schema in a few words, with links to the shapes it names."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each) for each in schema[several])
    if "const" in schema:
        return f"`{schema['const']!r}`"
    if "enum" in schema:
        return ", ".join(f"`{value!r}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {})) or 'anything'}"
    return str(schema.get("type", ""))


def _text(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")
