#!/usr/bin/env python3
"""Energy on a real GPU: energy.py --program FILE CASE... Exit status 77: skipped, no device or no counter of energy.

The case `agrees` measures two configurations ten times within --minutes of other work, which is a search or --work. `counter`
compares with a reading of the counter around ten seconds of the same launches. `added` times runs with and without energy. `orders`
compares two configurations on each of the devices given by --device. `fronts` prints what the front of time and energy of
some templates has to offer."""
import argparse
import array
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import support
from support import ROOT, SKIPPED, check, cutune

SPACE = os.path.join(ROOT, "templates/transpose.space")
OTHER = os.path.join(ROOT, "templates/matmul.space")
TEMPLATES = ("matmul", "stencil2d", "softmax", "transpose", "reduction", "overlap")
SIZES = ["-D", "ROWS=4096", "-D", "COLS=4096"]
CONFIG = "TILE=32 BLOCK_ROWS=8 PAD=1 SWIZZLE=0 VEC=1 UNROLL=1 SWAP_GRID=0"
SHARED_BYTES = 32 * (32 + 1) * 4


def tune(folder, *arguments, may_end=(0,)):
    """A run that must end with one of these statuses; without a device or a counter, the test is skipped."""
    done = cutune(*arguments, folder=folder)
    if done.returncode == 3:
        print(done.stderr)
        sys.exit(SKIPPED)
    check(done.returncode in may_end, "exit status %d: %s" % (done.returncode, done.stderr))


def measure(folder, *more, device="0"):
    """Measures in a fresh journal; returns the rows of the front."""
    journal = os.path.join(folder, "last")
    shutil.rmtree(journal, ignore_errors=True)
    tune(folder, "--space", SPACE, *SIZES, "--device", device, "--objective", "time,energy", "--journal", journal,
         "--db", os.path.join(journal, "db.csv"), "--explain", "no", "--quiet", *more)
    file = next(os.path.join(journal, name) for name in os.listdir(journal) if name.endswith(".csv") and name != "db.csv")
    shown = cutune("show", "--front", file, "--format", "json", folder=folder)
    check(shown.returncode == 0, shown.stderr)
    return [row for row in json.loads(shown.stdout) if row["front"] != "library"]


def other_work(folder, options, seconds):
    """Keeps the device busy, with a command or with a search."""
    until = time.monotonic() + seconds
    if options.work:
        subprocess.run([*options.work.split(), "%d" % seconds], stdout=subprocess.DEVNULL, check=True)
    while until - time.monotonic() > 1:
        tune(folder, "--space", OTHER, "--max-time", "%d" % (until - time.monotonic()), "--no-cache", "--quiet",
             "--journal", tempfile.mkdtemp(dir=folder), "--db", os.path.join(folder, "other.csv"),
             may_end=(0, 4))  # 4: too late to measure anything


def measure_both(folder, device="0"):
    """The padded and the unpadded configuration, measured in the same rounds."""
    rows = measure(folder, "--config", CONFIG, "--config", CONFIG.replace("PAD=1", "PAD=0"), "--front", "1000", device=device)
    rows = {row["configuration"]: row for row in rows}
    unpadded, padded = (rows[name] for name in sorted(rows))
    return padded, unpadded


def spread(values):
    return max(values) / min(values) - 1


def agrees(folder, options):
    """Ten repetitions, each after a tenth of the other work: a board that has rested needs less energy."""
    energies, ratios, began = [], [], time.monotonic()
    for number in range(1, 11):
        other_work(folder, options, max(1, began + number * options.minutes * 60 / 10 - time.monotonic()))
        row, other = measure_both(folder)
        energies.append(row["energy_j"])
        ratios.append(other["energy_j"] / row["energy_j"])
        print("%2d: after %.0f s %.6g J, %.6g to %.6g, %s; unpadded %.5f of it" % (number, time.monotonic() - began, row["energy_j"], row[
            "low_j"], row["high_j"], row["states"], ratios[-1]), flush=True)
    print("spread of ten: %.2f%%, of the ratios %.2f%%" % (100 * spread(energies), 100 * spread(ratios)))
    check(spread(energies) <= 0.01, "the energies differ by more than a hundredth")


class Launches:
    """The kernel of a cubin, launched through the driver without cutune, on two buffers of BYTES of random numbers: zeros need less power."""

    BYTES = 4096 * 4096 * 4

    def __init__(self, cubin):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context, module, self.kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        self.call("cuModuleGetFunction", ctypes.byref(self.kernel), module, b"transpose")
        buffers = [ctypes.c_uint64(), ctypes.c_uint64()]
        for buffer in buffers:
            self.call("cuMemAlloc_v2", ctypes.byref(buffer), ctypes.c_size_t(self.BYTES))
            numbers = array.array("f", (random.uniform(-1, 1) for _ in range(1 << 20))).tobytes()
            for at in range(0, self.BYTES, len(numbers)):
                self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(buffer.value + at), numbers, ctypes.c_size_t(len(numbers)))
        self.values = [*buffers, ctypes.c_int(4096), ctypes.c_int(4096)]
        self.arguments = (ctypes.c_void_p * 4)(*[ctypes.addressof(value) for value in self.values])

    def call(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        check(result == 0, "%s: error %d" % (name, result))

    def run(self, count):
        for _ in range(count):
            self.call("cuLaunchKernel", self.kernel, 128, 128, 1, 32, 8, 1, SHARED_BYTES, None, self.arguments, None)

    def wait(self):
        self.call("cuCtxSynchronize")


class Counter:
    """NVML's counter of energy of the first GPU, in joules."""

    def __init__(self):
        self.nvml, self.board = ctypes.CDLL("libnvidia-ml.so.1"), ctypes.c_void_p()
        check(self.nvml.nvmlInit_v2() == 0, "nvmlInit")
        check(self.nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.board)) == 0, "no board")

    def read(self):
        value = ctypes.c_ulonglong()
        check(self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.board, ctypes.byref(value)) == 0, "no counter")
        return value.value * 1e-3


def counter(folder, options):
    """An independent reading checks the arithmetic, not the sensor: the counter around ten seconds of the same launches."""
    row = measure(folder, "--config", CONFIG, "--cache", "warm")[0]
    made = cutune("compile", SPACE, *SIZES, "--db", os.path.join(folder, "last", "db.csv"), "-o", "kernel.cubin", folder=folder)
    check(made.returncode == 0, made.stderr)
    with open(os.path.join(folder, "kernel.cubin"), "rb") as file:
        launches = Launches(file.read())
    counted = Counter()
    launches.run(5000)
    launches.wait()
    begin, begin_s, runs = counted.read(), time.monotonic(), 0
    while time.monotonic() < begin_s + 10:
        launches.run(2000)
        launches.wait()
        runs += 2000
    end, end_s = counted.read(), time.monotonic()
    joules, time_ns = (end - begin) / runs, 1e9 * (end_s - begin_s) / runs
    print("cutune  %.6g J, %.0f ns, %.1f W" % (row["energy_j"], row["time_ns"], row["mean_power_w"]))
    print("by hand %.6g J, %.0f ns, %.1f W" % (joules, time_ns, (end - begin) / (end_s - begin_s)))
    check(abs(row["energy_j"] / joules - 1) < 0.03, "another energy than by hand")


def added(folder, options):
    """The seconds that energy adds to a run."""
    taken = {}
    for name, more in (("time", []), ("energy", ["--objective", "time,energy"]), ("time again", [])):
        journal = tempfile.mkdtemp(dir=folder)
        begin = time.monotonic()
        tune(folder, "--space", SPACE, *SIZES, "--max-evals", "60", "--quiet", "--journal", journal, "--db",
             os.path.join(journal, "db.csv"), "--explain", "no", *more)
        taken[name] = time.monotonic() - begin
        print("%-10s %.1f s" % (name, taken[name]))
    print("energy adds %.1f s" % (taken["energy"] - taken["time again"]))


def orders(folder, options):
    """The same order, or a tie, on each device."""
    signs = []
    for device in options.device.split(","):
        first, second = measure_both(folder, device)
        sign = (first["low_j"] > second["high_j"]) - (first["high_j"] < second["low_j"])
        print(device, first["energy_j"], second["energy_j"], {1: "more", 0: "tied", -1: "less"}[sign])
        signs.append(sign)
    check(not {-1, 1} <= set(signs), "the devices disagree")


def saved(row, other):
    """Energy saved and time lost by a row against another one, in per cent."""
    return 100 * (1 - row["energy_j"] / other["energy_j"]), 100 * (row["time_ns"] / other["time_ns"] - 1)


def fronts(folder, options):
    """The ends of the front of time and energy: what the least energy saves against the fastest configuration."""
    for name in options.templates.split(","):
        journal = os.path.join(folder, name)
        begin = time.monotonic()
        tune(folder, "--space", os.path.join(ROOT, "templates", name + ".space"), "--objective", "time,energy", "--front",
             "1", "--max-time", "6", "--explain", "no", "--quiet", "--journal", journal, "--db", os.path.join(journal, "db.csv"))
        file = next(os.path.join(journal, each) for each in os.listdir(journal) if each.endswith(".csv") and each != "db.csv")
        shown = json.loads(cutune("show", "--front", file, "--format", "json", folder=folder).stdout)
        rows = [{name.replace("_per_work", ""): value for name, value in row.items()} for row in shown]
        rows = [row for row in rows if row["energy_j"] is not None]
        front = [row for row in rows if row["front"] == "yes"]
        fastest, least = min(front, key=lambda row: row["time_ns"]), min(front, key=lambda row: row["energy_j"])
        apart = least["high_j"] < fastest["low_j"] and fastest["high_ns"] < least["low_ns"]
        print("%-10s %.0f s, %d measured, %d on the front: %s" % (name, time.monotonic() - begin, len(rows), len(front), (
            "energy %.2f%% less for %.2f%% of time, %s" % (*saved(least, fastest), "beyond all intervals" if apart else "within intervals"))))
        for row in front:
            print("    %.6g J (%.6g to %.6g), %.6g ns (%.6g to %.6g): %s" % (
                row["energy_j"], row["low_j"], row["high_j"], row["time_ns"], row["low_ns"], row["high_ns"], row["configuration"]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--device", default="0")
    parser.add_argument("--work", help="a command that is busy for the seconds of its last argument, which is added")
    parser.add_argument("--templates", default=",".join(TEMPLATES))
    parser.add_argument("cases", nargs="*", default=["agrees", "counter", "added", "orders", "fronts"])
    options = parser.parse_args()
    support.program = os.path.abspath(options.program)
    if subprocess.run([support.program, "doctor"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 3:
        return SKIPPED
    cases = {"agrees": agrees, "counter": counter, "added": added, "orders": orders, "fronts": fronts}
    for case in options.cases:
        print("---- " + case, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            cases[case](folder, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
