"""A tuned kernel as a function."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, overload

from ._database import Database, Device
from ._error import Error, ErrorCode
from ._program import suggest
from ._space import Space

if TYPE_CHECKING:
    from ._callable import Kernel, SizedKernel

Sizes = Callable[..., Mapping[str, object]]
Path = str | os.PathLike[str]
#: Rules that answer for the sizes themselves.
_TUNED = ("problem", "fit")


def _find(space: Space | Path) -> tuple[Space, str]:
    from ._tune import find_space

    known, _ = find_space(space)
    if known is None:
        raise Error(ErrorCode.NOT_FOUND, f"there is no space {space}", hint="name a .space file or a template")
    return known, os.path.abspath(known.materialise())


def _check_sizes(space: Space, sizes: Mapping[str, object]) -> None:
    for name in sizes:
        if name not in space.problems:
            hint = suggest(name, [*space.problems, "sizes", "db", "device", "stale", "tune", "progress"])
            raise TypeError(f"{name} is neither a keyword of kernel nor a problem size of the space" + (f"; {hint}" if hint else ""))


def _open(db: Database | Path) -> Database:
    if isinstance(db, Database):
        return db
    try:
        return Database(db)
    except Error as error:
        if error.code == ErrorCode.NOT_FOUND:
            error.hint = "cutune.tune makes it, and so does tune=True; db= names another"
        raise


@overload
def kernel(
    space: Space | Path,
    /,
    *,
    sizes: None = None,
    db: Database | Path = "cutune.csv",
    device: int | None = None,
    stale: bool = False,
    tune: bool = False,
    progress: bool | Callable[[str], object] | None = None,
    **problem: Any,
) -> Kernel: ...


@overload
def kernel(
    space: Space | Path,
    /,
    *,
    sizes: Sizes,
    db: Database | Path = "cutune.csv",
    device: int | None = None,
    stale: bool = False,
    **problem: Any,
) -> SizedKernel: ...


def kernel(
    space: Space | Path,
    /,
    *,
    sizes: Sizes | None = None,
    db: Database | Path = "cutune.csv",
    device: int | None = None,
    stale: bool = False,
    tune: bool = False,
    progress: bool | Callable[[str], object] | None = None,
    **problem: Any,
) -> Kernel | SizedKernel:
    """A tuned kernel as a function of its arrays: `smooth = cutune.kernel("smooth.space", LENGTH=n)`, then `smooth(out, x)`.

    space      a path, a template's name, or a Space
    sizes      a function of the arrays that returns the problem sizes: `lambda out, x: {"LENGTH": x.numel()}`
    db         the database, or its path
    device     the GPU's number in this process; by default, the current one
    stale      also use results of other versions of the space or its source
    tune       True: tune first unless the database has a result for these sizes; `progress` as in tune()
    problem    problem sizes; missing ones are the space's own

    The configuration is the best that the database has, by its rules; `.rule` says which one answered. A kernel that is not in the
    cache of compiled kernels is compiled by another process.
    """
    known, path = _find(space)
    _check_sizes(known, problem)
    if sizes is not None and tune:
        raise TypeError("tune=True needs sizes as keywords: tune the sizes first, with cutune.sweep or `cutune fit`")
    from ._callable import Kernel, SizedKernel
    from ._lookup import Question

    gpu = Device.current(device)
    number = gpu.number
    if tune and not isinstance(db, Database) and not os.path.exists(db):
        _tune(known, db, gpu, problem, progress)
    question = Question(path, problem, gpu, _open(db), stale)
    if sizes is not None:
        return SizedKernel(question, number, known.name, sizes)
    found = Kernel(question, number, known.name)
    if tune and found.rule not in _TUNED:
        place = question.database.path
        _tune(known, place, gpu, problem, progress)
        found = Kernel(Question(path, problem, gpu, _open(place), stale), number, known.name)
    return found


def _tune(space: Space, db: Path, device: Device, problem: Mapping[str, object], progress: bool | Callable[[str], object] | None) -> None:
    from ._tune import tune

    tune(space, progress=progress, db=db, device=f"GPU-{device.uuid}", **problem)
