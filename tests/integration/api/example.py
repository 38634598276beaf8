#!/usr/bin/env python3
"""Compiles and runs the program of docs/ask-and-tell.md: it prints what the page says. Usage: example.py PAGE INCLUDE LIBRARY CC [FLAG...]"""
import os
import re
import subprocess
import sys
import tempfile


def main():
    page, include, library, cc = sys.argv[1:5]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    program, expected = re.search(r"```c\n(.*?)```", text, re.S)[1], re.search(r"```text\n(.*?)```", text, re.S)[1]
    with tempfile.TemporaryDirectory(prefix="cutune-example-") as folder:
        with open(os.path.join(folder, "search.c"), "w", encoding="utf-8") as file:
            file.write(program)
        subprocess.run([cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I" + include, "search.c", "-o", "search", library,
                        "-Wl,-rpath," + os.path.dirname(library), *filter(None, sys.argv[5:])], cwd=folder, check=True)
        done = subprocess.run([os.path.join(folder, "search")], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode or done.stdout != expected:
        sys.exit("status %d, printed:\n%sinstead of:\n%s" % (done.returncode, done.stdout, expected))
    lines = len(program[program.index("int main"):].splitlines())
    print("%d lines" % lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
