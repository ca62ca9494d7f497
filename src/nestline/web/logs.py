"""What is logged, and what never is: no tokens, no queries, no addresses of visitors.

Everything goes to standard error, one line each. The middleware logs requests and `socket` logs
connections; uvicorn's own lines about them would contain all of that.
"""

import logging
from typing import Any
from urllib.parse import quote

from starlette.types import Scope

access_log = logging.getLogger("nestline.web.access")
LONGEST_PATH = 200
"""Characters of a path in the log, which a client must not be able to fill."""


def log_access(scope: Scope, method: str, told: str) -> None:
    """One line about a request; the path is quoted, so that nobody can forge log lines."""
    path = quote(scope["path"][:LONGEST_PATH], errors="replace")[:LONGEST_PATH]
    access_log.info("%s %s %s", method, path, told)


class AboutTheServer(logging.Filter):
    """Passes what uvicorn logs about itself, but not what it logs about visitors."""

    def filter(self, record: logging.LogRecord) -> bool:
        told = str(record.msg)
        about_visitors = ("connection ", "Invalid HTTP request", "Unsupported upgrade")
        return "WebSocket" not in told and not told.startswith(about_visitors)


def log_config(level: str) -> dict[str, Any]:
    """The configuration for `logging`, at one of the levels of the settings."""
    quiet = {"filters": ["about_the_server"]}
    # At `debug` uvicorn logs every header and message, with the tokens in them.
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
