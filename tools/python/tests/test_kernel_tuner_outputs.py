"""Kernel Tuner's calls that need the caller's process during a run: functions that judge outputs, observers, arguments that depend on the
configuration, and sources and restrictions on demand."""

from __future__ import annotations

import pathlib
import re
import sys
import types
from collections import UserDict
from typing import Any

import cutune
import numpy
import pytest
from cutune.kernel_tuner import _arguments, _observers

from ..conftest import ROOT
from .test_kernel_tuner import COUNT, FAULTS, VALUES, call, tune

SCRIPTED = str(ROOT / "tests/unit/device/scripted.cu")
WRONG: dict[str, Any] = {"tune_params": {**FAULTS, "FAULT": ["none", "wrong"]}, "block_size_names": ["SIZE"]}


def test_verify_gets_the_outputs_of_each_configuration(fake: str) -> None:
    seen: list[Any] = []

    def verify(answer: Any, results: Any, atol: Any = None) -> Any:
        seen.append((answer[0].item(), [type(each) for each in results], results[0].shape, results[0].dtype, atol))
        return numpy.isclose(answer[0], results[0].sum(), rtol=1e-8)

    arguments = [numpy.zeros((10, 100), numpy.float32), VALUES, numpy.int32(COUNT)]
    total = (2 * VALUES).astype(numpy.float32).reshape(10, 100).sum()
    results, env = tune(SCRIPTED, verify=verify, answer=[total, None, None], atol=1e-3, arguments=arguments, **WRONG)
    assert [str(result.get("__error__", "")) for result in results] == ["", "RuntimeFailedConfig"]
    assert set(map(str, seen)) == {str((total.item(), [numpy.ndarray, type(None), type(None)], (10, 100), VALUES.dtype, 1e-3))}
    assert env["cutune"]["verified"] is True


def test_verify_without_an_answer_gets_all_arrays(fake: str, kernels: str) -> None:
    def verify(answer: Any, results: Any, atol: Any = None) -> bool:
        return answer is None and bool((results[0] == 2 * results[1]).all()) and results[2] is None

    results, _ = tune(kernels, verify=verify, answer=None)
    assert not any("__error__" in result for result in results) and len(results) == 2


def test_an_exception_of_verify_is_said(fake: str, kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    def verify(answer: Any, results: Any, atol: Any = None) -> bool:
        raise LookupError("no such thing")

    results, _ = tune(kernels, verify=verify)
    assert [str(result["__error__"]) for result in results] == ["RuntimeFailedConfig"] * 2
    assert "a function of the call raised LookupError: no such thing" in capsys.readouterr().err


def test_expected_nan_is_equal_to_nan(fake: str, kernels: str) -> None:
    holes = numpy.where(VALUES % 7 == 0, numpy.nan, VALUES).astype(numpy.float32)
    arguments = [numpy.zeros_like(VALUES), holes, numpy.int32(COUNT)]
    results, env = tune(kernels, arguments=arguments, answer=[2 * holes, None, None])
    assert not any("__error__" in result for result in results) and env["cutune"]["verified"]
    results, _ = tune(kernels, arguments=arguments, answer=[3 * holes, None, None])
    assert all("__error__" in result for result in results)


class Tunable(UserDict[Any, Any]):
    """An argument that depends on the configuration, with the interface that Kernel Tuner has for it."""

    def __init__(self, name: str, values: dict[Any, Any]) -> None:
        super().__init__(values)
        self.name = name

    def select_for_configuration(self, params: Any) -> Any:
        return self.data[params[self.name]]


class OutputObserver:
    pass


class Error(OutputObserver):
    """An observer of outputs, with the interface that Kernel Tuner has for it."""

    def process_output(self, answer: Any, outputs: Any) -> None:
        self.error = float(numpy.abs(answer[0] - outputs[0]).max())

    def get_results(self) -> dict[str, float]:
        return {"error": self.error}


PARAMETERS: dict[str, Any] = {"block_size_x": [64], "data": ["once", "twice"]}
INPUT = Tunable("data", {"once": VALUES, "twice": 2 * VALUES})
OUTPUTS = Tunable("data", {"once": numpy.zeros(COUNT, numpy.float32), "twice": numpy.ones(COUNT, numpy.float32)})


def test_tunable_arguments(fake: str, kernels: str) -> None:
    """Each configuration has its own launch. The answer may depend on it, too."""
    arguments = [OUTPUTS, INPUT, numpy.int32(COUNT)]
    results, _ = tune(kernels, arguments=arguments, tune_params=PARAMETERS)
    assert {result["data"]: str(result.get("__error__", "")) for result in results} == {"once": "", "twice": "RuntimeFailedConfig"}
    answer = Tunable("data", {"once": [2 * VALUES, None, None], "twice": [4 * VALUES, None, None]})
    results, env = tune(kernels, arguments=arguments, tune_params=PARAMETERS, answer=answer)
    assert not any("__error__" in result for result in results) and len(results) == 2 and env["cutune"]["verified"]


def test_observers_of_outputs(fake: str, kernels: str) -> None:
    metrics = {"twofold": lambda p: 2 * p["error"]}
    arguments = [OUTPUTS, INPUT, numpy.int32(COUNT)]
    results, _ = tune(kernels, arguments=arguments, tune_params=PARAMETERS, observers=[Error()], metrics=metrics)
    assert {result["data"]: (result["error"], result["twofold"]) for result in results} == {"once": (0, 0), "twice": (1998, 3996)}


def test_clocks_and_temperatures(fake: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTUNE_FAKE", "nvml=1 celsius=55")
    observer = type("NVMLObserver", (), {"observables": ["core_freq", "temperature"], "save_all": False})()
    results, _ = tune(kernels, observers=[observer])
    assert all(result["core_freq"] == 1000 and result["temperature"] == 55 for result in results), results


def repeated(*observables: str) -> types.SimpleNamespace:
    return types.SimpleNamespace(observables=list(observables), continuous_duration=0.5)


def test_power_and_energy(fake: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The finalists of a play-off have them, too, although their last rows have not."""
    monkeypatch.setenv("CUTUNE_FAKE", "nvml=1 watts=350")
    members = {"observables": ["temperature"], "save_all": False, "continuous_observer": repeated("nvml_power", "nvml_energy")}
    observer = type("NVMLObserver", (), members)()
    results, _ = tune(kernels, observers=[observer], metrics={"GFLOPS/W": lambda p: 1 / p["nvml_energy"]}, objective="GFLOPS/W")
    for result in results:
        assert result["nvml_power"] == pytest.approx(350, rel=0.02) and result["GFLOPS/W"] > 0
        assert result["nvml_energy"] == pytest.approx(result["nvml_power"] * 1e-5)
        assert result["temperature"] == result["pwr_temperature"] == 40
    monkeypatch.setenv("CUTUNE_FAKE", "nvml=1")
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    with pytest.raises(cutune.Error, match="the argument observers: NVML has no counter of energy"):
        tune(kernels, observers=[observer])


COUNTERS = ["dram__bytes.sum", "dram__bytes_read.sum", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"]


def test_hardware_counters(fake: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each configuration that has a time has them."""
    observer = type("NCUObserver", (), {"metrics": COUNTERS})()
    monkeypatch.setenv("CUTUNE_FAKE", "cupti=1")
    results, _ = tune(kernels, observers=[observer], metrics={"flops": lambda p: p[COUNTERS[2]]})
    blocks = {64: 16, 128: 8}
    assert {r["block_size_x"]: [r[name] for name in [*COUNTERS, "flops"]] for r in results} == {
        size: [2000 * count, 1000 * count, 1000 * count, 1000 * count] for size, count in blocks.items()
    }
    monkeypatch.setenv("CUTUNE_FAKE", "cupti=1 cupti_result=35")
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    with pytest.raises(cutune.Error, match="the argument observers: hardware counters cannot be read"):
        tune(kernels, observers=[observer])


def test_the_metrics_are_those_of_the_engine() -> None:
    text = (ROOT / "tuner/device/counters.def").read_text(encoding="utf-8")
    rows = re.findall(r'COUNTER\((\w+),\s*"([^"+]+)",\s*"",\s*([\d.]+)\)', text)
    several = set(re.findall(r'COUNTER\((\w+),\s*"[^"]*\+"', text))  # the item is a sum on some chips
    assert {metric: (item, float(scale)) for item, metric, scale in rows if item not in several} == _observers.METRICS


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"continuous_observer": repeated("power_readings")}, "power_readings, which this engine"),
        ({"observables": ["mem_freq"]}, "mem_freq"),
        ({"save_all": True}, "a value for each launch"),
    ],
)
def test_other_quantities_go_to_the_original(fake: str, kernels: str, members: dict[str, Any], reason: str) -> None:
    observer = type("NVMLObserver", (), {"observables": ["core_freq"], "save_all": False, **members})()
    with pytest.raises(_arguments.NotServed, match=reason):
        _arguments.refuse("tune", call(observers=[observer]))


def test_strategies_by_module(fake: str, kernels: str, capsys: pytest.CaptureFixture[str]) -> None:
    module = types.ModuleType("kernel_tuner.strategies.firefly_algorithm")
    results, _ = tune(kernels, strategy=module)
    assert len(results) == 2 and "replaces the strategy firefly_algorithm" in capsys.readouterr().err


def test_sources_on_demand(fake: str) -> None:
    """A function that reads more combinations than are tabulated is called for each evaluated configuration."""
    text = pathlib.Path(SCRIPTED).read_text().replace("fake_kernels.cu", str(ROOT / "tests/unit/device/fake_kernels.cu"))
    made: list[int] = []

    def source(p: Any) -> str:
        made.append(p["TIME"])
        if p["TIME"] == 5003:
            raise LookupError("no such text")
        return text.replace("TEXT(TIME)", f'"{p["TIME"] + 1}"')

    parameters: dict[str, Any] = {**FAULTS, "TIME": list(range(5000, 10000)), "FAULT": ["none"]}
    restrictions = ["TIME < 5006", "TIME % 2 == 1"]
    results, _ = tune(source, tune_params=parameters, block_size_names=["SIZE"], restrictions=restrictions)  # type: ignore[arg-type]
    assert [(result["TIME"], result.get("time")) for result in results] == [(5001, 0.005002), (5003, None), (5005, 0.005006)]
    assert str(results[1]["__error__"]) == "CompilationFailedConfig" and {5001, 5003, 5005} <= set(made)


def test_restrictions_on_demand(fake: str, kernels: str) -> None:
    """A function that reads more than a million combinations is called for each evaluated configuration."""
    parameters: dict[str, Any] = {"block_size_x": [64, 128], **{name: list(range(11)) for name in "ABCDEF"}}
    limits = [f"{name} < 1" for name in "ABCDE"] + ["F < 2"]
    results, env = tune(kernels, tune_params=parameters, restrictions=[*limits, lambda p: sum(p.values()) != 65])
    assert [(result["block_size_x"], result["F"]) for result in results] == [(64, 0), (128, 0), (128, 1)]
    assert not any("__error__" in result for result in results) and env["best_config"] in results


def test_an_array_that_the_text_seems_to_read_only(fake: str, kernels: str) -> None:
    """The engine finds the write, and the call runs again."""
    kernel = (
        kernels
        + """
#define twice double_in_place
#if 0
__global__ void double_in_place(float *data, int count) { if (data[0]) count = 1; }
__global__ void double_in_place(float *out) { out[0] = 1; }
#endif
"""
    )
    results, _ = tune(kernel, kernel_name="double_in_place", arguments=[VALUES.copy(), numpy.int32(COUNT)], answer=None)
    assert len(results) == 2 and not any("__error__" in result for result in results)
