"""`rosenblatt train`: learn from a built-in data set and say how well, on rows kept aside."""

from __future__ import annotations

import math

import click

BUILT_IN = ("digits", "iris", "breast-cancer", "wine")
TEST_SHARE = 0.2


@click.command()
@click.argument("data", type=click.Choice(BUILT_IN), default="digits")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides the split and the order.")
def train(data: str, seed: int) -> None:
    """Train an averaged perceptron on DATA and test it on rows kept aside.

    DATA is the name of a built-in set: digits (the default), iris, breast-cancer or wine.
    """
    import numpy as np  # numpy, numba and scikit-learn load here, not for --help
    from sklearn import datasets

    from rosenblatt.learn.course import hold_out
    from rosenblatt.learn.decide import classes_for, score_rows
    from rosenblatt.learn.problem import make_problem
    from rosenblatt.learn.run import learn
    from rosenblatt.learn.settings import Settings
    from rosenblatt.loops.rows import dense_rows

    table = getattr(datasets, f"load_{data.replace('-', '_')}")()
    X, truth, names = table.data, table.target, [str(name) for name in table.target_names]
    test = hold_out(truth, np.arange(len(truth), dtype=np.uint32), TEST_SHARE, seed)
    kept = np.setdiff1d(np.arange(len(truth)), test)
    problem = make_problem(dense_rows(X[kept]), truth[kept], len(names))
    run = learn(problem, Settings(seed=seed))
    found = classes_for(score_rows(dense_rows(X[test]), run.weights_of("averaged")), "mistake")
    right = int(np.sum(found == truth[test]))
    low, high = interval(right, len(test))
    common = int(np.bincount(truth[kept]).argmax())
    always = np.mean(truth[test] == common)

    click.echo(f"data     {len(X):,} rows · {len(names)} classes · {X.shape[1]} features · {data}")
    click.echo(f"split    train {len(kept):,} · test {len(test):,} · seed {seed}")
    click.echo(
        f"run      averaged perceptron · {run.passes} passes · {run.mistakes:,} mistakes · stopped by: {run.stopped}"
    )
    click.echo(f"test     {right / len(test):.1%}  ({low:.1%} – {high:.1%})    always {names[common]!r}: {always:.1%}")
    at_least, at_most = run.margin_bracket
    if run.separated:
        click.echo(f"proof    the final weights separate the training rows; margin {at_least:.3g} to {at_most:.3g}")
    else:
        click.echo(f"proof    training rows not separated in {run.passes} passes; margin at most {at_most:.3g}")


def interval(right: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95% interval for a share of `right` in `total`."""
    share = right / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return centre - half, centre + half
