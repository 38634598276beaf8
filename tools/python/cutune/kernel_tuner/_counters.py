"""Hardware counters of the configurations of a run, for Kernel Tuner's NCUObserver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._database import Journal
from .._error import Error
from .._program import command
from ._call import NotServed
from ._observers import metric

Cells = tuple[str, ...]
#: The configurations of one call of the program.
_TOGETHER = 200


def _evidence(path: str) -> dict[Cells, dict[str, str]]:
    """The numbers of each configuration's launch, by the cells of its parameters."""
    journal = Journal(path)
    count, status, message = len(journal.parameters), journal.columns.index("status"), journal.columns.index("message")
    found: dict[Cells, dict[str, str]] = {}
    for cells in journal.cells(history=True):
        if cells[status] == "evidence":
            parts = (part.partition("=") for part in cells[message].split())
            found[tuple(cells[:count])] = {name: value for name, _, value in parts}
    return found


def count(journal: Journal, space: str, device: Any, metrics: Sequence[str]) -> dict[Cells, dict[str, float]]:
    """The metrics of each configuration that has a time. The engine counts what its journal lacks. NotServed if it cannot."""
    names, status = journal.parameters, journal.columns.index("status")
    timed = [tuple(cells[: len(names)]) for cells in journal.cells() if cells[status] in ("ok", "slower", "duplicate")]
    texts = [" ".join(f"{name}={cell}" for name, cell in zip(names, cells, strict=True)) for cells in timed]
    for begin in range(0, len(texts), _TOGETHER):
        some = texts[begin : begin + _TOGETHER]
        try:
            command("explain", journal.path, config=some, space=space, device=device, neighbours=0, format="json")
        except Error as error:
            raise NotServed("observers", f"the engine cannot count: {error.message}") from None
    found = _evidence(journal.path)
    try:
        return {cells: {name: metric(name, found[cells]) for name in metrics} for cells in timed}
    except KeyError:
        raise NotServed("observers", "hardware counters cannot be read: `cutune doctor` says why") from None
