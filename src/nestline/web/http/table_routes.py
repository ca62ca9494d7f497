"""The files of the tablebases, which the page's engine reads in parts, by range requests."""

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, Response

from nestline.web.refusals import not_found
from nestline.web.services import Services

ADDRESS = "/tables/{name}.table"


def add_tables(api: FastAPI) -> None:
    """Serve the tablebase of each rule set that has one."""

    async def table_file(request: Request) -> Response:
        services: Services = request.app.state.services
        name: str = request.path_params["name"]
        path = services.tablebases.path(name)
        if path is None:
            raise not_found(f"there is no tablebase of {name!r}")
        # A tablebase that is built again may have other bytes, so browsers have to ask.
        headers = {"cache-control": "no-cache"}
        answer = FileResponse(
            path,
            media_type="application/octet-stream",
            headers=headers,
            stat_result=path.stat(),
        )
        tag = answer.headers["etag"]
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={**headers, "etag": tag})
        return answer

    api.add_route(ADDRESS, table_file, ["GET", "HEAD"], include_in_schema=False)
