"""The lab in one file, opened as people open it: from a disk, in a frame, without storage and without a server."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from rosenblatt import cli
from rosenblatt.errors import DataError
from rosenblatt.lab.export import export_lab

MOST_BYTES = 1_500_000
STATE = """() => {
  const { course, proof } = window.lab?.state ?? {};
  return { updates: course?.updates, kind: proof?.kind, bound: proof?.bound };
}"""


@pytest.fixture(scope="module")
def lab_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("export") / "lab.html"
    assert export_lab(file) == file.stat().st_size
    return file


def test_the_file_stays_small_enough_to_be_sent(lab_file):
    assert lab_file.stat().st_size <= MOST_BYTES


def test_the_command_says_what_it_wrote_and_refuses_what_it_cannot_write(tmp_path, lab_file):
    file = tmp_path / "mine.html"
    done = CliRunner().invoke(cli.commands, ["lab", "--export", str(file)])
    assert done.exit_code == 0
    assert (
        done.output
        == f"wrote {file} ({file.stat().st_size / 1e6:.2f} MB): open it in any browser, or put it on a web page.\n"
    )
    assert file.read_bytes() == lab_file.read_bytes()
    assert "starts nothing" in CliRunner().invoke(cli.commands, ["lab", "--export", str(file), "--port", "9"]).output
    with pytest.raises(DataError, match="there is no folder"):
        export_lab(tmp_path / "nowhere" / "lab.html")


@pytest.mark.parametrize("how", ["disk", "framed", "alone"])
def test_it_opens_without_a_server_without_storage_and_asks_nobody(browser, lab_file, how):
    """`framed` has an origin of its own within a page and no storage; `alone` is a file whose storage is refused."""
    page = browser.new_page()
    wrong, asked = [], []
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    if how == "framed":
        page.set_content('<iframe sandbox="allow-scripts" width=1300 height=800></iframe>')
        page.evaluate("text => { document.querySelector('iframe').srcdoc = text; }", lab_file.read_text("utf8"))
        place = page.frame_locator("iframe")
    else:
        if how == "alone":
            page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no') } })")
        page.goto(lab_file.as_uri())
        place = page
    place.locator(".plane").wait_for()
    found = {}
    while found.get("kind") is None:  # the run of the notes' five points, and what is proved of them
        page.wait_for_timeout(15)
        found = page.frames[-1].evaluate(STATE)
    assert found == {"updates": 446, "kind": "separable", "bound": 6370}
    assert wrong == []
    assert [url for url in asked if not url.startswith(("data:", "about:", lab_file.as_uri()))] == []
    page.close()
