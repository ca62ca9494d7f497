"""The command `nestline ugi`: our engine for programs that speak UGI, on standard input and output.

`engine.protocol` speaks the protocol.
"""

import os
import sys

import click


@click.command()
def ugi() -> None:
    """Run the engine for programs that speak UGI.

    Commands are read from standard input and answered on standard output; quit, or the end of the
    input, ends it.
    """
    from nestline.engine.protocol.ugi import converse

    if not converse(sys.stdin.buffer, sys.stdout.buffer):
        # At once: an orderly exit would wait for the compiler.
        sys.stdout.flush()
        os._exit(0)
