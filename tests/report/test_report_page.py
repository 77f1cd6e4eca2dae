"""The HTML report: what it shows, that nothing of the data can become markup, and that it is written whole."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.data import read
from rosenblatt.errors import DataError
from rosenblatt.features import Wishes
from rosenblatt.harmless import visible
from rosenblatt.model import Evaluation, Reliability, Trial, Worst
from rosenblatt.pipeline import train_with_evidence
from rosenblatt.report.bracket import show_bracket
from rosenblatt.report.contours import inner_lines, outlines
from rosenblatt.report.figures import percent, short, shortened, signed
from rosenblatt.report.html import page, write_report
from rosenblatt.report.markup import Markup, tag, text
from rosenblatt.report.passes import show_passes
from rosenblatt.report.planes import as_table, two_columns
from rosenblatt.report.regions import _leads, _plane
from rosenblatt.report.scales import Scale
from rosenblatt.report.weight_images import pixels
from sample_models import bayes_model, evidence_of, linear_model, table_of

NASTY = "</style><script>alert('x')</script>\"'><img src=//example.com onerror=alert(1)>&amp;\x00\x1b[31m\u202e\ud800"
# Elements and attributes that the report is made of; anything else would be from the data.
ELEMENTS = set(
    re.findall(
        r"\S+",
        "html head meta title style body header main section h1 h2 p b i q span div dl dt dd table caption thead tbody "
        "tr th td details summary svg line text path circle rect figure figcaption br pre code",
    )
)
ATTRIBUTES = set(
    re.findall(
        r"\S+",
        "lang charset http-equiv content name class scope tabindex viewbox role x y x1 x2 y1 y2 d cx cy r rx width "
        "height text-anchor preserveaspectratio aria-hidden aria-label",
    )
)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: dict[str, set[str | None]] = {}
        self.words: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def parsed(html: str) -> Elements:
    found = Elements()
    found.feed(html)
    found.close()
    assert not found.open
    return found


def nasty_sample():
    """A model whose classes, columns, words and cells are all made to break out of a page."""
    rows = 40
    make = np.random.default_rng(3)
    name = NASTY.replace("\ud800", "")  # Arrow holds no half characters
    columns = {
        f"column {name}": make.choice([f"cell {name}", "b", "c"], rows).tolist(),
        f"text {name}": [f"win a {name} prize", "see you at lunch"] * (rows // 2),
        "label": [f"class {name}", "other"] * (rows // 2),
    }
    table = table_of(columns, source=f"file {name}.csv")
    model, _ = linear_model(table, Wishes(text=[f"text {name}"]))
    evidence = evidence_of(
        model, table, trials=[Trial(NASTY, 0.5, 0.1, True)], files=[NASTY], next=NASTY,
        worst=[Worst(NASTY, NASTY, NASTY, 1.0, NASTY)], heaviest={NASTY: [(NASTY, 1.0)]},
    )  # fmt: skip
    model.card.update(fingerprint=NASTY, versions={NASTY: NASTY}, label=NASTY)
    return model, evidence


def test_nothing_of_the_data_becomes_markup():
    html = page(*nasty_sample())
    html.encode("utf8")  # no half characters
    found = parsed(html)
    assert found.names == found.names & ELEMENTS
    assert set(found.attributes) <= ATTRIBUTES
    assert "<script" not in html
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", html)
    assert html.count("<style") == html.count("</style>") == 1
    assert any("<script>alert('x')</script>" in words for words in found.words)


def test_markup_escapes_whatever_is_not_markup():
    assert tag("p", "<b>", tag("b", "&"), ["'", None, 3]) == "<p>&lt;b&gt;<b>&amp;</b>&#x27;3</p>"
    assert tag("p", class_='"><script>') == '<p class="&quot;&gt;&lt;script&gt;"></p>'
    assert text(Markup("<b>")) == "&lt;b&gt;"
    assert visible("a\x00b\x7f\u202ec\ud800") == "a␀b␡\ufffdc\ufffd"


def test_the_page_needs_nothing_from_elsewhere():
    table = read("digits")
    model, _ = linear_model(table)
    html = page(model, evidence_of(model, table, image_shape=(8, 8)))
    assert any(value.startswith("default-src 'none';") for value in parsed(html).attributes["content"])
    assert not re.search(r"https?:|src=|href=|url\(|@import|<script|<link", html)


def test_the_page_says_what_the_run_found():
    table = read("iris")
    model, run = linear_model(table)
    evidence = evidence_of(model, table, per_pass=run.per_pass)
    words = " ".join(parsed(page(model, evidence)).words)
    low, high = evidence.evaluation.interval
    for expected in (
        f"{evidence.evaluation.accuracy:.1%}", f"{low:.1%} to {high:.1%}", "setosa 50", "150 rows", "← chosen",
        "Mistakes per pass", "Margin bracket", "Separability", "What speaks for each class", "Most wrong test rows",
        "petal width (cm)", "rosenblatt predict sample.rosenblatt new.csv", "would get 33.3%",
    ):  # fmt: skip
        assert expected in words, expected
    assert "Calibration" not in words


def test_naive_bayes_shows_its_calibration_and_no_passes():
    texts = ["win a prize now my friend", "see you at lunch then", "claim the prize today please"] * 4
    table = table_of({"text": texts, "label": ["spam", "ham", "spam"] * 4})
    model = bayes_model(table, Wishes(text=["text"]))
    own = Reliability(0.2, 0.1, 0.06, [(0.62, 0.5, 4), (0.97, 1.0, 8)], 12)
    words = " ".join(parsed(page(model, evidence_of(model, table, per_pass=[], bracket=[], posterior=own))).words)
    assert "off by 6.0% on average, in 12 test rows" in words
    assert "log-odds" in words
    assert "Mistakes per pass" not in words
    assert "None of the test rows is wrong." in words


@pytest.mark.parametrize("classes", [14, 15, 105])
def test_every_confusion_can_be_read_as_text(classes):
    table = read("iris")
    model, _ = linear_model(table)
    counts = np.eye(classes, dtype=np.int64) * 7
    counts[1, 0], counts[3, 2] = 5, 2
    names = tuple(f"class {k}" for k in range(classes))
    evidence = replace(evidence_of(model, table), evaluation=Evaluation(names, counts))
    words = [w for w in parsed(page(model, evidence)).words if w.strip()]
    assert f"7 of {7 * classes + 7} test rows are wrong." in words
    if classes <= 14:
        assert "Most often: class 1 taken for class 0, 5; class 3 taken for class 2, 2." in words
    else:
        assert words.count("class 1 taken for class 0: 5") == 1
        assert any(words[k : k + 4] == ["class 1", "class 0", "5", "41.7%"] for k in range(len(words)))


def test_every_picture_has_a_title():
    table = read("digits")
    model, _ = linear_model(table)
    html = page(
        model, evidence_of(model, table, image_shape=(8, 8), posterior=Reliability(0.2, 0.1, 0.1, [(0.9, 0.8, 10)], 10))
    )
    pictures = re.findall(r"<svg[^>]*>.{0,8}", html)
    assert len(pictures) > 14
    assert all('aria-hidden="true"' in picture or "<title>" in picture for picture in pictures)


def test_the_paths_of_an_image_cover_its_pixels():
    image = np.array([[1.0, 1.0, 0.0], [-1.0, 0.5, 0.5]])
    shown = pixels(image, 1.0, "image")
    assert 'd="M0 0h2v1h-2z" class="for s9"' in shown
    assert 'd="M0 1h1v1h-1z" class="against s9"' in shown
    assert 'd="M1 1h2v1h-2z" class="for s4"' in shown


def test_wrong_rows_of_images_are_images():
    table = read("digits")
    model, _ = linear_model(table)
    row = " ".join(str(v) for v in table.columns["pixel"][0].as_py())
    shown = Worst("digits, row 1", "0", "8", 2.0, f"pixel={row}")
    html = page(model, evidence_of(model, table, image_shape=(8, 8), worst=[shown]))
    assert "Row of class 0 taken for 8" in html
    assert f"pixel={row}" not in html


@pytest.mark.parametrize(
    "bracket", [[], [(0, 0.0, 1.0)], [(1, 0.0, float("inf"))], [(5, 0.1, 0.1)], [(1, -1.0, 2.0), (9, 0.0, 1e-9)]]
)
def test_a_bracket_of_any_kind_is_drawn_or_left_out(bracket):
    shown = show_bracket(bracket)
    assert (shown is None) == (not any(n > 0 and np.isfinite(high) for n, _, high in bracket))
    assert shown is None or not re.search("nan|inf[^o]", shown)


def test_a_run_of_one_pass_is_drawn():
    assert "One pass, 0 mistakes." in show_passes([(0, 0)])
    assert show_passes([]) is None


def test_axes_have_round_values():
    assert Scale(0, 97, 0, 1).ticks() == [0, 20, 40, 60, 80]
    assert Scale(0, 1, 0, 1).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert Scale(1, 1000, 0, 1, logarithmic=True).ticks() == [1, 10, 100, 1000]
    assert Scale(3, 3, 0, 1).ticks() == [3]
    assert Scale(1, 100, 0, 10, logarithmic=True).place(10) == pytest.approx(5)


def test_numbers_read_as_people_write_them():
    assert [short(v) for v in (0, 3.14159, -0.02714, 12345.6, 1e-7, float("inf"))] == [
        "0", "3.14", "−0.0271", "12,300", "1.00e−07", "∞",
    ]  # fmt: skip
    assert (signed(2.0), signed(-2.0), signed(0.0)) == ("+2.00", "−2.00", "0")
    assert (percent(0.9861), percent(float("nan"))) == ("98.6%", "–")
    assert shortened("a" * 700, 3) == "aaa …"


def test_a_report_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    table = read("iris")
    model, _ = linear_model(table)
    evidence = evidence_of(model, table)
    path = tmp_path / "report.html"
    write_report(model, evidence, path)
    before = path.read_bytes()
    assert before.decode("utf8") == page(model, evidence)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(DataError, match="No space left"):
        write_report(model, evidence, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(DataError, match="no folder"):
        write_report(model, evidence, Path(tmp_path) / "none" / "report.html")


SHORT_CURVE = {"search": {"kernel": "poly", "degree": 2, "margin": 0.3, "passes": 3}}


def test_a_curve_shows_the_training_rows_that_count_most_as_pictures_or_as_they_read():
    model, evidence = train_with_evidence("digits", model="kernel", config=SHORT_CURVE)
    html = page(model, evidence)
    part = html.split("Training rows that count most", 1)[1].split("Most wrong")[0]
    assert part.count("<figure") == 50
    assert "A row of 7" in part
    table, seen = train_with_evidence("iris", model="kernel", config=SHORT_CURVE)
    shown = page(table, seen).split("Training rows that count most", 1)[1].split("Most wrong")[0]
    row = table.learner.rows_that_count(1)[0]
    assert row.shown[:20] in shown
    assert table.classes.names[row.label] in shown
    assert row.counts == max(r.counts for r in table.learner.rows_that_count(10_000) if r.label == row.label)
    plain, plain_seen = train_with_evidence("iris", model="perceptron", passes=1)
    assert "Training rows that count most" not in page(plain, plain_seen)


def moons(folder: Path, classes: int = 2) -> Path:
    """Arcs that reach into each other, one for each class."""
    rng = np.random.default_rng(0)
    lines = ["east,north,bank"]
    for row in range(150):
        k, turn = row % classes, np.pi * rng.random()
        x, y = 100 * (np.cos(turn) + k), (np.sin(turn) - 0.4 * k) * (-1 if k % 2 else 1)
        lines.append(f"{x + 8 * rng.standard_normal():.2f},{y + 0.08 * rng.standard_normal():.3f},{'abc'[k]}")
    path = folder / "moons.csv"
    path.write_text("\n".join(lines), encoding="utf8")
    return path


@pytest.mark.parametrize("classes", [2, 3])
def test_a_curve_over_two_columns_shows_its_regions_as_it_predicts(tmp_path, classes):
    model, evidence = train_with_evidence(moons(tmp_path, classes), label="bank", model="kernel", config=SHORT_CURVE)
    html = page(model, evidence)
    part = html.split("<h2>Regions</h2>", 1)[1].split("</section>")[0]
    rows = model.learner.rows_that_count(10_000)
    assert part.count('class="point') == len(rows) + classes, "a mark for each row and each class of the key"
    plane = _plane(two_columns(model), rows)
    shown = [
        float(cell.replace("−", "-").replace(",", "")) for cell in re.findall(r'<td class="n">([^<]*)</td>', part)[:3]
    ]
    assert shown == pytest.approx([*plane.points[0], rows[0].counts], rel=0.01)
    leads = np.array(_leads(model, plane))
    places = [(0, 0), (60, 80), (120, 160), (30, 100), (90, 20)]
    x, y = np.linspace(plane.x.low, plane.x.high, 161), np.linspace(plane.y.low, plane.y.high, 121)
    codes = model.codes(as_table(plane.names, np.array([[x[i], y[j]] for j, i in places])))
    assert [int(leads[:, j, i].argmax()) for j, i in places] == codes.tolist()


def test_models_without_a_plane_show_no_regions(tmp_path):
    three, seen = train_with_evidence("iris", model="kernel", config=SHORT_CURVE)
    assert "<h2>Regions</h2>" not in page(three, seen), "four columns"
    line, seen = train_with_evidence(moons(tmp_path), label="bank", model="perceptron", passes=1)
    assert "<h2>Regions</h2>" not in page(line, seen), "no rows are kept"


def test_outlines_close_around_what_is_above_0_and_lines_leave_out_the_edge():
    x, y = np.meshgrid(np.linspace(-2, 2, 81), np.linspace(-2, 2, 81))
    (ring,) = outlines(1 - x**2 - y**2)
    far = np.hypot(*(np.array([[p.across, p.up] for p in ring]).T / 20 - 2))
    assert far == pytest.approx(1.0, abs=1e-3)
    assert inner_lines(ring) == [[*ring, ring[0]]]
    (half,) = outlines(x - 0.013)  # half of the picture: three sides of its edge and one line
    (line,) = inner_lines(half)
    assert [p.across for p in line] == pytest.approx([40.26] * 81)
    assert len(outlines(x * y)) == 2, "a saddle"
    assert outlines(-1 - x**2) == []
