"""Clients that do whatever they like: nothing fails, and nothing changes that was refused.

schemathesis fuzzes HTTP from the server's own OpenAPI document; a state machine fuzzes the
WebSocket, and keeps a `Game` of what was acknowledged.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from websockets.exceptions import ConnectionClosed

from nestline import Game, Side
from support.web_driver import WAIT, Facts, Player, Server, checked, create, running
from web.games.test_play import show

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, tictactoe_tables: Path) -> Iterator[Server]:
    """A server on which nobody can make the engine think for long."""
    quick = {"NESTLINE_WEB_ANALYSIS_SECONDS": "0.1", "NESTLINE_WEB_REVIEW_SECONDS_PER_MOVE": "0.01"}
    file = tmp_path_factory.mktemp("fuzz") / "games.sqlite3"
    with running(str(file), tictactoe_tables, quick) as started:
        yield started
        assert not any("Traceback" in line for line in started.log)


def try_everything(server: Server, examples: int) -> None:
    # Imported here, since it takes seconds and all processes of a test run read this file.
    import schemathesis
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    wanted = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    schema = schemathesis.openapi.from_url(f"{server.url}/api/v1/openapi.json")
    count = 0
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(max_examples=examples, suppress_health_check=QUIET, phases=[Phase.generate])
        @given(case=operation.as_strategy())
        def try_one(case: Any) -> None:
            response = case.call(base_url=server.url, timeout=WAIT)
            case.validate_response(response, checks=wanted)

        try_one()
        count += 1
    assert count >= 15


def test_the_api_is_as_its_document_says(server: Server) -> None:
    try_everything(server, 6)


@pytest.mark.full
def test_the_api_is_as_its_document_says_for_long(server: Server) -> None:
    try_everything(server, 300)


SEATS = ["first", "second"]
RULES = "gobblet"
"""With touch-move and draws by agreement it has the most kinds of action."""
PLAIN = [
    "offer-draw", "offer-draw", "offer-draw", "accept-draw", "decline-draw", "ask-undo", "ask-undo",
    "accept-undo", "decline-undo", "undo", "redo", "take-over", "rematch",
]  # fmt: skip
REFUSALS = {
    "not-yours", "token-missing", "stale", "refused", "illegal-move", "invalid", "not-found",
    "bad-request",
}  # fmt: skip
people = st.sampled_from([0, 0, 0, 1, 1, 1, 2])
"""The two players and, less often, the spectator."""
numbers = st.sampled_from([0, 0, 0, 0, 0, 0, -1, 1])
"""Mostly the number of the game, sometimes another one."""
claims = st.sampled_from([None, None, None, None, "first", "second"])


def view_of(player: Player) -> Facts:
    """The game as a client sees it, which got the whole once and then only what was new."""
    told = [json.loads(text).get("game") for text in player.received]
    seen = [facts for facts in told if isinstance(facts, dict)]
    moves: list[Facts] = []
    for facts in seen:
        moves = moves[: facts["moves"]["from"]] + facts["moves"]["list"]
    return {**seen[-1], "moves": {"from": 0, "list": moves}, "you": []}


class Visitors(RuleBasedStateMachine):
    """Two players and a spectator, each of whom may send anything at any time.

    Acknowledged actions are applied to a `Game` here, which must allow them and match the server's.
    Refused ones must change nothing: neither the game nor the database nor any watcher's view.
    """

    def __init__(self, server: Server, look: sqlite3.Connection) -> None:
        super().__init__()
        self.server, self.look = server, look
        self.players: list[Player] = []
        self.begin()

    def begin(self) -> None:
        seats = {"first": {"player": "here"}, "second": {"player": "link"}}
        made = create(self.server, rules=RULES, seats=seats)
        self.id: str = made["game"]["id"]
        with self.server.client() as client:
            invitation = {"invitation": made["invitations"]["second"]}
            joined = checked(client.post(f"/games/{self.id}/join", json=invitation))
        self.tokens = [[made["tokens"]["first"]], [joined["tokens"]["second"]], []]
        self.game = Game(RULES)
        self.asked: tuple[str, Game] | None = None
        """Who asks for a take-back, and the game after it."""
        self.wishes: set[str] = set()
        self.number: int = joined["game"]["number"]
        self.facts = show(self.server, self.id)
        self.last: Facts = {"type": "ping"}
        for player in self.players:
            player.__exit__()
        self.players = [self.connect(who) for who in range(3)]

    def connect(self, who: int) -> Player:
        player = Player(self.server)
        facts = player.watch(self.id, *self.tokens[who])
        # Whoever comes back is up to date at once.
        assert {**facts, "you": []} == self.facts
        return player

    def teardown(self) -> None:
        for player in self.players:
            assert player.ask(type="ping")["type"] == "pong"
            assert view_of(player) == self.facts
            player.__exit__()

    def answer(self, who: int, message: Facts) -> Facts:
        """The server's answer to a message, matched by its `ask`."""
        player = self.players[who]
        player.send(**{**message, "ask": "mark"})
        return player.until(lambda got: got.get("ask") == "mark")

    def try_action(self, who: int, claim: str | None, early: int, **action: Any) -> bool:
        """Send an action, and do it here too if it is acknowledged; returns whether it was."""
        message = {"type": "act", "game": self.id, "number": self.number + early, **action}
        self.last = message if claim is None else {**message, "seat": claim}
        answer = self.answer(who, self.last)
        if answer["type"] == "error":
            assert answer["code"] in REFUSALS
            return False
        # Only the holder of the seat, and only with the current number.
        assert (answer["type"], early, who in (0, 1)) == ("done", 0, True)
        assert claim in (None, SEATS[who])
        self.number += 1
        assert answer["number"] == self.number
        self.do(who, action)
        self.facts = show(self.server, self.id)
        return True

    def do(self, who: int, action: Facts) -> None:
        """Do what was acknowledged to our own game; an error here is a bug in the server."""
        game, seat, name = self.game, Side(who), action["action"]
        asked, self.asked = self.asked, None
        if name == "move":
            game.play(action["move"], by=seat)
        elif name == "touch":
            game.touch(action["square"], by=seat)
        elif name == "land":
            game.land(action["square"], by=seat)
        elif name == "resign":
            game.resign(seat)
        elif name in ("offer-draw", "decline-draw"):
            (game.offer_draw if name == "offer-draw" else game.decline_draw)(seat)
            self.asked = asked
        elif name == "accept-draw":
            game.accept_draw(seat)
        elif name == "ask-undo":
            assert asked is None
            back = game.copy()
            back.undo(agreed=True)
            while back.turn != seat:
                back.undo(agreed=True)
            self.asked = SEATS[who], back
        elif name in ("accept-undo", "decline-undo"):
            assert asked is not None
            assert asked[0] != SEATS[who]
            if name == "accept-undo":
                self.game = asked[1]
        else:
            assert name == "rematch", f"{name} is nothing that two people can do"
            assert game.outcome
            assert SEATS[who] not in self.wishes
            self.wishes.add(SEATS[who])

    def some_move(self, chosen: int) -> str:
        """A legal move, if there is one."""
        legal = self.game.legal_moves()
        return str(legal[chosen % len(legal)]) if legal else "4b2"

    @rule(chosen=st.integers(0, 999), claims_seat=st.booleans())
    def move(self, chosen: int, claims_seat: bool) -> None:
        who = int(self.game.turn)
        claim = SEATS[who] if claims_seat else None
        is_over = self.game.outcome is not None
        done = self.try_action(who, claim, 0, action="move", move=self.some_move(chosen))
        assert done != is_over

    @rule(chosen=st.integers(0, 999), early=st.sampled_from([-1, -1, 1, -1000, 10**6]))
    def move_at_another_number(self, chosen: int, early: int) -> None:
        who, move = int(self.game.turn), self.some_move(chosen)
        assert not self.try_action(who, None, early, action="move", move=move)

    @rule(chosen=st.integers(0, 999), is_spectator=st.booleans(), claim=claims)
    def move_for_others(self, chosen: int, is_spectator: bool, claim: str | None) -> None:
        who = 2 if is_spectator else int(self.game.turn.other)
        assert not self.try_action(who, claim, 0, action="move", move=self.some_move(chosen))

    @rule(who=people, origin=st.sampled_from(["1", "4", "a1", "b2", "d4"]),
          landing=st.sampled_from(["a1", "b2", "c3", "e5"]), claim=claims)  # fmt: skip
    def move_anything(self, who: int, origin: str, landing: str, claim: str | None) -> None:
        self.try_action(who, claim, 0, action="move", move=origin + landing)

    @rule(who=people, action=st.sampled_from(["touch", "land"]), chosen=st.integers(0, 16),
          claim=claims, early=numbers)  # fmt: skip
    def lift(self, who: int, action: str, chosen: int, claim: str | None, early: int) -> None:
        square = [*self.game.rules.square_names, "e5"][chosen]
        self.try_action(who, claim, early, action=action, square=square)

    @rule(who=people, action=st.sampled_from(PLAIN), claim=claims, early=numbers)
    def talk(self, who: int, action: str, claim: str | None, early: int) -> None:
        self.try_action(who, claim, early, action=action)

    @rule(who=people, claim=st.sampled_from(SEATS))
    def resign_for_others(self, who: int, claim: str) -> None:
        if who == 2 or claim != SEATS[who]:
            assert not self.try_action(who, claim, 0, action="resign")

    @rule(who=st.integers(0, 1), is_meant=st.sampled_from([False, False, True]))
    def resign(self, who: int, is_meant: bool) -> None:
        if is_meant:
            is_fine = self.game.outcome is None
            assert self.try_action(who, None, 0, action="resign") == is_fine

    @precondition(lambda self: self.game.outcome is not None)
    @rule()
    def play_another_game(self) -> None:
        self.begin()

    @rule(who=people)
    def repeat(self, who: int) -> None:
        """The same message again, from the same or another connection: never done twice."""
        if self.last.get("number", -1) < self.number:
            assert self.answer(who, self.last)["type"] in ("error", "pong")

    @rule(
        who=people,
        kind=st.sampled_from(["act", "watch", "peek", "stop", "leave!", "analyse", "review", "x"]),
        more=st.dictionaries(
            st.sampled_from(["game", "action", "move", "number", "square", "rules", "record", "y"]),
            st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.just([[]]),
        ),
        is_ours=st.booleans(),
    )
    def nonsense(self, who: int, kind: str, more: dict[str, Any], is_ours: bool) -> None:
        message = {**more, "type": kind} | ({"game": self.id} if is_ours else {})
        answer = self.answer(who, message)
        if answer["type"] == "game":
            # This player now watches without a token.
            self.reconnect(who)
        else:
            assert answer["type"] == "stopped" or answer["code"] in REFUSALS

    @rule(who=people, text=st.text(max_size=30) | st.binary(max_size=30))
    def noise(self, who: int, text: str | bytes) -> None:
        self.players[who].socket.send(text)
        assert self.players[who].until(lambda got: got["type"] == "error")["code"] in REFUSALS

    @rule(who=people)
    def oversized(self, who: int) -> None:
        self.players[who].socket.send(json.dumps({"type": "ping", "ask": "x" * 70_000}))
        with pytest.raises(ConnectionClosed):
            self.players[who].until(lambda got: False)
        self.reconnect(who)

    @rule(who=people)
    def reconnect(self, who: int) -> None:
        self.players[who].__exit__()
        self.players[who] = self.connect(who)

    @invariant()
    def nothing_changed_but_by_what_was_acknowledged(self) -> None:
        assert show(self.server, self.id) == self.facts
        row = self.look.execute("SELECT number FROM games WHERE id = ?", [self.id])
        assert row.fetchone() == (self.number,)
        row = self.look.execute("SELECT count(*) FROM actions WHERE game = ?", [self.id])
        assert row.fetchone() == (self.number,)

    @invariant()
    def the_servers_game_is_the_one_that_was_acknowledged(self) -> None:
        facts, game = self.facts, self.game
        assert facts["number"] == self.number
        assert [item["move"] for item in facts["moves"]["list"]] == list(map(str, game.moves))
        assert facts["board"]["text"] == str(game.position)
        assert facts["legal"] == [str(move) for move in game.legal_moves()]
        assert facts["text"] == game.explain()
        assert facts["touched"] == game.touched
        assert facts["draw_offer"] == (None if game.draw_offer is None else str(game.draw_offer))
        asked = {"seat": self.asked[0], "ply": self.asked[1].ply} if self.asked else None
        assert facts["undo_request"] == asked
        assert set(facts["rematch_offers"]) == self.wishes


def run_visitors(server: Server, examples: int, steps: int) -> None:
    with closing(sqlite3.connect(server.database, isolation_level=None)) as look:
        run_state_machine_as_test(  # type: ignore[no-untyped-call]
            lambda: Visitors(server, look),
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                suppress_health_check=QUIET,
                phases=[Phase.generate],
            ),
        )


def test_visitors_who_send_anything_change_nothing_they_may_not(server: Server) -> None:
    run_visitors(server, 12, 50)


@pytest.mark.full
def test_visitors_who_send_anything_for_long(server: Server) -> None:
    run_visitors(server, 200, 100)
