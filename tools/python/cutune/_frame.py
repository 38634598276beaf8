"""Tables as frames: a pandas.DataFrame if pandas is installed, else a dict of NumPy arrays."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._error import Error, ErrorCode


def number(text: str) -> int | float | str:
    """A cell as a number if it is one.

    >>> number("64"), number("0.5"), number("pinned")
    (64, 0.5, 'pinned')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def configuration_of(text: str) -> dict[str, int | float | str]:
    """The values of a configuration, or of problem sizes.

    >>> configuration_of("TILE=64 LOAD=cg")
    {'TILE': 64, 'LOAD': 'cg'}
    """
    return {name: number(value) for name, _, value in (part.partition("=") for part in text.split())}


def column(cells: Sequence[object]) -> Any:
    """Cells as an array: integers, else floats with NaN for missing ones, else objects with "" for missing texts."""
    import numpy

    values = [number(cell) if isinstance(cell, str) else cell for cell in cells]
    present = [value for value in values if value is not None and value != ""]
    numeric = [value for value in present if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if present and len(numeric) == len(present):
        whole = len(present) == len(values) and all(isinstance(value, int) and abs(value) < 2**63 for value in numeric)
        if whole:
            return numpy.array(values, dtype=numpy.int64)
        return numpy.array([math.nan if value is None or value == "" else value for value in values], dtype=numpy.float64)
    if present and all(isinstance(value, bool) for value in present) and len(present) == len(values):
        return numpy.array(values, dtype=numpy.bool_)
    return numpy.array(["" if cell is None else cell for cell in cells], dtype=object)


def frame(columns: Mapping[str, Sequence[object]]) -> Any:
    made = {name: column(cells) for name, cells in columns.items()}
    try:
        import pandas
    except ImportError:
        return made
    return pandas.DataFrame(made)


def frame_of_rows(rows: Sequence[Mapping[str, object]]) -> Any:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return frame({name: [row.get(name) for row in rows] for name in names})


def _unescape(value: str) -> str:
    """The value of a journal's header line."""
    parts = {"\\": "\\", "n": "\n", "r": "\r", "'": ""}
    text, at = "", 0
    while at < len(value):
        if value[at] == "\\" and at + 1 < len(value):
            text += parts.get(value[at + 1], value[at : at + 2])
            at += 2
        else:
            text += value[at]
            at += 1
    return text


def _plain(cell: str) -> str:
    """Drops the apostrophe in front of a text that a spreadsheet would run as a formula."""
    return cell[1:] if len(cell) > 1 and cell[0] == "'" and cell[1] in "=+-@\t\r" else cell


def read_journal(path: str | os.PathLike[str]) -> tuple[dict[str, str], list[str], list[list[str]]]:
    """The header lines, the names of the columns, and the rows. An incomplete last line is ignored."""
    import csv

    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except OSError as error:
        raise Error(ErrorCode.NOT_FOUND, f"cannot open {os.fspath(path)}: {error.strerror}") from None
    lines = text.split("\n")
    if not lines[0].startswith("# cutune journal "):
        raise Error(ErrorCode.DATA, "this is no journal of cutune", source=os.fspath(path), line=1)
    count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    header = {}
    for line in lines[1:count]:
        name, _, value = line[2:].partition(" = ")
        header[name.strip().removesuffix(" =")] = _unescape(value)
    table = list(csv.reader("\n".join(lines[count:-1]).splitlines(keepends=True)))
    if not table:
        return header, [], []
    names = table[0]
    return header, names, [[_plain(cell) for cell in row] for row in table[1:] if len(row) == len(names)]
