"""The variants, one file each; a name in the table is what `weights` may be in settings, configs and files."""

from __future__ import annotations

from rosenblatt.learn.variant import Variant
from rosenblatt.learn.variants.averaged import Averaged
from rosenblatt.learn.variants.final import Final
from rosenblatt.learn.variants.pocket import InPocket
from rosenblatt.learn.variants.voted import AllVote

TABLE: tuple[Variant, ...] = (Final(), Averaged(), AllVote(), InPocket())
VARIANTS: dict[str, Variant] = {each.name: each for each in TABLE}
