"""Cases of run.py: the judgement of a configuration's results."""
import os
import re

from support import ROOT, WORKED, check, cutune, show_times, tune_space


def accept(folder):
    """An accept kernel judges results without a reference. One that accepts everything, writes or crashes ends the run
    at once."""
    record, rows, _ = tune_space("accept", folder=folder)
    show_times(rows, "THREADS", "WAY", "FAULT")
    for row in rows:
        healthy = row["FAULT"] == "healthy"
        check(row["status"] in (WORKED if healthy else ("wrong_result",)), "%s" % row)
        check(healthy or re.search(r"accept check_kept counts \d+ wrong", row["message"]), "%s" % row)
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])
    with open(os.path.join(ROOT, "tests/gpu/accept.space")) as file:
        space = file.read().replace('"accept.cu"', '"%s"' % os.path.join(ROOT, "tests/gpu/accept.cu"))
    for kernel, message in (("accepts_all", "counts nothing wrong in outputs that nobody has written"),
                            ("writes_kept", "writes to an output that it judges"),
                            ("follows_kept", "an illegal memory access")):
        with open(os.path.join(folder, kernel + ".space"), "w") as file:
            file.write(space.replace("check_kept", kernel))
        done = cutune("--space", kernel + ".space", folder=folder)
        print(done.stderr)
        check(done.returncode == 1 and message in done.stderr, "%s: exit status %d" % (kernel, done.returncode))


def per(folder):
    """Each number of steps is compared with its own expected results, in the search and in the play-off."""
    record, rows, _ = tune_space("per", folder=folder)
    show_times(rows, "STEPS", "TILE", "FAULT")
    for row in rows:
        check(row["status"] in (WORKED if row["FAULT"] == "healthy" else ("wrong_result",)), "%s" % row)
    check(len({row["STEPS"] for row in rows if row["status"] in WORKED}) == 4, "not all numbers of steps work")
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])


def precision(folder):
    """The error in fp64 finds lower precision, and lets another order of additions pass."""
    record, rows, _ = tune_space("precision", folder=folder)
    show_times(rows, "PRECISION")
    for row in rows:
        exact = row["PRECISION"] in ("plain", "pairwise")
        check(row["status"] in (WORKED if exact else ("wrong_result",)), "%s" % row)
        check(exact or "less precise than allowed" in row["message"], "%s" % row)
    check(record["configuration"] in ("PRECISION=plain", "PRECISION=pairwise"), "the winner is " + record["configuration"])


LATER = "right on the first launch, wrong on a later one: "


def later(folder, name, *parameters):
    record, rows, _ = tune_space(name, folder=folder)
    show_times(rows, "BLOCK", "RESET", *parameters)
    for row in rows:
        if row["RESET"] == "1":
            check(row["status"] in WORKED, "%s" % row)
        elif row["RESET"] == "0":  # a configuration that was stopped early cannot win, and need not be launched again
            check(row["status"] == "slower" or row["status"] == "wrong_result" and LATER in row["message"] and "next_tile keeps" in row["message"], "%s" % row)
        else:
            check(row["status"] == "slower" or (row["status"] == "wrong_result" and "launched" in row["message"]), "%s" % row)
    check(any(row["RESET"] == "0" and row["status"] == "wrong_result" for row in rows), "no launch was wrong after timing")
    check("RESET=1" in record["configuration"], "the winner is " + record["configuration"])
    check(any(row["RESET"] == "1" and row["verified"] == "2" for row in rows), "no launch was verified after timing")


def wrong_later(folder):
    """Blocks take tiles from a counter that is never reset, so that later launches do nothing."""
    later(folder, "later")


def wrong_later_pipeline(folder):
    """The same happens between copies from and to the host."""
    later(folder, "later_pipeline", "HOST")


def wrong_later_sequence(folder):
    """The same happens in a launch whose results the next one reads from scratch, with and without a graph."""
    later(folder, "later_sequence", "GRAPH")
