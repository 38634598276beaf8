"""Which arguments a kernel in Python may write: a look at its source that errs on the side of writing."""

from __future__ import annotations

import ast
import builtins
from typing import Any

_STORES = ("store", "atomic_", "scatter")
_LOADS = ("load", "gather")


class _Flow:
    """The parameters that each variable may point into, and those that the kernel may write through."""

    def __init__(self, names: list[str], scope: dict[str, Any], language: str) -> None:
        self.origins: dict[str, set[str]] = {name: {name} for name in names}
        self.scope, self.language = scope, language
        self.written: set[str] = set()

    def of(self, node: ast.AST | None) -> set[str]:
        """The parameters that an expression may point into."""
        if node is None:
            return set()
        if isinstance(node, ast.Name):
            return self.origins.get(node.id, set())
        if isinstance(node, ast.Call):
            return self._call(node)
        return set().union(*(self.of(child) for child in ast.iter_child_nodes(node)))

    def _call(self, call: ast.Call) -> set[str]:
        given = [self.of(each) for each in (*call.args, *(keyword.value for keyword in call.keywords))]
        everything = set().union(*given)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        language = self._of_language(call.func)
        receiver = self.of(call.func.value) if isinstance(call.func, ast.Attribute) and not language else set()
        if any(part.startswith(_STORES) for part in (name, *(n.attr for n in ast.walk(call.func) if isinstance(n, ast.Attribute)))):
            first = given[:1] if language and call.args else given
            self.written |= receiver or set().union(*first)
            return set()
        if name in _LOADS and (language or receiver):
            return set()
        if not language and not receiver and not hasattr(builtins, name):
            self.written |= everything  # a function of the user's
        return everything | receiver

    def _of_language(self, function: ast.expr) -> bool:
        """True for a function of the language's modules."""
        while isinstance(function, ast.Attribute):
            function = function.value
        found = self.scope.get(function.id) if isinstance(function, ast.Name) else None
        return f"{getattr(found, '__module__', None) or getattr(found, '__name__', '')}.".startswith(self.language)

    def assign(self, targets: list[ast.expr], value: set[str]) -> None:
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Subscript):
                    self.written |= self.of(node.value)  # an element of an array
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    self.origins[node.id] = self.origins.get(node.id, set()) | value

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            self.assign(node.targets, self.of(node.value))
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            self.assign([node.target], self.of(node.value))
        elif isinstance(node, ast.For):
            self.assign([node.target], self.of(node.iter))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            elif not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For)):
                self.of(child)
        if isinstance(node, ast.For):
            self.of(node.iter)


def written(source: str, names: list[str], scope: dict[str, Any], language: str) -> set[str]:
    """The parameters among `names` that the function with this source may write; `scope` has its globals, and the names of the language's
    modules begin with `language`.

    >>> import types
    >>> tl = types.ModuleType("triton.language")
    >>> text = "def copy(x, y, n):\\n    at = x + tl.arange(0, n)\\n    out = y + 1\\n    tl.store(out, tl.load(at))\\n"
    >>> written(text, ["x", "y"], {"tl": tl}, "triton.")
    {'y'}
    """
    [function] = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    flow = _Flow(names, scope, language)
    before: tuple[int, int] | None = None
    while before != (state := (sum(map(len, flow.origins.values())), len(flow.written))):
        before = state
        for statement in function.body:
            flow.statement(statement)
    return flow.written & set(names)
