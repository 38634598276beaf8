#!/usr/bin/env python3
"""Builds the library of this folder with gcc, clang and nvcc, from a header that is tuned for twelve GPUs:

    check.py PROGRAM [NVCC]

The rows of gpus.csv are made, not measured. Each GPU gets its own row; another one, that of a relative. Compilers that
are not installed are skipped."""
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
ARCHITECTURES = [word for cc in (80, 90) for word in ("-gencode", "arch=compute_%d,code=sm_%d" % (cc, cc))]
RELATIVE = ("Another GPU", "89", "60", "50331648")  # nearest to the L4


def run(command, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                          check=False, **more)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def check_choices(program, rows):
    for row in rows:
        said = run([program, row["device"], row["cc"], row["sm_count"], row["l2_bytes"], "8192", "8192"])
        if not said.startswith(row["configuration"] + " by "):
            sys.exit("%s gets %s instead of %s" % (row["device"], said, row["configuration"]))
    relative = next(row["configuration"] for row in rows if row["device"] == "Sample L4")
    said = run([program, *RELATIVE, "8192", "8192"])
    if not said.startswith(relative + " by "):
        sys.exit("another GPU gets %s instead of %s" % (said, relative))


def main():
    program, nvcc = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    with open(os.path.join(HERE, "gpus.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with tempfile.TemporaryDirectory(prefix="cutune-library-") as work:
        source, header = os.path.join(work, "source"), os.path.join(work, "source", "turn_tuned.h")
        shutil.copytree(HERE, source)
        emit = [program, "emit", "--db", "gpus.csv", "--space", "turn.space", "--plain-macros"]
        run([*emit, "-o", header], cwd=source)
        run([*emit, "--check", header], cwd=source)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        built = []
        for name, compiler in (("gcc", "gcc"), ("clang", "clang"), ("nvcc", nvcc)):
            compiler, build = shutil.which(compiler), os.path.join(work, name)
            if not compiler:
                print("no %s: skipped" % name)
                continue
            if name == "nvcc":
                os.mkdir(build)
                run([compiler, *ARCHITECTURES, "library.c", "library.cu", "choices.c", "-o", os.path.join(build, "choices")], cwd=source)
            else:
                run(["cmake", "-S", source, "-B", build, *generator, "-DCMAKE_C_COMPILER=" + compiler])
                run(["cmake", "--build", build])
            check_choices(os.path.join(build, "choices"), rows)
            built.append(name)
        with open(header, encoding="utf-8") as file:
            text = file.read()
        known = set(re.findall(r"TURN_TUNED_FOR_SAMPLE\w+", text))
        if len(rows) != 12 or len(known) != len(rows):
            sys.exit("the header knows %d GPUs of %d" % (len(known), len(rows)))
        print("a header of %d KiB for %d GPUs, built with %s" % (len(text) // 1024, len(rows), ", ".join(built)))
    return 0 if built else 77


if __name__ == "__main__":
    sys.exit(main())
