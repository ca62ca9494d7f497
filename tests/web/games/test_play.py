"""Games over HTTP and WebSocket: everything a game can do, for players on any process."""

import random
from datetime import date

import pytest

from nestline import Game, read_record
from support.web_driver import WAIT, Facts, Player, Refused, Server, checked, create, wait_for
from web.conftest import Servers

LINK = {"first": {"player": "here", "name": "Ann"}, "second": {"player": "link"}}


def link_game(servers: Servers, **request: object) -> tuple[str, str, str]:
    """A game between two people on two processes: its id and their tokens."""
    made = create(servers.one, seats=LINK, **request)
    game: str = made["game"]["id"]
    with servers.other.client() as client:
        joined = checked(
            client.post(
                f"/games/{game}/join",
                json={"invitation": made["invitations"]["second"], "name": "Bob"},
            )
        )
    return game, made["tokens"]["first"], joined["tokens"]["second"]


def act(server: Server, game: str, token: str, action: str, number: int, **more: object) -> Facts:
    with server.client(token) as client:
        request = {"action": action, "number": number, **more}
        return checked(client.post(f"/games/{game}/actions", json=request))  # type: ignore[no-any-return]


def show(server: Server, game: str, token: str | None = None) -> Facts:
    with server.client(token) as client:
        return checked(client.get(f"/games/{game}"))  # type: ignore[no-any-return]


def play_all(servers: Servers, game: str, tokens: tuple[str, str], moves: str) -> Facts:
    """Play moves over HTTP, each player on a different process."""
    facts = show(servers.one, game)
    for move in moves.split():
        side = 0 if facts["turn"] == "first" else 1
        facts = act(servers[side], game, tokens[side], "move", facts["number"], move=move)
    return facts


def test_two_people_and_a_spectator_see_the_same_game(servers: Servers) -> None:
    game, first, second = link_game(servers)
    with Player(servers.one) as ann, Player(servers.other) as bob, Player(servers.other) as eve:
        assert ann.watch(game, first)["you"] == ["first"]
        assert bob.watch(game, second)["you"] == ["second"]
        seen = eve.watch(game)
        assert seen["you"] == []
        number, history = seen["number"], list(seen["moves"]["list"])
        mirror = Game("gobblers")
        for move in ("3b2", "3a1", "3c3", "2b1", "1a2", "2a3"):
            player = bob if mirror.turn else ann
            mirror.play(move)
            number = player.act(game, "move", number, move=move)
            for other in {ann, bob, eve} - {player}:
                facts = other.game_at(number)
                assert facts["board"]["text"] == str(mirror.position)
                assert facts["legal"] == [str(legal) for legal in mirror.legal_moves()]
                assert "you" not in facts
            # A client builds its list of moves from the parts it is sent.
            history = history[: facts["moves"]["from"]] + facts["moves"]["list"]
            assert [item["move"] for item in history] == [str(played) for played in mirror.moves]
            assert history[-1]["board"] == facts["board"]
        assert show(servers.one, game)["moves"]["list"] == history


def test_a_game_is_played_to_its_end(servers: Servers) -> None:
    game, first, second = link_game(servers, rules="gobblers-official")
    facts = play_all(servers, game, (first, second), "1a1 3b1 2a2 2c3 3a3")
    assert facts["outcome"] == {
        "winner": "first", "reason": "line", "result": "1-0", "lines": [["a1", "a2", "a3"]],
    }  # fmt: skip
    assert facts["text"] == "Red wins with the line a1-a2-a3."
    assert facts["legal"] == []
    with pytest.raises(Refused) as refused:
        act(servers.other, game, second, "move", facts["number"], move="1a1")
    assert (refused.value.status, refused.value.code) == (409, "refused")
    with servers.other.client() as client:
        record = read_record(checked(client.get(f"/games/{game}/record")))
    assert [str(move) for move in record.moves] == ["1a1", "3b1", "2a2", "2c3", "3a3"]
    assert record.tags["First"] == "Ann"
    assert record.tags["Second"] == "Bob"
    assert date.fromisoformat(record.tags["Date"]), "as the terminal writes it"


def test_a_move_that_answers_another_number_is_refused(servers: Servers) -> None:
    game, first, second = link_game(servers)
    number = show(servers.one, game)["number"]
    act(servers.one, game, first, "move", number, move="3b2")
    with pytest.raises(Refused) as repeated:
        act(servers.one, game, first, "move", number, move="3b2")
    assert (repeated.value.status, repeated.value.code) == (409, "stale")
    assert repeated.value.facts["number"] == number + 1
    with pytest.raises(Refused) as early:
        act(servers.other, game, second, "move", number + 5, move="3a1")
    assert early.value.code == "stale"
    assert show(servers.other, game)["ply"] == 1


def test_of_two_that_answer_the_same_number_one_is_done(servers: Servers) -> None:
    made = create(servers.one, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    with Player(servers.one) as here, Player(servers.other) as there:
        for player in (here, there):
            player.watch(game, token)
        for number, squares in enumerate([("a1", "b1"), ("a2", "b2"), ("c3", "c2")]):
            here.send(type="act", ask="x", game=game, action="move", number=number, move=squares[0])
            there.send(type="act", ask="x", game=game, action="move", number=number,
                       move=squares[1])  # fmt: skip
            answers = [player.until(lambda got: got.get("ask") == "x") for player in (here, there)]
            assert sorted(answer["type"] for answer in answers) == ["done", "error"]
            assert [a["code"] for a in answers if a["type"] == "error"] == ["stale"]
    facts = show(servers.one, game)
    assert facts["number"] == facts["ply"] == 3


def test_illegal_moves_are_explained_and_change_nothing(servers: Servers) -> None:
    game, first, second = link_game(servers)
    before = play_all(servers, game, (first, second), "3b2")
    with pytest.raises(Refused) as illegal:
        act(servers.other, game, second, "move", before["number"], move="2b2")
    assert (illegal.value.status, illegal.value.code) == (409, "illegal-move")
    assert illegal.value.message.endswith("a size 2 can only land on smaller pieces")
    with pytest.raises(Refused) as unreadable:
        act(servers.other, game, second, "move", before["number"], move="zz")
    assert (unreadable.value.status, unreadable.value.code) == (422, "invalid")
    with pytest.raises(Refused) as impatient:
        act(servers.one, game, first, "move", before["number"], move="3a1")
    assert impatient.value.message == "it is P2's turn, not P1's"
    after = show(servers.one, game)
    assert {**after, "you": None} == {**before, "you": None}


def test_moves_are_read_in_every_spelling(servers: Servers) -> None:
    made = create(servers.one, rules="gobblers")
    game, token = made["game"]["id"], made["tokens"]["first"]
    for number, spelling in enumerate(["L b2", "3 (2,0)", "m CC"]):
        facts = act(servers.one, game, token, "move", number, move=spelling)
    assert [item["move"] for item in facts["moves"]["list"]] == ["3b2", "3a1", "2c3"]


def test_draws_are_offered_declined_and_agreed(servers: Servers) -> None:
    game, first, second = link_game(servers, rules="gobblet")
    number = show(servers.one, game)["number"]
    with Player(servers.other) as bob:
        bob.watch(game, second)
        act(servers.one, game, first, "offer-draw", number)
        assert bob.game_at(number + 1)["draw_offer"] == "first"
        with pytest.raises(Refused):
            act(servers.one, game, first, "accept-draw", number + 1)
        assert bob.act(game, "decline-draw", number + 1) == number + 2
        act(servers.one, game, first, "offer-draw", number + 2)
        bob.game_at(number + 3)
        bob.act(game, "accept-draw", number + 3)
    facts = show(servers.one, game)
    assert facts["outcome"]["reason"] == "agreement"
    assert facts["outcome"]["winner"] is None


def test_a_player_resigns(servers: Servers) -> None:
    game, _first, second = link_game(servers)
    facts = act(servers.other, game, second, "resign", show(servers.one, game)["number"])
    assert facts["outcome"]["result"] == "1-0"
    assert show(servers.one, game)["text"] == "P1 wins: P2 resigned."


def test_touched_pieces_must_be_played(servers: Servers) -> None:
    game, first, second = link_game(servers, rules="gobblet")
    facts = play_all(servers, game, (first, second), "4a1 4b2")
    facts = act(servers.one, game, first, "touch", facts["number"], square="a1")
    assert facts["touched"] == "a1"
    assert {move[:2] for move in facts["legal"]} == {"a1"}
    with pytest.raises(Refused) as bound:
        act(servers.one, game, first, "move", facts["number"], move="4c3")
    assert "has touched a1 and must play it" in bound.value.message
    facts = act(servers.one, game, first, "land", facts["number"], square="c3")
    assert facts["last_move"] == "a1c3"
    assert show(servers.other, game)["touched"] is None


def test_between_people_taking_back_is_asked_for(servers: Servers) -> None:
    game, first, second = link_game(servers)
    facts = play_all(servers, game, (first, second), "3b2 3a1")
    with pytest.raises(Refused) as alone:
        act(servers.one, game, first, "undo", facts["number"])
    assert "ask-undo" in alone.value.message
    facts = act(servers.one, game, first, "ask-undo", facts["number"])
    assert facts["undo_request"] == {"seat": "first", "ply": 0}
    with pytest.raises(Refused):
        act(servers.one, game, first, "accept-undo", facts["number"])
    facts = act(servers.other, game, second, "decline-undo", facts["number"])
    assert facts["undo_request"] is None
    assert facts["ply"] == 2
    facts = act(servers.one, game, first, "ask-undo", facts["number"], ply=1)
    with Player(servers.one) as ann:
        ann.watch(game, first)
        facts = act(servers.other, game, second, "accept-undo", facts["number"])
        seen = ann.game_at(facts["number"])
    assert seen["ply"] == 1
    assert seen["moves"] == {"from": 1, "list": []}
    assert seen["turn"] == "second"


def test_a_move_declines_a_request_to_take_back(servers: Servers) -> None:
    game, first, second = link_game(servers)
    facts = play_all(servers, game, (first, second), "3b2")
    facts = act(servers.one, game, first, "ask-undo", facts["number"])
    facts = act(servers.other, game, second, "move", facts["number"], move="3a1")
    assert facts["undo_request"] is None
    with pytest.raises(Refused):
        act(servers.other, game, second, "accept-undo", facts["number"])


def test_at_one_screen_moves_are_taken_back_and_done_again(servers: Servers) -> None:
    made = create(servers.one, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["second"]
    tokens = (token, token)
    facts = play_all(servers, game, tokens, "a1 b2 c3 a2")
    facts = act(servers.one, game, token, "undo", facts["number"])
    assert (facts["ply"], facts["can_redo"]) == (3, True)
    facts = act(servers.other, game, token, "undo", facts["number"], ply=1)
    assert facts["ply"] == 1
    facts = act(servers.one, game, token, "redo", facts["number"], ply=4)
    assert facts["ply"] == 4
    facts = act(servers.one, game, token, "undo", facts["number"], ply=2)
    facts = act(servers.one, game, token, "move", facts["number"], move="c1")
    assert not facts["can_redo"]
    assert [item["move"] for item in facts["moves"]["list"]] == ["1a1", "1b2", "1c1"]
    for wrong in ({"action": "undo", "ply": 9}, {"action": "redo"}):
        with pytest.raises(Refused) as refused:
            act(servers.one, game, token, wrong["action"], facts["number"],
                **{key: wrong[key] for key in wrong if key != "action"})  # fmt: skip
        assert refused.value.code == "refused"


def test_a_rematch_swaps_the_sides_and_keeps_the_tokens(servers: Servers) -> None:
    game, first, second = link_game(servers)
    number = show(servers.one, game)["number"]
    with pytest.raises(Refused):
        act(servers.one, game, first, "rematch", number)
    facts = act(servers.one, game, first, "resign", number)
    facts = act(servers.one, game, first, "rematch", facts["number"])
    assert (facts["rematch"], facts["rematch_offers"]) == (None, ["first"])
    with pytest.raises(Refused):
        act(servers.one, game, first, "rematch", facts["number"])
    facts = act(servers.other, game, second, "rematch", facts["number"])
    following = facts["rematch"]
    assert show(servers.one, game)["rematch"] == following
    facts = show(servers.one, following, first)
    assert facts["you"] == ["second"]
    assert [facts["seats"][seat]["name"] for seat in ("first", "second")] == ["Bob", "Ann"]
    assert play_all(servers, following, (second, first), "3b2 3a1")["ply"] == 2


def test_a_game_begins_anywhere_and_goes_on_from_a_record(servers: Servers) -> None:
    made = create(servers.one, rules="gobblers", position="x3/x,b1w3,x/w2,x2_b")
    assert made["game"]["turn"] == "second"
    assert made["game"]["board"]["stacks"]["b2"] == ["b1", "w3"]
    record = '[Rules "gobblers"]\n[First "Ann"]\n\n1. 3b2 3a1 2. b2xc3 *'
    made = create(servers.other, record=record)
    assert made["game"]["ply"] == 3
    assert made["game"]["seats"]["first"]["name"] == "Ann"
    game, token = made["game"]["id"], made["tokens"]["second"]
    facts = act(servers.one, game, token, "move", 0, move="2b2")
    assert facts["ply"] == 4
    with servers.one.client() as client:
        text = checked(client.get(f"/games/{game}/record"))
    assert "1. 3b2 3a1 2. b2c3 2b2 *" in text


CUSTOM = 'like = "gobblers"\ntitle = "Wide"\nboard = 4\nline = 4\nplayers = ["Sun", "Moon"]\n'


def test_a_custom_rule_set_is_sent_along_and_kept(servers: Servers) -> None:
    made = create(servers.one, rules={"toml": CUSTOM})
    name = made["game"]["rules"]
    assert name.startswith("custom-")
    assert made["game"]["text"] == "Sun is to move."
    with servers.other.client() as client:
        facts = checked(client.get(f"/rules/{name}"))
        assert (facts["title"], facts["board"], facts["custom"]) == ("Wide", 4, True)
        assert checked(client.get(f"/rules/{name}/file")) == CUSTOM
        again = checked(client.post("/games", json={"rules": name}))
        assert again["game"]["rules"] == name
        record = checked(client.get(f"/games/{again['game']['id']}/record"))
        assert f'[Rules "{name}.toml"]' in record
        third = checked(client.post("/games", json={"record": record}))
        assert third["game"]["rules"] == name


@pytest.mark.parametrize(
    "toml",
    ['like = "/etc/passwd"', 'like = "./gobblers.toml"', "board = 9", 'like = "gobblers"\nbord = 4',
     "x" * 20_000, "like = \"gobblers\"\ntitle = \"\0\""],
)  # fmt: skip
def test_custom_rule_sets_name_no_files_and_are_checked(server: Server, toml: str) -> None:
    with pytest.raises(Refused) as refused:
        create(server, rules={"toml": toml})
    assert (refused.value.status, refused.value.code) == (422, "invalid")


@pytest.mark.parametrize("reference", ["/etc/hostname", "./mine.toml", "nothing", "custom-12"])
def test_records_name_rule_sets_the_server_knows(server: Server, reference: str) -> None:
    with pytest.raises(Refused) as refused:
        create(server, record=f'[Rules "{reference}"]\n\n1. 3b2 *')
    assert refused.value.status == 404
    assert "there is no rule set" in refused.value.message


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ({"rules": "chess"}, "there is no rule set 'chess'"),
        ({"visibility": "peek"}, "does not allow looking under pieces"),
        ({"rules": "tictactoe", "touch_move": True}, "has no rule about touched pieces"),
        ({"position": "nonsense"}, "is not a position"),
        ({"record": '[Rules "gobblers"] 1. 3b2 *', "rules": "gobblers"}, "leave it out beside"),
        ({"seats": {"first": {"player": "computer"}}}, "a computer needs a level"),
        ({"seats": {"first": {"level": "3"}}}, "only a computer has a level"),
        ({"seats": {"first": {"player": "computer", "level": "17"}}},
         "levels are random, 1, 2, 3, 4, 5, 6, 7, "),
        ({"rules": "gobblet", "seats": {"first": {"player": "computer", "level": "17"}}},
         "levels are random, child-1, child-2, "),
        ({"rules": "gobblet", "seats": {"first": {"player": "computer", "level": "perfect"}}},
         "no perfect play in gobblet"),
        ({"sides": 2}, "sides: there is no such field"),
        ({"seats": {"first": 1}}, "seats.first: it is a JSON object"),
        ({"record": ""}, "record: it has at least 1 characters"),
        ({"rules": "x" * 1001}, "rules: it has at most 1,000 characters"),
        ({"seats": {"first": {"name": "\n"}}}, "printable"),
        ({"ply_limit": 0}, "greater than or equal to 1"),
    ],
)  # fmt: skip
def test_bad_games_are_refused_in_words(server: Server, request_: Facts, told: str) -> None:
    with pytest.raises(Refused) as refused:
        create(server, **request_)
    assert 400 <= refused.value.status < 500
    assert told in refused.value.message


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({}, "action: it is missing"),
        ({"action": "fly", "number": 0}, "action: 'fly' is none of move, touch, land, resign"),
        ({"action": "move", "number": 0}, "move: it is missing"),
        ({"action": "move", "number": "0", "move": "3b2"}, "number: input should be a valid"),
        ({"action": "undo", "number": 0, "ply": -1}, "ply: input should be greater than or equal"),
        ({"action": "resign", "number": 0, "why": 1}, "why: there is no such field"),
    ],
)  # fmt: skip
def test_bad_actions_are_refused_in_words(server: Server, action: Facts, told: str) -> None:
    made = create(server)
    game, token = made["game"]["id"], made["tokens"]["first"]
    with server.client(token) as client:
        response = client.post(f"/games/{game}/actions", json=action)
    assert response.status_code == 422
    assert response.json()["error"]["message"].startswith(told)
    with Player(server) as player:
        player.watch(game, token)
        with pytest.raises(Refused) as refused:
            player.ask(type="act", game=game, **action)
    assert refused.value.message == response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({}, "type: it is missing"),
        ({"type": "fly"}, "type: 'fly' is none of watch, leave, attend, peek, analyse"),
        ({"type": "ping", "ask": [1]}, "ask: it is a whole number or a text of at most 100"),
        ({"type": "watch", "game": "x", "tokens": ["x"] * 3}, "tokens: it has at most 2 items"),
    ],
)
def test_bad_messages_are_refused_in_words(server: Server, message: Facts, told: str) -> None:
    with Player(server) as player:
        player.send(**message)
        assert player.receive()["message"].startswith(told)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_is_declared_as_json(server: Server, kind: str) -> None:
    with server.client() as client:
        response = client.post("/games", content=b"{}", headers={"Content-Type": kind})
    assert response.status_code == 415
    assert response.json()["error"]["message"].endswith(
        "declared as Content-Type: application/json"
    )


def test_random_games_of_all_rule_sets_agree_with_the_library(servers: Servers) -> None:
    chance = random.Random(5)
    for rules in ("tictactoe", "gobblers", "gobblers-official", "gobblet", "gobblet-house"):
        made = create(servers.one, rules=rules)
        game, token = made["game"]["id"], made["tokens"]["first"]
        mirror = Game(rules)
        with Player(servers.other) as player:
            player.watch(game, token)
            number = 0
            while not mirror.outcome and mirror.ply < 25:
                move = chance.choice(mirror.legal_moves())
                mirror.play(move)
                number = player.act(game, "move", number, move=str(move))
        facts = show(servers.one, game)
        assert facts["board"]["text"] == str(mirror.position)
        assert facts["text"] == mirror.explain()
        assert facts["legal"] == [str(move) for move in mirror.legal_moves()]
        assert facts["dangerous"] == [
            str(move) for move in mirror.legal_moves() if mirror.position.is_losing_reveal(move)
        ]


def test_watching_again_sends_the_whole_game(servers: Servers) -> None:
    made = create(servers.one, rules="tictactoe")
    game, token = made["game"]["id"], made["tokens"]["first"]
    with Player(servers.one) as player:
        player.watch(game)
        play_all(servers, game, (token, token), "a1 b2")
        player.game_at(2)
        assert len(player.watch(game, token)["moves"]["list"]) == 2
        assert player.ask(type="leave", game=game)["type"] == "left"
        act(servers.other, game, token, "move", 2, move="c3")
        assert player.ask(type="ping")["type"] == "pong"
        assert not any('"number":3' in text for text in player.received)


def test_deleted_and_unknown_games_are_not_found(servers: Servers) -> None:
    for name in ("nothing", "abcdefghijkm", "%00", "a'b"):
        with servers.one.client() as client:
            assert client.get(f"/games/{name}").status_code == 404
    with Player(servers.one) as player:
        with pytest.raises(Refused) as unknown:
            player.watch("abcdefghijkm")
        assert unknown.value.code == "not-found"
        assert (
            player.ask(
                type="ping",
            )["type"]
            == "pong"
        )


def test_the_notification_reaches_the_other_process_quickly(two_processes: Servers) -> None:
    game, first, _second = link_game(two_processes)
    with Player(two_processes.other) as eve:
        number = eve.watch(game)["number"]
        act(two_processes.one, game, first, "move", number, move="3b2")
        assert eve.game_at(number + 1)["last_move"] == "3b2"
    assert wait_for(lambda: show(two_processes.other, game)["ply"] == 1, WAIT)
