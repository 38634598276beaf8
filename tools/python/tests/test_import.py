"""The public names of the package."""

from __future__ import annotations

import ast
import os
import pathlib
import subprocess
import sys

import cutune
import pytest

LOADED = """
import sys
before = set(sys.modules)
import cutune
print(*sorted(name for name in set(sys.modules) - before if name.partition(".")[0] in ("cutune", "numpy", "torch")))
"""


def test_import_loads_no_part() -> None:
    """An import that computes nothing costs next to nothing."""
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(cutune.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", LOADED], stdout=subprocess.PIPE, text=True, check=True, env=environment)
    assert done.stdout.split() == ["cutune"]


def test_type_checkers_see_the_names_that_are_found() -> None:
    text = pathlib.Path(cutune.__file__).read_text(encoding="utf-8")
    seen = {alias.asname for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen - {None} == set(cutune.__all__)


def test_names_are_found_and_listed() -> None:
    for name in cutune.__all__:
        value = getattr(cutune, name)
        assert name in dir(cutune)
        assert getattr(value, "__name__", name) == name


def test_an_unknown_name_is_named() -> None:
    with pytest.raises(AttributeError, match="'cutune' has no attribute 'tunes'"):
        getattr(cutune, "tune" + "s")
