"""Folders of texts and of mail: classes by folder, and messages that are broken in every way."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data import read
from rosenblatt.data.mail import MOST_BYTES, html_text, parse_mail
from rosenblatt.errors import DataError, SettingError

MESSAGE = b"Received: by x\nFrom: A <a@b.example>\nSubject: Hi\n\nHello there\n"


def make(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def test_classes_are_folders_and_rows_know_their_files(tmp_path):
    make(tmp_path, {"b/2.txt": "two", "b/1.txt": "one", "a/deep/3.txt": "three", ".git/x": "no", "a/.hidden": "no"})
    table = read(tmp_path)
    assert table.columns["text"].to_pylist() == ["three", "one", "two"]
    assert table.labels.to_pylist() == ["a", "b", "b"]
    assert table.origin.of(1) == str(tmp_path / "b" / "1.txt")
    parts = list(read(tmp_path, batches=2))
    assert [part.columns["text"].to_pylist() for part in parts] == [["three", "one"], ["two"]]


def test_texts_that_are_not_utf8_are_read_as_latin1_and_said_so(tmp_path):
    make(tmp_path, {"a/1": "caf\u00e9".encode("latin-1"), "b/2": "caf\u00e9".encode(), "b/3": gzip.compress(b"packed")})
    table = read(tmp_path)
    assert table.columns["text"].to_pylist() == ["caf\u00e9", "caf\u00e9", "packed"]
    assert table.notes == ("1 files are not UTF-8 and were read as latin-1",)
    with pytest.raises(DataError, match="byte 0xe9 at 3 is not utf-8"):
        read(tmp_path, encoding="utf-8")
    with pytest.raises(SettingError, match="no text encoding named 'klingon'"):
        read(tmp_path, encoding="klingon")


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "no class folders"),
        ({"1.txt": "x"}, "no class folders"),
        ({"cur/1": "x", "new/2": "x"}, "no class folders"),
    ],
)
def test_a_folder_without_class_folders(tmp_path, files, says):
    make(tmp_path, files)
    with pytest.raises(DataError, match=says) as caught:
        read(tmp_path)
    assert str(caught.value).startswith(str(tmp_path))


def test_an_empty_class_folder(tmp_path):
    make(tmp_path, {"a/1": "x"})
    (tmp_path / "b").mkdir()
    with pytest.raises(DataError, match="class folder is empty"):
        read(tmp_path)


def test_mail_is_told_from_text_by_what_mail_programs_add(tmp_path):
    news = b"From: A\nSubject: Hi\nLines: 1\n\nHello\n"
    assert read(make(tmp_path / "mail", {"a/1": MESSAGE, "b/2": MESSAGE})).names == ["subject", "sender", "text"]
    assert read(make(tmp_path / "news", {"a/1": news, "b/2": news})).names == ["text"]
    assert read(tmp_path / "news", format="mail").columns["subject"].to_pylist() == ["Hi", "Hi"]
    assert read(tmp_path / "mail", format="text").columns["text"].to_pylist() == [MESSAGE.decode()] * 2


def test_mbox_and_maildir_are_classes_too(tmp_path):
    box = b"From a Mon\n" + MESSAGE + b"\n>From here on\n\nFrom b Tue\n" + MESSAGE.replace(b"Hi", b"Second")
    make(tmp_path, {"ham.mbox": box, "junk.mbox.gz": gzip.compress(box), "spam/cur/1:2,S": MESSAGE})
    make(tmp_path, {"spam/new/2": MESSAGE, "spam/tmp/3": MESSAGE})
    table = read(tmp_path)
    assert table.labels.to_pylist() == ["ham"] * 2 + ["junk"] * 2 + ["spam"] * 2
    assert table.columns["subject"].to_pylist() == ["Hi", "Second"] * 2 + ["Hi", "Hi"]
    assert table.origin.of(1) == f"{tmp_path / 'ham.mbox'}, message 2"
    alone = read(tmp_path / "ham.mbox", labelled=False)
    assert alone.columns["text"].to_pylist()[0].endswith(">From here on\n\n")
    with pytest.raises(DataError, match="messages without classes"):
        read(tmp_path / "ham.mbox")


def test_encoded_headers_and_bodies_are_decoded():
    mail = parse_mail(
        b"Subject: =?utf-8?q?gr=C3=BC=C3=9Fe?= =?iso-8859-1?b?4PDp?=\nFrom: =?utf-8?B?w6k=?= <x@y.example>\n"
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\ncaf=E9 =\nnow\n"
    )
    assert mail.subject == "gr\u00fc\u00dfe\u00e0\u00f0\u00e9"
    assert mail.sender == "\u00e9 <x@y.example>"
    assert mail.text == "caf\u00e9 now\n"


def test_of_alternatives_the_plain_text_is_taken_and_attachments_are_not():
    mail = parse_mail(
        b"Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/alternative; boundary=i\n\n"
        b"--i\nContent-Type: text/plain\n\nplain words\n--i\nContent-Type: text/html\n\n<p>html words</p>\n--i--\n"
        b"--o\nContent-Type: text/plain\nContent-Disposition: attachment\n\nattached\n"
        b"--o\nContent-Type: image/png\n\nnot text\n--o--\n"
    )
    assert mail.text.split() == ["plain", "words"]


def test_html_is_reduced_to_what_is_seen():
    page = (
        "<html><head><title>t</title><style>p{}</style></head><body><!-- no <b>no</b> --><p>V<b>ia</b>gra&nbsp;&amp; "
        "more</p><br>next<script>if (a<b) no()</script> last 1 < 2</body>"
    )
    assert html_text(page).split() == ["Viagra", "&", "more", "next", "last", "1", "<", "2"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\x00",
        b"Subject: =?klingon?q?x=ff?=\n\nx",
        b"Subject: =?utf-8?b?!!!?=\n\nx",
        b"Content-Type: text/plain; charset=klingon\n\nx\xe9",
        b"Content-Type: text/plain; charset=punycode\n\nx\xe9",
        b"Content-Type: text/plain; charset=\xff\n\nx\xe9",
        b"Content-Type: text/plain; charset*=utf-8''%ff\n\nx",
        b"Content-Type: /\n\nx",
        b"Content-Type: multipart/mixed\n\nx",
        b"Content-Type: multipart/mixed; boundary=\n\nx",
        b"Content-Transfer-Encoding: base64\n\n****",
        b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\nzzz\nend\n",
        b"From: \xe9\xe8 <\n\nx",
        b"Content-Type: message/rfc822\n\nSubject: inner\n\nx",
    ],
)
def test_broken_messages_are_survived(raw):
    for part in parse_mail(raw):
        assert part.encode().decode() == part  # what Arrow will do


@given(st.binary(max_size=300))
def test_any_bytes_are_a_message(noise):
    for raw in (noise, b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + noise + b"\n--b\n"):
        for part in parse_mail(raw):
            assert part.encode().decode() == part


@given(st.text(alphabet="<>!-/abscript &;#x1", max_size=200))
def test_any_text_is_html(page):
    assert len(html_text(page)) <= len(page) + page.count("<")


def test_deep_nesting_and_great_size_are_cut():
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (k, k) for k in range(20_000))
    assert parse_mail(b"Subject: deep\n" + deep).subject == "deep"
    large = parse_mail(b"Subject: large\n\n" + b"word " * MOST_BYTES)
    assert large.subject == "large"
    assert len(large.text) <= MOST_BYTES
    assert html_text("<script" * 50_000) == html_text("<!--" * 50_000) == ""
