"""What the page does not decide by itself is asked of the server, and told as its own."""

from __future__ import annotations

import pytest

from engine_page import open_engine
from rosenblatt.lab.calls import CALLS
from rosenblatt.lab.sessions import Session
from rosenblatt.web import script_of

pytest_plugins = ["lab_browser"]

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]
SETS = {
    "separable": {
        "points": CORNERS,
        "labels": [0, 0, 0, 1],
        "settings": {"start": [1, 0, -1], "margin": 1, "alpha": 2},
    },
    "three classes with a gap": {"points": CORNERS, "labels": [0, 1, 1, 4]},
    "inseparable": {"points": CORNERS, "labels": [0, 1, 1, 0]},
    "equal rows": {"points": [[1, 1], [0, 3], [1, 1]], "labels": [0, 0, 1]},
    "the origin": {"points": [[0, 0], [1, 1]], "labels": [0, 1], "settings": {"bias": False}},
}


def test_a_verdict_of_the_server_is_told_as_one_of_the_page(browser):
    ask = open_engine(browser)
    found = [CALLS["proof"](Session("test"), body) for body in SETS.values()]
    served = ask("proof.js", "tellServed", [*zip(SETS.values(), found, strict=True)])
    for name, told, own in zip(SETS, served, ask("proof.js", "proof", [[body] for body in SETS.values()]), strict=True):
        assert told.keys() == own.keys()
        assert (told["kind"], told["words"]) == (own["kind"], own["words"]), name
        for fact in ("bound", "bound_here", "rows", "multipliers", "others", "sum", "meeting"):
            assert told.get(fact) == own.get(fact), name
        assert told.get("margin", 0) == pytest.approx(own.get("margin", 0), rel=1e-9)


def test_what_the_server_leaves_open_is_said(browser):
    told = open_engine(browser)(
        "proof.js", "tellServed", [[SETS["separable"], {"kind": "undecided", "high": 0.5, "seconds": 3}]]
    )
    assert told[0]["words"].startswith("Undecided: neither proof was found in 3 seconds. No margin exceeds 0.5.")


def test_the_page_passes_a_proof_on_that_it_does_not_find(visit):
    person = visit()
    whole = script_of("lab/lab.js")
    asks = whole.replace('if (found.kind === "undecided") throw', "throw", 1)  # as if every set were too much for it
    assert asks != whole
    person.page.route("**/lab.js", lambda route: route.fulfill(body=asks, content_type="text/javascript"))
    person.page.reload()
    person.ready()
    with person.page.expect_response("**/api/proof"):
        person.preset("XOR")
    person.wait("window.lab.state.proof")
    assert person.fact("verdict") == "inseparable"
    proof = person.page.evaluate("window.lab.state.proof")
    assert proof["multipliers"] == [1, 1, 1, 1]
    assert "sum to [0, 0, 0] exactly" in proof["words"]
