#!/usr/bin/env python3
"""Checks what the compiler cannot: that folders depend on each other in one direction only, that each foreign library
is used by one folder, that nothing below tools/ prints or ends the program, that files stay short, and that no file
names a place of somebody's machine. Usage: check_includes.py [REPOSITORY]"""
import os
import re
import subprocess
import sys

# Folder of a layer -> the layers it may include besides itself.
LAYERS = {
    "tuner/base": ("base", ()),
    "space": ("space", ("base",)),
    "db": ("db", ("base",)),
    "tuner/compile": ("compile", ("base", "space")),
    "tuner/device": ("device", ("base", "space")),
    "tuner/search": ("search", ("base", "space")),
    "tuner/analyse": ("analyse", ("base", "db")),
    "tuner/evaluate": ("evaluate", ("base", "space", "db", "compile", "device", "search")),
    "tuner": ("tuner", ("base", "space", "db", "compile", "device", "search", "evaluate")),
    "tools": ("tools", ("base", "space", "db", "analyse", "compile", "device", "search", "evaluate", "tuner")),
}

# Header of a library -> the only layer that may include it.
LIBRARIES = {
    r"cuda\.h": None,  # cutune starts where there is no driver
    r"cuda_?runtime.*|cuda_occupancy\.h|driver_types\.h|vector_types\.h": "device",
    r"nvrtc\.h": "compile",
    r"csv\.h": "db",
    r"lapacke?\.h|cblas\.h": "search",
    r"xxhash\.h": "base",
    r"cjson/.*|argp\.h": "tools",
}

BANNED = re.compile(
    r"\b(printf|vprintf|puts|putchar|perror|exit|quick_exit|abort|assert|err|errx|warn|warnx)\s*\("
    r"|\b(fprintf|vfprintf|fputs|fputc|fwrite|dprintf)\s*\([^;]*\b(stderr|stdout|STDERR_FILENO|STDOUT_FILENO)\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PRIVATE_PLACE = re.compile(r"(?<![\w.$}])/(?:home|root|Users|work)/\w")
SOURCE = (".c", ".h", ".def", ".cu", ".cuh", ".py", ".sh", ".cmake")
LINES_MAX = 600


def repository_files(root):
    """Everything that is or could be committed; without git (a source archive), everything but build folders."""
    try:
        out = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             check=True, capture_output=True).stdout
        names = out.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = []
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if not f.startswith(("build", "."))]
            names += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(n for n in names if n and os.path.isfile(os.path.join(root, n)))


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(match):
    """A comment or string as spaces, so that places in the text stay the same."""
    return re.sub(r"[^\n]", " ", match.group())


def check_source(name, text):
    folder = os.path.dirname(name)
    if folder not in LAYERS or not name.endswith((".c", ".h", ".def")):
        return
    layer, below = LAYERS[folder]
    for match in INCLUDE.finditer(text):
        quote, header = match.groups()
        place = "%s:%d" % (name, line_of(text, match.start()))
        for pattern, owner in LIBRARIES.items():
            if re.fullmatch(pattern, header) and owner != layer:
                yield "%s: <%s> may be included %s" % (place, header, "by %s/ only" % owner if owner else "by nobody")
        if quote == '"' and not header.endswith(".inc"):  # .inc files are generated
            target = header.split("/")[0] if "/" in header else None
            if target is None:
                yield '%s: "%s" names no layer: write "%s/%s"' % (place, header, layer, header)
            elif target != layer and target not in below:
                yield '%s: %s/ must not include "%s"; it may include %s' % (
                    place, layer, header, ", ".join(below) or "nothing")
    if layer != "tools":
        for match in BANNED.finditer(COMMENT_OR_STRING.sub(blank, text)):
            yield "%s:%d: only tools/ prints or exits: %s" % (
                name, line_of(text, match.start()), match.group().split("(")[0].strip())


def check(root):
    for name in repository_files(root):
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        lines = text.count("\n")
        if name.endswith(SOURCE) and lines >= LINES_MAX:
            yield "%s: %d lines; a file has fewer than %d" % (name, lines, LINES_MAX)
        for match in PRIVATE_PLACE.finditer(text):
            yield "%s:%d: names a place of one machine: %s" % (
                name, line_of(text, match.start()), text[match.start():].split("\n")[0][:60])
        yield from check_source(name, text)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    problems = list(check(os.path.abspath(root)))
    for problem in problems:
        print(problem)
    print("%d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
