"""Modules as one script: what runs in a browser is what the modules say, and what cannot be joined is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rosenblatt import web
from rosenblatt.web import bundle, embed, hash_of, one_file, script_of, served, text_of

FOLDER = Path(web.__file__).parent
MODULES = {
    "main.js": """\
// The entry; words such as import and export may stand in a comment.
import { double, name as called } from "./sums/double.js";
import {
  FIRST,
  SECOND,
} from "./sums/names.js";
import * as names from "./sums/names.js";

globalThis.found = [double(4), called, FIRST, SECOND, Object.keys(names).sort().join(" ")];
globalThis.later = () => import("./part.js").then((part) => part.say());
""",
    "sums/double.js": """\
import { log } from "../log.js";

log("double");
const two = 2;
export const name = "double";
export function double(value) {
  return value * two;
}
""",
    "sums/names.js": """\
import { log } from "../log.js";
export { name as other } from "./double.js";

log("names");
const two = "second";
const first = "first";
export { first as FIRST, two as SECOND };
export class Third {}
export async function fourth() {}
""",
    "log.js": "const lines = [];\nglobalThis.lines = lines;\nexport const log = (line) => lines.push(line);\n",
    "part.js": """\
import { log } from "./log.js";

log("part");
export const say = () => "</script><!-- of the part";
""",
}


def joined(changes=(), entry="main.js"):
    return bundle(entry, (MODULES | dict(changes)).__getitem__)


def test_a_browser_finds_in_one_script_what_the_modules_say(browser):
    page = browser.new_page()
    page.set_content(f'<!doctype html><script type="module">{joined()}</script><p>after</p>')
    page.locator("p").wait_for()
    assert page.evaluate("found") == [8, "double", "first", "second", "FIRST SECOND Third fourth other"]
    assert page.evaluate("lines") == ["double", "names"]  # once each, the part not yet
    assert page.evaluate("later()") == "</script><!-- of the part"
    assert page.evaluate("later().then(() => lines)") == ["double", "names", "part"]
    page.close()


def test_modules_come_before_those_that_import_them_and_each_once():
    names = re.findall(r"^const (\$\w+) = once", joined(), re.MULTILINE)
    assert names == ["$log", "$sums_double", "$sums_names", "$main", "$part"]


def test_a_circle_of_imports_is_refused_by_name():
    circle = {"log.js": 'import { double } from "./sums/double.js";\nexport const log = double;\n'}
    with pytest.raises(ValueError, match=r"circle: sums/double\.js > log\.js > sums/double\.js"):
        joined(circle)


def test_a_part_may_import_what_loads_it():
    part = {"part.js": 'import * as main from "./main.js";\nexport const say = () => main;\n'}
    assert joined(part).count("once(() => {") == 5


@pytest.mark.parametrize(
    "line",
    [
        'import four from "./log.js";',
        'import "./log.js";',
        'import { log } from "elsewhere";',
        "import(`./${name}.js`);",
        "const here = import.meta.url;",
        "export default 4;",
        "export let changing = 1;",
        'export * from "./log.js";',
    ],
)
def test_a_form_that_is_not_known_is_refused_with_its_module(line):
    with pytest.raises(ValueError, match=r"^part\.js: .* cannot be put into one script"):
        joined({"part.js": f"{line}\n"})


def test_the_script_of_the_lab_holds_every_module_of_its_folders():
    script = script_of("lab/lab.js")
    lab = [file.stem for file in FOLDER.glob("lab/*.js")]
    assert len(lab) > 50
    assert [name for name in lab if f"const $lab_{name} = once" not in script] == []


def test_the_modules_are_small():
    sizes = {
        str(file.relative_to(FOLDER)): file.read_text(encoding="utf8").count("\n") for file in FOLDER.rglob("*.js")
    }
    assert {name: size for name, size in sizes.items() if size > 250} == {}
    assert "engine/calls.js" in sizes


def test_a_page_in_one_file_allows_its_own_script_and_styles_by_hash_and_nothing_else():
    data = embed({"name": "</script>"})
    page = one_file("lab/index.html", data)
    assert page.count(f'<script type="application/json" id="builtin">{data}</script>') == 1
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "connect-src" not in policy
    for name in ("script", "style"):
        for content in re.findall(rf"<{name}[^>]*>(.*?)</{name}>", page, re.DOTALL):
            assert content == data or hash_of(content) in policy
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    assert "data-server" not in page.partition("<body>")[0].partition("<script")[0]
    assert "data-server" in text_of("lab/index.html")


def test_what_a_server_gives_out_is_the_page_one_style_and_one_script():
    found = served("lab/index.html", "/lab.css", "/lab.js")
    page = found["/"].decode()
    assert re.findall(r'(?:src|href)="([^"]+)"', page) == ["data:,", "/lab.css", "/lab.js"]
    assert "data-server" in page
    assert found["/lab.js"].decode() == script_of("lab/lab.js")
    assert all(text_of(f"lab/{name}.css") in found["/lab.css"].decode() for name in ("lab", "parts", "lessons"))


def test_embedded_json_has_no_character_that_html_reads():
    assert not set("<>&\u2028") & set(embed({"name": "</script><!-- & \u2028"}))
