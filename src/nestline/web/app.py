"""The ASGI application: routes, error responses, the WebSocket, and the services behind them.

`create_app` is what uvicorn calls in each worker process; it takes its settings from the
environment.
"""

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from nestline.errors import NestlineError
from nestline.web.http import (
    api_page,
    game_routes,
    pages,
    server_routes,
    study_routes,
    table_routes,
)
from nestline.web.http.middleware import HttpMiddleware
from nestline.web.http.problems import body_problem, first_problem
from nestline.web.http.responses import refusal_response
from nestline.web.http.socket import POLICY_VIOLATION, serve_socket
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.settings import Settings, read_settings
from nestline.web.work.event_loop import when_told_to_stop

API = "/api/v1"
GC_THRESHOLDS = 10_000, 20, 50
"""The garbage collector runs less often than usual: few objects of a game are garbage cycles."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter lock while another waits for it. Shorter than usual: the
writer needs the lock often and briefly, and everybody waits for the writer.
"""
SOCKET = f"{API}/socket"
PREFLIGHT_SECONDS = 86_400
"""How long browsers remember that an origin may ask."""

_SUMMARY = (
    "Games of the Gobblet family: play, watch, study. See docs/program/api.md for the WebSocket."
)


class Application:
    """Sends WebSockets to `socket`, and HTTP through the middleware to the endpoints."""

    def __init__(self, http: ASGIApp, services: Services) -> None:
        self._http = http
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            if scope["path"] == SOCKET:
                await serve_socket(self.services, scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            await self._http(scope, receive, send)


def create_app(settings: Settings | None = None) -> Application:
    """An application that is ready to be started."""
    services = Services(settings or read_settings())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await services.start()
        when_told_to_stop(services.analysts.end)
        services.when_ready(_freeze_permanent_objects)
        sys.setswitchinterval(SWITCH_SECONDS)
        yield
        await services.close()

    api = FastAPI(
        title="nestline",
        version=version("nestline"),
        description=_SUMMARY,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    api.state.services = services
    add_endpoints(api)
    api_page.add_page(api, API)
    pages.add_pages(api)
    table_routes.add_tables(api)
    _handle_errors(api)
    return Application(_for_other_origins(HttpMiddleware(api, services), services), services)


def _for_other_origins(app: ASGIApp, services: Services) -> ASGIApp:
    """Let the pages of the origins that the operator names use the API, too."""
    origins = [origin.rstrip("/") for origin in services.settings.origins.split()]
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=("GET", "POST"),
        allow_headers=("authorization", "content-type"),
        max_age=PREFLIGHT_SECONDS,
    )


def add_endpoints(api: FastAPI) -> None:
    """Everything that the OpenAPI document describes."""
    for router in (game_routes.router, study_routes.router, server_routes.router):
        api.include_router(router, prefix=API)
    api.include_router(server_routes.root_router)


def _freeze_permanent_objects() -> None:
    """Keep permanent objects out of garbage collection.

    There are some hundred thousand, most of them the compiler's, and a full collection that
    visits them all takes long enough for every player to notice.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def _handle_errors(api: FastAPI) -> None:
    async def refuse(request: Request, error: Exception) -> JSONResponse:
        return refusal_response(error)

    async def malformed(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        problems = error.errors()
        if problems[0]["loc"] == ("body",):
            refusal = body_problem(request.headers.get("content-type", ""))
            return refusal_response(refusal or first_problem(problems))
        return refusal_response(first_problem(problems))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, Refusal):
            return refusal_response(error.__cause__)
        if error.status_code == 404 and pages.is_for_people(request):
            return pages.no_page()
        known: dict[int, tuple[str, str]] = {
            404: ("not-found", "there is nothing at this address"),
            405: ("method-not-allowed", "this address does not take such requests"),
        }
        code, message = known.get(error.status_code, ("bad-request", "the body cannot be read"))
        response = refusal_response(Refusal(error.status_code, code, message))
        for name, value in (error.headers or {}).items():
            response.headers[name] = value
        return response

    handlers: dict[Any, Any] = {
        Refusal: refuse,
        NestlineError: refuse,
        RequestValidationError: malformed,
        HTTPException: http_error,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)
