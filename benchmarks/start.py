"""How long commands take to start: trivial ones, and ones that need the compiled rules."""

import subprocess
import sys
import time

COMMANDS = (
    ("python -c pass", ["-c", "pass"]),
    ("nestline --version", ["-m", "nestline", "--version"]),
    ("nestline rules list", ["-m", "nestline", "rules", "list"]),
    ("nestline perft gobblers 1", ["-m", "nestline", "perft", "gobblers", "1"]),
)
REPEATS = 5


def seconds(arguments: list[str]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        best = min(best, time.perf_counter() - began)
    return best


def main() -> None:
    print("start-up, best of", REPEATS)
    for name, arguments in COMMANDS:
        print(f"{name:26} {seconds(arguments):6.3f} s")


if __name__ == "__main__":
    main()
