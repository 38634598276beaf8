#!/usr/bin/env python3
"""Translates CUDA kernels to C functions that a host calls with one thread: host_kernels.py FILE.cu... >host_kernels.inc

Replaces only text that is not C (`extern "C"` and the PTX instructions of the table below); the qualifiers and intrinsics are
macros and functions of fake_kernels.c. So the fake runtime runs the same text as the GPU."""
import os
import re
import sys

PTX = [(r'asm volatile\("mov\.u64 %0, %+globaltimer;" : "=l"\((\w+)\)\);', r"\1 = host_globaltimer();")]
SIGNATURE = re.compile(r'extern "C" __global__ void (\w+)\(([^)]*)\)')
FOUR_BYTES = {"int", "unsigned", "u32", "float"}


def parameters(text):
    """Returns (type, name) of each parameter."""
    return [re.fullmatch(r"\s*(.*?)(\w+)\s*", part, re.S).groups() for part in text.split(",")]


def translate(path):
    """Returns the file's text as C, and a row of the table for each kernel in it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    calls, rows = [], []
    for name, list_text in SIGNATURE.findall(text):
        types = [kind.replace("__restrict__", "").strip() for kind, _ in parameters(list_text)]
        letters = "".join("i" if kind.removeprefix("const ") in FOUR_BYTES else "s" if kind.startswith("struct") else "p"
                          for kind in types)
        lines = ["    %s p%d;\n    memcpy(&p%d, &a[%d], sizeof p%d);\n" % (kind, i, i, i + 3 * letters[:i].count("s"), i)
                 for i, kind in enumerate(types)]
        calls.append("static void run_%s(const uint64_t *a)\n{\n%s    %s(%s);\n}\n" %
                     (name, "".join(lines), name, ", ".join("p%d" % i for i in range(len(types)))))
        rows.append('    {"%s", {run_%s, "%s"}},\n' % (name, name, letters))
    for pattern, replacement in PTX:
        text = re.sub(pattern, replacement, text)
    text = text.replace('extern "C" __global__', "static")
    portable = re.sub(r"^#if __CUDA_ARCH.*?^#else$", "", text, flags=re.S | re.M)  # the part for hosts
    if "asm" in re.sub(r"//.*", "", portable):
        sys.exit("%s: PTX that host_kernels.py does not know" % path)
    return "#line 1 \"%s\"\n%s\n%s" % (os.path.basename(path), text, "\n".join(calls)), rows


def main():
    translated = [translate(path) for path in sys.argv[1:]]
    print("\n".join(text for text, _ in translated))
    print("const struct fake_row fake_rows[] = {\n%s    {NULL}};" % "".join(row for _, rows in translated for row in rows))


if __name__ == "__main__":
    main()
