"""What a card that comes from a file must fulfil: the form of all that this program uses of a loaded model's card.

What else a card has is kept as it is, so that files of later versions lose nothing.
"""

from __future__ import annotations

from typing import Any

from rosenblatt.claims import Misfit, either, fields, listed, nothing, number, table, text, truth, whole

MOST = 2**53  # of anything that is counted
COUNT = whole(0, MOST)
PROOF = fields({"separated": truth, "passes": COUNT, "mistakes": COUNT}, {"updates": COUNT, "stopped": text})
BOUND = either(nothing, number(0))
CARD = fields(
    {
        "source": text,
        "rows": COUNT,
        "features": COUNT,
        "class_counts": table(COUNT),
        "majority": fields({"class": text}),
        "fingerprint": text,
        "plan": listed(text),
        "choice": fields({"name": text}, {"threshold": number(0), "passes": COUNT}),
        "versions": table(text),
        "updates": listed(fields({"rows": COUNT, "mistakes": COUNT, "source": text})),
    },
    {
        "label": either(nothing, text),
        "test": fields({"accuracy": number(0, 1), "rows": COUNT}),
        "margin": either(nothing, fields({"low": BOUND, "high": BOUND})),
        "proof": either(nothing, PROOF),
    },
)


def check_card(card: Any) -> None:
    """Misfit where the card lacks, or has in another form, what the program uses of it."""
    CARD(card, "the card")
    margin = card.get("margin") or {"low": None, "high": None}
    if (card.get("proof") or {"separated": False})["separated"] and None in (margin["low"], margin["high"]):
        raise Misfit("the card.margin must have both bounds where rows are separated")
