"""The endpoints of games: create, join, look, act. `games.service` does the work."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from nestline.web.access.tokens import hash_of
from nestline.web.access.visitors import browser_cookie, remember_browser
from nestline.web.games.actions import AnyActionRequest
from nestline.web.games.creation import NewGame
from nestline.web.games.views import picture
from nestline.web.http import answers, requests
from nestline.web.http.responses import (
    Asker,
    PlayingServer,
    answer,
    bitmap_response,
    json_response,
    picture_response,
    text_response,
)
from nestline.web.work.bitmaps import render

router = APIRouter(tags=["games"])

Id = Annotated[str, Path(min_length=1, max_length=20, description="The public id of a game.")]
Size = Annotated[int, Query(ge=16, le=2048, description="The width in pixels.")]
BitmapSize = Annotated[int, Query(ge=16, le=1200, description="Width and height in pixels.")]
First = Annotated[int, Query(alias="from", ge=0, le=2**31 - 1, description="The first of them.")]
Responses = dict[int | str, dict[str, Any]]
SVG: Responses = {200: {"content": {"image/svg+xml": {}}, "description": "An SVG picture."}}
PNG: Responses = {200: {"content": {"image/png": {}}, "description": "A PNG picture."}}
TEXT: Responses = {200: {"content": {"text/plain": {}}, "description": "A text."}}


@router.post(
    "/games",
    status_code=201,
    response_model=answers.CreatedGame,
    responses=answers.refusals(403, 409),
)
async def create_game(
    request: Request, new: NewGame, server: PlayingServer, asker: Asker
) -> Response:
    """Create a game; the answer has the tokens of your seats and invitations to the others."""
    cookie = browser_cookie(request.scope)
    made, online = await server.games.create(new, asker, hash_of(cookie))
    holders = frozenset(seat.holder for seat in online.seats if seat.holder)
    game = server.games.text(online, holders)
    more = {"tokens": made.tokens, "invitations": made.invitations}
    response = json_response(f'{{"game":{game},{json.dumps(more)[1:]}', 201)
    remember_browser(request.scope, response, cookie)
    return response


@router.get("/games/{game}", response_model=answers.GameAnswer, responses=answers.refusals(401))
async def show_game(game: Id, server: PlayingServer, asker: Asker) -> Response:
    """A game as you may see it."""
    online = await server.hub.find(game)
    return json_response(server.games.text(online, asker.holders))


@router.get(
    "/games/{game}/moves", response_model=answers.PlayedMoves, responses=answers.refusals(401)
)
async def show_moves(game: Id, server: PlayingServer, asker: Asker, first: First = 0) -> Response:
    """Some moves of a game, from a number on, each with the board after it."""
    return answer(await server.games.moves(game, first, asker.client))


@router.post(
    "/games/{game}/join",
    response_model=answers.JoinedGame,
    responses=answers.refusals(401, 403, 409),
)
async def join_game(
    request: Request, game: Id, joining: requests.Joining, server: PlayingServer, asker: Asker
) -> Response:
    """Take the seat of an invitation, which works once."""
    cookie = browser_cookie(request.scope)
    online, seat, token = await server.games.join(
        game, joining.invitation, joining.name, asker, hash_of(cookie)
    )
    holder = frozenset({hash_of(token)})
    found = server.games.text(online, holder)
    response = json_response(f'{{"game":{found},"tokens":{json.dumps({seat: token})}}}')
    remember_browser(request.scope, response, cookie)
    return response


@router.post(
    "/games/{game}/invitations",
    status_code=201,
    response_model=answers.InvitationAnswer,
    responses=answers.refusals(401, 403),
)
async def invite(
    game: Id, inviting: requests.Inviting, server: PlayingServer, asker: Asker
) -> Response:
    """Create an invitation to a free seat, or to your own."""
    invitation = await server.games.invite(game, asker.holders, inviting.seat)
    return answer({"invitations": {inviting.seat: invitation}}, 201)


@router.post(
    "/games/{game}/actions",
    response_model=answers.GameAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def act(game: Id, action: AnyActionRequest, server: PlayingServer, asker: Asker) -> Response:
    """Do something in a game: move, offer, take back, …"""
    online = await server.games.act(game, asker.holders, action, asker)
    return json_response(server.games.text(online, asker.holders))


@router.post(
    "/games/{game}/peek",
    response_model=answers.PeekAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def peek(
    game: Id, peeking: requests.Peeking, server: PlayingServer, asker: Asker
) -> Response:
    """Look under one of your pieces, where the rules and the game allow it."""
    return answer(await server.games.peek(game, asker.holders, peeking.square, peeking.seat))


@router.get(
    "/games/{game}/record",
    response_class=Response,
    responses={**TEXT, **answers.refusals(401, 409)},
)
async def show_record(game: Id, server: PlayingServer, asker: Asker) -> Response:
    """The game as a record."""
    return text_response(await server.games.record(game, asker.client), f"{game}.txt")


@router.get(
    "/games/{game}/picture",
    response_class=Response,
    responses={**SVG, **answers.refusals(401)},
)
async def show_picture(
    game: Id,
    server: PlayingServer,
    asker: Asker,
    size: Size = 480,
    flip: bool = False,
    coordinates: bool = True,
    reserves: bool = True,
) -> Response:
    """The board as an SVG picture, showing what everybody may see."""
    online = await server.hub.find(game)
    options = {"size": size, "flip": flip, "coordinates": coordinates, "reserves": reserves}
    return picture_response(
        await server.executor.run(asker.client, lambda: picture(online, **options))
    )


@router.get(
    "/games/{game}/picture.png",
    response_class=Response,
    responses={**PNG, **answers.refusals(401)},
)
async def show_bitmap(
    game: Id, server: PlayingServer, asker: Asker, size: BitmapSize = 480
) -> Response:
    """The board without the reserves as a PNG picture, for programs that show no SVG."""
    online = await server.hub.find(game)

    def draw() -> bytes:
        return render(picture(online, size=size, reserves=False))

    return bitmap_response(await server.painter.run(asker.client, draw))
