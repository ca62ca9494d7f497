"""Who asks: the client's address, the tokens sent along, and the browser, told by a cookie.

The cookie gives no rights. It only lets the server know the browser in which somebody plays a
person, so that study can be refused there whatever the page does.
"""

import time
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from sqlalchemy import Connection
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from nestline.web.access.limits import client_name
from nestline.web.access.tokens import LONGEST_SECRET, hash_of, new_secret
from nestline.web.games.hub import Hub
from nestline.web.refusals import Refusal
from nestline.web.storage.statements import game_that_forbids_study

COOKIE = "nestline-visitor"
COOKIE_SECONDS = 90 * 86_400


@dataclass(frozen=True)
class Visitor:
    """Who sent a request: to count for, to refuse study to, to let act."""

    client: str
    browser: str | None
    """The hash of the cookie."""
    holders: frozenset[str]
    """The hashes of the tokens."""

    def holding(self, holders: frozenset[str]) -> "Visitor":
        return Visitor(self.client, self.browser, holders)


def visitor_of(scope: Scope) -> Visitor:
    """Read from the head of a request; a refusal if it makes no sense."""
    headers = Headers(scope=scope)
    address = scope["client"][0] if scope.get("client") else None
    cookie = _cookie(headers)
    return Visitor(client_name(address), hash_of(cookie) if cookie else None, _holders(headers))


def _holders(headers: Headers) -> frozenset[str]:
    given = headers.get("authorization")
    if given is None:
        return frozenset()
    kind, _, token = given.partition(" ")
    if kind.lower() != "bearer" or not token.strip() or len(token) > LONGEST_SECRET:
        raise Refusal(401, "token-missing", "a token is sent as: Authorization: Bearer TOKEN")
    return frozenset({hash_of(token.strip())})


def _cookie(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found and len(found.value) <= LONGEST_SECRET else None


def remember_browser(scope: Scope, response: Response) -> str:
    """The hash of the browser's cookie; the response sets one if there is none yet."""
    cookie = _cookie(Headers(scope=scope))
    if cookie is None:
        cookie = new_secret()
        is_secure = scope.get("scheme") in ("https", "wss")
        response.set_cookie(
            COOKIE, cookie, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="strict",
            secure=is_secure,
        )  # fmt: skip
    return hash_of(cookie)


async def require_study(hub: Hub, visitor: Visitor) -> None:
    """Refuse study to the players of a running game between people."""
    if visitor.browser is None and not visitor.holders:
        return
    since = time.time() - hub.settings.study_lock_hours * 3600

    def work(connection: Connection) -> str | None:
        return game_that_forbids_study(connection, visitor.browser, visitor.holders, since)

    game = await hub.read(work)
    if game is not None:
        raise Refusal(
            403,
            "study-refused",
            "there is no study while you play a person; it is open again when the game is over",
            game=game,
        )
