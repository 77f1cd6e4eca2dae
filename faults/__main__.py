"""`python -m faults [ROW …]`: the full counts of all rows, or of some; writes docs/faults.md.

--short      the counts of the tests
--seed N     another draw
"""

from __future__ import annotations

import argparse
import sys
import time

from faults import page
from faults.rows import row_modules
from faults.signals import let_children_heed


def main() -> int:
    given = argparse.ArgumentParser(prog="faults")
    given.add_argument("rows", nargs="*", type=int)
    given.add_argument("--short", action="store_true")
    given.add_argument("--seed", type=int, default=0)
    wanted = given.parse_args()
    unknown = set(wanted.rows) - {module.NUMBER for module in row_modules()}
    if unknown:
        given.error(f"there is no row {min(unknown)}; rows are 1 to {len(row_modules())}.")
    let_children_heed()
    failed = False
    for module in row_modules():
        if wanted.rows and module.NUMBER not in wanted.rows:
            continue
        started = time.perf_counter()
        outcome = module.run(module.SHORT if wanted.short else module.FULL, wanted.seed)
        seconds = time.perf_counter() - started
        failed |= bool(outcome.broken)
        measured = "".join(f" · {name} {value:.3g}" for name, value in outcome.measured.items())
        print(
            f"row {module.NUMBER:2}: {outcome.cases:,} cases, {len(outcome.broken)} broken, {seconds:.0f} s{measured}",
            flush=True,
        )
        for line in outcome.broken[:20]:
            print(f"        {line[:200]}")
        if not wanted.short:
            page.note(module.NUMBER, outcome, seconds, wanted.seed)
    if not wanted.short:
        page.write()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
