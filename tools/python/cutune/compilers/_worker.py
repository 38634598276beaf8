"""The protocol of docs/compiler-command.md on the worker's side: hello, then an answer for each request."""

from __future__ import annotations

import json
import os
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

SCHEMA = 1
DESCRIPTOR = "CUTUNE_COMPILER_FD"
_ERROR_LENGTH = 16384  # of an error's text; a compiler's message can be longer than anyone reads

Hello = dict[str, Any]
Request = dict[str, Any]
Answer = dict[str, Any]


class CompileError(Exception):
    """An error of the user's kernel or space: its text, and the place of the cause if it is known."""

    def __init__(self, text: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(text)
        self.file = file
        self.line = line


def serve(hello: Hello, compile: Callable[[Request], Answer]) -> None:
    """Sends the hello and answers requests until cutune closes the connection.

    `hello` has the members of the protocol but `schema`. `compile` writes the files that a request names and returns the answer without
    its `id`. An exception becomes an error answer with the innermost place in one of the hello's files, and the worker lives on."""
    with _connect() as connection, connection.makefile("rw", encoding="utf-8", newline="\n") as stream:
        _send(stream, {"schema": SCHEMA, **hello})
        for line in stream:
            request = json.loads(line)
            _send(stream, {"id": request["id"], **_answer(request, hello, compile)})


def _connect() -> socket.socket:
    number = os.environ.get(DESCRIPTOR, "")
    if not number.isdigit():
        sys.exit(f"{DESCRIPTOR} is not set: cutune starts this program, by a line 'compiler command \"...\"' in a space")
    connection = socket.socket(fileno=int(number))
    connection.set_inheritable(False)  # the end of the worker is the end of the connection, whatever assemblers it has started
    return connection


def _send(stream: Any, message: dict[str, Any]) -> None:
    stream.write(json.dumps(message) + "\n")
    stream.flush()


def _answer(request: Request, hello: Hello, compile: Callable[[Request], Answer]) -> Answer:
    if request.get("schema") != SCHEMA:
        return {"error": f"the request has schema {request.get('schema')}, and this worker knows {SCHEMA}: install one version of cutune"}
    try:
        return compile(request)
    except (Exception, SystemExit) as error:
        return _error(error, [os.path.realpath(file) for file in hello.get("files", ())])


def _error(error: BaseException, files: list[str]) -> Answer:
    file, line = getattr(error, "file", None), getattr(error, "line", None)
    if isinstance(error, SyntaxError):
        file, line = error.filename, error.lineno
    elif file is None:
        file, line = _place(error, files)
    text = str(error) if isinstance(error, CompileError) else "".join(traceback.format_exception_only(type(error), error)).strip()
    if len(text) > _ERROR_LENGTH:
        text = text[:_ERROR_LENGTH] + " ... (shortened)"
    answer: Answer = {"error": text or type(error).__name__}
    if file is not None:
        answer["file"] = file
        if line:
            answer["line"] = line
    return answer


def _place(error: BaseException, files: list[str]) -> tuple[str | None, int | None]:
    """The innermost frame in one of the files, of the error or of those that caused it."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:
        for frame in reversed(traceback.extract_tb(cause.__traceback__)):
            if os.path.realpath(frame.filename) in files:
                return frame.filename, frame.lineno
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return None, None
