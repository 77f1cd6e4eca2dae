"""What moves on the plane: the boundary goes from old to new, and an update is drawn as the sum that it is."""

from __future__ import annotations

import numpy as np
import pytest

pytest_plugins = ["lab_browser"]

# The ends of the boundary before a step, after it, then in three frames: at once, after 130 ms, long after. The test
# calls them, so it does not matter how many the machine makes.
FRAMES = """(mistake) => {
  const ends = () => {
    const line = document.querySelector('.layer-borders line.rp-new');
    return ['x1', 'y1', 'x2', 'y2'].map((name) => Number(line.getAttribute(name)));
  };
  const [own, asked, found] = [window.requestAnimationFrame, [], [ends()]];
  window.requestAnimationFrame = (act) => asked.push(act);
  window.lab.state.goToMistake(mistake);
  const begun = performance.now();
  found.push(ends());
  for (const later of [-1000, 130, 10000]) {
    for (const act of asked.splice(0)) act(begun + later);
    found.push(ends());
  }
  window.requestAnimationFrame = own;
  return [...found, asked.length];
}"""


def test_the_boundary_goes_from_old_to_new_and_stays(visit):
    person = visit("&moving")
    person.wait("window.lab.state.moment()?.updates === 3 && !window.lab.time.playing")
    person.page.wait_for_timeout(600)  # a change that follows another too fast does not move
    old, drawn, first, between, last, left = person.page.evaluate(FRAMES, 13)
    assert first == pytest.approx(old)
    assert between != pytest.approx(old)
    assert between != pytest.approx(drawn)
    assert last == drawn != old
    assert left == 0


@pytest.mark.parametrize("how", [{"fragment": ""}, {"fragment": "&moving", "reduced_motion": "reduce"}])
def test_nothing_moves_where_that_is_not_wanted(visit, how):
    person = visit(**how)
    person.page.wait_for_timeout(400)
    old, drawn, *later, _ = person.page.evaluate(FRAMES, 13)
    assert old != drawn
    assert later == [drawn] * 3


def tips(person) -> list[np.ndarray]:
    """Where the arrows of the sum end, in units of the plane: the old weights, what is added, the new weights."""
    return [
        np.array(tip)
        for tip in person.page.locator(".layer-borders path").evaluate_all(
            """paths => paths.map((path) => {
              const { scale } = window.lab.plane.frame;
              const [x, y] = path.getAttribute('d').slice(1).split('L')[0].split(' ').map(Number);
              return [x / scale[0], -y / scale[1]];
            })"""
        )
    ]


def test_an_update_is_drawn_as_old_weights_and_the_point_that_is_added(visit):
    person = visit()
    for mistake in (1, 2, 13, 446):
        person.page.evaluate("(mistake) => window.lab.state.goToMistake(mistake)", mistake)
        moment = person.page.evaluate(
            "(({ before, after, features }) => [before, after, features].map((v) => Array.from(v)))"
            "(window.lab.state.moment())"
        )
        before, after, f = (np.array(values)[1:] for values in moment)  # the bias has no direction
        sign = 1 if np.allclose(after - before, f) else -1
        ends = tips(person)
        if not before.any():  # nothing to begin with: the sum is the point itself
            assert len(ends) == 2
            continue
        old, added, new = ends
        assert added == pytest.approx(new)
        way = new - old
        scale = np.linalg.norm(way) / np.linalg.norm(f)
        assert way == pytest.approx(sign * f * scale)
        start = old - before * scale
        assert new - start == pytest.approx(after * scale)
    names = person.page.locator(".layer-names text").all_text_contents()
    assert names == ["− f(x)", "w"]


def test_a_right_point_and_three_classes_have_no_such_sum(visit):
    person = visit()
    person.page.evaluate("window.lab.state.goTo(1)")
    assert person.page.locator(".layer-borders .arrow-row").count() == 0
    person.preset("Three classes")
    person.press("Next mistake")
    assert person.page.locator(".layer-borders .arrow-row").count() == 0


# --- Terms of the score


def test_a_term_that_is_pointed_at_lights_its_weight_its_axis_and_the_point(visit):
    person = visit()
    person.jump(3)  # point 2 at (3, 2), score -1·1 + 1·3 + -1·2
    terms = person.page.locator("button.term")
    assert terms.all_inner_texts() == ["-1·1", "1·3", "-1·2"]
    light = person.page.locator(".layer-light")
    for place, axis in ((1, "x1 = 3"), (2, "x2 = 2")):
        terms.nth(place).hover()
        assert light.locator("text").text_content() == axis
        assert light.locator("circle").count() == 1
        assert light.locator("line").count() == 2
        assert person.page.locator(".weight.lit-term").all_inner_texts() == [["1", "-1"][place - 1]]
    terms.nth(0).focus()  # by key as well; the bias has no axis
    assert light.locator("text").text_content() == "the bias is always 1"
    person.press("Next mistake")
    assert light.locator("*").count() == 0


def test_many_classes_have_no_terms_to_point_at(visit):
    person = visit()
    person.preset("Three classes")
    person.press("Next mistake")
    assert person.page.locator("button.term").count() == 0
    assert person.fact("score").count(";") == 2
