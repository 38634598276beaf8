"""Triton kernels for cutune: python3 -m cutune.compilers.triton FILE.py... [CALL.json]

A kernel of the space is a function @triton.jit of that name; triton.autotune around it is ignored, for cutune tunes. Its constexpr
parameters and Triton's options, such as num_warps, are parameters, defines or problem sizes of the space; its other parameters are
the space's arguments, in order. Triton specializes as it does at run time: pointers and integers that are multiples of 16, and
integers of the value 1, which become constants.

CALL.json is of cutune.triton.autotune: a call of the kernel in FILE.py, of which only what the kernel needs is loaded."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from typing import Any

from .. import _nested
from ._slice import Call, load
from ._sources import Sources, arguments, capability, code_place, match, options, own_package, package, short, values
from ._worker import Answer, CompileError, Request, serve

# Triton's names of the space language's types.
TYPES = {
    **dict.fromkeys(("char", "int8_t"), "i8"),
    **dict.fromkeys(("uchar", "uint8_t"), "u8"),
    **dict.fromkeys(("short", "int16_t"), "i16"),
    **dict.fromkeys(("ushort", "uint16_t"), "u16"),
    **dict.fromkeys(("int", "int32_t"), "i32"),
    **dict.fromkeys(("uint", "uint32_t"), "u32"),
    **dict.fromkeys(("long", "int64_t"), "i64"),
    **dict.fromkeys(("ulong", "uint64_t", "size_t"), "u64"),
    "half": "fp16",
    "bfloat16": "bf16",
    "float": "fp32",
    "double": "fp64",
    "bool": "i1",
}
DIVISIBLE = 16
# Options that Triton derives from the target, or that are not for users.
_INTERNAL = {"arch", "backend_name", "warp_size", "cluster_dims", "extern_libs", "supported_fp8_dtypes", "allowed_dot_input_precisions"}
# Environment variables that change the machine code.
_VARIABLES = (
    "TRITON_DEFAULT_FP_FUSION",
    "TRITON_F32_DEFAULT",
    "TRITON_DISABLE_LINE_INFO",
    "TRITON_INSTRUMENTATION_MODE",
    "TRITON_OVERRIDE_ARCH",
    "TRITON_DEBUG",
    "TRITON_PTXAS_PATH",
    "TRITON_PTXAS_BLACKWELL_PATH",
    "TRITON_LIBDEVICE_PATH",
    "PTXAS_OPTIONS",
    "DISABLE_PTXAS_OPT",
    "DISABLE_LLVM_OPT",
    "LLVM_PASS_PLUGIN_PATH",
)


def main() -> None:
    paths = arguments("triton", ".py")
    # The cache of cutune is enough: Triton's own is emptied after each compilation, unless the user has named its folder.
    own_cache = None if "TRITON_CACHE_DIR" in os.environ else tempfile.mkdtemp(prefix="triton-")
    if own_cache is not None:
        os.environ["TRITON_CACHE_DIR"] = own_cache
    import triton

    compiler = Compiler(paths, own_cache)
    serve(
        {
            "compiler": "triton",
            "version": short(triton.__version__),
            "packages": {"triton": package("triton", triton), **own_package(__file__)},
            "files": compiler.sources.files(),
            "variables": list(_VARIABLES),
            "params": compiler.params(),
        },
        compiler.compile,
    )


class Compiler:
    """Compiles the kernels of a request one by one, each to a cubin."""

    def __init__(self, paths: list[str], own_cache: str | None) -> None:
        from triton.backends.nvidia.compiler import CUDAOptions

        self.own_cache = own_cache
        calls = [path for path in paths if path.endswith(".json")]
        files = [path for path in paths if path not in calls]
        self.call = Call.read(calls[0]) if calls else None
        self.sources = Sources(files) if self.call is None else Sources(files, [load(files[0], self.call)])
        self.loaded = set(self.sources.files())
        self.option_names = set(CUDAOptions.__dataclass_fields__) - _INTERNAL

    def params(self) -> list[str]:
        """The names that can change the machine code: all constexpr parameters, and Triton's options."""
        names = set(self.option_names)
        for function in self.sources.functions(_is_kernel).values():
            names |= {param.name for param in _unwrap(function).params if param.is_constexpr}
        return sorted(names)

    def compile(self, request: Request) -> Answer:
        kernels = [self._kernel(request, kernel, output) for kernel, output in zip(request["kernels"], request["outputs"], strict=True)]
        if self.own_cache is not None:
            shutil.rmtree(self.own_cache, ignore_errors=True)
        return {"kernels": kernels, "files": sorted(set(self.sources.files()) - self.loaded)}

    def _kernel(self, request: Request, kernel: dict[str, Any], output: str) -> Answer:
        import triton
        from triton.backends.compiler import GPUTarget

        call = self.call
        wrapped = self.sources.kernel(call.function if call else kernel["name"], _is_kernel, "function @triton.jit")
        function = _unwrap(wrapped)
        for name, line in call.lines.items() if call else ():
            _unwrap(self.sources.functions(_is_kernel)[name]).starting_line_number = line
        if call and call.source != function.cache_key:
            text = "the source, or a constant of it, differs from the program's: constants must be known without running the program"
            raise CompileError(text, *code_place(function.fn))
        known = {**values(request, kernel), **options(request)}
        known = call.known(known) if call else known
        signature = _Signature(function, kernel, call.types if call else {}, call.tuples if call else {})
        signature.constants(known, wrapped)
        source = _source_type(function)(function, signature.types, signature.constexprs, signature.attributes)
        chosen = {name: value for name, value in known.items() if name in self.option_names and name not in signature.types}
        try:
            target = GPUTarget("cuda", capability(request["architecture"]), 32)
            compiled = triton.compile(source, target=target, options=chosen)
        except Exception as error:
            located = _located(error, function)
            if located is None:
                raise
            raise located from error
        with open(output, "wb") as file:
            file.write(compiled.asm["cubin"])
        return _answer(compiled.metadata, signature)


class _Signature:
    """A function's signature for the arguments of a request: types, constants and known divisibility by parameter."""

    def __init__(self, function: Any, kernel: dict[str, Any], own_types: dict[str, str], tuples: dict[str, Any]) -> None:
        self.own_types = own_types
        self.place = code_place(function.fn)
        self.params = function.params
        self.types: dict[str, Any] = {}
        self.constexprs: dict[tuple[int, ...], Any] = {}
        self.attributes: dict[tuple[int, ...], list[list[Any]]] = {}
        self.passed: list[dict[str, Any]] = []
        self.arguments: dict[str, Any] = {}
        trees = {param.name: tuples.get(param.name, param.name) for param in function.params if not param.is_constexpr}
        given = dict(match(kernel, list(_nested.names(trees.values())), self.place))
        for param in function.params:
            if param.is_constexpr:
                self.types[param.name] = "constexpr"
            else:
                self.arguments[param.name] = _nested.fill(trees[param.name], lambda name: given[name].get("value"))
                paths = _paths(trees[param.name], (param.num,))
                types = {name: self._argument(param, name, given[name], path) for name, path in paths.items()}
                self.types[param.name] = _nested.fill(trees[param.name], types.__getitem__)

    def _argument(self, param: Any, name: str, argument: dict[str, Any], path: tuple[int, ...]) -> str:
        """The type of a parameter or of a tuple's member."""
        kind, value = argument["kind"], argument.get("value")
        type = "" if kind == "null" else self._type(param, name, argument)
        if kind == "null" or (value == 1 and kind == "scalar" and _integer(type) and not param.do_not_specialize):
            self.constexprs[path] = value
            return "constexpr"
        self.passed.append(argument)
        if param.do_not_specialize or param.do_not_specialize_on_alignment:
            return type
        multiple = argument["alignment"] if kind == "buffer" else value if _integer(type) else None
        if multiple is not None and multiple % DIVISIBLE == 0:
            self.attributes[path] = [["tt.divisibility", DIVISIBLE]]
        return type

    def _type(self, param: Any, own_name: str, argument: dict[str, Any]) -> str:
        kind, name = argument["kind"], argument["name"]
        if kind not in ("buffer", "scalar", "tensor_map"):
            raise CompileError(f"{name}: a Triton kernel takes buffers, scalars and tensor maps, not a {kind}", *self.place)
        if kind == "tensor_map" and "box" not in argument:
            raise CompileError(f"{name}: the tensor map is absent, or differs between launches of the kernel", *self.place)
        if own_name in self.own_types:
            own = self.own_types[own_name]
            return re.sub(r"\[[^\]]*\]", str(argument["box"]), own, count=1) if kind == "tensor_map" else own
        if argument["type"] not in TYPES:
            raise CompileError(f"{name}: Triton has no type {argument['type']}", *self.place)
        own = TYPES[argument["type"]]
        if kind == "tensor_map":
            return f"tensordesc<{own}{argument['box']}>"
        own = f"*{own}" if kind == "buffer" else own
        if param.annotation_type and param.annotation_type.replace("*k", "*") != own:
            text = f"{name}: the space gives {argument['type']} ({own}), and parameter {param.name} is declared {param.annotation_type}"
            raise CompileError(text, *self.place)
        return own

    def constants(self, known: dict[str, Any], wrapped: Any) -> None:
        """Gives each constexpr parameter its value: of triton.heuristics, of the space, or its default."""
        known = {**known, **_heuristics(wrapped, {**known, **self.arguments})}
        missing = []
        for param in self.params:
            if not param.is_constexpr:
                continue
            if param.name in known:
                self.constexprs[(param.num,)] = known[param.name]
            elif param.has_default:
                self.constexprs[(param.num,)] = param.default
            else:
                missing.append(param.name)
        if missing:
            raise CompileError(
                f"constexpr {', '.join(missing)}: the space has no parameter, define or problem size of this name", *self.place
            )


def _paths(tree: Any, path: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Triton's path of each name in a tree, in order.

    >>> _paths(("x_0", ("x_1_0",)), (3,))
    {'x_0': (3, 0), 'x_1_0': (3, 1, 0)}
    """
    if isinstance(tree, str):
        return {tree: path}
    return {name: own for index, part in enumerate(tree) for name, own in _paths(part, (*path, index)).items()}


def _integer(type: str) -> bool:
    return type[0] in "iu" and type != "i1"


def _map_words(argument: dict[str, Any], meta: Any) -> list[Any]:
    """The parameters of a tensor descriptor: the map as Triton lays it out, then the shape and strides."""
    name = argument["name"]
    swizzle = 16 << meta["swizzle"] if meta["swizzle"] else 0
    words: list[Any] = [{"tensor_map": name, "box": list(meta["block_size"]), "swizzle": swizzle}]
    for word, type in (("extent", "int"), ("stride", "int64")):
        words += [{word: name, "dimension": dimension, "type": type} for dimension in range(len(argument["box"]))]
    return words


def _answer(metadata: Any, signature: _Signature) -> Answer:
    parameters: list[Any] = []
    maps = list(getattr(metadata, "tensordesc_meta", None) or [])
    for argument in signature.passed:
        if argument["kind"] != "tensor_map":
            parameters.append(argument["name"])
            continue
        meta = maps.pop(0) if maps else None
        if meta is None or meta["fp4_padded"] or meta.get("is_im2col"):
            reason = "Triton passes it as an address for this architecture" if meta is None else "its layout is of 4-bit floats or images"
            raise CompileError(f"{argument['name']}: the descriptor needs no tensor map: {reason}", *signature.place)
        parameters += _map_words(argument, meta)
    for scratch in ("global_scratch", "profile_scratch"):  # Triton's own trailing addresses; Triton 3.4 has only the first
        size = getattr(metadata, f"{scratch}_size", None)
        if size is not None:
            parameters.append({"scratch": size, "alignment": getattr(metadata, f"{scratch}_align")} if size else {"null": 8})
    answer: Answer = {
        "entry": metadata.name,
        "block": [32 * metadata.num_warps],
        "shared": metadata.shared,
        "parameters": parameters,
    }
    if metadata.num_ctas > 1:
        answer["cluster"] = [metadata.num_ctas]
    if getattr(metadata, "launch_cooperative_grid", False):
        answer["cooperative"] = True
    if getattr(metadata, "launch_pdl", False):
        answer["programmatic"] = True
    return answer


def _source_type(function: Any) -> Any:
    if function.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource

        return GluonASTSource
    from triton.compiler import ASTSource

    return ASTSource


def _is_kernel(value: Any) -> bool:
    from triton.runtime.jit import JITFunction

    return isinstance(_unwrap(value), JITFunction)


def _unwrap(value: Any) -> Any:
    """The function inside of autotuners and heuristics."""
    from triton.runtime.jit import KernelInterface

    while isinstance(value, KernelInterface) and isinstance(getattr(value, "fn", None), KernelInterface):
        value = value.fn
    return value


def _heuristics(wrapped: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The values of triton.heuristics around a function, from the scalar arguments and constants."""
    from triton.runtime.autotuner import Heuristics

    found: dict[str, Any] = {}
    while hasattr(wrapped, "fn"):
        if isinstance(wrapped, Heuristics):
            for name, rule in wrapped.values.items():
                found[name] = rule({**known, **found})
        wrapped = wrapped.fn
    return found


def _located(error: Exception, function: Any) -> CompileError | None:
    """Triton counts lines from the beginning of the function: its error with the place in the file. None for other errors."""
    causes: list[BaseException] = [error]
    while causes[-1].__cause__ is not None and causes[-1].__cause__ not in causes:
        causes.append(causes[-1].__cause__)
    for cause in reversed(causes):
        node = getattr(cause, "node", None)
        line = getattr(node, "lineno", None)
        if line is not None:
            owner = _owner(getattr(cause, "src", None), function)
            text = str(cause) if str(causes[-1]) in str(cause) else f"{cause}\n{causes[-1]}"
            return CompileError(text, owner.fn.__code__.co_filename, owner.starting_line_number + line - 1)
    return None


def _owner(source: str | None, function: Any) -> Any:
    """The function that the source text belongs to: the kernel, or one that it calls."""
    pending, seen = [function], set()
    while pending:
        candidate = pending.pop()
        if source == getattr(candidate, "src", None):
            return candidate
        seen.add(id(candidate))
        scope = getattr(candidate, "__globals__", None) or candidate.fn.__globals__
        pending += [value for value in scope.values() if _is_kernel(value) and id(value) not in seen]
    return function


if __name__ == "__main__":
    main()
