"""The endpoints of rule sets, positions and reviews. `study` does the work."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from nestline.errors import NestlineError
from nestline.rules import load_rules, rule_set_names
from nestline.web.fields import Json, PositionText, RulesName, Text
from nestline.web.games.creation import DEFAULT_RULES, CustomRules
from nestline.web.games.views import rule_set_json
from nestline.web.http import answers, requests
from nestline.web.http.game_routes import PNG, SVG, TEXT, BitmapSize, Size
from nestline.web.http.responses import (
    Asker,
    PlayingServer,
    Server,
    StudyingServer,
    answer,
    bitmap_response,
    goes_away,
    picture_response,
    text_response,
)
from nestline.web.refusals import Refusal, refusal_of
from nestline.web.study.values import game_at, position_picture, review_json
from nestline.web.work.bitmaps import render

router = APIRouter()

RuleName = Annotated[RulesName, Path(description="The name of a rule set, or a design.")]
PositionQuery = Annotated[
    PositionText, Query(description="A position in notation; _ may stand for the blank.")
]
MovesQuery = Annotated[Text, Query(max_length=8_192, description="Moves to play from there.")]


@router.get(
    "/rules",
    tags=["rules"],
    response_model=answers.RuleSetList,
    responses=answers.refusals(),
)
async def list_rules(server: Server) -> Response:
    """The rule sets that come with nestline, simplest first."""
    found = [rule_set_json(name, load_rules(name), server.tablebases) for name in rule_set_names()]
    return answer({"rules": found})


@router.post(
    "/rules",
    tags=["rules"],
    status_code=201,
    response_model=answers.RuleSetAnswer,
    responses=answers.refusals(),
)
async def keep_rules(custom: CustomRules, server: Server, asker: Asker) -> Response:
    """Check a rule set of your own and keep it under a name."""
    server.stored_bytes.take(asker.client, len(custom.toml.encode()))
    rules = await server.catalogue.keep(custom.toml, asker.client)
    return answer(rule_set_json(rules.name, rules, server.tablebases), 201)


@router.get(
    "/rules/{name}",
    tags=["rules"],
    response_model=answers.RuleSetAnswer,
    responses=answers.refusals(),
)
async def show_rules(name: RuleName, server: Server) -> Response:
    """One rule set."""
    return answer(rule_set_json(name, await server.catalogue.find(name), server.tablebases))


@router.get(
    "/rules/{name}/file",
    tags=["rules"],
    response_class=Response,
    responses={**TEXT, **answers.refusals()},
)
async def show_rules_file(name: RuleName, server: Server) -> Response:
    """The TOML file of a rule set."""
    text = await server.catalogue.text(name)
    return text_response(text, f"{name}.toml")


@router.get(
    "/positions/{name}",
    tags=["study"],
    response_model=answers.StudyAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def study_position(
    request: Request,
    name: RuleName,
    server: StudyingServer,
    asker: Asker,
    position: PositionQuery = "start",
    moves: MovesQuery = "",
    variations: Annotated[int, Query(ge=1, le=500)] = 1,
    seconds: Annotated[float, Query(ge=0, le=86_400)] = 1.0,
) -> Response:
    """What a position and its moves are worth; exact where the rule set is solved."""
    await server.study_permission.require(asker)
    rules = await server.catalogue.find(name)
    game = await server.executor.run(asker.client, lambda: game_at(rules, position, moves.split()))
    found: list[Json] = []

    def tell(study: Json, is_final: bool) -> None:
        found[:] = [study]

    task, _ahead = await server.analysts.start_analysis(
        asker.client, game, variations, seconds, tell
    )
    if task is not None:
        await server.analysts.result_of(task, goes_away(request))
    return answer(found[0])


@router.post(
    "/check",
    tags=["study"],
    response_model=answers.CheckAnswer,
    responses=answers.refusals(),
)
async def check(checking: requests.Checking, server: PlayingServer, asker: Asker) -> Response:
    """Whether something can be studied; for editors, where “no” is an answer and not an error."""
    problem: str | None = None
    game: str | None = None
    try:
        await server.study_permission.require(asker)
        if checking.record is not None:
            await server.catalogue.read_record(checking.record, asker.client)
        else:
            rules = await server.catalogue.find(checking.rules or DEFAULT_RULES)
            position, moves = checking.position, checking.moves
            await server.executor.run(asker.client, lambda: game_at(rules, position, moves))
    except NestlineError as error:
        problem = refusal_of(error).message
    except Refusal as refusal:
        if refusal.status not in (403, 404, 409, 422):
            raise
        problem, game = refusal.message, refusal.more.get("game")
    return answer({"problem": problem, "game": game})


@router.get(
    "/positions/{name}/picture",
    tags=["study"],
    response_class=Response,
    responses={**SVG, **answers.refusals()},
)
async def draw_position(
    name: RuleName,
    server: PlayingServer,
    asker: Asker,
    position: PositionQuery = "start",
    size: Size = 480,
    last_move: Annotated[Text, Query(max_length=40)] = "",
    targets: Annotated[Text, Query(max_length=100)] = "",
    flip: bool = False,
    covered: bool = True,
    coordinates: bool = True,
    reserves: bool = True,
) -> Response:
    """A position as an SVG picture."""
    rules = await server.catalogue.find(name)
    options = {
        "size": size, "flip": flip, "covered": covered, "coordinates": coordinates,
        "reserves": reserves,
    }  # fmt: skip
    return picture_response(
        await server.executor.run(
            asker.client, lambda: position_picture(rules, position, last_move, targets, **options)
        )
    )


@router.get(
    "/positions/{name}/picture.png",
    tags=["study"],
    response_class=Response,
    responses={**PNG, **answers.refusals()},
)
async def draw_position_as_bitmap(
    name: RuleName,
    server: PlayingServer,
    asker: Asker,
    position: PositionQuery = "start",
    size: BitmapSize = 480,
    last_move: Annotated[Text, Query(max_length=40)] = "",
) -> Response:
    """A position without the reserves as a PNG picture, for programs that show no SVG."""
    rules = await server.catalogue.find(name)

    def draw() -> bytes:
        return render(position_picture(rules, position, last_move, "", size=size, reserves=False))

    return bitmap_response(await server.painter.run(asker.client, draw))


@router.post(
    "/reviews",
    tags=["study"],
    response_model=answers.ReviewAnswer,
    responses=answers.refusals(401, 403, 409),
)
async def review_record(
    request: Request, reviewing: requests.Reviewing, server: StudyingServer, asker: Asker
) -> Response:
    """What each move of a record was worth, and what should have been played."""
    await server.study_permission.require(asker)
    record = await server.catalogue.read_record(reviewing.record, asker.client)
    found: list[Json] = []
    task, exact, _ahead = server.analysts.start_review(
        asker.client, record, lambda move, _is_final: found.append(move)
    )
    await server.analysts.result_of(task, goes_away(request))
    if task.is_cancelled:
        raise Refusal(503, "stopping", "the server is about to stop; ask again", retry_after=2)
    return answer(review_json(record, exact, found))
