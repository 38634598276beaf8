"""Functions of the caller's process, for shell commands of a space: `source command` and `accept command`.

A command is a script that writes a line to the named pipe `requests` in the space's folder, and reads the answer from a named pipe of its
own. A thread of the caller answers one request after the other.
"""

from __future__ import annotations

import errno
import hashlib
import inspect
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from ._tables import Parameters, value_text

#: A function of a configuration and the folder that the engine names, "" for none: the exit status of the command, and what it prints.
Answer = tuple[int, str]
Provide = Callable[[dict[str, Any], str], Answer]

_REQUESTS = "requests"
_STOP = "\t"
#: The time for a command to open its pipe, and the pause between two looks.
_PATIENCE_S, _PAUSE_S = 10.0, 0.0005
_SCRIPT = """answer=answer.$$
mkfifo "$answer" || exit
printf '{name}\\t%s\\t%s{formats}\\n' $$ "$1"{values} >requests
{{ read -r status; if [ "$status" = 0 ]; then cat; else cat >&2; fi; }} <"$answer"
rm -f "$answer"
exit "$status"
"""


def source_of(function: object) -> str:
    """A hash of a function's text; "" if it has none."""
    try:
        return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()  # type: ignore[arg-type]
    except (OSError, TypeError):
        return ""


class Provider:
    """Answers the commands of a space in `folder` while it is open (`with`)."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._functions: dict[str, tuple[list[str], list[dict[str, Any]], Provide]] = {}
        self._thread: threading.Thread | None = None
        self._requests = -1
        #: The first exception of each kind that a function raised, as text.
        self.errors: dict[str, str] = {}

    def command(self, name: str, using: Iterable[str], parameters: Parameters, function: Provide, identity: str) -> str:
        """The command that calls a function with the values of the parameters `using`. Its script is NAME.sh in the folder; a run with
        another `identity` does not continue this one."""
        names = list(using)
        texts = [{value_text(value, "tune_params"): value for value in parameters[n]} for n in names]
        self._functions[name] = (names, texts, function)
        values = "".join(f' "$CUTUNE_{n}"' for n in names)
        with open(os.path.join(self._folder, f"{name}.sh"), "w", encoding="utf-8") as file:
            file.write(f"# {identity}\n" + _SCRIPT.format(name=name, formats="\\t%s" * len(names), values=values))
        return f"sh {name}.sh"

    def _call(self, line: str) -> tuple[str, Answer]:
        name, process, folder, *values = line.split("\t")
        names, texts, function = self._functions[name]
        configuration = {n: known[value] for n, known, value in zip(names, texts, values, strict=True)}
        try:
            return process, function(configuration, folder)
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            self.errors.setdefault(type(error).__name__, text)
            return process, (1, f"{text}\n")

    def _answer(self, process: str, answer: Answer) -> None:
        """Writes the answer, unless the command is gone."""
        path = os.path.join(self._folder, f"answer.{process}")
        until = time.monotonic() + _PATIENCE_S
        while True:
            try:
                pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError as error:
                if error.errno != errno.ENXIO or time.monotonic() > until:
                    return
                time.sleep(_PAUSE_S)
        os.set_blocking(pipe, True)
        try:
            with os.fdopen(pipe, "w", encoding="utf-8") as file:
                file.write(f"{answer[0]}\n{answer[1]}")
        except BrokenPipeError:
            pass

    def _serve(self) -> None:
        with os.fdopen(os.dup(self._requests), encoding="utf-8") as file:
            for line in file:
                if line.rstrip("\n") == _STOP:
                    return
                self._answer(*self._call(line.rstrip("\n")))

    def __enter__(self) -> Provider:
        if self._functions:
            path = os.path.join(self._folder, _REQUESTS)
            os.mkfifo(path)
            self._requests = os.open(path, os.O_RDWR)
            self._thread = threading.Thread(target=self._serve, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread:
            os.write(self._requests, f"{_STOP}\n".encode())
            self._thread.join()
            os.close(self._requests)
