"""Cases of run.py: the sources of expected results."""
import glob
import os
import shutil
import struct

from support import ROOT, WORKED, check, cutune, rows_of, show_times, tune

GPU = os.path.join(ROOT, "tests/gpu")
COMMAND = 'reference command "python3 reference_sources.py"'
JUDGED = {"late": "out", "swapped": "out", "even": "parity", "kept": "state"}  # the wrong output


def run_in(folder, name, statements):
    """Tunes reference_sources.space with other statements about its reference, in a folder of its own; returns the
    journal's rows."""
    folder = os.path.join(folder, name)
    os.makedirs(os.path.join(folder, "tmp"))
    for file in ("reference_sources.cu", "reference_sources.py"):
        shutil.copy(os.path.join(GPU, file), folder)
    with open(os.path.join(GPU, "reference_sources.space")) as file:
        text = file.read()
    check(COMMAND in text, "the space has another command")
    count = 50000
    with open(os.path.join(folder, "parity.bin"), "wb") as file:
        file.write(bytes(i % 2 for i in range(count)))
    with open(os.path.join(folder, "state.npy"), "wb") as file:
        head = b"{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % count
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + struct.pack("<%di" % count, *range(0, 3 * count, 3)))
    with open(os.path.join(folder, "own.space"), "w") as file:
        file.write(text.replace(COMMAND, statements))
    os.environ["TMPDIR"] = os.path.join(folder, "tmp")
    record = tune("--space", "own.space", folder=folder)
    del os.environ["TMPDIR"]
    check(not os.listdir(os.path.join(folder, "tmp")), "%s leaves %s" % (name, os.listdir(os.path.join(folder, "tmp"))))
    rows = rows_of(folder)
    print(name)
    show_times(rows, "BLOCK", "FAULT")
    check(len(rows) == 10, "%d rows" % len(rows))
    return rows, record, folder


def check_faults(rows, right="healthy"):
    for row in rows:
        check(row["status"] in (WORKED if row["FAULT"] == right else ("wrong_result",)), "%s" % row)


def header_of(folder):
    with open(glob.glob(os.path.join(folder, "cutune.d", "*.csv"))[0]) as file:
        return "".join(line for line in file if line.startswith("#"))


def reference_sources(folder):
    """A program, files, and both beside a run reference: each finds the variant that is wrong in its output."""
    for name, statements in (("command", COMMAND),
                             ("both", COMMAND + '\nreference parity file("parity.bin")'),
                             ("files", 'reference default\nreference parity file("parity.bin")\nreference state file("state.npy")')):
        rows, record, own = run_in(folder, name, statements)
        check_faults(rows)
        for row in rows:
            fault = JUDGED.get(row["FAULT"])
            check(not fault or fault + ": " in row["message"], "%s" % row)
        check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])
        check(("reference=unverified" in header_of(own)) == (name == "files"), header_of(own))
    shutil.copy(os.path.join(GPU, "reference_sources.py"), os.path.join(own, "ref.py"))
    with open(os.path.join(own, "own.space")) as file:
        text = file.read()
    for command, message in (("python3 ref.py; exit 5;", "ended with exit status 5"), ("true", "did not write the output state.npy"),
                             ("python3 none.py", "none.py")):
        with open(os.path.join(own, "bad.space"), "w") as file:
            file.write("\n".join(line for line in text.split("\n") if not line.startswith("reference")) +
                       'reference command "%s"\n' % command)
        done = cutune("--space", "bad.space", folder=own)
        print(done.stderr)
        check(done.returncode == 1 and message in done.stderr, "%s: exit status %d" % (command, done.returncode))


def reference_default(folder):
    """The default configuration's own outputs serve as reference: of one launch, of a sequence that swaps its buffers,
    and of a pipeline."""
    rows, record, own = run_in(folder, "healthy", "reference default")
    check_faults(rows)
    check("reference=unverified" in header_of(own) and record["options"].endswith("reference=unverified"), header_of(own))
    rows, _, _ = run_in(folder, "late", "reference default\ndefault FAULT=late BLOCK=64")  # the default has the fault
    check_faults(rows, "late")
    for name, arguments in (("steps", ()), ("pipeline", ("--strategy", "random", "--max-evals", "60"))):
        with open(os.path.join(GPU, name + ".space")) as file:
            lines = file.read().split("\n")
        own = os.path.join(folder, name)
        os.makedirs(own)
        shutil.copy(os.path.join(GPU, name + ".cu"), own)
        with open(os.path.join(own, "own.space"), "w") as file:
            file.write("\n".join("reference default" if line.startswith("reference ") else line for line in lines))
        tune("--space", "own.space", *arguments, folder=own)
        rows = rows_of(own)
        show_times(rows, "FAULT")
        for row in rows:
            healthy = row["FAULT"] in ("none", "healthy")
            check(row["status"] in (WORKED + ("pruned_limit",) if healthy else ("wrong_result",)), "%s" % row)
        check(any(row["status"] in WORKED for row in rows), "none worked")
