#!/usr/bin/env python3
"""tools/bench/truth does each step once, and its report has the right figures.

    check_truth.py PROGRAM REPOSITORY

PROGRAM is linked with the fake CUDA runtime."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 120
SPACE = """space 2
kernel twice "twice.cu"
problem N = 1000
param TIME = 5000, 6000
buffer in  float[N] random
buffer out float[N] output
args   out, in, int N
block  64
grid   1
reference twice block 32 grid 1
default TIME=6000
"""
SOURCE = """#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define FAKE "fake: noise=0.01 time_ns=" TEXT(TIME)
#include "%s/tests/unit/device/fake_kernels.cu"
"""
# The program with one cache: each step has a new one, and all compile the same kernels.
SHARING = """#!/bin/sh
CUTUNE_CACHE="%(cache)s" exec "%(program)s" "$@"
"""
# The program with and without an option --state. It announces a play-off.
WRAPPER = """#!/usr/bin/env python3
import os, sys
words = sys.argv[1:]
if "--help" in words:
    print("%(help)s")
    sys.exit()
print("cutune: searching, then a play-off of about 0.5 s", file=sys.stderr)
at = words.index("--state") if "--state" in words else len(words)
os.execv("%(program)s", ["%(program)s"] + words[:at] + words[at + 2:])
"""


# A program whose runs answer at once, and write activity times if they are observed.
SHORT_PROGRAM = """#!/usr/bin/env python3
import json, os, sys
words = sys.argv[1:]
if words[0] == "devices":
    print('[{"name": "Fake GPU", "uuid": "G", "driver": "1"}]')
elif words[0] == "--space":
    name = os.path.basename(words[1]).removesuffix(".space")
    print(json.dumps([{"kernel": name, "time_ns": 2000, "low_ns": 1990, "high_ns": 2010}]))
    if "CUDA_INJECTION64_PATH" in os.environ:
        with open(os.environ["ACTIVITY_FILE"], "a") as file:
            file.write(f"2100 {name}\\n9000 cutune_fill\\n1900 {name}\\n")
"""


def check(condition, *what):
    if not condition:
        sys.exit("wrong: " + " ".join(map(str, what)))


class Scene:
    """A folder with a kernel, steps and programs, in which truth runs."""

    def __init__(self, folder, cache, program, root):
        self.folder, self.root = folder, os.path.abspath(root)
        self.program = self.executable("program", SHARING % {"cache": cache, "program": os.path.abspath(program)})
        for name in ("tiny", "matmul"):
            self.write(name + ".space", SPACE)
        self.write("twice.cu", SOURCE % self.root)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def executable(self, name, text):
        path = self.write(name, text)
        os.chmod(path, 0o755)
        return path

    def wrapper(self, name, help_text):
        return self.executable(name, WRAPPER % {"help": help_text, "program": self.program})

    def start(self, *arguments, kernel="tiny", program=None, fake=""):
        kernels = ["--space", self.path(kernel + ".space") + " N=1000", "--kernels", kernel] if kernel else []
        command = [os.path.join(self.root, "tools/bench/truth"), self.path("steps"), "--program", program or self.program, *kernels, "--tunes", "2", "--load", "0.1", "--rest", "0.1", "--gap-minutes",
                   "0", "--gap-steps", "1", "--limits", "0.3", *arguments]
        return subprocess.Popen(command, env={**os.environ, "CUTUNE_FAKE": fake}, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments, **options):
        """Runs it to its end; returns what it said."""
        process = self.start(*arguments, **options)
        said = process.communicate(timeout=LIMIT_S)[1]
        check(process.returncode == 0, "exit code", process.returncode, said)
        return said

    def steps(self, folder="steps"):
        path = self.path(folder + "/steps.jsonl")
        text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        return [json.loads(line) for line in text.splitlines(True) if line.endswith("\n")]

    def names(self):
        return [step["step"] for step in self.steps()]


STEPS = ["tunes/tiny/1", "tunes/tiny/2", "joint/tiny/1", "joint/tiny/2", "later/tiny/1", "later/tiny/2",
         *(f"spread/tiny/{at}" for at in range(1, 9)), "ranks/tiny/1", "limits/tiny/1/0.3"]
ELSEWHERE = ["joint/tiny/1/elsewhere", "joint/tiny/2/elsewhere", "later/tiny/1/elsewhere", "later/tiny/2/elsewhere", "ranks/tiny/2"]


def check_steps(scene):
    """A killed call loses at most the step that it was doing, and the next one repeats none."""
    process = scene.start()
    deadline = time.monotonic() + LIMIT_S
    while not scene.names() and time.monotonic() < deadline:
        time.sleep(0.01)
    other = scene.start()
    check("another process is using" in other.communicate(timeout=LIMIT_S)[1] and other.returncode == 1, "two calls at once")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LIMIT_S)
    before = scene.steps()
    check(process.returncode == 143 and before and len(before) < len(STEPS), "not interrupted:", process.returncode, scene.names())
    with open(scene.path("steps/steps.jsonl"), "a", encoding="utf-8") as file:
        file.write('{"step": "tunes/ti')
    scene.run("--label", "again")
    after = scene.steps()
    check(scene.names() == STEPS, scene.names())
    check(after[:len(before)] == before and {step["label"] for step in after[len(before):]} == {"again"}, "a step is repeated")
    check("0 known steps are left" in scene.run() and scene.steps() == after, "a complete folder grows")
    for step in after:
        check("result" in step and step["device"] == "Fake GPU" and step["uuid"].startswith("GPU-01") and step["seconds"] > 0, step)
    check([step["result"]["rested"] for step in after[:2]] == [False, True], after[:2])
    check([step["result"]["row"]["configuration"] for step in after[:2]] == ["TIME=5000"] * 2, after[:2])
    check(all(set(step["result"]["entries"]) == {"TIME=5000", "TIME=6000"} for step in after[2:4]), after[2:4])
    check(after[2]["result"]["entries"]["TIME=5000"]["playoff"] == "leader", after[2])
    check(all(step["result"]["row"]["configuration"] == "TIME=5000" and step["result"]["row"]["processes"] == 1 for step in after[6:14]), after[6])
    check(after[-1]["result"]["longest_measurement_s"] > 0, after[-1])


def check_other_gpu(scene):
    scene.run("--gpu", "1", fake="devices=2")
    check(scene.names() == STEPS + ELSEWHERE, scene.names())
    check({step["uuid"][:6] for step in scene.steps()[len(STEPS):]} == {"GPU-02"}, scene.steps()[-1])
    check(scene.steps()[-1]["result"]["gpus"] == 2, scene.steps()[-1])


def check_states(scene):
    """Power states are measured as soon as the program has them."""
    before = scene.names()
    said = scene.run("states", kernel="matmul", program=scene.wrapper("without", "--seed"))
    check("states: skipped, because this program has no option --state" in said and scene.names() == before, said)
    scene.run("states", "limits", kernel="matmul", program=scene.wrapper("with", "--state=STATE"))
    check(scene.names() == before + ["states/matmul/1/burst", "states/matmul/1/sustained", "limits/matmul/1/0.3"], scene.names())
    check(scene.steps()[-1]["result"]["announced_s"] > 0, scene.steps()[-1])


def check_time(scene):
    """No step begins that may take longer than the time that is left."""
    long = {"step": "tunes/tiny/1", "part": "tunes", "kernel": "tiny", "number": 1, "variant": "", "device": "Fake GPU", "uuid": "GPU-9", "ended": 0,
            "seconds": 3600, "failed": "a disk"}
    scene.write("steps/steps.jsonl", json.dumps(long) + "\n")
    said = scene.run("tunes", "--minutes", "59")
    check(scene.names() == ["tunes/tiny/1"] and "1 known steps are left: the next is tunes/tiny/2" in said, said)
    scene.run("tunes", "--minutes", "61", "--retry")
    check(scene.names() == ["tunes/tiny/1"] * 2 + ["tunes/tiny/2"] and "failed" not in scene.steps()[1], scene.names())


def check_gap(scene):
    """A winner is measured later only after other steps, and after a while."""
    scene.run("tunes", "later", "--tunes", "1")
    check(scene.names() == ["tunes/tiny/1"], scene.names())
    scene.run("tunes", "later", "--tunes", "1", "--gap-steps", "0", "--gap-minutes", "0.1")
    check(scene.names() == ["tunes/tiny/1", "later/tiny/1"], scene.names())
    check(scene.steps()[1]["result"]["after_s"] >= 6, scene.steps()[1])


def check_short(scene):
    """A time and the activity times of the same kernel become a step."""
    program = scene.executable("short", SHORT_PROGRAM)
    scene.run("short", "--activity", scene.write("library.so", ""), kernel=None, program=program)
    steps = scene.steps()
    check(len(steps) == 22 and {step["part"] for step in steps} == {"short"}, scene.names())
    check(steps[0]["step"] == "short/chain/0/cold" and steps[1]["step"] == "short/chain/0/warm", scene.names()[:2])
    check(all(step["result"]["activity_ns"] == [1900, 2100] and step["result"]["row"]["time_ns"] == 2000 for step in steps), steps[0])


# ---- The report ---------------------------------------------------------------------------------------------------------


def step(part, kernel, number, result, variant="", uuid="G1", device="A", failed=None):
    return {"step": f"{part}/{kernel}/{number}/{variant}{uuid}", "part": part, "kernel": kernel, "number": number, "variant": variant,
            "device": device, "uuid": uuid, "driver": "1", "label": "", "program": "cutune 0", "ended": 0, "seconds": 30,
            **({"failed": failed} if failed else {"result": result})}


def tune(kernel, number, configuration, low, middle, high, unit="_ns", **more):
    row = {"configuration": configuration, **{name + unit: value for name, value in zip(("low", "time", "high"), (low, middle, high)) if value}}
    return step("tunes", kernel, number, {"rested": number % 2 == 0, "row": row}, **more)


def joint(kernel, number, *outcomes, twins=(), **more):
    """Outcomes: configuration, time and place in the play-off. The interval of a time is 1% to either side."""
    entries = {name: {"time": value, "low": 0.99 * value, "high": 1.01 * value, "playoff": place} for name, value, place in outcomes}
    return step("joint", kernel, number, {"default": "D", "entries": entries | {name: {"twin_of": of} for name, of in twins}}, **more)


def later(kernel, number, median, unit="_ns", **more):
    return step("later", kernel, number, {"row": {"time" + unit: median}}, **more)


def spread(kernel, number, low, middle, high):
    return step("spread", kernel, number, {"row": {"low_ns": low, "time_ns": middle, "high_ns": high}})


def limit(number, search_s, longest_s, elapsed_s, announced_s=None):
    return step("limits", "a", number, {"row": {"search_s": search_s, "elapsed_s": elapsed_s, "explain_s": 0.5},
                                        "longest_measurement_s": longest_s, "announced_s": announced_s}, variant="2")


def state(name, ratio):
    row = {"configuration": "X", "time_ns": 2000, "library": "L", "library_ratio": ratio}
    return step("states", "matmul", 1, {"row": row, "finals": {"X": {"clock_mhz": "1600"}}}, variant=name)


def short(kernel, size, time_ns, *activity_ns):
    row = {"low_ns": time_ns - 10, "time_ns": time_ns, "high_ns": time_ns + 10}
    return step("short", kernel, size, {"row": row, "activity_ns": activity_ns}, variant="cold")


FIRST = [
    # Two winners that differ by less than 0.5%.
    tune("a", 1, "X", 99.6, 100, 100.4), tune("a", 2, "X", 99, 100, 101), tune("a", 3, "Y", 100, 100.2, 100.4),
    joint("a", 1, ("X", 100, "leader"), ("Y", 100.3, "lost"), ("D", 120, "lost")),
    joint("a", 2, ("X", 100.2, "lost"), ("Y", 100, "leader"), ("D", 120, "lost")),
    later("a", 1, 100.1), later("a", 2, 102), later("a", 3, 100.4),
    joint("a", 1, ("X", 100, "leader"), ("Y", 101, "lost"), ("D", 120, "lost"), uuid="G2"), later("a", 1, 100.2, uuid="G2"),
    # A winner that is slower than the default.
    tune("b", 1, "P", 199.5, 200, 200.5), tune("b", 2, "Q", 199.5, 200, 200.5),
    joint("b", 1, ("P", 200, "leader"), ("Q", 230, "lost"), ("D", 210, "lost")),
    # Tied winners, two of which have the same machine code; times of a unit of work.
    tune("c", 1, "R", 0.998, 1, 1.002, "_per_work_ns"), tune("c", 2, "S", 0.998, 1, 1.002, "_per_work_ns"),
    tune("c", 3, "S2", 0.998, 1, 1.002, "_per_work_ns"),
    joint("c", 1, ("R", 1.008, "tied"), ("S", 1, "leader"), ("D", 2, "lost"), twins=[("S2", "S")]), later("c", 1, 1.001, "_per_work_ns"),
    # Nothing beside the tunes, and no interval.
    tune("d", 1, "X", None, 100, None), step("tunes", "d", 2, None, failed="no\nreason"),
    # Medians that differ by more than their intervals, by less, and a kernel with one interval.
    spread("a", 1, 98.04, 100, 101.96), spread("a", 2, 101.04, 103, 104.96), spread("a", 3, 95.04, 97, 98.96),
    spread("b", 1, 99, 101, 103), spread("b", 2, 98, 99, 100), spread("c", 1, 99, 101, 103), spread("c", 2, None, 100, None),
    step("ranks", "a", 1, {"gpus": 1, "answers": ["X", "X"], "faults": [], "database": ["X"]}),
    step("ranks", "a", 2, {"gpus": 2, "answers": ["X", "X"], "faults": ["busy"], "database": ["X"]}),
    step("ranks", "b", 1, {"gpus": 1, "answers": ["X", "Y"], "faults": [], "database": ["X"]}),
    state("burst", 0.99), state("sustained", 0.9),
    limit(1, 2.1, 0.05, 4, 1), limit(2, 2.5, 0.6, 3.5), limit(3, 2.5, 0.1, 3.5), limit(4, 1.5, 0.1, 3.5),
    short("chain", 0, 700, 580), short("chain", 500, 2010, 1880, 1900, 1920), short("copy", 512, 5160, 5000, 5000)]
SECOND = [tune("a", 1, "Z", 9.99, 10, 10.01, device="B", uuid="G3")]

# Rows of the tables, in their order.
EXPECTED = """
| a | 3 | 2 | yes | 0.30% | 0 | 2 of 3, 66.7% | 2 of 3, 66.7% | 1.0010 |
| b | 2 | 2 | no | 15.00% | 1 | 2 of 2, 100.0% | - | 1.0000 |
| c | 3 | 2 | yes | 0.80% | 0 | 3 of 3, 100.0% | 1 of 1, 100.0% | 1.0000 |
| d | 1 | 1 | - | - | - | 0 of 1, 0.0% | - | - |
| target |  |  | yes | 0.50% | 0 | at least 95% | at least 90% |  |
| a | G2 | 3 | 2 | no | 1.00% | 0 | 2 of 3, 66.7% | 1 of 1, 100.0% |
| a | 3 | 1.96% | 3.00% | 2.83% |
| b | 2 | 1.50% | 1.41% | 1.16% |
| a | 1 | 2 of 2 | 1 | 1 | yes |  |
| a | 2 | 2 of 3 | 1 | 1 | no | busy |
| b | 1 | 2 of 2 | 2 | 1 | no |  |
| matmul | burst | 2 us | 1600 MHz | - | L | 0.990 | X |
| matmul | sustained | 2 us | 1600 MHz | - | L | 0.900 | X |
| 2 s | 4 | 3 | 0.500 s, 25.0% | 3 of 4, 75.0% | 0.400 s |
| chain | 0 | cold | 0.700 us | 0.690 to 0.710 us | 0.580 us | 0.580 to 0.580 us | +0.120 us | no |
| chain | 500 | cold | 2.010 us | 2.000 to 2.020 us | 1.900 us | 1.880 to 1.920 us | +0.110 us | yes |
| copy | 512 | cold | 5.160 us | 5.150 to 5.170 us | 5.000 us | 5.000 to 5.000 us | +0.160 us | no |
| tunes/d/2/G1 | no reason |
| a | 1 | 1 | - | - | - | 1 of 1, 100.0% | - | - |
| kernels whose winners are tied, or within 0.5% | 2 of 3, 66.7% | all | no |
| largest regret | 15.00% | at most 0.50% | no |
| winners slower than the default | 1 | 0 | no |
| half-widths of at most 0.5% | 8 of 10, 80.0% | at least 95% | no |
| intervals that hold the later median | 3 of 4, 75.0% | at least 90% | no |
| kernels with one answer of all processes | 1 of 3, 33.3% | all | no |
| largest overrun of a search | 25.0% | 10% or one measurement | no |
| times of short kernels within 0.1 us + 1% of CUPTI's | 1 of 2, 50.0% | all | no |
| searches within 10% of the limit or one measurement | 3 of 4, 75.0% | all | no |
"""


def report_of(scene, *folders):
    done = subprocess.run([os.path.join(scene.root, "tools/bench/truth"), *map(scene.path, folders), "--report"], capture_output=True, text=True)
    check(done.returncode == 0 and not done.stderr, "the report's exit code", done.returncode, done.stderr)
    return done.stdout


def check_report(scene):
    lines = [json.dumps(record) + "\n" for record in FIRST]
    scene.write("first/steps.jsonl", "".join(lines) + lines[0][:40])
    scene.write("second/steps.jsonl", json.dumps(SECOND[0]) + "\n")
    text = report_of(scene, "first", "second")
    at = 0
    for row in EXPECTED.strip().splitlines():
        place = text.find("\n" + row + "\n", at)
        check(place >= 0, "the report lacks this row here:", row, "\n" + text)
        at = place + 1
    check(f"GPUs: G1, G2; driver 1; cutune 0. {len(FIRST)} steps in {len(FIRST) / 2:.1f} minutes." in text, text)
    scene.write("good/steps.jsonl", "".join(json.dumps(record) + "\n" for record in [FIRST[0], FIRST[2], *FIRST[3:6]]))
    text = report_of(scene, "good")
    for row in ("| largest regret | 0.30% | at most 0.50% | yes |", "| kernels with one answer of all processes | - | all | - |"):
        check("\n" + row + "\n" in text, "the report lacks:", row, "\n" + text)
    scene.write("second/steps.jsonl", "{\n")
    done = subprocess.run([os.path.join(scene.root, "tools/bench/truth"), scene.path("second"), "--report"], capture_output=True, text=True)
    check(done.returncode == 1 and "steps.jsonl:1: not a step" in done.stderr, done.stderr)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as cache:
        for cases in ((check_report,), (check_time,), (check_gap,), (check_short,), (check_steps, check_other_gpu, check_states)):
            with tempfile.TemporaryDirectory() as folder:
                scene = Scene(folder, cache, *sys.argv[1:])
                for case in cases:
                    case(scene)


if __name__ == "__main__":
    main()
