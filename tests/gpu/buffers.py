"""Cases about buffers: their contents, and who may write them."""
import array
import os
import shutil
import struct
import sys

from support import ROOT, WORKED, check, cutune, rows_of, show_times, tune, tune_space


def scratch(folder):
    """Scratch has a size that depends on a parameter. A write beside the configuration's own size is found, though the
    allocation is larger, and so is a kernel that relies on old contents."""
    _, rows, _ = tune_space("scratch", folder=folder)
    show_times(rows, "BLOCKS", "FAULT")
    expected = {"healthy": None, "beyond": "writes outside a buffer: 4 bytes beside partial",
                "far_beyond": "writes outside a buffer: 4 bytes beside partial",
                "before": "writes outside a buffer: 4 bytes beside partial",
                "stale": "out: 1 of 1 values differ from the reference", "unwritten": "out: 1 of 1 values differ from the reference"}
    check(len(rows) == 18, "%d rows" % len(rows))
    for row in rows:
        message = expected[row["FAULT"]]
        check(row["status"] in WORKED if message is None else row["status"] == "wrong_result" and message in row["message"], "%s" % row)


def csr(folder):
    """Kernels make a sparse matrix, in the order of the file; the result is the same after a kernel has broken the
    process."""
    _, rows, _ = tune_space("csr", folder=folder)
    show_times(rows, "LANES", "FAULT")
    status = {"healthy": WORKED, "forgets_last": ("wrong_result",), "illegal_address": ("crashed",)}
    for row in rows:
        check(row["status"] in status[row["FAULT"]], "%s" % row)
        check(row["FAULT"] != "forgets_last" or "y: " in row["message"], "%s" % row)
    check(len(rows) == 9, "%d rows" % len(rows))
    with open(os.path.join(ROOT, "tests/gpu/csr.space")) as file:
        good = file.read()
    shutil.copy(os.path.join(ROOT, "tests/gpu/csr.cu"), folder)
    faults = {"the kernel beyond_columns, which fills the buffer columns, writes outside a buffer: 4 bytes beside columns":
                  ("by make_columns", "by beyond_columns"),
              "filling the buffer columns with the kernel nowhere_columns: ": ("by make_columns", "by nowhere_columns"),
              "'make_column' does not occur in csr.cu": ("by make_columns", "by make_column"),
              "does not compile: kernel 'naive<1>' in csr.cu": ("by make_rows", "by naive<1>")}
    for words, (old, new) in faults.items():
        with open(os.path.join(folder, "bad.space"), "w") as file:
            file.write(good.replace(old, new))
        done = cutune("--space", "bad.space", folder=folder)
        print(done.stderr)
        check(done.returncode == 1 and words in done.stderr, "expected '%s', got: %s" % (words, done.stderr))


def write_npy(path, descr, shape, data):
    """Writes a NumPy file without NumPy."""
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def floats(values):
    numbers = array.array("f", values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def numpy_files(folder):
    """NumPy files hold floats, bfloat16 as unsigned integers, and vectors as a last axis; other buffers hold random
    numbers of a range."""
    count = 100000
    for name in ("numpy_files.space", "numpy_files.cu"):
        shutil.copy(os.path.join(ROOT, "tests/gpu", name), folder)
    write_npy(os.path.join(folder, "halves.npy"), "<f4", "(%d,)" % count, floats(i / 2 for i in range(count)))
    upper = floats(i % 128 for i in range(count))
    small = b"".join(upper[at + 2:at + 4] for at in range(0, 4 * count, 4))
    write_npy(os.path.join(folder, "small.npy"), "<u2", "(%d, 1000)" % (count // 1000), small)
    pairs = floats(number for i in range(count) for number in (i, -i))
    write_npy(os.path.join(folder, "pairs.npy"), "<f4", "(%d, 2)" % count, pairs)
    command = ["--space", "numpy_files.space"]
    tune(*command, folder=folder)
    rows = rows_of(folder)
    show_times(rows, "FAULT")
    check(len(rows) == 3, "%d rows" % len(rows))
    for row in rows:
        check(row["status"] == ("ok" if row["FAULT"] == "healthy" else "wrong_result"), "%s" % row)
        check(row["status"] == "ok" or row["message"].startswith("out: "), "%s" % row)
    write_npy(os.path.join(folder, "pairs.npy"), "<f4", "(%d, 2)" % count, pairs[8:] + pairs[:8])
    again = cutune(*command, folder=folder)  # every configuration is wrong with it, and measured again
    print(again.stderr)
    check(again.returncode == 4, "with another file: exit status %d: %s" % (again.returncode, again.stderr))
    write_npy(os.path.join(folder, "pairs.npy"), "<f8", "(%d, 1)" % count, pairs)
    done = cutune(*command, folder=folder)
    print(done.stderr)
    check(done.returncode == 1 and "pairs.npy: the elements are f8" in done.stderr, "expected an error, got: %s" % done.stderr)
