"""`make wasm` runs this: it writes the compiled module and the weights into the page's files."""

from pathlib import Path

from nestline.browser.build import build
from nestline.browser.weights import learned_families, weights_file

ENGINE = Path(__file__).parents[1] / "web" / "static" / "engine"

if __name__ == "__main__":
    (ENGINE / "nestline.wasm").write_bytes(build())
    (ENGINE / "weights").mkdir(exist_ok=True)
    for family in learned_families():
        (ENGINE / "weights" / f"{family}.bin").write_bytes(weights_file(family))
