"""Runs the program, with its options as keywords. The program itself says which options it has."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._error import Error, ErrorCode, Interrupted
from ._paths import program_path
from ._progress import Console
from ._toolkit import missing_header_hint, toolkit

ERROR_VARIABLE = "CUTUNE_ERROR_FD"
_FORMAT = "cutune error 1"
_LOOK_S = 0.1


@dataclass(frozen=True)
class Option:
    """An option of a command: `argument` is "" for a flag, else its form, as in "NAME=V,..."."""

    name: str
    argument: str
    help: str

    @property
    def keyword(self) -> str:
        return self.name.replace("-", "_")

    @property
    def repeatable(self) -> bool:
        return "may be repeated" in self.help


_OWN = ("help", "usage", "version")


@functools.lru_cache(maxsize=64)
def _options(program: str, name: str) -> dict[str, Option]:
    environment = {**os.environ, "COLUMNS": "200", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [program, name, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, check=False
    )
    if done.returncode:
        raise Error(ErrorCode.USAGE, f"cutune has no command {name!r}", hint=done.stderr.strip())
    found: dict[str, Option] = {}
    rows = re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)(\[?=\S+)?(.*(?:\n {8,}\S.*)*)", done.stdout, re.MULTILINE)
    for word, argument, text in rows:
        if word not in _OWN:
            option = Option(word, argument.strip("[]=") if argument else "", " ".join(text.split()))
            if argument:
                option = Option(word, argument[argument.index("=") + 1 :], option.help)
            found[option.keyword] = option
    return found


def options(command: str = "tune") -> dict[str, Option]:
    """The options of a command by their keywords.

    >>> options()["max_time"].argument
    '[total=]T'
    """
    return dict(_options(program_path(), command))


def suggest(name: str, names: Sequence[str]) -> str:
    """A hint with the nearest name, or ""."""
    import difflib

    near = difflib.get_close_matches(name, names, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else ""


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (str, int, float, os.PathLike)):
        return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
    if hasattr(value, "item"):  # a scalar of NumPy
        return str(value.item())
    raise TypeError(f"{value!r} is neither a text nor a number")


def pair(name: str, value: object) -> str:
    """`NAME=VALUE`, or `NAME=VALUE,VALUE` for a list."""
    return f"{name}=" + (",".join(map(_text, value)) if isinstance(value, (list, tuple, range)) else _text(value))


def configuration_text(configuration: Mapping[str, object]) -> str:
    """`TILE=64 BLOCK_ROWS=8`."""
    return " ".join(pair(name, value) for name, value in configuration.items())


def _values(option: Option, value: object) -> list[str]:
    """The texts of an option's value, one for each time that the option occurs on the command line."""
    if isinstance(value, Mapping):
        if option.argument == "CONFIG":
            return [configuration_text(value)]
        pairs = [pair(str(name), item) for name, item in value.items()]
        return pairs if option.repeatable else [",".join(pairs)]
    if isinstance(value, (list, tuple, range)):
        if option.repeatable:
            return [text for item in value for text in _values(option, item)]
        return [",".join(map(_text, value))]
    if isinstance(value, bool) and option.argument == "yes|no":
        return ["yes" if value else "no"]
    return [_text(value)]


def option_words(command: str, keywords: Mapping[str, object]) -> list[str]:
    """The words of a command line for keywords. TypeError, with the nearest option, for any other keyword."""
    known = _options(program_path(), command)
    words: list[str] = []
    for keyword, value in keywords.items():
        option = known.get(keyword)
        if option is None:
            hint = suggest(keyword, list(known))
            raise TypeError(f"cutune {command} has no option {keyword}" + (f"; {hint}" if hint else ""))
        if value is None or (value is False and not option.argument):
            continue
        if not option.argument:
            if value is not True:
                raise TypeError(f"{keyword} is True or False, not {value!r}")
            words.append(f"--{option.name}")
        else:
            try:
                words += [f"--{option.name}={text}" for text in _values(option, value)]
            except TypeError as error:
                raise TypeError(f"{keyword}: {error}") from None
    return words


def read_error(message: bytes) -> Error | None:
    """The error that the program wrote for programs; None if it wrote none."""
    parts = message.decode("utf-8", "replace").split("\0")
    if len(parts) != 9 or parts[0] != _FORMAT:
        return None
    try:
        code, line, column = (int(number) for number in parts[1:4])
    except ValueError:
        return None
    source, text, excerpt, hint = parts[4:8]
    package = missing_header_hint(text + "\n" + hint)
    hint = "\n".join(filter(None, (hint, package)))
    return Error(code, text, source=source, line=line, column=column, excerpt=excerpt, hint=hint)


@dataclass
class Finished:
    """The results of a process of the program."""

    status: int
    output: str
    error: Error | None
    interrupted: bool


def _status_error(status: int) -> Error:
    codes = {2: ErrorCode.USAGE, 3: ErrorCode.NO_DEVICE, 4: ErrorCode.NOTHING_VALID, 130: ErrorCode.INTERRUPTED}
    if status < 0:
        return Error(ErrorCode.WORKER, f"the engine was killed by signal {-status}")
    return Error(codes.get(status, ErrorCode.WORKER), f"the engine ended with exit status {status}")


class _Process:
    """The program in a session of its own, so that Ctrl-C reaches it through this process alone, and once."""

    def __init__(self, words: Sequence[str], console: Console) -> None:
        self.console = console
        self.interrupts = 0
        reading, writing = os.pipe()
        program = program_path()
        environment = {**os.environ, **toolkit().environment(), **console.environment(), ERROR_VARIABLE: str(writing)}
        try:
            self.child = subprocess.Popen(
                [program, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=console.writing,
                pass_fds=(writing,),
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            os.close(reading)
            raise Error(
                ErrorCode.NOT_FOUND, f"cannot run {program}: {error.strerror}", hint="CUTUNE_PROGRAM in the environment names the program"
            ) from None
        finally:
            os.close(writing)
            console.started()
        self.report = reading

    def interrupt(self) -> None:
        """Asks the program to stop: in order, then at once, then by force."""
        self.interrupts += 1
        self.child.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[min(self.interrupts, 3) - 1])

    def listen(self) -> bytes:
        """Reads both streams until their ends."""
        assert self.child.stdout is not None
        output = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self.child.stdout, selectors.EVENT_READ)
            selector.register(self.console.reading, selectors.EVENT_READ)
            while selector.get_map():
                try:
                    for key, _ in selector.select(_LOOK_S):
                        if not self._take(key.fd, output):
                            selector.unregister(key.fileobj)
                except KeyboardInterrupt:
                    self.interrupt()
        return bytes(output)

    def _take(self, descriptor: int, output: bytearray) -> bool:
        try:
            data = os.read(descriptor, 65536)
        except OSError:  # a pseudo-terminal without a writer
            data = b""
        if data and descriptor == self.console.reading:
            self.console.feed(data)
        elif data:
            output += data
        return bool(data)

    def finish(self, output: bytes) -> Finished:
        while True:
            try:
                status = self.child.wait()
                break
            except KeyboardInterrupt:
                self.interrupt()
        os.set_blocking(self.report, False)
        error = None
        if status:
            with contextlib.suppress(BlockingIOError):
                error = read_error(os.read(self.report, 8192))
            error = error or _status_error(status)
        details = self.console.finished(failed=error is not None)
        if error:
            error.details = details
        return Finished(status, output.decode("utf-8", "replace"), error, self.interrupts > 0)

    def close(self) -> None:
        os.close(self.report)
        assert self.child.stdout is not None
        self.child.stdout.close()
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def run(words: Sequence[str], progress: bool | Callable[[str], object] | None = None) -> Finished:
    """Runs the program to its end. `progress`: a function that gets each line of its messages, True to print them, False for
    silence; by default they are printed. Ctrl-C asks the program to stop."""
    with Console(progress) as console:
        process = _Process(words, console)
        try:
            return process.finish(process.listen())
        finally:
            process.close()


def rows_of(text: str) -> list[dict[str, Any]]:
    """The rows of --format json."""
    try:
        rows = json.loads(text) if text.strip() else []
    except ValueError as error:
        raise Error(ErrorCode.WORKER, f"the program's answer is not JSON: {error}") from None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else [rows]


def command(name: str, *arguments: str | os.PathLike[str], **keywords: object) -> str:
    """Runs a command of the program and returns its standard output. Options are keywords.

    >>> print(command("strategies", "exhaustive").splitlines()[0][:10])
    exhaustive
    """
    finished = run([name, *option_words(name, keywords), "--", *[os.fspath(argument) for argument in arguments]], progress=False)
    if finished.interrupted:
        raise Interrupted()
    if finished.error:
        raise finished.error
    return finished.output


def warn(message: str) -> None:
    print(f"cutune: {message}", file=sys.stderr)
