"""Ports for servers that have to be told one."""

import socket
import sys


def free_port() -> int:
    """A port that nobody else gets by chance, not even while its server is started again.

    Linux gives a port that a socket is bound to only to those who ask for its number.
    """
    claim = socket.socket()
    claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    claim.bind(("127.0.0.1", 0))
    port: int = claim.getsockname()[1]
    if sys.platform == "linux":
        claim.detach()  # It stays bound as long as this process lives.
    else:
        claim.close()
    return port
