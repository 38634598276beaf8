#!/usr/bin/env python3
"""Checks that tests/ mirrors the source: a source LAYER/NAME.c has tests/LAYER/test_NAME.c; what is only seen from the
command line, tools/commands/[cmd_]NAME.c, may have golden cases tests/cli/cases/NAME.case or tests/cli/fake/NAME.case instead.
And that each suite of a layer bears the name of a source of it or of a subject in SUBJECTS. Prints what is missing.

    check_mirror.py REPOSITORY"""
import os
import re
import sys

# Sources without a test of their name, and why.
ALLOWED = {
    "tools/main.c": "all of tests/cli/ tests it",
    "tools/bench/bench_fleet.c": "a benchmark: its result is a time",
    "tools/mpi/main.c": "tests/mpi/run.py tests it",
    "tools/mpi/ranks.c": "tests/mpi/run.py tests it",
    "tools/mpi/relay.c": "tests/mpi/run.py tests it",
    "tools/terminal/program.c": "all of tests/cli/ tests it",
    "tools/bench/bench_headers.c": "a benchmark: its result is a time",
    "tools/bench/bench_lookup.c": "a benchmark: its result is a time",
    "tools/bench/bench_large.c": "a benchmark: its result is a figure",
    "tools/bench/bench_journal.c": "a benchmark: its result is a time",
    "tools/bench/bench_space.c": "a benchmark: its result is a time",
    "tools/bench/bench_strategies.c": "a benchmark: its result is a figure",
    "tools/bench/landscape.c": "test_trace.c opens landscapes",
    "tools/bench/synthetic.c": "the input of a benchmark",
}
# Suites of several sources, and their subjects.
SUBJECTS = {
    "tests/api/test_cutune_cuda.c": "tuner/cutune_cuda.h.in, on the fake runtime",
    "tests/base/test_float.c": "base/float.h",
    "tests/compile/test_includes.c": "base/includes against what NVRTC includes",
    "tests/db/test_choose_fit.c": "db/choose_fit.h, as nvcc compiles it",
    "tests/db/test_devices.c": "the device files in space/devices/",
    "tests/db/test_faults.c": "journal and database on a disk that fails",
    "tests/db/test_formats.c": "files of earlier versions",
    "tests/db/test_hostile.c": "journal and database made to harm",
    "tests/device/test_accept.c": "the accept kernel in verification",
    "tests/evaluate/test_bounds.c": "outcomes that are bounds, from duplicates through measuring",
    "tests/search/test_neighbours.c": "which neighbours of the best a surrogate proposes",
    "tests/search/test_pool.c": "what a surrogate examines of a large set",
    "tests/space/test_errors.c": "every message of the space language",
    "tests/space/test_faults.c": "conditions without a value, in all that evaluates them",
    "tests/space/test_known.c": "spaces whose counts others have published",
    "tests/tuner/test_collection.c": "the templates",
    "tests/tuner/test_compiler_metrics.c": "a search that learns from the compiler first",
    "tests/tuner/test_readers.c": "all who read the rows of a journal, against each other",
    "tests/tuner/test_templates.c": "the machine code of the templates",
    "tests/tuner/test_exchange.c": "what runs at the same time tell each other",
    "tests/tuner/test_valid_sizes.c": "conditions on sizes, against the spaces of the templates",
}
ROOTS = ("space", "db", "tuner", "tools")


def sources(root):
    for top in ROOTS:
        for folder, _, names in os.walk(os.path.join(root, top)):
            folder = os.path.relpath(folder, root)
            yield from (os.path.join(folder, name) for name in names if name.endswith(".c"))


def tests_of(source):
    """The files that may test a source."""
    folder, name = os.path.split(source[:-2])
    yield "tests/%s/test_%s.c" % (os.path.basename(folder), name)
    if folder == "tools/commands":
        for cases in ("cases", "fake"):
            yield "tests/cli/%s/%s.case" % (cases, re.sub("^cmd_", "", name))


def suites(root):
    for folder in os.listdir(os.path.join(root, "tests")):
        path = os.path.join(root, "tests", folder)
        if os.path.isdir(path):
            yield from ("tests/%s/%s" % (folder, name) for name in os.listdir(path) if re.fullmatch(r"test_\w+\.c", name))


def main(root):
    found, expected, wrong = sorted(sources(root)), set(SUBJECTS), []
    for source in found:
        tests = list(tests_of(source))
        expected.update(tests)
        tested = any(os.path.exists(os.path.join(root, test)) for test in tests)
        if not tested and source not in ALLOWED:
            wrong.append("%s: no test of its name: %s" % (source, " or ".join(tests)))
        if tested and source in ALLOWED:
            wrong.append("%s: has a test, and is in ALLOWED" % source)
    wrong += ["%s: in ALLOWED, but there is no such file" % name for name in sorted(set(ALLOWED) - set(found))]
    wrong += ["%s: tests no source of its name" % name for name in sorted(set(suites(root)) - expected)]
    wrong += ["%s: in SUBJECTS, but there is no such file" % name for name in sorted(SUBJECTS)
              if not os.path.exists(os.path.join(root, name))]
    print("\n".join(wrong + ["%d sources, %d complaints" % (len(found), len(wrong))]))
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
