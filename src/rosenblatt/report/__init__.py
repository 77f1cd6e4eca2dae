"""Reports of a model and of how it came about: for the terminal, as a page, as plots."""
