#!/usr/bin/env python3
"""Runs scripts of Kernel Tuner by cutune and by the package, and compares each call: who served it, the keys of the results, the
configurations, the best of them, and the seconds. A script may have arguments, 'gemm.py CUDA H200'. It runs in a copy of its folder, or of
--root, and has --limit seconds.

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
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Two times are tied if they differ by no more than this, relative.
TIE = 0.02
NAMES = ("tune_kernel", "run_kernel")


# ---- In the process of a script ----


def watch(name, function, log, who):
    """A function that writes a line when a call begins, and one when it ends."""

    def watched(*given, **named):
        begun = time.perf_counter()
        write(log, {"event": "begin", "function": name, "who": who})
        try:
            found = function(*given, **named)
        except BaseException as error:
            write(log, {"event": "raised", "function": name, "who": who, "error": f"{type(error).__name__}: {error}"[:300]})
            raise
        entry = {"event": "end", "function": name, "who": who, "seconds": time.perf_counter() - begun}
        if name == "tune_kernel":
            parameters = list(named.get("tune_params") or given[4])
            entry["results"] = [
                {"configuration": [str(row[p]) for p in parameters], "time": row.get("time") if "__error__" not in row else None}
                for row in found[0]
            ]
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
    sys.argv = words
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
                calls.append({"function": entry["function"], "state": "unfinished"})
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
                status = process.wait(arguments.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            seconds = time.perf_counter() - begun
            said.seek(0)
            text = said.read()
        shown = len(re.findall(r"^(?:.*\btime=|(?:ok|slower|duplicate|wrong_result|compile_error|pruned_\w+)\s).*$", text, re.MULTILINE))
        return {"status": status, "seconds": seconds, "calls": calls_of(log), "said": text, "shown": shown}


def written_calls(script):
    """The calls of tune_kernel in a script's text, by line."""
    nodes = ast.walk(ast.parse(script.read_text(encoding="utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    names = [(getattr(node.func, "attr", getattr(node.func, "id", "")), node.lineno) for node in calls]
    return sorted(line for name, line in names if name == "tune_kernel")


# ---- The comparison ----


def best(call):
    timed = [row for row in call.get("results", ()) if isinstance(row["time"], (int, float))]
    return min(timed, key=lambda row: row["time"]) if timed else None


def verdict(ours, theirs):
    """The words that compare the same call of both."""
    words = []
    extra = set(ours["keys"]) ^ set(theirs["keys"])
    words.append("keys same" if not extra else f"keys differ: {', '.join(sorted(extra))}")
    a, b = ({tuple(row["configuration"]): row["time"] for row in call["results"]} for call in (ours, theirs))
    words.append(f"{len(a)} configurations" if set(a) == set(b) else f"configurations differ: {len(a)} and {len(b)}")
    one, other = best(ours), best(theirs)
    if one and other:
        apart = [times.get(tuple(row["configuration"])) for times, row in ((a, other), (b, one))]
        losses = [x / y["time"] - 1 for x, y in zip(apart, (one, other)) if isinstance(x, (int, float))]
        if one["configuration"] == other["configuration"]:
            words.append("best same")
        elif losses and min(losses) <= TIE:
            words.append(f"best tied ({min(losses):.1%})")
        else:
            words.append(f"best differ ({', '.join(f'{loss:.1%}' for loss in losses)}): {one} and {other}")
    return ", ".join(words)


def reason(said):
    found = re.findall(r"goes to Kernel Tuner because of (.*)", said)
    return found


def report(script, ours, theirs):
    """Prints a line for each call. Returns the numbers of calls that were served, went to the package, and failed."""
    counts = {"served": 0, "original": 0, "failed": 0}
    reasons = reason(ours["said"])
    tunes = [call for call in ours["calls"] if call["function"] == "tune_kernel"]
    partners = [call for call in theirs["calls"] if call["function"] == "tune_kernel"] if theirs else []
    lines = written_calls(script)
    for i in range(max(len(tunes), len(lines))):
        call = tunes[i] if i < len(tunes) else None
        partner = partners[i] if i < len(partners) else None
        if call is None:
            last = (ours["said"].strip().splitlines() or ["-"])[-1][:160]
            state, detail = "failed", f"not reached: {last}" if ours["status"] is not None else "not reached within the limit"
        elif call.get("original"):
            state, detail = "original", reasons[0] if reasons else ""
            reasons = reasons[1:]
        elif call["state"] == "raised":
            state, detail = "failed", call["error"]
        elif call["state"] == "unfinished":
            state, detail = "served", f"unfinished at the limit, {ours['shown']} configurations so far"
        else:
            state, detail = "served", f"{len(call['results'])} results in {call['seconds']:.1f} s"
        if partner and partner["state"] == "done" and call and call["state"] == "done" and state == "served":
            detail += f"; the package {partner['seconds']:.1f} s: {verdict(call, partner)}"
        elif theirs and (partner is None or partner["state"] != "done"):
            said = partner.get("error", "unfinished at the limit") if partner else (theirs["said"].strip().splitlines() or ["-"])[-1][:120]
            detail += f"; the package: {said}" + (f", {theirs['shown']} configurations so far" if theirs["status"] is None else "")
        counts[state] += 1
        print(f"{state:<8} {script.stem}:{i}  {detail}", flush=True)
    for call in (call for call in ours["calls"] if call["function"] == "run_kernel"):
        print(f"         {script.stem}: run_kernel {'by the package' if call.get('original') else 'served'}, {call['state']}", flush=True)
    if not lines and not tunes:
        print(f"         {script.stem}: no call of tune_kernel, exit status {ours['status']}", flush=True)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT", help="a script, with its arguments in the same word")
    parser.add_argument("--root", type=pathlib.Path, help="folder to copy, which has the scripts (default: that of each script)")
    parser.add_argument("--limit", type=float, default=25, help="seconds of a script (default: 25)")
    parser.add_argument("--total", type=float, default=270, help="seconds after which no further script begins (default: 270)")
    parser.add_argument("--timing", default="mean of 7, warm", help="kind of times (default: mean of 7, warm)")
    parser.add_argument("--cutune-only", action="store_true", help="leave the package out")
    parser.add_argument("--dry", action="store_true", help="measure nothing, without a GPU and without the package's own run")
    parser.add_argument("--output", type=pathlib.Path, help="folder for what the scripts said, and their calls")
    arguments = parser.parse_args()
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT / "tools" / "python"), os.environ.get("PYTHONPATH")]))
    begun, totals, seconds, left = time.perf_counter(), {"served": 0, "original": 0, "failed": 0}, [0.0, 0.0], []
    for words in arguments.scripts:
        if time.perf_counter() - begun > arguments.total:
            left.append(shlex.quote(words))
            continue
        name, *given = shlex.split(words)
        script = pathlib.Path(name).resolve()
        ours = run("dry" if arguments.dry else "cutune", script, given, arguments)
        theirs = None if arguments.cutune_only or arguments.dry else run("package", script, given, arguments)
        for name, count in report(script, ours, theirs).items():
            totals[name] += count
        seconds[0] += ours["seconds"]
        seconds[1] += theirs["seconds"] if theirs else 0
        if arguments.output:
            arguments.output.mkdir(parents=True, exist_ok=True)
            for mode, found in (("cutune", ours), ("package", theirs)):
                if found:
                    (arguments.output / f"{script.stem}.{mode}.txt").write_text(found["said"][-20000:], encoding="utf-8")
                    (arguments.output / f"{script.stem}.{mode}.json").write_text(json.dumps(found["calls"]), encoding="utf-8")
    print(f"{totals['served']} served, {totals['original']} to the package, {totals['failed']} failed; "
          f"cutune {seconds[0]:.1f} s, the package {seconds[1]:.1f} s")
    if left:
        print("left for another run: " + " ".join(left))
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--script"]:
        run_script(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(main())
