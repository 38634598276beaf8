#!/usr/bin/env python3
"""Checks `cutune explain` with the pairs of causes.csv, whose cause is known.

    run.py --program CUTUNE compiled [PAIR...]               each pair compiles; needs NVRTC, no GPU
    run.py --program CUTUNE recorded [PAIR...]               explains the journals of recorded/DEVICE/; needs no GPU
    run.py --program CUTUNE live [--record FOLDER] [PAIR...]  measures and explains on a GPU, and keeps the journals in FOLDER

PAIR is the name of a pair, a space or a cause. Exit status: 0 if as many explanations as WANTED are right, 77 without
any pair to explain."""
import argparse
import concurrent.futures
import csv
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(FOLDER)))
SKIPPED = 77
# The least shares of right answers: causes named first with counters, static causes without, healthy pairs without a
# cause.
WANTED = {"counters": 0.95, "static": 0.875, "healthy": 1}
# Reasons other than a fault for one of two healthy configurations to be faster.
NO_FAULT = ("more_traffic", "instructions")


def read_pairs(folder, wanted):
    with open(os.path.join(folder, "causes.csv"), newline="", encoding="utf-8") as file:
        pairs = list(csv.DictReader(file))
    for pair in pairs:
        pair["path"] = os.path.join(folder, pair["space"] + ".space")
    return [pair for pair in pairs if not wanted or {pair["pair"], pair["space"], *pair["cause"].split("|")} & set(wanted)]


def sizes_of(pair):
    return [word for size in pair["sizes"].split() for word in ("-D", size)]


def run(program, *arguments, **options):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300, **options)


# ---- Compiling -----------------------------------------------------------------------------------------------------------------

def compile_pair(program, pair):
    """Compiles both configurations of a pair; returns the error, or None."""
    values = {}
    for assignment in (pair["faulty"] + " " + pair["healthy"]).split():
        name, value = assignment.split("=")
        values.setdefault(name, set()).add(value)
    done = run(program, "check", pair["path"], *sizes_of(pair), "--compile", "all", "--arch", "sm_90a", "--format", "csv",
               *(word for name in values for word in ("--set", "%s=%s" % (name, ",".join(sorted(values[name]))))),
               env=dict(os.environ, CUDA_VISIBLE_DEVICES="-1", CUTUNE_DEVICES=os.path.join(ROOT, "space/devices")))
    if done.returncode:
        return done.stderr
    compiled = {frozenset(row["name"].split()): row["value"] for row in csv.DictReader(done.stdout.splitlines())
                if row["kind"] == "compiled"}
    for config in (pair["faulty"], pair["healthy"]):
        if compiled.get(frozenset(config.split())) != "ok":
            return "%s: %s" % (config, compiled.get(frozenset(config.split()), "is not there"))
    return None


def compiled(options, pairs):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = ["%s: %s" % (pair["pair"], fault) for pair, fault in
                  zip(pairs, pool.map(lambda pair: compile_pair(options.program, pair), pairs)) if fault]
    print("\n".join(faults))
    return bool(faults)


# ---- Explaining ----------------------------------------------------------------------------------------------------------------

def same(config, other):
    return set(config.split()) == set(other.split())


def explain(program, pair, journal, *arguments):
    """Returns the answer about a pair: (answer, causes, sentence)."""
    done = run(program, "explain", *arguments, "--format", "json", "--config", pair["healthy"], "--config", pair["faulty"], journal)
    if done.returncode:
        return "failed", [], done.stderr.strip()
    if done.stderr:
        print("%s: %s" % (pair["pair"], done.stderr.strip()), file=sys.stderr)
    for change in json.loads(done.stdout)[0]["changes"]:
        if same(change["from"], pair["faulty"]) and same(change["to"], pair["healthy"]):
            backwards = pair["cause"] != "none" and change["speedup"] < 1 and change["answer"] != "same"
            return "backwards" if backwards else change["answer"], [cause["id"] for cause in change["causes"]], change["sentence"]
    return "failed", [], "no change between the two"


def judge(pair, answer, causes, static):
    """Returns (right, told). right: the cause is named first, or a healthy pair has no cause; told: a wrong cause is
    named."""
    if answer in ("failed", "backwards"):
        return False, False
    wanted = pair["cause"].split("|")
    first = causes[0] if answer == "explained" and causes else None
    if pair["cause"] == "none":
        return first is None or first in NO_FAULT, first is not None and first not in NO_FAULT
    if static and pair["evidence"] == "counter":
        return first in (None, *wanted), first not in (None, *wanted)
    return first in wanted, first is not None and first not in wanted


class Count:
    """Right, wrong and all answers of a kind."""

    def __init__(self):
        self.right = self.told = self.all = 0

    def add(self, right, told):
        self.right += right
        self.told += told
        self.all += 1

    def enough(self, share):
        return self.right >= share * self.all


def report(answers):
    """Prints every answer and the sums. True if enough answers are right."""
    counts = {name: Count() for name in ("counters", "static", "cannot tell", "healthy")}
    for pair, evidence, (answer, causes, sentence) in answers:
        right, told = judge(pair, answer, causes, evidence == "static")
        kind = "healthy" if pair["cause"] == "none" else evidence if evidence == "counters" or pair["evidence"] == "static" else \
            "cannot tell"
        counts[kind].add(right, told)
        print("%-5s %-8s %-24s %-22s %s" % ("right" if right else "WRONG" if told else "none", evidence, pair["pair"], pair["cause"],
                                            "%s %s: %s" % (answer, ",".join(causes), sentence)))
    for name, count in counts.items():
        print("%-12s %d of %d right, %d wrong causes" % (name, count.right, count.all, count.told))
    return all(counts[name].enough(share) for name, share in WANTED.items()) and counts["cannot tell"].told == 0


def static_answer(options, pair, journal):
    return pair, "static", explain(options.program, pair, journal, "--collect", "no", "--counters", "no")


def is_measured(journal):
    """True if the journal has counters, or the times of a pipeline's stages."""
    with open(journal, encoding="utf-8") as file:
        text = file.read()
    return " cycles=" in text or " run_ns=" in text


def recorded(options, pairs):
    answers = []
    for pair in pairs:
        for journal in sorted(glob.glob(os.path.join(options.folder, "recorded", "*", pair["pair"] + ".csv"))):
            if is_measured(journal):
                answers.append((pair, "counters", explain(options.program, pair, journal, "--collect", "no")))
            answers.append(static_answer(options, pair, journal))
    if not answers:
        return SKIPPED
    return not report(answers)


# ---- On a GPU ------------------------------------------------------------------------------------------------------------------

def measure(options, pair, folder):
    """Measures both configurations; returns the journal."""
    done = run(options.program, "--space", pair["path"], *sizes_of(pair), "--config", pair["faulty"], "--config", pair["healthy"],
               "--playoff", "0", "--explain", "no", "--format", "json", cwd=folder)
    journals = glob.glob(os.path.join(folder, "cutune.d", "*.csv"))
    if done.returncode or len(journals) != 1:
        raise RuntimeError("exit status %d: %s" % (done.returncode, done.stderr.strip()))
    return journals[0]


def live_pair(options, pair):
    with tempfile.TemporaryDirectory() as folder:
        try:
            journal = measure(options, pair, folder)
            answers = [(pair, "counters", explain(options.program, pair, journal, "--space", pair["path"], "--neighbours", "0")),
                       static_answer(options, pair, journal)]
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [(pair, "counters", ("failed", [], str(error)))]
        if options.record:
            shutil.copy(journal, os.path.join(options.record, pair["pair"] + ".csv"))
        return answers


def live(options, pairs):
    if run(options.program, "devices").returncode:
        print("there is no GPU")
        return SKIPPED
    if options.record:
        os.makedirs(options.record, exist_ok=True)
    end, answers = time.monotonic() + options.seconds, []
    for pair in pairs:
        if time.monotonic() > end:
            print("out of time before %s" % pair["pair"])
            break
        answers += live_pair(options, pair)
        print("%s: %s" % (pair["pair"], answers[-1][2][0]), file=sys.stderr, flush=True)
    return not report(answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", default=FOLDER, help="where causes.csv and the spaces are")
    parser.add_argument("--record", metavar="FOLDER", help="where the journals are kept")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further pair after that time")
    parser.add_argument("mode", choices=("compiled", "recorded", "live"))
    parser.add_argument("pair", nargs="*")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    options.folder = os.path.abspath(options.folder)
    pairs = read_pairs(options.folder, options.pair)
    if not pairs:
        sys.exit("there is no such pair")
    sys.exit({"compiled": compiled, "recorded": recorded, "live": live}[options.mode](options, pairs))


if __name__ == "__main__":
    main()
