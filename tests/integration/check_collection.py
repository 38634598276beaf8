#!/usr/bin/env python3
"""tools/bench/collection makes its table from the program's answers, and reports failures. A stand-in plays the program.

    check_collection.py REPOSITORY"""
import csv
import json
import os
import subprocess
import sys
import tempfile

STAND_IN = """#!/usr/bin/env python3
import json, os, sys
name = os.path.basename(sys.argv[sys.argv.index("--space") + 1])[:-len(".space")]
answer = json.load(open(os.path.join(os.path.dirname(sys.argv[0]), "answers.json")))[name]
if sys.argv[1] == "explain":
    answer = answer.get("explain", {"code": 0, "rows": []})
if answer["rows"]:
    print(json.dumps(answer["rows"]))
sys.exit(answer["code"])\n"""
ROW = {"kernel": "copy", "problem": "N=4", "configuration": "VEC=4", "time_ns": 2500, "default_time_ns": 5e6, "speedup": 2000.0,
       "bytes": 1e7, "flops": None, "ceiling_percent": 93.75, "valid": 10, "evaluated": 10, "count_wrong_result": 0,
       "interrupted": False}


CHANGES = (("VEC 2 -> 4", 1.25, "explained", ["narrow accesses", "the tail"]), ("VEC 1 -> 4", 2.0, "explained", ["narrow accesses"]),
           ("PAD 0 -> 1", 1.001, "same", []), ("BLOCK 64 -> 128", 3.0, "not_known", []), ("UNROLL 1 -> 2", 1.5, "less_work", []),
           ("LOAD ca -> cg", 0.4, "not_known", []))
EXPLAINED = {"kernel": "copy", "problem": "N=4", "changes": [
    {"parameters": what, "speedup": speedup, "answer": answer, "causes": [{"title": cause} for cause in causes]}
    for what, speedup, answer, causes in CHANGES], "configurations": [
        {"role": "winner", "sentence": "DRAM binds: at the copy ceiling"}, {"role": "default", "sentence": "latency binds: 5%"},
        {"role": "neighbour", "sentence": "another"}]}


def check(condition, what):
    if not condition:
        sys.exit("wrong: %s" % what)


def collect(root, folder, answers, *options):
    """Returns the output for these answers of the program: the exit code, the table, standard error."""
    program = os.path.join(folder, "program")
    with open(program, "w", encoding="utf-8") as file:
        file.write(STAND_IN)
    os.chmod(program, 0o755)
    with open(os.path.join(folder, "answers.json"), "w", encoding="utf-8") as file:
        json.dump(answers, file)
    done = subprocess.run([os.path.join(root, "tools/bench/collection"), "--program", program, "--out", folder, "--only",
                           ",".join(answers), *options], capture_output=True, text=True)
    return done.returncode, table(folder, "collection"), done.stderr


def table(folder, name):
    """The rows of one of its tables, which is removed."""
    path = os.path.join(folder, name + ".csv")
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    os.remove(path)
    return rows


def good(**changes):
    return {"code": 0, "rows": [dict(ROW, **changes)]}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        code, rows, _ = collect(root, folder, {"copy": good(), "matmul": good(flops=5e7, library="cuBLAS 13.0", library_value=2000, library_ratio=0.8)})
        check(code == 0, "exit code %d when all is well" % code)
        check([row["template"] for row in rows] == ["copy", "matmul"], rows)
        check(rows[0]["tuned"] == "2.5 us" and rows[0]["default"] == "5 ms" and rows[0]["speed-up"] == "2000.00", rows[0])
        check(rows[0]["rate"] == "4000 GB/s" and rows[0]["of the limit"] == "93.8%", rows[0])
        check(rows[1]["rate"] == "20000 GFLOP/s", rows[1])
        (row,) = table(folder, "libraries")
        check(list(row.values()) == ["matmul", "cuBLAS 13.0", "2 us", "2.5 us", "", "", "0.80"], row)
        _, _, said = collect(root, folder, {"copy": good(), "scan": good(library="", library_ratio=None)})
        check("scan: no comparison with its library" in said and "copy: no comparison" not in said, said)
        work = good(time_ns=None, default_time_ns=None, time_per_work_ns=0.0025, default_time_per_work_ns=1.5, bytes=10.0,
                    library="CUB 3.0", library_value=0.003, library_ratio=1.2)
        _, rows, _ = collect(root, folder, {"jacobi": work})
        check(rows[0]["tuned, a unit"] == "2.5 ps" and rows[0]["default, a unit"] == "1.5 ns", rows[0])
        check(rows[0]["tuned"] == rows[0]["default"] == "" and rows[0]["rate"] == "4000 GB/s", rows[0])
        (row,) = table(folder, "libraries")
        check(list(row.values()) == ["jacobi", "CUB 3.0", "", "", "3 ps", "2.5 ps", "1.20"], row)
        explained = dict(good(), explain={"code": 0, "rows": [EXPLAINED]})
        code, _, _ = collect(root, folder, {"copy": explained})
        (row,) = table(folder, "explained")
        check(code == 0 and row["binds the winner"] == "DRAM: at the copy ceiling" and row["binds the default"] == "latency: 5%", row)
        check(row["reason per parameter"] == "BLOCK 64 -> 128 3.00: unknown; LOAD ca -> cg 0.40: unknown; VEC 1 -> 4 2.00: narrow accesses; "
              "UNROLL 1 -> 2 1.50: less work; no measurable effect: PAD", row)
        code, _, said = collect(root, folder, {"copy": dict(good(), explain={"code": 4, "rows": []})})
        check(code == 1 and "explain: exit code 4" in said, said)
        for what, answer in (("2 wrong_result", good(count_wrong_result=2)), ("incomplete: 9 of 10", good(evaluated=9)),
                             ("incomplete", good(interrupted=True)), ("exit code 1", {"code": 1, "rows": []})):
            code, rows, said = collect(root, folder, {"copy": answer, "stride": good()})
            check(code == 1 and "fault: copy: " in said and what in said, "%s: %d, %s" % (what, code, said))
            check(rows[-1]["template"] == "stride", "%s: the others are left out" % what)
        code, rows, _ = collect(root, folder, {"copy": {"code": 3, "rows": []}})
        check(code == 3 and not rows, "exit code %d without a device" % code)
        code, _, said = collect(root, folder, {"nothing": good()})
        check(code == 2 and "nothing" in said, "exit code %d for an unknown template" % code)


if __name__ == "__main__":
    main()
