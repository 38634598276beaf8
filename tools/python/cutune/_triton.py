"""Triton's private interfaces, in one place: what this package needs to know about a function and a call."""

from __future__ import annotations

import copy
import functools
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import triton
from triton.runtime.jit import JITFunction, KernelInterface

from ._call import Map
from ._error import Error, ErrorCode
from ._program import warn
from ._regions import Unsupported, is_tensor

#: The versions that the tests run with, and those between.
OLDEST, NEWEST = (3, 4), (3, 9)


def fault() -> str:
    """The reason why this Triton cannot be served; "" without one."""
    if triton.knobs.runtime.interpret:
        return "TRITON_INTERPRET is set"
    version = tuple(int(part) for part in triton.__version__.split(".")[:2])
    if OLDEST <= version <= NEWEST:
        return ""
    known = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
    return f"Triton {triton.__version__} is not known: cutune.triton knows {known}"


def function_of(kernel: Any) -> Any:
    """The function @triton.jit inside of heuristics and autotuners."""
    while not isinstance(kernel, JITFunction):
        kernel = kernel.fn
    return kernel


def name_in_module(function: Any) -> str:
    """The name of a function in its module; "" for one that is not there."""
    module = sys.modules.get(function.fn.__module__)
    for name, value in vars(module).items() if module else ():
        if isinstance(value, KernelInterface) and function_of(value) is function:
            return name
    return ""


def source_file(function: Any) -> str:
    """The file with the function; "" without one, as in a notebook."""
    path = str(function.fn.__code__.co_filename)
    return os.path.abspath(path) if os.path.isfile(path) else ""


def package_of(function: Any) -> str:
    module = sys.modules.get(function.fn.__module__)
    return str(getattr(module, "__package__", None) or "")


@functools.cache
def _current_device() -> Callable[[], int]:
    found: Callable[[], int] = triton.runtime.driver.active.get_current_device
    return found


def device_index() -> int:
    """The current device."""
    return _current_device()()


def cache_folder() -> str:
    """The folder of Triton's compiled kernels."""
    return str(triton.knobs.cache.dir)


@functools.cache
def _backend() -> Any:
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    return make_backend(GPUTarget("cuda", 90, 32))  # the facts of arguments are the same for all devices of CUDA


@functools.cache
def _binder(function: Any) -> Any:
    from triton.runtime.jit import create_function_from_signature

    return create_function_from_signature(function.signature, function.params, _backend())


class Bound(NamedTuple):
    """The parameters of a call by name: their values, Triton's types, and its knowledge of the values. All three are tuples for a tuple."""

    values: dict[str, Any]
    types: dict[str, Any]
    facts: dict[str, Any]

    def trees(self) -> dict[str, Any]:
        """The names of all parameters; those of a tuple's members are in a tuple."""
        return {name: _tree(name, type) for name, type in self.types.items()}

    def flat(self) -> Bound:
        """The members of tuples as parameters of their own: those of x are x_0, x_1."""
        rows = [row for name in self.values for row in _members(name, self.types[name], self.values[name], self.facts[name])]
        twice = [name for name, *_ in rows if sum(name == other for other, *_ in rows) > 1]
        if twice:
            raise Unsupported(f"a member of a tuple would be called {twice[0]}, as another argument is")
        return Bound(*({name: row[part] for name, *row in rows} for part in range(3)))


def _tree(name: str, kind: Any) -> Any:
    if not isinstance(kind, tuple):
        return name
    parts = [_tree(f"{name}_{index}", part) for index, part in enumerate(kind)]
    return type(kind)(*parts) if hasattr(kind, "_fields") else tuple(parts)


def _members(name: str, *parts: Any) -> Iterator[tuple[Any, ...]]:
    """A parameter's name, value, type and fact, or those of a tuple's members."""
    type, value, fact = parts
    if not isinstance(type, tuple):
        yield name, value, type, fact
        return
    for index, member in enumerate(zip(type, value, fact, strict=True)):
        yield from _members(f"{name}_{index}", *member)


def bind(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Bound:
    values, known, _ = _binder(function)(*args, **keywords)
    types = {name: type for name, (type, _) in zip(values, known, strict=True)}
    return Bound(values, types, {name: fact for name, (_, fact) in zip(values, known, strict=True)})


def scalar_type(value: Any, type: str) -> str:
    """The type that Triton gives a number, as in a space.

    >>> [scalar_type(value, "") for value in (5, -(2**31), 2**31, 2**63, True, 0.5)], scalar_type(0.5, "fp64")
    (['int', 'int', 'long', 'ulong', 'bool', 'float'], 'double')
    """
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -(2**31) <= value < 2**31 else "long" if value < 2**63 else "ulong"
    return "double" if type == "fp64" else "float"


# ---- Descriptors ----


class _Untouchable:
    """Stands for an argument that a hook may look at only to find that it is no descriptor."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise Unsupported(f"its pre_hook uses the argument {object.__getattribute__(self, '_name')}: only its own program can run it")

    __getattr__ = __setattr__ = __setitem__ = __getitem__ = __call__ = __len__ = __iter__ = _refuse


def is_descriptor(value: Any) -> bool:
    return type(value).__name__ == "TensorDescriptor" and hasattr(value, "block_shape")


def hooked(config: Any, positional: dict[str, Any], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call behind a configuration's pre_hook, with copies of descriptors. A hook that does more than to set block
    shapes is Unsupported."""
    copies = {name: copy.copy(value) for name, value in {**positional, **named}.items() if is_descriptor(value)}
    if config.pre_hook is not None:
        seen = {name: _Untouchable(name) if is_tensor(value) else value for name, value in {**positional, **named}.items()}
        seen.update({"num_warps": config.num_warps, "num_stages": config.num_stages, "num_ctas": config.num_ctas})
        passed = {**seen, **copies}
        for name, value in copies.items():
            value.base = _Untouchable(name)
        before = {name: _without_block(value) for name, value in copies.items()}
        try:
            config.pre_hook(passed)
        except Unsupported:
            raise
        except Exception as error:
            raise Unsupported(f"its pre_hook cannot run without the kernel: {type(error).__name__}: {error}") from None
        changed = [name for name in passed if passed[name] is not {**seen, **copies}.get(name)]
        changed += [name for name, value in copies.items() if _without_block(value) != before[name]]
        if changed:
            raise Unsupported(f"its pre_hook changes {', '.join(changed)}, and not only block shapes: only its own program can run it")
        for name, value in copies.items():
            value.base = {**positional, **named}[name].base
    return tuple(copies.get(name, value) for name, value in positional.items()), {**named, **{n: copies[n] for n in named if n in copies}}


def _without_block(descriptor: Any) -> dict[str, Any]:
    return {name: id(value) for name, value in vars(descriptor).items() if name != "block_shape"}


def coarse(type: str) -> str:
    """A type without what a configuration or the value of an argument decides.

    >>> [coarse(type) for type in ("*fp32", "constexpr", "tensordesc<fp16[64, 32]>")]
    ['*fp32', '', 'tensordesc<fp16[,]>']
    """
    return "" if type == "constexpr" else re.sub(r"\[[^\]]*\]", lambda found: f"[{',' * found[0].count(',')}]", type)


def maps(bound: list[Bound], types: dict[str, str]) -> dict[str, Map]:
    """The arguments that are tensor maps, with the boxes of each configuration."""
    found = {}
    for name in types:
        value = bound[0].values[name]
        if not is_descriptor(value):
            continue
        if getattr(value, "round_f32_to_tf32", False):
            raise Unsupported(f"the descriptor {name} rounds to tf32")
        boxes = [tuple(int(size) for size in each.values[name].block_shape) for each in bound]
        shape, strides = tuple(int(size) for size in value.shape), tuple(int(step) for step in value.strides)
        found[name] = Map(value.base, shape, strides, boxes, getattr(value, "padding", "") == "nan")
    return found


# ---- Keys and launches ----

_tensors: set[type] = set()  # types that have data_ptr


def _other(value: Any) -> Any:
    """The facts that Triton compiles for in an argument that is neither an integer nor a tensor of a known type. A new type of tensors
    becomes known, and the key is computed again."""
    if hasattr(value, "data_ptr"):
        _tensors.add(type(value))
        return None
    if is_descriptor(value):
        return value.base.dtype, len(value.shape), getattr(value, "padding", "")
    if isinstance(value, tuple):
        return type(value), tuple(_member(member) for member in value)
    return type(value) if value is not None else None


def _member(value: Any) -> Any:
    """The facts of a member of a tuple, with the value of an integer, which may be in `keys`."""
    if type(value) is int:
        return value
    return (value.dtype, not value.data_ptr() & 15) if hasattr(value, "data_ptr") else _other(value)


def key_function(params: list[Any], keys: list[str]) -> Callable[[tuple[Any, ...], dict[str, Any]], Any]:
    """A function from a call's arguments to its key: the values of `keys` and of constexprs, the device, and all that Triton compiles
    for. It is generated for the signature, because it runs at each call."""
    lines, parts = [], []
    for index, param in enumerate(params):
        lines.append(f"v = args[{index}] if count > {index} else get({param.name!r})")
        if param.is_constexpr:
            lines.append(f"p{index} = v")
        else:
            small = "-0x80000000 <= v < 0x80000000"
            integer = small if param.do_not_specialize else f"(not v & 15) + 2 * (v == 1) + 4 * ({small})"
            own = "v" if param.name in keys else "None"
            lines += [
                "c = type(v)",
                f"if c in tensors: p{index} = v.dtype; q{index} = not v.data_ptr() & 15",
                f"elif c is int: p{index} = {integer}; q{index} = {own}",
                f"else: p{index} = other(v); q{index} = {own} if c not in tensors and not isinstance(v, tuple) else None",
            ]
            parts.append(f"q{index}")
        parts.append(f"p{index}")
    names = frozenset(["grid", "warmup", *(param.name for param in params)])
    body = ["count, get, known = len(args), kwargs.get, len(tensors)", *lines]
    body.append("more = None if kwargs.keys() <= names else tuple((n, v) for n, v in kwargs.items() if n not in names)")
    body.append("if known != len(tensors): return key(args, kwargs)")
    body.append(f"return triton.device_index(), more, {', '.join(parts) or 'None'}")
    scope: dict[str, Any] = {"tensors": _tensors, "other": _other, "names": names, "triton": sys.modules[__name__]}
    exec("def key(args, kwargs):\n" + "".join(f"    {line}\n" for line in body), scope)
    found: Callable[[tuple[Any, ...], dict[str, Any]], Any] = scope["key"]
    return found


class Launch:
    """Launches a configuration: by Triton's launcher, or, if `direct`, by cutune's own once Triton has compiled it."""

    def __init__(self, name: str, arg_names: list[str], config: Any, direct: bool) -> None:
        self.name, self.arg_names, self.config, self.direct = name, arg_names, config, direct
        self.keywords = config.all_kwargs()
        self.plain = config.pre_hook is None and not direct  # Triton's launcher needs no more than the keywords
        self._functions: dict[tuple[Any, ...], Any] = {}

    def __call__(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.config.pre_hook is not None:
            self.config.pre_hook({**dict(zip(self.arg_names, args)), **kwargs, **self.keywords})  # noqa: B905
        if not self.direct:
            return fn.run(*args, **kwargs, **self.keywords)
        values = {**dict(zip(self.arg_names, args)), **kwargs, **self.keywords}  # noqa: B905
        own = heuristics(fn, values)
        function = self._functions.get(key := tuple(own.values()))
        if function is None:
            compiled = fn.run(*args, **kwargs, **self.keywords)
            try:
                self._functions[key] = self._bind(function_of(fn), compiled)
            except Error as error:
                self.direct = False
                warn(f"{self.name}: Triton's launcher launches it: {error}")
            return compiled
        grid = kwargs["grid"]
        defaults, order = function.defaults
        values = {**defaults, **values, **own}
        function.launch(grid(values) if callable(grid) else grid, [values[name] for name in order])
        return None

    def _bind(self, function: Any, compiled: Any) -> Any:
        from ._function import Bound as Function

        metadata, signature = compiled.metadata, compiled.src.signature
        if getattr(metadata, "launch_pdl", False) or any(
            isinstance(type, tuple) or type.startswith("tensordesc") for type in signature.values()
        ):
            raise Error(ErrorCode.USAGE, "its code takes tuples or tensor maps, or begins before the kernel in front of it ends")
        order = [name for name, type in signature.items() if type != "constexpr"]
        types = ["address" if signature[name].startswith("*") else SCALARS[signature[name]] for name in order]
        for scratch in ("global_scratch", "profile_scratch"):
            size = getattr(metadata, f"{scratch}_size", None)
            if size:
                raise Error(ErrorCode.USAGE, "its code takes scratch memory")
            types += [] if size is None else ["null"]
        defaults = {param.name: param.default for param in function.params if param.has_default}
        return Function(self.name, compiled.asm["cubin"], metadata.name, device_index(), (32 * metadata.num_warps, 1, 1), metadata.shared,
                        (metadata.num_ctas, 1, 1) if metadata.num_ctas > 1 else (0, 0, 0),
                        bool(getattr(metadata, "launch_cooperative_grid", False)), types, (defaults, order))  # fmt: skip


#: Types of a space by Triton's names.
SCALARS = {
    "i1": "bool", "u1": "bool", "i8": "char", "i16": "short", "i32": "int", "i64": "long", "u8": "uchar", "u16": "ushort", "u32": "uint",
    "u64": "ulong", "fp32": "float", "fp64": "double",
}  # fmt: skip


def heuristics(kernel: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The values of the heuristics around a function."""
    from triton.runtime.autotuner import Heuristics

    found: dict[str, Any] = {}
    while not isinstance(kernel, JITFunction):
        if isinstance(kernel, Heuristics):
            for name, rule in kernel.values.items():
                found[name] = rule({**values, **found})
        kernel = kernel.fn
    return found
