"""`python -m faults [ROW …]`: the full counts of all rows, or of some; writes docs/faults.md.

--short      the counts of the tests
--seed N     another draw
--part NAME  one part of a row that is run in parts, as rows 8 and 17 are: without it, all parts not yet run with this
             code
"""

from __future__ import annotations

import argparse
import sys
import time

from faults import page, results
from faults.rows import row_modules
from faults.signals import let_children_heed


def main() -> int:
    given = argparse.ArgumentParser(prog="faults")
    given.add_argument("rows", nargs="*", type=int)
    given.add_argument("--short", action="store_true")
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--part", action="append")
    wanted = given.parse_args()
    unknown = set(wanted.rows) - {module.NUMBER for module in row_modules()}
    if unknown:
        given.error(f"there is no row {min(unknown)}; rows are 1 to {len(row_modules())}.")
    chosen = [module for module in row_modules() if not wanted.rows or module.NUMBER in wanted.rows]
    known = {part for module in chosen for part in getattr(module, "PARTS", ())}
    if set(wanted.part or ()) - known:
        given.error(f"parts of these rows are {', '.join(sorted(known)) or 'not told apart'}.")
    let_children_heed()
    failed = False
    for module in chosen:
        if lacking := [name for name, found in getattr(module, "NEEDS", {}).items() if found is None]:
            print(f"row {module.NUMBER:2}: not run, as {lacking[0]} is not installed", flush=True)
            continue
        in_parts = hasattr(module, "PARTS") and not wanted.short
        only = [part for part in wanted.part or () if part in getattr(module, "PARTS", ())]
        if wanted.part and not only:
            continue
        started = time.perf_counter()
        counts = (module.SHORT if wanted.short else module.FULL, wanted.seed)
        outcome = module.run(*counts, only) if in_parts else module.run(*counts)
        seconds = time.perf_counter() - started
        failed |= bool(outcome.broken)
        measured = "".join(f" · {name} {value:.3g}" for name, value in outcome.measured.items())
        print(
            f"row {module.NUMBER:2}: {outcome.cases:,} cases, {len(outcome.broken)} broken, {seconds:.0f} s{measured}",
            flush=True,
        )
        for line in outcome.broken[:20]:
            print(f"        {line[:200]}")
        if not wanted.short and not in_parts:  # parts note themselves
            results.note(module.NUMBER, outcome, seconds, wanted.seed)
    if not wanted.short:
        page.write()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
