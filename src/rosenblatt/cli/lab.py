"""`rosenblatt lab`: the page on which a person watches a perceptron learn."""

from __future__ import annotations

import click

from rosenblatt.cli.screen import show


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of 127.0.0.1; by default any free one.")
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
def lab(port: int, no_browser: bool) -> None:
    """Open a local page: draw or load points, watch the algorithms run on them, step by step.

    The page is for this computer alone, and for whoever knows the address that is printed. Ctrl-C ends it.
    """
    import threading
    import webbrowser

    from rosenblatt.lab.server import open_lab

    running = open_lab(port)
    show(f"the lab is at {running.address}")
    show("Ctrl-C ends it.")
    if not no_browser:
        # The socket listens already, so the page waits at most for a moment; some browsers return only when closed.
        threading.Thread(target=webbrowser.open, args=[running.address], daemon=True).start()
    try:
        running.serve()
    except KeyboardInterrupt:
        show("stopped.")
