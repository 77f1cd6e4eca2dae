"""Models in files: the model's own format, and exports for other programs."""
