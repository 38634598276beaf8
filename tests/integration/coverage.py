#!/usr/bin/env python3
"""Which lines of tuner/ the tests run on a machine without a GPU, file by file: coverage.py [CTEST'S ARGUMENTS...]

Builds in build/coverage, runs the tests, and fails where a file of tuner/ is below FILE_LEAST per cent, or the layer
tuner/device below DEVICE_LEAST. Processes that were forked count, too (coverage.c)."""
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build/coverage")
FILE_LEAST, DEVICE_LEAST = 60, 75


def run(*command):
    subprocess.run(command, cwd=ROOT, check=True)


def files_below(folder, suffix):
    return [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names if name.endswith(suffix)]


def lines_of(notes):
    """{source: {line: how often it ran}} of one object file."""
    done = subprocess.run([os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", notes], capture_output=True,
                          cwd=BUILD, check=True, text=True)
    found = {}
    for text in done.stdout.splitlines():
        data = json.loads(text)
        for file in data["files"]:
            path = os.path.relpath(os.path.join(data["current_working_directory"], file["file"]), ROOT)
            found[path] = {line["line_number"]: line["count"] for line in file["lines"]}
    return found


def percent(counts):
    return 100 * sum(count > 0 for count in counts) / len(counts) if counts else 100


def main():
    run("cmake", "--preset", "coverage")
    run("cmake", "--build", "build/coverage", "-j%d" % os.cpu_count())
    for counts in files_below(BUILD, ".gcda"):
        os.remove(counts)
    tested = subprocess.run(["ctest", "--test-dir", "build/coverage", "-LE", "gpu", "-j%d" % os.cpu_count(),
                             "--output-on-failure", *sys.argv[1:]], cwd=ROOT).returncode
    ran = collections.defaultdict(collections.Counter)
    for notes in files_below(os.path.join(BUILD, "CMakeFiles"), ".gcno"):
        for path, lines in lines_of(notes).items():
            if path.startswith("tuner/") and path.endswith(".c"):
                ran[path].update(lines)
    missed = []
    for path, lines in sorted(ran.items()):
        print("%5.1f %%  %4d lines  %s" % (percent(lines.values()), len(lines), path))
        if percent(lines.values()) < FILE_LEAST:
            missed.append("%s is below %d %%" % (path, FILE_LEAST))
    layer = [count for path, lines in ran.items() if path.startswith("tuner/device/") for count in lines.values()]
    print("%5.1f %%  %4d lines  tuner/device" % (percent(layer), len(layer)))
    if percent(layer) < DEVICE_LEAST:
        missed.append("tuner/device is below %d %%" % DEVICE_LEAST)
    sys.exit("\n".join(missed) or tested)


if __name__ == "__main__":
    main()
