"""Values that kernels get by arguments and by variables of the module."""
import os
import shutil

from support import ROOT, WORKED, all_rows_of, check, cutune, show_times, tune_space


def arguments(folder):
    """Structs have C's layout, null is null, and pointers into buffers point there; the opposite of each is a wrong
    result."""
    _, rows, _ = tune_space("arguments", folder=folder)
    show_times(rows, "BLOCK", "PARTS", "WRONG")
    for row in rows:
        check(row["status"] in (WORKED if row["WRONG"] == "0" else ("wrong_result",)), "%s" % row)


def surfaces(folder):
    """Surfaces of every shape have the buffer's contents before each run, and their contents are the results, also in a
    graph. Elements at another place or unwritten, and a written input, are caught."""
    _, rows, _ = tune_space("surfaces", folder=folder)
    show_times(rows, "SHAPE", "BLOCK", "GRAPH", "WRONG")
    for row in rows:
        check(row["status"] in (WORKED if row["WRONG"] == "none" else ("wrong_result",)), "%s" % row)
        check(row["WRONG"] != "touched" or "writes to in" in row["message"], "the written input is not named: %s" % row)
    check({row["SHAPE"] for row in rows if row["status"] in WORKED} ==
          {"pointer", "line", "lines", "plane", "solid", "sheets"}, "not every shape works")


def structs(folder):
    """Pointers, textures, arrays and structs in a struct have C's places and values, also in a graph."""
    _, rows, _ = tune_space("structs", folder=folder)
    show_times(rows, "BLOCK", "PARTS", "GRAPH", "WRONG")
    for row in rows:
        check(row["status"] in (WORKED if row["WRONG"] == "0" else ("wrong_result",)), "%s" % row)


def device_variables(folder):
    """Variables have their values before each run, whatever a kernel leaves in them; other values are a wrong result. So
    is every configuration if the counter is not set back."""
    space = os.path.join(ROOT, "tests/gpu/device_variables.space")
    _, rows, _ = tune_space("device_variables", folder=folder)
    show_times(rows, "BLOCK", "USED", "GRAPH", "WRONG")
    for row in rows:
        check(row["status"] in (WORKED if row["WRONG"] == "0" else ("wrong_result",)), "%s" % row)
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    with open(space) as file:
        text = file.read().replace("device_variable next_tile", "# device_variable next_tile")
    with open(os.path.join(folder, "kept.space"), "w") as file:
        file.write(text.replace('"device_variables.cu"', '"%s"' % space.replace(".space", ".cu")))
    done = cutune("--space", "kept.space", "--set", "WRONG=0", "--explain", "no", folder=folder)
    check(done.returncode == 4, "exit status %d: %s" % (done.returncode, done.stderr))
    for row in all_rows_of(folder):
        check(row["status"] == "wrong_result" and "next_tile" in row["message"], "%s" % row)
