"""Workbooks of Excel for the fuzzer: one of their parts is changed, and they are packed again."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from faults.fuzz_files import tables
from faults.mutation import Kind, mutated
from rosenblatt.data.source import Source

MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINKS = b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
SHEET = "xl/worksheets/sheet1.xml"
PARTS = {
    "_rels/.rels": LINKS
    + b'<Relationship Id="a" Type="%s/officeDocument" Target="xl/workbook.xml"/></Relationships>' % OFFICE,
    "xl/workbook.xml": b'<workbook %s xmlns:r="%s"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>'
    % (MAIN, OFFICE),
    "xl/_rels/workbook.xml.rels": LINKS + b'<Relationship Id="a" Type="%s/worksheet" Target="worksheets/sheet1.xml"/>'
    b'<Relationship Id="b" Type="%s/styles" Target="styles.xml"/></Relationships>' % (OFFICE, OFFICE),
    "xl/styles.xml": b'<styleSheet %s><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    % MAIN,
    "xl/sharedStrings.xml": b"<sst %s><si><t>day</t></si><si><t>label</t></si><si><r><t>x</t></r></si></sst>" % MAIN,
    SHEET: b'<worksheet %s><dimension ref="A1:B3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c>'
    b'<c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" s="1"><v>45000.5</v></c><c r="B2" t="b"><v>1</v></c>'
    b'</row><row r="3"><c r="A3"><v>7</v></c><c r="B3" t="inlineStr"><is><t>y</t></is></c></row></sheetData>'
    b"</worksheet>" % MAIN,
}
WORDS = (
    b"<c>", b"</c>", b"<row>", b'<row r="1048576">', b'r="XFD1048576"', b'r="A0"', b'r="ZZZZ9"', b't="s"',
    b't="e"', b't="d"', b"<v>9999999999</v>", b"<v>-1</v>", b"<v>1e308</v>", b"<v>nan</v>", b"&amp;", b"&x;", b"<!--",
    b"<![CDATA[", b"<f>1</f>",
    b'<mergeCell ref="A1:XFD1048576"/>', b'<dimension ref="A1:XFD1048576"/>', b"\0", b"\xff", b"<t>", b"</sheetData>",
    b'numFmtId="164"', b'count="4294967295"', b"#REF!", b'r:id="b"', b"../../etc", b'name=""',
)  # fmt: skip


def book_kinds(folder: Path) -> dict[str, Kind]:
    """None where the package that reads workbooks is not installed."""
    if find_spec("python_calamine") is None:
        return {}
    path = folder / "given.xlsx"
    path.write_bytes(b"x")  # only its being there is looked at

    def use(content: bytes) -> object:
        return list(tables(Source(path, path.name, content), 2, labelled=False))

    return {"excel": Kind([_packed(PARTS)], WORDS, use, _changed)}


def _packed(parts: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return made.getvalue()


def _changed(seeds: Sequence[bytes], words: Sequence[bytes], draw: random.Random) -> bytes:
    """The workbook with one of its parts changed, mostly the sheet; sometimes its bytes as they are packed."""
    if draw.random() < 0.1:
        return mutated(seeds, words, draw)
    name = SHEET if draw.random() < 0.6 else draw.choice(list(PARTS))
    return _packed({**PARTS, name: mutated([PARTS[name]], words, draw)})
