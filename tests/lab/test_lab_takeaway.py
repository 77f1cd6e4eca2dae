"""What a person takes away from the lab: pictures, the trace, the player, and text that makes the same run again."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from rosenblatt.traces import Trace, trace

pytest_plugins = ["lab_browser"]

FIVE = np.array([[1, 1], [3, 2], [2, 4], [3, 4], [2, 3]]), np.array([0, 1, 1, 1, 0])
START = [-1, 0, 0]


def download(person, name: str, tmp_path):
    with person.page.expect_download() as waiting:
        person.press(name)
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def copied(person, name: str, what: str) -> str:
    person.press(name)
    person.page.locator("#side").get_by_text(f"{what} is on the clipboard.").wait_for()
    return person.page.evaluate("navigator.clipboard.readText()")


def test_the_picture_as_svg_stands_alone(visit, tmp_path):
    person = visit()
    file = download(person, "SVG", tmp_path)
    tree = ElementTree.parse(file)
    space = "{http://www.w3.org/2000/svg}"
    assert tree.getroot().tag == f"{space}svg"
    text = file.read_text()
    assert "var(--" not in text
    strokes = {line.get("stroke") for line in tree.iter(f"{space}line")}
    accent = person.page.locator(".plane line.rp-new").first.evaluate("l => getComputedStyle(l).stroke")
    assert accent in strokes  # the boundary keeps its colour without the page's style sheet


def test_the_picture_as_png_is_twice_its_size(visit, tmp_path):
    person = visit()
    data = download(person, "PNG", tmp_path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    box = person.page.locator(".plane svg").first.get_attribute("viewBox").split()
    assert (width, height) == (2 * float(box[2]), 2 * float(box[3]))
    assert len(data) > 5_000  # not an empty sheet


def test_the_trace_as_json_is_the_run(visit, tmp_path):
    person = visit()
    again = Trace.from_json(download(person, "JSON", tmp_path).read_text())
    run = trace(*FIVE, start=START, passes=300)
    assert again.weights.tolist() == run.weights.tolist()
    assert len(again) == len(run)


def test_the_player_in_one_file_plays_the_run(visit, browser, tmp_path):
    person = visit()
    file = download(person, "Player", tmp_path)
    page = browser.new_page()
    page.goto(file.as_uri())
    page.get_by_label("To the end").click()
    assert page.locator('[data-fact="w after"]').inner_text() == "[-31, 12, 2]"
    page.close()


def test_python_and_command_make_the_same_run(visit, tmp_path):
    person = visit()
    person.type("rate α", "0.5")
    person.click_plane(4, 1)
    person.end()
    shown = person.page.evaluate("Array.from(window.lab.state.moment().after)")
    names: dict[str, object] = {}
    exec(copied(person, "Python", "The Python text"), names)
    model = names["model"]
    assert [model.intercept_[0], *model.coef_[0]] == pytest.approx(shown, rel=1e-12)
    command = copied(person, "Command", "The command")
    done = subprocess.run(
        ["sh", "-c", command.replace("rosenblatt trace", f"{sys.executable} -m rosenblatt trace")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        env=dict(os.environ),
        check=True,
    )
    table = [line for line in done.stdout.splitlines() if "[" in line]
    assert person.fact("w after") in table[-1]  # the line with the weights at the end


def test_the_link_that_is_copied_opens_the_same_bench(visit):
    person = visit()
    person.click_plane(4, 1)
    link = copied(person, "Copy link", "The link")
    assert "token" not in link
    other = visit("#" + link.split("#")[1])
    assert other.points()[0].tolist() == person.points()[0].tolist()


def test_the_text_that_was_copied_is_as_wide_as_its_card(visit):
    person = visit()
    copied(person, "Python", "The Python text")
    text = person.page.get_by_label("The text that was copied")
    assert text.bounding_box()["width"] > 0.9 * text.locator("xpath=..").bounding_box()["width"]
