"""Clients that do whatever they like: nothing fails, and nothing changes that was refused.

HTTP is tried by schemathesis, from the OpenAPI document the server itself tells; the WebSocket by
a state machine that keeps a `Game` of what was acknowledged.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

from nestline import Game
from web.test_web_play import show
from web_driver import WAIT, Facts, Player, Server, checked, create, running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, tictactoe_tables: Path) -> Iterator[Server]:
    """One on which nobody can make the engine think for long."""
    quick = {"NESTLINE_WEB_ANALYSIS_SECONDS": "0.1", "NESTLINE_WEB_REVIEW_SECONDS_PER_MOVE": "0.01"}
    file = tmp_path_factory.mktemp("fuzz") / "games.sqlite3"
    with running(str(file), tictactoe_tables, quick) as started:
        yield started
        assert not any("Traceback" in line for line in started.log)


def try_everything(server: Server, examples: int) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    count = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(max_examples=examples, suppress_health_check=QUIET, phases=[Phase.generate])
        @given(case=operation.as_strategy())
        def try_one(case: Any) -> None:
            response = case.call(base_url=server.url, timeout=WAIT)
            case.validate_response(response, checks=CHECKS)

        try_one()
        count += 1
    assert count >= 15


def test_the_api_is_as_its_document_says(server: Server) -> None:
    try_everything(server, 6)


@pytest.mark.full
def test_the_api_is_as_its_document_says_for_long(server: Server) -> None:
    try_everything(server, 300)


class Visitors(RuleBasedStateMachine):
    """Two players and a spectator, of whom each may send anything at any time."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server
        seats = {"first": {"player": "here"}, "second": {"player": "link"}}
        made = create(server, rules="gobblers", seats=seats)
        self.id: str = made["game"]["id"]
        with server.client() as client:
            invitation = {"invitation": made["invitations"]["second"]}
            joined = checked(client.post(f"/games/{self.id}/join", json=invitation))
        self.tokens = [[made["tokens"]["first"]], [joined["tokens"]["second"]], []]
        self.game = Game("gobblers")
        self.number: int = joined["game"]["number"]
        self.last: Facts = {"type": "ping"}
        self.players = [self.connect(who) for who in range(3)]

    def connect(self, who: int) -> Player:
        player = Player(self.server)
        facts = player.watch(self.id, *self.tokens[who])
        # Who comes back is up to date at once.
        assert facts["number"] == self.number
        return player

    def teardown(self) -> None:
        for player in self.players:
            player.__exit__()

    def answer(self, who: int, message: Facts) -> Facts:
        """What the server says to a message, which is marked to be recognised."""
        player = self.players[who]
        player.send(**{**message, "ask": "mark"})
        return player.until(lambda got: got.get("ask") == "mark")

    @rule(who=st.integers(0, 2), chosen=st.integers(0, 99), early=st.sampled_from([0, 0, 0, -1, 1]))
    def move(self, who: int, chosen: int, early: int) -> None:
        legal = self.game.legal_moves() if self.game.outcome is None else []
        move = str(legal[chosen % len(legal)]) if legal else "3b2"
        self.last = {
            "type": "act", "game": self.id, "action": "move", "move": move,
            "number": self.number + early,
        }  # fmt: skip
        answer = self.answer(who, self.last)
        if legal and who == self.game.turn and early == 0:
            self.game.play(move)
            self.number += 1
            assert (answer["type"], answer["number"]) == ("done", self.number)
        else:
            assert answer["type"] == "error"
            assert answer["code"] in ("not-yours", "token-missing", "stale", "refused", "invalid")

    @rule(who=st.integers(0, 2))
    def repeat(self, who: int) -> None:
        """The same message again, from the same or another connection: never done twice."""
        if self.last.get("number", -1) < self.number:
            assert self.answer(who, self.last)["type"] in ("error", "pong")

    @rule(who=st.integers(0, 2), seat=st.sampled_from(["first", "second"]))
    def resign_for_others(self, who: int, seat: str) -> None:
        if who != ["first", "second"].index(seat):
            message = {"type": "act", "game": self.id, "action": "resign", "seat": seat}
            answer = self.answer(who, {**message, "number": self.number})
            assert answer["type"] == "error"
            assert answer["code"] in ("not-yours", "token-missing")

    @rule(
        who=st.integers(0, 2),
        kind=st.sampled_from(["act", "watch", "peek", "stop", "leave!", "analyse", "review", "x"]),
        more=st.dictionaries(
            st.sampled_from(["game", "action", "move", "number", "square", "rules", "record", "y"]),
            st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.just([[]]),
        ),
    )
    def nonsense(self, who: int, kind: str, more: dict[str, Any]) -> None:
        answer = self.answer(who, {**more, "type": kind})
        assert answer["type"] in ("error", "stopped")
        assert answer.get("code") != "failed"

    @rule(who=st.integers(0, 2), text=st.text(max_size=30) | st.binary(max_size=30))
    def noise(self, who: int, text: str | bytes) -> None:
        self.players[who].socket.send(text)
        assert self.players[who].until(lambda got: got["type"] == "error")["code"] != "failed"

    @rule(who=st.integers(0, 2))
    def oversized(self, who: int) -> None:
        self.players[who].socket.send(json.dumps({"type": "ping", "ask": "x" * 70_000}))
        with pytest.raises(ConnectionClosed):
            self.players[who].until(lambda got: False)
        self.reconnect(who)

    @rule(who=st.integers(0, 2))
    def reconnect(self, who: int) -> None:
        self.players[who].__exit__()
        self.players[who] = self.connect(who)

    @invariant()
    def the_servers_game_is_what_was_acknowledged(self) -> None:
        facts = show(self.server, self.id)
        assert facts["number"] == self.number
        assert [item["move"] for item in facts["moves"]["list"]] == [
            str(move) for move in self.game.moves
        ]
        assert facts["board"]["text"] == str(self.game.position)
        assert (facts["outcome"] is None) == (self.game.outcome is None)


def run_visitors(server: Server, examples: int, steps: int) -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        lambda: Visitors(server),
        settings=settings(
            max_examples=examples, stateful_step_count=steps, suppress_health_check=QUIET
        ),
    )


def test_visitors_who_send_anything_change_nothing_they_may_not(server: Server) -> None:
    run_visitors(server, 12, 25)


@pytest.mark.full
def test_visitors_who_send_anything_for_long(server: Server) -> None:
    run_visitors(server, 300, 50)
