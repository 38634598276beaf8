"""The space of a call: the source, parameters, buffers with their files, the launch and the expected outputs."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._arrays import Array, is_array, synchronise, to_host, view
from .._error import Error
from .._source import _file, _scalar, signature
from .._space import Space
from . import _launch
from ._arguments import Call, NotServed
from ._restrictions import conditions, valid
from ._sources import printing_script, read_source
from ._tables import Parameters, Tables, value_text

#: The relative tolerance of numpy.allclose, which Kernel Tuner compares with.
RELATIVE = 1e-5
_UNVERIFIED = "abs 1e300"


@dataclass
class Made:
    """A space, the values of its parameters in Python, and True if the outputs are compared with an answer."""

    space: Space
    parameters: Parameters
    verified: bool


def parameters_of(tune_params: Mapping[str, Any]) -> Parameters:
    """The values of each parameter, each once. Refuses those that the space language does not have."""
    found = {}
    for name, values in tune_params.items():
        plain = [value.item() if hasattr(value, "item") else value for value in values]
        for value in plain:
            value_text(value, "tune_params")
        found[str(name)] = list(dict.fromkeys(plain))
        if not found[str(name)]:
            raise NotServed("tune_params", f"{name} has no values")
    return found


# ---- The source ----


def _put_source(space: Space, call: Call, parameters: Parameters, folder: str) -> str:
    """Writes the statement `kernel` and the folders of headers. Returns the text with that of its headers."""
    source = read_source(call, parameters)
    name = call["kernel_name"]
    name = name if "<" in name or 'extern "C"' in source.whole else f'"{name}"'
    for include in source.folders:
        _put_option(space, f"-I{include}")
    if source.texts:
        with open(os.path.join(folder, "sources.sh"), "w", encoding="utf-8") as file:
            file.write(printing_script(source, parameters))
        space._own.add("sources.sh")
        using = f" using {', '.join(source.using)}" if source.using else ""
        space.kernel(name).source(f'command "sh sources.sh"{using}')
        return source.whole
    path = os.path.relpath(source.path or folder, folder)
    if not source.path:
        path = "kernel.cu"
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(source.text)
        space._own.add(path)
    space.kernel(name, path)
    return source.whole


def _put_option(space: Space, text: str) -> None:
    if '"' in text or "\\" in text or "\n" in text:
        raise NotServed("compiler_options", f"a quote or a backslash in {text}")
    space.option(f'"{text}"')


# ---- Arguments ----


def _view(argument: str, name: str, value: Any) -> Array:
    import numpy

    try:
        return view(name, numpy.ascontiguousarray(value) if isinstance(value, numpy.ndarray) else value)
    except Error as error:
        raise NotServed(argument, error.message) from None


def _put_arguments(space: Space, call: Call, whole: str, folder: str) -> dict[str, tuple[int, Array]]:
    """Writes the buffers and `args`. Returns the arrays that the kernel may write, by the names of their buffers."""
    known = signature(whole, call["kernel_name"])
    values, answer = list(call["arguments"]), list(call.get("answer") or ())
    if len(known) != len(values):
        known = []
    words, written = [], {}
    for i, value in enumerate(values):
        name = f"arg{i}" + (f"_{known[i].name}" if known else "")
        if not is_array(value):
            try:
                words.append(" ".join(_scalar(name, value)))
            except Error as error:
                raise NotServed("arguments", error.message) from None
            continue
        array = _view("arguments", name, value)
        synchronise([array])
        constant = bool(known) and known[i].constant and not (i < len(answer) and answer[i] is not None)
        fill = _file(space, folder, name, to_host(array), array)
        space.buffer(name, array.type, array.count, fill if constant else f"{fill} inout")
        words.append(name)
        if not constant:
            written[name] = (i, array)
    if not written:
        raise NotServed("arguments", "the kernel writes none of them")
    space.args(*words)
    return written


def _put_constants(space: Space, call: Call, folder: str) -> None:
    import numpy

    for name, value in (call.get("cmem_args") or {}).items():
        array = _view("cmem_args", name, value if is_array(value) else numpy.atleast_1d(numpy.asarray(value)))
        synchronise([array])
        space.buffer(f"constant_{name}", array.type, array.count, _file(space, folder, f"constant_{name}", to_host(array), array))
        space.constant(f"{name} = constant_{name}")


# ---- Expected outputs ----


def _expected(name: str, value: Any, array: Array) -> Any:
    import numpy

    data = to_host(_view("answer", f"answer of {name}", value if is_array(value) else numpy.asarray(value)))
    kept = to_host(array)
    if data.size != kept.size:
        raise NotServed("answer", f"it has {data.size} elements for the {kept.size} of {name}")
    if data.dtype.kind in "fc" and numpy.isnan(data).any():
        raise NotServed("answer", "it expects NaN")
    converted = data.astype(kept.dtype)
    if kept.dtype.kind in "iub" and not (converted == data).all():
        raise NotServed("answer", f"it expects other values than those of {kept.dtype} in {name}")
    return converted


def _put_expected(space: Space, call: Call, written: dict[str, tuple[int, Array]], folder: str) -> bool:
    """Writes the expected outputs. Without an answer, one element of one output is compared, with a tolerance that all numbers meet."""
    import numpy

    answer = list(call.get("answer") or ())
    if answer and len(answer) != len(call["arguments"]):
        raise TypeError("The length of argument list and provided results do not match.")
    compared = [name for name, (i, _) in written.items() if answer and answer[i] is not None]
    unverified = not compared
    if unverified:
        compared = [min(written, key=lambda name: written[name][1].count)]
    for name, (i, array) in written.items():
        if name not in compared:
            space.statement("compare", f"{name} first 0")
            continue
        data = numpy.zeros_like(to_host(array)[:1]) if unverified else _expected(name, answer[i], array)
        space.reference(f"{name} " + _file(space, folder, f"{name}_expected", data, array))
        if unverified:
            space.statement("compare", f"{name} first 1")
    space.tolerance(_UNVERIFIED if unverified else f"rel {RELATIVE!r} abs {float(call.get('atol') or 0)!r}")
    return not unverified


# ---- The space ----


def _put_parameters(space: Space, parameters: Parameters, hidden: set[str], text: str) -> None:
    for name, values in parameters.items():
        macro = f"cutune_{name}" if name in hidden else None
        space.param(name, [value_text(value, "tune_params") for value in values], macro=macro)
    unseen = [name for name in parameters if name in hidden or not re.search(rf"\b{name}\b", text)]
    if unseen:
        space.statement("host", ", ".join(unseen))


def make_space(call: Call, folder: str) -> Made:
    """The space of a call, with its files in `folder`. NotServed names the argument that it cannot express."""
    parameters = parameters_of(call["tune_params"])
    space, tables = Space(), Tables(parameters)
    whole = _put_source(space, call, parameters, folder)
    names = _launch.block_names(call, parameters)
    required = conditions(call, tables, folder)
    grids = _launch.grid(call, names, tables)
    shared = _launch.shared(call, tables)
    macros, hidden = _launch.macros(call, names, grids, tables)
    _put_parameters(space, parameters, hidden, whole)
    for name, text in tables.lets.items():
        space.let(name, text)
    for condition in required:
        space.require(condition)
    for name, text in macros.items():
        if re.search(rf"\b{name}\b", whole):
            space.define(name, text)
    written = _put_arguments(space, call, whole, folder)
    _put_constants(space, call, folder)
    space.block(*_launch.block(names, parameters)).grid(*grids)
    if shared:
        space.shared(shared)
    for option in call.get("compiler_options") or ():
        if not isinstance(option, str):
            raise NotServed("compiler_options", f"{option!r} is no text")
        _put_option(space, option)
    verified = _put_expected(space, call, written, folder)
    default = next(valid(call, parameters, names), None)
    if default:
        space.default({name: value_text(value, "tune_params") for name, value in default.items()})
    space.path = os.path.join(folder, f"{space.name}.space")
    with open(space.path, "w", encoding="utf-8") as file:
        file.write(space.text)
    return Made(space, parameters, verified)
