"""What clients may send, field by field; the OpenAPI document is made from these classes.

Actions are described in `games.actions` and new games in `games.creation`, next to the code that
handles them. `answers` describes what the server sends.
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter

from nestline.web.fields import (
    MOST_PLIES,
    Model,
    Name,
    PositionText,
    RecordText,
    RulesName,
    SeatName,
    Secret,
    Short,
    Text,
)
from nestline.web.games.actions import BY_NAME, ActionRequest, AnyActionRequest


class Joining(Model):
    invitation: Secret
    name: Name | None = None


class Inviting(Model):
    seat: SeatName


class Peeking(Model):
    square: Short
    seat: SeatName | None = None


class Reviewing(Model):
    record: RecordText


class Checking(Model):
    """Something typed or pasted: a record, or a position of a rule set and moves from there."""

    record: RecordText | None = None
    rules: RulesName | None = None
    position: RecordText = "start"
    moves: Annotated[list[Short], Field(max_length=MOST_PLIES, default_factory=list)]


# WebSocket messages.

Ask = Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[Text, Field(max_length=100)] | None
GameId = Annotated[str, Field(min_length=1, max_length=20)]


class _Message(Model):
    ask: Ask = None


class Watch(_Message):
    type: Literal["watch"]
    game: GameId
    tokens: Annotated[list[Secret], Field(max_length=2, default_factory=list)]


class Leave(_Message):
    type: Literal["leave"]
    game: GameId


class Attend(_Message):
    """Whether a player's page is hidden; the other player is told. There is no answer."""

    type: Literal["attend"]
    game: GameId
    hidden: bool


class Peek(_Message):
    type: Literal["peek"]
    game: GameId
    square: Short
    seat: SeatName | None = None


class Analyse(_Message):
    type: Literal["analyse"]
    rules: RulesName
    position: PositionText = "start"
    moves: Annotated[list[Short], Field(max_length=MOST_PLIES, default_factory=list)]
    variations: Annotated[int, Field(ge=1, le=500)] = 1
    seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None


class Review(_Message):
    type: Literal["review"]
    record: RecordText


class Stop(_Message):
    type: Literal["stop"]
    stops: Ask = None


class Ping(_Message):
    type: Literal["ping"]


Message = Annotated[
    Watch | Leave | Attend | Peek | Analyse | Review | Stop | Ping, Field(discriminator="type")
]

KINDS = frozenset(
    kind
    for model in get_args(get_args(Message)[0])
    for kind in get_args(model.model_fields["type"].annotation)
) | frozenset(BY_NAME)
"""The discriminators of messages and actions."""

read_message: TypeAdapter[Any] = TypeAdapter(Message)
read_action: TypeAdapter[ActionRequest] = TypeAdapter(AnyActionRequest)
