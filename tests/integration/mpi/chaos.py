#!/usr/bin/env python3
"""Faults at random: chaos.py --program FILE --rounds N --seed S. Each round kills one process of a run of three
ranks on the fake CUDA runtime: a device process, a compiler, an agent, the coordinator, a whole rank, in turn. Then
it checks that no process is left, that every reported outcome is in the journal, and that no configuration got a
wrong outcome. The same command must resume and find the winner. The seed determines time and place of a fault. Exit
status 77: skipped, without mpirun."""
import argparse
import collections
import os
import random
import re
import signal
import sys
import tempfile
import time

import launch
from launch import SKIPPED, SPACE, VALID, WINNER, Run, check
from support import all_rows_of

RANKS = 3
FAKE = "devices=3 real_time=1"


def start(folder, *arguments):
    return Run(folder, program, RANKS, "--space", SPACE, "--explain", "no", "--samples", "24", "--playoff", "2", "--verbose",
               *arguments, CUTUNE_FAKE=FAKE)


def strike(run, rng, find):
    """Sends SIGKILL to a process that `find` finds, after a random time, as soon as there is one."""
    time.sleep(rng.uniform(0.2, baseline_s))
    while run.running():
        targets = find(run)
        if targets:
            rng.choice(targets).signal(signal.SIGKILL)
            return
        time.sleep(0.005)


def rank(run, number):
    relays, _ = run.ranks()
    return [relays[number]] if number in relays else []


def child(run, number):
    _, children = run.ranks()
    return [children[number]] if number in children else []


# ---- The faults: the processes that they kill, and whether the run survives ----

FAULTS = (
    ("device", lambda run, rng: run.workers(False), True),
    ("compiler", lambda run, rng: run.workers(True), True),
    ("agent", lambda run, rng: child(run, rng.randrange(1, RANKS)), True),
    ("coordinator", lambda run, rng: child(run, 0), False),
    ("rank", lambda run, rng: rank(run, rng.randrange(1, RANKS)), False),
    ("first rank", lambda run, rng: rank(run, 0), False),
)


# ---- Conditions afterwards ----


def outcomes(folder):
    """Outcomes in the journal, without play-offs: configuration to statuses."""
    found = collections.defaultdict(list)
    for row in all_rows_of(folder):
        check(row["status"] in ("ok", "slower"), "TIME=%s is %s: %s" % (row["TIME"], row["status"], row["message"]))
        if not row["playoff"]:
            found[row["TIME"]].append(row["status"])
    return found


def check_result(run):
    check(re.search(r"^winner +%s$" % WINNER, run.output, re.M), "another winner:\n" + run.output + run.said())
    check(re.search(r"^evaluated +%d of %d " % (VALID, VALID), run.output, re.M), run.output)


def play(folder, fault, rng):
    """Makes one round: returns the exit status of the damaged run, and the number of its outcomes."""
    name, find, survives = fault
    run = start(folder, *(("--no-cache",) if name == "compiler" else ()))
    strike(run, rng, lambda hurt: find(hurt, rng))
    status = run.end()
    check(status == 0 or not survives, "exit status %d:\n%s" % (status, run.said()))
    if status == 0:
        check_result(run)
    before = outcomes(folder)
    reported = re.findall(r"^(ok|slower) .*TIME=(\d+)", run.said(), re.M)
    lost = [time_ns for outcome, time_ns in reported if outcome not in before[time_ns]]
    check(not lost, "reported, but not in the journal: %s" % lost)
    before = {key: value for key, value in before.items() if value}
    again = start(folder)
    status_again = again.end()
    check(status_again == 0, "the same command again: exit status %d:\n%s" % (status_again, again.said()))
    check_result(again)
    after = outcomes(folder)
    check(len(after) == VALID, "%d configurations in the journal" % len(after))
    check(all(after[key][:len(before[key])] == before[key] for key in before), "rows of the journal were lost")
    measured = re.search(r"(\d+) of them measured now", again.output)
    check(not measured or int(measured[1]) == VALID - len(before), "%d were known:\n%s" % (len(before), again.output))
    return status, len(before)


def main():
    global program, baseline_s
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="cutune-mpi on the fake CUDA runtime, as the tests build it")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    if not launch.mpirun():
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="chaos-cache-") as cache:
        os.environ["CUTUNE_CACHE"] = os.environ["XDG_STATE_HOME"] = cache
        for attempt in range(2):  # the first fills the cache of compiled kernels
            with tempfile.TemporaryDirectory(prefix="cutune-chaos-") as folder:
                begun = time.monotonic()
                run = start(folder)
                check(run.end() == 0, run.said())
                check_result(run)
                baseline_s = time.monotonic() - begun
        for number in range(options.first, options.first + options.rounds):
            fault, rng = FAULTS[number % len(FAULTS)], random.Random("%d %d" % (options.seed, number))
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="cutune-chaos-") as folder:
                try:
                    status, rows = play(folder, fault, rng)
                except SystemExit as failure:
                    sys.exit("round %d, %s (--seed %d --first %d --rounds 1): %s" % (
                        number, fault[0], options.seed, number, failure))
            counts[fault[0], status] += 1
            print("round %3d  %-11s exit %3d, %2d of %d in the journal, %.1f s" % (
                number, fault[0], status, rows, VALID, time.monotonic() - begun), flush=True)
    for (name, status), count in sorted(counts.items()):
        print("%-11s exit %3d: %d" % (name, status, count))


program, baseline_s = None, 0.0

if __name__ == "__main__":
    main()
