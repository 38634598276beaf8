"""Relays the messages of the program: to a terminal, a notebook, a stream or a function."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

_ERROR = re.compile(r"^(?:cutune|\S.*): error: ")
_CLEAR = "\r\x1b[K"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def _is_terminal(stream: Any) -> bool:
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def _notebook() -> Any:
    """The function that displays in a notebook; None elsewhere. IPython is not imported for this."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module and hasattr(module, "get_ipython") else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from importlib import import_module

    return import_module("IPython.display").display


class Console:
    """The standard error of the program. On a terminal and in a notebook it is a pseudo-terminal, so that the program writes its line
    of progress. The text of the final error is left out, because an exception has it."""

    def __init__(self, progress: bool | Callable[[str], object] | None) -> None:
        self.function = progress if callable(progress) else None
        self.silent = progress is False
        self.display = None if self.silent or self.function else _notebook()
        self.terminal = not self.silent and not self.function and not self.display and _is_terminal(sys.stderr)
        self.handle: Any = None
        self.rest = ""
        self.held: list[str] = []
        self.holding = False
        self.shown = False
        self.reading, self.writing = self._open()

    def _open(self) -> tuple[int, int]:
        if not (self.terminal or self.display):
            return os.pipe()
        import fcntl
        import pty
        import struct
        import termios

        reading, writing = pty.openpty()
        import shutil

        size = shutil.get_terminal_size((100, 24))
        fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", size.lines, size.columns, 0, 0))
        return reading, writing

    def environment(self) -> dict[str, str]:
        return {"COLUMNS": "100"} if self.display else {}

    def __enter__(self) -> Console:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for descriptor in (self.reading, self.writing):
            if descriptor >= 0:
                os.close(descriptor)

    def started(self) -> None:
        """The child has its own descriptor."""
        os.close(self.writing)
        self.writing = -1

    def feed(self, data: bytes) -> None:
        *lines, self.rest = (self.rest + data.decode("utf-8", "replace")).split("\n")
        for line in lines:
            self._line(line.rpartition(_CLEAR)[2].rstrip("\r"))
        if _CLEAR in self.rest:
            self.rest = self.rest[self.rest.rindex(_CLEAR) :]
            self._show(self.rest[len(_CLEAR) :])

    def _line(self, line: str) -> None:
        plain = _COLOUR.sub("", line)
        self.holding = self.holding or bool(_ERROR.match(plain))
        if self.holding:
            self.held.append(plain)
        else:
            self._print(line)

    def _print(self, line: str) -> None:
        if self.silent:
            return
        if self.function:
            self.function(line)
            return
        if self.shown and self.terminal:
            sys.stderr.write(_CLEAR)
        self.shown = False
        print(line, file=sys.stderr, flush=True)

    def _show(self, text: str) -> None:
        """Shows the line of progress, which replaces the one before."""
        if self.terminal:
            sys.stderr.write(_CLEAR + text)
            sys.stderr.flush()
        elif self.display:
            content = {"text/plain": text}
            if self.handle is None:
                self.handle = self.display(content, raw=True, display_id=True)
            else:
                self.handle.update(content, raw=True)
        self.shown = bool(text)

    def finished(self, failed: bool) -> str:
        """Ends the display. Returns the text of the error of a program that failed."""
        if self.rest and _CLEAR not in self.rest:
            self._line(self.rest)
        self.rest = ""
        if self.shown:
            self._show("")
        if not failed:
            self.holding = False
            for line in self.held:
                self._print(line)
        text, self.held = "\n".join(self.held), []
        return text if failed else ""
