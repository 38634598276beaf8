"""Times work of the caller on a stream, as the engine does: held batches, a flush of the L2 before each sample, times without events."""

from __future__ import annotations

import ctypes
import itertools
import time
from collections.abc import Callable, Sequence
from types import TracebackType

from ._driver import Clock, Driver

#: Samples of a batch, and the work behind it: without that, the last runs of a held batch would follow each other faster.
BATCH = 16
_HOLD_NS = 50_000_000  # longer than queueing takes; a hold that lasts longer ends by itself
_SETTLE_FLUSHES, _SETTLE_LOOKS, _SETTLE_LEAST_S, _SETTLE_MOST_S, _SETTLED = 8, 4, 0.02, 1.0, 0.01
_CALIBRATION, _SHORT_GRAPH, _LONG_GRAPH = 16 * BATCH, 20, 40
_DISCARDS_MAX = 6  # then a throttled device is measured as it is
_PAUSE_S = 0.05  # after a throttled batch; doubles after each further one
_HOLDS = 2  # attempts: code that is loaded meanwhile ends the first hold

#: cutune_hold waits until *released reaches a number, for a limit in ns. cutune_store takes the least time of a kernel with a result.
_PTX = b"""\
.version 6.0
.target sm_52
.address_size 64

.visible .entry cutune_hold(.param .u64 released, .param .u32 number, .param .u64 limit)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %d<6>;
    ld.param.u64 %d1, [released];
    ld.param.u32 %r1, [number];
    ld.param.u64 %d2, [limit];
    mov.u64 %d3, %globaltimer;
again:
    mov.u64 %d4, %globaltimer;
    ld.volatile.u32 %r2, [%d1];
    sub.s32 %r3, %r2, %r1;
    setp.ge.s32 %p1, %r3, 0;
    @%p1 bra done;
    sub.u64 %d5, %d4, %d3;
    setp.lt.u64 %p2, %d5, %d2;
    @%p2 bra again;
done:
    ret;
}

.visible .entry cutune_store(.param .u64 word)
{
    .reg .b32 %r<2>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [word];
    mov.u32 %r1, 1;
    st.u32 [%d1], %r1;
    ret;
}
"""

Call = Callable[[], object]


class Meter:
    """A meter on a stream of the current context. `warm`: the L2 is not flushed, and each run follows an untimed one. `before` queues
    untimed work ahead of each run. `held` says if the stream can be held while runs are queued, which `prepare` finds out.

    The caller's `limit_s` bounds the time that is spent on waiting for a throttled device."""

    def __init__(self, stream: int, *, warm: bool = False, before: Call | None = None, limit_s: float = 1.0) -> None:
        self.driver = Driver()
        self.stream, self.warm, self.before = stream, warm, before
        self.held, self.discarded = True, 0
        self.overhead_ns, self.tick_ns = 0.0, 1.0
        self._until_s = time.monotonic() + limit_s
        self._depth, self._number = BATCH, 0
        self._freed: list[tuple[str, int]] = []
        self.clock = Clock(self.driver.bus())

    def __enter__(self) -> Meter:
        driver = self.driver
        try:
            self._wait()
            self._flush_bytes = driver.l2_bytes() or 4 << 20
            self._flush = self._own("cuMemFree_v2", driver.made("cuMemAlloc_v2", self._flush_bytes))
            host, self._released = driver.mapped(4)
            self._flag = ctypes.c_uint.from_address(self._own("cuMemFreeHost", host))
            self._flag.value = 0
            module = self._own("cuModuleUnload", driver.made("cuModuleLoadData", _PTX))
            self._hold_kernel = driver.made("cuModuleGetFunction", module, b"cutune_hold")
            self._store_kernel = driver.made("cuModuleGetFunction", module, b"cutune_store")
            self._events = [self._own("cuEventDestroy_v2", driver.made("cuEventCreate", 0)) for _ in range(2 * BATCH + 2)]
            self._gate, self._spare = self._events[-2:]
            self._calibrate()
        except BaseException:
            self._free()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._free()

    def _own(self, function: str, handle: int) -> int:
        self._freed.append((function, handle))
        return handle

    def _free(self) -> None:
        while self._freed:
            self.driver.free(*self._freed.pop())

    # ---- Queueing ----

    def _store(self) -> None:
        self.driver.launch(self._store_kernel, self.stream, ctypes.c_ulonglong(self._flush))

    def _clear(self, value: int) -> None:
        self.driver.call("cuMemsetD8Async", self._flush, value, self._flush_bytes, self.stream)

    def _record(self, event: int) -> None:
        self.driver.call("cuEventRecord", event, self.stream)

    def _wait(self) -> None:
        self.driver.call("cuStreamSynchronize", self.stream)

    def _hold(self) -> None:
        self._number += 1
        self.driver.launch(
            self._hold_kernel,
            self.stream,
            ctypes.c_ulonglong(self._released),
            ctypes.c_uint(self._number),
            ctypes.c_ulonglong(_HOLD_NS),
        )
        self._record(self._gate)

    def _release(self) -> None:
        self._flag.value = self._number

    def _queue_run(self, i: int, call: Call, untimed: bool) -> None:
        if untimed:
            call()
        if self.before:
            self.before()
        if not self.warm:
            self._clear(i)
        self._record(self._events[2 * i])
        call()
        self._record(self._events[2 * i + 1])

    def _queue(self, calls: Sequence[Call], held: bool) -> bool:
        """Queues a batch and waits for it. False if the hold ended before all of it was queued."""
        kept = True
        try:
            if held:
                self._hold()
            for i, call in enumerate(calls):
                self._queue_run(i, call, self.warm and (i == 0 or calls[i - 1] is not call))
            for _ in range(BATCH if held else 0):
                self._record(self._spare)
                self._store()
            kept = not held or not self.driver.done(self._gate)
        finally:
            self._release()
            self._wait()
        return kept

    # ---- Calibration ----

    def _settle(self) -> None:
        """Keeps the device busy until the time of a flush is stable, which shows that the clocks are."""
        looks: list[float] = []
        start_s = time.monotonic()
        while (passed_s := time.monotonic() - start_s) < _SETTLE_MOST_S:
            last = looks[-_SETTLE_LOOKS:]
            if passed_s >= _SETTLE_LEAST_S and len(last) == _SETTLE_LOOKS and max(last) - min(last) <= _SETTLED * max(last):
                break
            self._record(self._events[0])
            for value in range(_SETTLE_FLUSHES):
                self._clear(value)
            self._record(self._events[1])
            self._wait()
            looks.append(self.driver.elapsed_ns(*self._events[:2]))

    def _elapsed(self, count: int) -> list[float]:
        return [self.driver.elapsed_ns(self._events[2 * i], self._events[2 * i + 1]) for i in range(count)]

    def _typical(self, call: Call) -> tuple[float, list[float]]:
        """The interquartile mean of a calibration's samples, which is finer than a tick, and the samples in order."""
        samples: list[float] = []
        while len(samples) < _CALIBRATION:
            self._queue([call] * BATCH, held=True)
            samples += self._elapsed(BATCH)
        samples.sort()
        middle = samples[_CALIBRATION // 4 : -_CALIBRATION // 4]
        return sum(middle) / len(middle), samples

    def _typical_of_graph(self, launches: int) -> float:
        driver = self.driver
        graph = self._own("cuGraphDestroy", driver.captured(self.stream, self._store, launches))
        executable = self._own("cuGraphExecDestroy", driver.made("cuGraphInstantiateWithFlags", graph, 0))
        return self._typical(lambda: driver.call("cuGraphLaunch", executable, self.stream))[0]

    def _calibrate(self) -> None:
        """Measures what a pair of events adds to a kernel's time: the time of a pair around the shortest kernel, less the time that a
        graph takes for each further such kernel. The tick is the least difference between two samples."""
        caller, before, warm = self.stream, self.before, self.warm
        self.stream, self.before = self._own("cuStreamDestroy_v2", self.driver.stream()), None
        try:
            self._queue([self._store], held=False)  # loads the kernel
            self._settle()
            pair_ns, samples = self._typical(self._store)
            self.warm = True
            own_ns = (self._typical_of_graph(_LONG_GRAPH) - self._typical_of_graph(_SHORT_GRAPH)) / (_LONG_GRAPH - _SHORT_GRAPH)
            self.overhead_ns = max(pair_ns - own_ns, 0.0)
            self.tick_ns = min((b - a for a, b in itertools.pairwise(samples) if b > a), default=1.0)
        finally:
            self.stream, self.before, self.warm = caller, before, warm

    # ---- Measuring ----

    def prepare(self, calls: Sequence[Call]) -> None:
        """Runs each once, so that only later runs are timed, and finds out if the stream can be held while they are queued. It cannot if
        one waits for the device, or queues more than a hold takes."""
        for call in calls:
            self._queue([call], held=False)
            self.held = self.held and any(self._queue([call], held=True) for _ in range(_HOLDS))

    def run(self, calls: Sequence[Call]) -> list[float]:
        """The times of these runs in ns, in batches of which each was queued before it began. Where a hold has ended too early, the
        batch is repeated in smaller ones; if not even one run can be held any longer, `held` becomes False."""
        samples: list[float] = []
        while len(samples) < len(calls):
            batch = calls[len(samples) : len(samples) + self._depth]
            if not self._unthrottled(batch):
                self.held = len(batch) > 1
                self._depth = max(1, len(batch) // 2)
                continue
            samples += [max(elapsed_ns - self.overhead_ns, self.tick_ns) for elapsed_ns in self._elapsed(len(batch))]
        return samples

    def _unthrottled(self, batch: Sequence[Call]) -> bool:
        """Runs a batch, repeatedly while the device is throttled and the time limit allows it."""
        for discards in range(_DISCARDS_MAX + 1):
            if not self._queue(batch, self.held):
                return False
            self.clock.look()
            pause_s = _PAUSE_S * 2**discards
            if not self.clock.throttled or discards == _DISCARDS_MAX or time.monotonic() + pause_s >= self._until_s:
                break
            self.discarded += len(batch)
            time.sleep(pause_s)
        return True
