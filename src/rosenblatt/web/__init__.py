"""The pages of the package: plain ES modules and style sheets, without a build step and without anything fetched.

The modules in this folder are for every page, `engine` computes and draws nothing; `player` holds what only the player
of a trace needs, `lab` what only the lab does. Every page has the modules as one script (`modules.py`): a server gives
it out beside the page, and a page in one file holds it, which its policy allows by a hash, and nothing else.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any

from rosenblatt.web.modules import bundle

STYLE = re.compile(r'<link rel="stylesheet" href="/web/([^"]+)">')
SCRIPT = re.compile(r'<script type="module" src="/web/([^"]+)"></script>')
POLICY = (
    "default-src 'none'; script-src {scripts}; style-src {styles}; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)


def text_of(path: str) -> str:
    """A file of a page, such as `lab/lab.js`."""
    return resources.files("rosenblatt.web").joinpath(*path.split("/")).read_text(encoding="utf-8")


@cache
def script_of(entry: str) -> str:
    """The module and all that it imports as one script."""
    return f"\n{bundle(entry, text_of)}"


def hash_of(text: str) -> str:
    """By this a page's policy lets one script run, or one style sheet count, and no other."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def embed(data: Any) -> str:
    """JSON that cannot end its script element or open a comment, whatever the names in the data."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))  # ASCII, so no line separators either
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


@cache
def served(page: str, style: str, script: str) -> dict[str, bytes]:
    """What a server gives out, by its path: the page, all its style sheets as one, and all its modules as one."""
    text = text_of(page)
    styles, scripts = STYLE.findall(text), SCRIPT.findall(text)
    links = f'<link rel="stylesheet" href="{style}">\n<script type="module" src="{script}"></script>'
    files = {
        "/": SCRIPT.sub(links, STYLE.sub("", text)),
        style: "\n".join(map(text_of, styles)),
        script: "\n".join(map(script_of, scripts)),
    }
    return {path: content.encode() for path, content in files.items()}


def one_file(page: str, data: str) -> str:
    """The page with its style sheets, its script and its data in it, which asks nobody for anything.

    `data` is the text that `embed` made; the page finds it in its element `builtin`.
    """
    text = text_of(page).replace(" data-server", "", 1)
    styles = [text_of(path) for path in STYLE.findall(text)]
    scripts = [script_of(path) for path in SCRIPT.findall(text)]
    text = STYLE.sub(lambda found: f"<style>{text_of(found[1])}</style>", text)
    held = f'<script type="application/json" id="builtin">{data}</script>'
    text = SCRIPT.sub(lambda found: f'{held}\n<script type="module">{script_of(found[1])}</script>', text)
    allowed = POLICY.format(scripts=" ".join(map(hash_of, scripts)), styles=" ".join(map(hash_of, styles)))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
    return text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}', 1)


def policy_in(page: str) -> str:
    """The policy of a page in one file, for a server that gives it out."""
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    assert found is not None, "a page in one file has a policy"
    return found[1]
