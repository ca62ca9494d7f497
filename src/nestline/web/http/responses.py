"""What the endpoints share: dependencies for the services and the visitor, and responses."""

from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import JSONResponse, Response

from nestline.errors import NestlineError
from nestline.web.access.visitors import Visitor, visitor_of
from nestline.web.refusals import Refusal, refusal_of
from nestline.web.services import Services


async def _services(request: Request) -> Services:
    found = request.app.state.services
    assert isinstance(found, Services)
    return found


Server = Annotated[Services, Depends(_services)]


async def _playing_services(services: Server) -> Services:
    services.preparation.require("rules")
    return services


async def _studying_services(services: Server) -> Services:
    services.preparation.require("search")
    return services


async def _visitor(request: Request) -> Visitor:
    return visitor_of(request.scope)


PlayingServer = Annotated[Services, Depends(_playing_services)]
"""For endpoints that need the rules, which may not be compiled yet."""
StudyingServer = Annotated[Services, Depends(_studying_services)]
"""For endpoints that need the search too."""
Asker = Annotated[Visitor, Depends(_visitor)]


def answer(content: Any, status: int = 200) -> JSONResponse:
    """A JSON response, without validating it against the response model once more."""
    return JSONResponse(content, status)


def json_response(text: str, status: int = 200) -> Response:
    """A response whose JSON has been written already."""
    return Response(text, status, media_type="application/json")


async def goes_away(request: Request) -> None:
    """Returns when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def picture_response(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml")


def bitmap_response(png: bytes) -> Response:
    """A PNG picture, which other pages may show."""
    headers = {"cross-origin-resource-policy": "cross-origin"}
    return Response(png, media_type="image/png", headers=headers)


def text_response(text: str, name: str) -> Response:
    """A text that a browser shows, or saves under a name."""
    headers = {"content-disposition": f'inline; filename="{name}"'}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


def refusal_response(error: Exception) -> JSONResponse:
    """A refusal as an HTTP response."""
    if isinstance(error, NestlineError):
        error = refusal_of(error)
    assert isinstance(error, Refusal)
    response = JSONResponse({"error": error.to_json()}, error.status)
    if error.retry_after is not None:
        response.headers["retry-after"] = str(max(1, round(error.retry_after)))
    if error.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    return response
