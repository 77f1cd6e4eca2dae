"""What rules with a margin of their own say to settings that speak of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rosenblatt.errors import SettingError

if TYPE_CHECKING:
    from rosenblatt.learn.settings import Settings


def refuse_unless_default(name: str, settings: Settings) -> None:
    """SettingError where margin, ties or eta0 is not the default: the rule has its own margin, 1, and its own steps."""
    for setting, default in (("margin", 0), ("ties", "mistake"), ("eta0", 1)):
        value = getattr(settings, setting)
        if value != default:
            raise SettingError(
                f"rule={name!r} has a margin and a step of its own, so {setting} must be {default!r}; got {value!r}. "
                f"Leave {setting} out, or use rule='perceptron'."
            )
