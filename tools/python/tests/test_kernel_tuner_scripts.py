"""The driver that compares scripts by cutune and by Kernel Tuner."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

DRIVER = pathlib.Path(__file__).resolve().parents[2] / "bench" / "kernel_tuner_scripts.py"
SCRIPT = """
import sys
import numpy
from kernel_tuner import tune_kernel
source = '__global__ void add(float *c, float *a, int n) { int i = blockIdx.x * block_size_x + threadIdx.x; if (i < n) c[i] = a[i]; }'
a = numpy.ones(1000, dtype=numpy.float32)
for _ in range(int(sys.argv[1])):
    tune_kernel("add", source, 1000, [numpy.zeros_like(a), a, numpy.int32(1000)], {"block_size_x": [64, 128]}, quiet=True)
"""
LINE = SCRIPT.splitlines().index(next(line for line in SCRIPT.splitlines() if "tune_kernel(" in line)) + 1


Record = dict[str, object]


def drive(folder: pathlib.Path, *words: str) -> str:
    command = [sys.executable, "-B", str(DRIVER), "--results", str(folder / "runs.jsonl"), *words]
    environment = {**os.environ, "CUTUNE_FAKE": "any_kernel=1"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def record(mode: str, *calls: Record, status: int | None = 0) -> Record:
    timing = "mean of 7, warm" if mode == "cutune" else ""
    end = {"status": status, "seconds": 9.0, "reasons": ["lang: the language is C"], "last": "no\nmemory", "shown": 3, "said": ""}
    made = [{"function": "tune_kernel", "line": LINE, **call} for call in calls]
    return {"script": "add 1", "mode": mode, "timing": timing, "calls": made, **end}


def done(times: dict[int, float], **further: object) -> Record:
    results = [{"configuration": [str(size)], "time": time, "error": 0.001} for size, time in times.items()]
    return {"state": "done", "seconds": 2.0, "results": results, "keys": ["block_size_x", "time"], **further}


OURS, OTHER, TIED = done({64: 1.0, 128: 2.0}), done({64: 2.0, 128: 1.0}), done({64: 1.0, 128: 1.01})
CUT: Record = {"state": "unfinished"}
ROWS = {
    "same": (record("cutune", OURS), record("package", done({64: 1.1, 128: 2.0})), "served | 2 | same | same | 2.0 | 2.0 |  |"),
    "tied here": (record("cutune", TIED), record("package", OTHER), "| tied, 1.0% and 100.0% apart |"),
    "another": (record("cutune", OURS), record("package", OTHER), "| differ, 100.0% and 100.0% apart |"),
    "other configurations": (record("cutune", OURS), record("package", done({64: 1.0})), "| differ: 2 and 1 | same | same |"),
    "other keys": (record("cutune", OURS), record("package", done({64: 1.0, 128: 2.0}, keys=["time"])), "| differ: block_size_x | same |"),
    "a loop": (record("cutune", OURS, OURS), record("package", OURS, done({64: 9.0, 128: 2.0})), "1 same; 1 differ"),
    "original": (record("cutune", done({64: 1.0}, original=True)), record("package", OURS), "| original |"),
    "the package fails": (record("cutune", OURS), record("package", {"state": "raised", "error": "E: no"}), "| the package: E: no |"),
    "ours fails": (record("cutune", {"state": "raised", "error": "E: no"}), record("package", OURS), "| failed |"),
    "not called": (record("cutune"), record("package"), "| not called |"),
    "never reached": (record("cutune", status=1), record("package", OURS), "| failed |  |  |  |  | 2.0 | no memory |"),
    "too long": (record("cutune", CUT, status=None), record("package", OURS), "| unfinished, 3 configurations of this script |"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_runs_with_a_line_are_not_repeated(tmp_path: pathlib.Path, name: str) -> None:
    ours, theirs, row = ROWS[name]
    (tmp_path / "add.py").write_text(SCRIPT)
    (tmp_path / "runs.jsonl").write_text(f"{json.dumps(ours)}\n{json.dumps(theirs)}\n")
    said = drive(tmp_path, f"{tmp_path}/add.py 1")
    assert row in said, said
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == 2


def test_calls_that_the_package_runs_are_counted(tmp_path: pathlib.Path) -> None:
    (tmp_path / "add.py").write_text(SCRIPT)
    runs = [record("cutune", OURS), record("package", {"state": "raised", "error": "E"})]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    counts = "1 calls: 1 served, 0 to the package, 0 failed. The package itself runs 0: 0 served"
    assert counts in drive(tmp_path, f"{tmp_path}/add.py 1")


@pytest.mark.skipif(not os.environ.get("CUTUNE_FAKE_PROGRAM"), reason="needs the fake device")
def test_a_script_runs_on_the_engine(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTUNE_PROGRAM", os.environ["CUTUNE_FAKE_PROGRAM"])
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "add.py").write_text(SCRIPT)
    said = drive(tmp_path, "--cutune-only", f"{tmp_path}/scripts/add.py 2")
    assert f"| add 2:{LINE} | served |" in said
    (run,) = (json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines())
    assert [call["state"] for call in run["calls"]] == ["done", "done"]
    assert [row["configuration"] for row in run["calls"][0]["results"]] == [["64"], ["128"]]
