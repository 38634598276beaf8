"""A call of Kernel Tuner's functions."""

from __future__ import annotations

from typing import Any

#: The arguments of a call by name.
Call = dict[str, Any]


class NotServed(Exception):
    """A call needs Kernel Tuner itself, because of an argument."""

    def __init__(self, argument: str, reason: str) -> None:
        self.argument = argument
        self.reason = reason
        super().__init__(f"{argument}: {reason}")
