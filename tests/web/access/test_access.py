"""Tokens, visitors, names, origins, limits, quotas, the study lock and seats, without a server.

`test_limits`, `test_secrets` and `games/test_seats` try the same on one.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from starlette.responses import Response

from nestline.position import Side
from nestline.rules import load_rules
from nestline.web.access import limits, quota, tokens, visitors
from nestline.web.access.hosts import check_host
from nestline.web.access.limits import (
    Bucket,
    Buckets,
    ConnectionLimit,
    Totals,
    client_hash,
    client_name,
)
from nestline.web.access.origins import check_origin
from nestline.web.access.permission import StudyPermission
from nestline.web.access.quota import Quota
from nestline.web.access.visitors import COOKIE, Visitor, visitor_of
from nestline.web.games.online_game import OnlineGame, StoredGame, StoredSeat
from nestline.web.games.seats import acting_side, side_of, sides_of
from nestline.web.refusals import Refusal

LONG = "x" * tokens.LONGEST_SECRET


class Clock:
    """A clock that tests set."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def time(self) -> float:
        return self.now

    monotonic = time


def scope(*headers: tuple[str, str], **more: Any) -> dict[str, Any]:
    """A request as the server hands it on."""
    encoded = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    return {"type": "http", "headers": encoded, "client": ("192.0.2.7", 5), **more}


def refusal(error: pytest.ExceptionInfo[Refusal]) -> tuple[int, str, str]:
    return error.value.status, error.value.code, error.value.message


# Tokens.


def test_ids_and_secrets_cannot_be_guessed() -> None:
    assert len(tokens.ID_LETTERS) == len(set(tokens.ID_LETTERS)) == 32
    assert len(tokens.new_id()) == 12
    assert set(tokens.new_id()) <= set(tokens.ID_LETTERS)
    assert len(tokens.new_secret()) == 24 * 4 // 3
    assert tokens.new_secret() != tokens.new_secret()
    assert tokens.LONGEST_SECRET == 100


def test_secrets_are_compared_by_their_hashes() -> None:
    one, other = tokens.hash_of("a"), tokens.hash_of("b")
    assert tokens.is_same(one, one)
    assert not tokens.is_same(one, other)
    for pair in ((None, None), (one, None), (None, one)):
        assert not tokens.is_same(*pair)


# Visitors.


def test_a_visitor_is_known_by_address_cookie_and_token() -> None:
    nobody = visitor_of(scope(client=None))
    assert nobody == Visitor("unknown", None, frozenset())
    found = visitor_of(scope(("Authorization", "bEARER  secret "), ("Cookie", f"{COOKIE}=me")))
    assert found == Visitor(
        "192.0.2.7", tokens.hash_of("me"), frozenset({tokens.hash_of("secret")})
    )
    other = frozenset({tokens.hash_of("another")})
    assert found.holding(other) == Visitor(found.client, found.browser, other)
    assert hash(found) == hash(found.holding(found.holders))
    with pytest.raises(AttributeError):
        found.client = "somebody else"  # type: ignore[misc]


@pytest.mark.parametrize(
    "given", ["secret", "Basic secret", "Bearer", "Bearer  ", "Bearer x" + LONG]
)
def test_headers_that_are_no_token_are_refused(given: str) -> None:
    with pytest.raises(Refusal) as error:
        visitor_of(scope(("Authorization", given)))
    assert refusal(error)[:2] == (401, "token-missing")
    assert visitor_of(scope(("Authorization", "Bearer " + LONG))).holders


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("", None),
        (f"{COOKIE}=", None),
        (f"{COOKIE}=a", "a"),
        (f"{COOKIE}={LONG}", LONG),
        (f"{COOKIE}={LONG}x", None),
        (f'other=1; {COOKIE} = "a" ; more=2', "a"),
        (f"{COOKIE}={LONG}x; {COOKIE}=a; {COOKIE}=b", "a"),
        (f"{COOKIE}=; {COOKIE}=a", "a"),
        (f"not-{COOKIE}=a", None),
        (f"{COOKIE}=a=b", "a=b"),
    ],
)
def test_the_cookie_is_found_among_others(given: str, found: str | None) -> None:
    request = scope(("Cookie", given), ("Accept", "x"))
    assert visitor_of(request).browser == (tokens.hash_of(found) if found else None)
    kept = visitors.without_other_cookies(request)["headers"]
    ours = [(b"cookie", f"{COOKIE}={found}".encode())] if found else []
    assert kept == [(b"accept", b"x"), *ours]
    if found:
        assert visitors.browser_cookie(request) == found
    else:
        assert len(visitors.browser_cookie(request)) == 32


def test_a_request_without_cookies_is_left_alone() -> None:
    request = scope(("Accept", "x"))
    assert visitors.without_other_cookies(request) is request


def test_a_browser_gets_its_cookie_once() -> None:
    response = Response()
    visitors.remember_browser(scope(("Cookie", f"{COOKIE}=me")), response, "me")
    assert "set-cookie" not in response.headers
    for scheme, secure in (("http", False), ("ws", False), ("https", True), ("wss", True)):
        response = Response()
        visitors.remember_browser(scope(scheme=scheme), response, "me")
        told = response.headers["set-cookie"].split("; ")
        assert told[0] == f"{COOKIE}=me"
        expected = {"HttpOnly", "Max-Age=7776000", "Path=/", "SameSite=strict"}
        assert set(told[1:]) == expected | ({"Secure"} if secure else set())


# The names and origins that the server answers to.


@pytest.mark.parametrize(
    ("host", "reached_at", "allowed", "welcome"),
    [
        (None, "127.0.0.1", "", True),
        ("localhost:8000", "127.0.0.1", "", True),
        ("game.localhost", "127.0.0.1", "", True),
        ("127.0.0.1", "127.0.0.1", "", True),
        ("[::1]:8000", "::1", "", True),
        ("[::1]", "::1", "", True),
        ("::1", "::1", "", True),
        ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", "", True),
        ("[::ffff:192.0.2.1]", "127.0.0.1", "", False),
        ("stranger.example", "127.0.0.1", "", False),
        ("192.0.2.1", "127.0.0.1", "", False),
        ("localhost.example", "127.0.0.1", "", False),
        ("localhost:port", "127.0.0.1", "", False),
        ("stranger.example", "192.0.2.1", "", True),
        ("stranger.example", None, "", True),
        ("Club.Example:443", "192.0.2.1", "school.example CLUB.example", True),
        ("stranger.example", "192.0.2.1", "club.example", False),
        ("localhost", "192.0.2.1", "club.example", False),
        ("localhost", "127.0.0.1", "club.example", True),
    ],
)
def test_names_of_the_server(
    host: str | None, reached_at: str | None, allowed: str, welcome: bool
) -> None:
    headers = [] if host is None else [("Host", host)]
    request = scope(*headers, server=None if reached_at is None else (reached_at, 80))
    if welcome:
        check_host(request, allowed)
        return
    with pytest.raises(Refusal) as error:
        check_host(request, allowed)
    assert refusal(error)[:2] == (421, "wrong-host")


@pytest.mark.parametrize(
    ("origin", "host", "welcome"),
    [
        (None, "club.example", True),
        ("https://club.example", "Club.Example", True),
        ("https://CLUB.example", "club.example", True),
        ("https://club.example:8000", "club.example", False),
        ("https://school.example/", "club.example", True),
        ("https://school.example", "club.example", True),
        ("http://school.example", "club.example", False),
        ("https://stranger.example", "club.example", False),
        ("https://[", "club.example", False),
        ("null", None, False),
        ("", "", False),
    ],
)
def test_origins_of_pages(origin: str | None, host: str | None, welcome: bool) -> None:
    given = [("Origin", origin), ("Host", host)]
    request = scope(*[(name, value) for name, value in given if value is not None])
    if welcome:
        check_origin(request, ["https://school.example/"])
        return
    with pytest.raises(Refusal) as error:
        check_origin(request, ["https://school.example/"])
    assert refusal(error)[:2] == (403, "not-yours")


# Rate limits.


def test_a_bucket_runs_dry_and_fills_again() -> None:
    now = 0.0
    bucket = Bucket(2.0, 10.0, lambda: now)
    assert [bucket.take() for _ in range(10)] == [0.0] * 10
    assert bucket.take() == 0.5
    assert bucket.take(4) == 2.0
    now = 1.0
    assert [bucket.take(), bucket.take()] == [0.0, 0.0]
    assert bucket.take() > 0
    now = 1000.0
    assert bucket.take(10) == 0.0
    assert bucket.take() == 0.5
    bucket.give_back(1)
    assert bucket.take() == 0.0


def test_a_slow_bucket_lets_one_through_and_none_is_no_limit() -> None:
    now = 0.0
    slow = Bucket(0.01, 0.1, lambda: now)
    assert slow.take() == 0.0
    assert slow.take() == 100.0
    now = 100.0
    assert slow.take() == 0.0
    endless = Bucket(0.0, 0.0, lambda: now)
    assert [endless.take() for _ in range(1000)] == [0.0] * 1000


def test_buckets_are_kept_apart_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nestline.web.access.limits.REMEMBERED_CLIENTS", 2)
    buckets = Buckets(0.001, 1, "too much")
    buckets.take("a")
    with pytest.raises(Refusal, match="too much; wait"):
        buckets.take("a")
    buckets.take("b")
    buckets.take("c")
    buckets.take("a")  # Dropped, since two other clients came later.


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a socket", "a socket"),
        (None, "unknown"),
    ],
)
def test_clients_are_counted_by_what_one_customer_has(address: Any, name: str) -> None:
    assert client_name(address) == name


def test_a_bucket_gives_back_no_more_than_it_holds() -> None:
    clock = Clock()
    bucket = Bucket(1.0, 5.0, clock.time)
    bucket.give_back(3)
    assert bucket.take(5) == 0.0
    assert bucket.take(1) == 1.0
    bucket.give_back(2)
    assert bucket.take(3) == 1.0
    assert bucket.take(2) == 0.0


def test_buckets_remember_who_came_last(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(limits, "REMEMBERED_CLIENTS", 2)
    monkeypatch.setattr(Bucket.__init__, "__defaults__", (clock.time,))
    buckets = Buckets(0.5, 2, "too much")
    one, two = buckets.of("1"), buckets.of("2")
    assert buckets.of("1") is one
    buckets.of("3")  # Now the second came longest ago.
    assert buckets.of("1") is one
    assert buckets.of("2") is not two
    buckets.take("4", 2)
    with pytest.raises(Refusal) as error:
        buckets.take("4")
    assert refusal(error) == (429, "too-many", "too much; wait 2 seconds")
    assert error.value.retry_after == 2.0
    assert limits.BURST == 10
    clock.now += 1
    with pytest.raises(Refusal, match="wait 1 seconds"):
        buckets.take("4")


def test_connections_are_counted_for_each_client() -> None:
    limit = ConnectionLimit(2)
    limit.enter("a")
    limit.enter("a")
    limit.enter("b")
    with pytest.raises(Refusal) as error:
        limit.enter("a")
    assert refusal(error) == (429, "too-many", "a client has at most 2 connections")
    limit.leave("a")
    limit.enter("a")
    with pytest.raises(Refusal):
        limit.enter("a")
    for client in "aab":
        limit.leave(client)
    assert not limit._count, "clients that have left take no memory"
    limit.enter("a")
    limit.enter("a")


def test_totals_of_each_client() -> None:
    totals = Totals(10)
    assert totals.add("a", 10)
    assert not totals.add("a", 1)
    assert totals.add("b", 1)
    totals.remove("a", 2)
    assert totals.add("a", 1)
    totals.remove("a", 9)
    assert not totals.add("a", 10)
    totals.remove("a", 11)
    totals.remove("b", 1)
    assert not totals._total, "nothing takes no memory"


def test_addresses_are_stored_as_salted_hashes() -> None:
    hashes = {client_hash(salt, client) for salt in "12" for client in "ab"}
    assert len(hashes) == 4
    assert all(len(digest) == 64 for digest in hashes)


# What a client may store.


class Usage:
    """A database that only counts."""

    def __init__(self) -> None:
        self.written: list[tuple[str, float, float]] = []
        self.elsewhere = 0.0
        """What other processes have counted."""
        self.away = False

    async def add_usage(self, client: str, amount: float, rate: float) -> float:
        if self.away:
            raise Refusal(503, "database", "the database is away")
        self.written.append((client, amount, rate))
        return self.elsewhere + sum(number for name, number, _ in self.written if name == client)


class Stored:
    """A quota of so many bytes a day, on a clock and a database of its own."""

    def __init__(self, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self.usage = Clock(), Usage()
        self.waiting: list[Coroutine[Any, Any, None]] = []
        monkeypatch.setattr(quota, "time", self.clock)
        self.quota = Quota(size, self.usage, "salt", self.waiting.append)

    def take(self, client: str, amount: float, writes: int = 0) -> None:
        self.quota.take(client, amount)
        assert len(self.waiting) == writes
        while self.waiting:
            asyncio.run(self.waiting.pop())  # type: ignore[arg-type]


def test_a_quota_is_used_up_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Stored(8_640_000, monkeypatch)  # A hundred bytes a second.
    stored.take("a", 8_640_000, writes=1)
    with pytest.raises(Refusal) as error:
        stored.take("a", 1_000)
    told = "a client stores at most 8.64 megabytes a day; wait 10 seconds"
    assert refusal(error) == (429, "too-many", told)
    assert error.value.retry_after == 10.0
    stored.take("b", 1_000)
    stored.clock.now += 10
    stored.take("a", 1_000)
    with pytest.raises(Refusal):
        stored.take("a", 1)
    stored.clock.now -= 100  # A clock that is put back takes nothing away.
    with pytest.raises(Refusal, match="wait 10 seconds"):
        stored.take("a", 1_000)
    stored.clock.now += 2 * 86_400
    stored.take("a", 8_640_000, writes=1)
    with pytest.raises(Refusal):
        stored.take("a", 1)


def test_a_quota_is_written_by_the_hundredth(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Stored(1_000, monkeypatch)
    name, rate = client_hash("salt", "a"), 1_000 / 86_400
    stored.take("a", 9.9375)
    stored.take("a", 0.0625, writes=1)
    stored.take("a", 9)
    stored.usage.away = True
    stored.take("a", 2, writes=1)  # In vain, so that it goes with the next portion.
    stored.usage.away, stored.usage.elsewhere = False, 900.0
    stored.take("a", 3, writes=1)
    assert stored.usage.written == [(name, 10, rate), (name, 14, rate)]
    stored.clock.now += 864
    with pytest.raises(Refusal, match="wait 86 seconds"):  # 924 bytes, less ten since then.
        stored.take("a", 87)
    stored.take("a", 86, writes=1)


def test_nobody_saves_up_a_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Stored(1_000, monkeypatch)
    stored.take("a", 5)
    stored.clock.now += 10 * 86_400
    with pytest.raises(Refusal):
        stored.take("a", 1_000.5)


def test_what_is_stored_while_the_database_answers_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Stored(1_000, monkeypatch)

    async def answer_late(client: str, amount: float, rate: float) -> float:
        stored.quota.take("a", 5)
        stored.clock.now += 100_000
        return amount

    monkeypatch.setattr(stored.usage, "add_usage", answer_late)
    stored.take("a", 500, writes=1)
    with pytest.raises(Refusal):
        stored.take("a", 496)
    stored.take("a", 495, writes=1)


def test_a_quota_remembers_who_came_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota, "REMEMBERED_CLIENTS", 2)
    stored = Stored(1_000, monkeypatch)
    for client in ("1", "2", "1", "3"):
        stored.take(client, 9 if client != "1" else 4)
    stored.take("1", 2, writes=1)  # The third time that it is remembered.
    stored.take("2", 9)  # Forgotten, and begun again.


def test_a_quota_of_nought_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = Stored(0, monkeypatch)
    stored.take("a", 1e12)
    assert stored.usage.written == []


# The study lock.


class Games:
    """A database in which one game is played."""

    def __init__(self, playing: bool) -> None:
        self.playing = playing
        self.asked: list[tuple[str | None, frozenset[str], float, str]] = []

    async def game_that_forbids_study(
        self, visitor: str | None, holders: frozenset[str], since: float, apart_from: str
    ) -> str | None:
        self.asked.append((visitor, holders, since, apart_from))
        return "game" if self.playing else None


def test_players_may_not_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nestline.web.access.permission.time", Clock(10_000.0))
    known = [Visitor("a", "browser", frozenset()), Visitor("a", None, frozenset({"token"}))]
    for visitor in known:
        games = Games(playing=True)
        with pytest.raises(Refusal) as error:
            asyncio.run(StudyPermission(games, 2).require(visitor))
        assert refusal(error)[:2] == (403, "study-refused")
        assert error.value.message.startswith("there is no study while you play a person; ")
        assert error.value.more == {"game": "game"}
        assert games.asked == [(visitor.browser, visitor.holders, 2_800.0, "")]
        asyncio.run(StudyPermission(Games(playing=False), 2).require(visitor))
    games = Games(playing=True)
    asyncio.run(StudyPermission(games, 2).require(Visitor("a", None, frozenset())))
    assert games.asked == [], "nothing is known of such a visitor"


# Seats.


def test_seats_belong_to_the_holders_of_their_tokens() -> None:
    first, second, stranger = (tokens.hash_of(name) for name in "12x")
    seat = {"name": None, "level": None}
    setup = {"record": '[Rules "gobblers"] 1. 3b2', "seats": [seat, seat], "strict": True}
    seats = StoredSeat(first), StoredSeat(second)
    stored = StoredGame("game", "gobblers", setup, "creator", 0, 0.0, 0.0, seats)
    online = OnlineGame(stored, load_rules("gobblers"))
    assert (side_of("first"), side_of("second")) == (Side.FIRST, Side.SECOND)
    one, both = frozenset({first, stranger}), frozenset({first, second})
    assert sides_of(online, one) == (Side.FIRST,)
    assert sides_of(online, both) == (Side.FIRST, Side.SECOND)
    assert acting_side(online, one, None) == Side.FIRST
    assert acting_side(online, frozenset({second}), None) == Side.SECOND
    assert acting_side(online, both, None) == Side.SECOND, "the one whose turn it is"
    for name, side in (("first", Side.FIRST), ("second", Side.SECOND)):
        assert acting_side(online, both, name) == side
    for holders, name, expected in (
        (frozenset(), None, (401, "token-missing", "this needs the token of a seat")),
        (frozenset({stranger}), None, (403, "not-yours", "the token holds no seat of this game")),
        (one, "second", (403, "not-yours", "the token does not hold the second seat")),
    ):
        with pytest.raises(Refusal) as error:
            acting_side(online, holders, name)
        assert refusal(error) == expected
