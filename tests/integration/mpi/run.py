#!/usr/bin/env python3
"""cutune-mpi on this host: run.py --program FILE --other FILE --synthetic FILE [CASE...]. The programs: cutune-mpi
on the fake CUDA runtime, the same of another version, and without devices (synthetic.c). Exit status 77: skipped,
without mpirun."""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import launch
from launch import SKIPPED, SPACE, VALID, WINNER, Run, check
from slurm import Slurm
from support import ROOT, all_rows_of

FOUR = "devices=4 real_time=1"
RECORDED = os.path.join(ROOT, "db/recorded/allocation.NVIDIA-H100-80GB-HBM3.d6c7c3451c143e2e.csv")


def tune(folder, ranks, *arguments, status=0, fake=FOUR, samples=24, **more):
    """A run in which all goes well, unless another status is expected."""
    run = Run(folder, options.program, ranks, "--space", SPACE, "--explain", "no", "--samples", str(samples), *arguments,
              CUTUNE_FAKE=fake, **more)
    got = run.end()
    check(got == status, "exit status %d:\n%s%s" % (got, run.output, run.said()))
    return run


def check_all(folder, run, winner=WINNER):
    """Every configuration is in the journal, once, with an outcome of a healthy run."""
    check(re.search(r"^winner +%s$" % winner, run.output, re.M), "another winner:\n" + run.output)
    rows = [row for row in all_rows_of(folder) if not row["playoff"]]
    check(len({row["TIME"] for row in rows}) == VALID, "%d configurations are in the journal" % len(rows))
    bad = [row for row in rows if row["status"] not in ("ok", "slower")]
    check(not bad, "%s" % bad[:1])
    return rows


def slow_space(folder):
    """Returns a copy of the space whose launches take 50 ms each, so that it lasts some seconds. mpirun passes a signal on
    after one."""
    sources = os.path.join(ROOT, "tests/unit/device")
    shutil.copy(os.path.join(sources, "fake_kernels.cu"), folder)
    for path, name, text, other in ((os.path.join(sources, "scripted.cu"), "slow.cu", " id=", " real_ns=50000000 id="),
                                    (SPACE, "slow.space", "../../unit/device/scripted.cu", "slow.cu")):
        with open(path) as file, open(os.path.join(folder, name), "w") as copy:
            copy.write(file.read().replace(text, other))
    return os.path.join(folder, "slow.space")


# ---- Cases -----------------------------------------------------------------------------------------------------------------


def shares(folder):
    """Four ranks measure, each with a device of its own, and send their samples; three sizes in turn. On a busy machine a rank may come when the others have
    measured all of the first size, but not of the last: a size takes the devices, which need no processor, half a second."""
    run = tune(folder, 4, "-D", "N=1000,2000,3000", "--keep-samples", samples=4096)
    check("left out" not in run.said(), run.said())
    check(run.output.count("winner  ") == 3, run.output)
    devices = [set(re.findall(r"GPU-0\d", open(name).read())) for name in launch.journals(folder)]
    check(len(devices) == 3 and min(map(len, devices)) >= 2, "devices by size: %s" % devices)
    check(len(set.union(*devices)) == 4, "devices by size: %s" % devices)
    for row in all_rows_of(folder):
        counts = [int(entry.partition("*")[2] or 1) for entry in row["samples_ns"].split()]
        timed = row["status"] in ("ok", "slower") and not row["playoff"]
        check(sum(counts) == (int(row["samples"]) if timed else 0), "samples of a row: %s" % row)


def synthetic(folder):
    """The outcomes of four ranks equal those of one."""
    outcomes = []
    for ranks in (1, 4):
        own = os.path.join(folder, str(ranks))
        os.mkdir(own)
        run = Run(own, options.synthetic, ranks, SPACE)
        check(run.end() == 0, run.said())
        outcomes.append((run.output, sorted((row["TIME"], row["status"], row["time_ns"]) for row in all_rows_of(own)
                                            if not row["playoff"])))
    check("%d evaluated" % VALID in run.output and outcomes[0][0] == outcomes[1][0], "%s" % outcomes)
    check([row[:2] for row in outcomes[0][1]] == [row[:2] for row in outcomes[1][1]], "%s" % outcomes)


def replayed(folder):
    run = Run(folder, options.program, 4, "--replay", RECORDED)
    check(run.end() == 0, run.said())
    check(re.search(r"^evaluated +45 of 45 recorded", run.output, re.M), run.output)
    check(re.search(r"^winner +BLOCK=128 ALLOCATION=reuse CHUNKS=16 STREAMS=4 HOST=pinned$", run.output, re.M), run.output)
    check(not os.listdir(folder), "a replay saves nothing")


def energy(folder):
    """The device of the first rank measures all energies, by its own counter; without one, a sentence says so."""
    fake = FOUR + " nvml=1 watts=100 watts_each=50"
    run = tune(folder, 3, "--objective", "energy", "--front", "0", "--format", "json", fake=fake)
    rows = json.loads(run.output)[0]["energies"]
    check(len(rows) == 2 and all(abs(row["idle_w"] - 100) < 1 and row["energy_j"] > 0 for row in rows), "energies: %s" % rows)
    run = tune(folder, 3, "--objective", "energy", status=3, fake=fake, each={0: {"CUTUNE_FAKE": FOUR}})
    check("the energy counter of Fake GPU cannot be used" in run.said(), run.said())


def unlike(folder):
    """The run waits for a slow rank; it leaves out a rank with another driver and one with another cutune."""
    run = tune(folder, 4, programs={3: options.other}, each={1: {"CUTUNE_FAKE": FOUR + " start_ms=1500"},
                                                             2: {"CUTUNE_FAKE": FOUR + " driver=12080"}})
    check(re.search(r"rank 2 on \S+ is left out: it has a driver of CUDA version 12080, the first rank 13000\n", run.said()),
          run.said())
    check(re.search(r"rank 3 on \S+ is left out: it has cutune 0\.0\.1, the first rank [1-9.0]+\n", run.said()), run.said())
    check("rank 1 on" not in run.said(), run.said())
    check_all(folder, run)


def silent(folder):
    """A rank whose driver never starts is left out, and ended with the run."""
    run = tune(folder, 3, "--silence", "4", each={1: {"CUTUNE_FAKE": FOUR + " start_ms=600000"}})
    check(re.search(r"rank 1 on \S+ is left out: it does not answer\n", run.said()), run.said())
    check_all(folder, run)


def stopped(folder):
    """A rank freezes with its relay: the others continue, and the job ends with the coordinator."""
    run = Run(folder, options.program, 3, "--space", slow_space(folder), "--explain", "no", "--playoff", "0", "--silence", "15",
              "--no-cache", "--verbose", CUTUNE_FAKE=FOUR)
    relays, children = run.await_ranks(3)
    run.await_said("TIME=")
    for process in (relays[2], children[2]):
        process.signal(signal.SIGSTOP)
    run.end()
    check(re.search(r"rank 2 on \S+ is left out: it does not answer", run.said()), run.said())
    check(re.search(r"rank 2 on \S+ does not end: ending the job", run.said()), run.said())
    check_all(folder, run)


def frozen(folder):
    """A rank that was left out freezes when it waits for the others: the job ends nevertheless."""
    run = Run(folder, options.program, 3, "--space", SPACE, "--explain", "no", "--no-cache", CUTUNE_FAKE=FOUR,
              each={2: {"CUTUNE_FAKE": FOUR + " driver=12080"}})
    relays, _ = run.await_ranks(3)
    run.await_said("rank 2 on")
    while 2 in run.ranks()[1]:
        time.sleep(0.01)
    time.sleep(0.2)  # to enter the barrier
    relays[2].signal(signal.SIGSTOP)
    run.end()
    check("a rank does not end: ending the job" in run.said(), run.said())
    check_all(folder, run)


def usage(folder):
    """The error appears once."""
    run = Run(folder, options.program, 3, "--spase", SPACE)
    check(run.end() == 2 and run.said().count("unknown option --spase") == 1, run.said())
    run = Run(folder, options.program, 3, "--help")
    check(run.end() == 0 and run.output.count("Usage: cutune-mpi [OPTION...]") == 1, run.output)
    run = Run(folder, options.program, 3, "--space", "none.space")
    check(run.end() == 1 and run.said().count("there is no space file none.space") == 1, run.said())
    alone = subprocess.run([options.program, "--space", SPACE], cwd=folder, capture_output=True, text=True,
                           env=launch.environment(SLURM_NTASKS="4"))
    check(alone.returncode == 2 and "srun --mpi=pmix cutune-mpi" in alone.stderr, alone.stderr)


def resources(folder):
    """More ranks than devices; ranks bound to one core; devices divided by the launcher."""
    pinned = ("taskset", "-c", str(min(os.sched_getaffinity(0)))) if shutil.which("taskset") else ()
    run = tune(folder, 3, fake="devices=2 real_time=1", launcher=pinned)
    check(re.search(r"rank 2 on \S+ is left out: no device is left for it: 3 processes of its host share 2\n", run.said()),
          run.said())
    bound = "3 of 3 ranks may use one core only" in run.said() and "--bind-to none" in run.said()
    check(bound == (os.cpu_count() > 1) or not pinned, run.said())
    check_all(folder, run)
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    run = tune(folder, 2, fake="devices=2 real_time=1", each={rank: {"CUDA_VISIBLE_DEVICES": str(rank)} for rank in range(2)})
    check("left out" not in run.said(), run.said())
    check_all(folder, run)


def interrupted(folder):
    """Ctrl-C: every reported outcome is in the journal, the best is saved, and the same command resumes."""
    command = ("--space", slow_space(folder), "--explain", "no", "--playoff", "0", "--samples", "24", "--verbose")
    run = Run(folder, options.program, 3, *command, "--no-cache", CUTUNE_FAKE=FOUR)
    run.await_said("TIME=")
    begun = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    status = run.end()
    took = time.monotonic() - begun
    check(status != 0 and took < 10, "exit status %d after %.1f s:\n%s" % (status, took, run.said()))
    before = {row["TIME"] for row in all_rows_of(folder)}
    reported = set(re.findall(r"^(?:ok|slower) .*TIME=(\d+)", run.said(), re.M))
    check(reported and reported <= before and len(before) < VALID, "%s, of %s" % (before, reported))
    check(os.path.exists(os.path.join(folder, "cutune.csv")), "the best is not saved:\n" + run.said())
    again = Run(folder, options.program, 3, *command, CUTUNE_FAKE=FOUR)
    check(again.end() == 0, again.said())
    check_all(folder, again)
    measured = re.search(r"(\d+) of them measured now", again.output)
    check(measured and int(measured[1]) == VALID - len(before), again.output)


class Hosts:
    """Makes two network namespaces with their own host names."""

    addresses = ("10.213.7.1", "10.213.7.2")

    def __init__(self, folder):
        self.names = ["cutune-%d-%s" % (os.getpid(), letter) for letter in "ab"]
        self.agent = os.path.join(folder, "agent")
        with open(self.agent, "w") as file:  # mpirun calls it instead of ssh
            file.write('#!/bin/sh\nshift\nexec ip netns exec %s unshare --uts sh -c "hostname cutune-b; $*"\n' % self.names[1])
        os.chmod(self.agent, 0o755)
        self.launcher = ("ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c", 'hostname cutune-a; exec "$@"', "sh")

    def __enter__(self):
        steps = [["netns", "add", name] for name in self.names]
        steps.append(["link", "add", "cutune", "netns", self.names[0], "type", "veth", "peer", "name", "cutune", "netns", self.names[1]])
        for name, address in zip(self.names, self.addresses):
            steps += [["-n", name, "link", "set", "lo", "up"], ["-n", name, "link", "set", "cutune", "up"],
                      ["-n", name, "addr", "add", address + "/24", "dev", "cutune"]]
        works = shutil.which("ip") and os.getuid() == 0 and all(
            subprocess.run(["ip", *step], capture_output=True).returncode == 0 for step in steps)
        return self if works and subprocess.run([*self.launcher, "true"], capture_output=True).returncode == 0 else None

    def __exit__(self, *_):
        for name in self.names if shutil.which("ip") else ():
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def hosts(folder):
    """Two hosts that share neither network nor cache; then one of them has another driver."""
    cache = os.path.join(folder, "cache")
    with Hosts(folder) as both:
        if not both:
            print("hosts          skipped: this machine allows no network namespaces")
            return
        own = {"CUTUNE_CACHE": cache, "CUTUNE_FAKE": "devices=1 real_time=1"}
        for driver in ("", " driver=12080"):
            run = tune(folder, 2, fake="devices=1 real_time=1", hosts=both.addresses, launcher=both.launcher,
                       each={1: {**own, "CUTUNE_FAKE": own["CUTUNE_FAKE"] + driver}}, OMPI_MCA_plm_rsh_agent=both.agent)
            check(("rank 1 on cutune-b is left out: it has a driver" in run.said()) == bool(driver), run.said())
            check_all(folder, run)
            check(os.listdir(os.path.join(cache, "files")), "no files have travelled")
            shutil.rmtree(os.path.join(folder, "cutune.d"))


WORKER = """
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
from cutune.compilers import serve

def compile(request):
    [kernel], [output] = request["kernels"], request["outputs"]
    macros = ["-D%s=%s" % pair for pair in request["params"].items()]
    subprocess.run(["nvcc", "-cubin", "-std=c++17", "-arch=" + request["architecture"], *macros, "-o", output, "kernel.cu"], check=True)
    return {"kernels": [{"entry": kernel["name"], "block": [64]}]}

serve({"compiler": "mine", "version": "1.0", "files": ["kernel.cu", "fake_kernels.cu"], "variables": ["TEST_FLAVOUR"]}, compile)
"""


def command(folder):
    """The file that a command names and those of its hello travel; a rank whose hello differs is left out."""
    if not shutil.which("nvcc"):
        print("command        skipped: there is no nvcc")
        return
    own = os.path.join(folder, "space")
    os.mkdir(own)
    kernels = os.path.join(ROOT, "tests/unit/device")
    line = "%s worker.py %s" % (sys.executable, os.path.join(ROOT, "tools/python"))
    with open(SPACE) as file:
        text = file.read().replace("kernel twice \"../../unit/device/scripted.cu\"", "kernel twice\ncompiler command \"%s\"" % line)
    text = text.replace("10000..40000 step 2000", "10000, 20000, 40000").replace("block  64", "block  compiler")
    text = text.replace("reference twice block", "reference twice \"%s/scripted.cu\" block" % kernels)
    shutil.copy(os.path.join(kernels, "scripted.cu"), os.path.join(own, "kernel.cu"))
    shutil.copy(os.path.join(kernels, "fake_kernels.cu"), own)
    for name, content in (("worker.py", WORKER), ("own.space", text)):
        with open(os.path.join(own, name), "w") as file:
            file.write(content)
    run = Run(folder, options.program, 3, "--space", os.path.join(own, "own.space"), "--explain", "no", "--samples", "24",
              CUTUNE_FAKE=FOUR, each={2: {"TEST_FLAVOUR": "other"}})
    check(run.end() == 0, run.said())
    check(re.search(r"rank 2 on \S+ is left out: it has another compiler: its build is", run.said()), run.said())
    check("rank 1 on" not in run.said(), run.said())
    check(re.search("^winner +%s$" % WINNER, run.output, re.M), run.output)


def slurm(folder):
    """srun starts the ranks, as in the manual; without --mpi=pmix, an error names it."""
    own = os.path.join(folder, "slurm")
    os.mkdir(own)
    with Slurm(own) as one:
        if one.missing:
            print("slurm          skipped: no Slurm of one node: %s" % one.missing)
            return
        for how in ("pmix", "none"):
            done = subprocess.run(["srun", "--ntasks=3", "--mpi=" + how, options.program, "--space", SPACE, "--explain", "no",
                                   "--samples", "4096", "-D", "N=1000,2000"],
                                  cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  timeout=launch.LIMIT_S, env=launch.environment(SLURM_CONF=one.configuration,
                                                          CUTUNE_FAKE="devices=3 real_time=1"))
            check((done.returncode == 0) == (how == "pmix"), "exit status %d: %s" % (done.returncode, done.stderr))
        check("srun --mpi=pmix cutune-mpi" in done.stderr, done.stderr)
        devices = {row["uuid"] for row in all_rows_of(folder)}
        check(len(devices) == 3, "%d devices measured" % len(devices))


CASES = (shares, synthetic, replayed, energy, unlike, silent, stopped, frozen, usage, resources, interrupted, hosts, command, slurm)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--other", required=True)
    parser.add_argument("--synthetic", required=True)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="one of " + ", ".join(case.__name__ for case in CASES))
    options = parser.parse_args()
    for name in ("program", "other", "synthetic"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    if not launch.mpirun():
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="cutune-mpi-cache-") as cache:
        os.environ["CUTUNE_CACHE"] = os.environ["XDG_STATE_HOME"] = cache
        for case in CASES:
            if options.cases and case.__name__ not in options.cases:
                continue
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="cutune-mpi-") as folder:
                try:
                    case(folder)
                except SystemExit as failure:
                    sys.exit("%s: %s" % (case.__name__, failure))
            print("%-14s passed, %.1f s" % (case.__name__, time.monotonic() - begun), flush=True)


options = None

if __name__ == "__main__":
    main()
