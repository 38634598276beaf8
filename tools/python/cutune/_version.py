"""The version, from the installed package or the source tree."""

from __future__ import annotations

import pathlib
import re


def find() -> str:
    lists = pathlib.Path(__file__).resolve().parents[3] / "CMakeLists.txt"
    try:
        match = re.search(r"project\(cutune VERSION ([0-9.]+)", lists.read_text(encoding="utf-8"))
        if match:
            return match[1]
    except OSError:
        pass
    import importlib.metadata

    return importlib.metadata.version("cutune")


__version__ = find()
