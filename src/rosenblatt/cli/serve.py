"""`rosenblatt serve`: a model behind an address."""

from __future__ import annotations

import click

from rosenblatt.cli.screen import show


@click.command()
@click.argument("model")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="Port; 0 for any free one."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on. Others need --token-file.")
@click.option("--token-file", metavar="FILE", help="Whoever asks must send the first line of this file.")
def serve(model: str, port: int, host: str, token_file: str | None) -> None:
    """Answer questions about rows and texts over HTTP, by MODEL, until Ctrl-C or SIGTERM.

    POST /predict and /explain take JSON such as {"text": "…"}, {"texts": […]}, {"row": {…}} or {"rows": […]}; a
    browser is shown a page to try the model. What has begun when the server is told to end is still answered.
    """
    from rosenblatt.serve.server import open_server

    running = open_server(model, port, host, token_file)
    show(f"serving {model} at {running.address}")
    show("Ctrl-C ends it.")
    try:
        running.serve()
    except KeyboardInterrupt:
        show("stopped.")
