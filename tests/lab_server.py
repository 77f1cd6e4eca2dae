"""A real lab for tests; the suite of faults uses the same."""

from __future__ import annotations

from faults.labs import Client, running_lab

__all__ = ["Client", "running_lab"]
