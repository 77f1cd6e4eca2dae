"""What walks of row 21 begin with, and how a line of words for the next command is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

WRONG = 0.12  # of the files are of any kind, or not there
Draw = random.Random


def write_data(folder: Path) -> None:
    """Small tables as people keep them, and some that are none."""
    draw = random.Random(0)
    numbers = [(draw.gauss(0, 1), draw.gauss(0, 1), draw.randrange(9)) for _ in range(60)]
    lines = [f"{a:.2f},{b:.2f},{n},{'yes' if a + b > 0 else 'no'}" for a, b, n in numbers]
    table = "a,b,n,label\n" + "\n".join(lines) + "\n"
    (folder / "numbers.csv").write_text(table)
    pq.write_table(pc.read_csv(pa.BufferReader(table.encode())), folder / "numbers.parquet")
    (folder / "ugly.csv").write_text(
        "when;town;amount;kind\n"
        + "".join(
            f"{1 + k % 28:02}.03.2024;{draw.choice(['Köln', 'Ulm', ''])};{k},{k % 10};{'xyz'[k % 3]}\n"
            for k in range(50)
        ),
        encoding="utf8",
    )
    words = ["free", "prize", "meeting", "lunch", "win", "über", "漢字"]
    texts = [(" ".join(draw.choices(words, k=6)), draw.random()) for _ in range(50)]
    (folder / "texts.csv").write_text(
        "text,label\n" + "".join(f"{text},{'spam' if 'free' in text else 'ham'}\n" for text, _ in texts),
        encoding="utf8",
    )
    (folder / "rows.jsonl").write_text(
        "".join(f'{{"a": {k % 7}, "c": "{"uvw"[k % 3]}", "label": {k % 2}}}\n' for k in range(40))
    )
    (folder / "points.svm").write_text("".join(f"{1 - 2 * (k % 2)} 1:{k % 5} 3:{k % 3 + 1}\n" for k in range(30)))
    (folder / "one.csv").write_text("a,label\n1,x\n2,x\n3,x\n")
    (folder / "header.csv").write_text("a,b,n,label\n")
    (folder / "ragged.csv").write_text("a,b,label\n1,2,x\n1,2,3,4,y\n")
    (folder / "empty.csv").write_bytes(b"")
    (folder / "bytes.csv").write_bytes(bytes(range(256)) * 3)


DATA = ("numbers.csv", "numbers.csv", "numbers.parquet", "ugly.csv", "texts.csv", "rows.jsonl", "points.svm")
BAD = ("one.csv", "header.csv", "ragged.csv", "empty.csv", "bytes.csv", "none.csv", ".", "kept", "digits")


def line_of(draw: Draw, folder: Path) -> list[str]:
    """A command with its options; mostly one that can be done."""
    name = draw.choice(["train", *COMMANDS])
    return [name, *COMMANDS[name](draw, folder)]


def _there(folder: Path, *endings: str) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(endings))


def _some(draw: Draw, folder: Path, likely: list[str]) -> str:
    """One of the likely files; now and then any other, or none."""
    if likely and draw.random() > WRONG:
        return draw.choice(likely)
    return draw.choice([*BAD, *_there(folder, "")])


def _data(draw: Draw, folder: Path) -> str:
    return _some(draw, folder, [name for name in DATA if (folder / name).exists()])


def _model(draw: Draw, folder: Path) -> str:
    return _some(draw, folder, _there(folder, ".rosenblatt"))


def _fitting(draw: Draw, folder: Path, model: str) -> str:
    """Mostly the data that the model was trained on, whose name its own begins with."""
    own = [name for name in DATA if model.startswith(name.partition(".")[0])]
    return draw.choice(own) if own and draw.random() > WRONG else _data(draw, folder)


def _out(draw: Draw, *names: str, given: str = "") -> list[str]:
    """An output, which may be there already; now and then what is given, or in a folder that is not there."""
    drawn = draw.random()
    if drawn < 0.05 and given:
        return ["--out", given]
    return ["--out", f"nowhere/{names[0]}" if drawn < 0.08 else draw.choice(names)]


def _maybe(draw: Draw, *options: tuple[str, ...], share: float = 0.25) -> list[str]:
    return [word for option in options if draw.random() < share for word in option]


def _train(draw: Draw, folder: Path) -> list[str]:
    data = _data(draw, folder)
    kinds = ("auto", "perceptron", "naive-bayes", "perceptron", "kernel")
    options = _maybe(
        draw, ("--report", draw.choice(("r.html", "s.html"))), ("--record",), ("--seed", str(draw.randrange(9))),
        ("--label", draw.choice(("label", "kind", "nothing"))), ("--choose-by", draw.choice(("f1", "auc", "log-loss"))),
        ("--fit-all",), ("--plan-only",), ("--test", data), ("--drop", "a"),
        ("--checkpoint", "kept", "--resume"), ("--memory", "1MB"), ("--json",),
        share=0.12,
    )  # fmt: skip
    named = [f"{data.partition('.')[0]}{k}.rosenblatt" for k in range(2)]
    label = ["--label", "kind"] if data == "ugly.csv" and "--label" not in options else []
    return [data, "--model", draw.choice(kinds), *label, *options, *_out(draw, *named, given=data)]


def _predict(draw: Draw, folder: Path) -> list[str]:
    options = _maybe(
        draw, ("--scores",), ("--probabilities",), ("--sets", draw.choice(("95%", "100%", "80%"))), ("--json",),
        ("--threshold", draw.choice(("0", "1.5", "x"))), ("--keep", draw.choice(("a", "label", "zz"))),
        share=0.15,
    )  # fmt: skip
    model = _model(draw, folder)
    data = _fitting(draw, folder, model)
    out = _out(draw, "p.csv", "p.jsonl", "p.parquet", given=data) if draw.random() < 0.8 else []
    return [model, data, *options, *out]


def _explain(draw: Draw, folder: Path) -> list[str]:
    model = _model(draw, folder)
    rows = [_fitting(draw, folder, model), "--row", str(draw.randrange(1, 70))]
    asked = ["--text", "free prize"] if draw.random() < 0.3 else rows
    return [model, *asked, *_maybe(draw, ("--flip",), ("--json",))]


def _evaluate(draw: Draw, folder: Path) -> list[str]:
    second = [_model(draw, folder)] if draw.random() < 0.2 else []
    model = _model(draw, folder)
    return [model, *second, _fitting(draw, folder, model), *_maybe(draw, ("--positive", "yes"), ("--json",))]


def _prove(draw: Draw, folder: Path) -> list[str]:
    data = _data(draw, folder)
    named = f"{data.partition('.')[0]}.json"
    return [data, *_labelled(draw, data), *_out(draw, named, given=data)]


def _labelled(draw: Draw, data: str) -> list[str]:
    return ["--label", "kind"] if data == "ugly.csv" else _maybe(draw, ("--label", "label"))


def _check(draw: Draw, folder: Path) -> list[str]:
    proof = _some(draw, folder, _there(folder, ".json", ".rosenblatt"))
    return [proof, _fitting(draw, folder, proof)]


def _review(draw: Draw, folder: Path) -> list[str]:
    data = _data(draw, folder)
    return [data, *_labelled(draw, data), *_out(draw, "q.csv", "q.jsonl", "q.html", given=data)]


def _trace(draw: Draw, folder: Path) -> list[str]:
    form = draw.choice(("csv", "html", "json"))
    source = _data(draw, folder) if draw.random() < 0.7 else _model(draw, folder)
    return [
        source,
        "--to",
        form,
        *_out(draw, f"t.{form}", given=source),
        *_maybe(draw, ("--as", "ucla"), ("--passes", "2")),
    ]


def _estimate(draw: Draw, folder: Path) -> list[str]:
    return ["heads=7", draw.choice(("tails=3", "tails=x")), *_maybe(draw, ("--figure", "f.svg"))]


def _export(draw: Draw, folder: Path) -> list[str]:
    form = draw.choice(("sql", "json", "html", "onnx"))
    model = _model(draw, folder)
    return [model, "--to", form, *_out(draw, f"e.{form}", given=model)]


def _update(draw: Draw, folder: Path) -> list[str]:
    model = _model(draw, folder)
    data = _fitting(draw, folder, model)
    out = _out(draw, model, f"{model.partition('.')[0]}u.rosenblatt", given=data) if draw.random() < 0.5 else []
    return [model, data, *out]


def _inspect(draw: Draw, folder: Path) -> list[str]:
    return [_model(draw, folder), *_maybe(draw, ("--json",), ("--config",))]


COMMANDS: dict[str, Callable[[Draw, Path], list[str]]] = {
    "train": _train, "predict": _predict, "explain": _explain, "evaluate": _evaluate, "prove": _prove, "check": _check,
    "review": _review, "trace": _trace, "estimate": _estimate, "export": _export, "update": _update,
    "inspect": _inspect,
}  # fmt: skip
