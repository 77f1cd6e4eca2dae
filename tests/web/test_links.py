"""Links of the lab, and values and tables of an exported page, as the pages' modules read them under node."""

from __future__ import annotations

import pytest

from faults.node import NODE, in_node, of_modules

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

LINK = 'import { read, write } from "./lab/link.js";\n'
READ = LINK + "const answer = (link) => { try { return read(link); } catch (error) { return `${error}`; } };"
WRITE = LINK + "const answer = (data) => read(write({ ...read('#v=1&points=1,1,0~2,2,1'), data })).data;"
TABLE = 'import { readTable } from "./engine/csv.js";\nconst answer = readTable;'
TRIMMED = 'import { trimmed } from "./engine/reader.js";\nconst answer = trimmed;'
POINTS = "points=1,1,0~2,2,1"


@pytest.mark.parametrize("name", ["__proto__", "constructor", "toString", "hasOwnProperty", "__defineGetter__"])
def test_a_field_that_every_object_has_means_nothing_in_a_link(name):
    (told,) = in_node(of_modules(READ), [f"#v=2&{name}=1&{POINTS}"])
    assert told["answer"].startswith(f"Error: This link cannot be read: it holds “{name}=1”, which means nothing here")


def test_names_of_emoji_and_with_half_a_character_come_back_from_their_link():
    data = {"points": [[1, 2], [3, 4]], "labels": [0, 1], "classes": ["👍" * 60, "a\ud800"], "features": ["x1", "x2"]}
    (told,) = in_node(of_modules(WRITE), [data])
    assert told["answer"] == {**data, "classes": ["👍" * 60, "a?"]}


def test_the_line_about_a_link_is_short_whatever_the_link_holds():
    links = [f"#v=2&points=1,1{',1' * 5000}", f"#v=2&{POINTS}&passes=-{'1' * 300}"]
    for told in in_node(of_modules(READ), links):
        assert "This link cannot be read" in told["answer"]
        assert len(told["answer"]) < 200


@pytest.mark.parametrize(
    ("text", "names", "first"),
    [
        ('"p;q;r;s",x\r\n1,2\r\n', ["p;q;r;s", "x"], ["1", "2"]),
        ("&lt;b&gt;\n1\n2\n", ["&lt;b&gt;"], ["1"]),
        ("a;b\n1,5;2\n", ["a", "b"], ["1,5", "2"]),
    ],
)
def test_a_table_with_other_signs_in_its_names_is_read(text, names, first):
    (told,) = in_node(of_modules(TABLE), [text])
    assert told["answer"]["names"] == names
    assert list(told["answer"]["rows"][0].values()) == first


def test_a_page_takes_the_same_space_off_a_value_as_python():
    given = [f"{chr(code)}a{chr(code)}" for code in range(0x3100)] + ["\ufeffa", "", "  "]
    assert [told["answer"] for told in in_node(of_modules(TRIMMED), given)] == [each.strip() for each in given]
