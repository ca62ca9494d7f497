"""What other programs show of a link to a game or a position: a title, a sentence and a picture.

The tags are those of Open Graph, which messengers and social networks read. They tell only what
everybody may see.
"""

from html import escape
from urllib.parse import urlencode

from fastapi import Request

from nestline.errors import NestlineError
from nestline.game import Game
from nestline.web.access.visitors import visitor_of
from nestline.web.games.creation import DEFAULT_RULES
from nestline.web.refusals import Refusal
from nestline.web.services import Services
from nestline.web.study.values import game_at

PICTURE_SIZE = 600
LONGEST_QUERY = 4_096


async def preview_of(request: Request) -> str:
    """The tags for an address of the page; none for what does not exist or is not ready."""
    services = request.app.state.services
    assert isinstance(services, Services)
    try:
        services.preparation.require("rules")
        if "id" in request.path_params:
            return await _game(services, request, request.path_params["id"])
        return await _position(services, request)
    except (Refusal, NestlineError):
        return ""


async def _game(services: Services, request: Request, game_id: str) -> str:
    online = await services.hub.find(game_id)
    first, second = (seat.name for seat in online.game.seats)
    title = f"{online.game.rules.title}: {first} against {second}"
    return _tags(request, title, online.game.explain(), f"games/{online.id}/picture.png", {})


async def _position(services: Services, request: Request) -> str:
    wanted = request.query_params
    if not wanted or len(request.url.query) > LONGEST_QUERY:
        return ""
    rules = await services.catalogue.find(wanted.get("rules", DEFAULT_RULES))
    start, moves = wanted.get("position", "start"), wanted.get("moves", "").split()

    def reach() -> Game:
        return game_at(rules, start.replace("_", " "), moves)

    game = await services.executor.run(visitor_of(request.scope).client, reach)
    more = {"position": str(game.position)}
    if game.last_move:
        more["last_move"] = str(game.last_move)
    path = f"positions/{rules.name}/picture.png"
    return _tags(request, f"{rules.title}: a position", game.explain(), path, more)


def _tags(request: Request, title: str, text: str, picture: str, options: dict[str, str]) -> str:
    query = urlencode({"size": PICTURE_SIZE, **options})
    address = f"{request.base_url}api/v1/{picture}?{query}"
    tags = {
        "og:site_name": "nestline",
        "og:type": "website",
        "og:title": title,
        "og:description": text,
        "og:image": address,
        "twitter:card": "summary",
    }
    return "\n".join(
        f'<meta property="{name}" content="{escape(value)}" />' for name, value in tags.items()
    )
