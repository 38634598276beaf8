#!/usr/bin/env python3
"""Rows that come with cutune compile for the GPUs that take them. Asks a header of each kernel of db/recorded.csv
for GPUs of compute capability 7.5 to 12.0, checks the answers against the GPU's limits, and compiles them to machine
code.

    shipped_rows.py PROGRAM C_COMPILER"""
import concurrent.futures
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
DEVICES = os.path.join(ROOT, "space", "devices")
# Products without a file, by the CUDA C++ Programming Guide and their data sheets: the file that they derive from, and
# the differences.
OTHERS = {
    "T4": ("V100-SXM2-16GB", {"cc": 75, "sm_count": 40, "l2_bytes": 4 << 20, "max_threads_sm": 1024, "max_blocks_sm": 16,
                              "shared_limit": 65536, "shared_sm": 65536}),
    "B200": ("H200", {"cc": 100, "sm_count": 148, "l2_bytes": 126 << 20}),
    "RTX 5090": ("H200", {"cc": 120, "sm_count": 170, "l2_bytes": 96 << 20, "max_threads_sm": 1536, "max_blocks_sm": 24,
                          "shared_limit": 101376, "shared_sm": 102400}),
}
OLDEST = 75  # oldest compute capability of the compilers


def read_devices(folder):
    """Path and limits of each, by name."""
    files = {name[:-4]: os.path.join(DEVICES, name) for name in sorted(os.listdir(DEVICES)) if name.endswith(".csv")}
    devices = {}
    for name, path in files.items():
        with open(path, encoding="utf-8") as file:
            limits = next(csv.DictReader(file))
        devices[name] = (path, limits)
    for name, (base, changes) in OTHERS.items():
        limits = {**devices[base][1], "name": name, **{key: str(value) for key, value in changes.items()}}
        path = os.path.join(folder, name.replace(" ", "-") + ".csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, limits)
            writer.writeheader()
            writer.writerow(limits)
        devices[name] = (path, limits)
    return {name: device for name, device in devices.items() if int(device[1]["cc"]) >= OLDEST}


def emit(program, kernel, *options):
    """Emits rows of another version of the space, too, because they are shipped."""
    return subprocess.run([program, "emit", "--db", os.path.join(ROOT, "db", "recorded.csv"), "--kernel", kernel, *options],
                          check=True, capture_output=True, text=True).stdout


def ask(program, compiler, kernels, devices, folder):
    """Asks the headers: returns device, kernel, and the row's number by tuned_select and by tuned_compiled."""
    source = ["#include <stdio.h>\n"]
    body = []
    for kernel, problem in kernels.items():
        header = emit(program, kernel)
        with open(os.path.join(folder, kernel + ".h"), "w", encoding="utf-8") as file:
            file.write(header)
        members = header[header.index("struct %s_tuned {" % kernel):]
        order = sorted(problem, key=lambda name: members.index(" problem_%s;" % name))
        source.append('#include "%s.h"\n' % kernel)
        for name, (_, limits) in devices.items():
            for asked in ('"%s"' % limits["name"], '"another"'):
                body.append(
                    '{{ size_t count; int rule; const struct {0}_tuned *rows = {0}_tuned_table(&count), *row = {0}_tuned_select('
                    '{1}, {2[cc]}, {2[sm_count]}, {2[l2_bytes]}, {3} &rule); printf("{4}|{0}|%d|%d\\n{4}|{0}|%d|-1\\n", '
                    "(int)(row - rows), rule, (int)({0}_tuned_compiled({2[cc]}) - rows)); }}".format(
                        kernel, asked, limits, "".join(problem[size] + ", " for size in order), name))
    path = os.path.join(folder, "ask")
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write("".join(source) + "int main(void)\n{\n    " + "\n    ".join(body) + "\n    return 0;\n}\n")
    subprocess.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I" + folder, path + ".c", "-o", path], check=True)
    return subprocess.run([path], check=True, capture_output=True, text=True).stdout.splitlines()


def compile_row(program, kernel, problem, path, configuration):
    """Returns "ok", "not valid", or the fault."""
    command = [program, "check", os.path.join(ROOT, "templates", kernel + ".space"), "--device-file", path, "--compile", "all",
               "--format", "csv"]
    command += [word for name, value in problem.items() for word in ("-D", "%s=%s" % (name, value))]
    command += [word for name, value in configuration.items() for word in ("--set", "%s=%s" % (name, value))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    for row in rows:
        if row["kind"] == "compiled" and "=" in row["name"] and not row["name"].startswith("reference"):
            return row["value"]
    return "not valid" if done.returncode == 4 else done.stderr or "not compiled"


def main():
    program, compiler = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(ROOT, "db", "recorded.csv"), encoding="utf-8") as file:
        kernels = {row["kernel"]: dict(pair.split("=") for pair in row["problem"].split()) for row in csv.DictReader(file)}
    jobs = {}
    with tempfile.TemporaryDirectory() as folder:
        devices = read_devices(folder)
        rows = {kernel: json.loads(emit(program, kernel, "--format", "json"))["rows"] for kernel in kernels}
        for line in ask(program, compiler, kernels, devices, folder):
            device, kernel, number, rule = line.split("|")
            row = rows[kernel][int(number)]
            configuration = {name: str(value) for name, value in row["configuration"].items()}
            key = kernel, devices[device][1]["cc"], tuple(configuration.items())
            # The default remains if nothing is valid: the kernel is not for this GPU.
            jobs[key] = (device, configuration, row["row"] == "default" and jobs.get(key, (0, 0, True))[2])
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = pool.map(lambda job: compile_row(program, job[0][0], kernels[job[0][0]], devices[job[1][0]][0], job[1][1]),
                               jobs.items())
            results = list(zip(jobs.items(), answers))
    wrong = [(key, answer) for (key, (_, _, left)), answer in results
             if answer != "ok" and not (left and answer in ("not valid", "compile_error", "pruned_limit"))]
    for (kernel, cc, configuration), answer in wrong:
        print("%s for %s, %s: %s" % (kernel, cc, " ".join("%s=%s" % pair for pair in configuration), answer))
    right = sum(answer == "ok" for _, answer in results)
    print("%d kernels on %d GPUs: %d rows compile, %d defaults are for none" % (
        len(kernels), len(devices), right, len(results) - right - len(wrong)))
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
