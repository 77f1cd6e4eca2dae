"""Words: the same as scikit-learn's CountVectorizer finds, on real text and on any text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse
import snowballstemmer
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from rosenblatt.data import read
from rosenblatt.errors import SettingError
from rosenblatt.features import Plan, TextSettings, Wishes, learn_and_encode, tokens
from rosenblatt.features.blocks import Entries, joined
from rosenblatt.features.text import Text
from rosenblatt.features.textlearner import learn_text
from rosenblatt.reference.words import is_spaceless

PLAIN = TextSettings()
SPACELESS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]")


def words_matrix(texts, settings=PLAIN, threads=None):
    column = pa.chunked_array([pa.array(texts, pa.large_string())])
    line, entries = learn_text("text", column, settings, threads=threads)
    values = np.ones(len(entries.columns)) if entries.values is None else entries.values
    matrix = scipy.sparse.csr_matrix(
        (values, entries.columns.astype(np.int64), entries.starts), (len(texts), line.width)
    )
    assert matrix.has_sorted_indices
    return line, matrix


def assert_equal_to(vectorizer, texts, settings=PLAIN, threads=None):
    line, ours = words_matrix(texts, settings, threads)
    order = np.argsort(line.names())  # words are sorted; n-grams come after them, in the order of a hash
    ours = ours[:, order]
    ours.sort_indices()
    try:
        theirs = vectorizer.fit_transform(texts)
    except ValueError:  # scikit-learn refuses texts without a single word
        assert line.width == 0
        return
    assert sorted(line.names()) == vectorizer.get_feature_names_out().tolist()
    theirs.sort_indices()
    assert np.array_equal(ours.indptr, theirs.indptr)
    assert np.array_equal(ours.indices, theirs.indices)
    np.testing.assert_allclose(ours.data, theirs.data, rtol=1e-14)


@pytest.fixture(scope="module")
def news(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("news")
    with tarfile.open(data / "20news-bydate.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    return read(folder / "20news-bydate-train").columns["text"].to_pylist()


@pytest.fixture(scope="module")
def mails(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mails")
    with tarfile.open(data / "spamassassin.tar.gz") as archive:
        archive.extractall(folder, filter="data")
    table = read(folder / "spamassassin")
    return table.columns["text"].to_pylist() + table.columns["subject"].to_pylist()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_20_newsgroups_equal_count_vectorizer(news, threads):
    assert_equal_to(CountVectorizer(binary=True), news, threads=threads)


def test_spamassassin_equals_count_vectorizer(mails):
    assert any(not text.isascii() for text in mails)
    assert_equal_to(CountVectorizer(binary=True), [text for text in mails if not SPACELESS.search(text)])


# Letters whose lowering is long, depends on neighbours, or that combine; digits, joiners and other planes.
ODD = "aB_1 é\u0130\u0131Σσςß\u0307\u200d٣²\u00b5ǅﬁ\U0001d400\U0001e900\U0010ffff-\n"
# Scripts without spaces are cut, and test_ngrams.py holds them to the reference.
any_text = st.one_of(
    st.text().filter(lambda text: not any(map(is_spaceless, text))),
    st.text(alphabet=ODD),
    st.text(alphabet="ab AB_", max_size=200),
)


@given(st.lists(any_text, min_size=1, max_size=8))
@example(["ΑΣ ΑΣΑ ΑΣ.", "İstanbul", "a\u0307b"])
@example(["x" * 63 + " " + "y" * 65, "z" * 128, "internationalisation INTERNATIONALISATION"])
def test_any_text_equals_count_vectorizer(texts):
    assert_equal_to(CountVectorizer(binary=True), texts)
    assert_equal_to(CountVectorizer(), texts, TextSettings(weight="counts"))


@given(st.lists(any_text, min_size=1, max_size=8))
def test_pairs_equal_count_vectorizer(texts):
    assert_equal_to(CountVectorizer(ngram_range=(1, 2)), texts, TextSettings(weight="counts", pairs=True))


def test_pairs_rare_words_and_tfidf_on_real_text(data):
    texts = read(data / "sms-spam" / "SMSSpamCollection", "c1").columns["c2"].to_pylist()
    texts = [text for text in texts if not SPACELESS.search(text)]
    assert_equal_to(CountVectorizer(binary=True, ngram_range=(1, 2)), texts, TextSettings(pairs=True))
    assert_equal_to(CountVectorizer(binary=True, min_df=3), texts, TextSettings(min_documents=3))
    for damped in (False, True):
        settings = TextSettings(weight="tfidf", damped=damped)
        line, entries = learn_text("t", pa.chunked_array([texts]), settings)
        rows = joined([entries], len(texts), [True], False)
        theirs = TfidfVectorizer(sublinear_tf=damped).fit_transform(texts)
        theirs.sort_indices()
        assert np.array_equal(rows.columns, theirs.indices)
        np.testing.assert_allclose(rows.values, theirs.data, rtol=1e-12)
    assert np.allclose(line.rarity.min(), np.log((1 + len(texts)) / (1 + np.diff(theirs.tocsc().indptr).max())) + 1)


@pytest.mark.parametrize("language", ["english", "german", "russian"])
def test_stems_equal_snowball(language):
    texts = ["Running runs runner easily", "Häuser Haus laufend läuft", "книга книги книгу читать", "run RUN the ran"]
    stemmer = snowballstemmer.stemmer(language)
    vectorizer = CountVectorizer(binary=True)
    words = vectorizer.build_analyzer()
    stemmed = CountVectorizer(binary=True, analyzer=lambda text: stemmer.stemWords(words(text)))
    assert_equal_to(stemmed, texts, TextSettings(stems=language))


def test_words_in_capitals_are_features_of_their_own():
    line, matrix = words_matrix(["FREE money", "free MONEY I", "Free", "ÄÖ 24"], TextSettings(capitals=True))
    assert line.names() == ["24", "capitals:FREE", "capitals:MONEY", "capitals:ÄÖ", "free", "money", "äö"]
    assert matrix.toarray().astype(int).tolist() == [
        [0, 1, 0, 0, 1, 1, 0],
        [0, 0, 1, 0, 1, 1, 0],
        [0, 0, 0, 0, 1, 0, 0],
        [1, 0, 0, 1, 0, 0, 1],
    ]


def test_hashing_needs_no_dictionary_and_never_changes():
    line, matrix = words_matrix(["free money free", "money", ""], TextSettings(hash_bits=10, weight="counts"))
    assert line.width == 1024
    assert len(line.words) == 0
    assert matrix.sum(axis=1).ravel().tolist() == [[3, 1, 0]]
    assert set(matrix[1].indices) < set(matrix[0].indices)
    # Saved models depend on these places: if they change, the hash needs a new version number.
    assert matrix[0].indices.tolist() == PLACES
    assert line.hash_version == 1


PLACES = [314, 509]


@pytest.mark.parametrize("settings", [TextSettings(), TextSettings(weight="tfidf", pairs=True, capitals=True)])
def test_new_text_is_encoded_by_the_words_of_training_alone(settings):
    training = ["Red apples", "green APPLES and pears", "é"]
    plan, matrix = learn_and_encode(read(training, [0, 1, 1]), Wishes(words=settings))
    again = plan.encode(read(training, labelled=False))
    for ours, theirs in zip(matrix.rows, again.rows, strict=True):
        assert np.array_equal(ours, theirs)
    new = plan.encode(read(["yellow bananas", "apples apples", None or ""], labelled=False))
    starts = new.rows.starts.tolist()
    assert starts[:2] == [0, 0]
    assert starts[3] == starts[2]
    assert [new.names[k] for k in new.rows.columns] == ["apples"]


def test_the_result_does_not_depend_on_where_the_text_lies():
    whole = pa.array(["padding é", "one two", "two three"], pa.large_string())
    sliced = pa.chunked_array([whole.slice(1, 1), whole.slice(2)])
    line, entries = learn_text("t", sliced, TextSettings())
    assert line.names() == ["one", "three", "two"]
    assert entries.columns.tolist() == [0, 2, 1, 2]
    small = tokens.as_texts(pa.array(["one two", None, "two"]))
    (found,) = tokens.find(small)
    assert found.starts.tolist() == [0, 2, 2, 3]


def test_invalid_utf8_does_not_reach_outside_its_row():
    broken = pa.LargeStringArray.from_buffers(2, pa.py_buffer(np.array([0, 3, 6])), pa.py_buffer(b"ab\xf0" + b"\x90cd"))
    (found,) = tokens.find(broken, lowered=False)
    assert found.words.to_pylist() == ["ab", "cd"]


def test_rows_of_text_have_unit_length():
    _, matrix = learn_and_encode(read(["a few words here", "two words", "x"], [0, 1, 1]))
    assert matrix.rows.scales.tolist() == [1 / np.sqrt(3), 1 / np.sqrt(2), 1.0]
    _, plain = learn_and_encode(read(["a few words here", "two words"], [0, 1]), Wishes(unit="none"))
    assert plain.rows.scales.tolist() == [1, 1]


@pytest.mark.parametrize("n_rows", [1, 2])
def test_a_row_too_long_to_be_measured_draws_no_warning(n_rows, recwarn):
    block = Entries(np.arange(n_rows + 1), np.zeros(n_rows, np.uint32), np.full(n_rows, 1e200), 3)
    joined([block], n_rows, [False], unit_rows=True)
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"weight": "bm25"}, "weight must be one of presence"),
        ({"stems": "klingon"}, "stems must name a language of snowball"),
        ({"min_documents": 0}, "min_documents must be at least 1"),
        ({"hash_bits": 31}, "hash_bits must be from 1 to 30"),
        ({"hash_bits": 8, "weight": "tfidf"}, "hashing keeps no counts"),
        ({"rarity": 0}, "rarity must be from 0.25 to 4; got 0"),
        ({"rarity": True}, "rarity must be from 0.25 to 4; got True"),
        ({"damped": True}, "damped is for words that are counted"),
    ],
)
def test_bad_settings(settings, says):
    with pytest.raises(SettingError, match=says):
        TextSettings(**settings)


def test_without_the_compiler_the_results_are_the_same(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("".join(f"{k % 2} {k + 1}:{k * 0.37} 99:-1e-30\n" for k in range(20)))
    code = (
        "import pyarrow as pa; from rosenblatt.features import TextSettings; "
        "from rosenblatt.features.text import Text; from rosenblatt.features.textlearner import learn_text; "
        "line, e = learn_text('t', pa.chunked_array([['Ein Wort İs ΑΣ', 'wort NEU neu', '']]), "
        "TextSettings(weight='counts', pairs=True, capitals=True)); "
        "print(line.names(), e.columns.tolist(), e.values.tolist()); "
        "from rosenblatt.data import read; import sys; "
        "t = read(sys.argv[1]); print(t.labels.to_pylist(), t.columns['column'].to_pylist()); "
        "from rosenblatt.features import Classes, split_rows; print(split_rows(t, Classes.learn(t).encode(t), seed=3))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code, str(path)],
            capture_output=True, text=True, check=True, env={**os.environ, "NUMBA_DISABLE_JIT": off},
        ).stdout
        for off in ("0", "1")
    ]  # fmt: skip
    assert "capitals:NEU" in runs[0]
    assert runs[0] == runs[1]


def test_a_plan_with_an_unknown_hash_is_refused():
    plan, _ = learn_and_encode(read(["red apple", "green pear"], [0, 1]), Wishes(words=TextSettings(hash_bits=4)))
    plain = plan.to_dict()
    plain["lines"][0]["hash_version"] = 2
    with pytest.raises(ValueError, match="hashes words by rule 2; this version knows 1"):
        Plan.from_dict(plain)


@given(st.sets(st.text("abzäß€😀", min_size=1, max_size=4), min_size=1, max_size=60), st.data())
def test_a_word_is_found_in_the_dictionary_by_search_by_our_table_and_by_arrow(known, data):
    """The first message is searched for, later ones are looked up, and many words are Arrow's: all find the same."""
    words = sorted(known)
    line = Text("text", "", PLAIN, pa.array(words, pa.large_string()), np.empty(0), "")
    for wanted in data.draw(st.lists(st.sampled_from(words) | st.text("abzäß€😀", max_size=5), max_size=20)):
        place = words.index(wanted) if wanted in known else -1
        found = line._looked_up(pa.array([wanted], pa.large_string())).tolist()
        assert [line._search(wanted, -1)] == found == [place]
        asked = pa.array([wanted] * len(words), pa.large_string())  # as many as the dictionary has: Arrow
        assert set(line._known(asked).tolist()) == {place}


def test_a_message_is_encoded_alike_the_first_time_and_the_second():
    texts = [" ".join(f"word{k:03}" for k in range(start, start + 100)) for start in range(0, 400, 50)]
    line, _ = words_matrix(texts)
    message = pa.chunked_array([pa.array(["word007 word399 word450 aa zz"], pa.large_string())])
    first, second = (line.encode(message, None) for _ in range(2))
    assert "_kept" in vars(line)  # the second time the table is made
    assert first.columns.tolist() == second.columns.tolist() == [7, 399]


def test_exactly_the_characters_that_lowering_changes_are_left_to_python():
    changing = tokens.changing_table()
    assert [code for code in range(0x110000) if (chr(code).lower() != chr(code)) != bool(changing[code])] == []


@given(st.lists(st.text(st.sampled_from("aZéÉßẞİıΣσςÅ\u2126🄰𐐀\u0307 .ǅ"), max_size=8), min_size=1, max_size=6))
def test_only_texts_that_lowering_changes_beyond_ascii_are_lowered_by_python(texts):
    which, lowered = tokens.lowered_beyond_ascii(pa.array(texts, pa.large_string()))
    for text, place in zip(texts, which.tolist(), strict=True):
        beyond = any(letter.lower() != letter for letter in text if letter > "\x7f")
        assert (place >= 0) == beyond
        if beyond:
            assert lowered[place].as_py() == text.lower()
