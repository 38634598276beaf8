"""The versions of languages that the decorators know."""

from __future__ import annotations

#: The oldest and the newest of each package: those that the tests run with, and those between.
KNOWN = {
    "cuda-tile": ((1, 7), (1, 7)),
    "numba-cuda": ((0, 30), (0, 30)),
    "nvidia-cutlass-dsl": ((4, 8), (4, 8)),
    "jinja2": ((3, 1), (3, 1)),
}


def fault(package: str) -> str:
    """The reason why the installed version of a package cannot be served; "" without one."""
    import importlib.metadata

    text = importlib.metadata.version(package)
    oldest, newest = KNOWN[package]
    if oldest <= tuple(int(part) for part in text.split(".")[:2]) <= newest:
        return ""
    known = " to ".join(".".join(map(str, version)) for version in dict.fromkeys((oldest, newest)))
    return f"{package} {text} is not known: cutune knows {known}"
