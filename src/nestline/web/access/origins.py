"""Whether a page may open the WebSocket: this server's own, and origins the operator names.

Browsers do not send tokens by themselves, so a foreign page could do little harm, but it has no
business here. Clients other than browsers send no origin and are let in.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from nestline.web.refusals import Refusal


def check_origin(scope: Scope, allowed: Iterable[str]) -> None:
    """Refuse pages from other origins."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None or origin.rstrip("/") in {name.rstrip("/") for name in allowed}:
        return
    try:
        is_ours = urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        is_ours = False
    if not is_ours:
        raise Refusal(403, "not-yours", "pages of other origins may not connect")
