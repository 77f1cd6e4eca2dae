"""`rosenblatt lab`: the page on which a person watches a perceptron learn."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click

from rosenblatt.cli.screen import show

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}"><title>rosenblatt lab</title>
<a href="{address}">The lab</a></html>
"""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1. Default: any free port.")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--export", metavar="FILE", help="Write the lab as one HTML file that needs no Python, and open nothing.")
def lab(port: int, no_browser: bool, export: str | None) -> None:
    """Open a local page: draw or load points, watch the algorithms run on them, step by step.

    The page is for this computer alone, and for whoever knows the address that is printed. Ctrl-C ends it.
    """
    if export is not None:
        if port or no_browser:
            raise click.UsageError("--export writes a file and starts nothing. Leave out --port and --no-browser.")
        return _export(export)
    from rosenblatt.lab.server import open_lab

    running = open_lab(port)
    show(f"the lab is at {running.address}")
    show("Ctrl-C ends it.")
    with nullcontext() if no_browser else _in_browser(running.address):
        try:
            running.serve()
        except KeyboardInterrupt:
            show("stopped.")


def _export(path: str) -> None:
    from rosenblatt.cli.outputs import check_outputs
    from rosenblatt.lab.export import export_lab

    check_outputs({"--export": path}, {})
    size = export_lab(path)
    show(f"wrote {path} ({size / 1e6:.2f} MB): open it in any browser, or put it on a web page.")


@contextmanager
def _in_browser(address: str) -> Iterator[None]:
    """Opens the address by way of a page that only this user can read, and that is gone when the block ends.

    Every user of the machine can read the command line of a browser, and the address holds the token.
    """
    import threading
    import webbrowser

    try:
        folder = tempfile.TemporaryDirectory(prefix="rosenblatt-lab-")  # for its owner alone
        page = Path(folder.name, "lab.html")
        page.touch(0o600)
        page.write_text(PAGE.format(address=address), encoding="utf8")
    except OSError as error:
        show(f"no browser is opened ({error.strerror or error}). Open the address yourself.")
        yield
        return
    with folder:
        # The socket listens already, so the page waits at most for a moment; some browsers return only when closed.
        threading.Thread(target=webbrowser.open, args=[page.as_uri()], daemon=True).start()
        yield
