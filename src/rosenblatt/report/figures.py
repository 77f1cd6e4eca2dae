"""Numbers as people read them."""

from __future__ import annotations

import math

MINUS = "−"


def percent(share: float, digits: int = 1) -> str:
    """98.6%; a dash where there is nothing to take a share of."""
    return "–" if not math.isfinite(share) else f"{share:.{digits}%}"


def count(number: float) -> str:
    """12,345"""
    return f"{int(number):,}"


def rows_of(number: float) -> str:
    """12,345 rows; 1 row"""
    return f"{count(number)} row{'' if number == 1 else 's'}"


def signed(value: float) -> str:
    """+3.14 or −0.0271: three digits that count, and always a sign."""
    shown = short(abs(value))
    if value == 0:
        return "0"
    return (MINUS if value < 0 else "+") + shown


def plain(value: float) -> str:
    """A round number, as it stands at an axis: 0.05, 20, 1,000."""
    shown = f"{value:,.0f}" if value == int(value) and abs(value) < 1e6 else f"{value:g}"
    return shown.replace("-", MINUS)


def short(value: float) -> str:
    """Three digits that count, without an exponent where that is possible."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: f"{MINUS}∞"}.get(value, "–")
    if value and not 1e-4 <= abs(value) < 1e6:
        return f"{value:.2e}".replace("-", MINUS)
    digits = 2 - math.floor(math.log10(abs(value))) if value else 0
    rounded = round(value, digits)
    return f"{rounded:,.{max(digits, 0)}f}".replace("-", MINUS)


def shortened(text: str, most: int) -> str:
    """The first characters of a text, and a sign where it goes on."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"
