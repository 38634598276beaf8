#!/usr/bin/env python3
"""Kernels of cuTile, Numba, CuTe DSL and templates of CUDA C++, tuned by their decorators on a real GPU: python_decorators.py PROGRAM
LIBRARY EXTENSION [CASE...]. Prints a row PASS, SKIP or FAIL for each case. Exit status 77: no torch or no device."""
import importlib.util
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
if not all(importlib.util.find_spec(name) for name in ("numpy", "torch")):
    print("skipped: NumPy or torch is missing")
    sys.exit(77)

import numpy
import torch

import cutune
import support

WORKED = ("ok", "slower", "duplicate")


def need(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise support.Skip(str(error)) from None


def judge(kernel, call, expected, theirs=None):
    """Tunes by a first call. `theirs` is a call with the winner of the language's own tuner, or with a usual configuration."""
    begin = time.perf_counter()
    out = call()
    torch.cuda.synchronize()
    print("  %d configurations, %.1f s, %s" % (len(kernel.configs), time.perf_counter() - begin, kernel.best_config))
    if kernel.untuned or not kernel.results:
        return "it is not tuned: " + kernel.untuned
    statuses = [str(status) for status in kernel.results[0].frame()["status"]]
    print("  " + ", ".join("%d %s" % (statuses.count(status), status) for status in dict.fromkeys(statuses)))
    torch.testing.assert_close(out, expected, rtol=1e-2, atol=1e-2)
    if not all(status in WORKED for status in statuses):
        return str(kernel.results[0].frame()["message"])
    if theirs is not None:
        ratio = cutune.compare({"theirs": theirs, "cutune": call}, cache="warm").ratios["cutune"]
        print("  time over that of the other tuner's winner: %s" % ratio)
        return "cutune's winner is slower" if ratio.low > 1.02 else ""
    return ""


# ---- cuTile ----

TILES = """
import cuda.tile as ct
import cutune.cutile


def plain_add(x, y, out, TILE: ct.Constant[int]):
    at = (ct.bid(0),)
    ct.store(out, index=at, tile=ct.load(x, index=at, shape=(TILE,)) + ct.load(y, index=at, shape=(TILE,)))


def plain_matmul(x, y, out, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    left = x.tiled_view((TM, TK), padding_mode=ct.PaddingMode.ZERO)
    right = y.tiled_view((TK, TN), padding_mode=ct.PaddingMode.ZERO)
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(left.num_tiles(1)):
        total = ct.mma(left.load((i, k)), right.load((k, j)), total)
    ct.store(out, (i, j), total.astype(out.dtype))


ADD = [{"TILE": tile, "occupancy": count} for tile in (512, 1024, 2048, 4096) for count in (1, 2, 4)]
MATMUL = [{"TM": m, "TN": n, "TK": k, "num_ctas": ctas} for m in (64, 128) for n in (64, 128) for k in (32, 64) for ctas in (1, 2)]
"""


def tiles():
    need("cuda.tile")
    with open("tiles.py", "w") as file:
        file.write(TILES)
    return importlib.import_module("tiles")


def of_tiles(plain, listed, grid, arguments, expected, reference):
    """A kernel by cutune, and by cuTile's own exhaustive search."""
    import cuda.tile as ct
    import cuda.tile.tune

    import cutune.cutile

    names = list(plain.__annotations__)
    theirs = ct.kernel(plain)
    hints = lambda row: {name: value for name, value in row.items() if name not in names}
    stream = torch.cuda.current_stream()
    begin = time.perf_counter()
    found = cuda.tile.tune.exhaustive_search(
        listed, stream, grid, theirs, lambda row: (*arguments, *(row[name] for name in names)), hints, quiet=True)
    best = found.best.config
    print("  exhaustive_search %.1f s, %s" % (time.perf_counter() - begin, best))
    winner = theirs.replace_hints(**hints(best)) if hints(best) else theirs
    passed = (*arguments, *(best[name] for name in names))
    own = cutune.cutile.autotune(configs=listed, reference=reference)(ct.kernel(plain))
    call = lambda: (own[grid](*arguments), arguments[-1])[1]
    return judge(own, call, expected, lambda: ct.launch(stream, grid(best), winner, passed))


def cutile_add():
    module = tiles()
    x, y = torch.rand(2, 1 << 24, device="cuda")
    grid = lambda v: (-(-x.numel() // v["TILE"]),)
    return of_tiles(module.plain_add, module.ADD, grid, (x, y, torch.empty_like(x)), x + y, lambda x, y, out: x + y)


def cutile_matmul():
    module = tiles()
    a, b = torch.rand(2, 2048, 2048, device="cuda", dtype=torch.float16) - 0.5
    grid = lambda v: (2048 // v["TM"], 2048 // v["TN"])
    return of_tiles(module.plain_matmul, module.MATMUL, grid, (a, b, torch.empty_like(a)), a @ b, lambda a, b, out: a @ b)


# ---- Numba ----

SAXPY = """
from numba import cuda


def saxpy(UNROLL):
    def kernel(x, y, out, a):
        first = cuda.blockIdx.x * cuda.blockDim.x * UNROLL + cuda.threadIdx.x
        for step in range(UNROLL):
            at = first + step * cuda.blockDim.x
            if at < out.size:
                out[at] = a * x[at] + y[at]

    return kernel


@cuda.jit(device=True)
def fused(a, x, y):
    return a * x + y


def with_function(UNROLL):
    def kernel(x, y, out, a):
        first = cuda.blockIdx.x * cuda.blockDim.x * UNROLL + cuda.threadIdx.x
        for step in range(UNROLL):
            at = first + step * cuda.blockDim.x
            if at < out.size:
                out[at] = fused(a, x[at], y[at])

    return kernel
"""


def numba_saxpy(name="saxpy"):
    cuda = need("numba.cuda")
    import cutune.numba

    with open("saxpies.py", "w") as file:
        file.write(SAXPY)
    module = importlib.import_module("saxpies")
    listed = [{"UNROLL": unroll, "THREADS": threads} for unroll in (1, 2, 4, 8) for threads in (64, 128, 256, 512)]
    own = cutune.numba.autotune(configs=listed, reference=lambda x, y, out, a: {"out": a * x + y})(getattr(module, name))
    x, y = torch.rand(2, 1 << 24, device="cuda")
    out = torch.empty_like(x)
    grid = lambda v: -(-x.numel() // (v["THREADS"] * v["UNROLL"]))
    usual = cuda.jit(module.saxpy(1))
    call = lambda: (own[grid, lambda v: v["THREADS"]](x, y, out, 2.5), out)[1]
    return judge(own, call, 2.5 * x + y, lambda: usual[grid({"THREADS": 256, "UNROLL": 1}), 256](x, y, out, 2.5))


def numba_function():
    """The kernel calls a function of the device."""
    return numba_saxpy("with_function")


# ---- CuTe DSL ----


def cute_add():
    need("cutlass.cute")
    import cutlass.cute
    from cutlass.cute.runtime import from_dlpack

    import cutune.cute

    sys.path.insert(0, os.path.join(ROOT, "docs", "examples", "compilers"))
    module = importlib.import_module("cute_add")
    listed = [{"THREADS": threads, "VALUES": values} for threads in (64, 128, 256, 512) for values in (1, 2, 4, 8)]
    own = cutune.cute.autotune(configs=listed, outputs=["out"], reference=lambda x, y, out: x + y)(module.add)
    x, y = torch.rand(2, 1 << 24, device="cuda")
    out = torch.empty_like(x)
    tensors = [from_dlpack(each, assumed_align=16) for each in (x, y, out)]
    usual = cutlass.cute.compile(module.add, *tensors, 256, 1)
    return judge(own, lambda: (own(x, y, out), out)[1], x + y, lambda: usual(*tensors))


def cute_tiles():
    """Tensor maps of TMA."""
    need("cutlass.cute")
    import cutlass.cute
    from cutlass.cute.runtime import from_dlpack

    import cutune.cute

    sys.path.insert(0, os.path.join(ROOT, "tests", "gpu", "compilers"))
    module = importlib.import_module("cute_tiles")
    listed = [{"ROWS": rows, "COLS": columns} for rows in (16, 32, 64) for columns in (32, 64, 128)]
    own = cutune.cute.autotune(configs=listed, outputs=["out"], reference=lambda x, out: 2 * x)(module.doubled)
    x = torch.rand(4096, 8192, device="cuda")
    out = torch.empty_like(x)
    tensors = [from_dlpack(each, assumed_align=16) for each in (x, out)]
    usual = cutlass.cute.compile(module.doubled, *tensors, 32, 64)
    return judge(own, lambda: (own(x, out), out)[1], 2 * x, lambda: usual(*tensors))


GEMM = """
import cuda.bindings.driver as cuda
import cutlass
import dense_gemm
from cutlass import cute


@cute.jit
def gemm(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor, stream: cuda.CUstream, M: cutlass.Constexpr, N: cutlass.Constexpr):
    views = [cute.make_tensor(each.iterator, cute.select(each.layout, mode=[1, 2, 0])) for each in (a, b, c)]
    dense_gemm.HopperWgmmaGemmKernel(cutlass.Float32, (M, N), (1, 1))(*views, stream)
"""


def cute_gemm():
    """CUTLASS's dense GEMM for Hopper as it is, from the folder CUTLASS_EXAMPLE."""
    need("cutlass.cute")
    import cuda.bindings.driver
    import cutlass.cute
    from cutlass.cute.runtime import from_dlpack

    import cutune.cute

    if "CUTLASS_EXAMPLE" not in os.environ:
        raise support.Skip("CUTLASS_EXAMPLE is not set: the folder of CUTLASS's examples/python/CuTeDSL/.../hopper/.../dense_gemm.py")
    sys.path.insert(0, os.environ["CUTLASS_EXAMPLE"])
    with open("gemms.py", "w") as file:
        file.write(GEMM)
    module = importlib.import_module("gemms")
    listed = [{"M": m, "N": n} for m in (64, 128) for n in (64, 128, 256)]
    own = cutune.cute.autotune(configs=listed, outputs=["c"], reference=lambda a, b, c: a @ b.mT)(module.gemm)
    a, b = torch.rand(2, 1, 4096, 4096, device="cuda", dtype=torch.float16) - 0.5
    c = torch.empty_like(a)
    tensors = [from_dlpack(each, assumed_align=16) for each in (a, b, c)]
    stream = cuda.bindings.driver.CUstream(torch.cuda.current_stream().cuda_stream)
    usual = cutlass.cute.compile(module.gemm, *tensors, stream, 128, 128)
    return judge(own, lambda: (own(a, b, c), c)[1], a @ b.mT, lambda: usual(*tensors, stream))


# ---- Templates ----

TEMPLATE = """
extern "C" __global__ void __launch_bounds__({{ THREADS }}) saxpy(const float *x, const float *y, float *out, float a, int n) {
{% for step in range(UNROLL) %}
    int i{{ step }} = (blockIdx.x * {{ UNROLL }} + {{ step }}) * {{ THREADS }} + threadIdx.x;
    if (i{{ step }} < n)
        out[i{{ step }}] = a * x[i{{ step }}] + y[i{{ step }}];
{% endfor %}
}
"""
LISTED = [{"UNROLL": unroll, "THREADS": threads} for unroll in (1, 2, 4, 8) for threads in (64, 128, 256, 512)]


def template(array, empty, launch):
    need("jinja2")
    own = cutune.source(TEMPLATE, "saxpy", LISTED, reference=lambda x, y, out, a, n: {"out": a * x + y}, launch=launch)
    x, y, out = array(), array(), empty()
    grid = lambda v: -(-v["n"] // (v["THREADS"] * v["UNROLL"]))
    call = lambda: (own[grid, lambda v: v["THREADS"]](x, y, out, numpy.float32(2.5), 1 << 24), torch.as_tensor(out, device="cuda"))[1]
    return judge(own, call, torch.as_tensor(2.5 * x + y, device="cuda"))


def source_torch():
    return template(lambda: torch.rand(1 << 24, device="cuda"), lambda: torch.empty(1 << 24, device="cuda"), "direct")


def source_cupy():
    cupy = need("cupy")
    return template(lambda: cupy.random.random(1 << 24, dtype=cupy.float32), lambda: cupy.empty(1 << 24, dtype=cupy.float32), "cupy")


CASES = {each.__name__: each for each in (
    cutile_add, cutile_matmul, numba_saxpy, numba_function, cute_add, cute_tiles, cute_gemm, source_torch, source_cupy)}


def main():
    os.environ.update(zip(("CUTUNE_PROGRAM", "CUTUNE_LIBRARY", "CUTUNE_EXTENSION"), map(os.path.abspath, sys.argv[1:4])))
    if not torch.cuda.is_available():
        print("skipped: no device")
        return support.SKIPPED
    torch.cuda.init()
    return support.run_cases(CASES, sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
