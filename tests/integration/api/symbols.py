#!/usr/bin/env python3
"""Checks that the shared library exports exactly the declarations of cutune.h, each with a version, and has no variables of its own,
which threads would share. Usage: symbols.py HEADER LIBRARY NM"""
import re
import subprocess
import sys

VERSION = re.compile(r"CUTUNE_\d+\.\d+")
STARTUP = re.compile(r"completed(\.\d+)?|__dso_handle|__TMC_END__|__bss_start|_edata|_end|__cpu_model|__cpu_features2")  # of the compiler


def symbols(nm, library, *options):
    listed = subprocess.run([nm, *options, library], check=True, capture_output=True, text=True).stdout
    return listed.splitlines()


def main():
    header, library, nm = sys.argv[1:4]
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"^CUTUNE_API [^;(]*?(\w+)\(", file.read(), re.M))
    listed = [line.split()[:2] for line in symbols(nm, library, "--dynamic", "--defined-only", "--format=posix",
                                                   "--with-symbol-versions")]
    versions = dict((name.split("@@") + [""])[:2] for name, kind in listed if kind != "A")  # A: a version itself
    exported = set(versions)
    unversioned = sorted(name for name, version in versions.items() if not VERSION.fullmatch(version))
    for name in unversioned:
        print("without a version: " + name)
    for name in sorted(declared - exported):
        print("declared, not exported: " + name)
    for name in sorted(exported - declared):
        print("exported, not declared: " + name)
    rows = [[cell.strip() for cell in line.split("|")] for line in symbols(nm, library, "--format=sysv")]
    variables = [row[0] for row in rows if len(row) == 7 and row[6] in (".data", ".bss", ".tdata", ".tbss")
                 and not STARTUP.fullmatch(row[0])]
    for name in variables:
        print("a variable: " + name)
    print("%d functions" % len(declared))
    return 1 if declared != exported or not declared or unversioned or variables else 0


if __name__ == "__main__":
    sys.exit(main())
