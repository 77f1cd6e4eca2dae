"""What is measured. `peers` is this project beside others; the files here are run one by one, see `make bench`."""
