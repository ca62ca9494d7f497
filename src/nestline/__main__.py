"""`python -m nestline` is the same as the command `nestline`."""

from nestline.terminal.main import main

main()
