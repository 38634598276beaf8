"""Kernel Tuner's functions: the space of a call, the engine's options, results in its form, and calls for the original. With the package
installed, the table of arguments is held against its functions."""

from __future__ import annotations

import inspect
import json
import os
import pathlib
import subprocess
import sys
import types
from typing import Any

import cutune
import cutune.kernel_tuner as kernel_tuner
import numpy
import pytest
from cutune._program import command
from cutune.kernel_tuner import _metrics, _results, _space, _tables, _written

from ..conftest import ROOT

COUNT = 1000
VALUES = numpy.arange(COUNT, dtype=numpy.float32)
SOURCE = """
extern "C" __global__ void twice(float *out, const float *in, int count) { out[0] = in[0] * block_size_x; }
"""


def call(**changes: Any) -> dict[str, Any]:
    """All arguments of a call of tune_kernel."""
    arguments = [numpy.zeros_like(VALUES), VALUES, numpy.int32(COUNT)]
    given = {"kernel_name": "twice", "kernel_source": SOURCE, "problem_size": COUNT, "arguments": arguments, "lang": "CUDA"}
    given |= {"tune_params": {"block_size_x": [64, 128]}, "answer": [2 * VALUES, None, None], "quiet": True}
    defaults = {name: p.default for name, p in inspect.signature(kernel_tuner.tune_kernel).parameters.items()}
    return {**defaults, **given, **changes}


def space_of(folder: pathlib.Path, **changes: Any) -> list[str]:
    return _space.make_space(call(**changes), str(folder), _space.Way()).space.text.splitlines()


def choose(name: str, first: int, value: int, other: int) -> str:
    """An expression that is `value` where the parameter has its first value."""
    return f"({name} == {first} ? {value} : {other})"


GRIDS = {"tune_params": {"block_size_x": [64, 128], "tile": [1, 4]}, "problem_size": (COUNT, 30)}
WORDS = {"block_size_x": [64], "type": ["float", "double"], "factor": [0.5, 2.0]}

#: An argument, other arguments, and statements of the space.
SPACES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("kernel_name", {}, ['kernel twice "kernel.cu"']),
    ("kernel_name", {"kernel_source": SOURCE.replace('extern "C"', "")}, ['kernel "twice" "kernel.cu"']),
    ("kernel_name", {"kernel_name": "twice<block_size_x>"}, ['kernel twice<block_size_x> "kernel.cu"']),
    ("kernel_source", {"kernel_source": lambda p: SOURCE}, ["kernel twice", 'source command "sh sources.sh"']),
    (
        "kernel_source",
        {"kernel_source": lambda p: SOURCE.replace("1", str(p["block_size_x"]))},
        ['source command "sh sources.sh" using block_size_x'],
    ),
    ("problem_size", {}, ["grid ceildiv(1000, block_size_x), 1, 1"]),
    ("problem_size", {"problem_size": (COUNT, 30)}, ["grid ceildiv(1000, block_size_x), 30, 1"]),
    ("problem_size", {"problem_size": numpy.int64(64)}, ["grid ceildiv(64, block_size_x), 1, 1"]),
    (
        "problem_size",
        {"problem_size": "block_size_x * 3 // 2"},
        ["grid 2, 1, 1"],
    ),
    (
        "problem_size",
        {"problem_size": lambda p: (4 * p["block_size_x"] + 1, 2)},
        ["grid 5, 2, 1"],
    ),
    ("grid_div_x", {"grid_div_x": ["block_size_x", "tile"], **GRIDS}, ["grid ceildiv(1000, block_size_x * tile), 30, 1"]),
    ("grid_div_x", {"grid_div_x": [], **GRIDS}, ["grid 1000, 30, 1"]),
    ("grid_div_x", {"grid_div_x": [lambda p: 2 * p["tile"]], **GRIDS}, [f"grid {choose('tile', 1, 500, 125)}, 30, 1"]),
    ("grid_div_y", {"grid_div_y": ["tile", 2], **GRIDS}, ["grid ceildiv(1000, block_size_x), ceildiv(30, tile * 2), 1"]),
    ("grid_div_z", {"grid_div_z": ["tile"], **GRIDS}, ["grid ceildiv(1000, block_size_x), 30, ceildiv(1, tile)"]),
    ("arguments", {}, ["args arg0_out, arg1_in, int 1000", 'buffer arg0_out float[1000] file("arg0_out.npy") inout']),
    (
        "arguments",
        {"arguments": [numpy.zeros_like(VALUES), VALUES[:0], numpy.int32(COUNT)], "answer": None},
        ["args arg0_out, null, int 1000"],
    ),
    ("tune_params", {}, ["param block_size_x = 64, 128"]),
    ("tune_params", {"tune_params": WORDS}, ["param type = float, double", "param factor = 0.5, 2.0"]),
    ("tune_params", {"tune_params": {"block_size_x": [64], "x": [True, False]}}, ["param x = True, False"]),
    ("tune_params", {"tune_params": {"block_size_x": [64], "x": ["unsigned int", "int"]}}, ["param x = cutune_c75d301f1ba7, int"]),
    ("restrictions", {"restrictions": ["block_size_x % 128 == 0"]}, ["require block_size_x % 128 == 0", "default block_size_x=128"]),
    ("restrictions", {"restrictions": lambda p: p["block_size_x"] > 64}, ["require cutune_combination_0 in {1}"]),
    ("restrictions", {"restrictions": [lambda block_size_x: block_size_x > 64]}, ["require cutune_combination_0 in {1}"]),
    ("restrictions", {"restrictions": [(lambda block_size_x: block_size_x > 64, ["block_size_x"])]}, ["default block_size_x=128"]),
    ("restrictions", {"restrictions": "str(block_size_x)[0] == '1'"}, ["require cutune_combination_0 in {1}"]),
    (
        "restrictions",
        {"restrictions": "x == False or block_size_x > 64", "tune_params": {"block_size_x": [64, 128], "x": [True, False]}},
        ["let cutune_combination_0 = 1 * (x == False) + 2 * (block_size_x == 128)", "require cutune_combination_0 in {1..3}"],
    ),
    ("answer", {}, ['reference arg0_out file("arg0_out_expected.npy")']),
    ("answer", {"answer": None}, ["reference default note", "tolerance rel 1e-05 abs 1e-06"]),
    ("atol", {}, ["tolerance rel 1e-05 abs 1e-06"]),
    ("atol", {"atol": 0.5}, ["tolerance rel 1e-05 abs 0.5"]),
    ("smem_args", {"smem_args": {"size": 64}}, ["shared 64"]),
    ("smem_args", {"smem_args": {"size": "block_size_x*4"}}, [f"shared {choose('block_size_x', 64, 256, 512)}"]),
    ("smem_args", {"smem_args": {"size": lambda p: 4 * p["block_size_x"]}}, [f"shared {choose('block_size_x', 64, 256, 512)}"]),
    ("cmem_args", {"cmem_args": {"weights": VALUES[:9]}}, ["constant weights = constant_weights"]),
    ("compiler_options", {"compiler_options": ["-std=c++17"]}, ['option "-std=c++17"']),
    ("defines", {}, ["param block_size_x = 64, 128"]),
    ("defines", {"defines": {"block_size_x": "block_size_x", "count": 3}}, ["define count = 3"]),
    ("defines", {"defines": {"count": lambda p: 2}}, ['param block_size_x as "cutune_block_size_x" = 64, 128', "host block_size_x"]),
    ("block_size_names", {"block_size_names": ["n"], "tune_params": {"n": [32, 64]}}, ["block n, 1, 1", "grid ceildiv(1000, n), 1, 1"]),
    ("block_size_names", {"tune_params": {"BLOCK_SIZE_X": [32, 64]}}, ["block BLOCK_SIZE_X, 1, 1"]),
    ("block_size_names", {"tune_params": {"n": [32, 64]}}, ["block 256, 1, 1", "define block_size_x = 256", "host n"]),
]  # fmt: skip


@pytest.mark.parametrize(("argument", "changes", "statements"), SPACES, ids=[f"{row[0]}-{i}" for i, row in enumerate(SPACES)])
def test_the_space(fake: str, folder: pathlib.Path, argument: str, changes: dict[str, Any], statements: list[str]) -> None:
    found = space_of(folder, **changes)
    assert not [statement for statement in statements if statement not in found], found


#: An argument, a value, and options of the engine.
OPTIONS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("device", {"device": 3}, {"device": 3}),
    ("seed", {"seed": 7}, {"seed": 7}),
    ("parallel", {"parallel": True}, {"device": "all"}),
    ("parallel", {"parallel": 2}, {"device": [0, 1]}),
    ("iterations", {"iterations": 7}, {"samples": 128}),
    ("iterations", {"iterations": 1000}, {"samples": 1000}),
    ("strategy", {"strategy": None}, {"strategy": "exhaustive"}),
    ("strategy", {"strategy": "brute_force"}, {"strategy": "exhaustive"}),
    ("strategy", {"strategy": "genetic_algorithm"}, {"strategy": "auto"}),
    ("strategy_options", {"strategy_options": {"max_fevals": 9, "time_limit": 5}}, {"max_evals": 9, "max_time": 5}),
    ("strategy_options", {"strategy": "cutune", "strategy_options": {"strategy": "random"}}, {"strategy": "random"}),
]


@pytest.mark.parametrize(("argument", "changes", "options"), OPTIONS)
def test_options(argument: str, changes: dict[str, Any], options: dict[str, Any]) -> None:
    assert options.items() <= kernel_tuner._options(call(**changes), "").items()


#: An argument, a value that is not served, and a part of the reason.
ORIGINALS: list[tuple[str, dict[str, Any], str]] = [
    ("kernel_source", {"kernel_source": ["mine.cu", lambda p: SOURCE]}, "a function makes a header"),
    ("kernel_source", {"kernel_source": "missing.cu"}, "cannot open missing.cu"),
    ("lang", {"lang": "OpenCL"}, "the language is OpenCL"),
    ("lang", {"lang": None, "kernel_source": "void f() {}"}, "no __global__ function"),
    ("arguments", {"arguments": [numpy.zeros(4), 0.5, numpy.int32(1)], "answer": None}, "neither an array nor a number with a type"),
    ("tune_params", {"tune_params": {"nvml_gr_clock": [1000]}}, "nvml_gr_clock is a setting"),
    ("tune_params", {"tune_params": {"cuda_sm_percentage": [50]}}, "cuda_sm_percentage is a setting"),
    ("tune_params", {"tune_params": {"block_size_x": [64], "x": [(1, 2)]}}, "neither a number nor a text of one line"),
    ("answer", {"answer": {0: VALUES}}, "neither a list nor a tuple"),
    ("platform", {"platform": 1}, "no platforms"),
    ("texmem_args", {"texmem_args": {"t": VALUES}}, "texture references"),
    ("compiler", {"compiler": "gcc"}, "host code"),
    ("defines", {"defines": {"text": "a + b"}}, "neither a number nor a word"),
    ("strategy", {"strategy": object()}, "an object"),
    ("strategy", {"strategy": "mine"}, "no strategy by name"),
    ("strategy_options", {"strategy": "pso", "strategy_options": {"popsize": 4}}, "popsize"),
    ("simulation_mode", {"simulation_mode": True}, "simulation"),
    ("observers", {"observers": [object()]}, "object looks at launches"),
    ("observers", {"observers": [type("NCUObserver", (), {"metrics": ["sm__other.sum"]})()]}, "NCUObserver measures sm__other.sum"),
    ("objective", {"objective": "energy"}, "neither the time nor a metric"),
    ("objectives", {"objectives": {"GB/s": True}, "metrics": {"GB/s": "block_size_x/time"}, "strategy": "pso"}, "time alone"),
    ("smem_args", {"smem_args": {"other": 3}}, "other is unknown"),
    ("compiler_options", {"compiler_options": ['-DX="a"']}, "a quote"),
    ("restrictions", {"restrictions": [type("MaxProd", (), {"__module__": "constraint.constraints"})()]}, "a constraint of a solver"),
]


@pytest.mark.parametrize(("argument", "changes", "reason"), ORIGINALS, ids=[f"{row[0]}-{i}" for i, row in enumerate(ORIGINALS)])
def test_calls_for_the_original(
    fake: str, argument: str, changes: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the package, the call goes there as it is, with a line; without it, the error names the argument."""
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    given = call(**changes)
    with pytest.raises(cutune.Error) as caught:
        kernel_tuner.tune_kernel(**given)
    named = "objective" if argument == "objectives" else argument
    assert f"the argument {named}:" in caught.value.message and reason in caught.value.message
    package = types.ModuleType("kernel_tuner")
    package.tune_kernel = lambda **arguments: ("original", sorted(arguments))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "kernel_tuner", package)
    name, arguments = kernel_tuner.tune_kernel(**given)
    given_names = {name for name, value in changes.items() if value is not None}
    assert name == "original" and given_names <= set(arguments) and "device" not in arguments
    message = capsys.readouterr().err
    assert message.startswith(f"cutune: tune_kernel goes to Kernel Tuner because of {named}: ") and message.count("\n") == 1


# ---- Runs on the fake device ----


def tune(kernels: str, **changes: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    return kernel_tuner.tune_kernel(**call(kernel_source=kernels, **changes))


def test_results_have_the_keys_of_kernel_tuner(fake: str, kernels: str) -> None:
    metrics = {"GB/s": f"8e-6 * {COUNT} / time", "double": lambda p: 2 * p["GB/s"]}
    results, env = tune(kernels, metrics=metrics, restrictions=["block_size_x > 64"], tune_params={"block_size_x": [64, 128, 256]})
    assert [result["block_size_x"] for result in results] == [128, 256]
    parts = ["framework_time", "strategy_time", "compile_time", "verification_time", "benchmark_time"]
    for result in results:
        assert sorted(result) == sorted(["block_size_x", "time", "times", *metrics, *parts, "timestamp"])
        assert result["time"] == 0.01 and result["GB/s"] == pytest.approx(0.8) and result["double"] == pytest.approx(1.6)
    assert env["best_config"] in results and env["device_name"] == "Fake GPU" and env["compute_capability"] == "90"
    assert env["cutune"] == {"timing": "median, cold", "verified": True, "differing": [], "journal": ""}
    assert {f"total_{part}" for part in parts} <= set(env) and env["iterations"] == 7


def test_a_source_in_files(fake: str, kernels: str, folder: pathlib.Path) -> None:
    (folder / "mine.cu").write_text('#include "mine.h"\n')
    (folder / "mine.h").write_text(kernels)
    for source in ("mine.cu", pathlib.Path("mine.cu"), ["mine.cu", "mine.h"]):
        results, _ = tune(source)  # type: ignore[arg-type]
        assert len(results) == 2


def test_a_source_of_a_function(fake: str) -> None:
    """The function is called once for each combination of the parameters that it reads."""
    calls: list[int] = []
    scripted = (
        (ROOT / "tests/unit/device/scripted.cu").read_text().replace("fake_kernels.cu", str(ROOT / "tests/unit/device/fake_kernels.cu"))
    )

    def source(p: Any) -> str:
        calls.append(p["TIME"])
        return scripted.replace("TEXT(TIME)", f'"{p["TIME"]}"')

    parameters: dict[str, Any] = {**FAULTS, "TIME": [5000, 6000], "FAULT": ["none"], "ASIDE": [0, 1]}
    results, _ = tune(source, tune_params=parameters, block_size_names=["SIZE"])  # type: ignore[arg-type]
    assert {(result["TIME"], result["ASIDE"]): result["time"] for result in results} == {
        (5000, 0): 0.005, (5000, 1): 0.005, (6000, 0): 0.006, (6000, 1): 0.006
    }  # fmt: skip
    assert set(calls) == {5000, 6000} and len(calls) <= 3


FAULTS: dict[str, list[Any]] = {
    "TIME": [5000], "FAULT": ["none", "wrong", "kill", "refuse", "broken"], "FROM": [1], "ASIDE": [0], "SHARED": [0]
}  # fmt: skip


def test_failures_have_the_classes_of_kernel_tuner(fake: str) -> None:
    source = str(ROOT / "tests/unit/device/scripted.cu")
    results, env = tune(source, tune_params=FAULTS, block_size_names=["SIZE"])
    found = {result["FAULT"]: str(result.get("__error__", "")) for result in results}
    assert found == {
        "none": "",
        "wrong": "RuntimeFailedConfig",
        "kill": "RuntimeFailedConfig",
        "refuse": "RuntimeFailedConfig",
        "broken": "CompilationFailedConfig",
    }
    assert env["best_config"]["FAULT"] == "none" and "time" not in results[1]


@pytest.mark.parametrize(
    ("status", "registers", "name"),
    [
        ("pruned_limit", "", "CompilationFailedConfig"),
        ("pruned_limit", "255", "RuntimeFailedConfig"),
        ("timeout", "", "RuntimeFailedConfig"),
        ("duplicate", "8", None),
    ],
)
def test_the_classes_of_failures(status: str, registers: str, name: str | None) -> None:
    assert _results._failure({"status": status, "registers": registers}) == name


def test_a_wrong_answer_is_detected_and_a_missing_one_said(fake: str, kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    results, env = tune(kernels, answer=[3 * VALUES, None, None])
    assert [str(result["__error__"]) for result in results] == ["RuntimeFailedConfig"] * 2 and "__error__" in env["best_config"]
    _, env = tune(kernels, answer=None, quiet=False)
    assert env["cutune"]["verified"] is False and "without an answer, nothing verifies" in capsys.readouterr().err


def test_outputs_without_an_answer_are_held_against_the_first(
    fake: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Differences are notes; outputs that nothing can be held against are not compared."""
    monkeypatch.setattr(kernel_tuner, "_said", set())
    source = str(ROOT / "tests/unit/device/scripted.cu")
    options: dict[str, Any] = {"answer": None, "quiet": False, "block_size_names": ["SIZE"]}
    results, env = tune(source, tune_params={**FAULTS, "FAULT": ["none", "wrong"]}, **options)
    assert not any("__error__" in result for result in results) and env["cutune"]["verified"] is False
    assert [each["FAULT"] for each in env["cutune"]["differing"]] == ["wrong"]
    said = capsys.readouterr().err
    assert "held against those of the first configuration" in said and "the outputs of 1 configurations differ" in said
    results, env = tune(source, tune_params={**FAULTS, "FAULT": ["refuse", "none"]}, **options)
    assert ["__error__" in result for result in results] == [True, False] and env["cutune"]["differing"] == []


@pytest.mark.parametrize(
    ("changes", "decides"),
    [
        ({}, True),
        ({"objective": "time", "objective_higher_is_better": True}, False),
        ({"objective": "GB/s", "metrics": {"GB/s": lambda p: 8 / p["time"]}}, True),
        ({"objective": "GFLOP/s", "metrics": {"seconds": "time / 1e3", "GFLOP/s": "2 / seconds"}}, True),
        ({"objective": "GB/s", "metrics": {"GB/s": lambda p: p["block_size_x"] / p["time"]}}, False),
        ({"objective": "GB/s", "metrics": {"GB/s": lambda p: (p["time"] - 1) ** 2}}, False),
        ({"objective": "cost", "metrics": {"cost": lambda p: p["nvml_energy"]}}, False),
        ({"objectives": {"time": False, "GB/s": True}, "metrics": {"GB/s": "1 / time"}}, False),
    ],
)
def test_objectives_that_the_time_decides(changes: dict[str, Any], decides: bool) -> None:
    assert _metrics.time_decides(call(**changes)) is decides


def test_long_tables_are_read(fake: str, folder: pathlib.Path) -> None:
    """Functions of many uneven values, and of many results."""
    parameters = {"block_size_x": [32, 64], "square": [i * i for i in range(1500)], "word": ["a", "b", "c"]}

    def allowed(p: Any) -> bool:
        return bool(p["square"] % 7 == 0 and p["word"] != "b")

    sizes = {"size": lambda p: 4 * (p["square"] % 997) + p["block_size_x"]}
    made = _space.make_space(call(tune_params=parameters, restrictions=[allowed], smem_args=sizes), str(folder), _space.Way())
    text = command("check", made.path)
    expected = 2 * 2 * sum(value % 7 == 0 for value in parameters["square"])
    assert f"valid         {expected}" in text, text[:800]


def test_a_cache_is_kept_and_reused(fake: str, kernels: str, folder: pathlib.Path) -> None:
    first, _ = tune(kernels, cache="kept")
    header = json.loads((folder / "kept.json").read_text())
    assert header["tune_params_keys"] == ["block_size_x"] and header["cutune_timing"] == "median, cold"
    assert header["cache"]["64"]["time"] == first[0]["time"] and header["device_name"] == "Fake GPU"
    lines: list[str] = []
    again, env = tune(kernels, cache="kept")
    assert [result["benchmark_time"] for result in again] == [result["benchmark_time"] for result in first], lines
    assert os.path.isfile(env["cutune"]["journal"])
    with pytest.raises(ValueError, match="different problem_size"):
        tune(kernels, cache="kept", problem_size=7)


OLD = {
    "device_name": "Old GPU", "kernel_name": "twice", "problem_size": COUNT, "tune_params_keys": ["block_size_x"],
    "cache": {"64": {"block_size_x": 64, "time": 1.0}, "128": {"block_size_x": 128, "__error__": "RuntimeFailedConfig"}},
}  # fmt: skip


def test_a_cache_of_other_times_is_prior_knowledge(
    fake: str, kernels: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stays as it is, and results are in a file beside it."""
    old = json.dumps(OLD)
    (folder / "old.json").write_text(old)
    for _ in range(2):
        results, _ = tune(kernels, cache="old", strategy="pso")
        assert [result["time"] for result in results] == [0.01, 0.01]
    assert (folder / "old.json").read_text() == old and "guide a search" in capsys.readouterr().err
    assert json.loads((folder / "old.median.json").read_text())["cutune_timing"] == "median, cold"
    monkeypatch.setattr(kernel_tuner, "timing", "mean of 7, warm")
    tune(kernels, cache="old")
    assert json.loads((folder / "old.mean.json").read_text())["cutune_timing"] == "mean of 7, warm"
    (folder / "old.json").write_text("[]")
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    with pytest.raises(cutune.Error, match=r"the argument cache: .* is no cache file"):
        tune(kernels, cache="old.json")


def test_the_journal_of_a_cache(folder: pathlib.Path) -> None:
    (folder / "old.json").write_text(json.dumps(OLD)[:-2])
    journal = cutune.Journal(_results.journal_of(str(folder / "old.json"), call(), str(folder)))
    assert [row[:2] for row in journal.cells()] == [["64", "ok"], ["128", "launch_error"]] and journal.device == "Old GPU"
    assert journal.cells()[0][journal.columns.index("time_ns")] == "1000000"


def test_the_timing(fake: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_tuner, "timing", "mean of 7, warm")
    parameters: dict[str, Any] = {"tune_params": {**FAULTS, "TIME": [5000, 40000], "FAULT": ["none"]}, "block_size_names": ["SIZE"]}
    results, env = tune(str(ROOT / "tests/unit/device/scripted.cu"), cache="kept", **parameters)
    assert env["cutune"]["timing"] == "mean of 7, warm" and [result["time"] for result in results] == [0.005, 0.04]
    noisy = _results._result({"status": "ok", "time_ns": "5000", "mean_ns": "7000", "compile_ns": "", "measure_ns": ""}, "mean_ns")
    assert noisy["time"] == 0.007 and noisy["times"] == [0.007]
    assert [result["times"] for result in results] == [[0.005] * 7, [0.04] * 7]
    frame = cutune.Journal(env["cutune"]["journal"]).frame()
    assert list(frame["status"]) == ["ok", "ok"] and list(frame["samples"]) == [7, 7]
    monkeypatch.setattr(kernel_tuner, "timing", "best of 3")
    with pytest.raises(ValueError, match="'median, cold', 'mean of 7, warm': 'best of 3'"):
        tune(kernels)


def test_objectives(fake: str, kernels: str) -> None:
    metrics = {"large": "block_size_x", "small": "-block_size_x"}
    _, env = tune(kernels, metrics=metrics, objective="large", objective_higher_is_better=True)
    assert env["best_config"]["block_size_x"] == 128
    _, env = tune(kernels, metrics=metrics, objectives={"small": True, "large": True})
    assert [result["block_size_x"] for result in env["best_config"]] == [64, 128]
    with pytest.raises(ValueError, match="objective_higher_is_better"):
        tune(kernels, metrics=metrics, objective="large")


def test_registers(fake: str, kernels: str) -> None:
    observer = type("RegisterObserver", (), {})()
    results, _ = tune(kernels, observers=[observer])
    assert all(isinstance(result["num_regs"], int) for result in results)


def test_messages(fake: str, kernels: str, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    tune(kernels, quiet=True)
    assert capsys.readouterr() == ("", "")
    tune(kernels, quiet=False, log="WARNING")
    text = capsys.readouterr().out
    assert [record.message for record in caplog.records if record.message.startswith("block_size_x=64, time=0.010ms")]
    assert "block_size_x=64, time=0.010ms" in text and "BEST PERFORMING CONFIGURATION FOR OBJECTIVE time:" in text
    tune(kernels, verbose=True)
    assert "block_size_x=64" in capsys.readouterr().err


def test_a_source_that_never_compiles_goes_to_the_original(fake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    broken = {**FAULTS, "FAULT": ["broken"]}
    with pytest.raises(cutune.Error, match="the argument kernel_source: no configuration compiles"):
        tune(str(ROOT / "tests/unit/device/scripted.cu"), tune_params=broken, block_size_names=["SIZE"])


def test_nothing_valid(fake: str, kernels: str) -> None:
    assert tune(kernels, restrictions=["block_size_x > 4096"]) == ([], {})


# ---- The two ways in ----


SCRIPT = """
import sys
from kernel_tuner import tune_kernel
from kernel_tuner.interface import tune_kernel as same
assert tune_kernel is same and tune_kernel.__module__ == "cutune.kernel_tuner", tune_kernel.__module__
print(sys.argv[1], __name__)
"""


def test_scripts_run_unchanged(folder: pathlib.Path) -> None:
    """The package stands in a folder: the runner replaces its two functions in both modules."""
    package = folder / "site" / "kernel_tuner"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .interface import run_kernel, tune_kernel\n")
    (package / "interface.py").write_text("def tune_kernel(): pass\ndef run_kernel(): pass\n")
    (folder / "script.py").write_text(SCRIPT)
    path = os.pathsep.join([str(folder / "site"), str(ROOT / "tools/python")])
    words = [sys.executable, "-m", "cutune.kernel_tuner", "script.py", "word"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.stdout == "word __main__\n", done.stderr


def test_scripts_run_without_the_package(folder: pathlib.Path) -> None:
    """This module then stands for it, and an argument that is not served is an error."""
    (folder / "script.py").write_text("from kernel_tuner import tune_kernel\ntune_kernel('f', 'f', 1, [], {}, platform=1)\n")
    (folder / "kernel_tuner.py").write_text("raise ImportError('not installed')\n")
    path = os.pathsep.join([str(folder), str(ROOT / "tools/python")])
    words = [sys.executable, "-B", "-m", "cutune.kernel_tuner", "script.py"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "tune_kernel does not serve the argument platform: CUDA has no platforms" in done.stderr


# ---- Texts of the source, and tables ----


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("a[0] = b[1];", "b"),
        ("a[b[0]] += 2 * b[i].x;", "b"),
        ("if (b[0] == a[1]) c(&n);", "ab"),
        ("a[0]++; b[1] <<= 2;", ""),
        ("float *p = b; *a = 1;", ""),
        ("atomicAdd(&a[0], b[0]);", "b"),
        ("a[0].x = b[0] && b[1];", "b"),
        ("a[0] = b[0][1]; // b = 3", ""),
    ],
)
def test_arrays_that_a_kernel_only_reads(body: str, read: str) -> None:
    source = f"__global__ void f(float *a, float *__restrict__ b, int n) {{ {body} }}"
    assert "".join(sorted(_written.only_read(source, "f"))) == read


def test_tables() -> None:
    tables = _tables.Tables({"a": [1, 2, 3], "b": ["x", "y"]})
    assert tables.condition(lambda p: p["a"] > 1, "restrictions") == "cutune_combination_0 in {1..2}"
    assert tables.condition(lambda p: p["a"] > 0, "restrictions") == ""
    assert tables.condition(lambda p: p["a"] == 1 or p["b"] == "y", "restrictions") == "cutune_combination_1 in {0..1, 3, 5}"
    assert tables.number(lambda p: p["b"], "defines", str) == "(b == x ? x : y)"
    assert tables.number(lambda p: 2 if p["a"] == 2 and p["b"] == "x" else 1, "defines") == "(a == 2 ? (b == x ? 2 : 1) : 1)"
    assert tables.number(lambda p: 7 - p["a"] // 2, "defines") == "(a == 1 ? 7 : 6)"
    assert tables.lets["cutune_combination_0"] == "1 * ((a - 1) / 1)"
