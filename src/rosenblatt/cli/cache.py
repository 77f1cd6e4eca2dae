"""`rosenblatt cache`: what was made of large files and kept on the disk."""

from __future__ import annotations

import click

from rosenblatt.cli.screen import show


@click.command(hidden=True)
@click.option("--remove", metavar="NAME", help="Remove the entry of this name, or all of them with `all`.")
def cache(remove: str | None) -> None:
    """List what is kept of data larger than memory, with sizes; or remove it.

    A model needs nothing of it. What is removed is made again when it is next needed.
    """
    import time

    from rosenblatt.data.cache import clear, entries, place
    from rosenblatt.data.memory import show_size
    from rosenblatt.errors import SettingError

    found = entries()
    if remove is not None:
        chosen = [entry for entry in found if remove in ("all", entry.name)]
        if not chosen and remove != "all":
            known = ", ".join(entry.name for entry in found) or "none"
            raise SettingError(f"{place()}: no entry {remove!r}. Entries are: {known}.")
        freed = clear(chosen, everything=remove == "all")
        show(f"removed {_entries(len(chosen))}, {show_size(freed)}")
        return
    show(f"{place()}: {show_size(sum(entry.size for entry in found))} in {_entries(len(found))}")
    for entry in found:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
        show(f"{entry.name}  {show_size(entry.size):>7}  {entry.rows:,} rows of {entry.source}  used {used}")


def _entries(count: int) -> str:
    return f"{count} entry" if count == 1 else f"{count} entries"
