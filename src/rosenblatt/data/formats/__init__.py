"""The formats of files, and which of them a file has."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from rosenblatt.data.format import Format, encoding_of
from rosenblatt.data.formats.columnar import Arrow, JsonLines, Parquet
from rosenblatt.data.formats.csv import Csv, Tsv
from rosenblatt.data.formats.excel import Excel
from rosenblatt.data.formats.idx import Idx
from rosenblatt.data.formats.lines import FastText, Lines, name_no
from rosenblatt.data.formats.mail import Mail, Mbox, Text
from rosenblatt.data.formats.svmlight import Svmlight
from rosenblatt.errors import DataError, SettingError

if TYPE_CHECKING:
    from rosenblatt.data.reading import Reading
    from rosenblatt.data.source import Source

# A new format is a file here and its line in this table. Of files that nothing but their looks tell, the last that
# resembles them has them: Csv, the first, has those of nobody.
FORMATS: tuple[type[Format], ...] = (
    Csv, Tsv, Parquet, Arrow, JsonLines, Svmlight, Idx, Text, Mail, Mbox, Lines, FastText, Excel,
)  # fmt: skip
SOME = 20  # lines that are looked at
WEB_PAGE = rb"(?i)(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body)\b"


def format_of(source: Source, how: Reading) -> type[Format]:
    """The format of a file or a folder: as asked, or as it looks."""
    form = next((form for form in FORMATS if form.name == how.format), None)
    folder = source.path.is_dir()
    if folder:
        form = form or Text
    elif form is None:
        form = recognised(source, how.encoding, None if how.says_table else how.lines)
    if how.names is not None and not form.takes_names:
        refuse_names(source.name, "a folder" if folder else form.name)
    if how.sheet is not None and not form.takes_sheets:
        raise SettingError(f"{source.name}: sheet is for workbooks of Excel, and this is {form.name}. Leave it out.")
    if folder and not form.takes_folders:
        raise DataError(f"{source.name}: a folder holds text or mail, not {form.name}. Give a single file instead.")
    return form


def refuse_names(source: str, what: str) -> None:
    """Names that would not be used are refused, whether or not there is a file of them."""
    raise SettingError(
        f"{source}: names of columns (--names) are for svmlight files, and this is {what}. Leave them out."
    )


def recognised(source: Source, encoding: str | None = None, column: str | None = None) -> type[Format]:
    """The format of a file: by how it begins where that is certain, otherwise by its name, otherwise by its looks.

    column    of text, the only one that is wanted: what would be a table without it is lines of text
    """
    head = source.head
    if encoding is None and encoding_of(head) == "utf-16":
        head = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    if not head.strip():
        raise DataError(f"{source.name}: the file is empty. Give a file with rows.")
    form = next((form for form in FORMATS if form.begins(head)), None) or _by_name_or_looks(source, head, column)
    if b"\0" in head and encoding is None and not form.binary:
        raise DataError(
            f"{source.name}: it holds zero bytes, so it is no text in UTF-8. Name its encoding, for example utf-16 "
            "(--encoding utf-16), or its format (--format)."
        )
    return form


def _by_name_or_looks(source: Source, head: bytes, column: str | None) -> type[Format]:
    from rosenblatt.data.source import PEEK, ending_of

    ending = ending_of(source.path)
    if head[257:262] == b"ustar":
        raise DataError(f"{source.name}: this is a tar archive. Unpack it and give the folder.")
    if re.match(WEB_PAGE, head) and ending not in Csv.endings + Tsv.endings:
        raise DataError(f"{source.name}: this is a web page, not a table. Save its table as CSV, or name another file.")
    named = [form for form in FORMATS if ending in form.endings]
    if named:
        return named[0]
    lines = head.splitlines()[: -1 if len(head) == PEEK else None] or [head]
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")][:SOME]
    form = next(form for form in reversed(FORMATS) if form.resembles(head, lines))
    first = (lines or [head])[0].removeprefix(codecs.BOM_UTF8)
    return Lines if column is not None and issubclass(form, Csv) and name_no(column, first) else form
