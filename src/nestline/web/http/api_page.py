"""The OpenAPI document as a readable page: plain HTML made on the server, without scripts.

FastAPI's own pages load scripts from elsewhere, which our content-security-policy forbids.
"""

import json
from functools import cache
from html import escape
from typing import Any

from fastapi import FastAPI
from starlette.responses import HTMLResponse, Response

from nestline.web.http.responses import Asker, Server, json_response

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; } h3 code { font-size: 1.05rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .92rem; }
table { border-collapse: collapse; margin: .5rem 0; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; }
th { font-weight: 600; } section { border-top: 1px solid #8886; padding: .2rem 0 1rem; }
.method { font-weight: 700; }
"""


def add_page(api: FastAPI, prefix: str) -> None:
    """Serve the document, the page and its style. FastAPI would make the document on the event
    loop, where everybody waits for it."""

    @cache
    def document() -> str:
        return json.dumps(api.openapi())

    @cache
    def written() -> str:
        return page(json.loads(document()), prefix)

    @api.get(f"{prefix}/openapi.json", include_in_schema=False)
    async def openapi(server: Server, asker: Asker) -> Response:
        return json_response(await server.executor.run(asker.client, document))

    @api.get(f"{prefix}/docs", include_in_schema=False)
    async def documentation(server: Server, asker: Asker) -> HTMLResponse:
        return HTMLResponse(await server.executor.run(asker.client, written))

    @api.get(f"{prefix}/docs/style.css", include_in_schema=False)
    async def style() -> Response:
        return Response(STYLE, media_type="text/css")


def page(document: dict[str, Any], prefix: str) -> str:
    """The whole page."""
    operations = [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = document["components"]["schemas"]
    body = "".join(_operation(*operation) for operation in operations)
    shapes = "".join(_schema(name, schemas[name]) for name in sorted(schemas))
    title = f"{escape(document['info']['title'])} {escape(document['info']['version'])}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}: API</title><link rel="stylesheet" href="{prefix}/docs/style.css"></head>'
        f"<body><main><h1>{title}</h1><p>{escape(document['info']['description'])}</p>"
        f'<p>For programs: <a href="{prefix}/openapi.json">openapi.json</a>.</p>'
        f"<h2>Requests</h2>{body}<h2>Shapes</h2>{shapes}</main></body></html>"
    )


def _operation(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = [
        _row(f"<code>{escape(item['name'])}</code> ({escape(item['in'])})", _type(item["schema"]),
             item.get("description", ""))
        for item in operation.get("parameters", ())
    ]  # fmt: skip
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]["schema"]
        rows.append(_row("body", _type(content), ""))
    for status, response in operation["responses"].items():
        kinds = response.get("content", {})
        shown = " or ".join(
            _type(kind["schema"]) if "schema" in kind else escape(name)
            for name, kind in kinds.items()
        )
        rows.append(_row(escape(status), shown, ""))
    return (
        f'<section><h3><code><span class="method">{method.upper()}</span> {escape(path)}'
        f"</code></h3>"
        f"<p>{escape(operation.get('description', ''))}</p><table>{''.join(rows)}</table></section>"
    )


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = [
        _row(
            f"<code>{escape(key)}</code>",
            _type(value),
            "" if key in required or "default" not in value else f"default {value['default']!r}",
        )
        for key, value in schema.get("properties", {}).items()
    ]
    about = escape(schema.get("description", "").split("\n\n")[0])
    return (
        f'<section id="{escape(name)}"><h3><code>{escape(name)}</code></h3>'
        f"<p>{about}</p><table>{''.join(rows)}</table></section>"
    )


def _row(*cells: str) -> str:
    first, second, third = cells
    return f'<tr><th scope="row">{first}</th><td>{second}</td><td>{escape(third)}</td></tr>'


def _type(schema: dict[str, Any]) -> str:
    """What a value may be, in a few words."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_type(part) for part in schema[key])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(word))}</code>" for word in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("type", "any")))
