#!/usr/bin/env python3
"""Tests of the whole program on a real GPU: run.py --program FILE CASE. Exit status 77: skipped, no device."""
import argparse
import csv
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import buffers
import compilers
import imports
import judging
import kernel_styles
import languages
import loops
import passing
import references
import support
import texts
import timing
import verdicts
from support import (ROOT, SKIPPED, WORKED, all_rows_of, check, cutune, parameters_of, rows_of, show_times, small_transpose, tune,
                     tune_space)

EXPECTED = {"healthy": "ok", "broken_source": "compile_error", "wrong_values": "wrong_result",
            "not_a_number": "wrong_result", "unwritten": "wrong_result", "writes_beside": "wrong_result",
            "writes_input": "wrong_result", "illegal_address": "crashed", "spins": "timeout",
            "static_shared": "pruned_limit", "total_shared": "pruned_limit", "registers": "pruned_limit"}


def faults(folder):
    """Every fault has its own status, and the run finds the right winner; a repeated run measures nothing."""
    command = ["--space", os.path.join(ROOT, "tests/gpu/faults.space"), "--timeout", "2"]
    result = tune(*command, folder=folder)
    rows = {row["FAULT"]: row for row in rows_of(folder)}
    for fault, status in EXPECTED.items():
        print("%-16s %-14s %s" % (fault, rows[fault]["status"], rows[fault]["message"]))
        check(rows[fault]["status"] == status, "%s is %s, not %s" % (fault, rows[fault]["status"], status))
    check(result["configuration"] in ("FAULT=quick", "FAULT=twin"), "the winner is " + result["configuration"])
    twins = sorted((rows[fault]["status"], fault, rows[fault]) for fault in ("quick", "twin"))
    check([status for status, *_ in twins] == ["duplicate", "ok"], "the twins are %s and %s" % (twins[0][:2], twins[1][:2]))
    check(twins[0][2]["time_ns"] == twins[1][2]["time_ns"], "the twin has a time of its own")
    check("FAULT=" + twins[1][1] in twins[0][2]["message"], "the twin's measured configuration is not named")
    check("NaN" in rows["not_a_number"]["message"], "NaN is not named")
    check("outside a buffer" in rows["writes_beside"]["message"], "the write beside the buffer is not named")
    check("not an output" in rows["writes_input"]["message"], "the written input is not named")
    logs = [name for name in os.listdir(os.path.join(folder, "cutune.d")) if name.endswith(".log")]
    with open(os.path.join(folder, "cutune.d", logs[0])) as file:
        check("FAULT=broken_source" in file.read(), "the compile log is not kept")
    again = tune(*command, folder=folder)
    check(again["measured_now"] == 0, "%d measured again" % again["measured_now"])
    check(again["configuration"] == result["configuration"], "another winner on resuming")


def pipeline(folder):
    """Every kind of host memory, order, split, packing and allocation gives right results."""
    record, rows, limits = tune_space("pipeline", folder=folder)
    show_times(rows, "HOST", "ORDER", "CHUNKS", "STREAMS", "PIECES", "PACKED", "ALLOCATION")
    lacks = {"mapped": not limits["host_mapped"], "registered": not limits["host_registered"],
             "managed": not (limits["managed_memory"] and limits["managed_concurrent"])}
    for row in rows:
        missing = lacks.get(row["HOST"], False) or row["ALLOCATION"] == "pool" and not limits["memory_pools"]
        check(row["status"] == "pruned_limit" if missing else row["status"] in WORKED, "%s" % row)
    check(len({row["HOST"] for row in rows if row["status"] in WORKED}) > 3, "most kinds were not timed")


def pipeline_stages(folder):
    """Explaining times the stages of pipelines. A stage that a run lacks takes no time, and the run takes roughly at
    least as long as its longest stage and at most as long as all together."""
    space = os.path.join(ROOT, "tests/gpu/pipeline.space")
    tune("--space", space, "--set", "ORDER=depth", folder=folder)
    done = cutune("explain", "--space", space, "--neighbours", "20", "--format", "json", folder=folder)
    check(done.returncode == 0, "exit status %d: %s" % (done.returncode, done.stderr))
    explained = json.loads(done.stdout)[0]
    timed = [configuration for configuration in explained["configurations"] if "run_ns" in configuration["launches"][0]]
    # A neighbour that becomes the winner has few measured neighbours itself.
    check(2 < len(timed) == len(explained["configurations"]),
          "only %d of %d have stages" % (len(timed), len(explained["configurations"])))
    for configuration in timed:
        launch = configuration["launches"][0]
        stages = {name: launch[name + "_ns"] for name in ("allocate", "in", "kernel", "out")}
        print(configuration["configuration"], stages, launch["run_ns"], configuration["sentence"])
        check((stages["allocate"] > 0) == (launch["allocations"] > 0), "time to allocate")
        check((stages["in"] > 0) == (stages["out"] > 0) == (launch["transfers"] > 0), "time of copies")
        check(max(stages.values()) < 1.5 * launch["run_ns"], "a stage takes longer than the run")
        check(launch["run_ns"] < 1.5 * sum(stages.values()) + 1e5, "the run takes longer than its stages")
        check("unknown" not in configuration["sentence"], configuration["sentence"])


PIPELINE_FAULTS = {"healthy": WORKED, "forgets_offset": ("wrong_result",), "past_chunk": ("wrong_result",),
                   "writes_beside": ("wrong_result",), "writes_input": ("wrong_result",), "illegal_address": ("crashed",)}


def pipeline_faults(folder):
    """A kernel's fault is found through every kind of host memory, and harms no later configuration."""
    for seed in ("1", "2"):
        _, rows, _ = tune_space("pipeline_faults", "--strategy", "random", "--seed", seed, folder=folder)
        show_times(rows, "FAULT", "HOST", "ALLOCATION")
        for row in rows:
            check(row["status"] in PIPELINE_FAULTS[row["FAULT"]] + ("pruned_limit",), "%s" % row)
            if row["FAULT"] in ("past_chunk", "writes_beside") and row["status"] == "wrong_result":
                check("outside a buffer" in row["message"], "the write beside the buffer is not named: %s" % row)
            if row["FAULT"] == "writes_input" and row["status"] == "wrong_result":
                check("not an output" in row["message"], "the written input is not named: %s" % row)
        shutil.rmtree(os.path.join(folder, "cutune.d"))


def host_work(folder):
    """The time includes the host's work, at any place; work of no length costs the same anywhere."""
    _, rows, _ = tune_space("host_work", folder=folder)
    show_times(rows, "PLACEMENT", "WORK")
    for row in rows:
        check(row["status"] in WORKED, "%s" % row)
        check(float(row["time_ns"]) >= float(row["WORK"]), "faster than the host's work: %s" % row)
    check("duplicate" in [row["status"] for row in rows if row["WORK"] == "0"], "no work differs by its placement")


def l2_window(folder):
    """Windows within the limits work, and the others are pruned with the reason. All are measured warm."""
    record, rows, limits = tune_space("window", folder=folder)
    show_times(rows, "BYTES", "SET_ASIDE", "HIT_RATIO", "HIT")
    table = 4 << 22
    for row in rows:
        size, aside = int(row["BYTES"]), int(row["SET_ASIDE"])
        over = size > min(limits["l2_window_bytes"], table) or aside > limits["l2_persisting_bytes"]
        if size and over:
            check(row["status"] == "pruned_limit" and row["message"], "not pruned: %s" % row)
        else:
            check(row["status"] in WORKED, "%s" % row)
    none = [row["status"] for row in rows if row["BYTES"] == "0"]
    check(none.count("duplicate") == len(none) - 1, "without a window something else makes a difference: %s" % none)
    check("cache=warm" in record["options"], "not warm: %s" % record["options"])


def views(folder):
    """Constants and textures have the buffer's contents; a wrong fetch is a wrong result."""
    _, rows, _ = tune_space("views", folder=folder)
    show_times(rows, "MODE_IS")
    for row in rows:
        expected = ("wrong_result",) if row["MODE_IS"] == "6" else WORKED
        check(row["status"] in expected, "%s" % row)
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    _, rows, _ = tune_space("small_constant", folder=folder)
    statuses = {row["USES"]: row for row in rows}
    check(statuses["0"]["status"] in WORKED, "a variant without the constant: %s" % statuses["0"])
    check(statuses["1"]["status"] == "launch_error" and "252 bytes" in statuses["1"]["message"], "%s" % statuses["1"])


def textures(folder):
    """Every address mode, unit, filter and memory reads what loads read there; the next element is a wrong result, and modes that
    need normalized coordinates are pruned without them."""
    _, rows, _ = tune_space("textures", folder=folder)
    show_times(rows, "FROM", "EDGE", "UNITS", "FILTER", "KEPT", "WRONG")
    for row in rows:
        if row["EDGE"] in ("wrap", "mirror") and row["UNITS"] == "elements":
            check(row["status"] == "pruned_limit" and "normalized coordinates" in row["message"], "%s" % row)
        else:
            check(row["status"] in (WORKED if row["WRONG"] == "0" else ("wrong_result",)), "%s" % row)


def tensor_map(folder):
    """Every swizzle puts each element at its place, a kernel that reads elsewhere is wrong, and a map that breaks a
    rule of the driver is pruned with that rule."""
    if json.loads(cutune("devices", "--format", "json", folder=folder).stdout)[0]["cc"] < 90:
        sys.exit(SKIPPED)
    _, rows, limits = tune_space("tensor_map", folder=folder)
    show_times(rows, "BOX_X", "SWIZZLE", "ATOM", "FLIP", "VIEW", "WRONG", "PROMOTE")
    for row in rows:
        box, swizzle, atom = 4 * int(row["BOX_X"]), int(row["SWIZZLE"]), int(row["ATOM"])
        broken = ("which must be a multiple of 16" if box % 16 else
                  "more than the swizzle's %d" % swizzle if swizzle and box > swizzle else
                  "must be 128 with atom %d" % atom if swizzle and swizzle != 128 and atom != 16 else
                  "needs compute capability 10.0" if swizzle and atom != 16 and limits["cc"] < 100 else "")
        if broken:
            check(row["status"] == "pruned_limit" and broken in row["message"], "%s: %s" % (broken, row))
        elif row["WRONG"] == "1":
            check(row["status"] == "wrong_result", "not caught: %s" % row)
        else:
            check(row["status"] in WORKED, "%s" % row)


def cluster(folder):
    """Clusters have the requested size; those that the grid or the device does not allow are pruned."""
    _, rows, limits = tune_space("cluster", folder=folder)
    show_times(rows, "CLUSTER", "CARVEOUT")
    for row in rows:
        size = int(row["CLUSTER"])
        fits = size == 1 or limits["cluster_launch"] and size <= 8 and size != 3
        check(row["status"] in WORKED if fits else row["status"] == "pruned_limit" and row["message"], "%s" % row)


FAULTS_OF_LAUNCHES = {"none": WORKED, "skips": ("wrong_result",), "beside": ("wrong_result",), "order": ("wrong_result",)}


def launches(folder):
    """Five launches have scratch between them. A missing launch, a write beside the own scratch, and a wrong order are
    found."""
    record, rows, _ = tune_space("launches", folder=folder)
    show_times(rows, "PARTS", "BLOCK", "GRAPH", "FAULT", "kernel")
    for row in rows:
        check(row["status"] in FAULTS_OF_LAUNCHES[row["FAULT"]], "%s" % row)
        check(row["FAULT"] != "beside" or "beside sums" in row["message"], "%s" % row)
        check(row["kernel"] == ("reciprocal" if row["FAULT"] == "skips" else "sum_sums"), "the lowest occupancy: %s" % row)
    check("FAULT=none" in record["configuration"], "the winner is " + record["configuration"])


def steps(folder):
    """`repeat` and `swap` give the reference's results, as launches and as a graph. Too few repetitions or no `swap` is
    wrong."""
    for count in ("10", "11"):
        _, rows, _ = tune_space("steps", "-D", "STEPS=" + count, folder=folder)
        show_times(rows, "TILE", "GRAPH", "FAULT")
        for row in rows:
            check(row["status"] in (WORKED if row["FAULT"] == "none" else ("wrong_result",)), "%s" % row)
        shutil.rmtree(os.path.join(folder, "cutune.d"))
    _, rows, _ = tune_space("steps", "-D", "STEPS=1000", "--set", "TILE=256", "--set", "FAULT=none", folder=folder)
    show_times(rows, "TILE", "GRAPH", "FAULT")
    for row in rows:
        check(row["status"] in WORKED, "%s" % row)
        check(("1000 launches" in row["message"]) == (row["GRAPH"] == "0"), "the note: %s" % row)


GRIDS = {"resident": WORKED, "few": WORKED, "many": ("pruned_limit",), "wrong": ("wrong_result",), "resident_apart": WORKED}


def grids(folder):
    """The blocks of resident and cooperative grids run at once; a grid that cannot is pruned."""
    _, rows, _ = tune_space("grids", folder=folder)
    show_times(rows, "BLOCK", "GRID")
    for row in rows:
        check(row["status"] in GRIDS[row["GRID"]], "%s" % row)
        check(row["GRID"] != "many" or "cooperative grid" in row["message"], "%s" % row)


def options(folder):
    """Register limits, launch bounds and load caches reach the compiler, and the record has the operations."""
    record, rows, _ = tune_space("options", folder=folder)
    show_times(rows, "MAXREG", "BLOCKS_SM", "CACHE", "registers", "local_bytes")
    check(all(row["status"] in WORKED for row in rows), "not all worked")
    check(all(int(row["registers"]) <= int(row["MAXREG"]) for row in rows if row["BLOCKS_SM"] == "0"),
          "more registers than the limit")
    check(all(int(row["registers"]) <= 64 for row in rows if row["BLOCKS_SM"] == "4"), "more registers than the bounds allow")
    check(any(int(row["local_bytes"]) > 0 for row in rows if row["MAXREG"] == "32" and row["BLOCKS_SM"] == "0"),
          "nothing is spilled")
    same = [row for row in rows if row["MAXREG"] == "64" and row["BLOCKS_SM"] == "0"]
    check(sum(row["status"] != "duplicate" for row in same) > 1, "the load cache makes no difference")
    check(record["flops"] == 64 * 65536, "flops: %s" % record["flops"])


def random_order(folder):
    """A healthy configuration is measured right after any other."""
    for seed in ("1", "2", "3"):
        result = tune("--space", os.path.join(ROOT, "tests/gpu/faults.space"), "--timeout", "2", "--strategy", "random", "--seed",
                      seed, "--journal", "journal" + seed, folder=folder)
        check(result["configuration"] in ("FAULT=quick", "FAULT=twin"), "the winner is " + result["configuration"])


def processes_of(group):
    """Returns the processes of a process group."""
    alive = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as file:
                fields = file.read().rsplit(")", 1)[1].split()
            if int(fields[2]) == group and fields[0] != "Z":
                alive.append(int(pid))
        except OSError:
            pass
    return alive


def left_of(group):
    """Returns the processes that remain after ten seconds, because the device process ends after its coordinator."""
    deadline = time.monotonic() + 10
    while processes_of(group) and time.monotonic() < deadline:
        time.sleep(0.02)
    return processes_of(group)


def start(command, folder):
    return subprocess.Popen([support.program, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            start_new_session=True)


def wait_for_rows(folder, count):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if os.path.isdir(os.path.join(folder, "cutune.d")) and len(rows_of(folder)) >= count:
            return
        time.sleep(0.02)
    sys.exit("FAILED: no %d journal rows after a minute" % count)


def killed(folder):
    """kill -9 of the coordinator leaves no process, loses no finished evaluation, and the same command resumes."""
    command = small_transpose(folder)
    for rows in (5, 40, 100):
        process = start(command, folder)
        wait_for_rows(folder, rows)
        process.kill()
        process.communicate()
        left = left_of(process.pid)
        check(not left, "processes left: %s" % left)
        print("killed with %d rows" % len(rows_of(folder)))
    before = rows_of(folder)
    result = tune(*command, folder=folder)
    # A configuration that was stopped early may be measured again, because the row of the faster one may be lost.
    again = result["measured_now"] - (result["valid"] - len(before))
    check(0 <= again <= sum(row["status"] == "slower" for row in before),
          "%d rows, %d measured, %d valid" % (len(before), result["measured_now"], result["valid"]))
    configurations = [tuple(row[name] for name in parameters_of(row)) for row in rows_of(folder)]
    check(len(set(configurations)) == len(configurations) - again == result["valid"], "a configuration was measured twice or never")


def interrupted(folder):
    """SIGINT and SIGTERM end with exit status 130, and the best result is saved."""
    for number in (signal.SIGINT, signal.SIGTERM):
        process = start(small_transpose(folder), folder)
        wait_for_rows(folder, 5)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        check(process.returncode == 130, "exit status %d: %s" % (process.returncode, err.decode()))
        check(b"winner" in out, "no result printed")
        check(os.path.exists(os.path.join(folder, "cutune.csv")), "nothing saved")
        check(not left_of(process.pid), "processes left")
        shutil.rmtree(os.path.join(folder, "cutune.d"))


def two_at_once(folder):
    """Two runs save into one database. The second run of a journal must wait."""
    copy = ["--space", os.path.join(ROOT, "templates/copy.space"), "-D", "N=1 << 22"]
    first, second = start(small_transpose(folder), folder), start(copy, folder)
    wait_for_rows(folder, 2)
    errors = [process.communicate(timeout=300)[1] for process in (first, second)]
    check(first.returncode == 0 and second.returncode == 0, "exit: %s" % errors)
    with open(os.path.join(folder, "cutune.csv"), newline="") as file:
        kernels = sorted(row["kernel"] for row in csv.DictReader(file))
    check(kernels == ["copy", "transpose"], "in the database: %s" % kernels)
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    first = start(small_transpose(folder), folder)
    wait_for_rows(folder, 3)
    refused = cutune(*small_transpose(folder), folder=folder)
    check(refused.returncode == 1 and "another" in refused.stderr, "not refused: " + refused.stderr)
    first.communicate()
    check(first.returncode == 0, "the first run was hurt")


def disks(folder):
    """A full disk and a read-only directory give a clear message and status 1, and the recorded rows stay readable."""
    if os.geteuid() != 0:
        sys.exit(SKIPPED)
    small = os.path.join(folder, "small")
    os.mkdir(small)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", small]).returncode:
        sys.exit(SKIPPED)
    try:
        done = cutune(*small_transpose(folder), folder=small)
        print(done.stderr)
        check(done.returncode == 1, "exit status %d" % done.returncode)
        check("No space left on device" in done.stderr, "the full disk is not named")
        rows = rows_of(small)
        check(len(rows) > 10 and all(row["status"] for row in rows), "the journal is not whole")
        check(not subprocess.run(["mount", "-o", "remount,size=64M", small]).returncode, "cannot remount")
        result = tune(*small_transpose(folder), folder=small)
        check(result["measured_now"] == result["valid"] - len(rows), "rows were lost")
        subprocess.run(["mount", "-o", "remount,ro", small], check=True)
        done = cutune(
            "--space", os.path.join(ROOT, "templates/copy.space"), "-D", "N=1 << 22", folder=small)
        print(done.stderr)
        check(done.returncode == 1 and "Read-only file system" in done.stderr, "the read-only directory is not named")
    finally:
        subprocess.run(["umount", "-l", small])


def files(folder):
    """A database of a newer schema ends a run before it measures. A torn journal is cut with a message, and
    continued."""
    with open(os.path.join(folder, "cutune.csv"), "w") as file:
        file.write("schema,kernel\n99,transpose\n")
    done = cutune(*small_transpose(folder), folder=folder)
    print(done.stderr)
    check(done.returncode == 1 and "newer" in done.stderr, "a newer database is not refused")
    with open(os.path.join(folder, "cutune.csv")) as file:
        check(file.read() == "schema,kernel\n99,transpose\n", "the newer database was changed")
    check(not os.path.exists(os.path.join(folder, "cutune.d")), "something was measured for nothing")
    os.remove(os.path.join(folder, "cutune.csv"))
    for playoff, measured in (("0", 1), ("8", 0)):  # the torn row is the search's last, then the play-off's
        command = [*small_transpose(folder), "--strategy", "random", "--max-evals", "20", "--playoff", playoff]
        tune(*command, folder=folder)
        journal = glob.glob(os.path.join(folder, "cutune.d", "*.csv"))[0]
        rows = len(all_rows_of(folder))
        os.truncate(journal, os.path.getsize(journal) - 10)
        done = cutune(*command, "--format", "json", folder=folder)
        print(done.stderr)
        check(done.returncode == 0 and "left incomplete by an earlier run" in done.stderr, "the torn line is not named")
        check(json.loads(done.stdout)[0]["measured_now"] == measured, "not %d new measurements" % measured)
        check(len(all_rows_of(folder)) >= rows, "the torn row was not measured again")


def reference_faults(folder):
    """A faulty reference, and a space that does not fit, are errors and give no wrong winner."""
    with open(os.path.join(ROOT, "tests/gpu/faults.space")) as file:
        good = file.read()
    shutil.copy(os.path.join(ROOT, "tests/gpu/faults.cu"), folder)
    cases = {"leaves values unwritten": ("out float[N] output", "out float[N + 1] output"),
             "device memory": ("args ", "buffer big float[1 << 38] zero\nargs "),
             "does not compile": ("reference reference block", "reference no_such_kernel block")}
    for words, (old, new) in cases.items():
        with open(os.path.join(folder, "bad.space"), "w") as file:
            file.write(good.replace(old, new))
        done = cutune("--space", "bad.space", folder=folder)
        print(done.stderr)
        check(done.returncode == 1 and words in done.stderr, "expected '%s', got: %s" % (words, done.stderr))


def endless_reference(folder):
    """If a reference never ends, Ctrl-C twice ends the run and leaves no process."""
    with open(os.path.join(ROOT, "tests/gpu/faults.space")) as file:
        text = file.read().replace("reference reference block", "reference endless block")
    with open(os.path.join(folder, "endless.space"), "w") as file:
        file.write(text)
    shutil.copy(os.path.join(ROOT, "tests/gpu/faults.cu"), folder)
    with open(os.path.join(folder, "faults.cu"), "a") as file:
        file.write('extern "C" __global__ void endless(float *out, float *, int) { while (clock64()) out[0] = 1; }\n')
    process = start(["--space", "endless.space"], folder)
    time.sleep(3)
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
    errors = process.communicate(timeout=30)[1].decode()
    print(errors)
    check(process.returncode == 130 and "interrupted" in errors, "exit status %d" % process.returncode)
    check(not left_of(process.pid), "processes left")


def budgets(folder):
    """--max-evals includes the journal's evaluations; --max-time ends a run."""
    first = tune(*small_transpose(folder), "--max-evals", "20", folder=folder)
    check(first["evaluated"] == 20 and first["measured_now"] == 20, "20 asked, %d" % first["evaluated"])
    second = tune(*small_transpose(folder), "--max-evals", "30", folder=folder)
    # A configuration that was stopped early is measured again if the device is slower now.
    check(second["evaluated"] == 30 and second["measured_now"] >= 10, "10 new asked, %d" % second["measured_now"])
    # The default may have been compiled while the device started.
    third = cutune(*small_transpose(folder), "--max-time", "0.001", "--journal", "other", "--format", "json", folder=folder)
    print(third.stderr)
    evaluated = json.loads(third.stdout)[0]["evaluated"] if third.returncode == 0 else 0
    check(evaluated <= 2, "%d evaluated in no time" % evaluated)
    check(third.returncode in (0, 4) and ("was over before a configuration was measured" in third.stderr) == (third.returncode == 4),
          "exit status %d" % third.returncode)


def warm_start(folder):
    """The winner for other sizes comes first, and the summary reports its speed."""
    sizes = [["--space", small_transpose(folder)[1], "-D", "ROWS=1024", "-D", "COLS=%d" % columns, "--max-evals", "20",
              "--learn-from", "none"] for columns in (2048, 4096, 8192)]
    first, second = (tune(*size, folder=folder) for size in sizes[:2])
    check(first["warm_started"] == 0, "a start from nowhere")
    check(second["warm_started"] == 1 and second["evaluated"] == 20, "%d winners first" % second["warm_started"])
    check(second["warm_configuration"] in ("", first["configuration"]), "another's winner")
    done = cutune(*sizes[2], folder=folder)
    print(done.stdout)
    proposers = [row["proposer"] for row in all_rows_of(folder)]
    check(proposers.count("warm_start") > 1 and "default" in proposers and "strategy" in proposers, "not said who proposed")
    page = cutune("report", "cutune.d", folder=folder).stdout
    check("The run began with" in page and "the fastest of them, <code>" in page, "the report does not say")
    expected = len({first["configuration"], second["configuration"]})
    check("warm start  winners of prior runs: %d came first" % expected in done.stdout, "not %d winners first" % expected)


def occupancy(folder):
    """--min-occupancy prunes after compiling, by the cubin's resources. All measured configurations are above it."""
    result = tune(*small_transpose(folder), "--min-occupancy", "0.9", folder=folder)
    rows = rows_of(folder)
    pruned = [row for row in rows if row["status"] == "pruned_occupancy"]
    kept = [row for row in rows if row["status"] in ("ok", "slower")]
    check(pruned and all(float(row["occupancy"]) < 0.9 for row in pruned), "nothing or the wrong ones pruned")
    check(kept and all(float(row["occupancy"]) >= 0.9 for row in kept), "one of less occupancy was measured")
    check(all(int(row["registers"]) > 0 and int(row["shared_bytes"]) > 0 for row in rows), "resources are missing")
    check(result["count_pruned_occupancy"] == len(pruned), "counts differ")


def readme(folder):
    """The README's walk-through works as printed: a user's kernel is checked, tuned and emitted."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read()
    for kind, name in (("cuda", "smooth.cu"), ("space", "smooth.space")):
        blocks = [block for block in re.findall(r"^```%s\n(.*?)^```" % kind, text, re.S | re.M) if "smooth" in block]
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(blocks[0])
    check(cutune("check", "smooth.space", folder=folder).returncode == 0, "cutune check fails")
    done = cutune("--space", "smooth.space", folder=folder)
    print(done.stdout)
    check(done.returncode == 0 and "winner" in done.stdout, done.stderr)
    rows = rows_of(folder)
    check(len(rows) == 20 and all(row["status"] in ("ok", "slower") for row in rows), "not all of 20 configurations worked")
    check(cutune("emit", "--kernel", "smooth", "-o", "smooth_tuned.h", folder=folder).returncode == 0, "emit fails")
    check(os.path.exists(os.path.join(folder, "smooth_tuned.h")), "no header")


def devices(folder):
    done = cutune("devices", "--format", "json", folder=folder)
    check(done.returncode == 0, done.stderr)
    print(done.stdout)
    device = json.loads(done.stdout)[0]
    check(device["sm_count"] > 0 and device["shared_limit"] >= 48 << 10 and device["cc"] >= 50, "limits make no sense")


def completed(folder):
    """compare --complete measures another GPU's best configurations, adds them to this GPU's journal, and then has no
    more to do. A journal of another toolchain is refused."""
    some = ["--set", "VEC=1,2", "--set", "SWAP_GRID=0", "--playoff", "0"]
    tune(*small_transpose(folder), *some, folder=folder)
    ours = glob.glob(os.path.join(folder, "cutune.d", "*.csv"))[0]
    best = {"TILE": "64", "BLOCK_ROWS": "8", "PAD": "1", "SWIZZLE": "0", "VEC": "4", "UNROLL": "1", "SWAP_GRID": "1"}
    with open(ours, newline="") as file:
        lines = file.read().splitlines()
    names = next(line for line in lines if not line.startswith("#")).split(",")
    check(set(best) < set(names), "the transpose has other parameters now: %s" % names)
    cells = dict(best, status="ok", time_ns="1000", low_ns="990", high_ns="1010", samples="9")
    theirs = os.path.join(folder, "theirs.csv")
    with open(theirs, "w") as file:
        for line in lines:
            if line.startswith("#") and "fingerprint" not in line:
                file.write("# device = Another\n" if line.startswith("# device") else line + "\n")
        file.write(",".join(names) + "\n" + ",".join(cells.get(name, "") for name in names) + "\n")
    command = ["compare", ours, theirs, "--complete", "--space", small_transpose(folder)[1], "--format", "json"]
    before = len(all_rows_of(folder))
    for turn, added in enumerate((1, 0)):
        done = cutune(*command, folder=folder)
        check(done.returncode == 0, "exit status %d: %s" % (done.returncode, done.stderr))
        check(("1 configuration" if added == 1 else "0 configurations") + " measured now" in done.stderr, "turn %d: %s" % (turn, done.stderr))
        matrix = {(cell["best_of"], cell["on"]): cell for cell in json.loads(done.stdout)[0]["portability"]}
        cell = matrix[2, 1]
        check(cell["note"] == "" and 0.2 < cell["slowdown"] < 50, "its best here: %s" % cell)
    rows = all_rows_of(folder)
    check(len(rows) == before + 1, "%d rows more, not one" % (len(rows) - before))
    check(all(rows[-1][name] == value for name, value in best.items()) and rows[-1]["status"] == "ok",
          "the new row: %s" % rows[-1])
    with open(ours) as file:
        text = file.read()
    with open(ours, "w") as file:
        file.write(re.sub("# fingerprint = .*", "# fingerprint = " + "0" * 32, text).replace(
            ",".join(best.values()), ",".join("0" * len(best))))
    done = cutune(*command, folder=folder)
    check(done.returncode == 1 and "another driver" in done.stderr, "exit status %d: %s" % (done.returncode, done.stderr))


CASES = {case.__name__: case for case in (
    faults, pipeline, pipeline_stages, pipeline_faults, host_work, l2_window, views, textures, passing.surfaces, passing.arguments, passing.structs, passing.device_variables, tensor_map, cluster, launches, steps, loops.loops, loops.until, loops.own_macros, loops.struct_loops, grids, options, random_order, killed, interrupted,
    two_at_once, disks, files, timing.playoff, timing.samples, timing.inout, timing.unwritten, timing.slow_kernels, timing.further_processes, timing.playoff_intervals, timing.work,
    buffers.scratch, compilers.host_code, buffers.csr, buffers.numpy_files, judging.accept, judging.per, judging.precision,
    judging.wrong_later, judging.wrong_later_pipeline, judging.wrong_later_sequence, references.reference_sources,
    references.reference_default, texts.own_files, texts.generated, texts.drafted, reference_faults, endless_reference, budgets, warm_start, verdicts.narrowed, occupancy, completed, readme, devices,
    kernel_styles.nbody, kernel_styles.gemm, kernel_styles.point_in_polygon, kernel_styles.coulomb, kernel_styles.bicg,
    kernel_styles.radix_sort, imports.t1, languages.languages, languages.language_kinds, languages.language_faults)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("case", choices=sorted(CASES))
    options = parser.parse_args()
    support.program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="cutune-test-") as folder, \
            tempfile.TemporaryDirectory(prefix="cutune-test-cache-") as cache:
        os.environ["CUTUNE_CACHE"] = os.environ["XDG_STATE_HOME"] = cache  # empty, and apart from the user's
        if cutune("devices", folder=folder).returncode == 3:
            print("skipped: no device")
            sys.exit(SKIPPED)
        CASES[options.case](folder)
    print("passed")


if __name__ == "__main__":
    main()
