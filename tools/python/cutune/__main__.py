"""`python -m cutune`: prints the package's folders for builds, or runs the program with NVRTC of this environment."""

from __future__ import annotations

import os
import sys

from ._error import Error
from ._paths import cmake_dir, include_dir, program_path
from ._toolkit import toolkit


def program() -> None:
    """Becomes the program, with the same arguments: the command `cutune` of an installed wheel."""
    if len(sys.argv) == 2 and sys.argv[1] in ("--cmakedir", "--include"):
        print(cmake_dir() if sys.argv[1] == "--cmakedir" else include_dir())
        return
    try:
        path = program_path()
    except Error as error:
        sys.exit(f"cutune: error: {error}")
    environment = {**os.environ, **toolkit().environment()}
    try:
        os.execve(path, ["cutune", *sys.argv[1:]], environment)
    except OSError as error:
        sys.exit(f"cutune: error: cannot run {path}: {error.strerror}")


if __name__ == "__main__":
    program()
