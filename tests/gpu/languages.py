"""Cases about compiler commands: kernels of other languages. Languages that python3 does not have are left out."""
import glob
import json
import os
import subprocess
import sys

from support import ROOT, SKIPPED, WORKED, check, cutune, rows_of

# An installed Numba may not fit its NumPy.
IMPORTS = {"triton": "import triton", "cutile": "import cuda.tile", "cute": "import cutlass.cute", "jinja": "import jinja2", "clang": None,
           "numba": "from numba import cuda; cuda.compile(lambda x: None, 'void(float32[:])', device=False, abi='numba', cc=(9, 0), "
                    "output='ptx')"}
FAULTS = {"none": WORKED, "wrong": ("wrong_result",), "crash": ("compile_error",), "hang": ("timeout",)}
EXAMPLES = os.path.join(ROOT, "docs", "examples", "compilers")
SPACES = os.path.join(ROOT, "tests", "gpu", "compilers")


def have(language):
    command = ["clang++", "--version"] if language == "clang" else ["python3", "-c", IMPORTS[language]]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def spaces(folder, *patterns):
    """Paths of spaces of the installed languages; skips the case without any."""
    own = os.path.join(ROOT, "tools", "python")
    if own not in os.environ.get("PYTHONPATH", ""):
        os.environ["PYTHONPATH"] = os.pathsep.join([own, os.environ.get("PYTHONPATH", "")])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    installed = [language for language in IMPORTS if have(language)]
    print("installed: " + ", ".join(installed))
    found = sorted(path for pattern in patterns for path in glob.glob(os.path.join(folder, pattern))
                   if os.path.basename(path).partition("_")[0] in installed)
    if not found:
        print("skipped: no language")
        sys.exit(SKIPPED)
    return found


def run(space, folder, *arguments):
    """Rows of a run of its own."""
    own = os.path.join(folder, os.path.basename(space))
    os.mkdir(own)
    done = cutune("--space", space, "--explain", "no", *arguments, folder=own)
    check(done.returncode == 0, "%s: exit status %d:\n%s" % (space, done.returncode, done.stderr))
    rows = rows_of(own)
    again = cutune("--space", space, "--explain", "no", "--format", "json", *arguments, folder=own)
    check(again.returncode == 0 and json.loads(again.stdout)[0]["measured_now"] == 0, "a second run measures: %s" % again.stderr)
    return rows


def each(paths, test):
    """Tests all spaces, also behind one that fails."""
    failed = []
    for space in paths:
        try:
            test(space)
        except SystemExit as failure:
            print(failure)
            failed.append(os.path.basename(space))
    check(not failed, ", ".join(failed))


def check_all_work(paths, folder, *arguments):
    def test(space):
        rows = run(space, folder, *arguments)
        counts = {status: sum(row["status"] == status for row in rows) for status in {row["status"] for row in rows}}
        print("%-40s %s" % (os.path.basename(space), counts))
        bad = [row for row in rows if row["status"] not in (*WORKED, "pruned_limit", "duplicate")]
        check(not bad, "%s" % bad[:1])
        check(any(row["status"] in WORKED for row in rows), "nothing works: %s" % rows[:1])

    each(paths, test)


def languages(folder):
    """The examples of all installed languages give the results of plain CUDA kernels."""
    check_all_work(spaces(EXAMPLES, "*.space"), folder, "--max-evals", "8", "--timeout", "60")


def language_kinds(folder):
    """An accumulator, clusters, scratch memory, specialized warps, a file that prints, tensor maps, and arrays of three dimensions."""
    paths = [path for path in spaces(SPACES, "*.space") if "faults" not in path]
    check_all_work(paths, folder, "--strategy", "exhaustive", "--timeout", "60")


def language_faults(folder):
    """A wrong variant, one that crashes its compiler and one that hangs it cost themselves alone."""
    def test(space):
        rows = run(space, folder, "--strategy", "exhaustive", "--timeout", "15")
        names = list(FAULTS)
        for row in rows:
            fault = names[int(row["FAULT"])] if row["FAULT"].isdigit() else row["FAULT"]
            print("%-24s %-6s %-14s %s" % (os.path.basename(space), fault, row["status"], row["message"][:80]))
            check(row["status"] in (*FAULTS[fault], *(("duplicate",) if fault == "none" else ())),
                  "%s is %s" % (fault, row["status"]))
        check(len(rows) == 8, "%d rows" % len(rows))

    each(spaces(SPACES, "*_faults.space"), test)
