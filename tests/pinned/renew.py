"""`python -m tests.pinned.renew [NAME …]`: notes the results of all pinned commands, or of some, as they are now.

A line that changes needs its reason in CHANGELOG.md, under "Changed results".
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

from rosenblatt.distributed import local
from tests.pinned.commands import commands
from tests.pinned.data import write_all
from tests.pinned.noting import FRAGMENTS, RESULTS, noted, noted_fragments


def main(wanted: list[str]) -> None:
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    all_commands = dict(commands())
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name) / "data", Path(name) / "m.rosenblatt"
        os.environ["ROSENBLATT_CACHE"] = str(Path(name) / "cache")
        folder.mkdir()
        write_all(folder)
        for each, words in all_commands.items():
            if not wanted or each in wanted:
                found[each] = noted(words, folder, out)
                print(each, flush=True)
        with local(2) as site:
            for each in FRAGMENTS:
                if not wanted or each in wanted:
                    found[each] = noted_fragments(each, site.client, folder, out)
    lines = [
        f"{json.dumps(each)}: {json.dumps(found[each], ensure_ascii=False)}" for each in [*all_commands, *FRAGMENTS]
    ]
    RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
