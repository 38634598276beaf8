"""The source of a call: a text, a file, or a list of a file and its headers."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._source import with_includes
from ._arguments import looks_like_a_file
from ._call import Call, NotServed
from ._tables import Function, Parameters, is_plain, tabulate, value_text, word_of

#: Sources that a function makes.
SOURCES_MAX = 4096


@dataclass(frozen=True)
class Source:
    """A source: its `path`, "" if no file has this `text`; the text with that of its headers; folders of headers. A function's source
    has a text for each combination of the parameters `using`; `text` is the first. If there are too many, `make` is called on demand."""

    path: str
    text: str
    whole: str
    folders: tuple[str, ...]
    using: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    make: Function | None = None


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise NotServed("kernel_source", f"cannot open {path}: {error.strerror}") from None


def _without_zero_unrolling(text: str, parameters: Parameters) -> str:
    """A loop_unroll_factor of 0 leaves the compiler its choice: the pragma is then left out."""
    for name, values in parameters.items():
        if "loop_unroll_factor" in name and 0 in values:
            text = re.sub(rf"^([ \t]*#pragma\s+unroll\s+\(?{name}\)?[ \t]*)$", rf"#if {name}\n\1\n#endif", text, flags=re.MULTILINE)
    return text


def _with_texts(text: str, parameters: Parameters) -> str:
    """Begins with the macros of words that stand for texts."""
    texts = {value for values in parameters.values() for value in values if isinstance(value, str) and not is_plain(value)}
    lines = [f"#define {word_of(value)} {value}\n" for value in sorted(texts)]
    return "".join([*lines, "#line 1\n", text]) if lines else text


def _prepared(text: str, parameters: Parameters) -> str:
    return _with_texts(_without_zero_unrolling(text, parameters), parameters)


def _read_function(parts: list[Any], call: Call, parameters: Parameters) -> Source:
    """The texts that a function makes, called here once for each combination of the parameters that it reads."""
    if call.get("lang") is None:
        raise TypeError("Please specify language when using a code generator function")

    def make(configuration: Mapping[str, Any]) -> str:
        return _prepared(str(parts[0](configuration)), parameters)

    names: list[str] = []
    try:
        names, texts = tabulate(make, parameters, "kernel_source", SOURCES_MAX)
    except NotServed:
        texts = []
    first = texts[0] if texts else make({name: values[0] for name, values in parameters.items()})
    headers = [os.fspath(part) for part in parts[1:]]
    whole = with_includes(first, os.getcwd()) + "".join(_read(header) for header in headers)
    folders = [os.getcwd(), *(os.path.dirname(os.path.abspath(header)) for header in headers)]
    return Source("", first, whole, tuple(dict.fromkeys(folders)), tuple(names), tuple(texts), None if texts else make)


def printing_script(source: Source, parameters: Parameters) -> str:
    """A shell script that prints the text for the parameters' values in the environment."""
    lines = ['case "' + " ".join(f"$CUTUNE_{name}" for name in source.using) + '" in']
    combinations = itertools.product(*(parameters[name] for name in source.using))
    for values, text in zip(combinations, source.texts, strict=True):
        end = "CUTUNE_END"
        while end in text:
            end += "_"
        pattern = " ".join(value_text(value, "tune_params") for value in values)
        lines.append(f"\"{pattern}\")\ncat <<'{end}'\n{text}\n{end}\n;;")
    return "\n".join([*lines, "esac", ""])


def read_source(call: Call, parameters: Parameters) -> Source:
    """The source of a call. NotServed if a file is missing, or if it is no CUDA."""
    given: Any = call["kernel_source"]
    parts = list(given) if isinstance(given, (list, tuple)) else [given]
    if callable(parts[0]):
        return _read_function(parts, call, parameters)
    first, *headers = [os.fspath(part) for part in parts]
    is_file = not isinstance(parts[0], str) or looks_like_a_file(first)
    raw = _read(first) if is_file else first
    text = _prepared(raw, parameters)
    place = os.path.dirname(os.path.abspath(first)) if is_file else os.getcwd()
    whole = with_includes(text, place) + "".join(_read(header) for header in headers)
    if call.get("lang") is None and "__global__" not in whole:
        raise NotServed("lang", "the source has no __global__ function of CUDA")
    folders = [os.getcwd(), place, *(os.path.dirname(os.path.abspath(header)) for header in headers)]
    return Source(os.path.abspath(first) if is_file and text == raw else "", text, whole, tuple(dict.fromkeys(folders)))
