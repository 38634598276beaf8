"""A kernel of a running program, loaded without the rest of the program: the function and what it names, not the code that launches it."""

from __future__ import annotations
import __future__

import ast
import builtins
import json
import os
import sys
import types
from dataclasses import dataclass, field
from typing import Any

from .. import _nested
from ._worker import CompileError

#: Decorators of a kernel whose work the program has done, and so are left out.
_TUNERS = ("autotune", "heuristics")
_KEEP = "cutune_keep"


@dataclass(frozen=True)
class Call:
    """A program's knowledge about a call of its kernel, in a file beside the space.

    module     name of the kernel's module; package is its package, for relative imports
    function   name of the kernel in the module
    source     Triton's hash of the kernel's source and of the constants that it uses
    types      Triton's names of the types of the run-time arguments
    constants  values of constexprs that the call gives
    words      values that words of the space stand for
    lines      the lines at which functions begin in the program, if the file is a copy of them: they count in Triton's hash
    tuples     arguments that are tuples, by name: the names of their members, which are arguments of the space
    """

    module: str
    package: str
    function: str
    source: str = ""
    types: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    tuples: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str) -> Call:
        with open(path, encoding="utf-8") as file:
            call = cls(**json.load(file))
        for table in (call.constants, call.words):
            table.update({name: _value(value) for name, value in table.items()})
        call.tuples.update({name: _nested.from_json(tree) for name, tree in call.tuples.items()})
        return call

    def known(self, values: dict[str, Any]) -> dict[str, Any]:
        """Values of the space with the meaning that the program gives them, and the call's own constants."""
        return {**{name: self.words.get(v, v) if isinstance(v, str) else v for name, v in values.items()}, **self.constants}


def _value(value: Any) -> Any:
    """A constant of a call's file: JSON, or an object with the members of a tuple or the name of a type of triton.language."""
    if isinstance(value, dict) and "tuple" in value:
        return tuple(_value(member) for member in value["tuple"])
    if isinstance(value, dict):
        import triton.language as tl

        return tl.dtype(value["dtype"])
    return value


def load(path: str, call: Call) -> types.ModuleType:
    """The module of a file with the kernel of a call, and only the statements that it needs."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    module = types.ModuleType(call.module if call.module != "__main__" else os.path.splitext(os.path.basename(path))[0])
    module.__file__ = path
    module.__package__ = call.package
    module.__dict__[_KEEP] = lambda function: function
    if not call.package:  # a part of a package may be imported as a whole by the rest
        sys.modules.setdefault(module.__name__, module)
    flags = _future_flags(tree)
    for statement in _needed(tree, call.function):
        try:
            exec(compile(ast.Module([statement], []), path, "exec", flags, dont_inherit=True), module.__dict__)
        except Exception as error:
            if call.function in _bound(statement):
                raise CompileError(f"{type(error).__name__}: {error}", path, statement.lineno) from error
            print(f"{path}:{statement.lineno}: {type(error).__name__}: {error}")  # perhaps the kernel does not need it
    return module


def _future_flags(tree: ast.Module) -> int:
    """The compiler's flags for the file's imports from __future__."""
    names = {alias.name for each in tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__" for alias in each.names}
    return sum(getattr(__future__, name).compiler_flag for name in names)


def _bound(statement: ast.stmt) -> set[str]:
    """Names of the module that a statement of its top level binds."""
    found: set[str] = set()
    inner = ast.walk(statement)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    for node in inner:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def _is_tuner(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "attr", getattr(called, "id", "")) in _TUNERS


def _without_tuners(statement: ast.stmt) -> ast.stmt:
    """Leaves nothing of the tuners but their lines, which count in Triton's hash of the source."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [
                ast.copy_location(ast.Name(_KEEP, ast.Load()), each) if _is_tuner(each) else each for each in node.decorator_list
            ]
    return statement


def _needed(tree: ast.Module, function: str) -> list[ast.stmt]:
    """The statements that a function needs, in order. Imports with * are all needed, since their names are unknown."""
    statements = [_without_tuners(statement) for statement in tree.body]
    binders: dict[str, list[ast.stmt]] = {}
    for statement in statements:
        for name in _bound(statement):
            binders.setdefault(name, []).append(statement)
    pending, chosen = [function, "*"], set()
    seen = {*pending, *vars(builtins)}
    while pending:
        for statement in binders.get(pending.pop(), ()):
            if statement in chosen:
                continue
            chosen.add(statement)
            names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)} - seen
            seen |= names
            pending += names
    return [statement for statement in statements if statement in chosen]
