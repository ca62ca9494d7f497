"""The tables' files are served whole and in parts, as the page's engine reads them."""

from pathlib import Path

from support.web_driver import Server


def test_a_table_is_served_in_parts(server: Server, tictactoe_tables: Path) -> None:
    [file] = tictactoe_tables.glob("tictactoe-*.table")
    content = file.read_bytes()
    whole = server.get("/tables/tictactoe.table")
    assert (whole.status_code, whole.content) == (200, content)
    assert whole.headers["accept-ranges"] == "bytes"
    assert whole.headers["cache-control"] == "no-cache"
    assert "content-encoding" not in whole.headers
    part = server.get("/tables/tictactoe.table", Range="bytes=8-99")
    assert (part.status_code, part.content) == (206, content[8:100])
    assert part.headers["content-range"] == f"bytes 8-99/{len(content)}"
    beyond = server.get("/tables/tictactoe.table", Range="bytes=0-65535")
    assert (beyond.status_code, beyond.content) == (206, content)
    again = server.get("/tables/tictactoe.table", **{"If-None-Match": whole.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "no-cache"


def test_what_is_no_table_is_not_found(server: Server) -> None:
    for name in ("gobblet", "nothing", "..%2F..%2Fetc%2Fpasswd", "custom-0123456789abcdef"):
        answer = server.get(f"/tables/{name}.table")
        assert answer.status_code == 404, name
        assert answer.json()["error"]["code"] == "not-found"
    assert server.get("/tables/tictactoe.table", Range="bytes=9-1").status_code < 500
