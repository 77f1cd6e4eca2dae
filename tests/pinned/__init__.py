"""Results of commands as they are: `make pinned` tells what a change of the code changes in them."""
