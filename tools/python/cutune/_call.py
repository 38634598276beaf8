"""A call of a Triton kernel as a space: its arguments as they are, the listed configurations, and what must come out."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _answers
from ._listed import Words, columns, condition, table, texts
from ._regions import Region, Unsupported, clones, is_tensor, nan, regions, synchronise
from ._source import Tolerance, _tolerance
from ._space import Space

#: Tolerances without `tolerance=`, by the type of a buffer; types that are not here must be equal.
TOLERANCES = {
    "double": "rel 1e-8 abs 1e-8",
    "float": "rel 1e-3 abs 1e-3",
    "half": "rel 1e-2 abs 1e-2",
    "bfloat16": "rel 2e-2 abs 2e-2",
}
Grid = Callable[[Mapping[str, Any]], Sequence[int]] | Sequence[int]


@dataclass
class Call:
    """A call, as far as cutune knows it.

    kernel     name in the space and the database: the function's, and a hash of its source, types, constants and configurations
    problem    problem sizes of the key
    file, module, package, function, source   where a worker finds the function: see compilers/_slice.py
    values     the arguments by name, without the listed ones
    types      Triton's types of the run-time arguments
    rows       the listed configurations: constexprs, options and values of heuristics by name
    grids      the grid of each row
    written    names of the tensors that the kernel may write
    zeroed     those that are zero before each run
    """

    kernel: str
    problem: dict[str, int]
    file: str
    module: str
    package: str
    function: str
    source: str
    values: dict[str, Any]
    types: dict[str, str]
    rows: list[dict[str, Any]]
    grids: list[Sequence[int]]
    written: set[str]
    zeroed: set[str] = field(default_factory=set)
    cache_folder: str = ""
    reference: Callable[..., Any] | None = None
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None
    default: int = 0  # the row that the others are compared with

    def write(self, folder: str) -> str:
        """Writes the space and its files to an empty folder. Returns the space's path."""
        words = Words()
        rows = texts(self.rows, words)
        listed = {name: values for name, values in columns(rows).items() if len(values) > 1}
        if not listed:
            raise Unsupported("all configurations are the same")
        fixed = {name: self.rows[0][name] for name in self.rows[0] if name not in listed}
        rows = [{name: row[name] for name in listed} for row in rows]
        self._write_facts(os.path.join(folder, "call.json"), fixed, words)

        space = Space()
        space.kernel(self.kernel).title(f"{self.function} of {os.path.basename(self.file)}")
        space.compiler(f'command "{self._command()}"')
        for name, value in self.problem.items():
            space.problem(name, value)
        for name, values in listed.items():
            space.param(name, values)
        if allowed := condition(rows):
            space.require(allowed)
        self._buffers(space, folder)
        space.block("compiler").shared("compiler").grid(*self._grid(rows, words))
        space.default(dict(rows[self.default % len(rows)]))
        return _answers.save(space, folder)

    # ---- Files ----

    def _command(self) -> str:
        """The worker's command. It gets this process's folders of modules, and Triton's folder of compiled kernels."""
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        folders = os.pathsep.join([package, *(os.path.abspath(folder) for folder in sys.path)])
        variables = {"PYTHONPATH": folders, **({"TRITON_CACHE_DIR": self.cache_folder} if self.cache_folder else {})}
        words = [*(f"{name}={shlex.quote(value)}" for name, value in variables.items())]
        words += [shlex.quote(word) for word in (sys.executable, "-m", "cutune.compilers.triton", self.file, "call.json")]
        text = " ".join(words)
        if '"' in text or "\n" in text:
            raise Unsupported(f"a path has a quote or a line break: {text}")
        return text

    def _write_facts(self, path: str, fixed: Mapping[str, Any], words: Words) -> None:
        constants = {**fixed, **{name: value for name, value in self.values.items() if name not in self.types and not is_tensor(value)}}
        facts = {
            "module": self.module,
            "package": self.package,
            "function": self.function,
            "source": self.source,
            "types": {name: type for name, type in self.types.items() if type != "constexpr"},
            "constants": {name: _constant(name, value) for name, value in constants.items()},
            "words": {name: _constant(name, value) for name, value in words.meanings.items()},
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(facts, file, indent=1)

    # ---- Statements ----

    def _grid(self, rows: Sequence[Mapping[str, str]], words: Words) -> list[str]:
        known: dict[tuple[str, ...], tuple[int, ...]] = {}
        for row, grid in zip(self.rows, self.grids, strict=True):
            known.setdefault(tuple(words.text(row[name]) for name in rows[0]), tuple(int(size) for size in grid))
        count = max(len(grid) for grid in known.values())
        grids = [known[tuple(row.values())] + (1,) * (count - len(known[tuple(row.values())])) for row in rows]
        return [table(rows, [grid[axis] for grid in grids]) for axis in range(count)]

    def _buffers(self, space: Space, folder: str) -> None:
        """Buffers, arguments, references and tolerances."""
        found = regions({name: value for name, value in self.values.items() if name in self.types and is_tensor(value)})
        synchronise()
        owners = {name: region for region in found for name in region.tensors}
        outputs = [region for region in found if self.written & set(region.tensors)]
        if not outputs:
            raise Unsupported("the kernel writes no tensor")
        initial = {region.name: region.host(region.flat) for region in found}
        for region in outputs:
            initial[region.name][nan(initial[region.name], region)] = 0  # memory that nobody has written yet
        expected = self._expected(found, outputs, initial) if self.reference else {}
        for region in found:
            zero = set(region.tensors) <= self.zeroed
            fill = "zero" if zero else region.write(initial[region.name], folder)
            space.buffer(region.name, region.type, region.pad + region.count, fill + (" inout" if region in outputs else ""))
        space.args(*(self._argument(name, owners) for name in self.types))
        self._verification(space, folder, outputs, expected)

    def _argument(self, name: str, owners: Mapping[str, Region]) -> str:
        """A run-time argument as text of `args`."""
        value = self.values[name]
        if name in owners:
            region = owners[name]
            offset = region.pad + region.offset(name)
            return region.name + (f" + {offset}" if offset else "")
        if value is None:
            return "null"
        if isinstance(value, bool):
            return f"bool {int(value)}"
        if isinstance(value, int):
            return f"{integer_type(value)} {name if self.problem.get(name) == value else value}"
        if isinstance(value, float) and abs(value) < float("inf"):
            return f"{'double' if self.types[name] == 'fp64' else 'float'} {value!r}"
        raise Unsupported(f"the argument {name} is {value!r}")

    def _expected(self, found: list[Region], outputs: list[Region], initial: Mapping[str, Any]) -> dict[str, Any]:
        """The contents of the buffers that the reference changes, from copies of the arguments."""
        assert self.reference is not None
        flats, copies = clones(found)
        for region in found:
            if set(region.tensors) & self.zeroed:
                flats[region.name].zero_()
        versions = {name: getattr(flat, "_version", 0) for name, flat in flats.items()}
        returned = self.reference(*(copies.get(name, value) for name, value in self.values.items() if name in self.types))
        if returned is not None:
            _put(returned, copies, [name for name in copies if name in self.written])
        result = {}
        for region in outputs:
            data = region.host(flats[region.name])
            data[nan(data, region) & (initial[region.name] == 0)] = 0
            if getattr(flats[region.name], "_version", 0) != versions[region.name] or (data != initial[region.name]).any():
                result[region.name] = data
        if not result:
            raise Unsupported("the reference changes no tensor that the kernel writes, and returns none")
        return result

    def _verification(self, space: Space, folder: str, outputs: list[Region], expected: Mapping[str, Any]) -> None:
        own = self.tolerance if isinstance(self.tolerance, Mapping) and not set(self.tolerance) <= {"rel", "abs"} else {}
        if not expected:
            space.reference("default")
        for region in outputs:
            if region.name in expected:
                space.reference(f"{region.name} " + region.write(expected[region.name], folder, "_expected"))
            elif expected:
                space.compare(region.name, 0)  # the reference does not compute it
            given = own.get(region.name, None if own else self.tolerance)
            text = TOLERANCES.get(region.type, "0") if given is None else _tolerance(given)  # type: ignore[arg-type]
            space.tolerance(f"{region.name} {text}")


def _constant(name: str, value: Any) -> Any:
    """A constant as JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value).__module__.startswith("triton.language") and type(value).__name__ == "dtype":
        return {"dtype": value.name}
    if type(value).__name__ == "constexpr":
        return _constant(name, value.value)
    raise Unsupported(f"the constant {name} is a {type(value).__name__}")


def _put(returned: Any, copies: Mapping[str, Any], names: list[str]) -> None:
    """Copies the tensors that a reference returns to the arguments: by name, or to those that the kernel writes, in order."""
    if not isinstance(returned, Mapping):
        several = list(returned) if isinstance(returned, (tuple, list)) else [returned]
        if len(several) != len(names):
            raise Unsupported(f"the reference returns {len(several)} tensors, and the kernel writes {', '.join(names)}: return a dict")
        returned = dict(zip(names, several, strict=True))
    for name, value in returned.items():
        if name not in copies:
            raise Unsupported(f"the reference returns {name}, which is no tensor of the call")
        copies[name].copy_(value)


def integer_type(value: int) -> str:
    """The type that Triton gives an integer.

    >>> [integer_type(value) for value in (5, -(2**31), 2**31, 2**63)]
    ['int', 'int', 'long', 'ulong']
    """
    if -(2**31) <= value < 2**31:
        return "int"
    return "long" if value < 2**63 else "ulong"


def digest(*parts: object) -> str:
    """A short hash of the texts of values."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:12]


def bits(flags: Iterable[bool]) -> int:
    """
    >>> bits([True, False, True])
    5
    """
    return sum(flag << index for index, flag in enumerate(flags))
