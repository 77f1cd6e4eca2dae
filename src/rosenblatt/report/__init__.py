"""Reports: what a training run found, for a terminal, as a page, and as plots."""
