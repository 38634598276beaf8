#!/usr/bin/env python3
"""With little memory, every command ends soon, with its result or with a message and a suitable exit status.
    memory.py PROGRAM FAKE_PROGRAM ROOT"""
import glob
import os
import resource
import subprocess
import sys
import tempfile

LIMIT_S = 60  # of a loaded machine; a command takes a second
PROGRAM, FAKE, ROOT = sys.argv[1:]
RECORDED = glob.glob(os.path.join(ROOT, "db/recorded/transpose.NVIDIA-H200.*.csv"))[0]
TEMPLATE = os.path.join(ROOT, "templates/transpose.space")
SCRIPTED = os.path.join(ROOT, "tests/unit/device/scripted.space")
COMMANDS = [
    [PROGRAM, "check", TEMPLATE],
    [PROGRAM, "compare", RECORDED],
    [PROGRAM, "--space", TEMPLATE, "--replay", RECORDED, "-q", "--strategy", "surrogate", "--max-evals", "40"],
    [FAKE, "--space", SCRIPTED, "--no-cache", "-q", "--set", "FAULT=none", "--set", "FROM=1", "--max-evals", "2"],
]
MIB = (64, 132, 148, 160, 192, 256)  # the program with its libraries alone takes about 125


def limit(mib):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in COMMANDS:
            environment = dict(os.environ, XDG_CACHE_HOME=folder)
            environment.pop("CUDA_VISIBLE_DEVICES", None)
            if not command[0].endswith("_fake"):
                environment["CUDA_VISIBLE_DEVICES"] = ""
            for mib in MIB:
                shown = f"{' '.join(map(os.path.basename, command))} in {mib} MiB"
                try:
                    done = subprocess.run(command, cwd=folder, env=environment, preexec_fn=limit(mib), timeout=LIMIT_S,
                                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                          check=False)
                except subprocess.TimeoutExpired:
                    print(f"{shown}: not over after {LIMIT_S} s")
                    failed = 1
                    continue
                if done.returncode and not done.stderr.strip():
                    print(f"{shown}: ends with {done.returncode} and no message")
                    failed = 1
    return failed


sys.exit(main())
