"""Peek and memory: no byte that a client receives depends on what it may not see.

Two worlds are compared. They differ only in the covered pieces; as long as nobody lifts what covers
them, a client must receive the same bytes in both. In addition, every message of random games is
searched for what only an open game may show.
"""

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from nestline import Game, Move, Position, Side
from support.web_driver import Facts, Player, Refused, Server, checked, create
from web.conftest import Servers
from web.games.test_play import LINK, act, show

RULES = "gobblers-official"
RULES_OF = {"peek": RULES, "memory": "gobblet"}
"""One rule set that allows peeking; any with stacks can be played from memory, and this one has
touch-move."""
STACK = re.compile(r"[wb][1-4][wb][1-4]")


def worlds(rules: str, chance: random.Random) -> tuple[Position, Position]:
    """Two positions with the same tops and reserves, but different covered pieces."""
    while True:
        game = Game(rules)
        while game.outcome is None and game.ply < 40:
            game.play(chance.choice(game.legal_moves()))
            swapped = swap_covered(game.position)
            if game.outcome is None and swapped is not None and swapped.outcome() is None:
                return game.position, swapped


def swap_covered(position: Position) -> Position | None:
    """The position with two covered pieces of one size but different sides swapped."""
    covered = [
        (square, place, piece)
        for square, stack in position.stacks.items()
        for place, piece in enumerate(stack[:-1])
    ]
    for square, place, piece in covered:
        for other_square, other_place, other in covered:
            if piece.size == other.size and piece.side < other.side and square != other_square:
                stacks = {name: list(stack) for name, stack in position.stacks.items()}
                stacks[square][place], stacks[other_square][other_place] = other, piece
                return Position.from_stacks(stacks, position.turn, position.rules)
    return None


class World:
    """One game, with both players and a spectator, and everything they received."""

    def __init__(self, servers: Servers, position: Position, visibility: str) -> None:
        made = create(servers.one, rules=position.rules.name, seats=LINK, position=str(position),
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
        """Ask for everything a client can ask for, and keep the answers, including refusals."""
        for token in (*self.tokens, None):
            with self.servers.one.client(token) as client:
                for path in ("", "/record", "/picture", "/picture?flip=true&reserves=false"):
                    self.http.append(client.get(f"/games/{self.game}{path}").text)
        squares = position.rules.square_names
        sizes = range(1, position.rules.sizes + 1)
        legal = {str(move) for move in position.legal_moves()}
        spelled = [f"{size}{square}" for size in sizes for square in squares]
        spelled += [f"{origin}{target}" for origin in squares for target in squares]
        illegal = [move for move in spelled if move not in legal]
        foreign = [name for name in squares if (top := position.top(name)) is None
                   or top.side != position.turn]  # fmt: skip
        mover, waiter, spectator = (
            self.players[position.turn], self.players[position.turn.other], self.players[2]
        )  # fmt: skip
        for move in illegal[:: 1 + len(illegal) // 40]:
            self.refused(mover, "act", action="move", move=move)
        for square in foreign:
            self.refused(mover, "act", action="touch", square=square)
            self.refused(mover, "act", action="land", square=square)
            self.refused(mover, "peek", square=square)
        for player in (waiter, spectator):
            for move in (*illegal[:3], *sorted(legal)[:3]):
                self.refused(player, "act", action="move", move=move)
            for action in ("undo", "redo", "accept-draw", "accept-undo", "rematch"):
                self.refused(player, "act", action=action)
        self.refused(spectator, "peek", square=squares[0])
        self.refused(spectator, "act", action="ask-undo")
        for side in Side:
            with suppress(Refused):
                self.number = self.players[side].act(self.game, "ask-undo", self.number)
                self.number = self.players[side.other].act(self.game, "decline-undo", self.number)

    def refused(self, player: Player, kind: str, **more: str) -> None:
        """Ask for something that is refused; the answer is kept with what the player received."""
        number = {"number": self.number} if kind == "act" else {}
        with pytest.raises(Refused):
            player.ask(type=kind, game=self.game, **number, **more)

    def received(self) -> dict[tuple[object, ...], str]:
        """Everything received, with what differs from game to game normalised.

        Messages about the game are keyed by its number: a process that hears of two changes at
        once sends its watchers only the later one. When players are told who is present is a
        matter of time, so those messages are only checked to tell nothing else.
        """
        texts: dict[tuple[object, ...], str] = {}
        for place, player in enumerate(self.players):
            for text in player.received:
                message = json.loads(text)
                if message["type"] == "presence":
                    assert message.keys() == {"type", "game", "seats"}
                elif "ask" not in message:
                    texts[place, "push", message["game"]["number"]] = text
                elif message["type"] != "done":
                    texts[place, "answer", message["ask"]] = text
        texts |= {("http", count): text for count, text in enumerate(self.http)}
        return {key: self._alike(text) for key, text in texts.items()}

    def _alike(self, text: str) -> str:
        for place, secret in enumerate(self.secrets):
            text = text.replace(secret, f"<{place}>")
        text = re.sub(r'"(created|changed|expires)": ?"[^"]*"', "", text)
        return re.sub(r"nestline-[0-9a-f]{10}-", "", text)


@pytest.mark.parametrize("visibility", ["peek", "memory"])
def test_what_is_covered_makes_no_difference(servers: Servers, visibility: str) -> None:
    for seed in range(2 if servers.one is servers.other else 1):
        chance = random.Random(f"{visibility} {seed}")
        positions = list(worlds(RULES_OF[visibility], chance))
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
    """In an open game the two worlds differ, so the comparison above can fail."""
    servers = Servers(server, server)
    first, second = worlds(RULES, random.Random(1))
    with World(servers, first, "open") as one, World(servers, second, "open") as other:
        assert one.received() != other.received()


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a message, including the names of fields."""
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
    """A running game shows only the tops, and nothing that depends on what is under them."""
    assert facts["hidden"]
    assert facts["board"]["stacks"] == {
        square: [f"{'wb'[stack[-1].side]}{stack[-1].size}"]
        for square, stack in game.position.stacks.items()
    }
    assert facts["moves"] == {"from": 0, "list": []}
    assert facts["dangerous"] == []
    assert not any(STACK.search(text) for text in texts_in(facts["board"]))
    assert not any(STACK.search(text) for text in texts_in(facts["start"]))


def check_message(message: Facts, game: str) -> None:
    """Nothing in a message of a running game looks like a stack, or is a list of one."""
    facts = message.get("game")
    if not isinstance(facts, dict):
        assert facts in (game, None)
        assert message["type"] == "done"
    elif facts["outcome"] is None:
        # Moves look like stacks, and everybody sees them: what can be played, and what was.
        rest = {key: facts[key] for key in facts if key not in ("id", "legal", "last_move")}
        assert not any(STACK.search(text) for text in texts_in(rest)), message
        for board in (facts["start"], facts["board"]):
            assert all(len(stack) == 1 for stack in board["stacks"].values())


@pytest.mark.parametrize("visibility", ["peek", "memory"])
def test_random_games_tell_the_tops_only_until_the_end(servers: Servers, visibility: str) -> None:
    for seed in range(2):
        chance = random.Random(f"{visibility} {seed}")
        rules = RULES_OF[visibility]
        made = create(servers.one, rules=rules, visibility=visibility)
        game, token = made["game"]["id"], made["tokens"]["first"]
        mirror = Game(rules, visibility=visibility)
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
            # Now everybody sees everything, from the first move on.
            assert facts["moves"]["from"] == 0
            assert [item["move"] for item in facts["moves"]["list"]] == list(map(str, mirror.moves))
            assert facts["board"]["text"] == str(mirror.position)
            for text in player.received + spectator.received:
                check_message(json.loads(text), game)
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


def test_in_memory_games_nobody_peeks_and_covering_is_not_taken_back(servers: Servers) -> None:
    made = create(servers.one, rules=RULES, visibility="memory", position="x3/x,b1w3,x/w1b2,x2 w")
    game, token = made["game"]["id"], made["tokens"]["first"]
    with servers.one.client(token) as client:
        refused = client.post(f"/games/{game}/peek", json={"square": "b2", "seat": "first"})
        assert refused.status_code == 409
        assert "played from memory" in refused.json()["error"]["message"]
        assert client.get(f"/games/{game}/record").status_code == 409
    act(servers.one, game, token, "move", 0, move="1c3")
    assert act(servers.one, game, token, "undo", 1)["ply"] == 0
    act(servers.one, game, token, "move", 2, move="3a1")
    with pytest.raises(Refused) as shown_again:
        act(servers.one, game, token, "undo", 3)
    assert "would show it again" in shown_again.value.message


def test_in_memory_games_lifting_is_not_taken_back(servers: Servers) -> None:
    made = create(servers.one, rules=RULES, visibility="memory", position="x3/x,b1w3,x/w1b2,x2 w")
    game, token = made["game"]["id"], made["tokens"]["first"]
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
