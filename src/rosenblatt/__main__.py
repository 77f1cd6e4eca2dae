"""`python -m rosenblatt`, the same as the command `rosenblatt`."""

from rosenblatt.cli import main

main()
