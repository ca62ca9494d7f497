"""What is logged, and what never is: no tokens, no queries, no addresses of visitors.

Everything goes to standard error, one line each. Requests are logged by the
middleware, connections by `socket`; uvicorn's own lines about them would contain all of that.
"""

import logging
from typing import Any
from urllib.parse import quote

from starlette.types import Scope

access_log = logging.getLogger("nestline.web.access")


def log_access(scope: Scope, method: str, told: str) -> None:
    """One line about a visit; the path is quoted, so that nobody can write lines of his own."""
    access_log.info("%s %s %s", method, quote(scope["path"], errors="replace"), told)


class AboutTheServer(logging.Filter):
    """Lets pass what uvicorn says about itself, not what it says about visitors."""

    def filter(self, record: logging.LogRecord) -> bool:
        told = str(record.msg)
        return "WebSocket" not in told and not told.startswith("connection ")


def log_config(level: str) -> dict[str, Any]:
    """The configuration for `logging`, at one of the levels of the settings."""
    quiet = {"filters": ["about_the_server"]}
    # At `debug` uvicorn writes down every head and message, with the tokens in them.
    uvicorn_level = max(logging.INFO, logging.getLevelNamesMapping()[level.upper()])
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"about_the_server": {"()": "nestline.web.logs.AboutTheServer"}},
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {
            "error": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": "WARNING", "handlers": ["error"]},
        "loggers": {
            "uvicorn": {"level": uvicorn_level},
            "uvicorn.error": {"level": uvicorn_level, **quiet},
            "nestline": {"level": level.upper()},
        },
    }
