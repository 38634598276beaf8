"""Times of Python functions that queue work on the GPU, by the engine's rules."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._error import Error, ErrorCode
from ._meter import BATCH, Meter
from ._native import NativeError, NativeEstimate, NativeSeriesRules, check, decode, library
from ._result import time_text
from ._streams import handle

Call = Callable[[], object]
_ROUNDS_MAX = 512

_UNHELD = (
    "the function waits for the device, or queues more than the stream can hold: its time contains latencies of the host",
    "the functions, or some of them, wait for the device, or queue more than the stream can hold: times contain latencies of the host",
)
_THROTTLED = "the device was throttled and did not recover within the time limit"


@dataclass(frozen=True)
class Measurement:
    """The median time of a function's work in ns, with its interval. `stop` is the rule that ended the series. Times that differ by less
    than `tick_ns`, the resolution of the timer, are equal. `overhead_ns` is the time of the events, which each sample lacks. `held`: no
    latency of the host is in the time. `discarded` samples were taken while the device was throttled; `throttled`: so were others that
    count. `clock_mhz` is the lowest clock, if NVML tells it."""

    time_ns: float
    low_ns: float
    high_ns: float
    samples: int
    stop: str
    held: bool
    tick_ns: float
    overhead_ns: float
    discarded: int
    throttled: bool
    clock_mhz: int | None

    @property
    def notes(self) -> list[str]:
        """The reservations about the time."""
        return [note for note, applies in ((_UNHELD[0], not self.held), (_THROTTLED, self.throttled)) if applies]

    def __str__(self) -> str:
        interval = f"interval {time_text(self.low_ns)} to {time_text(self.high_ns)}"
        return "\n".join([f"{time_text(self.time_ns)}, {interval}, {self.samples} samples", *(f"note: {note}" for note in self.notes)])


@dataclass(frozen=True)
class Ratio:
    """The median of a function's time over the baseline's, round by round, with its interval, and what it says: "faster", "slower" or
    "tied"."""

    median: float
    low: float
    high: float
    verdict: str

    def __str__(self) -> str:
        return f"{self.median:.4f} ({self.low:.4f} to {self.high:.4f}), {self.verdict}"


@dataclass(frozen=True)
class Comparison:
    """The functions of a comparison by name: `measurements` has the time of each, and `ratios` compares all but the first, the
    `baseline`, with it."""

    baseline: str
    measurements: dict[str, Measurement]
    ratios: dict[str, Ratio]

    @property
    def verdicts(self) -> dict[str, str]:
        return {name: ratio.verdict for name, ratio in self.ratios.items()}

    def __str__(self) -> str:
        width = max(len(name) for name in self.measurements)
        lines = []
        for name, measurement in self.measurements.items():
            ratio = f"  {self.ratios[name]}" if name in self.ratios else ""
            lines.append(f"{name:<{width}}  {time_text(measurement.time_ns)}{ratio}")
        first = self.measurements[self.baseline]
        notes = ((_UNHELD[1], not first.held), (_THROTTLED, first.throttled))
        return "\n".join(lines + [f"note: {note}" for note, applies in notes if applies])


class Series:
    """Samples until one of the engine's rules ends the series. `estimate` follows each batch."""

    def __init__(self, rules: NativeSeriesRules) -> None:
        self._native, error = ctypes.c_void_p(), NativeError()
        self.estimate = NativeEstimate(batch=2)
        check(library().cutune_series_open(ctypes.byref(self._native), ctypes.byref(rules), ctypes.byref(error)), error)

    def add(self, samples: Sequence[float]) -> None:
        values, error = (ctypes.c_double * len(samples))(*samples), NativeError()
        code = library().cutune_series_add(self._native, values, len(samples), ctypes.byref(self.estimate), ctypes.byref(error))
        check(code, error)

    def __del__(self) -> None:
        if self._native:
            library().cutune_series_close(self._native)
            self._native = ctypes.c_void_p()


def current_stream() -> int:
    """The current stream of torch, else of CuPy, if they use the device; else the default stream."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and torch.cuda.is_initialized():
        return handle(torch.cuda.current_stream())
    return handle(cupy.cuda.get_current_stream()) if cupy is not None else 0


def _meter(calls: Sequence[Call], stream: Any, cache: str, before: Call | None, limit_s: float) -> Meter:
    """The meter for the functions, which run once before: a first call may make the context, compile, and load code."""
    if cache not in ("cold", "warm"):
        raise Error(ErrorCode.USAGE, f"cache={cache!r}: the cache is 'cold' or 'warm'")
    for call in calls:
        if before:
            before()
        call()
    place = current_stream() if stream is None else stream if isinstance(stream, int) else handle(stream)
    return Meter(place, warm=cache == "warm", before=before, limit_s=limit_s)


def _measurement(meter: Meter, series: Series, stop: str) -> Measurement:
    estimate = series.estimate
    if estimate.median <= meter.tick_ns:
        hint = "stream= names the stream that the function uses; the default is the framework's current one"
        raise Error(ErrorCode.VALUE, f"the function queues no work on the stream 0x{meter.stream:x}", hint=hint)
    return Measurement(
        time_ns=estimate.median,
        low_ns=estimate.low,
        high_ns=estimate.high,
        samples=estimate.samples,
        stop=stop,
        held=meter.held,
        tick_ns=meter.tick_ns,
        overhead_ns=meter.overhead_ns,
        discarded=meter.discarded,
        throttled=meter.clock.throttled,
        clock_mhz=meter.clock.lowest_mhz,
    )


def measure(
    function: Callable[..., object],
    *args: Any,
    stream: Any = None,
    cache: str = "cold",
    before: Call | None = None,
    samples: int = 128,
    confidence: float = 0.95,
    target_interval: float = 0.5,
    max_time: float = 1.0,
) -> Measurement:
    """Times the work that `function(*args)` queues on the GPU.

    The stream is the current one of torch or CuPy, else the default stream; `stream` is another, as a handle or an object of a framework.
    With cache="cold" the L2 is flushed before each sample, with "warm" it is as the run before left it. `before()` queues untimed work
    ahead of each sample, such as restoring an input that the function overwrites. The other options are those of the program: at most so
    many samples, the confidence of the interval, half its width in per cent of the median at which the series ends, and the seconds after
    which no more samples are taken than the interval needs."""
    call = functools.partial(function, *args) if args else function
    rules = NativeSeriesRules(confidence, target_interval, max_time, samples)
    Series(rules)  # refuses wrong rules before anything runs
    with _meter([call], stream, cache, before, max_time) as meter:
        meter.prepare([call])
        held, series = meter.held, Series(rules)
        while series.estimate.batch:
            times = meter.run([call] * series.estimate.batch)
            if meter.held == held:
                series.add(times)
            else:  # the host has become slower: all samples are taken in the same way
                held, series = meter.held, Series(rules)
        return _measurement(meter, series, decode(series.estimate.stop))


def _orders(count: int, turns: range) -> list[list[int]]:
    """The functions in the order of each round. Every second one is the round before backwards, and then another function begins.

    >>> _orders(2, range(4)), _orders(3, range(2, 4))
    ([[0, 1], [1, 0], [1, 0], [0, 1]], [[1, 2, 0], [0, 2, 1]])
    """
    orders = [[(i + turn // 2) % count for i in range(count)] for turn in turns]
    return [order[::-1] if turn % 2 else order for turn, order in zip(turns, orders, strict=True)]


def _play(meter: Meter, calls: Sequence[Call], times: Sequence[Series], ratios: Sequence[Series]) -> bool:
    """Times rounds, in each of which every function has a sample next to those of the others. False if the stream cannot be held any
    longer: the rounds are to be played anew."""
    held, played = meter.held, times[0].estimate.samples
    rounds = max(2, BATCH // len(calls))
    turns = range(played // rounds, played // rounds + min(rounds, _ROUNDS_MAX - played))  # each batch, too, begins with another function
    flat = [i for order in _orders(len(calls), turns) for i in order]
    samples: list[list[float]] = [[] for _ in calls]
    for i, time_ns in zip(flat, meter.run([calls[i] for i in flat]), strict=True):
        samples[i].append(time_ns)
    if meter.held != held:
        return False
    for series, own in zip(times, samples, strict=True):
        series.add(own)
    for series, own in zip(ratios, samples[1:], strict=True):
        series.add([time_ns / base_ns for time_ns, base_ns in zip(own, samples[0], strict=True)])
    return True


def _verdict(ratio: NativeEstimate, tick: float) -> str:
    """`tick`: the part of the baseline's time by which the timer cannot tell times apart."""
    if ratio.high + tick < 1:
        return "faster"
    return "slower" if ratio.low - tick > 1 else "tied"


def compare(
    functions: Mapping[str, Call],
    /,
    *,
    stream: Any = None,
    cache: str = "cold",
    before: Call | None = None,
    confidence: float = 0.95,
    target_interval: float = 0.5,
    max_time: float = 1.0,
) -> Comparison:
    """Times functions in turn, so that a drift of the device affects all of them alike. Says which are faster or slower than the first, or
    tied with it, by the interval of the ratio of the times, round by round. Options are those of `measure`; `max_time` is for each
    function."""
    names, calls = list(functions), list(functions.values())
    if len(calls) < 2:
        raise Error(ErrorCode.USAGE, f"a comparison needs at least two functions, not {len(calls)}")
    rules = NativeSeriesRules(confidence, target_interval, max_time * len(calls), _ROUNDS_MAX)
    Series(rules)
    with _meter(calls, stream, cache, before, max_time * len(calls)) as meter:
        meter.prepare(calls)
        times, ratios = [Series(rules) for _ in calls], [Series(rules) for _ in calls[1:]]
        while any(series.estimate.batch for series in ratios):
            if not _play(meter, calls, times, ratios):
                times, ratios = [Series(rules) for _ in calls], [Series(rules) for _ in calls[1:]]
        stop = decode(ratios[-1].estimate.stop)
        measurements = {name: _measurement(meter, series, stop) for name, series in zip(names, times, strict=True)}
    tick = meter.tick_ns / measurements[names[0]].time_ns
    made = {
        name: Ratio(r.estimate.median, r.estimate.low, r.estimate.high, _verdict(r.estimate, tick))
        for name, r in zip(names[1:], ratios, strict=True)
    }
    return Comparison(names[0], measurements, made)
