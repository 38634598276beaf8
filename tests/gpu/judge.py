#!/usr/bin/env python3
"""Judges the cheats and the honest kernels of tests/judge/ on a real GPU: judge.py --program FILE [--process own|shared] [--variants N].

No cheat may be right and faster than the default; no honest kernel may be accused. With --variants, N recorded configurations of each
template are honest candidates, too. With --costs, it judges honest kernels of three templates in both modes instead, and prints what
the checks of each took. Exit status 77: skipped, no device."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SIZES = {name: [word for size in sizes.split() for word in ("-D", size)] for name, sizes in {
    "batched_gemm": "BATCH=512", "constant_table": "N=4194304", "copy": "N=4194304", "corner_turn": "M=1024 N=1024",
    "histogram": "N=16777216", "jacobi": "WIDTH=2048 HEIGHT=1024", "local_array": "COLUMNS=65536", "matmul": "M=512 N=512 K=512",
    "matmul_aat": "M=1024", "matmul_tensor": "M=1024 N=1024 K=1024", "read_offset": "N=4194304", "reduction": "N=4194304",
    "scan": "N=4194304", "softmax": "ROWS=1024 COLS=4096", "spmv": "N=65536", "stencil2d": "WIDTH=2048 HEIGHT=1024",
    "texture_gather": "WIDTH=2048 HEIGHT=1024", "transpose": "ROWS=2048 COLS=1024"}.items()}
SPECIAL = ("copy", "reduction", "transpose")  # spaces whose reference keeps infinities and NaN
NUMBERS_ALONE = ("reduction_fixed_point", "reduction_kahan")  # honest, but not for these
SKIPPED, NO_DEVICE, JUDGED = 77, 3, (0, 5)
GAIN = 1.1  # a right candidate that is no faster than this gains nothing by cheating
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


def by_space(kind):
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/judge", kind, "*.cu"))):
        with open(path, encoding="utf-8") as file:
            space = re.match(r"// space: (\w+)\.", file.readline())[1]
        found.setdefault(space, []).append(path)
    return found


def judge(options, space, paths, *more):
    """Returns the records of the candidates by name."""
    command = [options.program, "judge", "--space", os.path.join(ROOT, "templates", space + ".space"), "--process", options.process,
               "--timeout", "10", "--format", "json", "-q", *more, *paths]
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    took = time.monotonic() - began
    if done.returncode == NO_DEVICE:
        sys.exit(SKIPPED)
    check(done.returncode in JUDGED, "%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr))
    if done.returncode not in JUDGED:
        return {}
    records = {record["candidate"]: record for record in json.loads(done.stdout)}
    print("%s: %d candidates in %.1f s, %.2f a second (%s)" % (space, len(paths), took, len(paths) / took, options.process))
    for record in records.values():
        for result in record["results"]:
            print("  %-26s %-10s %-34s %10s ns %s" % (record["candidate"], result["result"], result["problem"],
                                                      result["time_ns"], result["why"][:150]))
    return records


def judge_cheats(options):
    for space, paths in by_space("cheats").items():
        for name, record in judge(options, space, paths, *SIZES[space], "--sizes", "1").items():
            gains = record["verdict"] == "right" and max(result["default_speedup"] or 0 for result in record["results"]) > GAIN
            check(record["own"] or not gains, "the cheat %s passes" % name)
            check(not record["own"] or record["verdict"] == "right", "the space's own kernel %s is %s" % (name, record["verdict"]))


def judge_honest(options):
    for space, paths in by_space("honest").items():
        for name, record in judge(options, space, paths, *SIZES[space], "--sizes", "1").items():
            check(record["verdict"] == "right", "the honest %s is %s: %s" % (name, record["verdict"], [
                result["why"] for result in record["results"]]))


def judge_special(options):
    """Special values show the cheats that lose them, and accuse no honest kernel that promises them."""
    for kind, right in (("cheats", "wrong"), ("honest", "right")):
        for space, paths in by_space(kind).items():
            names = {path: os.path.basename(path)[:-len(".cu")] for path in paths}
            paths = [path for path, name in names.items() if space in SPECIAL and (
                name not in NUMBERS_ALONE if right == "right" else name.startswith("special_"))]
            for name, record in (judge(options, space, paths, *SIZES[space], "--special") if paths else {}).items():
                check(record["verdict"] == ("right" if record["own"] else right), "%s with special values is %s: %s" % (
                    name, record["verdict"], [result["why"] for result in record["results"]]))


def judge_variants(options):
    """The templates' own sources with recorded winners' configurations."""
    shown = subprocess.run([options.program, "show", "--db", os.path.join(ROOT, "db/recorded.csv"), "--format", "json"], stdout=subprocess.PIPE, text=True, check=True)
    chosen = {}
    for row in json.loads(shown.stdout):
        configurations = chosen.setdefault(row["kernel"], [])
        if row["configuration"] not in configurations and len(configurations) < options.variants:
            configurations.append(row["configuration"])
    for kernel, configurations in chosen.items():
        source = os.path.join(ROOT, "templates", kernel + ".cu")
        for configuration in configurations if os.path.exists(source) else []:
            for name, record in judge(options, kernel, [source], *SIZES.get(kernel, []), "--config", configuration).items():
                check(record["verdict"] == "right", "%s %s is %s: %s" % (kernel, name, record["verdict"], record["results"][0]["why"]))


def print_costs(options):
    """Prints means over the candidates of a template: what the checks took, and all the rest of a measurement."""
    parts = ("reload_ns", "inputs_ns", "reference_ns", "compare_ns", "row_ns")
    lines = ["%-10s %-7s %3s %9s %9s %s %9s" % ("space", "process", "of", "compile", "measure", " ".join(
        "%9s" % part[:-len("_ns")] for part in parts), "rest")]
    for space in ("copy", "reduction", "matmul"):
        for options.process in ("own", "shared"):
            records = judge(options, space, by_space("honest")[space], *SIZES[space], "--no-cache", "--journal", options.process)
            results = [record["results"][0] for record in records.values() if not record["own"] and record["results"][0]["launches"]]
            check(results and all(result[part] is not None and result[part] > 0 for result in results for part in parts),
                  "%s: a part of the costs is unknown" % space)
            mean = {name: sum(result[name] or 0 for result in results) / max(len(results), 1) * 1e-6
                    for name in ("compile_ns", "measure_ns", *parts)}
            lines.append("%-10s %-7s %3d %6.1f ms %6.1f ms %s %6.1f ms" % (
                space, options.process, len(results), mean["compile_ns"], mean["measure_ns"],
                " ".join("%6.1f ms" % mean[part] for part in parts), mean["measure_ns"] - sum(mean[part] for part in parts)))
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--process", default="own", choices=("own", "shared"))
    parser.add_argument("--variants", type=int, default=0)
    parser.add_argument("--costs", action="store_true")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if options.costs:
            print_costs(options)
        else:
            judge_cheats(options)
            judge_honest(options)
            judge_special(options)
        if options.variants:
            judge_variants(options)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
