"""Workbooks of Excel: numbers are numbers, dates are dates, and what cannot be read ends in one line.

The workbooks are written here, part by part, as the standard (ECMA-376) has them.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
from datetime import date, datetime, time
from xml.sax.saxutils import escape

import pytest
from click.testing import CliRunner

from rosenblatt import save, train
from rosenblatt.cli import commands
from rosenblatt.data import excel, read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.store import to_bytes

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = f"""<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"""
# Styles of cells: 0 general, 1 a date, 2 a date with its time, 3 a time of the day
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd hh:mm"/></numFmts>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="21"/></cellXfs>'
    "</styleSheet>"
)


def related(*targets):
    links = (
        f'<Relationship Id="r{k}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for k, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(links)}</Relationships>'


def cell(place, value):
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, date | time):
        whole = (value.date() if isinstance(value, datetime) else value) if isinstance(value, date) else None
        days = (whole - date(1899, 12, 30)).days if whole else 0
        clock = value if isinstance(value, time | datetime) else time()
        style = 3 if whole is None else 2 if isinstance(value, datetime) else 1
        return f'<c r="{place}" s="{style}"><v>{days + (clock.hour * 60 + clock.minute) / 1440}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return "" if value is None else f'<c r="{place}"><v>{value!r}</v></c>'


def sheet(rows, first=1):
    lines = (
        f'<row r="{n}">{"".join(cell(f"{chr(65 + k)}{n}", value) for k, value in enumerate(row))}</row>'
        for n, row in enumerate(rows, first)
    )
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def workbook(path, sheets, **more):
    """The sheets, by name, each as rows of values or as the text of its part."""
    parts = [s if isinstance(s, str) else sheet(s) for s in sheets.values()]
    named = "".join(f'<sheet name="{name}" sheetId="{k + 1}" r:id="r{k}"/>' for k, name in enumerate(sheets))
    targets = [("worksheet", f"worksheets/sheet{k}.xml") for k in range(len(parts))]
    files = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": related(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{named}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": related(
            *targets, ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")
        ),
        "xl/styles.xml": STYLES,
        **{f"xl/worksheets/sheet{k}.xml": part for k, part in enumerate(parts)},
        **more,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.fixture(autouse=True)
def _calamine():
    pytest.importorskip("python_calamine", reason="the extra excel is not installed")


HEAD = ["day", "when", "clock", "n", "x", "paid", "code", "mixed", "nothing", "label"]
ROWS = [
    [date(2024, 5, k + 1), datetime(2024, 5, k + 1, k, 30), time(k, 30), k, k / 4, k % 2 == 0, f"00{k}",
     ["a", 1, 2.5, True][k % 4], None, "xy"[k % 2]]
    for k in range(8)
]  # fmt: skip


def test_cells_keep_their_types_and_rows_their_numbers(tmp_path):
    path = workbook(tmp_path / "b.xlsx", {"Data": [HEAD, *ROWS[:4], [], *ROWS[4:]]})
    table = read(path)
    assert table.notes == ()
    assert [str(kind) for kind in table.columns.schema.types] == [
        "date32[day]", "timestamp[us]", "time64[us]", "int64", "double", "bool", "large_string", "large_string", "null",
    ]  # fmt: skip
    assert table.columns["mixed"].to_pylist()[:4] == ["a", "1", "2.5", "true"]
    found = [[*row.values()] for row in table.columns.drop_columns(["mixed"]).to_pylist()]
    assert found == [[*row[:7], None] for row in ROWS]
    assert table.labels.to_pylist() == [row[-1] for row in ROWS]
    assert (table.origin.of(0), table.origin.of(4)) == (f"{path}, row 2", f"{path}, row 7")  # as Excel numbers them
    assert read(path, strings=["n"]).columns["n"].to_pylist() == [str(k) for k in range(8)]
    assert [part.n_rows for part in read(path, batches=3)] == [3, 3, 2]


def test_a_workbook_is_known_by_its_content_too_and_may_be_packed(tmp_path):
    path = workbook(tmp_path / "named", {"Data": [HEAD, *ROWS]})
    (tmp_path / "b.xlsx.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert read(path).n_rows == read(tmp_path / "b.xlsx.gz").n_rows == 8


def test_missing_values_and_columns_without_names(tmp_path):
    rows = [[1.5, "x", "N/A"], ["NA", "?", 2], [None, "y", 3]]
    table = read(workbook(tmp_path / "b.xlsx", {"S": [["a", "b", None], *rows]}), labelled=False, header=True)
    assert table.columns.to_pydict() == {"a": [1.5, None, None], "b": ["x", None, "y"], "c3": [None, 2, 3]}
    path = workbook(tmp_path / "c.xlsx", {"S": [[k, k * k, "xyz"[k % 3]] for k in range(70)]})
    table = read(path)
    assert (table.label, table.origin.of(0)) == ("c3", f"{path}, row 1")
    assert table.notes[0] == "no header line found: the columns are named c1 to c3"


def test_the_first_sheet_is_read_or_the_one_that_is_named(tmp_path):
    path = workbook(tmp_path / "b.xlsx", {"About": [["a", "label"], [1, 2]], "Data": [HEAD, *ROWS]})
    assert read(path).notes == ("the sheet 'About' is read, the first of 2",)
    assert read(path, sheet="Data").n_rows == 8
    with pytest.raises(DataError, match=r"no sheet named 'data'. Sheets are: About, Data. Did you mean 'Data'\?"):
        read(path, sheet="data")
    (tmp_path / "x.csv").write_text("a,label\n1,2\n")
    with pytest.raises(SettingError, match=r"sheet is for workbooks of Excel, and this is csv. Leave it out"):
        read(tmp_path / "x.csv", sheet="Data")


def many(n=400):
    return [[k % 7, k % 11 / 4, ["red", "blue"][k % 2], "late" if k % 7 > 3 else "early"] for k in range(n)]


def test_training_on_a_sheet_is_training_on_the_same_rows_of_csv(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSENBLATT_CACHE", str(tmp_path / "cache"))
    rows = [["hour", "x", "colour", "when"], *many()]
    book = workbook(tmp_path / "b.xlsx", {"About": [["what"], ["this is"]], "Data": rows})
    (tmp_path / "x.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    (tmp_path / "c.toml").write_text('[reading]\nsheet = "Data"\nlabel = "when"\n[search]\nmodel = "naive-bayes"\n')
    settings = {"label": "when", "model": "naive-bayes"}
    model, evidence = train_with_evidence(book, sheet="Data", **settings)
    assert evidence.disk is None
    assert model.predict(tmp_path / "x.csv") == train(tmp_path / "x.csv", **settings).predict(tmp_path / "x.csv")
    on_disk, evidence = train_with_evidence(book, sheet="Data", memory="41kB", **settings)
    assert evidence.disk is not None
    assert to_bytes(on_disk) == to_bytes(model)
    assert to_bytes(train(book, config=tmp_path / "c.toml")) == to_bytes(model)
    save(model, tmp_path / "m")
    new = workbook(tmp_path / "new.xlsx", {"Data": rows})
    said = [
        CliRunner().invoke(commands, ["predict", str(tmp_path / "m"), str(path)])
        for path in (new, tmp_path / "x.csv", book)  # where there is a sheet of that name, it is read again
    ]
    assert [found.exit_code for found in said] == [0, 0, 0]
    assert said[0].stdout == said[1].stdout == said[2].stdout


def test_what_is_no_workbook_or_is_damaged_ends_in_one_line(tmp_path):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a.csv", "a,label\n1,2\n")
    whole = workbook(tmp_path / "b.xlsx", {"Data": [HEAD, *ROWS]}).read_bytes()
    at = whole.index(b"xl/worksheets/sheet0.xml") + 60
    broken = workbook(tmp_path / "broken.xlsx", {"S": "<worksheet><sheetData><row"})
    old = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
    cases = {
        "a zip archive or a spreadsheet that cannot be read. Unpack it": [archive.getvalue(), whole[: len(whole) // 2]],
        "a password protects the workbook. Save it without one": [
            old + "EncryptionInfo".encode("utf-16-le") + bytes(9)
        ],
        "a workbook of an old form (.xls). Save it as .xlsx": [old],
        "not a readable workbook (": [whole[:at] + bytes(9) + whole[at + 9 :], broken.read_bytes()],
        "the workbook has no sheets": [whole.replace(b"xl/workbook.xml", b"xl/workbook.xmk")],
    }
    for says, contents in cases.items():
        for content in contents:
            path = tmp_path / "bad.xlsx"
            path.write_bytes(content)
            with pytest.raises(DataError) as error:
                read(path)
            assert str(error.value).startswith(f"{path}: ")
            assert says in str(error.value)
            assert "\n" not in str(error.value)
    for rows, says in (
        ([["a", "a", "label"], [1, 2, "x"]], "columns 1 and 2 are both named 'a'"),
        ([], "the sheet is empty"), ([["a", "label"]], "the sheet has a header but no rows"),
    ):  # fmt: skip
        with pytest.raises(DataError, match=says):
            read(workbook(tmp_path / "few.xlsx", {"S": rows}))


def test_memory_follows_what_a_workbook_holds(tmp_path, monkeypatch):
    far = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row>{{}}</sheetData></worksheet>'
    for row in (
        '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
        "<row r='1048576'><c r='xfd1048576'><v>2</v></c></row>",
        '<row r="1048576">' + "<c><v>1</v></c>" * 5000 + "</row>",
    ):  # fmt: skip
        with pytest.raises(DataError, match=r"cells of xl/worksheets/sheet0.xml lie in 1048576 rows and \d+ columns"):
            read(workbook(tmp_path / "far.xlsx", {"S": far.format(row)}))
    texts = f'<sst xmlns="{MAIN}"><si><t>{"long " * 100_000}</t></si><si><t>short</t></si></sst>'
    cells = "".join(f'<row r="{k}"><c r="A{k}" t="s"><v>0</v></c></row>' for k in range(2, 2000))
    with pytest.raises(DataError, match=r"cells of xl/worksheets/sheet0.xml repeat very long texts"):
        read(workbook(tmp_path / "long.xlsx", {"S": far.format(cells)}, **{"xl/sharedStrings.xml": texts}))
    short = far.format(cells.replace("<v>0</v>", "<v>1</v>"))
    path = workbook(tmp_path / "short.xlsx", {"S": short}, **{"xl/sharedStrings.xml": texts})
    assert read(path, labelled=False, header=False).n_rows == 1999
    monkeypatch.setattr(excel, "MOST_UNPACKED", 1000)
    with pytest.raises(DataError, match="it unpacks to more than 0 GB"):
        read(path)


def test_without_the_package_one_line_says_what_to_install(tmp_path, monkeypatch):
    path = workbook(tmp_path / "b.xlsx", {"Data": [HEAD, *ROWS]})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(DataError, match=r"python-calamine, which is not installed: pip install 'rosenblatt\[excel\]'"):
        read(path)


def test_an_infinite_number_is_read_or_refused_in_one_line(tmp_path):
    pytest.importorskip("python_calamine", reason="the extra excel is not installed")
    rows = [["x", "label"], *([k + 0.5, "ab"[k % 2]] for k in range(30))]
    rows[5][0] = float("1e999")
    workbook(tmp_path / "t.xlsx", {"one": rows})
    with pytest.raises(DataError, match=r"t\.xlsx"):
        train(tmp_path / "t.xlsx", model="perceptron", passes=1)


def test_a_cover_sheet_that_is_no_table_is_told_with_the_sheets_beside_it(tmp_path):
    data = [["x", "label"], *([k, "ab"[k % 2]] for k in range(9))]
    path = workbook(tmp_path / "b.xlsx", {"Read me": [["A report"], ["see the next sheet"]], "Data": data})
    others = r" The sheet 'Read me' is read; others are: Data \(sheet under \[reading\] of a config\)\.$"
    with pytest.raises(DataError, match=others):
        read(path)
    assert read(path, sheet="Data").n_rows == 9
    with pytest.raises(DataError, match="the sheet is empty. Give a file with rows." + others.replace("Read me", "E")):
        read(workbook(tmp_path / "e.xlsx", {"E": [[]], "Data": data}))
