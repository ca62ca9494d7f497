"""The OpenAPI document: clients generate their types from it, so it has to be precise."""

from typing import Any

import pytest

from nestline.rules import load_rules, rule_set_names
from nestline.rules.schema import FIELDS
from nestline.web.http.answers import RuleSetAnswer
from support.web_driver import Server


@pytest.fixture(scope="module")
def schemas(on_sqlite: Any) -> dict[str, Any]:
    document = on_sqlite.one.get("/api/v1/openapi.json").json()
    return document["components"]["schemas"]  # type: ignore[no-any-return]


def test_every_field_of_a_rule_set_is_in_the_api(schemas: dict[str, Any]) -> None:
    described = schemas["RuleSetAnswer"]
    assert set(FIELDS) <= set(described["properties"])
    assert set(described["required"]) == set(described["properties"])
    kinds = {int: "integer", bool: "boolean", str: "string", tuple: "array"}
    for name, value in load_rules("gobblet").fields().items():
        assert described["properties"][name]["type"] == kinds[type(value)], name


@pytest.mark.parametrize("name", rule_set_names())
def test_rule_sets_are_sent_as_described(server: Server, name: str) -> None:
    answer = server.get(f"/api/v1/rules/{name}").json()
    assert set(RuleSetAnswer.model_validate(answer).model_dump()) == set(answer)


def test_only_what_can_be_null_is_described_so(schemas: dict[str, Any]) -> None:
    def nullable(name: str) -> set[str]:
        return {
            key for key, value in schemas[name]["properties"].items()
            if {"type": "null"} in value.get("anyOf", [])
        }  # fmt: skip

    assert nullable("GameAnswer") == {
        "ply_limit", "last_move", "touched", "draw_offer", "undo_request", "outcome", "thinking",
        "expires",
        "rematch", "event",
    }  # fmt: skip
    assert nullable("Judgement") == {"value", "distance", "score", "depth"}
    # Omitted where they do not apply, but never null.
    assert nullable("ErrorDetails") == set()
    assert schemas["ErrorDetails"]["required"] == ["code", "message"]
