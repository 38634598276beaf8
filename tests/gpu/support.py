"""Functions of the cases of run.py."""
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77
GONE_LIMIT_S = 10  # processes that outlive their parent for longer are left over
program = None


def check(condition, message):
    if not condition:
        sys.exit("FAILED: " + message)


def cutune(*arguments, folder, **options):
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, **options)


def tune(*arguments, folder):
    """Runs a command that must succeed, without explaining; returns its JSON record."""
    done = cutune(*arguments, "--explain", "no", "--format", "json", folder=folder)
    check(done.returncode == 0, "exit status %d of %s:\n%s" % (done.returncode, arguments, done.stderr))
    return json.loads(done.stdout)[0]


class Watched:
    """A process beside this one, in a process group of its own, whose error lines are read as they come."""

    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment)
        self.output, self.errors = "", []
        self.readers = [threading.Thread(target=self.read_output), threading.Thread(target=self.read_errors)]
        for reader in self.readers:
            reader.start()

    def read_output(self):
        self.output = self.process.stdout.read()

    def read_errors(self):
        self.errors.extend(self.process.stderr)

    def said(self):
        return "".join(self.errors)

    def running(self):
        return self.process.poll() is None

    def await_end(self, limit_s, left, kill):
        """Waits for the end of the process, then of those that `left` lists, and kills the remaining ones. The readers
        end with the last process that holds standard error."""
        try:
            self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            kill()
            check(False, "it hangs:\n" + self.said())
        deadline = time.monotonic() + GONE_LIMIT_S
        while left() and time.monotonic() < deadline:
            time.sleep(0.005)
        found = left()
        if found:
            kill()
        for reader in self.readers:
            reader.join()
        check(not found, "processes left: %s" % found)


NO_EVALUATION = ("evidence", "library", "energy")  # statuses of rows that are not outcomes


def all_rows_of(folder):
    """Returns all evaluations in the journals below a folder, without a torn last line, even if only its newline is
    missing."""
    rows = []
    for name in sorted(glob.glob(os.path.join(folder, "cutune.d", "*.csv"))):
        with open(name, newline="") as file:
            whole = (line for line in file if line.endswith("\n") and not line.startswith("#"))
            rows += [row for row in csv.DictReader(whole) if row["status"] not in NO_EVALUATION]
    return rows


def parameters_of(row):
    """Returns the columns before the status."""
    return list(row)[:list(row).index("status")]


def rows_of(folder):
    """Returns the evaluations of the search: one for each configuration, without the best and the default of an earlier
    run that a resumed run measured again."""
    rows, seen = [], set()
    for row in all_rows_of(folder):
        values = tuple(row[name] for name in parameters_of(row))
        again = row["proposer"] == "resume" or (row["proposer"] == "default" and values in seen)
        if not row["playoff"] and not again:
            rows.append(row)
            seen.add(values)
    return rows


def small_transpose(folder):
    return ["--space", os.path.join(ROOT, "templates/transpose.space"), "-D", "ROWS=1024", "-D", "COLS=2048"]


def tune_space(name, *arguments, folder):
    """Tunes a whole space of this folder; returns its record, the journal's rows, and the device's limits."""
    record = tune("--space", os.path.join(ROOT, "tests/gpu", name + ".space"), *arguments, folder=folder)
    limits = json.loads(cutune("devices", "--format", "json", folder=folder).stdout)[0]
    return record, rows_of(folder), limits


WORKED = ("ok", "slower", "duplicate")


def show_times(rows, *names):
    for row in rows:
        time_ns = row["time_ns"] if "time_ns" in row else row["time_per_work_ns"]
        print("%-14s %12s ns  %s  %s" % (row["status"], time_ns, " ".join(row[name] for name in names), row["message"]))


class Skip(Exception):
    """The reason why a case cannot run here."""


def run_cases(cases, wanted):
    """Runs the wanted cases by name, or all, in a temporary folder with a cache of their own. A case returns its fault, or "". Prints a row
    for each; returns the exit status."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        for name in wanted or cases:
            begin = time.perf_counter()
            try:
                reason = cases[name]()
                word = "FAIL" if reason else "PASS"
            except Skip as skip:
                reason, word = str(skip), "SKIP"
            except Exception as error:
                reason, word = "%s: %s" % (type(error).__name__, error), "FAIL"
            failed += word == "FAIL"
            print("%s %s, %.1f s%s" % (word, name, time.perf_counter() - begin, reason and ": " + reason), flush=True)
        os.chdir("/")
    return 1 if failed else 0
