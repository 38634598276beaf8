#!/usr/bin/env python3
"""Tuning from a Python that uses the GPU itself: python_tune.py [PROGRAM LIBRARY EXTENSION].

Candidates make illegal accesses and hang, while the caller's tensors stay usable and unchanged; threads, interpreters and forked
children tune at once; Ctrl-C loses no measurement. Prints a row PASS or FAIL for each property; exits with 1 if one fails, and with 77
without PyTorch or a GPU."""
import os
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "dev")
TIMEOUT_S = 3
# The spin ends by itself, long after the time limit.
SOURCE = r"""
extern "C" __global__ void twice(float *out, const float *in, int count)
{
    if (FAULT == 1)
        *(volatile float *)8 = in[0];
    for (long long start = clock64(); FAULT == 2 && clock64() - start < 40000000000; )
        ;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK)
        out[i] = 2 * in[i];
}
"""
FAULTY = {"BLOCK": [64, 128], "FAULT": [0, 1, 2]}
failures = 0


def report(passed, text):
    global failures
    failures += not passed
    print("%s  %s" % ("PASS" if passed else "FAIL", text), flush=True)


def tune(cutune, out, values, params, **options):
    options = {"progress": False, "explain": False, "timeout": TIMEOUT_S, **options}
    return cutune.tune_source(SOURCE, "twice", [out, values, values.numel()], params=params, block="BLOCK", grid="ceildiv(count, BLOCK)",
                              reference=lambda out, values, count: 2 * values, **options)


class Caller:
    """Tensors of this process, and whether they are as they should be."""

    def __init__(self, torch, count=1 << 20):
        self.torch = torch
        self.values = torch.rand(count, device="cuda")
        self.out = torch.full((count,), -1.0, device="cuda")
        self.kept = [tensor.cpu() for tensor in (self.values, self.out)]
        self.matrix = torch.eye(512, device="cuda") * 2

    def intact(self):
        same = all(self.torch.equal(tensor.cpu(), kept) for tensor, kept in zip((self.values, self.out), self.kept))
        return same and float((self.matrix @ self.matrix).trace()) == 4 * 512


def faults(cutune, caller):
    """The engine gives every fault its status, while a thread of the caller computes."""
    running, rounds = threading.Event(), [0, 0]

    def compute():
        while not running.is_set():
            rounds[caller.intact()] += 1

    worker = threading.Thread(target=compute)
    worker.start()
    try:
        result = tune(cutune, caller.out, caller.values, FAULTY)
    finally:
        running.set()
        worker.join()
    frame = result.frame()
    statuses = {}
    for fault, status in zip(frame["FAULT"], frame["status"]):
        statuses.setdefault(int(fault), set()).add(str(status))
    report(statuses.get(1) == {"crashed"} and statuses.get(2) == {"timeout"}, "illegal accesses and hangs have statuses: %s" % statuses)
    report(result.best["FAULT"] == 0, "the winner works: %s" % result)
    report(caller.intact(), "the caller's tensors are unchanged, and its context works")
    report(rounds[1] > 0 and rounds[0] == 0, "a thread of the caller computed meanwhile: %d right, %d wrong" % (rounds[1], rounds[0]))


def call_winner(cutune, caller):
    """The tuned kernel runs in the caller's context, which all faults have left alone."""
    result = tune(cutune, caller.out, caller.values, FAULTY, folder="kept")
    twice = cutune.kernel(result.space.path)
    out = caller.torch.empty_like(caller.out)
    twice(out, caller.values)
    report(caller.torch.equal(out, 2 * caller.values), "the winner computes on the caller's tensors, by rule %s" % twice.rule)


def at_once(cutune, caller):
    """Threads of one interpreter, then two interpreters with one database."""
    best = []
    threads = [threading.Thread(target=lambda block=block: best.append(
        tune(cutune, caller.out, caller.values, {"BLOCK": [block, 2 * block], "FAULT": [0]}).best["FAULT"])) for block in (32, 64, 128)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report(best == [0, 0, 0], "three threads tune at once")
    children = [subprocess.Popen([sys.executable, os.path.abspath(__file__), "--one", str(1 << exponent)]) for exponent in (18, 19)]
    report([child.wait(timeout=200) for child in children] == [0, 0], "two interpreters tune at once")
    problems = [row["problem"] for row in cutune.Database().rows()]
    report(all("count=%d" % (1 << exponent) in problems for exponent in (18, 19)), "their database has both sizes")


def one(torch, cutune, count):
    caller = Caller(torch, count)
    tune(cutune, caller.out, caller.values, FAULTY)
    return 0 if caller.intact() else 1


def forked(cutune, caller):
    """CUDA cannot be used in a child of this process, and the engine does not need it there."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            import numpy
            values = numpy.arange(1 << 16, dtype=numpy.float32)
            result = cutune.tune_source(SOURCE, "twice", [numpy.empty_like(values), values, values.size], params={"BLOCK": [64, 128], "FAULT": [0]},
                                        block="BLOCK", grid="ceildiv(count, BLOCK)", reference=lambda out, values, count: 2 * values,
                                        progress=False, explain=False)
            text = "tuned %s" % (result.time_ns > 0)
            try:
                cutune.Device.current()
            except cutune.Error as error:
                text += "; " + str(error)
        except BaseException as error:
            text = repr(error)
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    report(text.startswith("tuned True; ") and "spawn" in text, "a forked child tunes NumPy's arrays, and is told why it cannot call kernels: %s" % text)
    report(caller.intact(), "the parent's context works")


def interrupted(cutune, caller):
    """Two Ctrl-C while candidates hang: after the first, the evaluations in flight end, and the second drops them."""
    def stop(line):
        if "evaluating" in line:  # a candidate that hangs follows the first one, whose time limit has passed by then
            for seconds in (1.5 * TIMEOUT_S, 1.6 * TIMEOUT_S):
                threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()

    params = {"BLOCK": [64, 96, 128, 160, 192], "FAULT": [0, 2]}
    options = dict(folder="interrupted", strategy="exhaustive")
    try:
        tune(cutune, caller.out, caller.values, params, progress=stop, **options)
        report(False, "Ctrl-C does not end a run")
    except cutune.Interrupted as stopped:
        report(True, "Ctrl-C: %s; so far %s" % (stopped, stopped.result))
    again = tune(cutune, caller.out, caller.values, params, **options)
    report(0 < again.row["measured_now"] < 10, "the same call resumes: %d of 10 measured now" % again.row["measured_now"])
    report(caller.intact(), "the caller's context works after Ctrl-C")


def main():
    arguments = sys.argv[1:]
    count = int(arguments[1]) if arguments[:1] == ["--one"] else 0
    if not count:
        paths = arguments or [os.path.join(BUILD, name) for name in ("cutune", "libcutune.so", "python/_launch.abi3.so")]
        for name, path in zip(("CUTUNE_PROGRAM", "CUTUNE_LIBRARY", "CUTUNE_EXTENSION"), paths):
            os.environ[name] = os.path.abspath(path)
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    try:
        import torch
    except ImportError:
        print("there is no PyTorch: skipped")
        return 77
    if not torch.cuda.is_available():
        print("there is no device: skipped")
        return 77
    import cutune
    if count:
        return one(torch, cutune, count)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        caller = Caller(torch)
        for check in (faults, call_winner, at_once, forked, interrupted):
            check(cutune, caller)
        os.chdir("/")
    print("%d failed" % failures)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
