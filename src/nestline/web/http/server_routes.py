"""The endpoints about the server itself: version and limits, health, metrics."""

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import Response

from nestline import __version__
from nestline.web.fields import LONGEST_RECORD
from nestline.web.games.catalogue import LONGEST_TEXT
from nestline.web.http import answers
from nestline.web.http.responses import Server, answer

router = APIRouter(tags=["server"])
root_router = APIRouter(tags=["server"])
"""Endpoints for operators, at the root and without an API version."""

LIMITS = (
    "body_bytes", "message_bytes", "messages_per_second", "requests_per_second",
    "open_games_per_client", "bytes_per_day", "games_per_connection", "analysis_seconds",
    "engine_seconds_per_minute",
)  # fmt: skip
"""The settings that concern clients."""


@router.get("/status", response_model=answers.StatusAnswer, responses=answers.refusals())
async def status(server: Server) -> Response:
    """Version, tablebases, limits."""
    missing = server.preparation.missing
    return answer(
        {
            "version": __version__,
            "instance": server.instance,
            "getting_ready": missing and {"part": missing, "remark": server.preparation.remark},
            "tables": server.tablebases.states(),
            "limits": {
                **{name: getattr(server.settings, name) for name in LIMITS},
                "record_characters": LONGEST_RECORD,
                "rule_set_characters": LONGEST_TEXT,
            },
            "games": server.hub.games,
            "watchers": server.hub.watchers,
        }
    )


@root_router.get("/healthz", response_model=answers.HealthAnswer, responses=answers.refusals())
async def health(server: Server) -> Response:
    """Whether the server can do its work, and store it."""
    server.preparation.require("search")
    await server.store.require_writable()
    return answer({"status": "ok", "version": __version__})


@root_router.get("/metrics", response_class=Response, include_in_schema=False)
async def metrics(server: Server) -> Response:
    return Response(server.metrics_text(), media_type=CONTENT_TYPE_LATEST)
