"""Tuning without a space file: arguments that are arrays, and parameters as lists. It writes a space and files of the arrays."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._arrays import RAW, TYPES, Array, clone, free_device_bytes, is_array, kind_of, overlap, synchronise, to_host, view
from ._error import Error, ErrorCode
from ._program import warn
from ._result import Result
from ._space import Memory, Part, Space
from ._tune import tune

Dimensions = Part | Sequence[Part]
Tolerance = float | str | Mapping[str, float]


@dataclass
class _Parameter:
    """A parameter of the kernel's signature."""

    name: str
    pointer: bool
    constant: bool


@dataclass
class _Argument:
    """An argument and its place in the space."""

    name: str
    array: Array | None
    scalar: str = ""  # "int n"
    buffer: str = ""
    role: str = "input"  # "input", "output", "inout"
    pad: int = 0  # elements in front of a misaligned array


@dataclass
class _Plan:
    """All arguments, with a buffer for each array that is not another's alias."""

    arguments: list[_Argument]
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def buffers(self) -> list[_Argument]:
        return [argument for argument in self.arguments if argument.array and argument.buffer == argument.name]

    @property
    def outputs(self) -> list[_Argument]:
        return [argument for argument in self.buffers if argument.role != "input"]


# ---- The signature ----


def _matching(text: str, start: int) -> int:
    """The place of the parenthesis or bracket that closes the one at `start`; -1 without one."""
    depth, opening = 0, text[start]
    closing = {"(": ")", "[": "]"}[opening]
    for i in range(start, len(text)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i
    return -1


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def with_includes(text: str, folder: str, depth: int = 8) -> str:
    """The text behind that of the files that it includes in quotes, as far as they are found in its folder."""
    included = ""
    for name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', text, re.MULTILINE) if depth else ():
        path = os.path.join(folder, name)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                included += with_includes(file.read(), os.path.dirname(path), depth - 1)
        except OSError:
            continue
    return included + "\n" + text


def signature(source: str, kernel: str) -> list[_Parameter]:
    """The parameters of a kernel, as far as its text tells; empty if it is not found.

    >>> [(p.name, p.pointer, p.constant) for p in signature("__global__ void f(float *out, const float *in, int n) {}", "f")]
    [('out', True, False), ('in', True, True), ('n', False, False)]
    """
    text = _without_comments(source)
    name = re.escape(re.split(r"[<(]", kernel.strip('"'))[0].split("::")[-1].strip())
    for match in re.finditer(rf"__global__[^;{{}}]*?\b{name}\s*\(", text):
        end = _matching(text, match.end() - 1)
        if end < 0:
            continue
        parts = re.split(r",(?![^<(]*[>)])", text[match.end() : end])
        found = []
        for part in parts:
            words = re.findall(r"[A-Za-z_]\w*", part.split("=")[0])
            if words and part.strip() != "void":
                pointer = "*" in part or "[" in part
                found.append(_Parameter(words[-1], pointer, pointer and bool(re.search(r"\bconst\b", part.split("*")[0]))))
        return found
    return []


# ---- Arguments ----


def _scalar(name: str, value: Any) -> tuple[str, str]:
    """The type and the expression of a scalar argument."""
    import numpy

    if isinstance(value, numpy.generic):
        type_name = TYPES.get(str(value.dtype))
        if type_name is None or type_name in RAW:
            raise Error(ErrorCode.USAGE, f"the argument {name} has the type {value.dtype}, which scalars cannot have")
        return type_name, repr(value.item()) if not isinstance(value, numpy.bool_) else str(int(value))
    if isinstance(value, bool):
        return "bool", str(int(value))
    if isinstance(value, int):
        if not -(2**31) <= value < 2**31:
            raise Error(ErrorCode.USAGE, f"the argument {name} does not fit an int", hint="numpy.int64(value) says its type")
        return "int", str(value)
    raise Error(
        ErrorCode.USAGE,
        f"the argument {name}, {value!r}, is neither an array nor a number with a type",
        hint="numpy.float32(value) or numpy.float64(value) says its type",
    )


def _names(args: Mapping[str, Any] | Sequence[Any], known: list[_Parameter], kernel: str) -> list[str]:
    if isinstance(args, Mapping):
        names = [str(name) for name in args]
    elif known:
        names = [parameter.name for parameter in known]
    else:
        names = [f"arg{i}" for i in range(len(args))]
    if known and len(known) != len(args):
        raise Error(ErrorCode.USAGE, f"{kernel} has {len(known)} parameters ({', '.join(p.name for p in known)}), not {len(args)}")
    for name in names:
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise Error(ErrorCode.USAGE, f"{name!r} is no name of an argument")
    return names


def _roles(plan: _Plan, known: list[_Parameter], outputs: Iterable[str] | None, inout: Iterable[str]) -> None:
    """Outputs are those named, else the arrays that the kernel's signature lets it write."""
    both = set(inout)
    if outputs is not None:
        written = set(outputs) | both
    elif known:
        written = {
            a.name for a, parameter in zip(plan.arguments, known, strict=True) if parameter.pointer and not parameter.constant
        } | both
    elif both:
        written = both
    else:
        raise Error(ErrorCode.USAGE, "the kernel's signature does not tell its outputs", hint="name them: outputs=[...], inout=[...]")
    arrays = {argument.name: argument for argument in plan.arguments if argument.array}
    for name in written - set(arrays):
        raise Error(ErrorCode.USAGE, f"the output {name} is no array among the arguments: {', '.join(arrays) or 'there is none'}")
    for argument in arrays.values():
        if argument.name in written:
            argument.role = "inout" if argument.name in both else "output"
            if argument.array is not None and argument.array.kind == "jax":
                raise Error(ErrorCode.USAGE, f"the argument {argument.name} is a JAX array, which is immutable: it can only be an input")


def _share_buffers(plan: _Plan) -> None:
    """Equal arrays are one buffer; those that share a part of their memory are refused."""
    arrays = [argument for argument in plan.arguments if argument.array]
    for i, argument in enumerate(arrays):
        argument.buffer = argument.name
        for other in arrays[:i]:
            a, b = argument.array, other.array
            assert a is not None and b is not None
            if not overlap(a, b):
                continue
            if (a.address, a.bytes, a.type) != (b.address, b.bytes, b.type):
                raise Error(
                    ErrorCode.USAGE,
                    f"the arguments {other.name} and {argument.name} share a part of their memory",
                    hint="pass copies of them, or one array and its offset",
                )
            argument.buffer = other.buffer
    for argument in arrays:
        owner = next(a for a in arrays if a.name == argument.buffer)
        if argument is not owner and "input" not in (argument.role, owner.role) and argument.role != owner.role:
            owner.role = "inout"
        elif argument is not owner and argument.role != owner.role:
            owner.role = "inout"  # one name reads the memory that the other writes


def _align(plan: _Plan) -> None:
    """An array that begins off an allocation's alignment gets a buffer with as much in front."""
    for argument in plan.buffers:
        array = argument.array
        assert array is not None
        if not array.offset_bytes:
            continue
        if argument.role != "input" or array.offset_bytes % array.item_bytes:
            raise Error(
                ErrorCode.USAGE,
                f"the argument {argument.name} begins {array.offset_bytes} bytes off an allocation's alignment of 256",
                hint="pass a copy of it: a view at an offset can only be an input",
            )
        argument.pad = array.offset_bytes // array.item_bytes


def _make_plan(args: Mapping[str, Any] | Sequence[Any], known: list[_Parameter], kernel: str, reserved: Iterable[str]) -> _Plan:
    plan = _Plan([])
    values = list(args.values()) if isinstance(args, Mapping) else list(args)
    for name, value in zip(_names(args, known, kernel), values, strict=True):
        if is_array(value):
            plan.arguments.append(_Argument(name, view(name, value)))
            continue
        type_name, text = _scalar(name, value)
        if re.fullmatch(r"-?\d+", text) and type_name != "bool" and name not in reserved:
            plan.sizes[name] = int(text)
            text = name
        plan.arguments.append(_Argument(name, None, f"{type_name} {text}"))
    return plan


# ---- Memory ----


def _needed(plan: _Plan, with_expected: bool, on_clones: bool) -> Memory:
    """The largest copy on the host, all files, and the engine's buffers beside the caller's."""
    buffers = [(argument, argument.array) for argument in plan.buffers if argument.array is not None]
    filled = sum(array.bytes for argument, array in buffers if argument.role != "output")
    written = sum(array.bytes for argument, array in buffers if argument.role != "input")
    everything = sum(array.bytes for _, array in buffers)
    host_clones = sum(array.bytes for _, array in buffers if not array.on_device) if on_clones else 0
    return Memory(
        host_bytes=max((array.bytes for _, array in buffers), default=0) + host_clones,
        disk_bytes=filled + (written if with_expected else 0),
        device_bytes=everything + written + sum(array.bytes for argument, array in buffers if argument.role == "inout"),
    )


def _available_host_bytes() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            match = re.search(r"MemAvailable:\s*(\d+) kB", file.read())
            return int(match[1]) * 1024 if match else None
    except OSError:
        return None


def _check_memory(memory: Memory, folder: str) -> None:
    import shutil

    places = (
        ("the host's memory", memory.host_bytes, _available_host_bytes(), ""),
        (f"the disk of {folder}", memory.disk_bytes, shutil.disk_usage(folder).free, "folder= names another place"),
        (
            "the device's memory",
            memory.device_bytes,
            free_device_bytes(),
            "the engine is a process of its own, with its own copies: free what the caller's framework caches, or tune smaller arrays",
        ),
    )
    for place, needed, free, hint in places:
        if free is not None and needed > free:
            raise Error(
                ErrorCode.MEMORY, f"tuning needs {needed / 1e6:.1f} MB of {place}, of which {free / 1e6:.1f} MB are free", hint=hint
            )


# ---- Files ----


def _write(data: Any, array: Array, path: str, pad: int = 0) -> None:
    """A .npy file, or raw data for types that NumPy's files lack."""
    import numpy

    if pad:
        data = numpy.concatenate([numpy.zeros(pad, dtype=data.dtype), data])
    if array.type in RAW:
        data.tofile(path)
    else:
        numpy.save(path, data, allow_pickle=False)


def _file(space: Space, folder: str, name: str, data: Any, array: Array, pad: int = 0) -> str:
    file = name + (".bin" if array.type in RAW else ".npy")
    _write(data, array, os.path.join(folder, file), pad)
    space._own.add(file)
    return f'file("{file}")'


def _expected(plan: _Plan, reference: Any) -> dict[str, Any]:
    """The expected outputs by name: arrays as they are, or what a function over clones leaves or returns."""
    outputs = plan.outputs
    if callable(reference):
        # Equal arrays stay equal: aliases get one clone.
        copies = {a.buffer: clone(a.array) for a in plan.buffers if a.array is not None}
        values = [copies[a.buffer] if a.array is not None else _value(a, plan) for a in plan.arguments]
        returned = reference(*values)
        if returned is None:
            return {argument.name: copies[argument.buffer] for argument in outputs}
        reference = returned
    if isinstance(reference, Mapping):
        return {str(name): value for name, value in reference.items()}
    several = list(reference) if isinstance(reference, (tuple, list)) else [reference]
    if len(several) != len(outputs):
        raise Error(
            ErrorCode.USAGE, f"the reference has {len(several)} arrays for {len(outputs)} outputs: {', '.join(a.name for a in outputs)}"
        )
    return {argument.name: value for argument, value in zip(outputs, several, strict=True)}


def _value(argument: _Argument, plan: _Plan) -> Any:
    """A scalar argument for a reference in Python."""
    text = argument.scalar.split(" ", 1)[1]
    number = plan.sizes.get(text, text)
    return number if isinstance(number, int) else float(number) if re.search(r"[.en]", number) else int(number)


def _put_expected(space: Space, folder: str, plan: _Plan, expected: Mapping[str, Any]) -> None:
    names = [argument.name for argument in plan.outputs]
    for name in expected:
        if name not in names:
            raise Error(ErrorCode.USAGE, f"the reference has {name}, which is no output: {', '.join(names)}")
    for argument in plan.outputs:
        array = argument.array
        if array is None or argument.name not in expected:
            raise Error(ErrorCode.USAGE, f"the reference lacks the output {argument.name}")
        value = expected[argument.name]
        if not kind_of(value):
            import numpy

            value = numpy.asarray(value)
        result = view(f"reference of {argument.name}", value)
        if (result.type, result.count) != (array.type, array.count):
            raise Error(
                ErrorCode.USAGE,
                f"the reference of {argument.name} is {result.type}[{result.count}], and the argument is {array.type}[{array.count}]",
            )
        synchronise([result])
        space.reference(f"{argument.name} " + _file(space, folder, f"{argument.name}_expected", to_host(result), array))


# ---- The space ----


def _source_file(space: Space, source: str | os.PathLike[str], kernel: str, folder: str) -> str:
    """The path of the source from the folder of the space, and the source's text."""
    text = os.fspath(source)
    if "\n" in text or "{" in text:
        name = re.sub(r"\W.*", "", kernel.strip('"')) or "kernel"
        with open(os.path.join(folder, f"{name}.cu"), "w", encoding="utf-8") as file:
            file.write(text)
        space._own.add(f"{name}.cu")
        space.kernel(kernel, f"{name}.cu")
        return text
    try:
        with open(text, encoding="utf-8", errors="replace") as file:
            read = file.read()
    except OSError as error:
        raise Error(ErrorCode.NOT_FOUND, f"cannot open {text}: {error.strerror}") from None
    space.kernel(kernel, os.path.relpath(os.path.abspath(text), folder))
    return read


def _tolerance(tolerance: Tolerance) -> str:
    """
    >>> _tolerance(1e-5), _tolerance({"rel": 1e-5, "abs": 1e-6}), _tolerance(0)
    ('rel 1e-05', 'rel 1e-05 abs 1e-06', '0')
    """
    if isinstance(tolerance, str):
        return tolerance
    if isinstance(tolerance, Mapping):
        return " ".join(f"{kind} {value!r}" for kind, value in tolerance.items())
    return f"rel {tolerance!r}" if tolerance else "0"


def _dimensions(value: Dimensions) -> Sequence[Part]:
    return (value,) if isinstance(value, (str, int, float)) else tuple(value)


def make_space(
    source: str | os.PathLike[str],
    kernel: str,
    args: Mapping[str, Any] | Sequence[Any],
    *,
    params: Mapping[str, str | Iterable[Part]],
    block: Dimensions,
    grid: Dimensions,
    reference: Any = None,
    tolerance: Tolerance | Mapping[str, Tolerance] = 0,
    outputs: Iterable[str] | None = None,
    inout: Iterable[str] = (),
    sizes: Mapping[str, int] | None = None,
    require: str | Iterable[str] = (),
    shared: Part | None = None,
    default: Mapping[str, Part] | None = None,
    statements: str = "",
    folder: str | os.PathLike[str] | None = None,
) -> Space:
    """The space and the files that tune_source tunes; see there."""
    import tempfile

    kept = None if folder is not None else tempfile.TemporaryDirectory(prefix="cutune-source-")
    place = os.path.abspath(folder) if folder is not None else kept.name if kept else ""
    os.makedirs(place, exist_ok=True)
    space = Space(_folder=kept)
    text = _source_file(space, source, kernel, place)
    known = signature(with_includes(text, place if space._own else os.path.dirname(os.path.abspath(source))), kernel)
    plan = _make_plan(args, known, kernel, params)
    _roles(plan, known, outputs, inout)
    _share_buffers(plan)
    if not plan.outputs:
        raise Error(ErrorCode.USAGE, "no argument is an output", hint="name them: outputs=[...], inout=[...]")
    _align(plan)
    arrays = [argument.array for argument in plan.buffers if argument.array]
    space.memory = _needed(plan, reference is not None and not isinstance(reference, str), callable(reference))
    _check_memory(space.memory, place)
    synchronise(arrays)

    for name, value in {**plan.sizes, **(sizes or {})}.items():
        space.problem(name, value)
    for name, values in params.items():
        space.param(name, values)
    for condition in [require] if isinstance(require, str) else require:
        space.require(condition)
    for argument in plan.buffers:
        array = argument.array
        assert array is not None
        fill = "output"
        if argument.role != "output":
            fill = _file(space, place, argument.name, to_host(array), array, argument.pad)
            fill += " inout" if argument.role == "inout" else ""
        space.buffer(argument.name, array.type, argument.pad + array.count, fill)
    pads = {argument.name: f" + {argument.pad}" for argument in plan.buffers if argument.pad}
    space.args(*(a.scalar or a.buffer + pads.get(a.buffer, "") for a in plan.arguments))
    space.block(*_dimensions(block)).grid(*_dimensions(grid))
    if shared is not None:
        space.shared(shared)
    if reference is None:
        space.reference("default")
    elif isinstance(reference, str):
        space.reference(reference)
    else:
        _put_expected(space, place, plan, _expected(plan, reference))
    if isinstance(tolerance, Mapping) and not set(tolerance) <= {"rel", "abs"}:
        for name, allowed in tolerance.items():
            space.tolerance(f"{name} {_tolerance(allowed)}")
    else:
        space.tolerance(_tolerance(tolerance))  # type: ignore[arg-type]
    for line in statements.splitlines():
        if line.strip():
            space.statement(*line.split(None, 1))
    first = {name: values[0] for name, values in params.items() if isinstance(values, (list, tuple))}
    if default is not None or len(first) == len(params):
        space.default(default if default is not None else first)
    space.path = os.path.join(place, f"{space.name}.space")
    with open(space.path, "w", encoding="utf-8") as file:
        file.write(space.text)
    return space


def tune_source(
    source: str | os.PathLike[str],
    kernel: str,
    args: Mapping[str, Any] | Sequence[Any],
    *,
    params: Mapping[str, str | Iterable[Part]],
    block: Dimensions,
    grid: Dimensions,
    reference: Any = None,
    tolerance: Tolerance | Mapping[str, Tolerance] = 0,
    outputs: Iterable[str] | None = None,
    inout: Iterable[str] = (),
    sizes: Mapping[str, int] | None = None,
    require: str | Iterable[str] = (),
    shared: Part | None = None,
    default: Mapping[str, Part] | None = None,
    statements: str = "",
    folder: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[str], object] | None = None,
    **options: Any,
) -> Result:
    """Tunes a kernel for arguments that the caller has. `result.space` is the space that it wrote; `.save(path)` keeps it.

    source     path or text of the CUDA source
    kernel     the kernel's name; a template's instance may name parameters: "scale<TILE>"
    args       arrays of NumPy, CuPy, torch, Numba, JAX, and scalars with a type (numpy.float32(2); int is `int`), in order or by name
    params     the values of each parameter: a list, or text such as "64..1024 times 2"
    block, grid, shared, require   expressions of the space language, over parameters and integer arguments
    reference  a Python function over clones of the arguments, which writes its outputs or returns them; arrays; the text of a `reference`
               statement, "plain block 256 grid ceildiv(n, 256)"; None: the outputs of the default configuration
    tolerance  relative, or {"rel": ..., "abs": ...}, or one for each output by name
    outputs, inout   arrays that the kernel writes, and those that it also reads; by default, pointers to non-const are outputs
    default    the configuration of untuned code; by default, the first value of each list
    folder     where to write the space and the arrays' files; by default, a temporary folder, removed with the result
    options    as those of tune()

    Arrays are copied to files once, and the engine's processes have memory of their own: `result.space.memory` says how much.
    """
    space = make_space(
        source,
        kernel,
        args,
        params=params,
        block=block,
        grid=grid,
        reference=reference,
        tolerance=tolerance,
        outputs=outputs,
        inout=inout,
        sizes=sizes,
        require=require,
        shared=shared,
        default=default,
        statements=statements,
        folder=folder,
    )
    if progress is None and space.memory.disk_bytes >= 1 << 28:
        warn(f"tuning needs {space.memory}")
    return tune(space, progress=progress, **options)
