"""`python -m cutune.kernel_tuner script.py [arguments]`: runs a script of Kernel Tuner with cutune's two functions.
`--arguments` prints the table of the documentation."""

from __future__ import annotations

import os
import runpy
import sys

import cutune.kernel_tuner


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: python -m cutune.kernel_tuner script.py [arguments]")
    if sys.argv[1] == "--arguments":
        print(cutune.kernel_tuner.argument_table(), end="")
        return
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    cutune.kernel_tuner.install()
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
