"""cuTile kernels for cutune: python3 -m cutune.compilers.cutile FILE.py...

A kernel of the space is a @ct.kernel of that name. Its ct.Constant parameters and the hints of @ct.kernel, such as num_ctas, are
parameters, defines or problem sizes of the space; its other parameters are the space's arguments, in order. An array is a buffer with
its extents: its address, shape and strides. The compiler may rely on alignment, on extents that are multiples of 16, and on buffers
that do not overlap."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import re
import tempfile
from typing import Any

from ._sources import Sources, arguments, capability, code_place, match, options, own_package, package, short, values
from ._worker import Answer, CompileError, Request, serve

HINTS = ("num_ctas", "occupancy", "opt_level", "num_worker_warps")
# cuTile's names of the space language's types.
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
    "bfloat16": "bfloat16",
    "float": "float32",
    "double": "float64",
    "bool": "bool_",
}
_MULTIPLE = 16


def main() -> None:
    paths = arguments("cutile", ".py")
    # The cache of cutune is enough.
    os.environ.setdefault("CUDA_TILE_CACHE_DIR", os.path.join(tempfile.gettempdir(), "cutile"))
    import cuda.tile

    sources = Sources(paths)
    loaded = sources.files()
    packages = {"cuda-tile": package("cuda-tile", cuda.tile), **own_package(__file__)}
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):  # the CUDA Toolkit has a tileiras, too
        packages["nvidia-cuda-tileiras"] = package("nvidia-cuda-tileiras")

    def compile(request: Request) -> Answer:
        pairs = zip(request["kernels"], request["outputs"], strict=True)
        kernels = [_compile(sources, request, kernel, output) for kernel, output in pairs]
        return {"kernels": kernels, "files": sorted(set(sources.files()) - set(loaded))}

    serve(
        {
            "compiler": "cutile",
            "version": short(cuda.tile.__version__),
            "packages": packages,
            "files": loaded,
            "params": sorted({*HINTS, *(name for kernel in sources.functions(_is_kernel).values() for name in _constants(kernel))}),
        },
        compile,
    )


def _is_kernel(value: Any) -> bool:
    import cuda.tile

    return isinstance(value, cuda.tile.kernel)


def _constants(kernel: Any) -> list[str]:
    """The names of the parameters ct.Constant."""
    function = kernel._annotated_function
    pairs = zip(function.pysig.parameters, function.parameter_annotations, strict=True)
    return [name for name, annotation in pairs if getattr(annotation, "constant", False)]


def _compile(sources: Sources, request: Request, kernel: dict[str, Any], output: str) -> Answer:
    from cuda.tile import compilation

    found = sources.kernel(kernel["name"], _is_kernel, "kernel @ct.kernel")
    known = {**values(request, kernel), **options(request)}
    hints = {name: known[name] for name in HINTS if name in known}
    constraints, parameters = _signature(found, kernel, known)
    convention = compilation.CallingConvention.cutile_python_v1()
    signature = compilation.KernelSignature(constraints, convention, symbol=kernel["name"])
    try:
        compilation.export_kernel(
            found.replace_hints(**hints) if hints else found,
            [signature],
            output,
            gpu_code=f"sm_{capability(request['architecture'])}",
            output_format="cubin",
        )
    except Exception as error:
        place = getattr(error, "loc", None)
        if place is not None and place.filename:
            raise CompileError(str(error), place.filename, place.line) from error
        if hasattr(error, "compiler_flags"):
            raise CompileError(_failure(error)) from error
        raise
    # The driver gives a block of a tile kernel its threads and memory.
    return {"entry": kernel["name"], "block": [1], "shared": 0, "parameters": parameters}


def _failure(error: Exception) -> str:
    """The text of tileiras, and the folders where it looks for its other parts: it does not say when they are missing."""
    from cuda.tile import _compile

    tileiras = _compile._find_compiler_bin()
    home = os.environ.get("CUDA_HOME") if tileiras.pass_cuda_home_var else None
    place = f"CUDA_HOME={home}" if home else "its own folders"
    return f"tileiras: {error}\n{tileiras.path} takes libnvvm and ptxas from {place}; they must be of its own release"


def _signature(found: Any, kernel: dict[str, Any], known: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """cuTile's constraints of all parameters, and the protocol's list of those that the code takes."""
    from cuda.tile.compilation import ConstantConstraint

    place = code_place(found._annotated_function.pyfunc)
    names = list(found._annotated_function.pysig.parameters)
    constants = _constants(found)
    missing = [name for name in constants if name not in known]
    if missing:
        raise CompileError(f"constant {', '.join(missing)}: the space has no parameter, define or problem size of this name", *place)
    given = dict(match(kernel, [name for name in names if name not in constants], place))
    constraints: list[Any] = []
    parameters: list[Any] = []
    for name in names:
        if name in constants:
            constraints.append(ConstantConstraint(known[name]))
            continue
        constraint, words = _constraint(given[name], kernel["arguments"], place)
        constraints.append(constraint)
        parameters += words
    return constraints, parameters


def _constraint(argument: dict[str, Any], all_arguments: list[dict[str, Any]], place: tuple[str, int]) -> tuple[Any, list[Any]]:
    import cuda.tile
    from cuda.tile.compilation import ArrayConstraint, ScalarConstraint

    name, kind = argument["name"], argument["kind"]
    if kind not in ("buffer", "scalar"):
        raise CompileError(f"{name}: a cuTile kernel takes buffers and scalars, not a {kind}", *place)
    if argument["type"] not in TYPES:
        raise CompileError(f"{name}: cuTile has no type {argument['type']}", *place)
    dtype = getattr(cuda.tile, TYPES[argument["type"]])
    if kind == "scalar":
        return ScalarConstraint(dtype), [name]
    extents, strides = argument["extents"], argument["strides"]
    wide = max(extents[0] * strides[0], 1) >= 1 << 31
    constraint = ArrayConstraint(
        dtype,
        len(extents),
        index_dtype=cuda.tile.int64 if wide else cuda.tile.int32,
        stride_lower_bound_incl=0,
        alias_groups=_aliases(argument, all_arguments),
        may_alias_internally=False,
        stride_constant=[*([None] * (len(extents) - 1)), 1],
        stride_divisible_by=[_divisor(stride) for stride in strides[:-1]] + [1],
        shape_divisible_by=[_divisor(extent) for extent in extents],
        base_addr_divisible_by=min(argument["alignment"], _MULTIPLE),
    )
    type = "int64" if wide else "int"
    words = [{word: name, "dimension": dimension, "type": type} for word in ("extent", "stride") for dimension in range(len(extents))]
    return constraint, [name, *words]


def _divisor(value: int) -> int:
    return _MULTIPLE if value and value % _MULTIPLE == 0 else 1


def _aliases(argument: dict[str, Any], all_arguments: list[dict[str, Any]]) -> list[str]:
    """The buffer's name if another argument is an address in the same buffer."""
    buffers = [_buffer(other) for other in all_arguments if other["kind"] == "buffer"]
    own = _buffer(argument)
    return [own] if buffers.count(own) > 1 else []


def _buffer(argument: dict[str, Any]) -> str:
    """`x` of the arguments x, x#2 and x + 16."""
    found = re.match(r"\w+", argument["name"])
    return found[0] if found else str(argument["name"])


if __name__ == "__main__":
    main()
