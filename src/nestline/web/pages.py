"""What a browser gets at the server's own address."""

from fastapi import FastAPI
from starlette.responses import RedirectResponse


def add_pages(api: FastAPI) -> None:
    """Lead visitors to something they can read."""

    @api.get("/", include_in_schema=False)
    async def start() -> RedirectResponse:
        return RedirectResponse("/api/v1/docs")
