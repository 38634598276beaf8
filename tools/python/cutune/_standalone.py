"""A function as the text of a module of its own: its source, and the sources and values of all that it uses."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import math
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any

from ._regions import Unsupported

_PLAIN = (bool, int, float, str, bytes, type(None))
_PLACE = ("__module__", "__qualname__")


def _loaded(code: types.CodeType) -> Iterator[str]:
    """The names of its module that code reads, also in functions within it."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _loaded(inner)


def _names(function: Any, tree: ast.FunctionDef) -> list[str]:
    """The names that a function, its annotations, defaults and decorators read from outside, each once."""
    arguments = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    outside = [*tree.decorator_list, *tree.args.defaults, *(each for each in tree.args.kw_defaults if each)]
    outside += [each.annotation for each in arguments if each.annotation] + ([tree.returns] if tree.returns else [])
    read = [node.id for part in outside for node in ast.walk(part) if isinstance(node, ast.Name)]
    return list(dict.fromkeys([*read, *_loaded(function.__code__), *function.__code__.co_freevars]))


def _source(function: Any) -> tuple[list[str], int]:
    """The lines of a function with its decorators, and the number of the first one. The function's code may begin behind its decorators, as
    CuTe DSL replaces it when it compiles."""
    lines, at = inspect.findsource(function)
    try:
        nodes = list(ast.walk(ast.parse("".join(lines))))
    except (SyntaxError, ValueError):
        nodes = []
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.lineno == at + 1 and node.decorator_list:
            at = node.decorator_list[0].lineno - 1
    return inspect.getblock(lines[at:]), at + 1


def _plain_function(value: Any) -> Any:
    """The function of Python inside of decorators' objects; None without one."""
    for attribute in ("fn", "py_func", "_pyfunc", "__wrapped__"):
        while not inspect.isfunction(value) and hasattr(value, attribute):
            value = getattr(value, attribute)
    return inspect.unwrap(value) if inspect.isfunction(value) else None


def _literal(value: Any) -> str | None:
    """The expression of a value of plain types; None for other types."""
    if type(value) in _PLAIN and not (isinstance(value, float) and not math.isfinite(value)):
        return repr(value)
    if isinstance(value, float):
        return f'float("{value}")'
    if type(value) in (tuple, list):
        parts = [_literal(part) for part in value]
        if any(part is None for part in parts):
            return None
        text = ", ".join(str(part) for part in parts)
        return f"[{text}]" if isinstance(value, list) else f"({text}{',' if len(parts) == 1 else ''})"
    if type(value) is dict:
        pairs = [(_literal(key), _literal(part)) for key, part in value.items()]
        return None if any(None in pair for pair in pairs) else "{" + ", ".join(f"{key}: {part}" for key, part in pairs) + "}"
    return None


class _Text:
    """The module's text, as it is collected. `tuners` are names of decorators that are left out."""

    def __init__(self, tuners: tuple[str, ...]) -> None:
        self.tuners = tuners
        self.lines: list[str] = []
        self.known: dict[str, Any] = {}
        self.places: dict[str, int] = {}  # the first line of each function's source in its own file

    def value(self, name: str, value: Any, user: str) -> None:
        """Defines a name before the code that uses it."""
        if name in self.known:
            if self.known[name] is not value and self.known[name] != value:
                raise Unsupported(f"it and a function that it calls mean different things by {name}")
            return
        self.known[name] = value
        if (text := self._imported(name, value)) is not None:
            self.lines.append(text)
            return
        function = _plain_function(value)
        if function is not None:
            self.function(function, name)
        elif (text := self._constant(value, user)) is not None:
            self.lines.append(f"{name} = {text}")
        else:
            raise Unsupported(f"it uses {name}, a {type(value).__name__}, whose value cannot be written down")

    def _imported(self, name: str, value: Any) -> str | None:
        """An import, for modules and what installed modules have under a name."""
        if isinstance(value, types.ModuleType):
            return f"import {value.__name__} as {name}"
        module, place = (getattr(value, attribute, None) for attribute in _PLACE)
        owner = sys.modules.get(module) if isinstance(module, str) and module != "__main__" else None
        if owner is None or not isinstance(place, str) or "." in place or getattr(owner, place, None) is not value:
            return None
        if _plain_function(value) is not None and not _installed(owner):
            return None  # a function of the user's, whose module may be a program
        return f"from {module} import {place} as {name}"

    def _constant(self, value: Any, user: str) -> str | None:
        """The expression of a value: plain, or a constant or type of a language."""
        text = _literal(value)
        if text is not None:
            return text
        if type(value).__name__ == "constexpr" and (inner := _literal(value.value)) is not None:
            self.value("cutune_constexpr", type(value), user)
            return f"cutune_constexpr({inner})"
        owner = sys.modules.get(type(value).__module__.partition(".")[0])
        for module in [owner, *_languages()]:
            for found, other in list(vars(module).items()) if module else ():
                if other is value:
                    self.value(f"cutune_{module.__name__.replace('.', '_')}", module, user)
                    return f"cutune_{module.__name__.replace('.', '_')}.{found}"
        return None

    def function(self, function: Any, name: str) -> None:
        """Adds a function under a name, behind all that it uses."""
        self.known.setdefault(name, function)
        try:
            lines, first = _source(function)
        except (OSError, TypeError):
            raise Unsupported(f"the source of {name} is not known") from None
        tree: ast.stmt | None
        source = textwrap.dedent("".join(lines))
        try:
            [tree] = ast.parse(source).body
        except (SyntaxError, ValueError):
            tree = None
        if not isinstance(tree, ast.FunctionDef):
            raise Unsupported(f"{name} is not defined by def")
        self.places[tree.name] = first
        kept = [each for each in tree.decorator_list if not self._is_tuner(each)]
        tree.decorator_list = kept
        scope = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
        for used in _names(function, tree):
            if used != tree.name and used in scope and not (hasattr(builtins, used) and used not in function.__globals__):
                self.value(used, scope[used], name)
        self.lines += [f"@{ast.unparse(each)}" for each in kept]
        self.lines.append("".join(source.splitlines(keepends=True)[tree.lineno - 1 :]).rstrip())  # as it is, for languages hash it
        if tree.name != name:
            self.lines.append(f"{name} = {tree.name}")

    def _is_tuner(self, decorator: ast.expr) -> bool:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        return getattr(called, "attr", getattr(called, "id", "")) in self.tuners


def _installed(module: Any) -> bool:
    from .compilers._sources import _installed as installed

    file = getattr(module, "__file__", None)
    return file is None or installed(file)


def _languages() -> list[Any]:
    """Modules whose types are values in kernels."""
    return [sys.modules[name] for name in ("triton.language", "cuda.tile", "numba.types", "numpy") if name in sys.modules]


def standalone(function: Callable[..., Any], name: str, tuners: tuple[str, ...] = ("autotune", "heuristics")) -> tuple[str, dict[str, int]]:
    """The text of a module that has the function under a name, and the lines at which its functions begin in their own files. Unsupported
    says what cannot be written down.

    >>> from cutune._listed import unique
    >>> text, lines = standalone(unique, "once")
    >>> list(lines), text.splitlines()[-1]
    (['unique'], 'once = unique')
    """
    text = _Text(tuners)
    found = _plain_function(function)
    if found is None:
        raise Unsupported(f"{name} is no function of Python")
    text.function(found, name)
    return "from __future__ import annotations\n" * _future(found) + "\n".join(text.lines) + "\n", text.places


def _future(function: Any) -> bool:
    """True if the function's file has postponed annotations."""
    import __future__

    return bool(function.__code__.co_flags & __future__.annotations.compiler_flag)
