"""Two processes and PostgreSQL behind nginx, configured as docs/host/deployment.md says."""

import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from nestline import Game
from support.ports import free_port
from support.web_driver import WAIT, Player, Server, checked, wait_for
from web.conftest import Servers
from web.games.test_play import LINK

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
"""Debian installs it outside an ordinary user's PATH."""
PAGE = (Path(__file__).parents[3] / "docs" / "host" / "deployment.md").read_text("utf-8")


class Proxy:
    """What visitors see: one HTTPS address; stands in for a server in `Player`."""

    def __init__(self, folder: Path, servers: Servers) -> None:
        self.port = free_port()
        self.log = folder / "access.log"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=x", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
            check=True, capture_output=True,
        )  # fmt: skip
        configuration = folder / "nginx.conf"
        configuration.write_text(self._configuration(folder, servers), "utf-8")
        self._process = subprocess.Popen(
            [NGINX or "", "-e", folder / "error.log", "-p", folder, "-c", configuration]
        )
        self.ssl = ssl.create_default_context()
        self.ssl.check_hostname = False
        self.ssl.verify_mode = ssl.CERT_NONE
        self.url = f"https://127.0.0.1:{self.port}"
        self.socket_url = f"wss://127.0.0.1:{self.port}/api/v1/socket"
        try:
            wait_for(self._answers)
        except BaseException:
            self.close()
            raise

    def _configuration(self, folder: Path, servers: Servers) -> str:
        """The page's configuration, with our addresses and files in place of its examples."""
        found = re.search(r"```nginx\n(.*?)```", PAGE, re.DOTALL)
        assert found
        text = found[1]
        for example, ours in (
            ("server 10.0.0.11:8000;", f"server 127.0.0.1:{servers.one.port};"),
            ("server 10.0.0.12:8000;", f"server 127.0.0.1:{servers.other.port};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            ("/etc/ssl/games.example.pem", str(folder / "certificate.pem")),
            ("/etc/ssl/games.example.key", str(folder / "key.pem")),
        ):
            assert example in text
            text = text.replace(example, ours)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in kinds)
        return (
            f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nevents {{}}\n"
            f"http {{\naccess_log {self.log};\n{paths}{text}\n}}\n"
        )

    def _answers(self) -> bool:
        assert self._process.poll() is None, "nginx ended"
        try:
            with self.client() as client:
                return client.get("/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=False, timeout=WAIT)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(WAIT)


@pytest.fixture(scope="module")
def proxy(two_processes: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    for program, found in (("nginx", NGINX), ("openssl", shutil.which("openssl"))):
        if found is None:
            pytest.skip(f"{program} is missing: install the package {program}")
    started = Proxy(tmp_path_factory.mktemp("nginx"), two_processes)
    try:
        yield started
    finally:
        started.close()


def test_a_game_is_played_through_nginx_without_sticking_to_a_process(
    proxy: Proxy, two_processes: Servers
) -> None:
    def requests(server: Server) -> float:
        found = re.search(r"nestline_request_seconds_count (\S+)", server.get("/metrics").text)
        assert found
        return float(found[1])

    before = [requests(server) for server in two_processes]
    with proxy.client() as ann, proxy.client() as bob:
        response = ann.post("/api/v1/games", json={"seats": LINK})
        assert "; secure" in response.headers["set-cookie"].lower()
        made = checked(response)
        game, first = made["game"]["id"], made["tokens"]["first"]
        invitation = {"invitation": made["invitations"]["second"]}
        joined = checked(bob.post(f"/api/v1/games/{game}/join", json=invitation))
        second = joined["tokens"]["second"]
        mirror, number = Game("gobblers"), joined["game"]["number"]
        with Player(proxy, proxy.url) as spectator:
            spectator.watch(game)
            for move in ("3b2", "3a1", "3c3", "2b1", "1a2", "2a3"):
                client, token = (bob, second) if mirror.turn else (ann, first)
                mirror.play(move)
                facts = checked(
                    client.post(
                        f"/api/v1/games/{game}/actions",
                        json={"action": "move", "move": move, "number": number},
                        headers={"Authorization": f"Bearer {token}"},
                    )
                )
                number = facts["number"]
                assert spectator.game_at(number)["board"]["text"] == str(mirror.position)
    after = [requests(server) for server in two_processes]
    assert all(now > then + 2 for then, now in zip(before, after, strict=True))
    written = wait_for(lambda: game in (text := proxy.log.read_text("utf-8")) and text)
    assert not any(secret in written for secret in (first, second, invitation["invitation"]))


def test_nginx_hands_on_what_the_server_decides_by(proxy: Proxy) -> None:
    with pytest.raises(InvalidStatus) as foreign:
        Player(proxy, "https://elsewhere.example")
    assert foreign.value.response.status_code == 403
    with proxy.client() as client:
        assert client.get("/metrics").status_code == 403
        assert client.post("/api/v1/games", content=b"x" * 70_000).status_code == 413
        # Whatever visitors claim about themselves, nginx says who they are.
        told = client.get("/healthz", headers={"X-Forwarded-For": "not an address, 10.1.1.1"})
        assert told.status_code == 200
