"""Cases of run.py: timing, and the choice of the winner."""
import json
import os
import shutil
import statistics

from support import ROOT, WORKED, all_rows_of, check, cutune, parameters_of, rows_of, show_times, small_transpose, tune, tune_space


def playoff(folder):
    """The best few are measured again together, once. A tie goes to the cheapest. --config compares a few."""
    command = small_transpose(folder)
    first = tune(*command, folder=folder)
    finals = [row for row in all_rows_of(folder) if row["playoff"]]
    print(first["finalists"], "finalists,", first["tied"], "tied,", [row["playoff"] for row in finals])
    check([row["playoff"] for row in finals].count("leader") == 1, "not one leader")
    check(len(finals) in (first["finalists"], first["finalists"] + 1), "%d finals" % len(finals))
    check(all(row["status"] == "ok" and float(row["low_ns"]) <= float(row["time_ns"]) <= float(row["high_ns"])
              for row in finals), "a final without a time, or outside of its interval")
    check(all(int(row["clock_mhz"]) > 0 for row in finals), "no clock")
    names = parameters_of(finals[0])
    configs = [" ".join("%s=%s" % (name, row[name]) for name in names) for row in finals]
    best = finals[configs.index(first["configuration"])]
    print([(row["time_ns"], row["playoff"], row["registers"]) for row in finals], "winner", best["time_ns"])
    check(float(best["time_ns"]) == first["time_ns"], "the winner's time is not that of the play-off")
    check(best["playoff"] in ("leader", "tied"), "the winner is none of the leader and those tied with it")
    rows = len(all_rows_of(folder))
    again = tune(*command, folder=folder)
    check(again["configuration"] == first["configuration"] and again["time_ns"] == first["time_ns"], "another winner")
    check(again["measured_now"] == 0 and len(all_rows_of(folder)) == rows, "something was measured again")
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    few = tune(*command, *[word for config in configs[:2] for word in ("--config", config)], folder=folder)
    check(few["valid"] == 2 == few["evaluated"], "not just the configurations that were given")
    check(few["configuration"] in configs[:2], "the winner is none of them")
    warm = tune(*command, "--cache", "warm", "--max-evals", "20", folder=folder)
    check(warm["measured_now"] == 20 and "cache=warm" in warm["options"], "cold measurements were taken for warm ones")


def samples(folder):
    """The kept samples of each timed configuration have its median, mean and number, and T4 has them; a run without the option has
    rows without samples in the same journal."""
    command = [*small_transpose(folder), "--playoff", "0"]
    tune(*command, "--keep-samples", "--max-evals", "40", folder=folder)
    kept = all_rows_of(folder)
    for row in kept:
        entries = [entry.partition("*") for entry in row["samples_ns"].split()]
        taken = [float(ns) for ns, _, count in entries for _ in range(int(count or 1))]
        timed = row["status"] in ("ok", "slower") and "same machine code" not in row["message"]
        check(len(taken) == (int(row["samples"]) if timed else 0), "%s" % row)
        check(not taken or statistics.median(taken) == float(row["time_ns"]), "another median: %s" % row)
        check(not taken or abs(statistics.fmean(taken) / float(row["mean_ns"]) - 1) < 1e-9, "another mean: %s" % row)
    print("%d rows, at most %d bytes of samples" % (len(kept), max(len(row["samples_ns"]) for row in kept)))
    tune(*command, "--max-evals", "50", folder=folder)
    check([row["samples_ns"] for row in all_rows_of(folder)[len(kept):]] == [""] * (len(all_rows_of(folder)) - len(kept)), "more samples")
    journal = os.path.join(folder, "cutune.d", next(name for name in os.listdir(os.path.join(folder, "cutune.d")) if name.endswith(".csv")))
    for words in (["export", "--t4", journal, "-o", "t4.json"], ["import", "t4.json", "-o", "again.csv"]):
        check(cutune(*words, folder=folder).returncode == 0, "%s fails" % words)
    with open(journal, "rb") as file, open(os.path.join(folder, "again.csv"), "rb") as again:
        check(file.read() == again.read(), "another journal comes back from T4")


def inout(folder):
    """A kernel that is faster on its own output is timed on its input, in the search and in the play-off. Faults that
    only a repetition shows are found in such outputs, too. Without restoring, all samples but the first would take as
    long as on the output."""
    for cache in ("cold", "warm"):
        tune_space("inout", "--cache", cache, "--set", "FROM=done", folder=folder)
        done_ns = next(float(row["time_ns"]) for row in rows_of(folder) if row["FROM"] == "done")
        shutil.rmtree(os.path.join(folder, "cutune.d"))
        _, rows, _ = tune_space("inout", "--cache", cache, "--set", "FROM=itself,another", folder=folder)
        show_times(rows, "FROM", "FAULT")
        for row in rows:
            check(row["status"] == ("ok" if row["FAULT"] == "healthy" else "wrong_result"), "%s" % row)
            check(row["status"] == "ok" or "right on the first launch, wrong on a later one" in row["message"], "%s" % row)
        times = {(row["FROM"], row["playoff"] != ""): float(row["time_ns"]) for row in all_rows_of(folder) if row["status"] == "ok"}
        for played in (False, True):
            ratio = times["itself", played] / times["another", played]
            print("%s, %s: equal work takes %.3f times as long" % (cache, "play-off" if played else "search", ratio))
            check(0.8 < ratio < 1.25, "equal work does not take equal time")
            print("... and %.1f times as long as on its own output" % (times["itself", played] / done_ns))
            check(times["itself", played] > 3 * done_ns, "the samples after the first had nothing to do")
        shutil.rmtree(os.path.join(folder, "cutune.d"))


def unwritten(folder):
    """Elements that a kernel leaves unwritten are found for every type, and under a large tolerance."""
    _, rows, _ = tune_space("unwritten", folder=folder)
    for row in rows:
        print("%-8s %-14s %s" % (row["LEAVES"], row["status"], row["message"]))
        if row["LEAVES"] == "nothing":
            check(row["status"] == "ok", "%s" % row)
        else:
            start = "out_%s: 500 of 1000 values differ from the reference, none of them was written" % row["LEAVES"]
            check(row["status"] == "wrong_result" and row["message"].startswith(start), "%s" % row)


def slow_kernels(folder):
    """Kernels that take much of the time limit have a play-off of few rounds, as the summary says."""
    command = ["--space", os.path.join(ROOT, "tests/gpu/slow.space"), "--timeout", "4", "--playoff-processes", "1"]
    result = tune(*command, folder=folder)
    finals = [row for row in all_rows_of(folder) if row["playoff"]]
    print([(row["MS"], row["time_ns"], row["playoff"], row["message"]) for row in finals])
    check(len(finals) == 2 and all(row["status"] == "ok" for row in finals), "no play-off")
    check(result["configuration"] == "MS=1200" and 1.2e9 <= result["time_ns"] < 1.25e9, "the winner is %s" % result["configuration"])
    said = cutune(*command, folder=folder).stdout
    check("the time limit had room for" in said and "a larger --timeout" in said, "nothing is said:\n" + said)


def further_processes(folder):
    """Further processes of a play-off run the reference only for results that vary. Those of sums in a fixed order do not;
    those of atomic operations do, in the process of the search or between processes."""
    for method, computing in (("ordered", 1), ("unordered", 6)):
        done = cutune("--space", os.path.join(ROOT, "tests/gpu/further.space"), "--set", "METHOD=" + method, "--explain", "no",
                      "--playoff-processes", "6", "--format", "json", folder=folder, env={**os.environ, "CUTUNE_TIMELINE": "0"})
        check(done.returncode == 0, "exit status %d:\n%s" % (done.returncode, done.stderr))
        steps, last_ms = [], 0
        for line in done.stderr.splitlines():
            if line.startswith("timeline ") and line.split()[2] == "device":
                _, ms, _, step = line.split(maxsplit=3)
                steps.append(step)
                if step in ("expected results computed", "inputs summed up"):
                    print("%-10s %-26s %8.1f ms" % (method, step, float(ms) - last_ms))
                last_ms = float(ms)
        processes = json.loads(done.stdout)[0]["processes"]
        check(processes == 6, "%s has times of %s processes" % (method, processes))
        check(steps.count("expected results computed") == computing,
              "%d processes ran the reference of %s" % (steps.count("expected results computed"), method))
        check(method == "unordered" or steps.count("inputs summed up") == 5, "not five further processes: %s" % steps)
        shutil.rmtree(os.path.join(folder, "cutune.d"))


# From 5 us to 5 ms on a large GPU: a template and its sizes.
PLAYOFFS = [("transpose", "ROWS=%d" % n, "COLS=%d" % n) for n in (1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768)]
PLAYOFFS += [("stencil2d",), ("reduction",), ("matmul",), ("matmul", "M=1024", "N=1024", "K=1024"), ("matmul_aat",), ("histogram",),
             ("aos_soa",), ("corner_turn",), ("constant_table",)]


def playoff_intervals(folder):
    """The winner's interval over the rounds of one process is as narrow as --target-interval demands, half a percent
    each way, in 19 of 20 play-offs."""
    wide = 0
    for number, (template, *sizes) in enumerate(PLAYOFFS):
        result = tune("--space", os.path.join(ROOT, "templates", template + ".space"), *[word for size in sizes for word in ("-D", size)],
                      "--strategy", "random", "--seed", str(number), "--max-evals", "40", "--playoff-processes", "1", folder=folder)
        time_ns, low_ns, high_ns = result["time_ns"], result["low_ns"], result["high_ns"]
        half = (high_ns - low_ns) / 2 / time_ns
        wide += half > 0.005
        print("%-14s %-14s %10.2f us  -%.2f%% +%.2f%%  half %.3f%%  %d finalists, %d tied, %.1f s" % (
            template, " ".join(sizes[:1]), time_ns / 1e3, 100 * (1 - low_ns / time_ns), 100 * (high_ns / time_ns - 1), 100 * half,
            result["finalists"], result["tied"], result["elapsed_s"]), flush=True)
    check(wide <= len(PLAYOFFS) // 20, "%d of %d intervals are too wide" % (wide, len(PLAYOFFS)))


def work(folder):
    """If variants do different amounts of work, the winner has the least time per work, with the same time as a fixed
    number of steps. A variant that does less work than it claims is wrong."""
    few = ["-D", "N=4096", "--set", "TILE_X=64", "--set", "TILE_Y=16,32", "--set", "THREADS=256"]
    record, rows, _ = tune_space("work", *few, folder=folder)
    finals = [row for row in all_rows_of(folder) if row["playoff"]]
    for row in sorted(rows, key=lambda row: int(row["STEPS"])):
        print(row["STEPS"], row["TILE_Y"], row["WRONG"], row["status"], row["run_ns"], row["time_per_work_ns"], row["message"])
        check(row["status"] == "wrong_result" if row["WRONG"] == "1" else row["status"] in WORKED, "%s" % row)
    for row in [row for row in rows + finals if row["time_per_work_ns"]]:
        cells = int(row["STEPS"]) * 4096 ** 2
        check(float(row["work"]) == cells and float(row["bytes"]) == 8 * 4096 ** 2, "%s" % row)
        check(abs(float(row["run_ns"]) / cells / float(row["time_per_work_ns"]) - 1) < 1e-9, "%s" % row)
    timed = [row for row in rows if row["status"] == "ok"]
    leader = [row for row in finals if row["playoff"] == "leader"][0]
    fastest_run = min(timed, key=lambda row: float(row["run_ns"]))
    check(record["objective"] == "time_per_work" and record["time_ns"] is None, "not time per work: %s" % record)
    ties = [row for row in finals if row["playoff"] in ("leader", "tied")]  # the others have times of one process
    check(float(leader["time_per_work_ns"]) <= min(float(row["time_per_work_ns"]) for row in ties), "%s" % leader)
    check(int(leader["STEPS"]) > int(fastest_run["STEPS"]), "the fastest run leads: %s" % leader)
    shutil.rmtree(os.path.join(folder, "cutune.d"))
    fixed = tune("--space", os.path.join(ROOT, "tests/gpu/stencil_steps.space"), *few, folder=folder)
    steps = {(row["STEPS"], row["TILE_Y"]): float(row["time_ns"]) for row in all_rows_of(folder) if row["status"] == "ok"}
    print("24 steps: %s, %.0f ns" % (fixed["configuration"], fixed["time_ns"]))
    both = {}
    for row in timed:
        if (row["STEPS"], row["TILE_Y"]) in steps:
            both[row["STEPS"], row["TILE_Y"]] = 24 * 4096 ** 2 * float(row["time_per_work_ns"])
    for key, from_work in sorted(both.items()):
        print("STEPS=%s TILE_Y=%s: 24 steps in %.0f ns, by time per work in %.0f ns" % (*key, steps[key], from_work))
    best = min(both, key=both.get)
    check(steps[best] <= 1.05 * fixed["time_ns"], "24 steps take %.0f ns with %s, %.0f ns at best" %
          (steps[best], best, fixed["time_ns"]))
