"""Space files: read, built statement by statement, and written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ._error import Error, ErrorCode
from ._program import command, configuration_text, pair, rows_of

#: A part of a statement: text of the language, a number, or several of them.
Part = str | int | float
_S = TypeVar("_S", bound="Space")
_QUOTED = re.compile(r'"([^"\n]*)"')
_PATHS = ("kernel", "buffer", "reference", "include", "launch", "accept", "library", "device_limits")


@dataclass(frozen=True)
class Statement:
    """A statement: its name and the text behind it, without comments."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name} {self.text}" if self.text else self.name


@dataclass(frozen=True)
class Memory:
    """The memory that a run needs besides the caller's arrays, in bytes. The host copies arrays, the disk has their files, and the
    device the engine's own buffers and expected results."""

    host_bytes: int = 0
    disk_bytes: int = 0
    device_bytes: int = 0

    def __str__(self) -> str:
        parts = (("host", self.host_bytes), ("disk", self.disk_bytes), ("device", self.device_bytes))
        return ", ".join(f"{bytes / 1e6:.1f} MB on the {where}" for where, bytes in parts)


def _list(parts: Part | Iterable[Part]) -> str:
    """
    >>> _list(("TILE", 8)), _list("ceildiv(N, 64)")
    ('TILE, 8', 'ceildiv(N, 64)')
    """
    if isinstance(parts, (str, int, float)):
        return str(parts)
    return ", ".join(str(part) for part in parts)


def _quoted(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if '"' in text or "\n" in text:
        raise Error(ErrorCode.SYNTAX, f"a space cannot name the file {text!r}: it has a quote or a line break")
    return f'"{text}"'


def _without_comment(line: str) -> str:
    """
    >>> _without_comment('kernel k "a#b.cu"  # the kernel')
    'kernel k "a#b.cu"'
    """
    quoted = False
    for i, character in enumerate(line):
        quoted ^= character == '"'
        if character == "#" and not quoted:
            return line[:i].rstrip()
    return line.rstrip()


def _parse(text: str) -> list[Statement]:
    statements = []
    joined = ""
    for line in text.split("\n"):
        part = _without_comment(line)
        if part.endswith("\\"):
            joined += part[:-1] + " "
            continue
        words = (joined + part).split(None, 1)
        joined = ""
        if words:
            statements.append(Statement(words[0], words[1].strip() if len(words) > 1 else ""))
    return statements


@dataclass
class Space:
    """A space file in memory. Each method adds the statement of its name and returns the space; `statement` adds any other.

    >>> space = Space().kernel("scale", "scale.cu").problem("N", 1 << 20).param("BLOCK", [64, 128, 256])
    >>> space = space.buffer("x", "float", "N", "random").buffer("y", "float", "N", "output").args("y", "x", "int N")
    >>> space = space.block("BLOCK").grid("ceildiv(N, BLOCK)").reference("default").default(BLOCK=128)
    >>> print(space.text)
    space 2
    kernel scale "scale.cu"
    problem N = 1048576
    param BLOCK = 64, 128, 256
    buffer x float[N] random
    buffer y float[N] output
    args y, x, int N
    block BLOCK
    grid ceildiv(N, BLOCK)
    reference default
    default BLOCK=128
    <BLANKLINE>

    Expressions are text of the language, as in a file.
    """

    statements: list[Statement] = field(default_factory=lambda: [Statement("space", "2")])
    path: str | None = None
    memory: Memory = field(default_factory=Memory)
    _folder: Any = field(default=None, repr=False, compare=False)  # a temporary folder, which lives as long as the space
    _own: set[str] = field(default_factory=set, repr=False, compare=False)  # files that belong to the space alone

    # ---- Reading and writing ----

    @classmethod
    def read(cls: type[_S], path: str | os.PathLike[str]) -> _S:
        """Reads a space file, without its comments. The engine checks it."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls(statements=_parse(file.read()), path=os.fspath(path))
        except OSError as error:
            raise Error(ErrorCode.NOT_FOUND, f"cannot open {os.fspath(path)}: {error.strerror}") from None

    @classmethod
    def parse(cls: type[_S], text: str) -> _S:
        """A space of text; its paths begin in the working folder."""
        return cls(statements=_parse(text))

    @property
    def text(self) -> str:
        """The file's text."""
        return "".join(f"{statement}\n" for statement in self.statements)

    def __str__(self) -> str:
        return self.text

    @property
    def folder(self) -> str:
        """The folder in which the paths of the space begin."""
        return os.path.dirname(os.path.abspath(self.path)) if self.path else os.getcwd()

    def _moved(self, folder: str, own: dict[str, str]) -> str:
        """The text for another folder: files of the space alone are copied, and the others named from there."""

        def rewrite(match: re.Match[str]) -> str:
            name = match[1]
            place = os.path.join(self.folder, name)
            if not name or not os.path.isfile(place):
                return match[0]
            if name in self._own:
                own[name] = place
                return match[0]
            return _quoted(os.path.relpath(place, folder))

        return "".join(
            (f"{s.name} {_QUOTED.sub(rewrite, s.text)}" if s.name in _PATHS else str(s)).rstrip() + "\n" for s in self.statements
        )

    def save(self, path: str | os.PathLike[str]) -> str:
        """Writes the file, with the files that tune_source made for it, and keeps them. Returns the path."""
        import shutil

        target = os.path.abspath(path)
        folder = os.path.dirname(target)
        os.makedirs(folder, exist_ok=True)
        own: dict[str, str] = {}
        text = self._moved(folder, own)
        for name, place in own.items():
            if os.path.join(folder, name) != place:
                shutil.copyfile(place, os.path.join(folder, name))
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return os.fspath(path)

    def materialise(self) -> str:
        """Path of a file with this text: the file that was read if it is unchanged, else one in a temporary folder."""
        if self.path and os.path.isfile(self.path) and Space.read(self.path).statements == self.statements:
            return self.path
        import tempfile

        folder = tempfile.TemporaryDirectory(prefix="cutune-space-")
        path = os.path.join(folder.name, self.name + ".space")
        self.save(path)
        self._folder, self.path = (self._folder, folder), path
        self.statements = Space.read(path).statements
        return path

    # ---- Its content ----

    @property
    def name(self) -> str:
        """The kernel's name, as a file name."""
        words = next((s.text for s in self.statements if s.name == "kernel"), "space")
        match = re.search(r"[A-Za-z_]\w*", words)
        return match[0] if match else "space"

    def _named(self, statement: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for s in self.statements:
            match = re.match(r'([A-Za-z_]\w*)\s*(?:as\s*"[^"]*"\s*)?=\s*(.*)', s.text)
            if s.name == statement and match:
                found[match[1]] = match[2]
            elif s.name == "include" and (file := _QUOTED.match(s.text)):
                path = os.path.join(self.folder, file[1])
                if os.path.isfile(path) and os.path.abspath(path) != os.path.abspath(self.path or ""):
                    found |= Space.read(path)._named(statement)
        return found

    @property
    def problems(self) -> dict[str, str]:
        """The problem sizes and their expressions."""
        return self._named("problem")

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters and their lists of values."""
        return self._named("param")

    def check(self, **options: object) -> list[dict[str, Any]]:
        """Checks the space without a GPU: the rows of `cutune check`. Options are its options, such as compile=3. Errors of the file
        are cutune.Error with their place."""
        return rows_of(command("check", self.materialise(), format="json", **options))

    # ---- Statements ----

    def statement(self: _S, name: str, text: Part = "") -> _S:
        """Adds a statement by its name and text."""
        if "\n" in str(text):
            raise Error(ErrorCode.SYNTAX, f"the statement {name} has a line break")
        self.statements.append(Statement(name, str(text).strip()))
        return self

    def kernel(self: _S, name: str, source: str | os.PathLike[str] | None = None) -> _S:
        return self.statement("kernel", name if source is None else f"{name} {_quoted(source)}")

    def title(self: _S, text: str) -> _S:
        return self.statement("title", _quoted(text))

    def problem(self: _S, name: str, value: Part) -> _S:
        return self.statement("problem", f"{name} = {value}")

    def param(self: _S, name: str, values: str | Iterable[Part], *, macro: str | None = None) -> _S:
        """`values` is a list, or text such as "16..128 times 2"."""
        return self.statement("param", name + (f" as {_quoted(macro)}" if macro else "") + f" = {_list(values)}")

    def let(self: _S, name: str, expression: Part) -> _S:
        return self.statement("let", f"{name} = {expression}")

    def define(self: _S, name: str, expression: Part | None = None) -> _S:
        return self.statement("define", name if expression is None else f"{name} = {expression}")

    def include(self: _S, path: str | os.PathLike[str]) -> _S:
        return self.statement("include", _quoted(path))

    def require(self: _S, condition: str) -> _S:
        return self.statement("require", condition)

    def buffer(self: _S, name: str, type: str, count: Part, fill: str) -> _S:
        """`fill` is the rest of the statement: "random", 'file("x.npy") inout', "output", "scratch"."""
        return self.statement("buffer", f"{name} {type}[{count}] {fill}")

    def args(self: _S, *arguments: Part) -> _S:
        return self.statement("args", _list(arguments))

    def block(self: _S, *sizes: Part) -> _S:
        return self.statement("block", _list(sizes))

    def grid(self: _S, *sizes: Part) -> _S:
        return self.statement("grid", _list(sizes))

    def shared(self: _S, size_bytes: Part) -> _S:
        return self.statement("shared", size_bytes)

    def launch(self: _S, text: str) -> _S:
        return self.statement("launch", text)

    def loop(self: _S, text: str) -> _S:
        return self.statement("loop", text)

    def end(self: _S) -> _S:
        return self.statement("end")

    def source(self: _S, text: str) -> _S:
        return self.statement("source", text)

    def compiler(self: _S, text: str) -> _S:
        return self.statement("compiler", text)

    def option(self: _S, text: str) -> _S:
        """The text of the statement: '"--maxrregcount=" REGISTERS'."""
        return self.statement("option", text)

    def reference(self: _S, text: str) -> _S:
        return self.statement("reference", text)

    def accept(self: _S, text: str) -> _S:
        return self.statement("accept", text)

    def tolerance(self: _S, text: Part) -> _S:
        return self.statement("tolerance", text)

    def compare(self: _S, output: str, count: Part) -> _S:
        return self.statement("compare", f"{output} first {count}")

    def per(self: _S, *parameters: str) -> _S:
        return self.statement("per", _list(parameters))

    def host(self: _S, *parameters: str) -> _S:
        return self.statement("host", _list(parameters))

    def override(self: _S, *names: str) -> _S:
        return self.statement("override", _list(names))

    def bytes(self: _S, expression: Part) -> _S:
        return self.statement("bytes", expression)

    def flops(self: _S, expression: Part) -> _S:
        return self.statement("flops", expression)

    def work(self: _S, expression: Part) -> _S:
        return self.statement("work", expression)

    def objective(self: _S, *names: str) -> _S:
        return self.statement("objective", _list(names))

    def library(self: _S, text: str) -> _S:
        return self.statement("library", text)

    def graph(self: _S, text: str = "") -> _S:
        return self.statement("graph", text)

    def l2_window(self: _S, text: str) -> _S:
        return self.statement("l2_window", text)

    def carveout(self: _S, text: Part) -> _S:
        return self.statement("carveout", text)

    def cluster(self: _S, *sizes: Part) -> _S:
        return self.statement("cluster", _list(sizes))

    def constant(self: _S, text: str) -> _S:
        return self.statement("constant", text)

    def device_variable(self: _S, text: str) -> _S:
        return self.statement("device_variable", text)

    def texture(self: _S, text: str) -> _S:
        return self.statement("texture", text)

    def surface(self: _S, text: str) -> _S:
        return self.statement("surface", text)

    def tensor_map(self: _S, text: str) -> _S:
        return self.statement("tensor_map", text)

    def pipeline(self: _S, text: str) -> _S:
        return self.statement("pipeline", text)

    def device_limits(self: _S, path: str | os.PathLike[str]) -> _S:
        return self.statement("device_limits", _quoted(path))

    def default(self: _S, configuration: Mapping[str, Part] | None = None, /, **values: Part) -> _S:
        return self.statement("default", configuration_text({**(configuration or {}), **values}))


def size_words(sizes: Mapping[str, object]) -> list[str]:
    return [f"--define={pair(name, value)}" for name, value in sizes.items()]
