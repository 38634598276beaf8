#!/usr/bin/env python3
"""Kernel Tuner's functions on a real GPU: python_kernel_tuner.py PROGRAM LIBRARY. Prints a line for each case, with PASS or FAIL, and the
times of Kernel Tuner beside those of cutune where the package and a backend of it are installed. Exit status 77: no device, or no NumPy."""
import contextlib
import io
import os
import sys
import tempfile
import time
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ADD = r"""
__global__ void vector_add(float *c, const float *a, const float *b, int n)
{
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i] + (block_size_x == FAULTY ? 1 : 0);
}
"""
MATMUL = r"""
#define WIDTH 512
extern "C" __global__ void matmul(float *C, const float *A, const float *B)
{
    __shared__ float sA[block_size_y * tile_size_y][block_size_x];
    __shared__ float sB[block_size_x][block_size_x * tile_size_x];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * block_size_x * tile_size_x + tx, y = blockIdx.y * block_size_y * tile_size_y + ty;
    float sum[tile_size_y][tile_size_x] = {};
    for (int k = 0; k < WIDTH; k += block_size_x) {
        __syncthreads();
        for (int i = 0; i < tile_size_y; i++)
            sA[ty + block_size_y * i][tx] = A[(y + block_size_y * i) * WIDTH + k + tx];
        for (int r = ty; r < block_size_x; r += block_size_y)
            for (int j = 0; j < tile_size_x; j++)
                sB[r][tx + j * block_size_x] = B[(k + r) * WIDTH + x + j * block_size_x];
        __syncthreads();
        for (int e = 0; e < block_size_x; e++)
            for (int i = 0; i < tile_size_y; i++)
                for (int j = 0; j < tile_size_x; j++)
                    sum[i][j] += sA[ty + block_size_y * i][e] * sB[e][tx + j * block_size_x];
    }
    for (int i = 0; i < tile_size_y; i++)
        for (int j = 0; j < tile_size_x; j++)
            C[(y + block_size_y * i) * WIDTH + x + block_size_x * j] = sum[i][j];
}
"""
STENCIL = r"""
#define WIDTH 1024
__constant__ float weights[5];
__global__ void stencil(float *out, const float *in)
{
    int x = blockIdx.x * block_size_x + threadIdx.x;
#pragma unroll loop_unroll_factor_rows
    for (int r = 0; r < rows; r++) {
        int y = (blockIdx.y * rows + r) * block_size_y + threadIdx.y;
        if (x > 0 && y > 0 && x < WIDTH - 1 && y < WIDTH - 1)
            out[y * WIDTH + x] = weights[0] * in[y * WIDTH + x] + weights[1] * in[y * WIDTH + x - 1] + weights[2] * in[y * WIDTH + x + 1]
                + weights[3] * in[(y - 1) * WIDTH + x] + weights[4] * in[(y + 1) * WIDTH + x];
    }
}
"""
failures = 0


def row(name, passed, detail=""):
    global failures
    failures += not passed
    print(f"{'PASS' if passed else 'FAIL'}  {name:<40} {detail}", flush=True)


def case(name):
    """A case that fails if its function raises; the function returns the parts of a row, or several of them by row()."""
    def decorate(function):
        try:
            function()
        except Exception as error:  # the other cases still run
            row(name, False, f"{type(error).__name__}: {error}")
    return decorate


def timed(function, *arguments, **options):
    begun = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        found = function(*arguments, **options)
    return found, time.perf_counter() - begun


def configuration(result, names):
    return " ".join(f"{name}={result[name]}" for name in names)


def compare(original, call, options, names, best, seconds):
    """The same call by Kernel Tuner: a failure only if the sets of configurations or the keys of results differ."""
    if original is None:
        return
    name = call[0]
    try:
        (theirs, env), their_seconds = timed(original, *call, **options)
    except Exception as error:
        print(f"      Kernel Tuner cannot run {name}: {type(error).__name__}: {error}", flush=True)
        return
    ok = [result for result in theirs if "__error__" not in result]
    row(f"{name}: keys of Kernel Tuner", set(ok[0]) == set(best), str(set(ok[0]) ^ set(best) or ""))
    their_best = min(ok, key=lambda result: result["time"])
    print(f"      Kernel Tuner: {len(theirs)} results in {their_seconds:.1f} s, {configuration(their_best, names)}, {their_best['time']:.4f} ms; "
          f"cutune: {seconds:.1f} s, {configuration(best, names)}, {best['time']:.4f} ms", flush=True)


def main():
    program, library = (os.path.abspath(argument) for argument in sys.argv[1:])
    os.environ.update(CUTUNE_PROGRAM=program, CUTUNE_LIBRARY=library)
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    try:
        import numpy
    except ImportError:
        print("there is no NumPy: skipped")
        return 77
    import cutune
    import cutune.kernel_tuner as kernel_tuner
    try:
        from kernel_tuner import tune_kernel as original
    except ImportError:
        original = None
    try:
        cutune.Device.here()
    except cutune.Error as error:
        if error.code == cutune.ErrorCode.NO_DEVICE:
            print("there is no device: skipped")
            return 77
        raise
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "compiled")
        cases(numpy, cutune, kernel_tuner, original)
    print(f"{failures} failed")
    return int(failures > 0)


def cases(numpy, cutune, kernel_tuner, original):
    random = numpy.random.default_rng(1)
    n = 1 << 24
    a, b = (random.random(n, dtype=numpy.float32) for _ in range(2))
    add = ["vector_add", ADD, n, [numpy.zeros_like(a), a, b, numpy.int32(n)], {"block_size_x": [128, 256, 512, 1024]}]
    sums = [a + b, None, None, None]
    none = {"compiler_options": ["-DFAULTY=0"], "quiet": True, "lang": "CUDA"}

    @case("vector_add")
    def vector_add():
        metrics = {"GB/s": lambda p: 12e-6 * n / p["time"]}
        (results, env), seconds = timed(kernel_tuner.tune_kernel, *add, answer=sums, metrics=metrics, **none)
        best = env["best_config"]
        row("vector_add", len(results) == 4 and not any("__error__" in r for r in results), f"{best['GB/s']:.0f} GB/s, {seconds:.1f} s")
        row("vector_add: environment", env["cutune"]["verified"] and len(env["compute_capability"]) >= 2, env["device_name"])
        compare(original, add, {"answer": sums, "metrics": metrics, **none}, ["block_size_x"], best, seconds)

    @case("wrong answers")
    def wrong():
        options = {**none, "compiler_options": ["-DFAULTY=256"]}
        (results, _), _ = timed(kernel_tuner.tune_kernel, *add, answer=sums, **options)
        bad = [r["block_size_x"] for r in results if str(r.get("__error__")) == "RuntimeFailedConfig"]
        row("a wrong variant fails, the others do not", bad == [256] and len(results) == 4, f"failed: {bad}")
        (results, _), _ = timed(kernel_tuner.tune_kernel, *add, answer=[2 * a, None, None, None], **none)
        row("a wrong answer fails everywhere", all("__error__" in r for r in results) and len(results) == 4)
        (results, env), _ = timed(kernel_tuner.tune_kernel, *add, **none)
        row("without an answer: unverified", not env["cutune"]["verified"] and not any("__error__" in r for r in results))
        (results, env), _ = timed(kernel_tuner.tune_kernel, *add, **options)
        differing = [each["block_size_x"] for each in env["cutune"]["differing"]]
        row("... and differences are notes", differing == [256] and not any("__error__" in r for r in results), f"differing: {differing}")

    @case("power and energy")
    def power():
        repeated = types.SimpleNamespace(observables=["nvml_power", "nvml_energy"], continuous_duration=1)
        members = {"observables": ["temperature"], "save_all": False, "continuous_observer": repeated}
        observer = type("NVMLObserver", (), members)()
        (results, _), seconds = timed(kernel_tuner.tune_kernel, *add, answer=sums, observers=[observer], **none)
        watts = [result["nvml_power"] for result in results]
        row("power and energy", len(results) == 4 and all(20 < each < 2000 for each in watts),
            f"{min(watts):.0f} to {max(watts):.0f} W, {results[0]['nvml_energy'] * 1e3:.1f} mJ a launch, {seconds:.1f} s")

    @case("hardware counters")
    def counters():
        names = ["dram__bytes.sum", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"]
        observer = type("NCUObserver", (), {"metrics": names})()
        try:
            (results, _), seconds = timed(kernel_tuner.tune_kernel, *add, answer=sums, observers=[observer], **none)
        except cutune.Error as error:
            print(f"      hardware counters: {error.message}", flush=True)
            return
        found = [[result[name] for name in names] for result in results]
        row("hardware counters", all(0.8 < moved / (12 * n) < 1.5 and 0.99 < adds / n < 2.01 for moved, adds in found),
            f"{found[0][0] / n:.1f} bytes and {found[0][1] / n:.2f} additions an element, {seconds:.1f} s")

    @case("functions of the caller")
    def functions():
        seen = []

        def verify(answer, outputs, atol=None):
            seen.append(outputs[0].shape)
            return numpy.allclose(outputs[0], answer[0], atol=atol)

        options = {**none, "compiler_options": ["-DFAULTY=256"]}
        (results, env), seconds = timed(kernel_tuner.tune_kernel, *add, answer=sums, verify=verify, **options)
        bad = [r["block_size_x"] for r in results if "__error__" in r]
        row("verify", bad == [256] and set(seen) == {(n,)} and env["cutune"]["verified"], f"{len(seen)} calls, {seconds:.1f} s")
        holes = [numpy.where(a < 0.5, numpy.nan, a + b).astype(numpy.float32), None, None, None]
        left = numpy.where(a < 0.5, numpy.nan, a).astype(numpy.float32)
        arguments = [numpy.zeros_like(a), left, b, numpy.int32(n)]
        (results, _), _ = timed(kernel_tuner.tune_kernel, *add[:3], arguments, add[4], answer=holes, **none)
        row("expected NaN", len(results) == 4 and not any("__error__" in r for r in results))
        source = lambda p: ADD.replace("block_size_x", str(p["block_size_x"])) + "//" * (p["comment"] % 2)
        many = {**add[4], "comment": list(range(2000))}
        options = {"restrictions": ["comment == 7"], "compiler_options": ["-DFAULTY=0"], "quiet": True, "lang": "CUDA"}
        (results, _), seconds = timed(kernel_tuner.tune_kernel, "vector_add", source, *add[2:4], many, answer=sums, **options)
        row("a source on demand", len(results) == 4 and not any("__error__" in r for r in results), f"{seconds:.1f} s")

    @case("Tunable")
    def tunable():
        try:
            from kernel_tuner.accuracy import AccuracyObserver, TunablePrecision
        except ImportError:
            return
        text = """
template <typename T> __global__ void vector_add(T *c, const T *a, const T *b, int n)
{
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
"""
        arguments = [TunablePrecision("real", x) for x in (numpy.zeros_like(a), a, b)] + [numpy.int32(n)]
        parameters = {"block_size_x": [128, 256], "real": ["float", "double"]}
        observers = [AccuracyObserver("RMSE", "error")]
        (results, _), seconds = timed(kernel_tuner.tune_kernel, "vector_add<real>", text, n, arguments, parameters, answer=sums,
                                      observers=observers, quiet=True, lang="CUDA")
        errors = [result.get("error", 1) for result in results]
        row("TunablePrecision and AccuracyObserver", len(results) == 4 and max(errors) < 1e-6, f"{max(errors):.1e}, {seconds:.1f} s")

    @case("cache")
    def cache():
        (first, _), cold = timed(kernel_tuner.tune_kernel, *add, answer=sums, cache="kept", **none)
        (again, env), warm = timed(kernel_tuner.tune_kernel, *add, answer=sums, cache="kept", **none)
        # The engine measures finalists again, so that only the other configurations keep their exact times.
        same = [r["block_size_x"] for r in first] == [r["block_size_x"] for r in again]
        close = all(abs(x["time"] - y["time"]) < 0.1 * x["time"] for x, y in zip(first, again))
        row("a cache is reused", same and close and os.path.isfile("kept.json"), f"{cold:.1f} s, then {warm:.1f} s")
        if original is not None:
            from kernel_tuner.util import read_cache
            entries = read_cache("kept.json", open_cache=False)["cache"]
            row("Kernel Tuner reads the cache", set(entries) == {"128", "256", "512", "1024"}, str(list(entries)))

    @case("warm")
    def warm():
        kernel_tuner.timing = "mean of 7, warm"
        try:
            (results, env), seconds = timed(kernel_tuner.tune_kernel, *add, answer=sums, **none)
        finally:
            kernel_tuner.timing = "median, cold"
        row("timing: mean of 7, warm", len(results) == 4 and env["cutune"]["timing"] == "mean of 7, warm",
            f"{env['best_config']['time']:.4f} ms, {seconds:.1f} s")

    @case("matmul")
    def matmul():
        width = 512
        left, right = (random.standard_normal((width, width), dtype=numpy.float32) for _ in range(2))
        parameters = {"block_size_x": [16, 32], "block_size_y": [2, 4, 8, 16, 32], "tile_size_x": [1, 2, 4], "tile_size_y": [1, 2, 4]}
        call = ["matmul", MATMUL, (width, width), [numpy.zeros_like(left), left, right], parameters]
        options = {
            "grid_div_x": ["block_size_x", "tile_size_x"], "grid_div_y": ["block_size_y", "tile_size_y"], "quiet": True, "lang": "CUDA",
            "restrictions": ["block_size_x == block_size_y * tile_size_y", lambda p: p["block_size_x"] * p["block_size_y"] >= 64],
            "answer": [(left.astype(float) @ right).astype(numpy.float32), None, None], "atol": 1e-2,
            "metrics": {"GFLOP/s": "2 * 512**3 / 1e6 / time"},
        }
        (results, env), seconds = timed(kernel_tuner.tune_kernel, *call, **options)
        best = env["best_config"]
        valid = [r for r in results if r["block_size_x"] == r["block_size_y"] * r["tile_size_y"] and r["block_size_x"] * r["block_size_y"] >= 64]
        row("matmul", len(valid) == len(results) == 18 and not any("__error__" in r for r in results),
            f"{len(results)} results, {best['GFLOP/s']:.0f} GFLOP/s, {seconds:.1f} s")
        once = kernel_tuner.run_kernel(*call[:4], {name: best[name] for name in parameters}, lang="CUDA",
                                       grid_div_x=options["grid_div_x"], grid_div_y=options["grid_div_y"])
        row("run_kernel: matmul", numpy.allclose(once[0], options["answer"][0], atol=1e-2) and once[0].shape == left.shape)
        row("run_kernel leaves the arrays", not call[3][0].any())
        options["restrictions"] = ["block_size_x == block_size_y * tile_size_y", "block_size_x * block_size_y >= 64"]
        compare(original, call, options, list(parameters), best, seconds)

    @case("stencil")
    def stencil():
        width = 1024
        grid = random.random((width, width), dtype=numpy.float32)
        weights = numpy.array([0.5, 0.125, 0.125, 0.125, 0.125], dtype=numpy.float32)
        expected = numpy.full_like(grid, -1)
        expected[1:-1, 1:-1] = 0.5 * grid[1:-1, 1:-1] + 0.125 * (grid[1:-1, :-2] + grid[1:-1, 2:] + grid[:-2, 1:-1] + grid[2:, 1:-1])
        parameters = {"block_size_x": [16, 32, 64, 128], "block_size_y": [1, 2, 4, 8], "rows": [1, 2, 4], "loop_unroll_factor_rows": [0, 1, 2]}
        call = ["stencil", STENCIL, (width, width), [numpy.full_like(grid, -1), grid], parameters]
        options = {"grid_div_y": ["block_size_y * rows"], "cmem_args": {"weights": weights}, "answer": [expected, None], "quiet": True,
                   "restrictions": ["block_size_x * block_size_y in range(64, 513)",
                                    "loop_unroll_factor_rows == 0 or rows % loop_unroll_factor_rows == 0"], "lang": "CUDA"}
        (results, env), seconds = timed(kernel_tuner.tune_kernel, *call, **options)
        best = env["best_config"]
        count = sum(64 <= x * y < 513 and (u == 0 or r % u == 0) for x in parameters["block_size_x"] for y in parameters["block_size_y"]
                    for r in parameters["rows"] for u in parameters["loop_unroll_factor_rows"])
        row("stencil with constants and restrictions", len(results) == count and not any("__error__" in r for r in results),
            f"{len(results)} of {count} results, {best['time']:.4f} ms, {seconds:.1f} s")
        once = kernel_tuner.run_kernel(*call[:4], {name: best[name] for name in parameters}, grid_div_y=options["grid_div_y"],
                                       cmem_args=options["cmem_args"], lang="CUDA")
        row("run_kernel: stencil", numpy.allclose(once[0], expected, atol=1e-6))
        compare(original, call, options, list(parameters), best, seconds)
        (results, _), _ = timed(kernel_tuner.tune_kernel, *call, strategy="genetic_algorithm", strategy_options={"max_fevals": 12}, **options)
        row("a search with max_fevals", 0 < len(results) <= 12, f"{len(results)} results")


if __name__ == "__main__":
    sys.exit(main())
