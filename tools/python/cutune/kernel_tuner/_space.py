"""The space of a call: the source, parameters, buffers with their files, the launch and the expected outputs."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from .._arrays import Array, is_array, synchronise, to_host, view
from .._error import Error
from .._source import _file, _scalar, signature
from .._space import Space
from . import _launch
from ._call import Call, NotServed
from ._choices import Choice, choice_of, is_tunable, launches
from ._outputs import Judge, judged_here
from ._provider import Answer, Provider, source_of
from ._restrictions import EXCLUDED, conditions, valid
from ._sources import printing_script, read_source
from ._tables import Function, Parameters, Tables, value_text
from ._written import only_read

#: The relative tolerance of numpy.allclose, which Kernel Tuner compares with.
RELATIVE = 1e-5
_UNVERIFIED = "abs 1e300"


@dataclass(frozen=True)
class Way:
    """A way to make a call's space. `wrote`: the numbers of arguments that an earlier run found written. `noted`: outputs without an answer
    are held against those of the first configuration, and differences are notes. `nvcc`: it compiles, not NVRTC."""

    wrote: frozenset[int] = frozenset()
    noted: bool = True
    nvcc: bool = False


@dataclass
class Made:
    """A space, the values of its parameters in Python, and what the caller's process does for a run. `verified`: something verifies the
    outputs. `noted`: they are held against those of the first configuration, and differences are notes."""

    space: Space
    path: str
    parameters: Parameters
    verified: bool
    provider: Provider
    judge: Judge | None = None
    noted: bool = False


def parameters_of(tune_params: Mapping[str, Any]) -> Parameters:
    """The values of each parameter, each once. Refuses those that are neither numbers nor texts."""
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


def _name(call: Call, whole: str) -> str:
    """The kernel's name in the space: a name expression in quotes unless the source has it as it is."""
    name = str(call["kernel_name"])
    return name if "<" in name or 'extern "C"' in whole else f'"{name}"'


def _put_source(space: Space, call: Call, parameters: Parameters, folder: str, provider: Provider, late: list[Function]) -> str:
    """Writes the statement `kernel` and the folders of headers. Returns the text with that of its headers. `late`: restrictions that
    are called for each configuration before its source."""
    source = read_source(call, parameters)
    name = _name(call, source.whole)
    for include in source.folders:
        _put_option(space, f"-I{include}")
    if source.make or late:
        make = source.make or (lambda p: source.text)

        def provide(configuration: Mapping[str, Any], _: str) -> Answer:
            return (0, make(configuration)) if all(function(configuration) for function in late) else (1, f"{EXCLUDED}\n")

        # The texts are unknown before the run, so that a later run never continues this one.
        command = provider.command("source", parameters, parameters, provide, str(time.time_ns()))
        space.kernel(name).source(f'command "{command}"')
        return source.whole
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


@dataclass
class Arguments:
    """The arguments of the kernel: the words of `args` for each of their values, and the buffers that it may write, by argument."""

    choices: list[Choice]
    words: list[list[str]]
    written: dict[int, list[tuple[str, Array]]]


def _put_arguments(space: Space, call: Call, choices: list[Choice], whole: str, folder: str, wrote: Collection[int]) -> Arguments:
    """Writes the buffers. Those that the source seems to read only are inputs, unless an earlier run `wrote` them."""
    known = signature(whole, call["kernel_name"])
    answer = call.get("answer")
    expected = [] if answer is None or is_tunable(answer) else list(answer)
    if len(known) != len(choices):
        known = []
    read = only_read(whole, call["kernel_name"]) if known else set()
    found = Arguments(choices, [], {})
    for i, choice in enumerate(choices):
        base = f"arg{i}" + (f"_{known[i].name}" if known else "")
        wanted = i < len(expected) and expected[i] is not None
        constant = bool(known) and (known[i].constant or known[i].name in read) and not wanted and i not in wrote
        found.words.append([])
        for number, value in enumerate(choice.values):
            name = base if len(choice.values) == 1 else f"{base}_{number}"
            if not is_array(value):
                try:
                    found.words[i].append(" ".join(_scalar(name, value)))
                except Error as error:
                    raise NotServed("arguments", error.message) from None
                continue
            if not math.prod(value.shape):  # no address is right for it
                found.words[i].append("null")
                continue
            array = _view("arguments", name, value)
            synchronise([array])
            fill = _file(space, folder, name, to_host(array), array)
            space.buffer(name, array.type, array.count, fill if constant else f"{fill} inout")
            found.words[i].append(name)
            if not constant:
                found.written.setdefault(i, []).append((name, array))
    if not found.written:
        raise NotServed("arguments", "the kernel writes none of them")
    return found


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


def _has_answer(call: Call) -> bool:
    answer: Any = call.get("answer")
    return answer is not None and (is_tunable(answer) or any(value is not None for value in answer))


def _put_judge(space: Space, call: Call, arguments: Arguments, provider: Provider, parameters: Parameters) -> Judge:
    """Lets the caller's process judge the outputs that have an answer, or all without one."""
    answer: Any = call.get("answer")
    some = answer is not None and not is_tunable(answer)
    if some and len(answer) != len(call["arguments"]):
        raise TypeError("The length of argument list and provided results do not match.")
    names = {i: [name for name, _ in several] for i, several in arguments.written.items() if not some or answer[i] is not None}
    for i, several in arguments.written.items():
        for name, _ in several if i not in names else ():
            space.compare(name, 0)
    judge = Judge(call, arguments.choices, names)
    command = provider.command("accept", parameters, parameters, judge, source_of(call.get("verify")))
    space.accept(f'command "{command}" args {", ".join(name for several in names.values() for name in several)}')
    return judge


def _put_held(space: Space, call: Call, arguments: Arguments, folder: str, noted: bool) -> None:
    """Outputs without an answer. `noted`: they are held against those of the first configuration, and differences are notes. Else one
    element of one output is compared, with a tolerance that all numbers meet."""
    import numpy

    if noted:
        space.reference("default note").tolerance(_tolerance(call))
        return
    buffers = [buffer for several in arguments.written.values() for buffer in several]
    least = min(buffers, key=lambda buffer: buffer[1].count)[0]
    for name, array in buffers:
        space.compare(name, int(name == least))
        if name == least:
            space.reference(f"{name} " + _file(space, folder, f"{name}_expected", numpy.zeros_like(to_host(array)[:1]), array))
    space.tolerance(_UNVERIFIED)


def _tolerance(call: Call) -> str:
    return f"rel {RELATIVE!r} abs {float(call.get('atol') or 0)!r}"


def _put_expected(space: Space, call: Call, arguments: Arguments, folder: str) -> None:
    """Writes the expected outputs."""
    answer = list(call["answer"])
    if len(answer) != len(call["arguments"]):
        raise TypeError("The length of argument list and provided results do not match.")
    for i, several in arguments.written.items():
        for name, array in several:
            if answer[i] is None:
                space.compare(name, 0)
            else:
                space.reference(f"{name} " + _file(space, folder, f"{name}_expected", _expected(name, answer[i], array), array))
    space.tolerance(_tolerance(call))


# ---- The space ----


def _put_parameters(space: Space, parameters: Parameters, hidden: set[str], text: str) -> None:
    for name, values in parameters.items():
        macro = f"cutune_{name}" if name in hidden else None
        space.param(name, [value_text(value, "tune_params") for value in values], macro=macro)
    unseen = [name for name in parameters if name in hidden or not re.search(rf"\b{name}\b", text)]
    if unseen:
        space.statement("host", ", ".join(unseen))


def _put_launches(
    space: Space,
    call: Call,
    arguments: Arguments,
    block: list[str],
    grids: list[str],
    shared: str,
    whole: str,
    several: list[tuple[tuple[int, ...], str]],
) -> None:
    """Writes the launch; with Tunable arguments, one for each combination of their values."""
    if len(several) == 1:
        space.args(*(words[0] for words in arguments.words))
        space.block(*block).grid(*grids)
        if shared:
            space.shared(shared)
        return
    for numbers, condition in several:
        words = ", ".join(words[number] for words, number in zip(arguments.words, numbers, strict=True))
        parts = [_name(call, whole), f"args {words}", f"block {', '.join(block)}", f"grid {', '.join(grids)}"]
        space.launch(" ".join(parts + ([f"shared {shared}"] if shared else []) + [f"when {condition}"]))


def make_space(call: Call, folder: str, way: Way) -> Made:
    """The space of a call, with its files in `folder`. NotServed names the argument that it cannot express."""
    parameters = parameters_of(call["tune_params"])
    space, tables, provider = Space(), Tables(parameters), Provider(folder)
    required, late = conditions(call, tables, folder)
    whole = _put_source(space, call, parameters, folder, provider, late)
    if way.nvcc:
        space.statement("compiler", "nvcc")
    names = _launch.block_names(call, parameters)
    grids = _launch.grid(call, names, tables)
    shared = _launch.shared(call, tables)
    choices = [choice_of("arguments", value, parameters) for value in call["arguments"]]
    several = launches(choices, tables)
    macros, hidden = _launch.macros(call, names, grids, tables)
    _put_parameters(space, parameters, hidden, whole)
    for name, text in tables.lets.items():
        space.let(name, text)
    for condition in required:
        space.require(condition)
    for name, text in macros.items():
        if re.search(rf"\b{name}\b", whole):
            space.define(name, text)
    arguments = _put_arguments(space, call, choices, whole, folder, way.wrote)
    _put_constants(space, call, folder)
    _put_launches(space, call, arguments, _launch.block(names, parameters), grids, shared, whole, several)
    for option in call.get("compiler_options") or ():
        if not isinstance(option, str):
            raise NotServed("compiler_options", f"{option!r} is no text")
        _put_option(space, option)
    judge = _put_judge(space, call, arguments, provider, parameters) if judged_here(call) else None
    verified = bool(call.get("verify")) or _has_answer(call)
    noted = way.noted and not judge and not verified and len(several) == 1
    if not judge and verified:
        _put_expected(space, call, arguments, folder)
    elif not judge:
        _put_held(space, call, arguments, folder, noted)
    default = next(valid(call, parameters, names), None)
    if default:
        space.default({name: value_text(value, "tune_params") for name, value in default.items()})
    space.path = path = os.path.join(folder, f"{space.name}.space")
    with open(path, "w", encoding="utf-8") as file:
        file.write(space.text)
    return Made(space, path, parameters, verified, provider, judge, noted)
