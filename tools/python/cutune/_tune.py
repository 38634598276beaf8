"""Tuning a space."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from ._error import Interrupted
from ._paths import templates_dir
from ._program import option_words, options, rows_of, run, suggest
from ._result import Result
from ._space import Space, size_words

#: Options that this module sets itself, and the way to the same.
_OWN = {
    "format": "the result has every number: result.row, result.frame()",
    "space": "it is the first argument",
    "quiet": "progress=False is silent",
}


def split_keywords(command: str, keywords: dict[str, Any], space: Space | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of a command, and the other keywords as problem sizes. TypeError for a misspelt option or size."""
    known = options(command)
    for keyword, reason in _OWN.items():
        if keyword in keywords:
            raise TypeError(f"{keyword} is no keyword of {command}: {reason}")
    chosen = {name: value for name, value in keywords.items() if name in known}
    sizes = {name: value for name, value in keywords.items() if name not in known}
    problems = space.problems if space else {name: "" for name in sizes if name == name.upper()}
    for name in sizes:
        if name not in problems:
            hint = suggest(name, [*known, *problems])
            raise TypeError(f"{name} is neither an option of cutune nor a problem size of the space" + (f"; {hint}" if hint else ""))
    return chosen, sizes


def find_space(space: Space | str | os.PathLike[str]) -> tuple[Space | None, str]:
    """The space, as far as it can be read here, and the path or name for the program."""
    if isinstance(space, Space):
        return space, space.materialise()
    path = os.fspath(space)
    name = path if path.endswith(".space") else f"{path}.space"
    templates = [] if os.sep in path else ["templates", os.environ.get("CUTUNE_TEMPLATES") or templates_dir()]
    for place in (path, name, *(os.path.join(folder, name) for folder in templates)):
        if os.path.isfile(place):
            return Space.read(place), path
    return None, path


def sweep(
    space: Space | str | os.PathLike[str] | None = None,
    /,
    *,
    progress: bool | Callable[[str], object] | None = None,
    **keywords: Any,
) -> list[Result]:
    """Tunes for several sizes in turn, `N=[1024, 4096]`, or for each model of several GPUs, `each=True`: a Result for each."""
    known, path = (None, None) if space is None else find_space(space)
    if path is None and "replay" not in keywords:
        raise TypeError("tune needs a space, or replay=JOURNAL")
    chosen, sizes = split_keywords("tune", keywords, known)
    words = [f"--space={path}"] if path else []
    finished = run(["tune", *words, *size_words(sizes), *option_words("tune", {**chosen, "format": "json"})], progress)
    database = os.path.abspath(os.fspath(chosen.get("db") or "cutune.csv"))
    results = [Result(_absolute(row), known, database) for row in rows_of(finished.output)] if finished.output.strip() else []
    if finished.interrupted:
        raise Interrupted(results[-1] if results else None)
    if finished.error:
        raise finished.error
    return results


def _absolute(row: dict[str, Any]) -> dict[str, Any]:
    """The caller may change its working folder."""
    return {**row, "journal": os.path.abspath(row["journal"]) if row.get("journal") else ""}


def tune(
    space: Space | str | os.PathLike[str] | None = None,
    /,
    *,
    progress: bool | Callable[[str], object] | None = None,
    **keywords: Any,
) -> Result:
    """Tunes a space: a path, the name of a template, or a Space.

    Keywords are the problem sizes of the space, `LENGTH=1 << 26`, and the options of the program, `max_time=30`, `set={"TILE": [32, 64]}`.
    `options()` lists them; an unknown one is a TypeError with the nearest. `progress` is False for silence, or a function that gets each
    line of the engine's messages.

    Errors of the engine are cutune.Error. Ctrl-C is cutune.Interrupted: all measurements are saved, and the same call resumes.

    >>> result = tune(replay=recorded_journal, progress=False)
    >>> result.best["TILE"], round(result.speedup, 2)
    (64, 1.61)
    """
    results: Sequence[Result] = sweep(space, progress=progress, **keywords)
    if len(results) != 1:
        raise TypeError(f"there are {len(results)} results: sweep() returns them all")
    return results[0]
