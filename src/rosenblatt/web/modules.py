"""One script out of ES modules, for a page that may not import files: one opened from a disk, sent by mail or framed.

A module becomes a function that returns what it exports; it runs when it is first asked for, and once. An import takes
names out of what the other module returns, so what is exported must not change afterwards. `import("./part.js")` of
the literal name of a part becomes a promise of its function, so a part that nobody opens never runs. Statements begin
at the start of a line, as the formatter leaves them; a form that is not known here is refused, never passed on.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import partial

NAMED = re.compile(r'^(import|export) \{([^}]*)\} from "(\.{1,2}/[\w./-]+\.js)";$', re.MULTILINE)
WHOLE = re.compile(r'^import \* as (\w+) from "(\.{1,2}/[\w./-]+\.js)";$', re.MULTILINE)
LISTED = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
DECLARED = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
LATER = re.compile(r'\bimport\("(\.{1,2}/[\w./-]+\.js)"\)')
UNKNOWN = re.compile(r"^(?:import|export)\b.*|\bimport(?:\(|\.meta).*", re.MULTILINE)
ONCE = "const once = (make) => {\n  let made;\n  return () => (made ??= make());\n};\n"


def bundle(entry: str, source: Callable[[str], str]) -> str:
    """A script that runs the module `entry` with all that it imports; `source` gives the text of a module by its path.

    ValueError for a cycle of imports, or a form of import or export that is not known.
    """
    made: dict[str, str] = {}
    _add(entry, source, made, ())
    script = f"{ONCE}{''.join(made.values())}{_name(entry)}();\n"
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")  # neither may end or open anything


def _add(path: str, source: Callable[[str], str], made: dict[str, str], above: tuple[str, ...]) -> None:
    """The module and all that it imports are in `made`, those that are imported first."""
    if path in above:
        raise ValueError(f"modules import each other in a circle: {' > '.join((*above[above.index(path) :], path))}.")
    if path in made:
        return
    text, statically, later = _rewritten(path, source(path))
    for other in statically:
        _add(other, source, made, (*above, path))
    made[path] = text
    for other in later:  # they run after this one, so they may import it
        _add(other, source, made, ())


def _rewritten(path: str, text: str) -> tuple[str, list[str], list[str]]:
    """The module as a function, and the paths of the modules that it imports at once and later."""
    exports: list[str] = []
    at_once: list[str] = []
    later: list[str] = []
    text = NAMED.sub(partial(_named, path, at_once, exports), text)
    text = WHOLE.sub(lambda found: f"const {found[1]} = {_asked(path, found[2], at_once)};", text)
    text = LATER.sub(lambda found: f"Promise.resolve().then({_asked(path, found[1], later)[:-2]})", text)
    text = LISTED.sub(lambda found: _listed(found[1], exports), text)
    text = DECLARED.sub(lambda found: _listed(found[2], exports) + f"{found[1]} {found[2]}", text)
    if found := UNKNOWN.search(text):
        raise ValueError(f"{path}: {found[0][:80]!r} cannot be put into one script. Write it as the other modules do.")
    body = text.rstrip("\n")
    return f"const {_name(path)} = once(() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}});\n", at_once, later


def _named(path: str, at_once: list[str], exports: list[str], found: re.Match[str]) -> str:
    """`import { a, b as c } from` takes names out of a module; `export { a } from` passes them on."""
    asked, names = _asked(path, found[3], at_once), _pairs(found[2])
    if found[1] == "import":
        return f"const {{ {', '.join(name if name == own else f'{name}: {own}' for name, own in names)} }} = {asked};"
    exports += [f"{own}: {asked}.{name}" for name, own in names]
    return ""


def _listed(names: str, exports: list[str]) -> str:
    exports += [name if name == told else f"{told}: {name}" for name, told in _pairs(names)]
    return ""


def _pairs(names: str) -> list[tuple[str, str]]:
    """`a, b as c` as (a, a), (b, c)."""
    words = [name.split() for name in names.split(",") if name.strip()]
    return [(word[0], word[-1]) for word in words]


def _asked(path: str, other: str, noted: list[str]) -> str:
    """How the module at `path` asks for another, which is noted."""
    noted.append(posixpath.normpath(posixpath.join(posixpath.dirname(path), other)))
    return f"{_name(noted[-1])}()"


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
