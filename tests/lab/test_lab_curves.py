"""Curves on the plane: the kernel perceptron behind the same points, Play, link and keys as the line."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest

from lab_browser import BOTH_WAYS, PHONE, barriers
from rosenblatt import KernelPerceptron

pytest_plugins = ["lab_browser"]

# Of places on the plane, the class of the region that each lies in; null on the border.
REGIONS = """places => {
  const { plane } = window.lab;
  const paths = [...document.querySelectorAll('.layer-regions path')];
  return places.map(place => {
    const [x, y] = plane.frame.at(place);
    const found = paths.filter(p => p.isPointInFill(new DOMPoint(x, y)));
    return found.length === 1 ? paths.indexOf(found[0]) : null;
  });
}"""


def model(person, **settings):
    points, labels = person.points()
    return KernelPerceptron(weights="final", shuffle=False, **settings).fit(points, labels)


@BOTH_WAYS
def test_a_curve_does_what_no_line_can(visit):
    person = visit()
    person.preset("XOR")
    person.end()
    assert "go round for ever" in person.ended
    person.choose("boundary", "curve")
    person.choose("kernel", "poly")
    person.type("degree d", "2")
    person.end()
    found = model(person, kernel="poly", degree=2, gamma=1)
    assert person.ended == f"Pass {found.n_iter_} got every point right: separated after {found.n_mistakes_} mistakes."
    assert person.fact("support") == "4 of 4 points"
    assert "Ringed: 4 support points of 4." in person.page.locator(".plane-box .note").inner_text()
    person.choose("boundary", "line")
    person.end()
    assert "go round for ever" in person.ended


@pytest.mark.parametrize(("kernel", "chosen"), [("rbf", {"gamma": 1.0}), ("poly", {"degree": 3, "gamma": 1.0})])
def test_the_regions_that_are_drawn_are_those_of_the_kernel_perceptron(visit, kernel, chosen):
    person = visit()
    person.preset("Moons")
    person.choose("kernel", kernel)
    person.end()
    points = person.page.evaluate("window.lab.state.data")
    found = KernelPerceptron(kernel=kernel, **chosen, weights="final", shuffle=False, max_iter=300)
    found.fit(np.array(points["points"]), points["labels"])
    places = [[x, y] for x in np.linspace(-4, 4, 25) for y in np.linspace(-2.5, 2.5, 17)]
    drawn = person.page.evaluate(REGIONS, places)
    agree = [region == name for region, name in zip(drawn, found.predict(places), strict=True) if region is not None]
    assert len(agree) > 400
    assert all(agree)
    assert person.fact("support") == f"{len(found.support_)} of 60 points"


def test_a_link_opens_the_curve_that_it_was_copied_from(visit):
    person = visit()
    person.preset("Circles")
    person.choose("kernel", "poly")
    person.type("degree d", "4")
    person.type("sharpness γ", "0.5")
    person.jump(3)
    again = visit(f"#{person.address().split('#')[1]}")
    kept = "(({kernel, degree, gamma}) => [kernel, degree, gamma])(window.lab.state.choices)"
    assert again.page.evaluate(kept) == ["poly", 4, 0.5]
    assert again.said == person.said
    broken = visit("#v=2&points=1,1,0~2,2,1&kernel=cubic")
    assert "kernel must be one of line, rbf, poly, cosine" in broken.page.locator("#page-problem").inner_text()


def test_twins_of_two_classes_are_said_to_be_beyond_every_curve(visit):
    person = visit()
    person.preset("Contradicting duplicates")
    person.choose("boundary", "curve")
    assert person.fact("verdict") == "inseparable"
    person.preset("Moons")
    assert person.fact("verdict") == "separable by a curve"
    person.end()
    assert ", 8 support points." in person.page.locator(".plane").get_attribute("aria-label")


def test_a_choice_that_cannot_be_is_refused_in_one_line(visit):
    person = visit()
    person.preset("Moons")
    person.choose("kernel", "poly")
    person.type("degree d", "60")
    problem = person.page.locator("#rail .problem")
    assert problem.inner_text().endswith("degree must be a whole number from 1 to 30; got 60.")
    assert person.page.get_by_label("degree d", exact=True).input_value() == "3"


def test_keys_move_a_point_and_the_curve_follows(visit):
    person = visit()
    person.preset("Circles")
    person.end()
    before = person.page.locator(".layer-borders path").get_attribute("d")
    person.page.locator(".plane").focus()
    person.keyboard.press("n")
    for _ in range(3):
        person.keyboard.press("Shift+ArrowLeft")
    person.settle()
    person.until(
        lambda: person.page.locator(".layer-borders path").get_attribute("d") != before, True, "the curve is another"
    )
    assert person.spoken.startswith("Point 1 of 60")


def test_each_step_of_a_curve_stands_in_the_table(visit):
    person = visit()
    person.preset("XOR")
    person.choose("boundary", "curve")
    person.jump(2)
    head = person.page.locator("#tables .rp-steps thead").first
    person.unfold(head).scroll_into_view_if_needed()
    assert head.inner_text().split("\t")[:4] == ["step", "support points", "score", "correct?"]
    line = person.page.locator("#tables .rp-steps tr[aria-current] td")
    person.until(line.all_inner_texts, ["2", "1: 1", "-1·0.368 = -0.368", "no", "+K(2)"])


def test_the_python_text_of_a_curve_makes_the_same_run(visit):
    person = visit()
    person.preset("Moons")
    person.press("Python")
    text = person.page.get_by_label("The text that was copied").input_value()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(text, {})  # written by the page from numbers alone
    person.end()
    passes, mistakes, support = printed.getvalue().split()[1:4]
    assert person.ended == f"Pass {passes} got every point right: separated after {mistakes} mistakes."
    assert person.fact("support") == f"{support} of 60 points"


def test_views_that_are_made_of_weights_make_room_for_a_curve(visit):
    person = visit()
    person.preset("Moons")
    person.show("views")
    cards = person.page.locator("#view-cards > .card:visible h3")
    assert cards.all_inner_texts() == ["CAN A LINE SEPARATE THEM?"]
    person.press("Show the line")
    person.settle()
    assert cards.count() == 7


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_curves_have_no_barriers(visit, axe, scheme):
    for size in (None, PHONE):
        person = visit(color_scheme=scheme, **({"viewport": size} if size else {}))
        person.preset("Spirals")
        person.choose("kernel", "poly")
        person.end()
        assert barriers(person.page, axe) == []
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        person.show("views")
        assert barriers(person.page, axe) == []
