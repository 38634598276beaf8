"""Cases of run.py: loops of launches, and launches with macros of their own."""
import os

from support import ROOT, WORKED, check, cutune, tune_space


def loops(folder):
    """A radix sort of 48 launches agrees with a bitonic sort of 136, as launches and as a graph; fewer passes are wrong."""
    record, rows, _ = tune_space("loops", folder=folder)
    for row in rows:
        right = row["PASSES"] == "16" and row["STABLE"] == "1"
        print("TILE=%s PASSES=%s STABLE=%s GRAPH=%s %s %s" % (row["TILE"], row["PASSES"], row["STABLE"], row["GRAPH"],
                                                            row["status"], row["message"]))
        check(row["status"] in WORKED if right else row["status"] == "wrong_result", "it is %s" % row["status"])
        check(right or "keys" in row["message"], "the wrong output is not named: %s" % row["message"])
    check({row["GRAPH"] for row in rows if row["status"] in WORKED} == {"0", "1"}, "launches or graphs are missing")
    check("PASSES=16" in record["configuration"] and "STABLE=1" in record["configuration"], record["configuration"])


def until(folder):
    """A breadth-first search runs until no node is added. A search that ends too early or never is wrong."""
    record, rows, _ = tune_space("until", folder=folder)
    for row in rows:
        print("TILE=%s FAULT=%s %s %s" % (row["TILE"], row["FAULT"], row["status"], row["message"]))
        check(row["status"] in WORKED if row["FAULT"] == "none" else row["status"] == "wrong_result",
              "it is %s" % row["status"])
        check(row["FAULT"] != "endless" or "'added' is 1 after the last round" in row["message"], row["message"])
        check(row["FAULT"] != "early" or "distance" in row["message"], row["message"])
    check("FAULT=none" in record["configuration"], record["configuration"])
    # 127 levels: too few rounds end no search
    space = os.path.join(ROOT, "tests/gpu/until.space")
    done = cutune("--space", space, "-D", "MOST=100", "--set", "FAULT=none", "--set", "TILE=64", folder=folder)
    check(done.returncode == 4 and "'added' is 1 after the last round" in done.stdout + done.stderr,
          "exit status %d: %s" % (done.returncode, done.stderr))


def struct_loops(folder):
    """Structs have the counter's values, moved buffers and offsets in each round, and each instance of a kernel has its
    variables before each run. Another value of any of these is a wrong result."""
    record, rows, _ = tune_space("struct_loops", folder=folder)
    for row in rows:
        print("BLOCK=%s GRAPH=%s WRONG=%s %s %s" % (row["BLOCK"], row["GRAPH"], row["WRONG"], row["status"], row["message"]))
        check(row["status"] in WORKED if row["WRONG"] == "none" else row["status"] == "wrong_result", "it is %s" % row["status"])
    check({row["GRAPH"] for row in rows if row["status"] in WORKED} == {"0", "1"}, "launches or graphs are missing")
    check("WRONG=none" in record["configuration"], record["configuration"])


def own_macros(folder):
    """A second pass is an instance of the same kernel, whose constants are filled, too. Its faults are caught."""
    record, rows, _ = tune_space("own_macros", folder=folder)
    for row in rows:
        print("PART=%s FAULT=%s %s %s" % (row["PART"], row["FAULT"], row["status"], row["message"]))
        check(row["status"] in WORKED if row["FAULT"] == "none" else row["status"] == "wrong_result", "it is %s" % row["status"])
    check("FAULT=none" in record["configuration"], record["configuration"])
    again = tune_space("own_macros", folder=folder)[0]
    check(again["measured_now"] == 0, "%d measured again" % again["measured_now"])
    done = cutune("explain", "--space", os.path.join(ROOT, "tests/gpu/own_macros.space"), folder=folder)
    check(done.returncode == 0, "explain: exit status %d: %s" % (done.returncode, done.stderr))
