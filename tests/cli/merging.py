#!/usr/bin/env python3
"""Databases that several processes write at once lose nothing: merging.py PROGRAM"""
import csv
import fcntl
import io
import os
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MERGES, ROUNDS, LIMIT_S = 8, 4, 60
program = os.path.abspath(sys.argv[1])
failures = 0


def check(good, *what):
    global failures
    if not good:
        failures += 1
        print("failed:", *what)


with open(os.path.join(ROOT, "tests/unit/formats/database-1.csv"), encoding="utf-8") as sample:
    HEADER, ROW = list(csv.reader(sample))[:2]


def row(kernel, header=None):
    cells = {**dict(zip(HEADER, ROW)), "kernel": kernel}
    return [cells.get(name, "") for name in header or HEADER]


def kernels(path):
    with open(path, encoding="utf-8") as file:
        return [line["kernel"] for line in csv.DictReader(file)]


def write(path, rows, header=None):
    """Saves a row as a run does: the whole file anew, in one step."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header or HEADER] + rows)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text.getvalue())
    os.rename(path + ".new", path)


class Lock:
    def __init__(self, path):
        self.file = open(path + ".lock", "a", encoding="utf-8")

    def __enter__(self):
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self.file.close()


def merge(folder, output, *inputs):
    return subprocess.Popen([program, "merge", "-q", *inputs, "-o", output], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)


def expect_end(process):
    out = process.communicate(timeout=LIMIT_S)[0].decode()
    check(process.returncode == 0 and not out, "merge:", process.returncode, out)


def put_one_by_one(path, count):
    for i in range(count):
        with Lock(path):
            with open(path, encoding="utf-8") as file:
                header, *rows = csv.reader(file)
            write(path, rows + [row("run%d" % i, header)], header)


def at_once(folder, named):
    """Eight merges and a run write one database; `named`: it is also among the inputs."""
    path = os.path.join(folder, "all.csv")
    write(path, [row("old")])
    for i in range(MERGES):
        write(os.path.join(folder, "part%d.csv" % i), [row("merged%d" % i)])
    runs = threading.Thread(target=put_one_by_one, args=(path, MERGES))
    runs.start()
    merges = [merge(folder, "all.csv", *named, "part%d.csv" % i) for i in range(MERGES)]
    for process in merges:
        expect_end(process)
    runs.join()
    expected = ["old"] + ["merged%d" % i for i in range(MERGES)] + ["run%d" % i for i in range(MERGES)]
    check(sorted(kernels(path)) == sorted(expected), "rows that are left:", kernels(path))
    left = set(os.listdir(folder)) - {"part%d.csv" % i for i in range(MERGES)}
    check(left == {"all.csv", "all.csv.lock"}, "files that are left:", left)


def waits(folder, link):
    """merge reads nothing while another process holds the lock, so that no write of that process is lost; also
    through a link."""
    path = os.path.join(folder, "all.csv")
    write(os.path.join(folder, "part.csv"), [row("merged")])
    if link:
        os.symlink("all.csv", os.path.join(folder, "link.csv"))
    with Lock(path):
        process = merge(folder, "link.csv" if link else "all.csv", "part.csv")
        time.sleep(0.3)
        check(process.poll() is None, "it did not wait for the lock")
        write(path, [row("run")])
    expect_end(process)
    check(sorted(kernels(path)) == ["merged", "run"], "rows that are left:", kernels(path))


def main():
    cases = [(at_once, ()), (at_once, ("all.csv",))] * ROUNDS + [(waits, False), (waits, True)]
    for case, argument in cases:
        with tempfile.TemporaryDirectory() as folder:
            case(folder, argument)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
