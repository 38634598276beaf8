"""cutune.measure and cutune.compare on a GPU, beside CUPTI's kernel times (torch.profiler) and triton.testing.do_bench.

    python_measure.py [CUTUNE LIBCUTUNE]

Prints a table of times, then a row PASS or FAIL for each property; exits with 1 if one fails, and with 77 without PyTorch or a GPU.
CuPy and Triton take part where they are."""
import os
import statistics
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "dev")
EXPONENTS = (10, 16, 20, 22, 23, 24, 25, 26, 28, 29)  # of the elements; 2 us to 1 ms on an H200. torch splits larger arrays
LONG_ELEMENTS = 5 << 28  # of 8 bytes: 5 ms there
CUPTI_SAMPLES = 50
# A kernel's time by events and by CUPTI begins and ends at slightly different points.

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None
else:
    @triton.jit
    def triton_twice(out, x, count, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, 2 * tl.load(x + at, mask=at < count), mask=at < count)

failures = 0


def report(passed, text):
    global failures
    failures += not passed
    print("%s  %s" % ("PASS" if passed else "FAIL", text), flush=True)


def functions_of(torch):
    """Returns functions by name: each queues one kernel that doubles an array."""
    free, _ = torch.cuda.mem_get_info()
    functions = {}
    for count in [1 << exponent for exponent in EXPONENTS]:
        if 8 * count > free * 0.6:
            continue
        x = torch.empty(count, device="cuda").fill_(1)
        out = torch.empty_like(x)
        functions["torch.mul %d" % count] = lambda x=x, out=out: torch.mul(x, 2, out=out)
        free -= 8 * count
    if triton:
        for count, dtype in ((1 << 10, torch.float32), (1 << 24, torch.float32), (LONG_ELEMENTS, torch.int64)):
            if 2 * dtype.itemsize * count > free * 0.6:
                continue
            x = torch.ones(count, device="cuda", dtype=dtype)
            out = torch.empty_like(x)
            grid = (triton.cdiv(count, 1024),)
            functions["triton %d" % count] = lambda x=x, out=out, grid=grid: triton_twice[grid](out, x, x.numel(), BLOCK=1024)
    return functions


def cupti_us(torch, function):
    """The median of CUPTI's times of the function's kernel, each behind a flush of the L2 like cutune's."""
    from torch.profiler import ProfilerActivity, profile
    flush = torch.empty(torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    function()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as profiler:
        for _ in range(CUPTI_SAMPLES):
            flush.zero_()
            function()
        torch.cuda.synchronize()
    times = [event.time_range.elapsed_us() for event in profiler.events() if event.device_type == torch.autograd.DeviceType.CUDA
             and ("MulFunctor" in event.name or "BinaryFunctor" in event.name or "AUnaryFunctor" in event.name
                  or "triton_twice" in event.name)]
    return statistics.median(times) if len(times) >= CUPTI_SAMPLES // 2 else float("nan")


def print_times(torch, cutune, functions):
    """Measures each function in all ways. CUPTI comes last, because it may stay attached and slow later launches."""
    measured, took_ms, benched, cupti = {}, {}, {}, {}
    for name, function in functions.items():
        start = time.monotonic()
        measured[name] = cutune.measure(function)
        took_ms[name] = 1e3 * (time.monotonic() - start)
    for name, function in functions.items():
        benched[name] = 1e3 * triton.testing.do_bench(function, return_mode="median") if triton else float("nan")
    for name, function in functions.items():
        cupti[name] = cupti_us(torch, function)
    print("%-24s %10s %10s %8s %9s %7s %-8s %10s %8s" % ("function, times in us", "CUPTI", "measure", "diff", "interval", "samples",
                                                       "stop", "do_bench", "took ms"))
    for name, m in measured.items():
        us = m.time_ns / 1e3
        print("%-24s %10.3f %10.3f %+8.3f %8.2f%% %7d %-8s %10.3f %8.1f" % (
            name, cupti[name], us, us - cupti[name], 50 * (m.high_ns - m.low_ns) / m.time_ns, m.samples, m.stop, benched[name],
            took_ms[name]))
    print("tick %.0f ns, lowest clock %s MHz" % (m.tick_ns, m.clock_mhz), flush=True)
    for name, m in measured.items():
        us = m.time_ns / 1e3
        report(m.held and not m.notes, "%s: measure %.3f us, CUPTI %.3f us" % (name, us, cupti[name]))


def repeat(cutune, functions):
    for name, function in functions.items():
        times = [cutune.measure(function) for _ in range(10)]
        us = [m.time_ns / 1e3 for m in times]
        spread, tick = (max(us) - min(us)) / statistics.median(us), times[0].tick_ns / 1e3
        print("      %s: ten repetitions %.3f to %.3f us, spread %.2f%%, a tick is %.2f%%" % (
            name, min(us), max(us), 100 * spread, 100 * tick / statistics.median(us)))


def attribute(cutune, functions):
    """Finds the cause by which repetitions of short functions differ. It may be the calibration of each call, or it may vary between series
    of one meter. If it is the device's state, the shortest kernel shares it when its runs lie between those of the function."""
    from cutune._measure import current_stream
    from cutune._meter import Meter

    def spread_ns(values):
        return max(values) - min(values)

    for name in ("torch.mul %d" % (1 << exponent) for exponent in (10, 20, 23)):
        function = functions[name]
        measured = [cutune.measure(function) for _ in range(10)]
        times, overheads = [m.time_ns for m in measured], [m.overhead_ns for m in measured]
        print("      %s: ten calls spread %.0f ns, their overheads %.0f ns, without subtraction %.0f ns; clocks %s MHz" % (
            name, spread_ns(times), spread_ns(overheads), spread_ns([a + b for a, b in zip(times, overheads)]),
            sorted({m.clock_mhz for m in measured}, key=str)))
        with Meter(current_stream()) as meter:
            meter.prepare([function])
            print("      %s: ten series of one meter spread %.0f ns" % (
                name, spread_ns([statistics.median(meter.run([function] * 64)) for _ in range(10)])))
        differences = []
        for _ in range(10):
            with Meter(current_stream()) as meter:
                meter.prepare([function])
                samples = meter.run([function, meter._store] * 64)
                differences.append(statistics.median(samples[0::2]) - statistics.fmean(sorted(samples[1::2])[16:-16]))
        print("      %s: over the shortest kernel, interleaved, ten meters spread %.0f ns" % (name, spread_ns(differences)), flush=True)


def synchronise(torch, cutune):
    x = torch.ones(1 << 20, device="cuda")
    plain = cutune.measure(torch.mul, x, 2)

    def waits():
        torch.mul(x, 2)
        torch.cuda.synchronize()

    for name, function in (("synchronize()", waits), (".item()", lambda: x.sum().item())):
        m = cutune.measure(function)
        report(not m.held and len(m.notes) == 1 and m.time_ns > plain.time_ns, "%s: %s" % (name, str(m).replace("\n", "; ")))
    report(plain.held, "a function that allocates its result is held: %s" % plain)


def compare(torch, cutune):
    for count in (1 << 20, 1 << 24, 1 << 26):
        sizes = {"base": count, "5% more": count + count // 20, "equal": count}
        arrays = {name: (torch.ones(size, device="cuda"), torch.empty(size, device="cuda")) for name, size in sizes.items()}
        functions = {name: (lambda x=x, out=out: torch.mul(x, 2, out=out)) for name, (x, out) in arrays.items()}
        if count >= 1 << 24:
            slower = cutune.compare({"base": functions["base"], "more": functions["5% more"]})
            report(slower.verdicts["more"] == "slower", "%d elements and 5%% more: %s" % (count, slower.ratios["more"]))
            faster = cutune.compare({"more": functions["5% more"], "base": functions["base"]})
            report(faster.verdicts["base"] == "faster", "and the other way round: %s" % faster.ratios["base"])
        again = [cutune.compare({"one": functions["base"], "two": functions["base"]}).ratios["two"] for _ in range(5)]
        tied = sum(ratio.verdict == "tied" for ratio in again)
        report(tied >= 4, "%d elements, the same function: tied in %d of 5, %s" % (
            count, tied, ", ".join("%.4f" % ratio.median for ratio in again)))
        print("      equal work on other arrays: %s" % cutune.compare({n: functions[n] for n in ("base", "equal")}).ratios["equal"])


def streams(torch, cutune):
    x = torch.ones(1 << 24, device="cuda")
    out = torch.empty_like(x)
    default_ns = cutune.measure(torch.mul, x, 2).time_ns
    side = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        m = cutune.measure(lambda: torch.mul(x, 2, out=out))
    report(abs(m.time_ns / default_ns - 1) < 0.03, "on a stream of torch: %s" % m)
    try:
        m = cutune.measure(lambda: torch.mul(x, 2, out=out), stream=side)
        report(False, "work on another stream: %s" % m)
    except cutune.Error as error:
        report("queues no work" in error.message, "work on another stream: %s" % error.message)
    try:
        import cupy
    except ImportError:
        print("there is no CuPy")
        return
    kernel = cupy.RawKernel('extern "C" __global__ void twice(float *y, const float *x, int n)'
                            "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }", "twice")
    a = cupy.ones(1 << 24, dtype=cupy.float32)
    b = cupy.empty_like(a)
    cupy.cuda.Device().synchronize()
    plain_ns = cutune.measure(kernel, (1 << 16,), (256,), (b, a, cupy.int32(1 << 24)), stream=cupy.cuda.Stream.null).time_ns
    with cupy.cuda.Stream(non_blocking=True) as stream:
        m = cutune.measure(kernel, (1 << 16,), (256,), (b, a, cupy.int32(1 << 24)), stream=stream)
    report(abs(m.time_ns / plain_ns - 1) < 0.03 and m.held, "a kernel of CuPy on a stream of CuPy: %s" % m)
    report(bool((b == 2).all()), "its result is right")


def caches(torch, cutune):
    x = torch.ones(1 << 22, device="cuda")
    out = torch.empty_like(x)
    cold, warm = (cutune.measure(lambda: torch.mul(x, 2, out=out), cache=cache).time_ns for cache in ("cold", "warm"))
    report(warm < 0.95 * cold, "16 MiB in the L2: cold %.2f us, warm %.2f us" % (cold / 1e3, warm / 1e3))


def main():
    program, library = sys.argv[1:] or (os.path.join(BUILD, "cutune"), os.path.join(BUILD, "libcutune.so"))
    os.environ.update(CUTUNE_PROGRAM=os.path.abspath(program), CUTUNE_LIBRARY=os.path.abspath(library))
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    try:
        import torch
    except ImportError:
        print("there is no PyTorch: skipped")
        return 77
    if not torch.cuda.is_available():
        print("there is no device: skipped")
        return 77
    import cutune
    print("%s, torch %s, triton %s" % (torch.cuda.get_device_name(), torch.__version__, triton and triton.__version__))
    functions = functions_of(torch)
    repeat(cutune, functions)
    attribute(cutune, functions)
    synchronise(torch, cutune)
    compare(torch, cutune)
    streams(torch, cutune)
    caches(torch, cutune)
    print_times(torch, cutune, functions)
    print("%d failed" % failures)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
