#!/usr/bin/env python3
"""Runs scripts of Kernel Tuner by cutune and by the package, in turn, and compares each call: who served it, the keys of the results, the
configurations, the best of them, and the seconds. A SCRIPT may have arguments, 'gemm.py CUDA H200'; a folder stands for its scripts with
a call of tune_kernel. A script runs in a copy of its folder, or of --root, and has --seconds.

Each run adds a line to the file --results. A run that has its line there is not repeated: the same command makes the runs that are
left.
The table has a row for each call in the scripts' text; a call in a loop is one row.

--dry needs no GPU and measures nothing: of each call that is served, it makes the space, lets `cutune check --compile` read it and compile
its default configuration, and returns a few configurations with invented times. Random arrays are cut, and modules of GPUs are stood for."""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Two means are tied if they differ by no more than this, relative, or by no more than ERRORS of their standard errors.
TIE = 0.02
ERRORS = 2
NAMES = ("tune_kernel", "run_kernel")


# ---- In the process of a script ----


def row_of(result, parameters):
    """The configuration of a result, its time and the standard error of the time; None for a failure."""
    times = [time for time in result.get("times") or () if isinstance(time, (int, float))]
    failed = "__error__" in result or not isinstance(result.get("time"), (int, float))
    error = statistics.stdev(times) / math.sqrt(len(times)) if len(times) > 1 else 0.0
    return {"configuration": [str(result[p]) for p in parameters], "time": None if failed else result["time"], "error": error}


def line_of(script):
    """The line of the script that runs now; 0 if the caller is another file."""
    frame = sys._getframe(2)
    while frame and os.path.basename(frame.f_code.co_filename) != script:
        frame = frame.f_back
    return frame.f_lineno if frame else 0


def watch(name, function, log, who):
    """A function that writes a line when a call begins, and one when it ends."""
    script = os.path.basename(sys.argv[0])

    def watched(*given, **named):
        begun = time.perf_counter()
        write(log, {"event": "begin", "function": name, "who": who, "line": line_of(script)})
        try:
            found = function(*given, **named)
        except BaseException as error:
            write(log, {"event": "raised", "who": who, "error": f"{type(error).__name__}: {error}"[:300]})
            raise
        entry = {"event": "end", "who": who, "seconds": time.perf_counter() - begun}
        if name == "tune_kernel":
            parameters = list(named.get("tune_params") or given[4])
            entry["results"] = [row_of(result, parameters) for result in found[0]]
            entry["keys"] = sorted({key for row in found[0] if "__error__" not in row for key in row})
        write(log, entry)
        return found

    return watched


#: Elements of a random array in a dry run.
DRY_ELEMENTS = 40_000_000


def stand_for_modules():
    """Modules that scripts import and that may be missing: CuPy by NumPy, and the allocations of PyCUDA."""
    import types
    from unittest import mock

    import numpy

    for name, make in (("rand", numpy.random.rand), ("randn", numpy.random.randn)):
        setattr(numpy.random, name, lambda *shape, make=make: make(*shape) if math.prod(shape) <= DRY_ELEMENTS else make(DRY_ELEMENTS))
    driver = mock.MagicMock(pagelocked_empty=lambda size, kind, **_: numpy.empty(int(size), kind))
    pinned = types.SimpleNamespace(empty_pinned=numpy.empty, zeros_pinned=numpy.zeros)
    stand_ins = {"pycuda": mock.MagicMock(driver=driver), "pycuda.driver": driver, "cupy": numpy, "cupyx": pinned, "nvmetrics": mock.MagicMock()}
    for name, module in stand_ins.items():
        sys.modules.setdefault(name, module)
    numpy.cuda = mock.MagicMock()


def run_dry(kernel_tuner):
    """Replaces what the two functions do with a served call."""
    import cutune
    from cutune._program import command
    from cutune.kernel_tuner import _launch, _restrictions, _space

    def check(call, folder, way):
        made = _space.make_space(call, folder, way)
        with made.provider:
            command("check", made.path, compile="default", arch="sm_90")
        return made

    def tune(call):
        with tempfile.TemporaryDirectory() as folder:
            try:
                made = check(call, folder, _space.Way())
            except cutune.Error:
                made = check(call, tempfile.mkdtemp(dir=folder), _space.Way(nvcc=True))
            names = _launch.block_names(call, made.parameters)
            some = list(itertools.islice(_restrictions.valid(call, made.parameters, names), 3))
        parts = ["framework_time", "strategy_time", "compile_time", "verification_time", "benchmark_time"]
        results = [{**one, "time": 1.0 + i, "times": [1.0 + i], **dict.fromkeys(parts, 0.0)} for i, one in enumerate(some)]
        return results, {"best_config": results[0]}

    kernel_tuner._tune = tune
    kernel_tuner.run_once = lambda call: list(call["arguments"])


def write(log, entry):
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry, default=str) + "\n")


def run_script(mode, log, timing, words):
    """`cutune`, `dry` or `package`: runs a script with watched functions."""
    import runpy

    sys.argv = words
    if mode == "dry":
        stand_for_modules()
    try:
        import kernel_tuner
        import kernel_tuner.interface
    except ImportError:
        kernel_tuner = None
    if kernel_tuner:
        for name in NAMES:
            original = getattr(kernel_tuner, name) if mode != "dry" else lambda *given, **named: ([], {})
            own = watch(name, original, log, "package")
            setattr(kernel_tuner, name, own)
            setattr(kernel_tuner.interface, name, own)
    if mode != "package":
        import cutune.kernel_tuner

        if mode == "dry":
            run_dry(cutune.kernel_tuner)

        cutune.kernel_tuner.timing = timing
        cutune.kernel_tuner.install()
        modules = (kernel_tuner, kernel_tuner.interface) if kernel_tuner else (cutune.kernel_tuner,)
        for name in NAMES:
            own = watch(name, getattr(cutune.kernel_tuner, name), log, "cutune")
            for module in modules:
                setattr(module, name, own)
    sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
    runpy.run_path(words[0], run_name="__main__")


# ---- The calls of a run ----


def calls_of(log):
    """The outermost calls: who served each, its results or its error."""
    calls, depth = [], 0
    for line in pathlib.Path(log).read_text(encoding="utf-8").splitlines() if os.path.exists(log) else ():
        entry = json.loads(line)
        if entry["event"] == "begin":
            if depth == 0:
                calls.append({"function": entry["function"], "line": entry["line"], "state": "unfinished"})
            elif entry["who"] == "package":
                calls[-1]["original"] = True
            depth += 1
            continue
        depth -= 1
        if depth == 0:
            calls[-1] |= {"state": "done" if entry["event"] == "end" else "raised", **entry}
    return calls


def run(mode, script, given, arguments):
    """Runs a script with its arguments in a copy of its folder. Returns its calls, seconds, and what it said."""
    root = arguments.root.resolve() if arguments.root else script.parent
    with tempfile.TemporaryDirectory(prefix="kernel-tuner-script-") as folder:
        place = pathlib.Path(folder, "work", script.parent.relative_to(root))
        shutil.copytree(root, pathlib.Path(folder, "work"))
        log = os.path.join(folder, "calls.jsonl")
        words = [sys.executable, "-B", os.path.abspath(__file__), "--script", mode, log, arguments.timing, script.name, *given]
        begun = time.perf_counter()
        with open(os.path.join(folder, "said"), "w+", encoding="utf-8", errors="replace") as said:
            process = subprocess.Popen(words, cwd=place, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                status = process.wait(arguments.seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            seconds = time.perf_counter() - begun
            said.seek(0)
            text = said.read()
        shown = len(re.findall(r"^(?:.*\btime=|(?:ok|slower|duplicate|wrong_result|compile_error|pruned_\w+)\s).*$", text, re.MULTILINE))
        reasons = re.findall(r"goes to Kernel Tuner because of (.*)", text)
        last = (text.strip().splitlines() or ["it said nothing"])[-1][:160]
        found = {"status": status, "seconds": seconds, "calls": calls_of(log)}
        return found | {"reasons": reasons, "last": last, "shown": shown, "said": text[-4000:]}


def written_calls(script):
    """The calls of tune_kernel in a script's text, by line."""
    nodes = ast.walk(ast.parse(script.read_text(encoding="utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    names = [(getattr(node.func, "attr", getattr(node.func, "id", "")), node.lineno) for node in calls]
    return sorted(line for name, line in names if name == "tune_kernel")


def scripts_of(words):
    """The scripts with their arguments: a folder stands for its scripts with a call of tune_kernel."""
    for word in words:
        name, *given = shlex.split(word)
        path = pathlib.Path(name).resolve()
        for script in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            if not path.is_dir() or written_calls(script):
                yield script, given


# ---- The comparison ----


def best(call):
    timed = [row for row in call.get("results", ()) if row["time"] is not None]
    return min(timed, key=lambda row: row["time"]) if timed else None


def apart(call, configuration):
    """How far a configuration is from the best of a call, relative, and True if the two are tied."""
    least = best(call)
    other = next((row for row in call["results"] if row["configuration"] == configuration and row["time"] is not None), None)
    if not other:
        return math.inf, False
    loss = other["time"] - least["time"]
    return loss / least["time"], loss <= max(TIE * least["time"], ERRORS * math.hypot(least["error"], other["error"]))


def verdict(ours, theirs):
    """The words that compare the same call of both: keys, configurations, best."""
    extra = set(ours["keys"]) ^ set(theirs["keys"])
    keys = f"differ: {', '.join(sorted(extra))}" if extra else "same"
    a, b = ({tuple(row["configuration"]) for row in call["results"]} for call in (ours, theirs))
    count = f"{len(a)}" if a == b else f"differ: {len(a)} and {len(b)}"
    one, other = best(ours), best(theirs)
    if not one or not other:
        return keys, count, "none" if one is other else "of one alone"
    if one["configuration"] == other["configuration"]:
        return keys, count, "same"
    here, there = apart(ours, other["configuration"]), apart(theirs, one["configuration"])
    word = "tied" if here[1] or there[1] else "differ"
    return keys, count, f"{word}, {here[0]:.1%} and {there[0]:.1%} apart"


def by_line(run, lines):
    """The calls of tune_kernel of each line of a script. A call from another file belongs to the last line."""
    found = {line: [] for line in lines or [0]}
    for call in run["calls"] if run else ():
        if call["function"] == "tune_kernel":
            found[call["line"] if call["line"] in found else [*found][-1]].append(call)
    return found


def state_of(calls, run):
    """The state of a line, and a note: cutune served all its calls, the package got one, one failed, or the script has not called it."""
    if not calls and run["status"] == 0:
        return "not called", ""
    if not calls:
        return "failed", run["last"] if run["status"] is not None else "not reached in time"
    if any(call.get("original") for call in calls):
        return "original", run["reasons"][0] if run["reasons"] else ""
    raised = [call["error"] for call in calls if call["state"] == "raised"]
    if raised:
        return "failed", raised[0]
    unfinished = calls[-1]["state"] == "unfinished"
    return "served", f"unfinished, {run['shown']} configurations of this script" if unfinished else ""


def compared(ours, theirs):
    """The columns of a line that both ran: keys, configurations, best, seconds of both."""
    pairs = [(a, b) for a, b in zip(ours, theirs) if a["state"] == b["state"] == "done"]
    if not pairs:
        return [""] * 3
    columns = [list(values) for values in zip(*(verdict(a, b) for a, b in pairs))]
    counts = [{value: values.count(value) for value in values} for values in columns]
    return ["; ".join(f"{n} {value}" if len(pairs) > 1 else value for value, n in count.items()) for count in counts]


def seconds_of(calls):
    done = [call["seconds"] for call in calls if call["state"] == "done"]
    return f"{sum(done):.1f}" if done and len(done) == len(calls) else ""


def rows(script, title, ours, theirs):
    """The rows of a script: the state, True if the package itself runs the call, and the columns of the table."""
    lines = written_calls(script)
    own, package = by_line(ours, lines), by_line(theirs, lines)
    for line, calls in own.items():
        state, note = state_of(calls, ours)
        partners = package[line]
        if theirs and (not partners or partners[-1]["state"] != "done"):
            said = partners[-1].get("error") if partners else theirs["last"] if theirs["status"] is not None else None
            note += f"{'; ' if note else ''}the package: {said or 'unfinished, %d configurations of this script' % theirs['shown']}"
        keys, count, best_word = compared(calls, partners)
        runs = bool(partners) and partners[-1]["state"] != "raised"
        words = " ".join(note.replace("|", "/").split())
        yield state, runs, [f"{title}:{line}", state, count, keys, best_word, seconds_of(calls), seconds_of(partners), words]


HEADER = ["call", "by", "configurations", "keys", "best", "cutune s", "package s", "note"]


def report(scripts, records, arguments):
    """Prints the table of all records, and the sums."""
    states, sums, once = [], [0.0, 0.0], []
    print("| " + " | ".join(HEADER) + " |\n|" + " --- |" * len(HEADER))
    for script, given in scripts:
        ours, theirs = (records.get(key(script, given, mode, arguments)) for mode in modes(arguments) + [None] * arguments.cutune_only)
        if not ours:
            continue
        for state, runs, columns in rows(script, " ".join([script.stem, *given]), ours, theirs):
            states += [(state, runs)] if state != "not called" else []
            if columns[5] and columns[6]:
                sums = [sums[0] + float(columns[5]), sums[1] + float(columns[6])]
            print("| " + " | ".join(columns) + " |")
        calls = [call for call in ours["calls"] if call["function"] == "run_kernel"]
        once += [f"{script.stem} by {'the package' if call.get('original') else 'cutune'}, {call['state']}" for call in calls]
    some = [state for state, runs in states if runs]
    print(f"\n{len(states)} calls: {sums_of([state for state, _ in states])}. The package itself runs {len(some)}: {sums_of(some)}. "
          f"Calls that both finished: cutune {sums[0]:.1f} s, the package {sums[1]:.1f} s")
    if once:
        print("run_kernel: " + "; ".join(once))


def sums_of(states):
    return f"{states.count('served')} served, {states.count('original')} to the package, {states.count('failed')} failed"


# ---- The runs ----


def modes(arguments):
    return ["dry", None] if arguments.dry else ["cutune"] if arguments.cutune_only else ["cutune", "package"]


def key(script, given, mode, arguments):
    return " ".join([script.stem, *given]), mode, arguments.timing if mode == "cutune" else ""


def read_records(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(record["script"], record["mode"], record["timing"]): record for record in map(json.loads, lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT", help="a script, with its arguments in the same word, or a folder of scripts")
    parser.add_argument("--root", type=pathlib.Path, help="folder to copy, which has the scripts (default: that of each script)")
    parser.add_argument("--results", type=pathlib.Path, default="kernel_tuner_scripts.jsonl", help="file of the runs (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=25, help="seconds of a run of a script (default: 25)")
    parser.add_argument("--total", type=float, default=1e9, help="seconds after which no further run begins")
    parser.add_argument("--timing", default="mean of 7, warm", help="kind of times (default: mean of 7, warm)")
    parser.add_argument("--cutune-only", action="store_true", help="leave the package out")
    parser.add_argument("--dry", action="store_true", help="measure nothing, without a GPU and without the package's own run")
    arguments = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "tools" / "python"), os.environ.get("PYTHONPATH")]))
    scripts, records, begun, left = list(scripts_of(arguments.scripts)), read_records(arguments.results), time.perf_counter(), 0
    for script, given in scripts:
        for mode in filter(None, modes(arguments)):
            name = key(script, given, mode, arguments)
            if name in records:
                continue
            if time.perf_counter() - begun > arguments.total:
                left += 1
                continue
            records[name] = dict(zip(("script", "mode", "timing"), name)) | run(mode, script, given, arguments)
            print(f"{name[0]} by {mode}: {records[name]['seconds']:.1f} s", file=sys.stderr, flush=True)
            with open(arguments.results, "a", encoding="utf-8") as file:
                file.write(json.dumps(records[name]) + "\n")
    report(scripts, records, arguments)
    if left:
        print(f"{left} runs are left: the same command makes them")
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--script"]:
        run_script(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(main())
