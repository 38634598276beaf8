#!/usr/bin/env python3
"""Runs the tests of Kernel Tuner's own suite that call tune_kernel or run_kernel, by the package and by cutune, and compares the outcomes.
SUITE is the folder `test` of Kernel Tuner's sources, or a file of it. Needs pytest and the package. Without a GPU, CUTUNE_PROGRAM=build/dev/tests/cutune_fake
CUTUNE_FAKE=any_kernel=1 serves the calls of cutune. Exit status 1: a test passes by the package alone.

Each file has a process of its own for --seconds, and adds a line to the file --results. A file that has its line there is not repeated: the
same command runs those that are left."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODES = ("package", "cutune")
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


def files_of(suite: pathlib.Path) -> list[pathlib.Path]:
    files = [suite] if suite.is_file() else sorted(suite.rglob("test_*.py"))
    return [file for file in files if CALLS.search(file.read_text(encoding="utf-8"))]


def run_file(mode: str, file: pathlib.Path, words: list[str], seconds: float) -> dict[str, Any]:
    """The outcomes of a file's tests in a process of its own, as backends may crash without a GPU. `end`: why the process ended early."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results.jsonl")
        paths = os.pathsep.join([str(ROOT / "tools" / "python"), str(ROOT / "tools" / "bench"), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": paths, MODE: mode, RESULTS: str(results)}
        plugins = ["-p", "kernel_tuner_tests", "-p", "no:cacheprovider", "-o", "addopts="]
        command = [sys.executable, "-B", "-m", "pytest", "-q", *plugins, str(file), *words]
        begun = time.perf_counter()
        with open(os.path.join(folder, "said"), "w+", encoding="utf-8", errors="replace") as said:
            process = subprocess.Popen(command, env=environment, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(seconds)
                end = "" if status in (0, 1) else f"status {status}"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                end = "the limit"
            said.seek(0)
            last = (said.read().strip().splitlines() or ["it said nothing"])[-1]
        tests = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()] if results.exists() else []
        return {"tests": tests, "end": end and f"{end}: {last}", "seconds": time.perf_counter() - begun}


def runs_of(arguments: argparse.Namespace) -> dict[tuple[str, str], dict[str, Any]]:
    """The run of each file by each mode, from the file of results or made now."""
    path = arguments.results
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found = {(run["file"], run["mode"]): run for run in map(json.loads, lines)}
    wanted = [(file, mode) for file in files_of(arguments.suite) for mode in MODES]
    for file, mode in wanted:
        if (file.name, mode) not in found:
            found[file.name, mode] = run = {"file": file.name, "mode": mode, **run_file(mode, file, arguments.words, arguments.seconds)}
            with open(path, "a", encoding="utf-8") as output:
                output.write(json.dumps(run) + "\n")
    return {(file.name, mode): found[file.name, mode] for file, mode in wanted}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path, metavar="SUITE")
    parser.add_argument("words", nargs="*", metavar="OPTION", help="options of pytest, after --")
    parser.add_argument("--results", type=pathlib.Path, default="kernel_tuner_tests.jsonl", help="file of the runs (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="seconds of a file (default: 120)")
    runs = runs_of(parser.parse_args())
    package, ours = ({test["test"]: test for key, run in runs.items() if key[1] == mode for test in run["tests"]} for mode in MODES)
    for (file, mode), run in runs.items():
        print(f"{file} by {mode}: {run['seconds']:.1f} s{', ended early by ' + run['end'] if run['end'] else ''}", file=sys.stderr)
    worse = 0
    for test in package | ours:
        before, entry = (found.get(test, {"outcome": "-", "way": "", "reason": ""}) for found in (package, ours))
        worse += before["outcome"] == "passed" and entry["outcome"] != "passed"
        why = f"  {entry['reason'][:150]}" if entry["outcome"] == "failed" else ""
        print(f"{before['outcome']:<8} {entry['outcome']:<8} {entry['way']:<9} {test}{why}")
    counts = {outcome: sum(entry["outcome"] == outcome for entry in ours.values()) for outcome in ("passed", "failed", "skipped")}
    served = sum(entry["way"] == "served" and entry["outcome"] == "passed" for entry in ours.values())
    print(f"by cutune: {counts}, {served} of the passed ones served; {worse} tests pass by the package alone")
    return int(worse > 0)


if __name__ == "__main__":
    sys.exit(main())
