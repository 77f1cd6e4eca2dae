"""The pinned commands: each format × memory, disk and two workers × two and many classes × families and variants."""

from __future__ import annotations

from collections.abc import Iterator

TABLES = ("csv", "csv.gz", "tsv", "parquet", "arrow", "jsonl")
PLACES = {"memory": "", "disk": "--memory 75kB", "workers": "--workers 2 --shards 3"}
BRIEF = "--model perceptron --passes 3 --margin 0.5"
KINDS = "--drop id --drop day --drop family"
# What varies beside format and place, on the tables of two and of many classes.
VARIANTS = {
    "auto": ("two", KINDS),
    "auto of many": ("many", KINDS),
    "final": ("many", f"{KINDS} --model perceptron --weights final --passes 4 --margin 0"),
    "averaged": ("two", f"{KINDS} --model perceptron --weights averaged --passes 2 --margin 2"),
    "naive Bayes": ("two", f"{KINDS} --drop note --model naive-bayes"),
    "naive Bayes of many": ("many", f"{KINDS} --drop note --model naive-bayes"),
    "naive Bayes of words": ("many", "--model naive-bayes " + " ".join(
        f"--drop {name}" for name in ("id", "weight", "height", "count", "size", "place", "member", "day", "family"))),
    "as it stands": ("two", BRIEF),
    "a goal": ("two", f"{KINDS} {BRIEF} --positive no --max-false-positives 5%"),
    "costs": ("two", f"{KINDS} {BRIEF} --positive yes --cost-false-positive 5 --cost-false-negative 1"),
    "groups": ("many", f"{BRIEF} --group family --drop id --drop day"),
    "time": ("two", f"{BRIEF} --time day --drop id --drop family"),
    "wishes": (
        "many",
        f"{KINDS} {BRIEF} --category count --ordered size=large,medium,small --text place --numeric member",
    ),
    "plain numbers": ("two", f"{KINDS} {BRIEF} --no-scale"),
    "a record": ("two", f"{KINDS} --record --passes 3"),
    "shards": ("many", f"{KINDS} {BRIEF} --shards 4"),
    "seeds": ("two", f"{KINDS} {BRIEF} --seeds 3 --seed 7"),
    "a test apart": ("two", f"{KINDS} {BRIEF} --test {{folder}}/two-test.csv"),
    "relabelled": ("many", f"{KINDS} {BRIEF} --relabel ash=tree --relabel oak=tree"),
}  # fmt: skip
BARE = "--no-header --delimiter ; --label c11 --drop c1 --drop c8 --drop c9"


def commands() -> Iterator[tuple[str, str]]:
    """A name, and what is typed after `rosenblatt train`."""
    for form in TABLES:
        for name in ("two", "many"):
            for place in ("memory", "disk"):
                yield f"{form}, {name}, {place}", f"{{folder}}/{name}.{form} {KINDS} {BRIEF} {PLACES[place]}"
    for form, name in (("csv", "two"), ("parquet", "many")):
        yield f"{form}, {name}, workers", f"{{folder}}/{name}.{form} {KINDS} {BRIEF} {PLACES['workers']}"
    for what, (name, words) in VARIANTS.items():
        for place in ("memory", "disk"):
            yield f"{what}, {place}", f"{{folder}}/{name}.csv {words} {PLACES[place]}"
    for place, words in PLACES.items():
        for name in ("two", "many"):
            yield f"svmlight, {name}, {place}", f"{{folder}}/{name}.svm {BRIEF} {words}"
            yield f"texts, {name}, {place}", f"{{folder}}/{name}-texts {BRIEF} {words}"
        yield f"images, {place}", f"{{folder}}/train-images-idx3-ubyte {BRIEF} {words}"
        yield f"mail, {place}", f"{{folder}}/mail {BRIEF} {words}"
    for place in ("memory", "disk"):
        words = PLACES[place]
        yield f"svmlight, naive Bayes, {place}", f"{{folder}}/many.svm --model naive-bayes {words}"
        yield f"texts, auto, {place}", f"{{folder}}/two-texts {words}"
        yield f"mailboxes, naive Bayes, {place}", f"{{folder}}/boxes --model naive-bayes {words}"
        yield f"images, naive Bayes, {place}", f"{{folder}}/train-images-idx3-ubyte --model naive-bayes {words}"
        yield f"csv without a header, {place}", f"{{folder}}/two-bare.csv {BARE} {BRIEF} {words}"
    for name in ("apples", "mail", "iris", "wine", "breast-cancer", "digits"):
        yield f"built in: {name}", f"{name} --passes 5 --margin 0.5 --model perceptron"
