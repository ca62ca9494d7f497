"""`make wasm` runs this: it compiles the module and puts it among the page's files."""

from pathlib import Path

from nestline.browser.build import build

ENGINE = Path(__file__).parents[1] / "web" / "static" / "engine"

if __name__ == "__main__":
    (ENGINE / "nestline.wasm").write_bytes(build())
