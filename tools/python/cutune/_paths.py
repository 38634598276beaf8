"""Places of the installed program, library and data. CUTUNE_PROGRAM, CUTUNE_LIBRARY and CUTUNE_DATA in the environment
name others."""

from __future__ import annotations

import os
import pathlib

from ._error import Error, ErrorCode

PACKAGE = pathlib.Path(__file__).resolve().parent


def _missing(what: str, variable: str) -> Error:
    return Error(
        ErrorCode.NOT_FOUND,
        f"{what} is missing: the package cutune is not installed completely",
        hint=f"{variable} in the environment names another",
    )


def program_path() -> str:
    """Path of the program that runs: $CUTUNE_PROGRAM, else the package's own, else the first on PATH."""
    named = os.environ.get("CUTUNE_PROGRAM")
    if named:
        return named
    import shutil

    own = PACKAGE / "bin" / "cutune"
    found = str(own) if own.exists() else shutil.which("cutune")
    if not found:
        raise _missing("the program cutune", "CUTUNE_PROGRAM")
    return found


def library_path() -> str:
    """Path of libcutune.so: $CUTUNE_LIBRARY, else the package's own."""
    own = PACKAGE / "lib" / "libcutune.so"
    path = os.environ.get("CUTUNE_LIBRARY") or str(own)
    if not os.path.exists(path):
        raise _missing("the library libcutune.so", "CUTUNE_LIBRARY")
    return path


def include_dir() -> str:
    """Folder of cutune.h and cutune_cuda.h: `python -m cutune --include` prints it."""
    return str(PACKAGE / "include")


def cmake_dir() -> str:
    """Folder for cutune_DIR of find_package(cutune): `python -m cutune --cmakedir` prints it."""
    return str(PACKAGE / "lib" / "cmake" / "cutune")


def data_dir() -> str:
    """Folder of the templates, the recorded results and the known devices: $CUTUNE_DATA, else the package's own."""
    named = os.environ.get("CUTUNE_DATA")
    if named:
        return named
    own = PACKAGE / "share" / "cutune"
    if own.exists():
        return str(own)
    from_program = pathlib.Path(program_path()).resolve().parent.parent / "share" / "cutune"
    if from_program.exists():
        return str(from_program)
    raise _missing("the folder share/cutune", "CUTUNE_PROGRAM")


def devices_dir() -> str:
    """Folder of the files of known devices."""
    return os.environ.get("CUTUNE_DEVICES") or os.path.join(data_dir(), "devices")


def templates_dir() -> str:
    """Folder of the installed templates, or ""."""
    try:
        return os.path.join(data_dir(), "templates")
    except Error:
        return ""
