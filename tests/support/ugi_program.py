"""A small program that speaks UGI and plays tic-tac-toe, or misbehaves as its argument says.

It takes the first free square. `crash` exits when it is asked for its third move, `hang` never
answers that, `illegal` plays on the first square whether it is free or not, `mute` says nothing
at all, `dead` exits at once.
"""

import sys
import time

SQUARES = [column + row for row in "123" for column in "abc"]


def main(manner: str) -> None:
    if manner == "dead":
        sys.exit(3)
    moves: list[str] = []
    asked = 0
    for line in sys.stdin:
        words = line.split()
        if manner == "mute":
            time.sleep(3600)
        if words[:1] == ["ugi"]:
            print(f"id name {manner}\nugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[:1] == ["go"]:
            asked += 1
            if manner == "crash" and asked == 3:
                sys.exit("out of ideas")
            if manner == "hang" and asked == 3:
                time.sleep(3600)
            taken = {move[-2:] for move in moves}
            free = [square for square in SQUARES if square not in taken]
            print(f"bestmove 1{SQUARES[0] if manner == 'illegal' else free[0]}", flush=True)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main(sys.argv[1])
