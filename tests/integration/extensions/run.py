#!/usr/bin/env python3
"""Runs the cases of this folder on the fake CUDA runtime by a program that has its extensions: run.py SOURCE_FOLDER BUILD_FOLDER

The build is that of the test `subproject`, with this folder's extensions; this one adds cutune_fake."""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (" ".join(command[:3]), done.stdout[-4000:]))


def main():
    source, build = sys.argv[1], os.path.join(sys.argv[2], "build")
    run(["cmake", build, "-DCUTUNE_TESTS=ON"])
    run(["cmake", "--build", build, "--target", "cutune_fake", "--parallel", "2"])
    runner = os.path.join(source, "tests/cli/run.py")
    cases = sorted(glob.glob(os.path.join(HERE, "cases/*.case")))
    return subprocess.run([sys.executable, runner, "--program", os.path.join(build, "bin/cutune_fake")] + cases, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
