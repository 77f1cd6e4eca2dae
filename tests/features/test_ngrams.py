"""N-grams of words and characters, scripts without spaces, and ratios: the loops beside the reference and the peers."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from rosenblatt.data import read
from rosenblatt.errors import DataError, SettingError
from rosenblatt.features import Plan, TextSettings, Wishes, grams, learn_and_encode, tokens
from rosenblatt.features.grams import Counted, Grams
from rosenblatt.features.scripts import character_table
from rosenblatt.features.text import Text
from rosenblatt.features.textlearner import TextLearner, learn_text
from rosenblatt.loops.words import EXTENDS, JOINS, UNIT
from rosenblatt.reference import words as reference

CHINESE = "我喜欢这部电影，演员很好。你呢"
THAI = "ฉันชอบหนังเรื่องนี้มากที่สุด"
JAPANESE = "この映画はとても面白かったです。"
KHMER, BURMESE, LAO = "ខ្ញុំចូលចិត្តភាពយន្តនេះ", "ကျွန်တော်ဒီရုပ်ရှင်ကိုကြိုက်တယ်", "ຂ້ອຍມັກຮູບເງົານີ້"
SENTENCES = (CHINESE, THAI, JAPANESE, KHMER, BURMESE, LAO, "I love 北京 and กรุงเทพ2024年!")
any_text = st.one_of(
    st.text(),
    st.text(alphabet="ab AB_é…£!"),
    st.text(alphabet="".join(SENTENCES) + " aB,\u3099"),
)


def counted(texts, settings, classes=None):
    """For each row how often each feature occurs, by name, and the line."""
    column = pa.chunked_array([pa.array(texts, pa.large_string())])
    line, entries = learn_text("text", column, settings)
    names = line.names()
    values = np.ones(len(entries.columns)) if entries.values is None else entries.values
    rows = [
        {names[c]: v for c, v in zip(entries.columns[a:b], values[a:b], strict=True)}
        for a, b in zip(entries.starts[:-1], entries.starts[1:], strict=True)
    ]
    return rows, line


@given(st.lists(any_text, min_size=1, max_size=6), st.integers(1, 3))
@example([CHINESE, "a\u0307b CD", THAI], 3)
@example(["one two three one two three", "x y zz"], 3)
def test_words_and_ngrams_are_those_of_the_reference(texts, longest):
    rows, _ = counted(texts, TextSettings(weight="counts", ngrams=longest))
    for text, row in zip(texts, rows, strict=True):
        found = reference.words(text, min(3, longest + 1))
        assert row == Counter(found + reference.ngrams(found, longest))


@given(st.lists(any_text, min_size=1, max_size=6))
@example(["£1,000 cash!! www.win.com", "go go going", "a bb ccc dddd eeeee ffffff"])
def test_runs_of_characters_are_those_of_the_reference(texts):
    rows, _ = counted(texts, TextSettings(weight="counts", ngrams=0, characters=True))
    for text, row in zip(texts, rows, strict=True):
        kept = [word for word in reference.words(text) if reference.is_spaceless(word[0])]
        assert row == Counter(reference.character_runs(text) + kept)


def test_runs_of_characters_are_those_of_char_wb(data):
    texts = read(data / "sms-spam" / "SMSSpamCollection", "c1").columns["c2"].to_pylist()[:500]
    texts = [" ".join(word for word in text.split() if len(word) > 1 and word.isascii()) for text in texts]
    rows, _ = counted(texts, TextSettings(weight="counts", ngrams=0, characters=True))
    peer = CountVectorizer(analyzer="char_wb", ngram_range=(3, 5)).build_analyzer()
    for text, row in zip(texts, rows, strict=True):
        # A run that is a whole word, both spaces in it, is none of ours.
        theirs = Counter(run for run in peer(text) if not (run[0] == run[-1] == " "))
        named = {("" if r[0] == " " else "…") + r.strip() + ("" if r[-1] == " " else "…"): n for r, n in theirs.items()}
        assert row == named


def test_no_sentence_is_one_word_and_no_cut_parts_a_letter_from_its_marks():
    for text in SENTENCES:
        found = tokens.find(pa.array([text], pa.large_string()), threads=1)[0].words.to_pylist()
        assert len(found) > 5
        for word in found:
            assert unicodedata.category(word[0])[0] != "M"
            assert len(reference.units(word)) <= 2 or not reference.is_spaceless(word[0])


LETTERS = "".join(c for c in "".join(SENTENCES) if c.isalnum() and not c.isascii() and c not in reference.FOLLOWERS)
spaceless = st.text(alphabet=LETTERS + THAI + KHMER + BURMESE + LAO, min_size=1, max_size=40)


@given(st.sampled_from(LETTERS), spaceless)
def test_every_cut_falls_before_a_letter(first, rest):
    found = tokens.find(pa.array([first + rest], pa.large_string()), threads=1)[0].words.to_pylist()
    assert sum(map(len, found)) >= len(first + rest) or len(set(first + rest)) < len(first + rest)  # nothing is lost
    for word in found:
        assert unicodedata.category(word[0])[0] != "M"
        assert word[0] not in reference.FOLLOWERS


def test_the_table_of_scripts_is_that_of_the_names_of_characters():
    table = character_table(True)
    for code in (*range(0x20000), *range(0x20000, 0x30000, 97), 0xE0100):
        if 0xD800 <= code < 0xE000:
            continue
        character = chr(code)
        if character in reference.STACKERS:
            wanted = JOINS
        elif reference.is_mark(character):
            wanted = EXTENDS
        else:
            wanted = UNIT if reference.is_spaceless(character) else int(character.isalnum() or character == "_")
        assert table[code] == wanted, f"U+{code:04X} {unicodedata.name(character, '')}"


def test_texts_of_two_scripts_have_the_words_of_both():
    rows, _ = counted(["I love 北京烤鸭 and กรุงเทพ"], TextSettings())
    assert {"love", "and", "北", "北京", "京", "烤鸭", "ก", "กรุ"} <= set(rows[0])


SETTINGS = [
    TextSettings(ngrams=3, weight="tfidf", damped=True),
    TextSettings(ngrams=2, characters=True, capitals=True, min_documents=2),
    TextSettings(ngrams=0, characters=True, weight="counts"),
    TextSettings(ngrams=2, stems="english", stop_words="english", max_features=40),
    TextSettings(ngrams=2, weight="ratio"),
    TextSettings(ngrams=3, characters=True, weight="ratio-idf"),
]
TEXTS = [
    "The red car is not good", "A GREEN car is very good", "not good at all", "very very good car", "red, green: blue!",
    CHINESE, "good 电影 and car", "", "The car the car the car", "is it good? It is not.",
]  # fmt: skip
CLASSES = np.array([0, 1, 0, 1, 0, 1, 1, 0, 1, 0])


@pytest.mark.parametrize("settings", SETTINGS)
def test_blocks_and_workers_learn_the_same_dictionary(settings):
    column = pa.chunked_array([pa.array(TEXTS, pa.large_string())])
    asked = learner(settings)
    asked.tell(CLASSES)
    asked.look(column, None)
    whole = asked.settle()
    cut = [learner(settings) for _ in range(3)]
    for each, (start, stop) in zip(cut, ((0, 3), (3, 4), (4, 10)), strict=True):
        for at in range(start, stop):
            each.tell(CLASSES[at : at + 1])
            each.look(column.slice(at, 1), None)
    cut[1].merge(cut[2])
    cut[0].merge(cut[1])
    parts = cut[0].settle()
    assert parts.names() == whole.names()
    assert np.array_equal(parts.rarity, whole.rarity)
    # What was learned and encoded at once is what the line encodes, also when it comes from a file.
    plan, matrix = learn_and_encode(read(TEXTS, CLASSES.tolist()), Wishes(words=settings), CLASSES)
    for again in (plan, Plan.from_dict(plan.to_dict())):
        assert again.lines[0].holds()
        rows = again.encode(read(TEXTS, labelled=False)).rows
        for ours, theirs in zip(matrix.rows, rows, strict=True):
            assert np.array_equal(ours, theirs)


def learner(settings):
    from rosenblatt.features.lines import Asked

    return TextLearner(Asked("t", "", pa.large_string(), words=settings))


@pytest.mark.parametrize("weight", ["tfidf", "ratio-idf"])
def test_rarity_counts_by_its_power(weight):
    found = []
    for rarity in (None, 1.0, 1.5):
        asked = learner(TextSettings(weight=weight, ngrams=2, rarity=rarity))
        asked.tell(CLASSES)
        asked.look(pa.chunked_array([pa.array(TEXTS, pa.large_string())]), None)
        found.append(asked.settle())
    plain, once, strong = found
    rows = np.array([sum(name in reference.words(text) for text in TEXTS) for name in plain.names()])
    words = np.flatnonzero(rows)  # the rest are pairs
    rare = np.log((1 + len(TEXTS)) / (1 + rows[words])) + 1
    assert np.array_equal(plain.rarity, once.rarity)
    np.testing.assert_allclose(strong.rarity[words], plain.rarity[words] * np.sqrt(rare), rtol=1e-14)
    assert "rarity" not in plain.to_dict()["settings"]  # so that earlier versions can read it
    assert strong.to_dict()["settings"]["rarity"] == 1.5
    assert "rarity^1.5" in strong.describe()
    assert Text.from_dict(strong.to_dict()).settings == strong.settings


def test_ratios_are_those_of_the_formula():
    asked = learner(TextSettings(weight="ratio"))
    asked.tell(CLASSES)
    asked.look(pa.chunked_array([pa.array(TEXTS, pa.large_string())]), None)
    line = asked.settle()
    texts = [[reference.words(TEXTS[i]) for i in range(10) if CLASSES[i] == c] for c in (0, 1)]
    rows = [[sum(name in found for found in own) for own in texts] for name in line.names()]
    sums = [sum(1 + row[c] for row in rows) for c in (0, 1)]
    wanted = [reference.ratio(*row, *sums) for row in rows]
    np.testing.assert_allclose(line.rarity, wanted, rtol=1e-14)


def test_ratios_need_two_classes():
    for classes in (None, [0, 1, 2] * 3 + [0]):
        with pytest.raises(SettingError, match="two classes"):
            learn_and_encode(
                read(TEXTS, ["a"] * 10), Wishes(words=TextSettings(weight="ratio")),
                None if classes is None else np.array(classes),
            )  # fmt: skip


def test_the_hash_of_a_name_is_that_of_its_ngram():
    _, line = counted(TEXTS, TextSettings(ngrams=3, characters=True))
    names = line.names()
    start = next(place for place, name in enumerate(names) if " " in name or "…" in name)
    assert not any(" " in name or "…" in name for name in names[:start])
    assert all(" " in name or "…" in name for name in names[start:])
    hashes = grams.name_hashes(*tokens.buffers(pa.array(names[start:], pa.large_string())))
    assert (hashes[1:] > hashes[:-1]).all()
    # Saved models depend on these: if they change, plans must say by which rule theirs are.
    fixed = grams.name_hashes(*tokens.buffers(pa.array(["new york", "…ing", "a bb ccc"], pa.large_string())))
    assert fixed.tolist() == FIXED


FIXED = [3569146052520849722, 4200458077610913216, 14183362707089595375]


def test_more_ngrams_than_room_leave_out_those_in_few_rows_whatever_the_blocks():
    drawn = np.random.default_rng(0)
    hashes = np.unique(drawn.integers(0, 2**63, 5000).astype(np.uint64))
    documents = 1 + (drawn.random(len(hashes)) < 0.1) * drawn.integers(1, 9, len(hashes))
    parts = np.zeros((len(hashes), 3), np.uint32)
    kept = []
    for size in (7, 100, 5000):
        blocks = []
        for number in range(9):  # an n-gram in so many rows is in so many of nine blocks
            which = np.flatnonzero(documents > number)
            drawn.shuffle(which)
            blocks += [which[at : at + size] for at in range(0, len(which), size)]
        sides = [Counted(1, 600), Counted(1, 600)]
        for number, which in enumerate(blocks):
            one = np.ones((1, len(which)), np.int64)
            sides[number % 2].add(hashes[which], one, parts[which])
        sides[0].merge(sides[1], np.zeros(1, np.int32))
        again = sides[0].again(1)
        assert again is not None
        assert again.least > 1
        for which in blocks:
            again.add(hashes[which], np.ones((1, len(which)), np.int64), parts[which])
        again.consolidate()
        chosen = again.in_order(again.least)
        kept.append((again.least, again.hashes[chosen].tolist()))
        assert np.array_equal(again.hashes[chosen], hashes[documents >= again.least])
    assert kept[0] == kept[1] == kept[2]


def test_a_line_says_what_memory_left_out(monkeypatch):
    monkeypatch.setattr(grams, "MOST", 20)
    texts = [f"w{i} x{i} y{i} common words here" for i in range(50)]
    _, line = counted(texts, TextSettings(ngrams=2))
    assert line.least > 1
    assert {name for name in line.names() if " " in name} == {"common words", "words here"}
    assert f"fewer than {line.least} rows" in line.notes()[0]


def test_a_column_of_unique_words_is_told_of():
    _, line = counted([f"a{i}x b{i}x c{i}x" for i in range(100)], TextSettings())
    assert "nearly every word" in line.notes()[0]
    _, line = counted(["the same words again"] * 100, TextSettings())
    assert line.notes() == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ngrams": 4}, "ngrams must be from 0 to 3"),
        ({"ngrams": 0}, "characters=True"),
        ({"ngrams": 3, "pairs": True}, "the same as ngrams=2"),
        ({"characters": 3}, "characters must be"),
        ({"stop_words": "klingon"}, "stop_words must be"),
        ({"max_features": 0}, "max_features must be"),
        ({"weight": "ratio", "hash_bits": 4}, "hashing keeps no counts"),
    ],
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(SettingError, match=said):
        TextSettings(**settings)


def test_the_most_frequent_features_stay():
    _, line = counted(["aa bb cc", "aa bb", "aa dd"], TextSettings(max_features=2, ngrams=2))
    assert line.names() == ["aa", "aa bb"] or line.names() == ["aa", "bb"]
    assert TextSettings(pairs=True) == TextSettings(ngrams=2)


def test_a_dictionary_that_pruning_leaves_empty_is_told_of_in_one_line():
    texts = [f"a{i}x b{i}x" for i in range(20)]
    with pytest.raises(DataError, match="no word that is in min_documents = 3 rows: ask for fewer"):
        learn_and_encode(read(texts, ["a", "b"] * 10), Wishes(words=TextSettings(min_documents=3, ngrams=2)))
    with pytest.raises(DataError, match=r"holds no word\. Give rows"):
        learn_and_encode(read(["a", "b"] * 10, ["a", "b"] * 10), Wishes(text=["text"]))


def test_a_dictionary_that_memory_leaves_empty_is_told_of_as_such(monkeypatch):
    monkeypatch.setattr(grams, "MOST", 1)
    monkeypatch.setattr(grams, "FEWEST", 1)
    drawn = np.random.default_rng(0)
    texts = ["".join(drawn.choice(list("abcdefghijklmnopqrstuvwxyz"), 9)) for _ in range(20)]
    wishes = Wishes(text=["text"], words=TextSettings(ngrams=0, characters=True))
    with pytest.raises(DataError, match=r"'text' has more n-grams than memory holds, and none is in \d+ rows"):
        learn_and_encode(read(texts, ["a", "b"] * 10), wishes)


def test_none_is_an_ngram_of_nothing():
    assert len(Grams.none().hashes) == 0
    rows, line = counted(["", " "], TextSettings(ngrams=3, characters=True))
    assert line.width == 0
    assert rows == [{}, {}]


def test_texts_of_one_repeated_word_and_long_ones_are_counted_in_full():
    often = 30_000  # many stretches of the loop, and larger counts than there are words
    texts = ["spam " * often, "spam", "spam eggs-and-spam " + "antidisestablishmentarianism" * 20_000]
    rows, line = counted(texts, TextSettings(weight="counts", ngrams=2))
    assert rows[0] == {"spam": often, "spam spam": often - 1}
    assert rows[1] == {"spam": 1}
    assert rows[2]["and spam"] == 1
    assert rows[2]["antidisestablishmentarianism" * 20_000] == 1
    _, block = learn_text("text", pa.chunked_array([texts]), TextSettings(weight="counts", damped=True), threads=1)
    assert block.values.max() == np.log(often) + 1
    assert line.width == 9
