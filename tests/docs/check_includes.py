#!/usr/bin/env python3
"""Checks rules beyond the compiler's. Folders depend on each other in one direction only. Each foreign library is
used by one folder. Nothing below tools/ prints or ends the program. Files stay short. No file names a place of
somebody's machine.

    check_includes.py [--layers] [REPOSITORY]

Option --layers checks the first three only, for the build."""
import os
import re
import subprocess
import sys

HEADERS_OF_NOBODY = (r"cuda\.h",)  # cutune starts where there is no driver

BANNED = re.compile(
    r"\b(printf|vprintf|puts|putchar|perror|exit|quick_exit|abort|assert|err|errx|warn|warnx)\s*\("
    r"|\b(fprintf|vfprintf|fputs|fputc|fwrite|dprintf)\s*\([^;]*\b(stderr|stdout|STDERR_FILENO|STDOUT_FILENO)\b")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
PRIVATE_PLACE = re.compile(r"(?<![\w.$}])/(?:home|root|Users|work)/\w")
SOURCE = (".c", ".h", ".def", ".cu", ".cuh", ".py", ".sh", ".cmake")
LINES_MAX = 600


def repository_files(root):
    """Lists every file that is or could be committed; without git (a source archive), everything except build
    folders."""
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
    """Replaces a comment or string by spaces, so that places in the text stay the same."""
    return re.sub(r"[^\n]", " ", match.group())


class Layer:
    def __init__(self, row):
        self.folder, below, _, headers = [cell.strip() for cell in row.split("|")]
        self.name, self.below, self.headers = os.path.basename(self.folder), below.split(), headers.split()


def read_layers(root):
    """Reads the layers by their folders: tools/cmake/layers.txt has their allowed includes."""
    with open(os.path.join(root, "tools/cmake/layers.txt")) as file:
        layers = [Layer(line) for line in file if line.strip() and not line.startswith("#")]
    return {layer.folder: layer for layer in layers}


def picture(layers):
    """The house by floors, the highest first: a layer includes layers of lower floors alone."""
    floors, names = {}, {layer.name: layer for layer in layers.values()}

    def floor_of(layer):
        if layer.name not in floors:
            floors[layer.name] = 1 + max((floor_of(names[name]) for name in layer.below), default=0)
        return floors[layer.name]

    for layer in layers.values():
        floor_of(layer)
    return "".join("%2d  %s\n" % (floor, "  ".join(l.folder for l in layers.values() if floors[l.name] == floor))
                   for floor in range(max(floors.values()), 0, -1))


def check_source(name, text, layers):
    layer = layers.get(os.path.dirname(name))
    if layer is None or not name.endswith((".c", ".h", ".def")):
        return
    for match in INCLUDE.finditer(text):
        quote, header = match.groups()
        place = "%s:%d" % (name, line_of(text, match.start()))
        for pattern in {*HEADERS_OF_NOBODY, *(p for other in layers.values() for p in other.headers)}:
            if re.fullmatch(pattern, header) and pattern not in layer.headers:
                yield "%s: <%s> may not be included by %s/" % (place, header, layer.folder)
        if quote == '"' and not header.startswith("lists/") and not header.endswith(".inc"):  # these are generated
            target = header.split("/")[0] if "/" in header else None
            if target is None:
                yield '%s: "%s" names no layer: write "%s/%s"' % (place, header, layer.name, header)
            elif target != layer.name and target not in layer.below:
                yield '%s: %s/ must not include "%s"; it may include %s' % (
                    place, layer.name, header, ", ".join(layer.below) or "nothing")
    if not layer.folder.startswith("tools/"):
        for match in BANNED.finditer(COMMENT_OR_STRING.sub(blank, text)):
            yield "%s:%d: only tools/ prints or exits: %s" % (
                name, line_of(text, match.start()), match.group().split("(")[0].strip())


def check_layers(root):
    layers, known = read_layers(root), set()
    for folder, layer in layers.items():
        for name in sorted(set(layer.below) - known):
            yield "tools/cmake/layers.txt: %s may include %s, which is no lower row" % (folder, name)
        if layer.name in known:
            yield "tools/cmake/layers.txt: two layers have the name %s" % layer.name
        known.add(layer.name)
        for name in sorted(os.listdir(os.path.join(root, folder))):
            path = os.path.join(root, folder, name)
            if os.path.isfile(path) and name.endswith((".c", ".h", ".def")):
                with open(path, encoding="utf-8", errors="replace") as file:
                    yield from check_source(os.path.join(folder, name), file.read(), layers)


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
    yield from check_layers(root)
    with open(os.path.join(root, "tuner/README.md"), encoding="utf-8") as file:
        drawing = file.read()
    for folder in read_layers(root):
        if "| `%s` |" % folder not in drawing:
            yield "tuner/README.md: says nothing of the layer %s" % folder
    if picture(read_layers(root)) not in drawing:
        yield "tuner/README.md: the floors have changed; draw these:\n" + picture(read_layers(root))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--layers"]
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    problems = list((check_layers if "--layers" in sys.argv else check)(os.path.abspath(root)))
    for problem in problems:
        print(problem)
    if problems or "--layers" not in sys.argv:
        print("%d problems" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
