"""Cases of run.py: verdicts that depend on the configurations of a run."""
import glob
import os

from support import all_rows_of, check, cutune, tune

WAITING = """
extern "C" __global__ void waiting(float *out, int n)
{
    long long start = clock64();
    while (clock64() - start < TIME)
        ;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}
extern "C" __global__ void ones(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 1.0f;
}
"""
WAITING_SPACE = """space 2
kernel waiting "waiting.cu"
problem N = 1024
param TIME = 2000, 20000, 40000, 80000   # cycles
buffer out float[N] output
args out, int N
block 128
grid ceildiv(N, 128)
reference ones block 128 grid ceildiv(N, 128)
default TIME=2000
"""


def narrowed(folder):
    """A configuration that was stopped early is measured again by a run without the configurations that were faster."""
    for name, text in (("waiting.cu", WAITING), ("waiting.space", WAITING_SPACE)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    tune("--space", "waiting.space", "--set", "TIME=2000", folder=folder)  # the best time is known afterwards
    first = tune("--space", "waiting.space", folder=folder)
    check(first["configuration"] == "TIME=2000" and first["count_slower"] == 3, "not all others stopped early: %s" % first)
    second = tune("--space", "waiting.space", "--set", "TIME=80000,40000,20000", folder=folder)
    print("20,000 cycles: %.4g us, of all: %.4g us" % (second["time_ns"] / 1e3, first["time_ns"] / 1e3))
    check(second["configuration"] == "TIME=20000" and second["unsettled"] == 0, "the winner of three: %s" % second)
    check(second["measured_now"] == 1 and second["count_slower"] == 2, "others were measured again: %s" % second)
    third = tune("--space", "waiting.space", "--config", "TIME=80000", folder=folder)
    ratio = third["time_ns"] / second["time_ns"]
    check(third["measured_now"] == 1 and 2 < ratio < 6, "80,000 cycles take %.3g times as long as 20,000" % ratio)
    row = [row for row in all_rows_of(folder) if row["TIME"] == "80000"][-1]
    check(row["status"] == "ok", "the last row of what was named is %s" % row)
    journal = glob.glob(os.path.join(folder, "cutune.d", "*.csv"))[0]
    done = cutune("--space", "waiting.space", "--replay", journal, "--set", "TIME=40000", folder=folder)
    check(done.returncode == 4 and "stopped early" in done.stderr, "exit status %d: %s" % (done.returncode, done.stderr))
