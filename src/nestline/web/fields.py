"""The field types of requests, and the base class of all request models.

Only the form is checked here; the library decides what a text means.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from nestline.rules.design import LONGEST_DESIGN
from nestline.web.access.tokens import LONGEST_SECRET

LONGEST_RECORD = 32_768
MOST_PLIES = 1_000
"""Moves of a game that is played here or sent here."""

MOST_FIELDS = 30

Json = dict[str, Any]
"""A JSON object."""


class Model(BaseModel):
    """Refuses unknown fields, which are usually misspelled ones."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _has_few_fields(cls, given: Any) -> Any:
        # Otherwise an error is made for each of thousands of unknown ones.
        if isinstance(given, dict) and len(given) > MOST_FIELDS:
            raise ValueError(f"it has at most {MOST_FIELDS} fields")
        return given


def _storable(text: str) -> str:
    """Refuse characters that no database accepts and nobody types."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("characters that are no text are not allowed")
    return text


def _printable(text: str) -> str:
    if not text.isprintable() or not text.strip():
        raise ValueError("a name has printable characters, and not only blanks")
    return " ".join(text.split())


Text = Annotated[str, AfterValidator(_storable)]
Short = Annotated[Text, Field(min_length=1, max_length=40)]
RulesName = Annotated[Text, Field(min_length=1, max_length=LONGEST_DESIGN)]
Name = Annotated[Text, Field(min_length=1, max_length=40), AfterValidator(_printable)]
PositionText = Annotated[Text, Field(min_length=1, max_length=300)]
RecordText = Annotated[Text, Field(min_length=1, max_length=LONGEST_RECORD)]
Secret = Annotated[Text, Field(min_length=1, max_length=LONGEST_SECRET)]
SeatName = Literal["first", "second"]
Visibility = Literal["open", "peek", "memory"]
Ply = Annotated[int, Field(ge=0, le=2**31 - 1)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
