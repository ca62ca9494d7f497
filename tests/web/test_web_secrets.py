"""Peek and memory: no byte that a client receives depends on what it may not see.

Two worlds are compared. They differ in nothing but the pieces that lie covered; as long as nobody
lifts what covers them, a client must receive the same bytes in both. Besides, every message of
random games is searched for what only an open game may show.
"""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from nestline import Game, Move, Position, Side, load_rules
from web.conftest import Servers
from web.test_web_play import LINK, act, show
from web_driver import Facts, Player, Refused, Server, checked, create

RULES = "gobblers-official"
STACK = re.compile(r"[wb][1-4][wb][1-4]")


def worlds(chance: random.Random) -> tuple[Position, Position]:
    """Two positions with the same tops and the same reserves, and other pieces covered."""
    rules = load_rules(RULES)
    while True:
        squares = chance.sample(rules.square_names, 4)
        tops = [(Side(chance.randint(0, 1)), 3 if place < 2 else 2) for place in range(4)]
        covered = [(Side.FIRST, 1), (Side.SECOND, 1)]
        worlds = []
        for order in (covered, covered[::-1]):
            stacks = {square: (top,) for square, top in zip(squares, tops, strict=True)}
            for square, piece in zip(squares, order, strict=False):
                stacks[square] = (piece, *stacks[square])
            worlds.append(Position.from_stacks(stacks, Side.FIRST, rules))
        first, second = worlds
        if first.outcome() is None and second.outcome() is None:
            return first, second


class World:
    """One game, with both players and a spectator, and everything they received."""

    def __init__(self, servers: Servers, position: Position, visibility: str) -> None:
        made = create(servers.one, rules=RULES, seats=LINK, position=str(position),
                      visibility=visibility)  # fmt: skip
        self.game = made["game"]["id"]
        self.secrets = [self.game, *made["tokens"].values(), *made["invitations"].values()]
        self.http: list[str] = [json.dumps(made)]
        self.servers = servers
        with servers.other.client() as client:
            invitation = {"invitation": made["invitations"]["second"]}
            joined = checked(client.post(f"/games/{self.game}/join", json=invitation))
        self.http.append(json.dumps(joined))
        self.tokens = [made["tokens"]["first"], joined["tokens"]["second"]]
        self.secrets += self.tokens
        self.players = [Player(servers.one), Player(servers.other), Player(servers.other)]
        for player, token in zip(self.players, [*self.tokens, None], strict=True):
            player.watch(self.game, *([token] if token else []))
        self.number = 1

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *error: object) -> None:
        for player in self.players:
            player.__exit__()

    def play(self, side: Side, move: str) -> None:
        self.number = self.players[side].act(self.game, "move", self.number, move=move)
        for player in (self.players[side.other], self.players[2]):
            player.game_at(self.number)

    def try_all(self, position: Position) -> None:
        """Ask for everything a client can ask for, and keep the answers, refusals too."""
        for token in (*self.tokens, None):
            with self.servers.one.client(token) as client:
                for path in ("", "/record", "/picture", "/picture?flip=true&reserves=false"):
                    self.http.append(client.get(f"/games/{self.game}{path}").text)
        for side in Side:
            with self.servers.other.client(self.tokens[side]) as client:
                for request in (
                    {"action": "move", "move": "3a1"},
                    {"action": "move", "move": "a1a2"},
                    {"action": "move", "move": "b2c3"},
                    {"action": "ask-undo"},
                    {"action": "undo", "ply": 0},
                    {"action": "accept-draw"},
                ):
                    if request["action"] != "move" or side != position.turn:
                        response = client.post(
                            f"/games/{self.game}/actions", json={**request, "number": self.number}
                        )
                        self.http.append(response.text)
                        if response.status_code == 200:
                            self.number += 1
                            declined = self.players[side.other].act(
                                self.game, "decline-undo", self.number
                            )
                            self.number = declined

    def received(self) -> dict[tuple[object, ...], str]:
        """Everything received, with what is different in every game made alike.

        Messages about the game go by their number: a process that hears of two changes at once
        tells its watchers of the later one.
        """
        texts: dict[tuple[object, ...], str] = {}
        for place, player in enumerate(self.players):
            for count, text in enumerate(player.received):
                message = json.loads(text)
                is_push = message["type"] == "game" and "ask" not in message
                key = ("push", message["game"]["number"]) if is_push else ("answer", count)
                if is_push or message["type"] != "done":
                    texts[place, *key] = text
        texts |= {("http", count): text for count, text in enumerate(self.http)}
        return {key: self._alike(text) for key, text in texts.items()}

    def _alike(self, text: str) -> str:
        for place, secret in enumerate(self.secrets):
            text = text.replace(secret, f"<{place}>")
        text = re.sub(r'"(created|changed)": ?"[^"]*"', "", text)
        return re.sub(r"nestline-[0-9a-f]{10}-", "", text)


@pytest.mark.parametrize("visibility", ["peek", "memory"])
def test_what_is_covered_makes_no_difference(servers: Servers, visibility: str) -> None:
    for seed in range(2 if servers.one is servers.other else 1):
        chance = random.Random(f"{visibility} {seed}")
        positions = list(worlds(chance))
        with (
            World(servers, positions[0], visibility) as one,
            World(servers, positions[1], visibility) as other,
        ):
            for step in range(8):
                move = common_move(positions, chance)
                if move is None:
                    break
                for number, world in enumerate((one, other)):
                    if step in (1, 4):
                        world.try_all(positions[number])
                    world.play(positions[number].turn, str(move))
                    positions[number] = positions[number].play(move)
            assert one.number == other.number > 5
            here, there = one.received(), other.received()
            common = here.keys() & there.keys()
            assert len(common) > 20
            assert (2, "push", one.number) in common
            assert {key: here[key] for key in common} == {key: there[key] for key in common}


def common_move(positions: list[Position], chance: random.Random) -> Move | None:
    """A move that is legal in both worlds, ends neither, and uncovers nothing."""
    moves = [
        move
        for move in positions[0].legal_moves()
        if (move.origin is None or len(positions[0].stack(move.origin)) == 1)
        and all(position.play(move).outcome() is None for position in positions)
    ]
    return chance.choice(moves) if moves else None


def test_the_test_notices_a_difference(server: Server) -> None:
    """In an open game the two worlds are told apart, so the comparison above can fail."""
    servers = Servers(server, server)
    first, second = worlds(random.Random(1))
    with World(servers, first, "open") as one, World(servers, second, "open") as other:
        assert one.received() != other.received()


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a message, the names of fields included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


def check_hidden(facts: Facts, game: Game) -> None:
    """A running game shows the tops, and nothing that follows from what is under them."""
    assert facts["hidden"]
    assert facts["board"]["stacks"] == {
        square: [f"{'wb'[stack[-1].side]}{stack[-1].size}"]
        for square, stack in game.position.stacks.items()
    }
    assert facts["moves"] == {"from": 0, "list": []}
    assert facts["dangerous"] == []
    assert not any(STACK.search(text) for text in texts_in(facts["board"]))
    assert not any(STACK.search(text) for text in texts_in(facts["start"]))


@pytest.mark.parametrize("visibility", ["peek", "memory"])
def test_random_games_tell_the_tops_only_until_the_end(servers: Servers, visibility: str) -> None:
    for seed in range(2):
        chance = random.Random(f"{visibility} {seed}")
        made = create(servers.one, rules=RULES, visibility=visibility)
        game, token = made["game"]["id"], made["tokens"]["first"]
        mirror = Game(RULES, visibility=visibility)
        with Player(servers.one) as player, Player(servers.other) as spectator:
            player.watch(game, token)
            spectator.watch(game)
            number = 0
            while not mirror.outcome:
                check_hidden(show(servers.other, game, token), mirror)
                move = chance.choice(mirror.legal_moves())
                mirror.play(move)
                number = player.act(game, "move", number, move=str(move))
                facts = spectator.game_at(number)
                if not mirror.outcome:
                    check_hidden(facts, mirror)
            # Now everything is told, to everybody, from the first move on.
            assert facts["moves"]["from"] == 0
            assert [item["move"] for item in facts["moves"]["list"]] == list(map(str, mirror.moves))
            assert facts["board"]["text"] == str(mirror.position)
            for text in player.received + spectator.received:
                message = json.loads(text).get("game")
                if isinstance(message, dict) and message["outcome"] is None:
                    assert not STACK.search(message["board"]["text"])
            with servers.one.client() as client:
                assert "1. " in checked(client.get(f"/games/{game}/record"))


def test_peeking_shows_what_lies_under_own_pieces_to_the_one_who_looks(servers: Servers) -> None:
    made = create(servers.one, rules=RULES, seats=LINK, visibility="peek",
                  position="x3/x,b1w3,x/w1b2,x2 w")  # fmt: skip
    game, first = made["game"]["id"], made["tokens"]["first"]
    with servers.other.client() as client:
        invitation = {"invitation": made["invitations"]["second"]}
        second = checked(client.post(f"/games/{game}/join", json=invitation))["tokens"]["second"]
    with Player(servers.one) as ann, Player(servers.other) as bob:
        ann.watch(game, first)
        bob.watch(game, second)
        assert ann.ask(type="peek", game=game, square="b2")["stack"] == ["b1", "w3"]
        with pytest.raises(Refused) as foreign:
            ann.ask(type="peek", game=game, square="a1")
        assert "can only lift own pieces" in foreign.value.message
        assert bob.ask(type="peek", game=game, square="a1")["stack"] == ["w1", "b2"]
        with servers.other.client(first) as client:
            seen = checked(client.post(f"/games/{game}/peek", json={"square": "b2"}))
        assert seen == {"square": "b2", "stack": ["b1", "w3"], "number": 1}
        assert bob.ask(type="ping")["type"] == "pong"
        assert not any("b1" in text and "w3" in text and "peeked" in text for text in bob.received)


def test_in_memory_games_nobody_peeks_and_lifting_is_not_taken_back(servers: Servers) -> None:
    made = create(servers.one, rules=RULES, visibility="memory", position="x3/x,b1w3,x/w1b2,x2 w")
    game, token = made["game"]["id"], made["tokens"]["first"]
    with servers.one.client(token) as client:
        refused = client.post(f"/games/{game}/peek", json={"square": "b2", "seat": "first"})
        assert refused.status_code == 409
        assert "played from memory" in refused.json()["error"]["message"]
        assert client.get(f"/games/{game}/record").status_code == 409
    act(servers.one, game, token, "move", 0, move="1c3")
    assert act(servers.one, game, token, "undo", 1)["ply"] == 0
    act(servers.one, game, token, "move", 2, move="b2c3")
    with pytest.raises(Refused) as refused_undo:
        act(servers.one, game, token, "undo", 3)
    assert "would be a look under it" in refused_undo.value.message
    act(servers.one, game, token, "resign", 3)
    with pytest.raises(Refused) as shown:
        act(servers.one, game, token, "undo", 4)
    assert "cannot go on" in shown.value.message
