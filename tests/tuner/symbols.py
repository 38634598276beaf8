#!/usr/bin/env python3
"""The shared library exports what cutune.h declares and nothing else: symbols.py HEADER LIBRARY NM"""
import re
import subprocess
import sys


def main():
    header, library, nm = sys.argv[1:]
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"^CUTUNE_API [^;(]*?(\w+)\(", file.read(), re.M))
    listed = subprocess.run([nm, "--dynamic", "--defined-only", "--format=posix", library], check=True, capture_output=True,
                            text=True).stdout
    exported = {line.split()[0] for line in listed.splitlines()}
    for name in sorted(declared - exported):
        print("declared, not exported: " + name)
    for name in sorted(exported - declared):
        print("exported, not declared: " + name)
    print("%d functions" % len(declared))
    return 1 if declared != exported or not declared else 0


if __name__ == "__main__":
    sys.exit(main())
