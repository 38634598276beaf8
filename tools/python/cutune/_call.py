"""A call of a kernel in any language as a space: its arguments as they are, the listed configurations, and what must come out."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _answers, _nested
from ._listed import Words, columns, conditions, table, tables, unique
from ._regions import Region, Unsupported, clones, is_tensor, nan, regions, synchronise
from ._source import Tolerance, _tolerance
from ._space import Space
from ._views import native

#: Tolerances without `tolerance=`, by the type of a buffer; types that are not here must be equal.
TOLERANCES = {
    "double": "rel 1e-8 abs 1e-8",
    "float": "rel 1e-3 abs 1e-3",
    "half": "rel 1e-2 abs 1e-2",
    "bfloat16": "rel 2e-2 abs 2e-2",
}
Grid = Callable[[Mapping[str, Any]], Sequence[int]] | Sequence[int]


#: The worker reads this file beside the space.
FACTS = "call.json"


@dataclass(frozen=True)
class Map:
    """An argument that is a tensor map over a tensor. Dimensions are those of the tensor, the outermost first, in elements; `boxes` has
    the box of each row."""

    base: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    boxes: list[tuple[int, ...]]
    nan: bool = False


@dataclass
class Call:
    """A call, as far as cutune knows it.

    kernel     name in the space and the database: the function's, and a hash of all that the code depends on
    problem    problem sizes of the key
    compiler   the worker's module in cutune.compilers
    file       the source that the worker reads; if `text` is given, the name of a file in the space's folder with this text
    title      what the kernel is, for people
    entry      the kernel's name in the source, if `kernel` is not
    values     the arguments by name; `scalars` has the types of those that are numbers, as in a space
    rows       the listed configurations: constants and options by name
    grids      the grid of each row, unless the compiler chooses it; likewise `blocks` and `shared_bytes`
    written    names of the tensors that the kernel may write
    zeroed     those that are zero before each run
    maps       the arguments that are tensor maps, by name
    trees      the arguments as the program passes them, where members of tuples are arguments here: names, and tuples of them
    shaped     the kernel is compiled for the shapes of its tensors, which are dense
    flags      options of the compiler
    facts      what the worker must know beside the space, in its file call.json; without it, all values are in the space
    """

    kernel: str
    problem: dict[str, int]
    compiler: str
    file: str
    title: str
    values: dict[str, Any]
    scalars: dict[str, str]
    rows: list[dict[str, Any]]
    grids: list[Sequence[int]] | None
    written: set[str]
    text: str = ""
    entry: str = ""
    blocks: list[Sequence[int]] | None = None
    shared_bytes: list[int] | None = None
    zeroed: set[str] = field(default_factory=set)
    maps: dict[str, Map] = field(default_factory=dict)
    trees: Sequence[Any] = ()
    shaped: bool = False
    flags: Sequence[str] = ()
    facts: dict[str, Any] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    reference: Callable[..., Any] | None = None
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None
    default: int = 0  # the row that the others are compared with

    def write(self, folder: str) -> str:
        """Writes the space and its files to an empty folder. Returns the space's path."""
        words = Words()
        every = [{name: words.text(value) for name, value in row.items()} for row in self.rows]
        rows = unique(every)
        if len(rows) < 2:
            raise Unsupported("all configurations are the same")
        listed = [name for name, values in columns(rows).items() if len(values) > 1]
        if self.facts is None:
            self._check_words(words)
            listed = list(rows[0])
        else:
            self._write_facts(os.path.join(folder, FACTS), {name: self.rows[0][name] for name in self.rows[0] if name not in listed}, words)
        if self.text:
            with open(os.path.join(folder, self.file), "w", encoding="utf-8") as file:
                file.write(self.text)
        rows = [{name: row[name] for name in listed} for row in rows]
        every = [{name: row[name] for name in listed} for row in every]

        space = Space()
        space.kernel(self.kernel).title(self.title)
        space.compiler(f'command "{self._command()}"')
        for flag in self.flags:
            space.option(f'"{flag}"')
        for name, value in self.problem.items():
            space.problem(name, value)
        for name, values in columns(rows).items():
            space.param(name, values)
        for allowed in conditions(rows):
            space.require(allowed)
        arguments = self._buffers(space, folder, every)
        sizes = {
            "block": tables(every, self.blocks) if self.blocks else ["compiler"],
            "shared": [table(every, self.shared_bytes) if self.shared_bytes else "0" if self.blocks else "compiler"],
            "grid": tables(every, self.grids) if self.grids else ["compiler"],
        }
        if self.entry:
            clauses = " ".join(f"{name} {', '.join(words)}" for name, words in {"args": arguments, **sizes}.items())
            space.launch(f"{self.entry} {clauses}")
        else:
            space.args(*arguments).block(*sizes["block"]).shared(*sizes["shared"]).grid(*sizes["grid"])
        space.default(dict(every[self.default % len(every)]))
        return _answers.save(space, folder)

    # ---- Files ----

    def _command(self) -> str:
        """The worker's command. It gets this process's folders of modules."""
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        folders = os.pathsep.join([package, *(os.path.abspath(folder) for folder in sys.path)])
        words = [f"{name}={shlex.quote(value)}" for name, value in {"PYTHONPATH": folders, **self.variables}.items()]
        facts = [] if self.facts is None else [FACTS]
        words += [shlex.quote(word) for word in (sys.executable, "-m", f"cutune.compilers.{self.compiler}", self.file, *facts)]
        text = " ".join(words)
        if '"' in text or "\n" in text:
            raise Unsupported(f"a path has a quote or a line break: {text}")
        return text

    def _check_words(self, words: Words) -> None:
        for value in words.meanings.values():
            raise Unsupported(f"the value {value!r} of a configuration is neither a number nor a word")

    def _write_facts(self, path: str, fixed: Mapping[str, Any], words: Words) -> None:
        facts = {
            **(self.facts or {}),
            "constants": {name: constant(name, value) for name, value in {**fixed, **(self.facts or {}).get("constants", {})}.items()},
            "words": {name: constant(name, value) for name, value in words.meanings.items()},
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(facts, file, indent=1)

    # ---- Statements ----

    def _tensors(self) -> dict[str, Any]:
        """The memory of the arguments by name."""
        return {
            name: self.maps[name].base if name in self.maps else v for name, v in self.values.items() if name in self.maps or is_tensor(v)
        }

    def _buffers(self, space: Space, folder: str, every: list[dict[str, str]]) -> list[str]:
        """Buffers, tensor maps, references and tolerances. Returns the arguments as text."""
        found = regions(self._tensors(), shaped=self.shaped)
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
            space.buffer(region.name, region.type, self._extents(region), fill + (" inout" if region in outputs else ""))
        for name, map in self.maps.items():
            space.tensor_map(_map_text(f"{name}_map", map, _place(name, owners[name]), every))
        self._verification(space, folder, outputs, expected)
        return [self._argument(name, owners) for name in self.values]

    def _extents(self, region: Region) -> str:
        """The size of a buffer, or its shape."""
        return ", ".join(str(int(size)) for size in region.first.shape or (1,)) if self.shaped else str(region.pad + region.count)

    def _argument(self, name: str, owners: Mapping[str, Region]) -> str:
        """An argument as text of `args`."""
        value = self.values[name]
        if name in self.maps:
            return f"{name}_map"
        if name in owners:
            return _place(name, owners[name])
        if value is None:
            return "null"
        type = self.scalars[name]
        if type in ("float", "double"):
            if not abs(value) < float("inf"):
                raise Unsupported(f"the argument {name} is {value!r}")
            return f"{type} {float(value)!r}"
        return f"{type} {name if self.problem.get(name) == value and type != 'bool' else int(value)}"

    def _expected(self, found: list[Region], outputs: list[Region], initial: Mapping[str, Any]) -> dict[str, Any]:
        """The contents of the buffers that the reference changes, from copies of the arguments."""
        assert self.reference is not None
        flats, copies = clones(found)
        for region in found:
            if set(region.tensors) & self.zeroed:
                flats[region.name].zero_()
        versions = {name: getattr(flat, "_version", 0) for name, flat in flats.items()}
        passed = {name: native(copies.get(name, value)) for name, value in self.values.items()}
        returned = self.reference(*(_nested.fill(tree, passed.__getitem__) for tree in self.trees or self.values))
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


def _place(name: str, region: Region) -> str:
    """The address of a tensor in its buffer."""
    offset = region.pad + region.offset(name)
    return region.name + (f" + {offset}" if offset else "")


def _map_text(name: str, map: Map, place: str, every: list[dict[str, str]]) -> str:
    """The statement of a tensor map: its dimensions begin with the innermost."""
    size = ", ".join(str(extent) for extent in reversed(map.shape))
    box = ", ".join(reversed(tables(every, map.boxes)))
    item_bytes = int(map.base.element_size())
    stride = ", ".join(str(step * item_bytes) for step in reversed(map.strides[:-1]))
    text = f"{name} over {place} size {size} box {box}" + (f" stride {stride}" if stride else "")
    return f"{text} l2_promotion 128" + (" out_of_bounds nan" if map.nan else "")


def constant(name: str, value: Any) -> Any:
    """A constant as JSON."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value).__module__.startswith("triton.language") and type(value).__name__ == "dtype":
        return {"dtype": value.name}
    if type(value).__name__ == "constexpr":
        return constant(name, value.value)
    if type(value) is tuple:
        return {"tuple": [constant(name, member) for member in value]}
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


def digest(*parts: object) -> str:
    """A short hash of the texts of values."""
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:12]


def bits(flags: Iterable[bool]) -> int:
    """
    >>> bits([True, False, True])
    5
    """
    return sum(flag << index for index, flag in enumerate(flags))
