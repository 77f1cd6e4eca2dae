"""Files that a person drops on the page: a table becomes points or bars, a text is a message, the rest is refused."""

from __future__ import annotations

import numpy as np
import pytest

from lab_browser import BOTH_WAYS
from rosenblatt.data.builtin import read_builtin
from rosenblatt.features import Classes, learn_and_encode
from rosenblatt.traces import trace
from rosenblatt.traces.numerals import numeral

pytest_plugins = ["lab_browser"]

MOST = 4_000_000  # bytes that the lab reads
DROP = """([name, text, size]) => {
  const given = new DataTransfer();
  given.items.add(new File([text, new Uint8Array(size)], name));
  const dropped = { dataTransfer: given, bubbles: true, cancelable: true };
  return !document.querySelector('.plane').dispatchEvent(new DragEvent('drop', dropped));
}"""
MAIL = "Subject: You won\n\nClick now for your free prize, this offer is only for you!"
WIDE = "length,width,height,weight,colour,kind\n" + "".join(
    f"{k},{k % 3},{k % 5},{2 * k},{'red' if k % 2 else 'green'},{'big' if k > 10 else 'small'}\n" for k in range(20)
)


def drop(person, name: str, text: str, size: int = 0) -> None:
    assert person.page.evaluate(DROP, [name, text, size])  # taken: the browser does not leave the page for it


def told(person) -> str:
    return person.page.locator(".plane-box .problem.told").inner_text()


@BOTH_WAYS
def test_a_text_dropped_on_the_plane_is_read_as_a_message(visit):
    person = visit()
    drop(person, "mail.txt", MAIL)
    person.page.locator("#mail").wait_for(state="visible")
    person.until(lambda: person.page.get_by_label("The message", exact=True).input_value(), MAIL)
    person.until(lambda: "is classified as spam" in person.page.locator('[data-fact="decision"]').inner_text(), True)


@BOTH_WAYS
def test_a_file_that_is_too_large_or_no_text_is_one_line_and_nothing_is_lost(visit):
    person = visit()
    person.click_plane(4, 1)
    drop(person, "film.mp4", "", MOST + 1)
    person.until(lambda: told(person), "film.mp4 has 4,000,001 bytes; the lab reads at most 4,000,000.")
    drop(person, "photo.jpg", "JFIF", 8)
    person.until(lambda: told(person), "photo.jpg is no text. The lab reads tables (CSV) and plain texts.")
    assert len(person.points()[0]) == 6
    drop(person, "mail.txt", MAIL)
    person.page.locator("#mail").wait_for(state="visible")
    person.until(lambda: person.page.locator(".plane-box .problem.told").text_content(), "")


@pytest.mark.parametrize("visit", ["file"], indirect=True)
def test_a_table_dropped_on_a_page_without_a_server_says_what_helps(visit):
    person = visit()
    drop(person, "points.csv", WIDE)
    line = person.page.get_by_role("dialog").get_by_role("alert")
    assert line.inner_text().startswith("This needs Python: run `rosenblatt lab`")


def test_a_table_of_texts_dropped_on_the_plane_leads_to_mail(visit):
    person = visit()
    drop(person, "texts.csv", "text,label\nfree prize,spam\nsee you at lunch,ham\n")
    line = person.page.get_by_role("dialog").get_by_role("alert")
    person.until(
        line.inner_text,
        "texts.csv: no column holds nothing but numbers; the plane needs two. Texts with labels can be learned from "
        "under Mail.",
    )
    assert len(person.points()[0]) == 5


def test_two_columns_of_a_dropped_table_become_points(visit):
    person = visit()
    drop(person, "things.csv", WIDE)
    person.page.get_by_role("button", name="Show these points").click()
    wanted = [[k, k % 3] for k in range(20)]
    person.until(lambda: person.page.evaluate("window.lab.state.data.points"), wanted, "the points")
    data = person.page.evaluate("window.lab.state.data")
    assert [data["classes"][label] for label in data["labels"]] == ["big" if k > 10 else "small" for k in range(20)]


def test_a_column_of_a_tiny_range_is_enlarged_and_says_so(visit):
    person = visit()
    lines = [f"{k / 1000},{k % 4},{'ab'[k > 3]}" for k in range(8)]
    drop(person, "tiny.csv", "\n".join(["share,x,kind", *lines]))
    person.page.get_by_role("button", name="Show these points").click()
    person.until(person.page.locator("#lead").inner_text, "8 points of share × 10,000 and x.", "the lead")
    np.testing.assert_allclose(person.points()[0][:, 0], 10 * np.arange(8), atol=1 / 64)


def test_all_columns_of_a_wide_table_are_bars_of_the_run_that_python_makes(visit):
    person = visit()
    person.page.get_by_role("button", name="Load a file…").click()
    person.page.get_by_label("or a built-in set").select_option("wine")
    person.page.get_by_role("button", name="All 13 columns, as weights").click()
    card = person.page.locator("#wide .card")
    assert "178 rows, 13 features" in card.inner_text()
    card.get_by_role("button", name="To the end").click()
    assert card.locator(".rp-group").count() == 3  # one for each class
    wine = read_builtin("wine")
    _, matrix = learn_and_encode(wine)
    run = trace(matrix.rows.values, Classes.learn(wine).encode(wine), passes=50)
    names = ["bias", *matrix.names]
    for bars, weights in zip(card.locator(".rp-group svg[role=img]").all(), run.weights, strict=True):
        told = dict(zip(names, map(numeral, weights.tolist()), strict=True))
        values = bars.locator(".rp-value").all_text_contents()
        texts = bars.locator("text:not(.rp-value)").all_text_contents()
        shown = [name for text in texts for name in names if name.startswith(text.removesuffix("…"))]
        assert values == [told[name] for name in shown]
        assert len(values) == 12
    card.get_by_role("button", name="Close").click()
    assert card.count() == 0
