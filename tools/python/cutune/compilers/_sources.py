"""The user's Python files: loading them, finding kernels in them, and the files that they import."""

from __future__ import annotations

import functools
import glob
import importlib.metadata
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .. import _version
from ._worker import CompileError

Value = int | float | str | bool


def arguments(name: str, suffix: str, flags: list[str] | None = None) -> list[str]:
    """The files that the command line names; without any, ends the program with its usage. `flags` gets the words that begin with -."""
    files = [word for word in sys.argv[1:] if not word.startswith("-")]
    others = [word for word in sys.argv[1:] if word.startswith("-")]
    if not files or (others and flags is None):
        sys.exit(f"usage: python3 -m cutune.compilers.{name} {'' if flags is None else '[OPTION...] '}FILE{suffix}...")
    if flags is not None:
        flags += others
    for file in files:
        if not os.path.isfile(file):
            sys.exit(f"{file}: no such file; the command runs in the folder of the space file")
    return [os.path.abspath(file) for file in files]


def package(distribution: str, module: ModuleType | None = None) -> dict[str, str]:
    """A package as the hello has it: its version, and the file whose state stands for it."""
    found = {"version": importlib.metadata.version(distribution)}
    if module is not None and module.__file__:
        found["file"] = module.__file__
    return found


def own_package(adapter: str) -> dict[str, dict[str, str]]:
    """cutune itself, by the file of the adapter."""
    return {"cutune": {"version": _version.__version__, "file": os.path.abspath(adapter)}}


def short(version: str) -> str:
    """A version that fits behind the compiler's name: without a local part, such as +git1234."""
    return version.partition("+")[0][:8]


class Sources:
    """The user's files as modules. They may import modules beside them. `modules` are those that are loaded already."""

    def __init__(self, paths: list[str], modules: list[ModuleType] | None = None) -> None:
        self.paths = paths
        self.modules = [_load(path) for path in paths] if modules is None else modules

    def reload(self) -> None:
        """Loads the files anew, and those that they have imported."""
        old = set(self.files())
        for name, module in list(sys.modules.items()):
            if os.path.abspath(getattr(module, "__file__", None) or "") in old:
                del sys.modules[name]
        self.modules = [_load(path) for path in self.paths]

    def files(self) -> list[str]:
        """The files, and those that they have imported from outside of installed packages."""
        modules = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
        imported = {
            os.path.abspath(file) for file in modules if file and file.endswith(".py") and os.path.isfile(file) and not _installed(file)
        }
        return [*self.paths, *sorted(imported - set(self.paths))]

    def functions(self, accept: Callable[[Any], bool]) -> dict[str, Any]:
        """The accepted objects by name; the first file wins."""
        found: dict[str, Any] = {}
        for module in self.modules:
            for name, value in vars(module).items():
                if accept(value):
                    found.setdefault(name, value)
        return found

    def kernel(self, name: str, accept: Callable[[Any], bool], kind: str) -> Any:
        """The kernel of that name; `kind` describes kernels in the error."""
        found = self.functions(accept)
        if name not in found:
            known = ", ".join(sorted(found)) or "none"
            raise CompileError(f"there is no {kind} '{name}'; the file has: {known}", self.paths[0])
        return found[name]


def _load(path: str) -> ModuleType:
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules:  # the user's file may have the name of a module that is already here
        name = f"kernels_{name}"
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def _installed(file: str) -> bool:
    """True for a file of Python, of a package or of cutune."""
    real = os.path.realpath(file)
    return real.startswith(_folders()) or f"{os.sep}site-packages{os.sep}" in real


@functools.cache
def _folders() -> tuple[str, ...]:
    """Where Python, packages and cutune are."""
    folders = {*site.getsitepackages(), site.getusersitepackages(), *sysconfig.get_paths().values()}
    folders.add(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return tuple(os.path.realpath(folder) + os.sep for folder in folders)


def values(request: dict[str, Any], kernel: dict[str, Any]) -> dict[str, Value]:
    """All named values of a kernel: the launch's own macros before parameters, `define`s and problem sizes."""
    return {**request["sizes"], **request["defines"], **request["params"], **kernel["defines"]}


def options(request: dict[str, Any]) -> dict[str, Value]:
    """The texts NAME=VALUE of `option` statements."""
    found: dict[str, Value] = {}
    for text in request["options"]:
        name, equals, value = text.partition("=")
        if not equals or not name.strip().isidentifier():
            raise CompileError(f"option '{text}': write NAME=VALUE, such as num_stages=3")
        found[name.strip()] = _number(value.strip())
    return found


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "True": True, "false": False, "False": False}.get(text, text)


def match(kernel: dict[str, Any], names: list[str], place: tuple[str, int]) -> list[tuple[str, dict[str, Any]]]:
    """Pairs of the function's parameters and the space's arguments, in order."""
    given = kernel["arguments"]
    if len(given) != len(names):
        raise CompileError(
            f"{kernel['name']} takes {len(names)} arguments ({', '.join(names)}), "
            f"and the space gives {len(given)} ({', '.join(argument['name'] for argument in given)})",
            *place,
        )
    return list(zip(names, given, strict=True))


def code_place(function: Any) -> tuple[str, int]:
    """The file and line of a Python function."""
    code = function.__code__
    return code.co_filename, code.co_firstlineno


def capability(architecture: str) -> int:
    """90 of sm_90a."""
    return int(architecture.removeprefix("sm_").rstrip("af"))


def wheel_ptxas() -> str | None:
    """The newest assembler of NVIDIA's packages."""
    spec = importlib.util.find_spec("nvidia")
    roots = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for root in roots for path in glob.glob(os.path.join(root, "*", "bin", "ptxas"))]
    return max(found, default=None)
