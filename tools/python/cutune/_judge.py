"""Judging kernels that others wrote."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ._error import ErrorCode, Interrupted
from ._program import option_words, rows_of, run
from ._space import Space, size_words
from ._tune import find_space, split_keywords


@dataclass(frozen=True)
class Judged:
    """A candidate at one problem size. `row` has all numbers by the names of `cutune judge --format json`."""

    row: dict[str, Any]

    @property
    def result(self) -> str:
        """`right`, `suspicious`, `failed` or `wrong`, at this size."""
        return str(self.row["result"])

    @property
    def problem(self) -> str:
        return str(self.row["problem"])

    @property
    def why(self) -> str:
        return str(self.row["why"])

    def _real(self, name: str) -> float:
        value = self.row.get(name)
        return math.nan if value is None else float(value)

    @property
    def time_ns(self) -> float:
        """Median time of a run; NaN without one. `low_ns` and `high_ns` are its interval."""
        return self._real("time_ns")

    @property
    def low_ns(self) -> float:
        return self._real("low_ns")

    @property
    def high_ns(self) -> float:
        return self._real("high_ns")

    @property
    def default_speedup(self) -> float:
        """How many times faster than the space's default it is; NaN: unknown."""
        return self._real("default_speedup")

    @property
    def library_speedup(self) -> float:
        return self._real("library_speedup")

    @property
    def best_known_speedup(self) -> float:
        return self._real("best_known_speedup")


@dataclass(frozen=True)
class Verdict:
    """The verdict about a candidate, the worst of all sizes. `own`: it is about the space's own kernels."""

    candidate: str
    file: str
    own: bool
    verdict: str
    results: Sequence[Judged]

    @property
    def right(self) -> bool:
        return self.verdict == "right"

    @property
    def why(self) -> str:
        """The evidence at the first size with this verdict, or a remark; "": none."""
        return next((judged.why for judged in self.results if judged.result == self.verdict), "")


def judge(
    space: Space | str | os.PathLike[str],
    candidates: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    /,
    *,
    progress: bool | Callable[[str], object] | None = None,
    **keywords: Any,
) -> list[Verdict]:
    """Judges candidates, paths of source files or cubins, by a space. Returns a Verdict for each, in this order, behind those of the
    space's own kernels.

    Keywords are problem sizes, `N=[1024, 1000]`, and the options of `cutune judge`, `sizes=3`, `process="shared"`. A candidate that is
    wrong, failed or suspicious is no error. Errors of the run are cutune.Error.
    """
    known, path = find_space(space)
    files = [candidates] if isinstance(candidates, (str, os.PathLike)) else list(candidates)
    chosen, sizes = split_keywords("judge", keywords, known)
    words = [f"--space={path}", *size_words(sizes), *option_words("judge", {**chosen, "format": "json"})]
    finished = run(["judge", *words, "--", *[os.fspath(file) for file in files]], progress)
    if finished.interrupted:
        raise Interrupted()
    if finished.error and finished.error.code != ErrorCode.CANDIDATE:
        raise finished.error
    return [
        Verdict(row["candidate"], row["file"], row["own"], row["verdict"], [Judged(result) for result in row["results"]])
        for row in rows_of(finished.output)
    ]
