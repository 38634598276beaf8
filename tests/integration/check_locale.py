#!/usr/bin/env python3
"""Nothing depends on the locale of the host program.

    check_locale.py ROOT

Says which sources read or write floats, or classify letters, by functions that follow the locale; base/text.c is the one
place for that. Sanitized unit tests run in a locale that writes 0.5 as "0,5"."""
import os
import re
import sys

ALLOWED = {"tuner/base/text.c"}
BANNED = re.compile(r"\b(strto(d|f|ld)|ato[fil]|v?sscanf_l|setlocale|localeconv|is(alpha|alnum|digit|space|upper|lower|print|punct)"
                    r"|to(upper|lower)|strn?casecmp|vsnprintf)\s*\(")
PRINT = re.compile(r"\bv?(sn|f|)printf\s*\(")
FLOAT = re.compile(r"%[-+ 0#]*[0-9*]*(\.[0-9*]+)?l?[gGeEfFaA]\b")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def call_at(text, start):
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0 and text[end] == ")":
            return text[start:end]
    return text[start:]


def problems(root):
    for layer in ("tuner", "space", "db", "tools"):
        for folder, _, names in os.walk(os.path.join(root, layer)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if not path.endswith((".c", ".h")) or path in ALLOWED or path.startswith("tools/bench/"):
                    continue
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    text = without_comments(file.read())
                for match in BANNED.finditer(text):
                    yield path, text.count("\n", 0, match.start()) + 1, match.group(1)
                for match in PRINT.finditer(text):
                    if FLOAT.search(call_at(text, match.end() - 1)):
                        yield path, text.count("\n", 0, match.start()) + 1, match.group().strip("( ")


def main():
    found = list(problems(sys.argv[1]))
    for path, line, name in found:
        print(f"{path}:{line}: {name} follows the locale: take what tuner/base/text.h has instead")
    return 1 if found else 0


sys.exit(main())
