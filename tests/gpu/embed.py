#!/usr/bin/env python3
"""Embedding on a real GPU: embed.py PROGRAM EMBED TRANSPOSE. A program with a CUDA context tunes; another runs the
winners, for the tuned sizes and for others. Exit status 77: no device."""
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPACE = os.path.join(ROOT, "templates", "transpose.space")


def run(folder, program, *command):
    done = subprocess.run([*command], cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, CUTUNE_PROGRAM=program, CUTUNE_CACHE=os.path.join(folder, "cache")))
    if done.returncode == 77:
        print("there is no device: skipped")
        sys.exit(77)
    print("$ %s\n%s%s" % (" ".join(command), done.stdout, done.stderr))
    if done.returncode:
        sys.exit("exit status %d" % done.returncode)
    return done.stdout


def main():
    program, embed, transpose = (os.path.abspath(argument) for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "d.csv")
        run(folder, program, embed, SPACE, database)
        for rows, cols, rule in (("1024", "2048", "problem"), ("1024", "2048", "problem"), ("2000", "1200", "device"),
                                 ("1001", "999", "device")):
            said = run(folder, program, transpose, database, SPACE, rows, cols)
            # Odd sizes may rule out all tuned configurations; then the default is used, if it is valid.
            if "by rule %s" % rule not in said and not ("by rule default" in said and rows == "1001"):
                sys.exit("not by rule " + rule)
            if "us, " not in said or " 0 of " not in said:
                sys.exit("wrong elements")
    return 0


if __name__ == "__main__":
    sys.exit(main())
