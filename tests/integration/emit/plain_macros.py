#!/usr/bin/env python3
"""Templates compile in a build as they are in the tuner. Compiles each with nvcc and no other macros than those of its
header, for the device of the newest row and for devices without a row.

    plain_macros.py PROGRAM NVCC"""
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def compile_template(program, nvcc, folder, path):
    """Returns what nvcc says, or what the program says if it writes no header; "" if the template compiles."""
    kernel = os.path.basename(path)[:-len(".space")]
    header = os.path.join(folder, kernel + ".h")
    done = subprocess.run([program, "emit", "--db", "recorded", "--kernel", kernel, "--space", path, "--stale", "--plain-macros",
                           "-o", header], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    said = ""
    for device in ("", "#define %s_TUNED_FOR %s_TUNED_FOR_OTHER\n" % (kernel.upper(), kernel.upper())):
        source = os.path.join(folder, "%s%d.cu" % (kernel, bool(device)))
        with open(source, "w", encoding="utf-8") as file:
            file.write('%s#include "%s"\n#include "%s"\n' % (device, header, path[:-len("space")] + "cu"))
        done = subprocess.run([nvcc, "-std=c++17", "-arch=sm_90a", "-cubin", "-o", source + ".cubin", source], capture_output=True,
                              text=True, check=False)
        said += done.stderr if done.returncode else ""
    return said


def main():
    program, nvcc = os.path.abspath(sys.argv[1]), sys.argv[2]
    paths = sorted(glob.glob(os.path.join(ROOT, "templates", "*.space")))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        said = list(pool.map(lambda path: compile_template(program, nvcc, folder, path), paths))
    wrong = [(path, text) for path, text in zip(paths, said) if text]
    for path, text in wrong:
        print("%s: %s" % (os.path.basename(path), text[:2000]))
    print("%d of %d templates compile" % (len(paths) - len(wrong), len(paths)))
    return 1 if wrong or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
