"""Every example of the page on naive Bayes runs, in order, in one namespace."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs/naive_bayes.md"


def test_the_examples_of_the_page_run(capsys):
    text = PAGE.read_text(encoding="utf-8")
    blocks = [(match.start(), match[1]) for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
    assert len(blocks) == text.count("```") // 2, "a block that is not Python would not be run"
    namespace: dict[str, object] = {}
    for start, block in blocks:
        line = text[:start].count("\n") + 1
        exec(compile("\n" * line + block, str(PAGE), "exec"), namespace)
    assert "best:" in capsys.readouterr().out
