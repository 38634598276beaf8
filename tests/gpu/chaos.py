#!/usr/bin/env python3
"""Faults at random: chaos.py --program FILE --disk LIBRARY --rounds N --seed S. Each round harms one run of the whole
program on a real GPU in one way. Then it checks that no process is left, that the journal has all reported evaluations,
that no outcome is wrong, and that the same command resumes and finds the right winner. The faults take turns; the seed
determines their time and place. Exit status 77: skipped, no device."""
import argparse
import collections
import ctypes
import errno
import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import support as gpu
from run import processes_of
from support import ROOT, SKIPPED, all_rows_of, check

SPACE = os.path.join(ROOT, "tests/gpu/chaos.space")
COMMAND = ["--space", SPACE, "--timeout", "20", "--samples", "24", "--playoff", "3"]
VALID, WINNER, BROKEN = 24, "A=2 B=1", "A=5 B=3"
HURT_LIMIT_S = 60  # a harmed run that takes longer hangs


class Run(gpu.Watched):
    """A run of the program, whose report of finished evaluations is read as it comes."""

    def __init__(self, folder, *arguments, **environment):
        command = [gpu.program, *COMMAND, "--verbose", "--format", "json", *arguments]
        super().__init__(command, folder, {**os.environ, **environment})
        self.pid = self.process.pid

    def signal(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def end(self):
        self.await_end(HURT_LIMIT_S, lambda: processes_of(self.pid), lambda: os.killpg(self.pid, signal.SIGKILL))

    def finished(self):
        """Returns the reported outcomes of the search: configuration to status."""
        lines = (re.match(r"(\w+) +(?:[0-9.]+ [a-z]+)? +(A=\d B=\d)", line) for line in self.errors)
        return {line[2]: line[1] for line in lines if line and line[1] not in ("leader", "tied", "lost")}


def children(run):
    """Returns the workers of a run, as (process, whether it is the device's)."""
    found = []
    for pid in processes_of(run.pid):
        try:
            with open("/proc/%d/maps" % pid) as file:
                if pid != run.pid:
                    found.append((pid, "libcuda.so" in file.read()))
        except OSError:
            pass
    return found


def strike(run, rng, number, device):
    """Sends a signal to a random worker of the kind after a random time."""
    time.sleep(rng.uniform(0, baseline_s))
    while run.running():
        targets = [pid for pid, of_device in children(run) if of_device == device]
        if targets:
            try:
                os.kill(rng.choice(targets), number)
                return
            except ProcessLookupError:
                pass
        time.sleep(0.002)


# ---- The faults: each starts a run, harms it and returns it with its possible exit statuses -------------------------------------


def compiler_killed(folder, rng):
    run = Run(folder, "--no-cache")
    strike(run, rng, signal.SIGKILL, False)
    return run, {0}


def device_killed(folder, rng):
    run = Run(folder)
    strike(run, rng, signal.SIGKILL, True)
    return run, {0}


def coordinator_killed(folder, rng):
    run = Run(folder)
    time.sleep(rng.uniform(0, baseline_s))
    run.signal(signal.SIGKILL)
    return run, {0, -signal.SIGKILL}


def disk_fails(folder, rng):
    """A write, fsync, rename, open, mkdir or ftruncate of the journal or the database fails, once or from then on."""
    fault, number = rng.choice(((0, errno.ENOSPC), (1, errno.ENOSPC), (0, errno.EIO), (1, errno.EIO)))
    plan = "cutune. %d %d %d %d" % (rng.randrange(VALID + 12), fault, number, rng.randrange(2))
    return Run(folder, LD_PRELOAD=disk, CUTUNE_DISK=plan), {0, 1}


def disk_kills(folder, rng):
    """The coordinator is killed at such an operation, or within it."""
    plan = "cutune. %d %d 0 0" % (rng.randrange(VALID + 8), rng.choice((2, 3)))
    return Run(folder, LD_PRELOAD=disk, CUTUNE_DISK=plan), {0, -signal.SIGKILL}


def compiler_stopped(folder, rng):
    run = Run(folder, "--no-cache")
    strike(run, rng, signal.SIGSTOP, False)
    return run, {0}


def device_stopped(folder, rng):
    run = Run(folder)
    strike(run, rng, signal.SIGSTOP, True)
    return run, {0}


def coordinator_stopped(folder, rng):
    run = Run(folder)
    time.sleep(rng.uniform(0, baseline_s))
    run.signal(signal.SIGSTOP)
    time.sleep(rng.uniform(0.1, 1.5))
    run.signal(signal.SIGCONT)
    return run, {0}


def all_stopped(folder, rng):
    """The run is stopped, as by Ctrl-Z and fg, for longer than a worker may be."""
    run = Run(folder)
    time.sleep(rng.uniform(0, baseline_s))
    for number in (signal.SIGSTOP, signal.SIGCONT):
        try:
            os.killpg(run.pid, number)
        except ProcessLookupError:
            break
        if number == signal.SIGSTOP:
            time.sleep(rng.uniform(0.1, 1.5))
    return run, {0}


def killed_while_stopped(folder, rng):
    """Stopped workers do not outlive their coordinator."""
    run = Run(folder, "--no-cache")
    time.sleep(rng.uniform(0, baseline_s))
    for pid, _ in children(run):
        try:
            os.kill(pid, signal.SIGSTOP)
        except ProcessLookupError:
            pass
    run.signal(signal.SIGKILL)
    return run, {0, -signal.SIGKILL}


def memory_held(folder, rng):
    """Another process takes all device memory, before or during the run."""
    first = rng.random() < 0.5
    run = None if first else Run(folder)
    time.sleep(0 if first else rng.uniform(0, baseline_s))
    holder = subprocess.Popen([sys.executable, os.path.abspath(__file__), "--hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    held = holder.stdout.readline()
    run = run or Run(folder)
    try:
        run.process.wait(HURT_LIMIT_S)
    except subprocess.TimeoutExpired:
        pass
    holder.communicate()
    check(held == b"held\n" and holder.returncode == 0, "the device memory could not be taken")
    return run, {0, 1}


FAULTS = (compiler_killed, device_killed, coordinator_killed, disk_fails, disk_kills, compiler_stopped, device_stopped,
          coordinator_stopped, all_stopped, killed_while_stopped, memory_held)


def hold_memory():
    """Holds all device memory until the input ends."""
    cuda = ctypes.CDLL("libcuda.so.1")
    context, address, left = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t()
    done = cuda.cuInit(0) or cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) or cuda.cuCtxSetCurrent(context)
    size = 1 << 40
    while not done and size >= 1 << 20:
        if cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(size)):
            size //= 2
    cuda.cuMemGetInfo_v2(ctypes.byref(left), ctypes.byref(ctypes.c_size_t()))
    print("held" if not done else "CUDA error %d" % done, flush=True)
    sys.stdin.read()


# ---- Conditions afterwards ------------------------------------------------------------------------------------------------------


def outcomes(folder):
    """Returns the journal's outcomes: configuration to statuses, several for those that a play-off measured again."""
    found = collections.defaultdict(list)
    for row in all_rows_of(folder):
        configuration = "A=%s B=%s" % (row["A"], row["B"])
        allowed = {"compile_error"} if configuration == BROKEN else {"ok", "slower", "duplicate"}
        check(row["status"] in allowed, "%s is %s: %s" % (configuration, row["status"], row["message"]))
        found[configuration].append(row["status"])
    return found


def check_result(text):
    result = json.loads(text)[0]
    check(result["configuration"] == WINNER, "the winner is " + result["configuration"])
    check(result["evaluated"] == VALID, "%d evaluated" % result["evaluated"])


def check_files(folder):
    """Checks that the folder has no other files."""
    for name in glob.glob(os.path.join(folder, "**"), recursive=True):
        base = os.path.relpath(name, folder)
        check(os.path.isdir(name) or re.fullmatch(r"cutune\.csv(\.lock)?|cutune\.d/chain\.[^/]*\.csv(\.log)?", base),
              "left over: " + base)


def play(folder, fault, rng):
    """Runs one round."""
    run, allowed = fault(folder, rng)
    run.end()
    said, finished = run.said(), run.finished()
    check(run.process.returncode in allowed, "exit status %d:\n%s" % (run.process.returncode, said))
    check(run.process.returncode != 1 or "error:" in said, "it failed without a reason:\n" + said)
    if run.process.returncode == 0:
        check_result(run.output)
    before = outcomes(folder)
    for configuration, status in finished.items():
        check(status in before[configuration], "%s was reported as %s, the journal has %s" % (
            configuration, status, before[configuration]))
    again = Run(folder)
    again.end()
    check(again.process.returncode == 0, "the same command again: exit status %d:\n%s" % (
        again.process.returncode, again.said()))
    check_result(again.output)
    after = outcomes(folder)
    check(len(after) == VALID, "%d rows" % len(after))
    check(all(after[configuration][:len(before[configuration])] == before[configuration] for configuration in before),
          "rows of the journal were lost")
    measured = json.loads(again.output)[0]["measured_now"]
    check(measured == VALID - len(before), "%d were measured again, beside the %d of the journal:\n%s" % (
        measured, len(before), again.said()))
    check_files(folder)
    return run.process.returncode, len(before)


def measure_baseline():
    """Returns the duration of a run, within which faults strike."""
    with tempfile.TemporaryDirectory(prefix="cutune-chaos-") as folder:
        for attempt in range(2):  # the first run fills the cache of compiled kernels
            start = time.monotonic()
            run = Run(folder, "--journal", "journal%d" % attempt, "--db", "database%d" % attempt)
            run.end()
            check(run.process.returncode == 0, "a healthy run fails:\n" + run.said())
            check_result(run.output)
    return time.monotonic() - start


def play_all(options):
    """Runs all rounds. A failed one prints how to repeat it and ends the suite."""
    counts = collections.Counter()
    for number in range(options.first, options.first + options.rounds):
        fault = FAULTS[number % len(FAULTS)]
        if options.only and fault.__name__ != options.only:
            continue
        rng = random.Random("%d %d" % (options.seed, number))
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="cutune-chaos-") as folder:
            try:
                status, rows = play(folder, fault, rng)
            except SystemExit as failure:
                sys.exit("round %d, %s (--seed %d --first %d --rounds 1): %s" % (
                    number, fault.__name__, options.seed, number, failure))
        counts[fault.__name__, status] += 1
        print("round %3d  %-21s exit %3d, %2d of %d in the journal, %.1f s" % (
            number, fault.__name__, status, rows, VALID, time.monotonic() - start), flush=True)
    for (name, status), count in sorted(counts.items()):
        print("%-21s exit %3d: %d" % (name, status, count))


def main():
    global baseline_s, disk
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", help="cutune")
    parser.add_argument("--disk", help="libfaulty_disk_preload.so, as the tests build it")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[fault.__name__ for fault in FAULTS], help="only rounds of this fault")
    parser.add_argument("--hold", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hold:
        hold_memory()
        return
    if not options.program or not options.disk:
        parser.error("--program and --disk are needed")
    gpu.program, disk = os.path.abspath(options.program), os.path.abspath(options.disk)
    check(os.path.exists(disk), "there is no " + disk)
    with tempfile.TemporaryDirectory(prefix="chaos-cache-") as cache:
        os.environ["CUTUNE_CACHE"] = os.environ["XDG_STATE_HOME"] = cache
        if gpu.cutune("devices", folder=cache).returncode == 3:
            print("skipped: no device")
            sys.exit(SKIPPED)
        start = time.monotonic()
        baseline_s = measure_baseline()
        print("a healthy run: %.2f s" % baseline_s)
        play_all(options)
        print("passed, %.0f s" % (time.monotonic() - start))


baseline_s, disk = 0.0, ""

if __name__ == "__main__":
    main()
