"""Kernels in common styles: the wrong configurations of each space must be found, and a right one must win."""
from support import WORKED, check, parameters_of, show_times, tune_space


def numbers(row):
    return {name: int(row[name]) for name in parameters_of(row)}


def tune_style(name, is_wrong, *arguments, folder):
    """Tunes a space. `is_wrong` takes the parameters of a row."""
    record, rows, _ = tune_space("kernels/" + name, *arguments, folder=folder)
    show_times(rows, *parameters_of(rows[0]))
    right, wrong = 0, 0
    for row in rows:
        expected = is_wrong(numbers(row))
        check(row["status"] == "wrong_result" if expected else row["status"] in WORKED, "%s" % row)
        right, wrong = right + (not expected), wrong + expected
    check(right > 20 and wrong > 5, "%d right, %d wrong configurations" % (right, wrong))
    print("%d right, %d wrong, %s: %.4g us, %.3g times the default" % (
        right, wrong, record["configuration"], record["time_ns"] / 1e3, record["speedup"]))
    return record, rows


def nbody(folder):
    """An array of structures and a structure of arrays hold the same bodies; a parameter chooses."""
    _, rows = tune_style("nbody", lambda of: of["BUG"] == 1, folder=folder)
    check({row["USE_SOA"] for row in rows if row["status"] in WORKED} == {"0", "1"}, "one of the layouts does not work")
    check(all("new_bodies: " in row["message"] for row in rows if row["BUG"] == "1"), "another output is wrong")


def gemm(folder):
    """Everything is a macro, in files that include one another. The strided store is wrong for some configurations
    only."""
    tune_style("gemm", lambda of: of["BUG"] == 1 and of["STRM"] == 1 and of["MWG"] // of["MDIMC"] // of["VWM"] > 1,
               "--strategy", "random", "--max-evals", "80", folder=folder)


def point_in_polygon(folder):
    """Two constants, one of which half of the variants lack."""
    tune_style("point_in_polygon", lambda of: of["BUG"] == 1, folder=folder)


def coulomb(folder):
    """The output accumulates into its initial contents."""
    tune_style("coulomb", lambda of: of["BUG"] == 1 or of["BUG"] == 2 and of["COARSEN"] > 1, folder=folder)


def bicg(folder):
    """Five launches. Sums are cleared first, and several blocks must add to them atomically."""
    _, rows = tune_style("bicg", lambda of: of["FAULT"] > 0 or of["ATOMICS"] == 0 and of["ROWS_PER_BLOCK"] < 1000,
                         folder=folder)
    faults = {"0": "s: ", "1": "s: ", "2": "q: "}
    for row in rows:
        check(row["status"] != "wrong_result" or row["ATOMICS"] == "0" or faults[row["FAULT"]] in row["message"],
              "%s" % row)


def radix_sort(folder):
    """12 or 24 launches that swap two pairs of buffers, as launches and as a graph; a kernel judges the result."""
    _, rows = tune_style("radix_sort", lambda of: of["BUG"] > 0, folder=folder)
    check({row["GRAPH"] for row in rows if row["status"] in WORKED} == {"0", "1"}, "graphs do not work")
