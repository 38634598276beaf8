#!/usr/bin/env python3
"""The shared library exports what cutune.h declares and nothing else, and has no variables of its own, which threads would
share: symbols.py HEADER LIBRARY NM [sanitized]"""
import re
import subprocess
import sys

STARTUP = re.compile(r"completed(\.\d+)?|__dso_handle|__TMC_END__|__bss_start|_edata|_end")  # of the compiler's start files


def symbols(nm, library, *options):
    listed = subprocess.run([nm, *options, library], check=True, capture_output=True, text=True).stdout
    return listed.splitlines()


def main():
    header, library, nm = sys.argv[1:4]
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"^CUTUNE_API [^;(]*?(\w+)\(", file.read(), re.M))
    exported = {line.split()[0] for line in symbols(nm, library, "--dynamic", "--defined-only", "--format=posix")}
    for name in sorted(declared - exported):
        print("declared, not exported: " + name)
    for name in sorted(exported - declared):
        print("exported, not declared: " + name)
    variables = []
    if "sanitized" not in sys.argv[4:]:  # sanitizers have variables
        rows = [[cell.strip() for cell in line.split("|")] for line in symbols(nm, library, "--format=sysv")]
        variables = [row[0] for row in rows if len(row) == 7 and row[6] in (".data", ".bss", ".tdata", ".tbss")
                     and not STARTUP.fullmatch(row[0])]
        for name in variables:
            print("a variable: " + name)
    print("%d functions" % len(declared))
    return 1 if declared != exported or not declared or variables else 0


if __name__ == "__main__":
    sys.exit(main())
