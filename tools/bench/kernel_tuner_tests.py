#!/usr/bin/env python3
"""Runs the tests of Kernel Tuner's own suite that call tune_kernel or run_kernel, by the package and by cutune, and compares the outcomes.
SUITE is the folder `test` of Kernel Tuner's sources, or a file of it. Needs pytest and the package. Without a GPU, CUTUNE_PROGRAM=build/dev/tests/cutune_fake
CUTUNE_FAKE=any_kernel=1 serves the calls of cutune. Exit status 1: a test passes by the package alone."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODE, RESULTS = "KERNEL_TUNER_TESTS_MODE", "KERNEL_TUNER_TESTS_RESULTS"
CALLS = re.compile(r"(?<![\w.])(?:kernel_tuner\.)?(?:tune|run)_kernel\(")


# ---- The plugin of pytest ----

_ways: dict[str, set[str]] = {}
_now = [""]


def pytest_configure() -> None:
    if os.environ.get(MODE) != "cutune":
        return
    import cutune.kernel_tuner as served

    serve, pass_on = served._serve, served._pass_on

    def note(way, function):
        def noted(*given):
            _ways.setdefault(_now[0], set()).add(way)
            return function(*given)

        return noted

    served._serve, served._pass_on = note("called", serve), note("original", pass_on)
    served.install()


def pytest_collection_modifyitems(items) -> None:
    items[:] = [item for item in items if CALLS.search(inspect.getsource(item.function))]


def pytest_runtest_setup(item) -> None:
    _now[0] = item.nodeid


def pytest_runtest_logreport(report) -> None:
    if report.when == "call" or report.outcome != "passed":
        ways = _ways.get(report.nodeid, set())
        way = "original" if "original" in ways else "served" if ways else ""
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr or "").strip().splitlines()
        entry = {"test": report.nodeid, "outcome": report.outcome, "way": way, "reason": reason[-1] if reason else ""}
        with open(os.environ[RESULTS], "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


# ---- The comparison ----


def run(mode: str, suite: pathlib.Path, words: list[str]) -> dict[str, dict[str, str]]:
    """The outcome of each test. Each file has a process of its own, as backends may crash without a GPU."""
    files = [suite] if suite.is_file() else sorted(suite.rglob("test_*.py"))
    some = [file for file in files if CALLS.search(file.read_text(encoding="utf-8"))]
    return {test: entry for file in some for test, entry in run_file(mode, file, words).items()}


def run_file(mode: str, file: pathlib.Path, words: list[str]) -> dict[str, dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results.jsonl")
        paths = os.pathsep.join([str(ROOT / "tools" / "python"), str(ROOT / "tools" / "bench"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": paths, MODE: mode, RESULTS: str(results)}
        plugins = ["-p", "kernel_tuner_tests", "-p", "no:cacheprovider", "-o", "addopts="]
        command = [sys.executable, "-B", "-m", "pytest", "-q", *plugins, str(file), *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not results.exists():
            print(f"no test of {file.name} ran by {mode}: {(done.stdout or done.stderr).strip().splitlines()[-1]}", file=sys.stderr)
            return {}
        return {entry["test"]: entry for entry in map(json.loads, results.read_text(encoding="utf-8").splitlines())}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=pathlib.Path, metavar="SUITE")
    parser.add_argument("words", nargs="*", metavar="OPTION", help="options of pytest, after --")
    arguments = parser.parse_args()
    package, ours = (run(mode, arguments.suite, arguments.words) for mode in ("package", "cutune"))
    worse = 0
    for test, entry in ours.items():
        before = package.get(test, {"outcome": "-"})["outcome"]
        worse += before == "passed" and entry["outcome"] != "passed"
        why = f"  {entry['reason'][:150]}" if entry["outcome"] == "failed" else ""
        print(f"{before:<8} {entry['outcome']:<8} {entry['way']:<9} {test}{why}")
    counts = {outcome: sum(entry["outcome"] == outcome for entry in ours.values()) for outcome in ("passed", "failed", "skipped")}
    served = sum(entry["way"] == "served" and entry["outcome"] == "passed" for entry in ours.values())
    print(f"by cutune: {counts}, {served} of the passed ones served; {worse} tests pass by the package alone")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main())
