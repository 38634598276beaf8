#!/usr/bin/env python3
"""Converts a T1 description of a tuning space (JSON, with values and conditions in Python) to the space language.

    python3 import_t1 NAME LIMITS RESERVED < T1 > REPLY

`cutune import --t1` runs this script. NAME is the file's name for the first comment. LIMITS are the names of device
limits, RESERVED the other names that the space language reserves, separated by spaces. The reply is a JSON object:

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
        reply = convert(sys.stdin.buffer.read(), sys.argv[1], sys.argv[2].split(), sys.argv[3].split())
    json.dump(reply, sys.stdout)


if __name__ == "__main__":
    main()
