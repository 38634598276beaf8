#!/usr/bin/env python3
"""Compiles the default of every template for sm_80, sm_90a and sm_100a, without a GPU. Only the conditions of a template
may exclude its default from an architecture; each compiles for at least one.

    check_templates.py PROGRAM REPOSITORY"""
import concurrent.futures
import csv
import glob
import io
import os
import subprocess
import sys

ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a")


def check(program, root, path):
    """Returns the faults of a template: lines of text."""
    name = os.path.basename(path)
    env = dict(os.environ, CUDA_VISIBLE_DEVICES="-1", CUTUNE_DEVICES=os.path.join(root, "space/devices"))
    done = subprocess.run([program, "check", path, "--compile", "default", "--arch", ",".join(ARCHITECTURES), "--format",
                           "csv"], env=env, capture_output=True, text=True, timeout=600)
    rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["kind"] == "compiled"]
    faults = ["%s: exit status %d: %s" % (name, done.returncode, done.stderr)] if done.returncode else []
    for architecture in ARCHITECTURES:
        found = [row for row in rows if row["architecture"] == architecture]
        if not found:
            faults.append("%s: nothing about %s" % (name, architecture))
        faults += ["%s for %s: %s: %s" % (name, architecture, row["name"], row["from"]) for row in found
                   if row["value"] not in ("ok", "not valid")]
    if not any(row["registers"] for row in rows):
        faults.append("%s: nothing is compiled" % name)
    return faults


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    paths = sorted(glob.glob(os.path.join(root, "templates/*.space")))
    if not paths:
        sys.exit("there are no templates")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = [line for lines in pool.map(lambda path: check(program, root, path), paths) for line in lines]
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
