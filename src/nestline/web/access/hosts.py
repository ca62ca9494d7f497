"""Which names the server goes by.

A page of a stranger can let its own name point to this machine (DNS rebinding). To the browser the
server is then part of that page, so a server that is reached on this machine only answers to local
names, and to those the operator gives it.
"""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

from nestline.web.refusals import Refusal


def check_host(scope: Scope, allowed: str) -> None:
    """Refuse a request for a name that is not ours; `allowed` has names separated by spaces."""
    names = allowed.lower().split()
    is_local = _is_local(_reached_at(scope))
    if not (names or is_local):
        return
    for given in Headers(scope=scope).getlist("host"):
        name = _without_port(given.lower())
        if name not in names and not (is_local and _is_local(name)):
            raise Refusal(421, "wrong-host", "this server does not go by that name")


def _reached_at(scope: Scope) -> str:
    server = scope.get("server")
    return str(server[0]) if server else ""


def _without_port(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if port.isdecimal() and (name.endswith("]") or ":" not in name) else host).strip(
        "[]"
    )


def _is_local(name: str) -> bool:
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or bool(getattr(address, "ipv4_mapped", None) and
                                       address.ipv4_mapped.is_loopback)  # type: ignore[union-attr]  # fmt: skip
