"""Games over HTTP: create, join, look, act. What happens is decided in `services` and below."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from nestline.web.access.visitors import remember_browser
from nestline.web.games.views import picture, record_text
from nestline.web.http import answers, requests
from nestline.web.http.responses import (
    Asker,
    PlayingServer,
    answer,
    picture_response,
    text_response,
)
from nestline.web.refusals import refused

router = APIRouter(tags=["games"])

Id = Annotated[str, Path(min_length=1, max_length=20, description="The public id of a game.")]
Size = Annotated[int, Query(ge=16, le=2048, description="The width in pixels.")]
Responses = dict[int | str, dict[str, Any]]
SVG: Responses = {200: {"content": {"image/svg+xml": {}}, "description": "An SVG picture."}}
TEXT: Responses = {200: {"content": {"text/plain": {}}, "description": "A text."}}


@router.post(
    "/games",
    status_code=201,
    response_model=answers.CreatedGame,
    responses=answers.refusals(403, 409),
)
async def create_game(
    request: Request, new: requests.NewGame, server: PlayingServer, asker: Asker
) -> Response:
    """Create a game; the answer has the tokens of your seats and invitations to the others."""
    response = answer({}, 201)
    browser = remember_browser(request.scope, response)
    made, match = await server.create(new, asker, browser)
    holders = frozenset(seat.holder for seat in match.seats if seat.holder)
    facts = {
        "game": server.hub.facts(match, holders),
        "tokens": made.tokens,
        "invitations": made.invitations,
    }
    response.body = response.render(facts)
    response.headers["content-length"] = str(len(response.body))
    return response


@router.get("/games/{game}", response_model=answers.GameAnswer, responses=answers.refusals(401))
async def show_game(game: Id, server: PlayingServer, asker: Asker) -> Response:
    """A game as you may see it."""
    match = await server.hub.find(game)
    return answer(server.hub.facts(match, asker.holders))


@router.post(
    "/games/{game}/join",
    response_model=answers.JoinedGame,
    responses=answers.refusals(401, 403, 409),
)
async def join_game(
    request: Request, game: Id, joining: requests.Joining, server: PlayingServer
) -> Response:
    """Take the seat of an invitation; it can be taken once."""
    response = answer({})
    browser = remember_browser(request.scope, response)
    match, seat, token = await server.join(game, joining.invitation, joining.name, browser)
    side = 0 if seat == "first" else 1
    holder = match.seats[side].holder
    facts = server.hub.facts(match, frozenset({holder} if holder else ()))
    response.body = response.render({"game": facts, "tokens": {seat: token}})
    response.headers["content-length"] = str(len(response.body))
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
    """Make an invitation to a free seat, or to your own."""
    invitation = await server.invite(game, asker.holders, inviting.seat)
    return answer({"invitations": {inviting.seat: invitation}}, 201)


@router.post(
    "/games/{game}/actions",
    response_model=answers.GameAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def act(game: Id, action: requests.Action, server: PlayingServer, asker: Asker) -> Response:
    """Do something in a game: move, offer, take back, …"""
    match = await server.act(game, asker.holders, action.model_dump())
    return answer(server.hub.facts(match, asker.holders))


@router.post(
    "/games/{game}/peek",
    response_model=answers.PeekAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def peek(
    game: Id, peeking: requests.Peeking, server: PlayingServer, asker: Asker
) -> Response:
    """Look under a piece of your own, where the rules and the game allow it."""
    return answer(await server.peek(game, asker.holders, peeking.square, peeking.seat))


@router.get(
    "/games/{game}/record",
    response_class=Response,
    responses={**TEXT, **answers.refusals(401, 409)},
)
async def show_record(game: Id, server: PlayingServer) -> Response:
    """The game as a record."""
    match = await server.hub.find(game)
    if match.is_hidden:
        raise refused("the record tells what is covered; it can be had when the game is over")
    return text_response(record_text(match), f"{match.id}.txt")


@router.get(
    "/games/{game}/picture",
    response_class=Response,
    responses={**SVG, **answers.refusals(401)},
)
async def show_picture(
    game: Id,
    server: PlayingServer,
    size: Size = 480,
    flip: bool = False,
    coordinates: bool = True,
    reserves: bool = True,
) -> Response:
    """The board as an SVG picture, as everybody may see it."""
    match = await server.hub.find(game)
    options = {"size": size, "flip": flip, "coordinates": coordinates, "reserves": reserves}
    return picture_response(await server.analysts.apart(lambda: picture(match, **options)))
