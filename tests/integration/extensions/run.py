#!/usr/bin/env python3
"""Builds cutune with the extensions of this folder, and runs its cases on the fake CUDA runtime.

    run.py --source REPOSITORY --build FOLDER [-DNAME=VALUE ...]

The build folder is kept: the next run builds only changes. Other options are CMake's, for the configuration."""
import argparse
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
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    arguments, options = parser.parse_known_args()
    run(["cmake", "-S", arguments.source, "-B", arguments.build, "-DCUTUNE_EXTENSIONS=" + HERE, "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DCUTUNE_WERROR=ON"] + options)
    run(["cmake", "--build", arguments.build, "--target", "cutune_program", "cutune_fake", "-j2"])
    runner = os.path.join(arguments.source, "tests/cli/run.py")
    cases = sorted(glob.glob(os.path.join(HERE, "cases/*.case")))
    return subprocess.run([sys.executable, runner, "--program", os.path.join(arguments.build, "tests/cutune_fake")] + cases,
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
