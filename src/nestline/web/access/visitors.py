"""Who sends a request: the client's address, its tokens, and its browser, known by a cookie.

The cookie gives no rights. It only tells the server that a game between people is being
played in this browser, so that it can refuse study there whatever the page does.
"""

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from nestline.web.access.limits import client_name
from nestline.web.access.tokens import LONGEST_SECRET, hash_of, new_secret
from nestline.web.refusals import Refusal

COOKIE = "nestline-visitor"
COOKIE_SECONDS = 90 * 86_400


@dataclass(frozen=True)
class Visitor:
    """Who sent a request, for rate limits, permission to study, and the right to act."""

    client: str
    browser: str | None
    """The hash of the cookie."""
    holders: frozenset[str]
    """The hashes of the tokens."""

    def holding(self, holders: frozenset[str]) -> "Visitor":
        return Visitor(self.client, self.browser, holders)


def visitor_of(scope: Scope) -> Visitor:
    """Read the visitor from a request's headers; refuse headers that make no sense."""
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
    """The value of our cookie, whatever else the headers contain.

    Not read by `http.cookies`, which gives up on all cookies when it does not understand one: any
    page of the same host could set such a one, and the study lock would open.
    """
    pairs = (pair.partition("=") for pair in ";".join(headers.getlist("cookie")).split(";"))
    values = (value.strip().strip('"') for name, _, value in pairs if name.strip() == COOKIE)
    return next((value for value in values if 0 < len(value) <= LONGEST_SECRET), None)


def without_other_cookies(scope: Scope) -> Scope:
    """The request with no cookie but ours.

    FastAPI reads all cookies of every request with `http.cookies`, which in many versions of Python
    takes half a second for backslashes that fill a head.
    """
    headers = scope["headers"]
    if all(name != b"cookie" for name, _value in headers):
        return scope
    kept = [(name, value) for name, value in headers if name != b"cookie"]
    if cookie := _cookie(Headers(scope=scope)):
        kept.append((b"cookie", f"{COOKIE}={cookie}".encode("latin-1")))
    return {**scope, "headers": kept}


def browser_cookie(scope: Scope) -> str:
    """The browser's cookie, or a new one if it has none yet."""
    return _cookie(Headers(scope=scope)) or new_secret()


def remember_browser(scope: Scope, response: Response, cookie: str) -> None:
    """Set the cookie in the response if the browser does not have it yet."""
    if _cookie(Headers(scope=scope)) == cookie:
        return
    is_secure = scope.get("scheme") in ("https", "wss")
    response.set_cookie(
        COOKIE, cookie, max_age=COOKIE_SECONDS, path="/", httponly=True, samesite="strict",
        secure=is_secure,
    )  # fmt: skip
