"""Measuring and comparing, with a driver whose work takes set durations (fake_meter.c)."""

from __future__ import annotations

import itertools
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import cutune
import pytest
from cutune import _driver, _measure

#: The resolution of the driver's events.
TICK_NS = 32
HOST_NS = 8000


def kernel(
    gpu: Any, ns: int, *, warm_ns: int | None = None, launches: int = 1, host_ns: int = HOST_NS, stream: int = 0
) -> Callable[[], None]:
    """A function of a framework: some microseconds of the host, then launches."""

    def call() -> None:
        gpu.fake_host(host_ns)
        for _ in range(launches):
            gpu.fake_work(stream, ns, ns if warm_ns is None else warm_ns)

    return call


def synchronising(gpu: Any, ns: int) -> Callable[[], None]:
    work = kernel(gpu, ns, host_ns=40_000)  # longer than the flush

    def call() -> None:
        work()
        gpu.cuStreamSynchronize(0)

    return call


@pytest.mark.parametrize("ns", [2000, 5000, 9000, 40_000, 1_000_000, 5_000_000])
def test_the_time_is_that_of_the_kernel(gpu: Any, ns: int) -> None:
    measured = cutune.measure(kernel(gpu, ns))
    assert measured.held and measured.notes == []
    assert abs(measured.time_ns - ns) <= 2 * TICK_NS
    assert measured.low_ns <= measured.time_ns <= measured.high_ns
    assert measured.tick_ns == TICK_NS and measured.clock_mhz == 1980
    assert gpu.fake_timeouts() == 0


def test_arguments_reach_the_function(gpu: Any) -> None:
    seen = set()

    def call(a: int, b: str) -> None:
        seen.add((a, b))
        gpu.fake_work(0, 5000, 5000)

    cutune.measure(call, 3, "x")
    assert seen == {(3, "x")}


def test_the_cache_is_cold_or_warm(gpu: Any) -> None:
    call = kernel(gpu, 9000, warm_ns=4000)
    assert cutune.measure(call).time_ns == pytest.approx(9000, abs=2 * TICK_NS)
    flushes = gpu.fake_flushes()
    assert cutune.measure(call, cache="warm").time_ns == pytest.approx(4000, abs=2 * TICK_NS)
    assert cutune.compare({"a": call, "b": call}, cache="warm").measurements["b"].time_ns == pytest.approx(4000, abs=2 * TICK_NS)
    assert flushes > 16 * 16  # those of the calibration, and one for each sample


def test_a_function_that_waits_is_measured_unheld(gpu: Any) -> None:
    measured = cutune.measure(synchronising(gpu, 5000))
    assert not measured.held
    assert measured.time_ns > 5000 + 15_000
    assert any("waits for the device" in note for note in measured.notes)
    assert "note: the function waits" in str(measured)
    assert gpu.fake_timeouts() == 2  # two attempts, then none is held


def test_batches_shrink_for_a_slow_host(gpu: Any) -> None:
    measured = cutune.measure(kernel(gpu, 3000, host_ns=10_000_000), samples=16)
    assert measured.held and measured.time_ns == pytest.approx(3000, abs=2 * TICK_NS)
    assert gpu.fake_timeouts() > 0


def test_batches_shrink_for_many_launches(gpu: Any) -> None:
    call = kernel(gpu, 3000, launches=100)
    measured = cutune.measure(call)
    assert measured.held and measured.time_ns == pytest.approx(100 * 3000 + 99 * 1500, rel=1e-3)


def test_more_launches_than_the_queue_has_are_measured_unheld(gpu: Any) -> None:
    gpu.fake_depth(200)
    measured = cutune.measure(kernel(gpu, 3000, launches=300))
    assert not measured.held and "queues more than the stream can hold" in measured.notes[0]


def test_a_host_that_becomes_slow_changes_all_samples(gpu: Any) -> None:
    count = 0

    def call() -> None:
        nonlocal count
        count += 1
        gpu.fake_host(60_000_000 if count > 20 else HOST_NS)
        gpu.fake_work(0, 5000, 5000)

    gpu.fake_noise(0.2)
    measured = cutune.measure(call)
    assert not measured.held and measured.low_ns > 1_000_000  # no sample of the quick host


def test_an_untimed_function_before_each_sample(gpu: Any) -> None:
    restored = False
    wrong = 0

    def restore() -> None:
        nonlocal restored
        restored = True
        gpu.fake_work(0, 100_000, 100_000)

    def call() -> None:
        nonlocal restored, wrong
        wrong += not restored
        restored = False
        gpu.fake_work(0, 5000, 5000)

    assert cutune.measure(call, before=restore).time_ns == pytest.approx(5000, abs=2 * TICK_NS)
    assert wrong == 0


# ---- The rules ----


@pytest.mark.parametrize(
    ("noise", "samples", "stop"),
    [(0.0, 128, "precise"), (0.008, 128, "precise"), (0.5, 4096, "stable"), (0.5, 7, "most")],
)
def test_rules_end_the_series(gpu: Any, noise: float, samples: int, stop: str) -> None:
    gpu.fake_noise(noise)
    measured = cutune.measure(kernel(gpu, 100_000), samples=samples)
    assert measured.stop == stop and 7 <= measured.samples <= samples
    assert measured.low_ns <= measured.time_ns <= measured.high_ns
    assert 100_000 * (1 + 0.2 * noise) - TICK_NS <= measured.time_ns <= 100_000 * (1 + 0.9 * noise) + TICK_NS


def test_ten_repetitions_agree(gpu: Any) -> None:
    gpu.fake_noise(0.01)
    times = [cutune.measure(kernel(gpu, 50_000)).time_ns for _ in range(10)]
    assert max(times) / min(times) < 1.01


def test_options_are_those_of_the_program() -> None:
    options = cutune.options()
    for name in ("samples", "confidence", "target_interval", "cache"):
        assert f"(default: {_measure.measure.__kwdefaults__[name]})" in options[name].help


def test_a_throttled_device(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(_driver, "_EACH_S", 0)
    monkeypatch.setattr(time, "sleep", pauses.append)
    gpu.fake_throttle(3)
    measured = cutune.measure(kernel(gpu, 5000))
    assert pauses == [0.05, 0.1, 0.2] and measured.discarded == 3 * 2 and not measured.throttled
    gpu.fake_throttle(1 << 30)
    measured = cutune.measure(kernel(gpu, 5000))
    assert measured.throttled and "throttled" in str(measured)


# ---- Comparing ----


@pytest.mark.parametrize(
    ("base_ns", "other_ns", "noise", "verdict"),
    [
        (5000, 5250, 0.01, "slower"),
        (5250, 5000, 0.01, "faster"),
        (5000, 5000, 0.0, "tied"),
        (5000, 5010, 0.0, "tied"),  # less than a tick
        (100_000, 105_000, 0.05, "slower"),
        (100_000, 100_000, 0.05, "tied"),
        (1_000_000, 990_000, 0.002, "faster"),
    ],
)
def test_verdicts(gpu: Any, base_ns: int, other_ns: int, noise: float, verdict: str) -> None:
    gpu.fake_noise(noise)
    compared = cutune.compare({"base": kernel(gpu, base_ns), "other": kernel(gpu, other_ns)})
    assert compared.verdicts == {"other": verdict}, str(compared)
    ratio = compared.ratios["other"]
    assert ratio.low <= ratio.median <= ratio.high
    assert ratio.median == pytest.approx(other_ns / base_ns, rel=0.01 + noise / 4)
    assert set(compared.measurements) == {"base", "other"} and compared.baseline == "base"
    assert verdict in str(compared)


def test_functions_are_interleaved(gpu: Any) -> None:
    order: list[str] = []

    def named(name: str) -> Callable[[], None]:
        work = kernel(gpu, 20_000)

        def call() -> None:
            order.append(name)
            work()

        return call

    gpu.fake_noise(0.1)
    for names in ("ab", "abc"):
        order.clear()
        compared = cutune.compare({name: named(name) for name in names})
        count = compared.measurements["a"].samples
        played = order[-count * len(names) :]
        rounds = ["".join(played[i : i + len(names)]) for i in range(0, len(played), len(names))]
        assert {"".join(sorted(each)) for each in rounds} == {names}
        assert {each[0] for each in rounds[:: 16 // len(names)]} == set(names)  # the first of the batches
        assert set(rounds) == {"".join(each) for each in itertools.permutations(names)}


def test_a_drift_affects_all_alike(gpu: Any) -> None:
    """Times grow fourfold meanwhile, and the ratio stays."""
    grown = 1.0

    def call(ns: int) -> None:
        nonlocal grown
        grown = min(grown * 1.01, 4)
        gpu.fake_host(HOST_NS)
        gpu.fake_work(0, int(ns * grown), int(ns * grown))

    compared = cutune.compare({"base": lambda: call(50_000), "other": lambda: call(55_000)})
    assert compared.verdicts == {"other": "slower"} and compared.ratios["other"].median == pytest.approx(1.1, rel=0.02)


def test_a_comparison_with_a_function_that_waits(gpu: Any) -> None:
    compared = cutune.compare({"plain": kernel(gpu, 5000), "waits": synchronising(gpu, 50_000)})
    assert not compared.measurements["plain"].held and compared.verdicts == {"waits": "slower"}
    assert "or some of them, wait for the device" in str(compared)


# ---- Streams ----


class Protocol:
    def __cuda_stream__(self) -> tuple[int, int]:
        return (0, 7)


@pytest.mark.parametrize("stream", [7, Protocol(), types.SimpleNamespace(cuda_stream=7), types.SimpleNamespace(ptr=7)])
def test_streams(gpu: Any, stream: Any) -> None:
    assert cutune.measure(kernel(gpu, 5000, stream=7), stream=stream).time_ns == pytest.approx(5000, abs=2 * TICK_NS)


def test_the_current_stream_of_a_framework(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def torch(initialised: bool) -> Any:
        current = types.SimpleNamespace(cuda_stream=5)
        return types.SimpleNamespace(cuda=types.SimpleNamespace(is_initialized=lambda: initialised, current_stream=lambda: current))

    cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=6)))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert _measure.current_stream() == 6
    monkeypatch.setitem(sys.modules, "torch", torch(False))
    assert _measure.current_stream() == 6
    monkeypatch.setitem(sys.modules, "torch", torch(True))
    assert _measure.current_stream() == 5
    assert cutune.measure(kernel(gpu, 5000, stream=5)).time_ns == pytest.approx(5000, abs=2 * TICK_NS)


@pytest.mark.parametrize("stream", [None, 9])
def test_no_work_on_the_stream(gpu: Any, stream: Any) -> None:
    with pytest.raises(cutune.Error, match="queues no work on the stream") as caught:
        cutune.measure(kernel(gpu, 5000, stream=3), stream=stream)
    assert "stream=" in caught.value.hint


# ---- Errors ----


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"cache": "hot"}, "cache='hot'"),
        ({"samples": 6}, "takes 7 to 4096 samples, not 6"),
        ({"confidence": 1}, "the confidence 1"),
        ({"target_interval": -1}, "the target interval -1"),
        ({"max_time": -1}, "-1 s is not a time limit"),
    ],
)
def test_wrong_options(gpu: Any, keywords: dict[str, Any], message: str) -> None:
    called = False

    def call() -> None:
        nonlocal called
        called = True

    with pytest.raises(cutune.Error, match=message) as caught:
        cutune.measure(call, **keywords)
    assert caught.value.code == cutune.ErrorCode.USAGE and not called


def test_one_function_is_no_comparison(gpu: Any) -> None:
    with pytest.raises(cutune.Error, match="at least two functions, not 1"):
        cutune.compare({"a": kernel(gpu, 5000)})


def test_without_a_driver_or_a_context(gpu: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu.fake_context(0)
    with pytest.raises(cutune.Error, match="no current CUDA context") as caught:
        cutune.measure(kernel(gpu, 5000))
    assert caught.value.code == cutune.ErrorCode.NO_DEVICE
    monkeypatch.setenv("CUTUNE_DRIVER", "libmissing.so")
    with pytest.raises(cutune.Error, match=r"cannot be loaded: libmissing\.so") as caught:
        cutune.measure(kernel(gpu, 5000))
    assert caught.value.code == cutune.ErrorCode.NO_DEVICE


@pytest.mark.parametrize("function", ["cuMemAlloc_v2", "cuModuleLoadData", "cuEventCreate", "cuGraphLaunch", "cuStreamSynchronize"])
def test_errors_of_the_driver_leave_nothing_behind(gpu: Any, function: str) -> None:
    gpu.fake_fail(function.encode(), 700)
    with pytest.raises(cutune.Error, match=f"{function}: CUDA_ERROR_ILLEGAL_ADDRESS") as caught:
        cutune.measure(kernel(gpu, 5000))
    assert caught.value.code == cutune.ErrorCode.DEVICE


def test_an_exception_of_the_function_leaves_nothing_behind(gpu: Any) -> None:
    count = 0

    def call() -> None:
        nonlocal count
        count += 1
        gpu.fake_work(0, 5000, 5000)
        if count == 5:
            raise RuntimeError("of the function")

    with pytest.raises(RuntimeError, match="of the function"):
        cutune.measure(call)
    assert gpu.fake_timeouts() == 0  # the stream was released at once
