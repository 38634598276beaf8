"""Cases of run.py: texts of kernels, their macros and files."""
from support import WORKED, check, show_times, tune_space


def own_files(folder):
    """Kernels of launches, fills and the accept kernel have files of their own. Parameters replace macros that the
    source defines, and one has another name there."""
    record, rows, _ = tune_space("segments/segments", folder=folder)
    show_times(rows, "width", "PER_THREAD", "FAULT")
    for row in rows:
        healthy = row["FAULT"] == "healthy"
        check(row["status"] in (WORKED if healthy else ("wrong_result",)), "%s" % row)
    for fault, words in (("adds_twice", "accept judge counts 1024 wrong"), ("skips_the_last", "accept judge counts 1024 wrong"),
                         ("writes_beside", "outside a buffer")):
        check(all(words in row["message"] for row in rows if row["FAULT"] == fault), "%s does not say '%s'" % (fault, words))
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])
    check(not any(row["status"] == "duplicate" for row in rows), "a macro changes nothing")


def generated(folder):
    """A program writes the source. Its failures cost one configuration each, and the wrong kernel is caught."""
    record, rows, _ = tune_space("segments/generated", "--timeout", "3", folder=folder)
    show_times(rows, "UNROLL", "BLOCK", "FAULT")
    expected = {"healthy": WORKED, "forgets": ("wrong_result",), "crashes": ("compile_error",), "hangs": ("timeout", "compile_error")}
    for row in rows:
        check(row["status"] in expected[row["FAULT"]], "%s" % row)
    check("no template for this value" in next(row["message"] for row in rows if row["FAULT"] == "crashes"), "no reason")
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])
