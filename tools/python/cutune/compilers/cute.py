"""CuTe DSL kernels for cutune: python3 -m cutune.compilers.cute FILE.py...

A kernel of the space is a function @cute.jit of that name, which launches one kernel. Its parameters cutlass.Constexpr are parameters,
defines or problem sizes of the space; its other parameters are the space's arguments, in order. A buffer is a tensor with its extents, in
row-major order; its layout is constant in the code. A parameter of the type CUstream is no argument.

The compiled function runs here, with addresses of no memory, and what it launches is recorded: that is the block, the grid, and what the
machine code takes."""

from __future__ import annotations

import inspect
import os
import struct
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import _cubin
from ._host import Host, Launch
from ._sources import Sources, arguments, code_place, match, own_package, package, short, values
from ._worker import Answer, CompileError, Request, serve

# CuTe's names of the space language's types.
TYPES = {
    **dict.fromkeys(("char", "int8_t"), "Int8"),
    **dict.fromkeys(("uchar", "uint8_t"), "Uint8"),
    **dict.fromkeys(("short", "int16_t"), "Int16"),
    **dict.fromkeys(("ushort", "uint16_t"), "Uint16"),
    **dict.fromkeys(("int", "int32_t"), "Int32"),
    **dict.fromkeys(("uint", "uint32_t"), "Uint32"),
    **dict.fromkeys(("long", "int64_t"), "Int64"),
    **dict.fromkeys(("ulong", "uint64_t", "size_t"), "Uint64"),
    "half": "Float16",
    "bfloat16": "BFloat16",
    "float": "Float32",
    "double": "Float64",
    "bool": "Boolean",
}
# Formats of struct for numbers that are arguments.
_FORMATS = {
    "Int8": "b", "Uint8": "B", "Int16": "h", "Uint16": "H", "Int32": "i", "Uint32": "I", "Int64": "q", "Uint64": "Q", "Float16": "e",
    "Float32": "f", "Float64": "d", "Boolean": "?",
}  # fmt: skip
# Environment variables that change the machine code.
_VARIABLES = ("CUTE_DSL_COMPILER_OPT", "CUTE_DSL_LINEINFO", "CUTE_DSL_ENABLE_ASSERTIONS", "CUTE_DSL_ENABLE_PYIR")
# Those that change the host code, or leave it out.
_REMOVED = ("CUTE_DSL_ENABLE_TVM_FFI", "CUTE_DSL_DRYRUN")
_EXACT = 1 << 53  # of the integers that all readers of JSON keep
ALIGNMENT = 16  # as far as code is compiled for the address of a tensor, in bytes


def main() -> None:
    paths = arguments("cute", ".py")
    for name in _REMOVED:
        os.environ.pop(name, None)
    os.environ["NO_COLOR"] = "1"
    # Each request has its architecture. Without any, CuTe asks the driver for the device; a failure to find one makes it ask again.
    os.environ["CUTE_DSL_ARCH"] = "sm_90a"
    import cutlass

    sources = Sources(paths)
    loaded = sources.files()
    functions = sources.functions(is_function).values()

    def compile(request: Request) -> Answer:
        pairs = zip(request["kernels"], request["outputs"], strict=True)
        kernels = [_compile(sources, request, kernel, output) for kernel, output in pairs]
        return {"kernels": kernels, "files": sorted(set(sources.files()) - set(loaded))}

    package_name = "nvidia-cutlass-dsl"
    serve(
        {
            "compiler": "cute",
            "version": short(package(package_name)["version"]),
            "packages": {package_name: package(package_name, cutlass), **own_package(__file__)},
            "files": loaded,
            "variables": list(_VARIABLES),
            "params": sorted({name for function in functions for name in constants(function)}),
        },
        compile,
    )


def is_function(value: Any) -> bool:
    """True for a function @cute.jit."""
    return inspect.isfunction(value) and getattr(value, "_decorator_kind", "") == "jit"


def hints(function: Any) -> dict[str, Any]:
    return {name: parameter.annotation for name, parameter in inspect.signature(function, eval_str=True).parameters.items()}


def constants(function: Any) -> list[str]:
    """The names of the parameters cutlass.Constexpr."""
    from cutlass import Constexpr

    def constant(annotation: Any) -> bool:
        kind = getattr(annotation, "__origin__", annotation)
        return isinstance(kind, type) and issubclass(kind, Constexpr)

    return [name for name, annotation in hints(function).items() if constant(annotation)]


def streams(function: Any) -> list[str]:
    """The names of the parameters that are streams."""
    return [name for name, annotation in hints(function).items() if getattr(annotation, "__name__", "") == "CUstream"]


def _compile(sources: Sources, request: Request, kernel: dict[str, Any], output: str) -> Answer:
    import cutlass.cute
    from cutlass.cute.runtime import make_fake_stream

    function = sources.kernel(kernel["name"], is_function, "function @cute.jit")
    place = code_place(inspect.unwrap(function))
    known = values(request, kernel)
    fixed, stream_names = constants(function), streams(function)
    missing = [name for name in fixed if name not in known]
    if missing:
        raise CompileError(f"Constexpr {', '.join(missing)}: the space has no parameter, define or problem size of this name", *place)
    names = list(inspect.signature(function).parameters)
    given = dict(match(kernel, [name for name in names if name not in fixed and name not in stream_names], place))
    passed = {name: known[name] for name in fixed} | {name: make_fake_stream() for name in stream_names}
    passed |= {name: _argument(argument, place) for name, argument in given.items()}
    with tempfile.TemporaryDirectory() as folder:
        own = f"--gpu-arch={request['architecture']} --keep-cubin --dump-dir={folder}"
        try:
            compiled = cutlass.cute.compile(function, *(passed[name] for name in names), options=" ".join([own, *request["options"]]))
        except Exception as error:
            raise CompileError(str(error).strip()) from error
        code = compiled.__cubin__
    entries = _cubin.entries(code)
    if len(entries) != 1:
        raise CompileError(f"it launches {len(entries)} kernels, and must launch one", *place)
    with open(output, "wb") as file:
        file.write(code)
    host = Host(compiled.ir_module, compiled.function_name, _cubin.parameters(code, entries[0]), place)
    dynamic = [given.get(name) for name in names if name not in fixed and given.get(name, {}).get("kind") != "null"]
    launch, parameters = _record(host, dynamic, place)
    return {"entry": entries[0], "parameters": parameters, **_sizes(launch)}


def _argument(argument: dict[str, Any], place: tuple[str, int]) -> Any:
    """An argument for the compiler: a tensor of no memory, a number, or None."""
    import cutlass
    from cutlass.cute.runtime import make_fake_tensor

    name, kind = argument["name"], argument["kind"]
    if kind == "null":
        return None
    if kind not in ("buffer", "scalar"):
        raise CompileError(f"{name}: a function of CuTe DSL takes buffers and scalars, not a {kind}", *place)
    if argument["type"] not in TYPES or (kind == "scalar" and TYPES[argument["type"]] not in _FORMATS):
        raise CompileError(f"{name}: CuTe DSL has no {'numbers of ' * (kind == 'scalar')}type {argument['type']}", *place)
    type = getattr(cutlass, TYPES[argument["type"]])
    if kind == "scalar":
        if "value" not in argument:
            raise CompileError(f"{name} differs between launches", *place)
        return type(argument["value"])
    if "extents" not in argument:
        raise CompileError(f"the shape of {name} differs between launches", *place)
    alignment = min(argument["alignment"], ALIGNMENT)
    return make_fake_tensor(type, tuple(argument["extents"]), tuple(argument["strides"]), assumed_align=alignment)


def _record(host: Host, dynamic: list[dict[str, Any] | None], place: tuple[str, int]) -> tuple[Launch, list[Any]]:
    """The launch of the host code, and the parameters of the machine code, as the protocol has them. The host code runs again with other
    addresses: bytes that move along with the address of a buffer are that address. It also runs again on another stack: bytes that change
    there are never written, as the second half of a tensor map. `dynamic` are the arguments, None for a stream."""

    def arguments(address: Callable[[int], int]) -> list[bytes]:
        return [
            struct.pack("<Q", 0) if each is None else struct.pack("<Q", address(number)) if each["kind"] == "buffer" else _bytes(each)
            for number, each in enumerate(dynamic)
        ]

    first, second = (lambda number: (number + 1) << 40), (lambda number: (number + 1) * ((1 << 40) + (1 << 20)))
    launch, other = host.launch(arguments(first)), host.launch(arguments(second))
    with ThreadPoolExecutor(1) as elsewhere:
        again = elsewhere.submit(host.launch, arguments(first)).result()
    words: list[Any] = []
    for number, (one, same, two) in enumerate(zip(launch.parameters, again.parameters, other.parameters, strict=True)):
        one, two = (bytes(byte if a == b else 0 for byte, a, b in zip(each, one, same, strict=True)) for each in (one, two))
        word = _number(one, dynamic) if one == two else _address(one, two, first, second, dynamic)
        word = word or _struct(one, two, first, second, dynamic)
        if word is None:
            what = "" if one == two else ", with an address that is not that of a tensor"
            raise CompileError(f"parameter {number} of the kernel has {len(one)} bytes{what}, which cutune cannot pass", *place)
        words.append(word)
    return launch, words


def _bytes(argument: dict[str, Any]) -> bytes:
    return struct.pack(f"<{_FORMATS[TYPES[argument['type']]]}", argument["value"])


def _address(one: bytes, two: bytes, first: Any, second: Any, dynamic: list[dict[str, Any] | None]) -> Any:
    """The buffer with these addresses in the two runs; None: no buffer has them."""
    for number, each in enumerate(dynamic):
        if each and each["kind"] == "buffer" and (one, two) == (struct.pack("<Q", first(number)), struct.pack("<Q", second(number))):
            return each["name"]
    return None


def _number(word: bytes, dynamic: list[dict[str, Any] | None]) -> Any:
    """A parameter that is no address: an argument with these bytes, an integer, or zeros; None: none of them."""
    for each in dynamic:
        if each and each["kind"] == "scalar" and _bytes(each) == word:
            return each["name"]
    if not any(word):
        return {"null": len(word)}
    if len(word) not in (4, 8):
        return None
    value = int.from_bytes(word, "little", signed=True)
    return {"value": value, "type": "int" if len(word) == 4 else "int64"} if abs(value) <= _EXACT else None


def _struct(one: bytes, two: bytes, first: Any, second: Any, dynamic: list[dict[str, Any] | None]) -> Any:
    """A parameter of several words: addresses of buffers, and numbers; None: it has other addresses, or no whole words."""
    members: list[Any] = []
    at = 0
    while at < len(one):
        name = _address(one[at : at + 8], two[at : at + 8], first, second, dynamic)
        word = one[at : at + 4]
        if name is None and (len(word) < 4 or word != two[at : at + 4]):
            return None
        if name is None and not any(word) and members and isinstance(members[-1], dict) and "null" in members[-1]:
            members[-1]["null"] += 4
        else:
            members.append(name or ({"value": int.from_bytes(word, "little", signed=True), "type": "int"} if any(word) else {"null": 4}))
        at += 4 if name is None else 8
    return {"struct": members}


def _sizes(launch: Launch) -> Answer:
    answer: Answer = {"block": launch.block, "grid": launch.grid, "shared": launch.shared_bytes}
    if any(size > 1 for size in launch.cluster):
        answer["cluster"] = launch.cluster
    return answer | {name: True for name in ("cooperative", "programmatic") if getattr(launch, name)}


if __name__ == "__main__":
    main()
