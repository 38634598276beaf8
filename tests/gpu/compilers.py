"""Cases about compilers other than NVRTC."""
import glob
import json
import os
import sys

from support import ROOT, SKIPPED, WORKED, check, cutune, rows_of, show_times


def host_code(folder):
    """nvcc compiles a file with a main. Static and nameless kernels, instances that the file does not launch, and a
    fill kernel work; a wrong variant is found; the journal names the compiler."""
    done = cutune("--space", os.path.join(ROOT, "tests/gpu/host_code.space"), "--strategy", "exhaustive", "--format", "json",
                  folder=folder)
    if done.returncode and "no nvcc" in done.stderr:
        print(done.stderr)
        sys.exit(SKIPPED)
    check(done.returncode == 0, "exit status %d:\n%s" % (done.returncode, done.stderr))
    rows = rows_of(folder)
    show_times(rows, "TILE", "VECTOR", "REGISTERS", "FAULT", "registers")
    check(len(rows) == 16, "%d rows" % len(rows))
    for row in rows:
        check(row["status"] in (("wrong_result",) if row["FAULT"] == "1" else WORKED), "%s" % row)
        check(row["status"] not in WORKED or int(row["registers"]) <= int(row["REGISTERS"]), "the option has no effect: %s" % row)
    check("FAULT=0" in json.loads(done.stdout)[0]["configuration"], "the winner is wrong")
    with open(glob.glob(os.path.join(folder, "cutune.d", "*.csv"))[0]) as file:
        check("nvcc cuda_" in file.read(), "the journal does not name the compiler")
