"""The rules, one file each; a name in the table is what `rule` may be in settings, configs and files."""

from __future__ import annotations

from rosenblatt.learn.rule import Rule
from rosenblatt.learn.rules.arow import Arow
from rosenblatt.learn.rules.mistakes import Mistakes
from rosenblatt.learn.rules.passive_aggressive import CappedHinge, SoftHinge

TABLE: tuple[type[Rule], ...] = (Mistakes, CappedHinge, SoftHinge, Arow)
RULES: dict[str, type[Rule]] = {each.name: each for each in TABLE}
