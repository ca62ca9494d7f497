"""Seats, tokens, invitations: nobody acts for a seat they do not hold, and secrets stay secret."""

import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from nestline.position import Side
from nestline.web.access.tokens import hash_of
from nestline.web.access.visitors import Visitor
from nestline.web.games.creation import NewGame, SeatChoice, SeatChoices
from nestline.web.http.requests import read_action
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.settings import Settings
from support.web_driver import WAIT, Player, Refused, Server, checked, create, wait_for
from web.conftest import Servers
from web.games.test_play import LINK, act, link_game, show
from web.storage.test_database import serve


def join(server: Server, game: str, invitation: str) -> dict[str, str]:
    with server.client() as client:
        response = client.post(f"/games/{game}/join", json={"invitation": invitation})
        return checked(response)["tokens"]  # type: ignore[no-any-return]


def invite(server: Server, game: str, token: str, seat: str) -> str:
    with server.client(token) as client:
        answer = checked(client.post(f"/games/{game}/invitations", json={"seat": seat}))
    return answer["invitations"][seat]  # type: ignore[no-any-return]


def refusal(call: object, *arguments: object, **more: object) -> tuple[int, str]:
    with pytest.raises(Refused) as refused:
        call(*arguments, **more)  # type: ignore[operator]
    return refused.value.status, refused.value.code


def test_only_the_holder_of_a_seat_acts_for_it(servers: Servers) -> None:
    game, first, second = link_game(servers)
    other = create(servers.one)["tokens"]["first"]
    number = show(servers.one, game)["number"]
    move = {"action": "move", "move": "3b2", "number": number}
    with servers.one.client() as client:
        response = client.post(f"/games/{game}/actions", json=move)
        assert (response.status_code, response.json()["error"]["code"]) == (401, "token-missing")
        assert response.headers["www-authenticate"] == "Bearer"
    for token in (other, "nonsense", second[:-1], hash_of(first)):
        answer = refusal(act, servers.one, game, token, "move", number, move="3b2")
        assert answer == (403, "not-yours")
    wrong = refusal(act, servers.one, game, second, "move", number, move="3b2", seat="first")
    assert wrong == (403, "not-yours")
    assert refusal(act, servers.one, game, second, "resign", number, seat="first")[0] == 403
    assert show(servers.one, game)["number"] == number


def test_on_the_socket_too(servers: Servers) -> None:
    game, _first, second = link_game(servers)
    number = show(servers.one, game)["number"]
    with Player(servers.other) as eve:
        assert refusal(eve.act, game, "resign", number)[1] == "refused"  # She does not watch.
        assert refusal(eve.watch, game, "nonsense")[1] == "not-yours"
        eve.watch(game)
        assert refusal(eve.act, game, "resign", number)[1] == "token-missing"
        assert refusal(eve.ask, type="peek", game=game, square="a1")[1] == "token-missing"
        eve.watch(game, second)
        assert refusal(eve.act, game, "resign", number, seat="first")[1] == "not-yours"
    assert show(servers.one, game)["number"] == number


def test_an_invitation_is_taken_once(servers: Servers) -> None:
    made = create(servers.one, seats=LINK)
    game, invitation = made["game"]["id"], made["invitations"]["second"]
    assert list(made["tokens"]) == ["first"]
    assert not made["game"]["seats"]["second"]["taken"]
    assert refusal(join, servers.other, game, "nonsense") == (403, "invitation-used")
    tokens = join(servers.other, game, invitation)
    assert list(tokens) == ["second"]
    assert refusal(join, servers.one, game, invitation) == (403, "invitation-used")
    facts = show(servers.one, game, tokens["second"])
    assert facts["you"] == ["second"]
    assert facts["seats"]["second"]["taken"]
    assert facts["between_people"]


def test_of_many_who_use_one_invitation_one_gets_the_seat(servers: Servers) -> None:
    from concurrent.futures import ThreadPoolExecutor

    made = create(servers.one, seats=LINK)
    game, invitation = made["game"]["id"], made["invitations"]["second"]

    def try_once(number: int) -> str:
        try:
            join(servers[number % 2], game, invitation)
        except Refused as refused:
            return refused.code
        return "seated"

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(try_once, range(8)))
    assert answers == ["invitation-used"] * 7 + ["seated"]


def test_nobody_gets_an_invitation_to_a_seat_that_is_being_taken(servers: Servers) -> None:
    """Joining and inviting anew at once: one of them comes first, and the other is refused."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool:
        for attempt in range(12):
            made = create(servers.one, seats=LINK)
            game, token = made["game"]["id"], made["tokens"]["first"]
            invitation = made["invitations"]["second"]
            joining = pool.submit(join, servers.one, game, invitation)
            time.sleep(0.002 * attempt)
            inviting = pool.submit(invite, servers.other, game, token, "second")
            problems = [joining.exception(WAIT), inviting.exception(WAIT)]
            assert sum(problem is None for problem in problems) == 1, problems
            [problem] = [problem for problem in problems if problem is not None]
            assert isinstance(problem, Refused)
            assert problem.code in ("invitation-used", "not-yours")


def test_a_new_invitation_ends_the_old_one(servers: Servers) -> None:
    made = create(servers.one, seats=LINK)
    game, token, old = made["game"]["id"], made["tokens"]["first"], made["invitations"]["second"]
    assert refusal(invite, servers.one, game, "nonsense", "second") == (403, "not-yours")
    new = invite(servers.other, game, token, "second")
    assert refusal(join, servers.one, game, old) == (403, "invitation-used")
    join(servers.one, game, new)
    assert refusal(invite, servers.one, game, token, "second") == (403, "not-yours")


def test_a_seat_that_is_handed_on_leaves_its_former_holder(servers: Servers) -> None:
    game, first, _second = link_game(servers)
    with Player(servers.one) as ann:
        ann.watch(game, first)
        invitation = invite(servers.one, game, first, "first")
        number = show(servers.one, game)["number"]
        token = join(servers.other, game, invitation)["first"]
        ann.game_at(number + 1)
        assert refusal(ann.act, game, "resign", number + 1)[1] == "not-yours"
        assert refusal(act, servers.one, game, first, "resign", number + 1)[0] == 403
    assert act(servers.one, game, token, "move", number + 1, move="3b2")["ply"] == 1


def test_secrets_are_neither_stored_nor_logged(server: Server) -> None:
    """The server logs as much as it can."""
    made = create(server, seats=LINK)
    game = made["game"]["id"]
    tokens = join(server, game, made["invitations"]["second"])
    secrets = [made["tokens"]["first"], made["invitations"]["second"], tokens["second"]]
    act(server, game, secrets[0], "move", 1, move="3b2")
    with Player(server) as player:
        player.watch(game, secrets[2])
        player.act(game, "move", 2, move="3a1")
        with pytest.raises(Refused):
            player.watch(game, "x" + secrets[2])
    with pytest.raises(Refused):
        join(server, game, secrets[1])
    # uvicorn would log short messages whole, and headers may contain secrets.
    cookie, query = "a-cookie-of-a-browser", "a-token-in-a-query"
    head = {"Authorization": f"Bearer {secrets[0]}", "Cookie": f"nestline-visitor={cookie}"}
    with Player(server, query=query, **head) as player:
        player.send(tokens=[secrets[0]], type="watch", game=game)
        assert player.receive()["game"]["you"] == ["first"]
    server.get(f"/healthz?token={query}")
    server.get("/%0Aa%20line%20of%20my%20own")
    wait_for(lambda: any("of%20my%20own" in line for line in server.log))
    log = "\n".join(line for line in server.log if "running on http" not in line)
    assert game in log
    assert "WebSocket /api/v1/socket accepted" in log
    kept = b"".join(file.read_bytes() for file in Path(server.database).parent.iterdir())
    assert game.encode() in kept
    for secret in (*secrets, "x" + secrets[2], cookie, query):
        assert secret not in log
        assert secret.encode() not in kept
    assert "127.0.0.1:" not in log
    assert "\na line" not in log
    assert hash_of(secrets[0]).encode() in kept


def test_tokens_are_long_and_never_alike(server: Server) -> None:
    tokens = {create(server)["tokens"]["first"] for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 32 for token in tokens)


def test_study_is_refused_to_players_of_a_game_between_people(servers: Servers) -> None:
    game, first, second = link_game(servers)
    path, record = "/positions/tictactoe", {"record": '[Rules "tictactoe"]\n\n1. a1 *'}
    with servers.other.client(second) as client:
        refused = client.get(path)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "study-refused")
        assert client.post("/reviews", json=record).status_code == 403
    with Player(servers.one) as ann:
        ann.watch(game, first)
        for message in (
            {"type": "analyse", "rules": "tictactoe"},
            {"type": "review", "record": record["record"]},
        ):
            assert refusal(ann.ask, **message)[1] == "study-refused"
    with servers.one.client() as spectator:
        assert spectator.get(path).status_code == 200
    number = show(servers.one, game)["number"]
    act(servers.one, game, first, "resign", number)
    with servers.other.client(second) as client:
        assert client.get(path).status_code == 200


def test_the_computer_answers_no_position_for_players_of_a_game_between_people(
    servers: Servers,
) -> None:
    """That would be study under another name."""
    computer = {"second": {"player": "computer", "level": "5"}}
    chosen: list[dict[str, object]] = [
        {"rules": "gobblers", "position": "x3/x,w3,x/x3 b", "seats": computer},
        {"record": '[Rules "gobblers"]\n\n1. 3b2 *', "seats": computer},
    ]
    with servers.one.client() as browser:
        made = checked(browser.post("/games", json={"seats": LINK}))
        mine = checked(browser.post("/games", json={}))
        game, token = mine["game"]["id"], mine["tokens"]["first"]
        for request in chosen:
            assert browser.post("/games", json=request).status_code == 201
        bob = join(servers.other, made["game"]["id"], made["invitations"]["second"])["second"]
        with servers.other.client(bob) as other:
            for client in (browser, other):
                for request in chosen:
                    problem = client.post("/games", json=request).json()["error"]
                    assert problem["code"] == "study-refused"
                    assert "the computer answers no position" in problem["message"]
        # Nor does it take over in the middle of a game at one screen; the start is no secret.
        cookie = browser.cookies["nestline-visitor"]
        with Player(servers.other, Cookie=f"nestline-visitor={cookie}") as ann:
            ann.watch(game, token)
            ann.act(game, "move", 0, move="3b2")
            assert refusal(ann.act, game, "hand-over", 1, level="5")[1] == "study-refused"
        assert browser.post("/games", json={"seats": computer}).status_code == 201
        number = show(servers.one, made["game"]["id"])["number"]
        act(servers.other, made["game"]["id"], bob, "resign", number)
        assert browser.post("/games", json=chosen[0]).status_code == 201


@pytest.mark.parametrize(
    "header",
    ["{cookie}", "a[]=1; {cookie}", '{cookie}; x={{"a":"b"}}', "=; b; {cookie}", "é=ü; {cookie}"],
)
def test_no_other_cookie_opens_the_study_lock(server: Server, header: str) -> None:
    with server.client() as browser:
        made = checked(browser.post("/games", json={"seats": LINK}))
        cookie = f"nestline-visitor={browser.cookies['nestline-visitor']}"
    join(server, made["game"]["id"], made["invitations"]["second"])
    raw = header.format(cookie=cookie).encode("latin-1")
    response = httpx.get(
        f"{server.url}/api/v1/positions/tictactoe", headers={b"Cookie": raw}, timeout=WAIT
    )
    assert response.status_code == 403


def test_letting_the_computer_play_for_a_while_opens_no_back_door(servers: Servers) -> None:
    """Against a person it would be a way to take back without asking, or to study."""
    game, first, second = link_game(servers)
    act(servers.one, game, first, "move", 1, move="3b2")
    facts = act(servers.other, game, second, "hand-over", 2, level="1")
    facts = wait_for(lambda: (got := show(servers.one, game))["ply"] == 2 and got)
    assert facts["between_people"]
    for server, token in ((servers.one, first), (servers.other, second)):
        answer = refusal(act, server, game, token, "undo", facts["number"])
        assert answer == (409, "refused")
        with server.client(token) as client:
            assert client.get("/positions/tictactoe").status_code == 403
    # The people can still agree on it.
    number = act(servers.one, game, first, "ask-undo", facts["number"])["number"]
    facts = act(servers.other, game, second, "accept-undo", number)
    assert facts["ply"] == 0


def test_the_computer_takes_over_in_no_other_game_of_a_player(tmp_path: Path) -> None:
    """Whoever takes both seats of a second game, in two tabs, would have it answer anything."""
    ann, bob = (Visitor(f"192.0.2.{number}", None, frozenset()) for number in (1, 2))
    request = NewGame(seats=SeatChoices(second=SeatChoice(player="link")))
    hand_over = read_action.validate_python({"action": "hand-over", "level": "1", "number": 1})

    async def check(services: Services) -> None:
        games = services.games

        async def begin(other: Visitor, browser: str) -> tuple[str, frozenset[str]]:
            made, _online = await games.create(request, ann, "ann's")
            invitation = made.invitations["second"]
            game, _seat, token = await games.join(made.game.id, invitation, None, other, browser)
            return game.id, frozenset({hash_of(token)})

        first, bobs = await begin(bob, "bob's")
        second, anns = await begin(ann, "ann's")
        with pytest.raises(Refusal, match="the computer answers no position") as error:
            await games.act(second, anns, hand_over, replace(ann, browser="ann's", holders=anns))
        assert error.value.more == {"game": first}
        # For the game itself it may play on: the other one sees that it does.
        done = await games.act(first, bobs, hand_over, replace(bob, browser="bob's", holders=bobs))
        assert done.is_computer(Side.SECOND)

    serve(Settings(database=str(tmp_path / "games.sqlite3"), build_tables=False), check)


def test_the_browser_of_a_player_is_known_by_its_cookie(servers: Servers) -> None:
    with servers.one.client() as browser:
        made = checked(browser.post("/games", json={"seats": LINK}))
        cookie = browser.cookies["nestline-visitor"]
        assert browser.get("/positions/tictactoe").status_code == 200
        join(servers.other, made["game"]["id"], made["invitations"]["second"])
        assert browser.get("/positions/tictactoe").status_code == 403
    with httpx.Client(
        base_url=servers.other.url, cookies={"nestline-visitor": cookie}, timeout=WAIT
    ) as tab:
        assert tab.get("/api/v1/positions/tictactoe").status_code == 403
    with servers.one.client() as stranger:
        assert stranger.get("/positions/tictactoe").status_code == 200


def test_the_cookie_gives_no_rights_and_is_for_the_server_only(server: Server) -> None:
    with server.client() as browser:
        response = browser.post("/games", json={})
        attributes = response.headers["set-cookie"].lower()
        assert "httponly" in attributes
        assert "samesite=strict" in attributes
        game = response.json()["game"]["id"]
        move = {"action": "move", "move": "3b2", "number": 0}
        assert browser.post(f"/games/{game}/actions", json=move).status_code == 401


def test_players_against_the_computer_may_study(server: Server) -> None:
    made = create(server, seats={"second": {"player": "computer", "level": "1"}})
    with server.client(made["tokens"]["first"]) as client:
        assert client.get("/positions/tictactoe").status_code == 200


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://[", "file://"])
def test_pages_of_other_origins_cannot_connect(server: Server, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Player(server, origin)
    assert refused.value.response.status_code == 403


def test_pages_of_the_server_itself_can(server: Server) -> None:
    with Player(server, server.url) as player:
        assert player.ask(type="ping")["type"] == "pong"


def test_origins_can_be_added(server: Server) -> None:
    with Player(server, "https://school.example") as player:
        assert player.ask(type="ping")["type"] == "pong"


def test_pages_of_added_origins_may_ask(server: Server) -> None:
    """The page of a static site, which has its games by link here (CORS)."""
    ours = "https://school.example"
    asking = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
    }
    with server.client() as client:
        preflight = client.options("/games", headers=asking | {"origin": ours})
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == ours
        assert "authorization" in preflight.headers["access-control-allow-headers"].lower()
        for path, status in (("/rules", 200), ("/games/nothere", 404)):
            answer = client.get(path, headers={"origin": ours})
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == ours
            assert "access-control-allow-credentials" not in answer.headers
        for stranger in ("https://evil.example", "null", "https://school.example.evil.example"):
            answer = client.get("/rules", headers={"origin": stranger})
            assert "access-control-allow-origin" not in answer.headers
            refused = client.options("/games", headers=asking | {"origin": stranger})
            assert "access-control-allow-origin" not in refused.headers
