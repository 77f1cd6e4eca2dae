"""The static site of `make site`, by Sphinx with MyST and Furo: the pages of the repository as they lie, and the lab.

Warnings are errors, so a link or an anchor that leads nowhere ends the build. Nothing is fetched from elsewhere, and
the search works from a disk.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

HOME = "README"
NAVIGATION = {
    "Start": ("docs/index", "docs/quick_start", "docs/lab", "docs/course", "docs/notes"),
    "Guides": tuple(
        f"docs/guides/{name}"
        for name in (
            *("spam_filter", "false_alarms", "table", "text_folder", "digits", "dirty_labels"),
            *("send_it", "behind_an_address", "warehouse", "bigger_than_memory", "cluster"),
        )
    ),
    "How things work": (
        *("docs/train", "docs/data", "docs/perceptron", "docs/kernel", "docs/naive_bayes", "docs/decisions"),
        *("docs/proofs", "docs/trace", "docs/report", "docs/scale", "docs/scale_cluster"),
    ),
    "Reference": ("docs/api", "docs/cli"),
    "The benchmark": ("docs/benchmark", "benchmarks/results/README", "benchmarks/results/2*"),
    "The project": ("docs/contributing", "ARCHITECTURE", "docs/faults", "SECURITY", "CHANGELOG"),
}
LIVE = "live/lab.html"
STARTED = "http://127.0.0.1:8000/#"  # as `rosenblatt lab --port 8000` has it
OPEN_IT = f'<p><a class="live" href="../{LIVE}">Open the lab</a>: one file, which computes in your browser.</p>'

project = "rosenblatt"
author = "The rosenblatt authors"
copyright = author
extensions = ["myst_parser"]
root_doc = HOME
include_patterns = [f"{page}.md" for page in (HOME, *(page for pages in NAVIGATION.values() for page in pages))]
myst_heading_anchors = 4  # as GitHub makes them
highlight_language = "none"
smartquotes = False  # default="averaged" is to be typed
html_theme = "furo"
html_title = "rosenblatt"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}


def complete(app: Any, name: str, source: list[str]) -> None:
    """Adds what only the site has: the navigation, and a link to the lab."""
    if name == HOME:
        source[0] += "".join(
            f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {title}\n\n" + "\n".join(pages) + "\n```\n"
            for title, pages in NAVIGATION.items()
        )
    if name == "docs/lab":
        head, end, rest = source[0].partition("\n")
        source[0] = f"{head}{end}\n{OPEN_IT}\n{rest}"


def lead_to_the_lab(app: Any, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Lets the links of the gallery open the lab of the site, not one that would have to be started first."""
    if "body" in context:
        context["body"] = context["body"].replace(STARTED, f"../{LIVE}#")


def finish(app: Any, exception: Exception | None) -> None:
    """Adds the first page under the name that servers look for, and the lab."""
    from rosenblatt.lab.export import export_lab

    if exception is None:
        out = Path(app.outdir)
        shutil.copyfile(out / f"{HOME}.html", out / "index.html")
        (out / LIVE).parent.mkdir(exist_ok=True)
        export_lab(out / LIVE)


def setup(app: Any) -> None:
    app.connect("source-read", complete)
    app.connect("html-page-context", lead_to_the_lab)
    app.connect("build-finished", finish)
