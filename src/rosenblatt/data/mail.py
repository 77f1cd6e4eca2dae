"""One raw e-mail as subject, sender and text. Whatever is broken in it is survived: spam is made of broken mail."""

from __future__ import annotations

import codecs
import email
import html
import re
from collections.abc import Callable
from email.header import decode_header
from email.message import Message
from typing import Any, NamedTuple, TypeVar

MOST_BYTES = 1 << 20  # of one message; what follows is attachments, and is not read
MOST_PARTS = 100
MOST_DEPTH = 20
# Parsing nested parts takes the depth times the size; a message that mentions more parts than this is not taken apart.
MOST_MULTIPARTS = 50
# Codecs that take quadratic time, or that mean something else than a charset.
NOT_CHARSETS = {"punycode", "idna", "unicode-escape", "raw-unicode-escape", "unicode_escape", "raw_unicode_escape"}
HIDDEN = ("script", "style", "head", "title")
SPACES = re.compile(r"[ \t\r\f\v\xa0]+")

T = TypeVar("T")


class Mail(NamedTuple):
    """What of a message the features are made from."""

    subject: str
    sender: str
    text: str


def parse_mail(raw: bytes) -> Mail:
    """The message of these bytes; never an error."""
    raw = raw[:MOST_BYTES]
    if raw.lower().count(b"multipart/") > MOST_MULTIPARTS:
        head, _, body = raw.partition(b"\n\n")
        message: Message = survived(lambda: email.message_from_bytes(head), Message())
        return Mail(header(message, "subject"), header(message, "from"), storable(decoded(body, None)))
    message = survived(lambda: email.message_from_bytes(raw), Message())
    texts = [text for part in text_parts(message) if (text := part_text(part))]
    return Mail(header(message, "subject"), header(message, "from"), "\n".join(texts))


def survived(attempt: Callable[[], T], otherwise: T) -> T:
    """The result of the attempt. The parser of broken mail may raise anything at all: then the other value."""
    try:
        return attempt()
    except MemoryError:
        raise
    except Exception:
        return otherwise


def text_parts(message: Message) -> list[Message]:
    """The parts that hold text, in their order; of alternatives of one text, the plain one alone."""
    found: list[Message] = []
    waiting: list[tuple[Message, int]] = [(message, 0)]
    looked_at = 0
    while waiting and looked_at < MOST_PARTS:
        part, depth = waiting.pop()
        looked_at += 1
        kind = survived(part.get_content_type, "text/plain")
        inner = part.get_payload() if part.is_multipart() else None
        if isinstance(inner, list):
            children = [child for child in inner if isinstance(child, Message)]
            if kind == "multipart/alternative":
                plain = [child for child in children if survived(child.get_content_type, "") == "text/plain"]
                children = [child for child in plain if part_text(child).strip()] or children
            if depth < MOST_DEPTH:
                waiting.extend((child, depth + 1) for child in reversed(children))
        elif survived(part.get_content_disposition, None) == "attachment":
            continue
        elif kind.startswith(("text/", "multipart/")):  # a multipart without parts is text whose parts were lost
            found.append(part)
    return found


def part_text(part: Message) -> str:
    content: Any = survived(lambda: part.get_payload(decode=True), None)
    if not isinstance(content, bytes):
        content = str(part.get_payload()).encode("utf-8", "replace")
    charset = survived(part.get_content_charset, None)
    text = decoded(content, charset)
    if survived(part.get_content_type, "").startswith("text/html") or is_page(text):
        text = html_text(text)
    return storable(text)


def is_page(text: str) -> bool:
    """True for a page that calls itself plain text, as much spam does."""
    start = text[:500].lstrip().lower()
    return start.startswith(("<html", "<!doctype html")) or "\n<html" in start


def decoded(content: bytes, charset: str | None) -> str:
    """The text of the bytes in the charset they claim; else as UTF-8; else as latin-1, which fits any bytes."""
    for name in (charset, "utf-8"):
        if name and name.lower() not in NOT_CHARSETS:
            try:
                return codecs.lookup(name).name and content.decode(name)
            except (LookupError, ValueError, TypeError):
                continue
    return content.decode("latin-1")


def header(message: Message, name: str) -> str:
    """The header's value with its encoded words decoded, on one line."""
    raw = survived(lambda: message.get(name, ""), "")
    pieces: list[Any] = survived(lambda: list(decode_header(raw)), [(str(raw), None)])
    text = "".join(decoded(piece, charset) if isinstance(piece, bytes) else str(piece) for piece, charset in pieces)
    return storable(" ".join(text.split()))[:1000]


def storable(text: str) -> str:
    """The text without the half characters that broken mail leaves and that UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def html_text(source: str) -> str:
    """What a reader of the page sees: tags, comments, scripts and styles removed. One pass, whatever the input."""
    out: list[str] = []
    hidden_in, in_comment = "", False
    for number, piece in enumerate(source.split("<")):
        if in_comment:
            closed = piece.find("-->")
            if closed >= 0:
                in_comment = False
                out.append(piece[closed + 3 :])
            continue
        if number == 0:
            out.append(piece)
            continue
        if piece.startswith("!--"):
            closed = piece.find("-->", 1)
            in_comment = closed < 0
            if not in_comment:
                out.append(piece[closed + 3 :])
            continue
        tag, closed_tag, text = piece.partition(">")
        if not closed_tag:
            if not hidden_in:
                out.append(f"<{piece}" if not piece[:1].isalpha() else " ")
            continue
        name = tag[:12].lower().split()[0] if tag[:12].strip() else ""
        if hidden_in:
            if name.startswith("/" + hidden_in):
                hidden_in = ""
                out.append(" " + text)
        elif name in HIDDEN:
            hidden_in = name
        else:
            out.append(" " + text if is_block(name) else text)
    text = SPACES.sub(" ", html.unescape("".join(out)))
    return re.sub(r" ?\n[ \n]*", "\n", text).strip()


def is_block(name: str) -> bool:
    """False for the tags that stand within a word, which spam uses to hide one: V<b>i</b>agra."""
    return name.lstrip("/") not in ("b", "i", "u", "em", "strong", "font", "span", "a", "big", "small", "!")
