"""Numba kernels for cutune: python3 -m cutune.compilers.numba FILE.py...

A kernel of the space is a function of that name that returns the kernel for parameters of the space:

    def saxpy(UNROLL):
        def kernel(x, y, out, a):
            ...
        return kernel

or a kernel @cuda.jit itself, which has no parameters. A buffer of the space is an array with its extents, in C order. Numba passes an
array as words: its owner, its parent, the number of elements, the size of one, the address, the shape and the strides in bytes.
Without known extents, because launches pass buffers of several shapes, it is a vector whose size the code must not read."""

from __future__ import annotations

import inspect
import math
import re
from typing import Any

from ._sources import Sources, arguments, capability, code_place, match, options, own_package, package, short, values, wheel_ptxas
from ._worker import Answer, CompileError, Request, serve

# Numba's names of the space language's types.
TYPES = {
    **dict.fromkeys(("char", "int8_t"), "int8"),
    **dict.fromkeys(("uchar", "uint8_t"), "uint8"),
    **dict.fromkeys(("short", "int16_t"), "int16"),
    **dict.fromkeys(("ushort", "uint16_t"), "uint16"),
    **dict.fromkeys(("int", "int32_t"), "int32"),
    **dict.fromkeys(("uint", "uint32_t"), "uint32"),
    **dict.fromkeys(("long", "int64_t"), "int64"),
    **dict.fromkeys(("ulong", "uint64_t", "size_t"), "uint64"),
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "bool": "boolean",
}
OPTIONS = ("fastmath", "opt", "lineinfo", "launch_bounds")


def main() -> None:
    paths = arguments("numba", ".py")
    import numba.cuda

    sources = Sources(paths)
    loaded = sources.files()
    assembler = wheel_ptxas()  # knows the PTX version of the compiler in the packages beside it
    names = {name for function in sources.functions(_is_factory).values() for name in _parameters(function)}

    device = _Device()

    def compile(request: Request) -> Answer:
        if device.becomes(request["architecture"]):
            sources.reload()
        pairs = zip(request["kernels"], request["outputs"], strict=True)
        kernels = [_compile(sources, request, kernel, output) for kernel, output in pairs]
        answer: Answer = {"kernels": kernels, "files": sorted(set(sources.files()) - set(loaded))}
        return {**answer, "ptxas": assembler} if assembler else answer

    serve(
        {
            "compiler": "numba",
            "version": short(package("numba-cuda")["version"]),
            "packages": {"numba-cuda": package("numba-cuda", numba.cuda), "numba": package("numba"), **own_package(__file__)},
            "files": loaded,
            "variables": ["NUMBA_OPT", "NUMBA_CUDA_FASTMATH"],
            "params": sorted({*OPTIONS, *names}),
        },
        compile,
    )


class _Device:
    """Stands for the device that Numba compiles functions @cuda.jit(device=True) for: the current one, which a worker has not."""

    def __init__(self) -> None:
        from numba.cuda import dispatcher

        self.compute_capability: tuple[int, int] | None = None
        dispatcher.get_current_device = lambda: self

    def becomes(self, architecture: str) -> bool:
        """True if functions have code for another one."""
        before, self.compute_capability = self.compute_capability, divmod(capability(architecture), 10)
        return before not in (None, self.compute_capability)


def _is_kernel(value: Any) -> bool:
    from numba.cuda.dispatcher import CUDADispatcher

    return isinstance(value, CUDADispatcher)


def _is_factory(value: Any) -> bool:
    return inspect.isfunction(value)


def _parameters(factory: Any) -> list[str]:
    return list(inspect.signature(factory).parameters)


def _function(sources: Sources, kernel: dict[str, Any], known: dict[str, Any]) -> Any:
    """The Python function to compile."""
    found = sources.kernel(kernel["name"], lambda value: _is_kernel(value) or _is_factory(value), "kernel or function that returns one")
    if _is_factory(found):
        place = code_place(found)
        missing = [name for name in _parameters(found) if name not in known]
        if missing:
            raise CompileError(f"{', '.join(missing)}: the space has no parameter, define or problem size of this name", *place)
        found = found(**{name: known[name] for name in _parameters(found)})
        if not (_is_kernel(found) or inspect.isfunction(found)):
            raise CompileError(f"{kernel['name']} returns no kernel", *place)
    return found.py_func if _is_kernel(found) else found


def _compile(sources: Sources, request: Request, kernel: dict[str, Any], output: str) -> Answer:
    from numba import cuda, types

    known = {**values(request, kernel), **options(request)}
    function = _function(sources, kernel, known)
    place = code_place(function)
    pairs = match(kernel, list(inspect.signature(function).parameters), place)
    signature = types.void(*(_type(argument, place) for _, argument in pairs))
    version = divmod(capability(request["architecture"]), 10)
    chosen = {name: known[name] for name in OPTIONS if name in known}
    try:
        code, _ = cuda.compile(function, signature, device=False, abi="numba", cc=version, output="ptx", **chosen)
    except Exception as error:
        location = getattr(error, "loc", None)
        if location is not None and location.filename:
            place = location.filename, location.line
        raise CompileError(str(error), *place) from error
    text = code if isinstance(code, str) else code.decode()
    entry = re.search(r"\.visible \.entry (\w+)", text)
    if not entry:
        raise CompileError("Numba's code has no kernel", *place)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    return {"entry": entry[1], "parameters": _words(kernel, _read(text, entry[1]), place)}


def _type(argument: dict[str, Any], place: tuple[str, int]) -> Any:
    from numba import types

    name, kind = argument["name"], argument["kind"]
    if kind not in ("buffer", "scalar"):
        raise CompileError(f"{name}: a Numba kernel takes buffers and scalars, not a {kind}", *place)
    if argument["type"] not in TYPES:
        raise CompileError(f"{name}: Numba has no type {argument['type']}", *place)
    type = getattr(types, TYPES[argument["type"]])
    return types.Array(type, len(argument.get("extents", [0])), "C") if kind == "buffer" else type


def _read(text: str, entry: str) -> set[int]:
    """The numbers of the parameters that the code reads."""
    return {int(number) for number in re.findall(rf"ld\.param[^;]*\[{re.escape(entry)}_param_(\d+)", text)}


def _words(kernel: dict[str, Any], read: set[int], place: tuple[str, int]) -> list[Any]:
    """The protocol's parameters of all arguments."""
    from numba import types
    from numba.np.numpy_support import as_dtype

    words: list[Any] = []
    for argument in kernel["arguments"]:
        name = argument["name"]
        if argument["kind"] == "scalar":
            words.append(name)
            continue
        size = as_dtype(getattr(types, TYPES[argument["type"]])).itemsize
        unknown = [None] * len(argument.get("extents", [0]))
        extents, strides = argument.get("extents", unknown), argument.get("strides", unknown)
        for word, meaning in (
            (None, "the owner"),
            (None, "the parent"),
            (_value(math.prod(extents)) if extents != unknown else None, "the size"),
            (_value(size), ""),
            (name, ""),
            *((_value(extent), "the shape") for extent in extents),
            *((_value(stride, size), "the strides") for stride in strides),
        ):
            if word is None and len(words) in read:
                reason = "differs between launches" if "extents" not in argument else "cutune does not pass"
                raise CompileError(f"the code reads {meaning} of array {name}, which {reason}", *place)
            words.append({"null": 8} if word is None else word)
    return words


def _value(number: int | None, factor: int = 1) -> Any:
    """A parameter of the protocol; None: unknown."""
    return None if number is None else {"value": number * factor, "type": "int64"}


if __name__ == "__main__":
    main()
