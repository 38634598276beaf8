"""The records of tools/bench/truth, and its report: the tables that judge them."""
import collections
import json
import pathlib
import statistics
import sys

# Targets of the report.
REGRET = NARROW = 0.005
NARROW_SHARE = 0.95
HELD_SHARE = 0.9
SHORT_NS, SHORT_PART, SHORT_LEAST_NS = 100, 0.01, 1500  # an empty kernel is shown, not judged
QUANTILE = 1.96  # of the normal distribution, for an interval of 95%
OVERRUN = 0.1  # of the limit; or one measurement


def read_records(folder):
    """Returns the records of a folder without an incomplete last line."""
    path = pathlib.Path(folder, "steps.jsonl")
    records = []
    for number, line in enumerate(path.read_bytes().splitlines(True) if path.exists() else (), 1):
        try:
            records += [json.loads(line)] if line.endswith(b"\n") else []
        except ValueError:
            sys.exit(f"{path}:{number}: not a step: restore this line or remove it")
    return records


def succeeded(records, part, kernel=None, **wanted):
    """The records of a part with a result, of one kernel or all, with these values."""
    return [record for record in records if record["part"] == part and "result" in record and kernel in (None, record["kernel"])
            and all(record[name] == value for name, value in wanted.items())]


def home_of(records, kernel):
    """The GPU with the most tunes of the kernel; of several, the first one."""
    counts = collections.Counter(record["uuid"] for record in succeeded(records, "tunes", kernel))
    return counts.most_common(1)[0][0] if counts else None


# ---- Cells --------------------------------------------------------------------------------------------------------------


def table(title, columns, rows):
    print(f"\n## {title}\n\n| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(" ".join(str(cell).split()) for cell in row) + " |")


def percent(value, digits=2):
    return "-" if value is None else f"{100 * value:.{digits}f}%"


def share(cases):
    """Says how many of some cases hold."""
    good, count = sum(cases), len(cases)
    return f"{good} of {count}, {percent(good / count, 1)}" if count else "-"


def most(values):
    return max(values, default=None)


def yes(value):
    return "-" if value is None else "yes" if value else "no"


# ---- Winners ------------------------------------------------------------------------------------------------------------


def interval(row):
    """Low end, median and high end of a result, of a run or of a unit of work; None where there is no interval."""
    suffix = "_ns" if "time_ns" in row else "_per_work_ns"
    return tuple(row.get(name + suffix) for name in ("low", "time", "high"))


def resolved(joint, configuration):
    """The outcome of a configuration in a play-off, or that of its twin; {} without one."""
    entries = joint["result"]["entries"]
    entry = entries.get(configuration, {})
    return entries.get(entry.get("twin_of"), entry)


def least_of(joint):
    """The least time of the play-off; of the search where nothing was played."""
    timed = [entry for entry in joint["result"]["entries"].values() if "time" in entry]
    return min(entry["time"] for entry in [entry for entry in timed if "playoff" in entry] or timed)


def slower(outcome, default):
    """True if the interval lies above the default's."""
    return "high" in default and outcome.get("low", 0) > default["high"]


class Verdict:
    """The judgement on the tunes of one kernel by joint play-offs."""

    def __init__(self, tunes, joints):
        winners = {tune["result"]["row"]["configuration"] for tune in tunes}
        self.regrets, self.one, self.below, self.unmeasured = [], [], 0, 0
        for winner in winners if joints else ():
            outcomes = [(resolved(joint, winner), joint) for joint in joints]
            if not all("time" in outcome for outcome, _ in outcomes):
                self.unmeasured += 1
                continue
            regret = max(outcome["time"] / least_of(joint) - 1 for outcome, joint in outcomes)
            self.regrets.append(regret)
            self.one.append(regret <= REGRET or all(outcome.get("playoff") in ("leader", "tied") for outcome, _ in outcomes))
            self.below += any(slower(outcome, resolved(joint, joint["result"]["default"])) for outcome, joint in outcomes)
        twins = [joint["result"]["entries"].get(winner, {}).get("twin_of", winner) for joint in joints[:1] for winner in winners]
        self.winners = len(set(twins or winners))
        self.answer = all(self.one) and not self.unmeasured if joints and winners else None


def narrow_of(tunes):
    """For each tune, if half its interval is narrow."""
    spans = [interval(tune["result"]["row"]) for tune in tunes]
    return [None not in span and (span[2] - span[0]) / 2 <= NARROW * span[1] for span in spans]


def held_of(tunes, laters):
    """For each winner that was measured later, if its interval holds the later median."""
    medians = {later["number"]: interval(later["result"]["row"])[1] for later in laters}
    spans = {tune["number"]: interval(tune["result"]["row"]) for tune in tunes}
    return [spans[at][0] <= median <= spans[at][2] for at, median in medians.items() if None not in spans.get(at, (None,))]


def warm_over_rested(tunes):
    times = {rested: [interval(tune["result"]["row"])[1] for tune in tunes if tune["result"]["rested"] == rested] for rested in (False, True)}
    return f"{statistics.median(times[False]) / statistics.median(times[True]):.4f}" if all(times.values()) else "-"


ANSWER_COLUMNS = ("kernel", "tunes", "distinct winners", "tied, or within 0.5%", "largest regret", "slower than the default",
                  "half-widths of at most 0.5%", "intervals that hold the later median", "time when warm / rested")
ANSWER_TARGETS = ("target", "", "", "yes", percent(REGRET), "0", f"at least {percent(NARROW_SHARE, 0)}", f"at least {percent(HELD_SHARE, 0)}", "")


def answer_cells(verdict, narrow, held):
    unmeasured = f", {verdict.unmeasured} not measured" if verdict.unmeasured else ""
    return (verdict.winners, yes(verdict.answer) + unmeasured, percent(most(verdict.regrets)), verdict.below if verdict.answer is not None else "-",
            share(narrow), share(held))


def report_answers(records, totals):
    """Judges the winners of each kernel on the GPU of its tunes."""
    rows = []
    for kernel in dict.fromkeys(record["kernel"] for record in records if record["part"] == "tunes"):
        gpu = home_of(records, kernel)
        tunes, joints = (succeeded(records, part, kernel, uuid=gpu) for part in ("tunes", "joint"))
        verdict, narrow = Verdict(tunes, joints), narrow_of(tunes)
        held = held_of(tunes, succeeded(records, "later", kernel, uuid=gpu))
        rows.append((kernel, len(tunes), *answer_cells(verdict, narrow, held), warm_over_rested(tunes)))
        totals["answers"] += [verdict.answer] if verdict.answer is not None else []
        totals["regrets"] += verdict.regrets
        totals["below"] += [verdict.below] if verdict.answer is not None else []
        totals["narrow"] += narrow
        totals["held"] += held
    if rows:
        table("One answer, on the GPU of the tunes", ANSWER_COLUMNS, [*rows, ANSWER_TARGETS])


def report_elsewhere(records):
    """Judges winners by the play-offs and the later times of other GPUs of the model."""
    rows = []
    for part in ("joint", "later"):
        for judge in dict.fromkeys((record["kernel"], record["uuid"]) for record in succeeded(records, part)):
            kernel, gpu = judge
            tunes = [tune for tune in succeeded(records, "tunes", kernel) if tune["uuid"] != gpu]
            if tunes and judge not in [row[:2] for row in rows]:
                verdict = Verdict(tunes, succeeded(records, "joint", kernel, uuid=gpu))
                held = held_of(tunes, succeeded(records, "later", kernel, uuid=gpu))
                rows.append((kernel, gpu, len(tunes), *answer_cells(verdict, narrow_of(tunes), held)))
    if rows:
        table("On other GPUs of the model, without a target", ("kernel", "measured on", *ANSWER_COLUMNS[1:-1]), rows)


# ---- Processes, states and limits ---------------------------------------------------------------------------------------


def spread_of(runs):
    """The median half-width of one process, the standard deviation of the medians of processes, and the part of it that lies between
    processes, as fractions of the time. Half of an interval is QUANTILE standard errors, whose square is the part within processes
    (the analysis of variance with one factor)."""
    time = statistics.fmean(middle for _, middle, _ in runs)
    halves = [(high - low) / 2 / time for low, _, high in runs]
    deviation = statistics.stdev(middle / time for _, middle, _ in runs)
    between = max(0, deviation ** 2 - statistics.fmean((half / QUANTILE) ** 2 for half in halves)) ** 0.5
    return statistics.median(halves), deviation, between


def report_spread(records):
    """How much of the spread of a winner's times lies between processes."""
    rows = []
    for kernel in dict.fromkeys(record["kernel"] for record in succeeded(records, "spread")):
        runs = [interval(record["result"]["row"]) for record in succeeded(records, "spread", kernel)]
        runs = [run for run in runs if None not in run]
        if len(runs) > 1:
            rows.append((kernel, len(runs), *map(percent, spread_of(runs))))
    if rows:
        table("Spread within and between processes", ("kernel", "processes", "half-width of one process", "standard deviation of their medians",
                                                      "of it between processes"), rows)


def report_ranks(records, totals):
    rows = []
    for record in succeeded(records, "ranks"):
        result = record["result"]
        answers, database, faults = (result[name] for name in ("answers", "database", "faults"))
        one = len(set(answers + database)) == 1 and not faults
        totals["ranks"].append(one)
        rows.append((record["kernel"], result["gpus"], f"{len(answers)} of {len(answers) + len(faults)}", len(set(answers)), len(set(database)),
                     yes(one), "; ".join(dict.fromkeys(faults))))
    if rows:
        table("Processes at once", ("kernel", "GPUs", "processes that answered", "their answers", "answers of the database", "one answer", "failures"),
              [*rows, ("target", "", "all", 1, 1, "yes", "")])


def report_states(records, totals):
    rows = []
    for record in succeeded(records, "states"):
        row = record["result"]["row"]
        final = record["result"]["finals"].get(row["configuration"], {})
        ratio = row.get("library_ratio")
        clock = row.get("clock_mhz", final.get("clock_mhz", "-"))
        rows.append((record["kernel"], record["variant"], f"{interval(row)[1] / 1000:.4g} us", f"{clock} MHz", row.get("power_state", "-"),
                     row.get("library", "-"), "-" if ratio is None else f"{ratio:.3f}", row["configuration"]))
    if rows:
        table("Power states", ("kernel", "state", "time", "clock", "measured state", "library", "the winner's speed as a fraction of its", "winner"),
              rows)


def report_short(records, totals):
    rows = []
    for record in succeeded(records, "short"):
        low, time, high = interval(record["result"]["row"])
        times = record["result"]["activity_ns"]
        activity = statistics.median(times)
        within = abs(time - activity) <= SHORT_NS + SHORT_PART * activity
        totals["short"] += [within] if activity >= SHORT_LEAST_NS else []
        spread = statistics.quantiles(times, n=4) if len(times) > 1 else (activity, activity, activity)
        rows.append((record["kernel"], record["number"], record["variant"], f"{time / 1000:.3f} us", f"{low / 1000:.3f} to {high / 1000:.3f} us",
                     f"{activity / 1000:.3f} us", f"{spread[0] / 1000:.3f} to {spread[2] / 1000:.3f} us", f"{(time - activity) / 1000:+.3f} us",
                     yes(within)))
    if rows:
        table("Short kernels", ("kernel", "size", "L2 cache", "time", "interval", "activity time of CUPTI", "its middle half", "difference",
                                "within 0.1 us + 1%"), rows)


def overrun_of(record):
    """The seconds of a search beyond its limit, the same as a fraction, if it is in time, and the seconds beyond the announced
    play-off; None where nothing was announced."""
    result, limit = record["result"], float(record["variant"])
    row = result["row"]
    beyond = max(0, row["search_s"] - limit)
    in_time = beyond <= OVERRUN * limit or beyond <= result["longest_measurement_s"]
    rest = row["elapsed_s"] - row["search_s"] - row.get("explain_s", 0)
    announced = result["announced_s"]
    return beyond, beyond / limit, in_time, None if announced is None else max(0, rest - announced)


def report_limits(records, totals):
    rows, all_limits = [], succeeded(records, "limits")
    for limit in sorted({record["variant"] for record in all_limits}, key=float):
        some = [record for record in all_limits if record["variant"] == limit]
        overruns = [overrun_of(record) for record in some]
        later = most(after for *_, after in overruns if after is not None)
        reached = [record["result"]["row"]["search_s"] >= float(limit) for record in some]
        totals["in_time"] += [in_time for _, _, in_time, _ in overruns]
        totals["overruns"] += [part for _, part, _, _ in overruns]
        rows.append((f"{limit} s", len(some), sum(reached), f"{max(overruns)[0]:.3f} s, {percent(max(overruns)[1], 1)}",
                     share([in_time for _, _, in_time, _ in overruns]), "-" if later is None else f"{later:.3f} s"))
    if rows:
        table("Limits of time", ("limit", "runs", "that reached it", "largest overrun of the search", "within 10% or one measurement",
                                 "largest overrun of the announced play-off"),
              [*rows, ("target", "", "", percent(OVERRUN, 0) + " or one measurement", "all", "0 s")])


# ---- All figures --------------------------------------------------------------------------------------------------------


def figure(name, cases, shown, target, met):
    return (name, shown(cases), target, yes(met(cases))) if cases else (name, "-", target, "-")


def report_totals(totals):
    def reached(least):
        return lambda cases: sum(cases) >= least * len(cases)
    print("\n# All folders")
    table("All figures", ("figure", "measured", "target", "reached"), [
        figure("kernels whose winners are tied, or within 0.5%", totals["answers"], share, "all", all),
        figure("largest regret", totals["regrets"], lambda cases: percent(max(cases)), f"at most {percent(REGRET)}", lambda cases: max(cases) <= REGRET),
        figure("winners slower than the default", totals["below"], sum, "0", lambda cases: not any(cases)),
        figure("half-widths of at most 0.5%", totals["narrow"], share, f"at least {percent(NARROW_SHARE, 0)}", reached(NARROW_SHARE)),
        figure("intervals that hold the later median", totals["held"], share, f"at least {percent(HELD_SHARE, 0)}", reached(HELD_SHARE)),
        figure("kernels with one answer of all processes", totals["ranks"], share, "all", all),
        figure("largest overrun of a search", totals["overruns"], lambda cases: percent(max(cases), 1), f"{percent(OVERRUN, 0)} or one measurement",
               lambda cases: all(totals["in_time"])),
        figure("times of short kernels within 0.1 us + 1% of CUPTI's", totals["short"], share, "all", all),
        figure("searches within 10% of the limit or one measurement", totals["in_time"], share, "all", all)])


def report(folders):
    totals = collections.defaultdict(list)
    for folder in folders:
        latest = {(record["device"], record["step"]): record for record in read_records(folder)}.values()
        for device in sorted({record["device"] for record in latest}):
            records = [record for record in latest if record["device"] == device]
            seen = {name: ", ".join(sorted({record[name] for record in records if record[name]})) for name in ("uuid", "driver", "program", "label")}
            print(f"\n# {device}, {pathlib.Path(folder).resolve().name}\n")
            print(f"GPUs: {seen['uuid']}; driver {seen['driver']}; {seen['program']}{'; ' + seen['label'] if seen['label'] else ''}. "
                  f"{len(records)} steps in {sum(record['seconds'] for record in records) / 60:.1f} minutes.")
            report_answers(records, totals)
            report_elsewhere(records)
            report_spread(records)
            report_ranks(records, totals)
            report_states(records, totals)
            report_limits(records, totals)
            report_short(records, totals)
            failed = [(record["step"], record["failed"]) for record in records if "failed" in record]
            if failed:
                table("Failed steps", ("step", "reason"), failed)
    report_totals(totals)
