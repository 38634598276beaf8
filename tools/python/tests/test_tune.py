"""Tuning: results, sizes and options, interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import cutune
import numpy
import pytest


def test_a_replay_has_all_of_a_result(recorded: str) -> None:
    result = cutune.tune(replay=recorded, progress=False)
    assert result.best == {"TILE": 64, "BLOCK_ROWS": 16, "PAD": 1, "SWIZZLE": 0, "VEC": 4, "UNROLL": 2, "SWAP_GRID": 1}
    assert result.low_ns <= result.time_ns <= result.high_ns and 1.6 < result.speedup < 1.62
    assert len(result.tied) == 3 and result.best not in result.tied
    assert result.default["TILE"] == 32 and result.problem == {"ROWS": 8192, "COLS": 8192}
    assert result.replayed and not result.interrupted and result.kernel == "transpose"
    frame = result.frame()
    assert len(frame["TILE"]) == 1062 and set(numpy.asarray(frame["status"])) == {"ok", "slower"}
    assert numpy.asarray(frame["time_ns"]).dtype.kind in "if"
    assert "133.0 us" in str(result) and "133.0 us" in repr(result)


def test_the_front_of_energies() -> None:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    result = cutune.tune(replay=os.path.join(root, "tests/unit/formats/journal-1-energy.csv"), progress=False)
    front = result.front()
    assert [row["front"] for row in front] == [True, True]
    assert [row["configuration"]["TIME"] for row in front] == [1000000, 1200000]
    assert front[0]["time_ns"] < front[1]["time_ns"] and front[0]["energy_j"] > front[1]["high_j"]
    assert set(result.frame()["status"]) == {"ok"}
    assert [result.weighted(weight)["TIME"] for weight in (0, 0.1, 0.3, 1)] == [1000000, 1000000, 1200000, 1200000]
    with pytest.raises(cutune.Error, match="expected a number from 0 to 1"):
        result.weighted(1.5)
    with open(result.header("twice_tuned.h", prefer="weight=0.3"), encoding="utf-8") as file:
        assert "#define TWICE_TIME 1200000" in file.read()


def test_a_result_in_a_notebook(recorded: str) -> None:
    page = cutune.tune(replay=recorded, progress=False)._repr_html_()
    assert "1.61 times as fast as the default" in page and page.count("<svg") == 1 and "polyline points" in page


def test_reports_and_headers(recorded: str) -> None:
    result = cutune.tune(replay=recorded, progress=False)
    with open(result.report("report.html"), encoding="utf-8") as file:
        assert "<html" in file.read(2000)
    with open(result.header("transpose_tuned.h", prefix="fast"), encoding="utf-8") as file:
        assert "#define FAST_SWAP_GRID 1" in file.read()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"ROW": 3}, "ROW is neither an option of cutune nor a problem size of the space; did you mean ROWS?"),
        ({"maxtime": 3}, "maxtime is neither an option of cutune nor a problem size of the space; did you mean max_time?"),
        ({"format": "csv"}, "format is no keyword of tune"),
    ],
)
def test_unknown_keywords_are_type_errors(keywords: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        cutune.tune("transpose", progress=False, **keywords)
    assert message in str(caught.value)


def test_a_space_or_a_journal_is_needed() -> None:
    with pytest.raises(TypeError, match="needs a space"):
        cutune.tune()


def test_without_a_device_the_error_says_so() -> None:
    with pytest.raises(cutune.Error) as caught:
        cutune.tune("transpose", ROWS=64, COLS=64, progress=False)
    assert caught.value.code == cutune.ErrorCode.NO_DEVICE


WORKING = {"set": {"FAULT": "none", "FROM": 1, "SHARED": 0}, "strategy": "exhaustive", "explain": False}


def test_a_device_is_tuned(scripted: str) -> None:
    result = cutune.tune(scripted, progress=False, **WORKING)
    assert result.best["TIME"] == 5000 and result.time_ns == 5000 and result.speedup == 1.2
    assert result.space is not None and result.space.problems == {"N": "1000"}
    assert cutune.Database().best("twice", cutune.Device("Fake GPU"), N=1000).rule == "problem"
    with open(result.header("tuned.h"), encoding="utf-8") as file:
        assert "twice_tuned_select" in file.read()
    assert "winner TIME=5000" in result.explain(neighbours=0)
    again = cutune.tune(scripted, progress=False, **WORKING)
    assert again.row["measured_now"] == 0


def test_the_working_folder_may_change(scripted: str, tmp_path: os.PathLike[str]) -> None:
    result = cutune.tune(scripted, progress=False, **WORKING)
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    assert len(result.frame()["TIME"]) == 6


def test_several_sizes_are_swept(scripted: str) -> None:
    results = cutune.sweep(scripted, N=[500, 1000], progress=False, **WORKING)
    assert [result.problem["N"] for result in results] == [500, 1000]
    with pytest.raises(TypeError, match="sweep"):
        cutune.tune(scripted, N=[500, 1000], progress=False, **WORKING)


def test_nothing_valid(scripted: str) -> None:
    with pytest.raises(cutune.Error) as caught:
        cutune.tune(scripted, progress=False, set={"FAULT": "wrong", "FROM": 1, "SHARED": 0, "TIME": 5000}, explain=False)
    assert caught.value.code == cutune.ErrorCode.NOTHING_VALID


def test_interruption_keeps_what_is_measured(scripted: str) -> None:
    """One SIGINT to this process, as Ctrl-C sends it, in the middle of a run; the same call resumes."""
    lines: list[str] = []

    def interrupt(line: str) -> None:
        lines.append(line)
        if line.startswith(("ok", "slower", "duplicate")) and len(lines) < 100:
            lines.extend([""] * 100)
            threading.Timer(0.0, os.kill, (os.getpid(), signal.SIGINT)).start()

    slow = {**WORKING, "set": {"FAULT": ["none", "spin"], "FROM": 1}, "timeout": 2}
    with pytest.raises(cutune.Interrupted) as caught:
        cutune.tune(scripted, progress=interrupt, verbose=True, **slow)
    assert "resumes" in str(caught.value)
    assert caught.value.result is None or caught.value.result.interrupted
    result = cutune.tune(scripted, progress=False, **WORKING)
    assert result.best["TIME"] == 5000


def test_the_engine_ends_with_its_caller(scripted: str) -> None:
    """After SIGKILL of the caller, the engine ends with the configuration under way; the run would take much longer."""
    code = (
        "import cutune; print('begun', flush=True); "
        f"cutune.tune({scripted!r}, set={{'FAULT': 'spin'}}, timeout=2, explain=False, progress=False)"
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(cutune.__file__))}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as caller:
        assert caller.stdout is not None
        caller.stdout.readline()
        engine = ""
        for _ in range(100):
            children = f"/proc/{caller.pid}/task/{caller.pid}/children"
            with open(children, encoding="ascii") as file:
                engine = file.read().strip()
            if engine and os.path.exists("cutune.d"):
                break
            time.sleep(0.05)
        assert engine
        caller.kill()
    for _ in range(120):
        try:
            with open(f"/proc/{engine}/stat", encoding="ascii") as file:
                if file.read().split()[2] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.1)
    raise AssertionError("the engine still runs")


def test_threads_tune_at_once(recorded: str) -> None:
    results: list[cutune.Result] = []
    threads = [
        threading.Thread(target=lambda seed=seed: results.append(cutune.tune(replay=recorded, progress=False, seed=seed)))
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.best["TILE"] for result in results] == [64] * 4
