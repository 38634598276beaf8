"""Errors of the engine as exceptions."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._result import Result


class ErrorCode(enum.IntEnum):
    """The codes of cutune.h. A later engine may have others, which are plain integers."""

    USAGE = 1
    SYNTAX = 10
    VALUE = 11
    DATA = 12
    SCHEMA = 13
    NOT_FOUND = 14
    IO = 20
    BUSY = 21
    MEMORY = 22
    COMPILE = 30
    DEVICE = 31
    WORKER = 32
    NO_DEVICE = 40
    NOTHING_VALID = 41
    REGRESSION = 42
    REGRET = 43
    CANDIDATE = 44
    INTERRUPTED = 50


def code_of(number: int) -> int:
    try:
        return ErrorCode(number)
    except ValueError:
        return number


class Error(Exception):
    """An error of the engine: `code`, the place (`source`, `line`, `column`), `message`, the `excerpt` of the file, and a `hint`.
    `details` is the program's whole text, with all errors of a file.

    >>> error = Error(ErrorCode.SYNTAX, "an expression is expected", source="a.space", line=3, column=9, hint="as in 2 * N")
    >>> print(error)
    a.space:3:9: an expression is expected
      as in 2 * N
    >>> error.code.name, error.line
    ('SYNTAX', 3)
    """

    def __init__(
        self,
        code: int,
        message: str,
        *,
        source: str = "",
        line: int = 0,
        column: int = 0,
        excerpt: str = "",
        hint: str = "",
        details: str = "",
    ) -> None:
        self.code = code_of(code)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.excerpt = excerpt
        self.hint = hint
        self.details = details
        super().__init__(message)

    def __str__(self) -> str:
        place = self.source
        if place and self.line:
            place += f":{self.line}:{self.column}" if self.column else f":{self.line}"
        text = f"{place}: {self.message}" if place else self.message
        if self.excerpt:
            text += f"\n  {self.excerpt}"
            if self.column:
                text += "\n  " + " " * (self.column - 1) + "^"
        if self.hint:
            text += "\n" + "\n".join("  " + line for line in self.hint.splitlines())
        return text

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (int(self.code), self.message, self.source, self.line, self.column, self.excerpt, self.hint, self.details))


def _restore(code: int, message: str, source: str, line: int, column: int, excerpt: str, hint: str, details: str) -> Error:
    return Error(code, message, source=source, line=line, column=column, excerpt=excerpt, hint=hint, details=details)


def make(code: int, message: str, hint: str) -> Error:
    """For the extension module."""
    return Error(code, message, hint=hint)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. Every measurement is in the journal, and the same call resumes. `result` is the best so far, or None."""

    def __init__(self, result: Result | None = None) -> None:
        self.result = result
        super().__init__("interrupted; all measurements are saved, and the same call resumes")
