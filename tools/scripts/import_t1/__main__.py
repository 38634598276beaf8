#!/usr/bin/env python3
"""Converts a T1 description of a tuning problem (JSON, with values, conditions and sizes in Python) to the space language.

    python3 import_t1 PATH OUTPUT LIMITS RESERVED PARTS < T1 > REPLY

`cutune import` runs this script. PATH is that of the T1 file, OUTPUT that of the space file; files have paths relative to them.
LIMITS are the names of device limits, RESERVED the other names that the space language reserves, separated by spaces.
PARTS is "no-kernel" to leave out KernelSpecification. The reply is a JSON object:

    {"space": TEXT, "origins": [[LINE, COLUMN], ...], "notes": [WHAT, ...]}     an origin for each line of TEXT;
                                                                                WHAT is not imported
    {"error": MESSAGE, "at": [LINE, COLUMN], "hint": TEXT or null}              when the space language cannot express it

Places are those of the T1 text, from 1 and in bytes. Needs Python 3.8 or newer, and only its standard library."""
import json
import signal
import sys
import warnings


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10000)
    if sys.version_info < (3, 8):
        reply = {"error": "python3 has version %d.%d, but this command needs 3.8 or newer" % sys.version_info[:2], "at": None}
    else:
        from description import convert  # older versions of Python cannot parse it
        path, output, limits, reserved, parts = sys.argv[1:6]
        reply = convert(sys.stdin.buffer.read(), path, limits.split(), reserved.split(), output, parts != "no-kernel")
    json.dump(reply, sys.stdout)


if __name__ == "__main__":
    main()
