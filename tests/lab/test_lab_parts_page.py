"""XOR, likelihood, naive Bayes, digits and mail on the exported page, opened from disk and used as a person does.

Numbers are those of the page's engine, which tests/web/test_engine_parts.py holds against the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine_page import open_engine
from lab_server import running_lab
from rosenblatt.lab.builtin import builtin
from rosenblatt.lab.export import export_lab

NAMES = {"xor": "XOR", "likelihood": "Likelihood", "bayes": "Naive Bayes", "digits": "Digits", "mail": "Mail"}
EXPECTED = re.compile(r"status of 422")  # what is refused is an answer too, which Chromium calls a failed resource


PHONE = {"width": 390, "height": 844}
MODULES = {"xor": "xor", "likelihood": "likelihood", "bayes": "bayes", "bayesExamples": "bayes", "digits": "digits"}
MODULES |= {"digit": "digits", "mail": "mail", "mailRead": "mail"}


@pytest.fixture(scope="module")
def engine(browser):
    """`engine("xor", {})`: what the page's engine answers, asked on a page of its own."""
    ask = open_engine(browser)
    ask("builtin.js", "setBuiltin", [[builtin()]])
    return lambda name, body: ask(f"{MODULES[name]}.js", name, [[body]])[0]


@pytest.fixture(scope="module")
def lab():
    with running_lab() as running:
        yield running


@pytest.fixture(scope="module")
def lab_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("export") / "lab.html"
    export_lab(file)
    return file


def visit(page, name: str):
    """Another part of the same page."""
    page.get_by_role("tab", name=NAMES[name], exact=True).click()
    section = page.locator(f"#{name}")
    section.locator(".part > .card").first.wait_for()
    return section


@pytest.fixture
def part(request, lab_file, browser):
    """Opens the page and goes to a part; whatever the page complains about or asks of others fails the test."""
    contexts, wrong = [], []

    def open_part(name, served=False, **choice):
        context = browser.new_context(**{"reduced_motion": "reduce", **choice})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        lab = request.getfixturevalue("lab") if served else None
        home = f"http://127.0.0.1:{lab.port}/" if lab else lab_file.as_uri()
        page.on("request", lambda asked: None if asked.url.startswith((home, "data:")) else wrong.append(asked.url))
        page.goto(f"{lab.address}&still" if lab else f"{home}?still")
        return page, visit(page, name)

    yield open_part
    for context in contexts:
        context.close()
    assert [line for line in wrong if not EXPECTED.search(line)] == []


def fact(section, name: str) -> str:
    return section.locator(f'[data-fact="{name}"]').inner_text()


def cells(table) -> list[list[str]]:
    table.locator("tbody tr").first.wait_for()  # a twin is filled when it is opened
    return [row.split("\t") for row in table.locator("tbody tr").all_inner_texts()]


def slide(page, control, place: int) -> None:
    control.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }", place)


# XOR


def test_xor_shows_the_rows_that_cancel_and_their_sum(part, engine):
    _, section = part("xor")
    proof = engine("xor", {})["proof"]
    assert fact(section, "proof") == proof["words"]
    table = cells(section.locator("details", has_text="The rows that cancel"))
    assert [row[-1] for row in table] == [*(one["times"] for one in proof["parts"]), "[0, 0, 0]"]
    assert section.locator("svg.square").first.locator("text.strong").all_text_contents() == ["1/4"] * 4


def test_the_network_answers_for_each_input_by_keyboard(part, engine):
    page, section = part("xor")
    network = engine("xor", {})["network"]
    section.get_by_label("(0, 0)").focus()
    page.keyboard.press("Space")
    for input_ in network["inputs"]:
        either, both, last = (unit["fires"] for unit in input_["units"])
        at = "({}, {})".format(*input_["x"])
        assert fact(section, "network") == (
            f"Input {at}: OR says {either}, AND says {both}, so the third says {last}. Right."
        )
        scores = [f"{unit['score']:g} → {unit['fires']}" for unit in input_["units"]]
        assert [text for text in section.locator(".network text.num").all_text_contents() if "→" in text] == scores
        page.keyboard.press("ArrowRight")
    weights = cells(section.locator("details", has_text="The three weight vectors"))
    assert [row[2] for row in weights] == ["[-1, 2, 2]", "[-4, 3, 2]", "[-1, 2, -3]"]


def test_the_product_column_can_be_followed_mistake_by_mistake(part, engine):
    page, section = part("xor")
    product = engine("xor", {})["product"]
    time = section.get_by_label("Mistake of the run with the product column")
    assert fact(section, "weights") == product["text"]
    time.focus()
    page.keyboard.press("Home")
    assert fact(section, "weights") == "[0, 0, 0, 0]"
    for moment in product["moments"][1:6]:
        page.keyboard.press("ArrowRight")
        assert fact(section, "weights") == moment["after"]
        assert fact(section, "score") == moment["arithmetic"]
        assert page.locator("#live").inner_text().strip() == f"Mistake {moment['mistake']}: weights {moment['after']}."
    section.get_by_text("The four rows under the last weights").click()
    table = cells(section.locator("details", has_text="The four rows under the last weights"))
    assert [row[1] for row in table] == [row["arithmetic"] for row in product["rows"]]


# Maximum likelihood


def likely(engine, *counts):
    return engine("likelihood", {"values": ["heads", "tails"], "counts": counts})


def test_the_estimate_follows_counts_and_k_and_any_theta_can_be_tried(part, engine):
    from playwright.sync_api import expect

    page, section = part("likelihood")
    found = likely(engine, 7, 3)
    said = section.locator('[data-fact="estimate"]')

    def sentence(stop):
        return f"With k = {stop['k']}: P(heads) = θ = {stop['shown']}, L = {stop['likelihood']}, log L = {stop['log']}."

    assert (
        said.inner_text()
        == sentence(found["stops"][0])
        == ("With k = 0: P(heads) = θ = 7/10 = 0.7, L = 0.002224, log L = -6.1086.")
    )
    assert section.locator(".formulas li").all_inner_texts() == found["formulas"]
    section.get_by_role("button", name="k = ∞").click()
    assert said.inner_text() == sentence(found["stops"][-1])
    slider = section.get_by_label("θ to try")
    slider.focus()
    page.keyboard.press("Home")
    assert (fact(section, "L(θ)"), fact(section, "log L(θ)"), fact(section, "(log L)′")) == ("0", "-∞", "+∞")
    slide(page, slider, 70)
    assert fact(section, "L(θ)") == found["places"][70]["likelihood"]
    assert fact(section, "(log L)′") == "0"
    slide(page, section.get_by_label("How often the second value was drawn"), 7)
    expect(said).to_have_text(sentence(likely(engine, 7, 7)["stops"][-1]))
    section.get_by_label("Sample").select_option("balls")
    section.get_by_role("button", name="k = 0").click()
    expect(said).to_have_text(re.compile("^With k = 0: P.red. = θ = 2/3 = 0.666667, L = 0.1481"))


# Naive Bayes


def first_tables(engine) -> dict:
    tables = engine("bayesExamples", {})["examples"][0]
    return {key: tables[key] for key in ("classes", "rows", "features", "row")}


def stop_of(engine, tables, k: str = "1") -> dict:
    return next(stop for stop in engine("bayes", tables)["stops"] if stop["k"] == k)


def shows(section, stop) -> bool:
    """Whether the decision, the probabilities, the bars and the products on the page are those of this stop."""
    decision = fact(section, "decision")
    chances = [float(text) for text in section.locator(".chance .num").all_inner_texts()]
    products = cells(section.locator("table.products"))
    return (
        f"classified as {stop['predicted']}:" in decision
        and all(f"= {chance}" in decision for chance in (f"{p:g}" for p in stop["posterior"]))
        and chances == [p for line in stop["chances"] for p in line]
        and products == [list(line) for line in stop["cells"][1:]]
        and section.locator(".odds text.num").all_text_contents()
        == [*(bar["text"] for bar in stop["odds"]["bars"]), stop["odds"]["total"]]
    )


def test_k_moves_from_0_through_infinity_by_keyboard(part, engine):
    page, section = part("bayes")
    stops = engine("bayes", first_tables(engine))["stops"]
    slider = section.get_by_label("Strength k of smoothing")
    slider.focus()
    page.keyboard.press("Home")
    assert shows(section, stops[0])
    assert section.locator(".remarks li").all_inner_texts() == stops[0]["words"]
    assert section.locator(".endless").count() == 1, "the factor of 0 is drawn as an arrow"
    for stop in stops[1:6]:
        page.keyboard.press("ArrowRight")
        assert shows(section, stop)
        assert slider.get_attribute("aria-valuetext") == f"k = {stop['k']}"
    page.keyboard.press("End")
    assert slider.get_attribute("aria-valuetext") == "k = ∞"
    assert shows(section, stops[-1])
    section.get_by_role("button", name="k = 1", exact=True).click()
    assert shows(section, next(stop for stop in stops if stop["k"] == "1"))
    assert page.locator("#live").inner_text().startswith("k = 1. The row is classified as")


def test_counts_and_the_row_can_be_changed(part, engine):
    from playwright.sync_api import expect

    page, section = part("bayes")
    tables = first_tables(engine)
    box = section.get_by_label("ham rows with minute", exact=True)
    section.get_by_label("More ham rows with minute").click()
    tables["features"][3]["counts"][0] = 1
    expect(box).to_have_value("1")
    assert shows(section, stop_of(engine, tables))
    box.focus()
    for key in ["ArrowUp"] * 5 + ["ArrowDown"]:  # faster than answers come
        page.keyboard.press(key)
    tables["features"][3]["counts"][0] = 5
    expect(box).to_have_value("5")
    assert shows(section, stop_of(engine, tables))
    box.fill("7")
    page.keyboard.press("Enter")
    tables["features"][3]["counts"][0] = 7
    section.get_by_label("The row has free").check()
    tables["row"][0] = 1
    expect(page.locator("#live")).to_have_text(re.compile("^The row has free. The row is classified as"))
    assert shows(section, stop_of(engine, tables))
    section.get_by_role("button", name="Reset counts").click()
    expect(box).to_have_value("0")
    assert shows(section, stop_of(engine, first_tables(engine)))


def test_a_count_that_cannot_be_is_refused_where_it_happened_and_nothing_changes(part, engine):
    page, section = part("bayes")
    one = stop_of(engine, first_tables(engine))
    box = section.get_by_label("ham rows with minute", exact=True)
    problem = section.locator(".card", has_text="The counts").first.locator(".problem")
    why = "minute in ham: give a whole number from 0 to 34 (there are 34 ham rows); got"
    for typed, shown in {"three": "'three'", "-4": "'-4'", "": "''", "35": "35"}.items():
        box.fill(typed)
        page.keyboard.press("Enter")
        problem.get_by_text(f"{why} {shown}.").wait_for()
        assert box.input_value() == "0"
        assert shows(section, one)
    section.get_by_label("The row has bring").check()
    problem.wait_for(state="hidden")


def test_the_limit_of_the_notes_can_be_chosen(part):
    _, section = part("bayes")
    section.get_by_label("Tables").select_option("limit")
    section.get_by_label("a rows with first", exact=True).wait_for()
    section.get_by_role("button", name="k = 0", exact=True).click()
    assert "P(a | row) = 0.375, P(b | row) = 0.625" in fact(section, "decision")
    assert "The limit k → 0 decides" in fact(section, "remarks")
    assert cells(section.locator("table.products"))[-2] == ["product as k → 0", "0.05·k", "0.0833333·k"]


# Digits


def test_the_ten_images_can_be_followed_through_the_run(part, engine):
    page, section = part("digits")
    story = engine("digits", {})
    time = section.get_by_label("Moment of the run")
    assert fact(section, "run") == story["words"]
    time.focus()
    page.keyboard.press("Home")
    drawn = "[...document.querySelectorAll('#digits .images path')].filter(p => p.getAttribute('d')).length"
    assert page.evaluate(drawn) == 0, "all weights are 0"
    for moment in story["moments"][1:4]:
        page.keyboard.press("ArrowRight")
        assert time.get_attribute("aria-valuetext") == moment["name"]
        assert fact(section, "moment") == (
            f"After {moment['updates']} mistake{'s' * (moment['updates'] != 1)}: "
            f"{moment['right']} of {story['test']} unseen digits right, "
            f"{moment['accuracy']}."
        )
    page.keyboard.press("End")
    assert page.evaluate(drawn) > 20
    section.get_by_text("The strongest pixels").click()
    table = cells(section.locator("details", has_text="The strongest pixels"))
    last = story["moments"][-1]["strongest"]
    assert table == [[name, line["for"], line["against"]] for name, line in zip(story["classes"], last, strict=True)]


def scores(section) -> list[int]:
    return [int(text) for text in section.locator(".score .num").all_inner_texts()]


def test_a_digit_is_chosen_by_number_by_arrow_keys_and_by_the_next_wrong_one(part, engine):
    page, section = part("digits")
    story = engine("digits", {})
    wrong = story["wrong"][-1]
    last = len(story["moments"]) - 1

    def check(row: int) -> None:
        answer = engine("digit", {"row": row})["moments"][last]
        section.locator(f'.thumb[data-row="{row}"][aria-checked="true"]').wait_for()
        assert fact(section, "verdict") == answer["words"]
        assert scores(section) == answer["scores"]
        tags = section.locator(".score .tag").all_inner_texts()
        assert tags.index(next(tag for tag in tags if "said" in tag)) == answer["predicted"]

    check(wrong[0])
    number = section.get_by_label(f"Digit 1 to {story['test']}")
    number.fill("101")
    page.keyboard.press("Enter")
    check(100)
    section.locator('.thumb[data-row="100"]').focus()
    page.keyboard.press("ArrowRight")
    check(101)
    assert page.evaluate("document.activeElement.dataset.row") == "101"
    for _ in range(6):
        page.keyboard.press("ArrowLeft")  # faster than answers come
    check(95)
    section.get_by_role("button", name="Next wrong one").click()
    check(next(row for row in wrong if row > 95))
    assert page.locator("#live").inner_text().startswith("Digit ")


def added(answer: dict, which: int) -> list[list[int]]:
    """What the pixels add to the score of a class at the last moment, row by row."""
    begin = 64 * (10 * (len(answer["moments"]) - 1) + which)
    return [answer["adds"][begin + 8 * row : begin + 8 * row + 8] for row in range(8)]


def test_what_each_pixel_adds_is_shown_for_the_chosen_class(part, engine):
    page, section = part("digits")
    row = engine("digits", {})["wrong"][-1][0]
    answer = engine("digit", {"row": row})
    section.locator(".score").nth(3).click()
    section.get_by_text("What each pixel adds, row by row").click()
    table = cells(section.locator("details", has_text="What each pixel adds, row by row"))
    assert [[int(cell) for cell in line[1:]] for line in table] == added(answer, 3)
    section.locator(".score").nth(3).focus()
    page.keyboard.press("ArrowDown")
    assert section.locator('.score[aria-checked="true"] b').inner_text() == "4"
    table = cells(section.locator("details", has_text="What each pixel adds, row by row"))
    assert [[int(cell) for cell in line[1:]] for line in table] == added(answer, 4)
    slide(page, section.get_by_label("Moment of the run"), 0)
    assert scores(section) == [0] * 10


def test_an_unknown_digit_is_refused_where_it_happened_and_the_chosen_one_stays(part):
    page, section = part("digits")
    before, shown = fact(section, "verdict"), scores(section)
    number = section.get_by_label("Digit 1 to 359")
    chosen = number.input_value()
    problem = section.locator(".card", has_text="A digit to read").locator(".problem")
    for typed, got in {"0": "0", "360": "360", "seven": "'seven'", "-3": "-3"}.items():
        number.fill(typed)
        page.keyboard.press("Enter")
        problem.get_by_text(f"there are digits 1 to 359 to choose from; got {got}.").wait_for()
        assert number.input_value() == chosen
        assert (fact(section, "verdict"), scores(section)) == (before, shown)


FOUR = [[(0.35, 0.15), (0.25, 0.55), (0.75, 0.55)], [(0.65, 0.3), (0.6, 0.9)]]
LISTEN = """() => {
  window.heard = [];
  new MutationObserver(() => heard.push(document.querySelector('#live').textContent.trim()))
    .observe(document.querySelector('#live'), { childList: true, characterData: true, subtree: true });
}"""


def draw_by_mouse(page, pad) -> Iterator[None]:
    """Yields after each stroke, like its two siblings."""
    box = pad.bounding_box()
    for stroke in FOUR:
        first, *rest = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in stroke]
        page.mouse.move(*first)
        page.mouse.down()
        for place in rest:
            page.mouse.move(*place, steps=5)
        page.mouse.up()
        yield


def draw_by_touch(page, pad) -> Iterator[None]:
    box, hand = pad.bounding_box(), page.context.new_cdp_session(page)

    def finger(kind: str, *places) -> None:
        points = [{"x": box["x"] + x * box["width"], "y": box["y"] + y * box["height"]} for x, y in places]
        hand.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    for stroke in FOUR:
        finger("Start", stroke[0])
        for (x, y), (u, v) in pairwise(stroke):
            for k in range(1, 6):
                finger("Move", (x + (u - x) * k / 5, y + (v - y) * k / 5))
        finger("End")
        yield


def draw_by_keys(page, pad) -> Iterator[None]:
    """The pen begins above the middle; a 4 as digital clocks write it."""
    pad.focus()
    for way_there, stroke in (("Left " * 4, "Down " * 6 + "Right " * 8), ("Up " * 6, "Down " * 12)):
        for key in (*way_there.split(), "Space", *stroke.split(), "Space"):
            page.keyboard.press(key if key == "Space" else f"Arrow{key}")
        yield


@pytest.mark.parametrize(
    ("draw", "choice"),
    [(draw_by_mouse, {}), (draw_by_keys, {}), (draw_by_touch, {"has_touch": True, "viewport": PHONE})],
)
def test_a_drawn_digit_is_read_and_each_stroke_says_what_it_adds(part, draw, choice):
    page, section = part("digits", **choice)
    pad = section.locator(".pad")
    pad.scroll_into_view_if_needed()
    page.evaluate(LISTEN)
    for stroke, _ in enumerate(draw(page, pad), 1):  # a second that came before the first was read is told with it
        page.wait_for_function("stroke => window.heard.at(-1)?.includes(`stroke ${stroke}`)", arg=stroke)
    told = section.locator('[data-fact="drawn"]')
    told.get_by_text("This looks like a 4").wait_for()
    section.locator('[data-fact="strokes"]', has_text="stroke 2").wait_for()
    assert len([line for line in page.evaluate("heard") if line]) == 2, "spoken once for each stroke"
    bias, *strokes, total = (int(n.replace("−", "-")) for n in re.findall(r"[+−]\d+|\b0\b", fact(section, "strokes")))
    assert len(strokes) == 2
    assert bias + sum(strokes) == total
    assert section.locator(".tile.leads b").inner_text() == "4"
    section.get_by_text("What each stroke adds to each score").click()
    table = cells(section.locator("details", has_text="What each stroke adds to each score"))
    for column in zip(*(line[1:] for line in table), strict=True):
        *parts, score = (int(text.replace("−", "-")) for text in column)
        assert sum(parts) == score
    section.get_by_role("button", name="Undo stroke").click()
    section.locator('[data-fact="strokes"]', has_not_text="stroke 2").wait_for()
    section.get_by_role("button", name="Clear").click()
    told.get_by_text("Nothing is drawn yet").wait_for()
    assert pad.locator("polyline").count() == 0


def test_mistaken_digits_are_counted_and_lead_to_one_of_them(part, engine):
    _, section = part("digits")
    story = engine("digits", {})
    table = [row[1:] for row in cells(section.locator(".confused"))]
    said = story["said"][-1]
    for own in range(10):
        for read in range(10):
            pairs = zip(story["truth"], said, strict=True)
            assert int(table[own][read]) == sum(pair == (own, read) for pair in pairs)
    row = next(row for row in story["wrong"][-1] if (story["truth"][row], said[row]) == (4, 9))
    section.get_by_label(f"{table[4][9]} of 4 read as 9: show one").click()
    section.locator(f'.thumb[data-row="{row}"][aria-checked="true"]').wait_for()


def test_the_run_over_the_training_digits_plays_and_pauses(part):
    page, section = part("digits")
    time = section.get_by_label("Moment of the run")
    section.get_by_role("button", name="Play", exact=True).click()
    for _ in range(2000):
        if time.input_value() == "2":
            break
        page.wait_for_timeout(15)
    section.get_by_role("button", name="Pause", exact=True).click()
    stopped = time.input_value()
    page.wait_for_timeout(600)
    assert time.input_value() == stopped != "26"


# Mail


def read_mail(engine, text: str) -> dict:
    return engine("mailRead", {"text": text})


def type_message(section, text: str) -> None:
    section.get_by_label("The message", exact=True).fill(text)


def test_a_pasted_message_shows_each_word_s_part_the_decision_and_the_fewest_words(part, engine):
    _, section = part("mail")
    text = "Dear winner, claim your FREE prize now! Please bring nothing. Qzqzqz"
    wanted = read_mail(engine, text)
    type_message(section, text)
    section.get_by_text(wanted["sentence"]).wait_for()
    assert fact(section, "flip") == wanted["flip"]["sentence"]
    words = [(text[one["start"] : one["end"]], wanted["words"][one["place"]]) for one in wanted["spans"]]
    marked = section.locator(".marked")
    assert marked.locator("ruby > span").all_inner_texts() == [piece for piece, _ in words]
    assert marked.locator("rt").all_inner_texts() == [word["short"] for _, word in words]
    sides = marked.locator("ruby > span").evaluate_all("all => all.map(e => e.classList[1])")
    assert sides == [{1: "for", -1: "against", 0: "none"}[word["sign"]] for _, word in words]
    assert {text.lower() for text in marked.locator(".flips").all_inner_texts()} == set(wanted["flip"]["words"])
    section.get_by_text("Every word of the message").click()
    table = cells(section.locator("details", has_text="Every word of the message"))
    assert table == [[w["word"], str(w["times"]), w["weight"], w["adds"]] for w in wanted["words"]]


def test_leaving_the_fewest_words_out_changes_the_decision_and_they_can_be_put_back(part, engine):
    _, section = part("mail")
    sample = engine("mail", {})["samples"][2]
    section.get_by_label("Messages to try").select_option("2")
    wanted = read_mail(engine, sample["text"])
    section.get_by_text(wanted["sentence"]).wait_for()
    section.get_by_role("button", name="Leave them out").click()
    section.get_by_text(f"classified as {wanted['flip']['becomes']}.").wait_for()
    assert section.get_by_label("The message", exact=True).input_value() == wanted["flip"]["text"]
    section.get_by_role("button", name="Put them back").click()
    section.get_by_text(wanted["sentence"]).wait_for()
    assert section.get_by_label("The message", exact=True).input_value() == sample["text"]


def test_an_empty_or_endless_message_is_refused_and_has_no_reading(part, engine):
    _, section = part("mail")
    problem = section.locator(".card", has_text="The message").first.locator(".problem")
    reading = lambda: (fact(section, "decision"), fact(section, "flip"), section.locator(".marked").inner_text())  # noqa: E731
    for text, line in (("", "the message is empty."), ("spam " * 209_716, "the lab takes at most 20,000.")):
        type_message(section, text)
        problem.get_by_text(line).wait_for()
        assert reading() == ("", "", "")
        type_message(section, "please come")
        problem.wait_for(state="hidden")
        assert reading()[0] == read_mail(engine, "please come")["sentence"]


def test_markup_in_a_message_stays_text(part):
    _, section = part("mail")
    type_message(section, '<img src=x onerror="alert(1)"> free <b>now</b> &amp; </textarea><script>1</script>')
    section.get_by_text("img src=x").first.wait_for()
    assert section.locator(".marked img, .marked b, .marked script").count() == 0


def test_a_person_s_own_messages_can_be_learned_from_and_forgotten(part):
    _, section = part("mail", served=True)
    rows = [f"the ball went over line {n} of the field,sport" for n in range(20)]
    rows += [f"the soup needs {n} grains of salt,food" for n in range(20)]
    file = {"name": "mine.csv", "mimeType": "text/csv", "buffer": "\n".join(["text,label", *rows]).encode()}
    chooser = section.get_by_label("Learn from your own CSV of texts and labels")
    chooser.set_input_files({**file, "buffer": b'text,label\n"broken,sport\n'})
    problem = section.locator(".card", has_text="The model").locator(".problem")
    problem.wait_for()
    assert "mine.csv, line 2: a quote opens here and never closes" in problem.inner_text()
    assert fact(section, "model").startswith("Learned from the built-in mail: 51 messages")
    chooser.set_input_files(file)
    section.get_by_text("Learned from mine.csv: 32 messages").wait_for()
    problem.wait_for(state="hidden")
    type_message(section, "a ball in the field")
    section.get_by_text("classified as sport.").wait_for()
    section.get_by_role("button", name="Back to the built-in mail").click()
    section.get_by_text("Learned from the built-in mail: 51 messages").wait_for()


def test_a_file_cannot_be_learned_from_without_the_server_and_nothing_changes(part, engine):
    _, section = part("mail")
    chooser = section.get_by_label("Learn from your own CSV of texts and labels")
    chooser.set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": b"text,label\na b,c\n"})
    problem = section.locator(".card", has_text="The model").locator(".problem")
    problem.get_by_text("This needs Python: run `rosenblatt lab` on your computer").wait_for()
    type_message(section, "please come")
    section.get_by_text(read_mail(engine, "please come")["sentence"]).wait_for()


# Everybody


def test_every_part_has_its_data_from_the_server_too(part, engine):
    page, section = part("digits", served=True)
    assert fact(section, "run") == engine("digits", {})["words"]
    for name in NAMES:
        assert visit(page, name).locator(".problem").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_barrier_for_anybody(part, axe, scheme):
    page, _ = part("xor", color_scheme=scheme)
    page.evaluate(axe)
    for name in NAMES:
        section = visit(page, name)
        section.locator("details").evaluate_all("all => all.forEach(one => (one.open = true))")
        checked, found = page.evaluate(
            "async part => { const r = await axe.run('#' + part); return [r.passes.map(p => p.id), "
            "r.violations.map(v => [v.impact, v.id, v.nodes[0].html])]; }",
            name,
        )
        assert "color-contrast" in checked
        assert [one for one in found if one[0] in ("serious", "critical")] == []


def test_a_phone_shows_everything_without_scrolling_sideways(part):
    page, _ = part("xor", viewport={"width": 390, "height": 844})
    for name in NAMES:
        section = visit(page, name)
        right = "all => Math.max(...all.map(e => e.getBoundingClientRect().right))"
        assert section.locator(".card").evaluate_all(right) <= 390
        small = "all => all.filter(e => e.offsetParent && Math.min(e.offsetWidth, e.offsetHeight) < 24).length"
        targets = section.locator("button, select, textarea, input:not([type=checkbox], [type=radio])")
        assert targets.evaluate_all(small) == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_nothing_moves_on_a_phone_while_k_and_the_run_are_moved(part):
    """Controls stay under the finger: the sliders and what follows them keep their places."""
    page, section = part("bayes", viewport={"width": 390, "height": 844})
    slider = section.get_by_label("Strength k of smoothing")
    top = "e => e.getBoundingClientRect().top + scrollY"
    places = set()
    for place in (0, 10, 31, 62):
        slide(page, slider, place)
        places.add((slider.evaluate(top), section.locator('[data-fact="decision"]').evaluate(top)))
    assert len(places) == 1
    section = visit(page, "digits")
    slider = section.get_by_label("Moment of the run")
    places = set()
    for place in (0, 3, 12, 26):
        slide(page, slider, place)
        places.add((slider.evaluate(top), section.locator(".images:not(.ten)").evaluate(top)))
    assert len(places) == 1
