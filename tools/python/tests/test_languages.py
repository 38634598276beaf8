"""Workers of compiler commands for languages other than Triton, each where it is installed."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import sys
from typing import Any

import pytest

from .test_compilers import EXAMPLES, PACKAGE, VECTORS, N, buffer, check_layout, language, request, scalar, started

KINDS = PACKAGE.parents[1] / "tests" / "gpu" / "compilers"
SAXPY = [*VECTORS[:3], scalar("A", "float", 2.5)]


def test_cutile(folder: pathlib.Path) -> None:
    pytest.importorskip("cuda.tile")
    with language("cutile", "cutile_add.py") as worker:
        assert {"TILE", "num_ctas", "occupancy"} <= set(worker.hello["params"])
        asked = request(folder, {"add": VECTORS[:3]}, params={"TILE": 1024, "occupancy": 2})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        assert answer["kernels"][0]["block"] == [1]
        error = worker.ask(request(folder, {"add": VECTORS[:3]}, params={"TILE": 1000}))
        assert "power of two" in error["error"]
        assert (error["file"], error["line"]) == (str(EXAMPLES / "cutile_add.py"), 9)
        assert "constant TILE" in worker.ask(request(folder, {"add": VECTORS[:3]}))["error"]
    with language("cutile", "cutile_matmul.py") as worker:
        matrices = [buffer(name, "half", 512, 256) for name in "abc"]
        asked = request(folder, {"matmul": matrices}, params={"TILE_M": 64, "TILE_N": 64, "TILE_K": 32, "num_ctas": 2})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        assert answer["kernels"][0]["parameters"][:5] == [
            "a",
            {"extent": "a", "dimension": 0, "type": "int"},
            {"extent": "a", "dimension": 1, "type": "int"},
            {"stride": "a", "dimension": 0, "type": "int"},
            {"stride": "a", "dimension": 1, "type": "int"},
        ]


def test_cutile_without_a_temporary_folder(folder: pathlib.Path) -> None:
    pytest.importorskip("cuda.tile")
    with language("cutile", "cutile_add.py", TMPDIR=str(folder / "absent")) as worker:
        error = worker.ask(request(folder, {"add": VECTORS[:3]}, params={"TILE": 1024}))["error"]
    assert "Failed to create temporary file" in error
    assert "libnvvm" in error


SLICES = """
from numba import cuda

@cuda.jit
def plane(x, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = x[i, j]

def slice(x, out):
    i = cuda.grid(1)
    out[i, 0] = x[i, ::2][i]

def sliced():
    return slice

def unknown():
    return lambda x, out: nowhere(x)

@cuda.jit(device=True)
def doubled(value):
    return 2 * value

@cuda.jit(device=True)
def more(value):
    return doubled(value) + 1

@cuda.jit
def calls(x, out):
    i = cuda.grid(1)
    out[i, 0] = more(x[i, 0])

@cuda.jit
def measured(x, flags):
    i = cuda.grid(1)
    if i < x.size and flags[0]:
        x[i % 3, 0, i] = x.shape[1] + x.strides[0] + x.strides[1] + x.itemsize

@cuda.jit
def bounded(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = 1

@cuda.jit
def unbounded(x):
    x[0] = 1"""


def test_numba(folder: pathlib.Path) -> None:
    pytest.importorskip("numba.cuda")
    with language("numba", "numba_saxpy.py") as worker:
        assert "UNROLL" in worker.hello["params"]
        asked = request(folder, {"saxpy": SAXPY}, params={"UNROLL": 2})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        count, four, null = {"value": N, "type": "int64"}, {"value": 4, "type": "int64"}, {"null": 8}
        assert answer["kernels"][0]["parameters"][:7] == [null, null, count, four, "x", count, four]
        assert "UNROLL: the space has no" in worker.ask(request(folder, {"saxpy": SAXPY}))["error"]
    (folder / "slices.py").write_text(SLICES)
    matrices = [buffer("x", "float", 512, 256), buffer("out", "float", 512, 256)]
    with language("numba", "slices.py", folder) as worker:
        asked = request(folder, {"plane": matrices})
        check_layout(asked, worker.ask(asked))
        asked = request(folder, {"sliced": matrices})
        check_layout(asked, worker.ask(asked))
        for architecture in ("sm_90a", "sm_80"):
            asked = request(folder, {"calls": matrices}, architecture)
            check_layout(asked, worker.ask(asked))
            assert f".target {architecture.rstrip('a')}" in pathlib.Path(asked["outputs"][0]).read_text()
        cube = [buffer("x", "half", 3, 5, 7), buffer("flags", "bool", 9)]
        asked = request(folder, {"measured": cube})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        numbers = [word["value"] for word in answer["kernels"][0]["parameters"] if "value" in word]
        assert numbers == [105, 2, 3, 5, 7, 70, 14, 2, 9, 1, 9, 1]
        vague = {"name": "x", "type": "float", "kind": "buffer", "alignment": 256}
        assert "the size of array x, which differs" in worker.ask(request(folder, {"bounded": [vague]}))["error"]
        asked = request(folder, {"unbounded": [vague]})
        check_layout(asked, worker.ask(asked))
        error = worker.ask(request(folder, {"unknown": matrices}))
        assert "nowhere" in error["error"]
        assert error["line"] == 18


def test_jinja(folder: pathlib.Path) -> None:
    pytest.importorskip("jinja2")
    from cutune import _toolkit

    if not _toolkit.toolkit().nvrtc:
        pytest.skip("no NVRTC")
    with language("jinja", "jinja_saxpy.cu.j2") as worker:
        assert worker.hello["params"] == ["THREADS", "UNROLL"]
        asked = request(folder, {"saxpy": SAXPY}, params={"THREADS": 128}, sizes={"UNROLL": 2}, options=["--use_fast_math"])
        answer = worker.ask(asked)
        answer["kernels"][0]["parameters"] = ["x", "y", "out", "A"]
        check_layout(asked, answer)
        error = worker.ask(request(folder, {"saxpy": SAXPY}, params={"UNROLL": 2}))
        assert "'THREADS' is undefined" in error["error"] and error["line"] == 2
    (folder / "whole.cu.j2").write_text("{% include 'part.j2' %}\n{% if WRONG %}\nint a = b;\n{% endif %}\n")
    (folder / "part.j2").write_text("template <int N> __global__ void k(float *x) { x[0] = N * {{ FACTOR }}; }\n")
    with language("jinja", "whole.cu.j2", folder) as worker:
        assert worker.hello["params"] == ["FACTOR", "WRONG"]
        assert worker.hello["files"] == [str(folder / "part.j2"), str(folder / "whole.cu.j2")]
        answer = worker.ask(request(folder, {"k<3>": []}, params={"FACTOR": 2, "WRONG": 0}))
        assert answer["kernels"][0]["entry"] == "_Z1kILi3EEvPf"
        assert "int a = b;" in worker.ask(request(folder, {"k<3>": []}, params={"FACTOR": 2, "WRONG": 1}))["error"]


def test_clang(folder: pathlib.Path) -> None:
    if not shutil.which("clang++"):
        pytest.skip("no clang++")
    with started([sys.executable, "-m", "cutune.compilers.clang", "-nocudainc", "-nocudalib", "clang_saxpy.cu"], EXAMPLES) as worker:
        parts: dict[str, Any] = {"params": {"THREADS": 128, "UNROLL": 2}, "options": ["-ffast-math"]}
        answer = worker.ask(asked := request(folder, {"saxpy": SAXPY}, **parts))
        assert answer["files"] == [str(EXAMPLES / "clang_saxpy.cu")]
        answer["kernels"][0]["parameters"] = ["x", "y", "out", "A"]
        check_layout(asked, answer)
        assert "the code has: saxpy" in worker.ask(request(folder, {"other": SAXPY}, **parts))["error"]
        error = worker.ask(request(folder, {"saxpy": SAXPY}, **{**parts, "params": {"UNROLL": 2}}))
        assert "THREADS" in error["error"] and (error["file"], error["line"]) == (str(EXAMPLES / "clang_saxpy.cu"), 5)


# CuTe DSL

CUTE = """
import cuda.bindings.driver as cuda
import cutlass
from cutlass import cute

@cute.kernel
def scaled(x: cute.Tensor, out: cute.Tensor, n: cutlass.Int32, a: cutlass.Float32, flag, inverse, wide):
    at = cute.arch.block_idx()[0] * 128 + cute.arch.thread_idx()[0]
    if at < n and flag:
        out[at] = a * x[at] + inverse + cutlass.Float32(wide)

@cute.jit
def numbers(x: cute.Tensor, out: cute.Tensor, n: cutlass.Int32, a: cutlass.Float32, flag: cutlass.Boolean, none,
            stream: cuda.CUstream, T: cutlass.Constexpr[int]):
    kernel = scaled(x, out, n, a, flag, 1 / a, cutlass.Int64(n) * T)
    kernel.launch(grid=(cute.ceil_div(n, T), 1, 1), block=(T, 1, 1), stream=stream)

@cute.kernel
def tiled(x: cute.Tensor, out: cute.Tensor, shape: cute.Shape, tv: cute.Layout):
    block = ((None, None), cute.arch.block_idx()[0])
    own = (cute.arch.thread_idx()[0], None)
    cute.composition(out[block], tv)[own].store(2 * cute.composition(x[block], tv)[own].load())

@cute.jit
def doubled(x: cute.Tensor, out: cute.Tensor, WIDTH: cutlass.Constexpr):
    tiler, tv = cute.make_layout_tv(cute.make_layout((4, 32), stride=(32, 1)), cute.make_layout((4, WIDTH), stride=(WIDTH, 1)))
    tiles = cute.zipped_divide(out, tiler)
    kernel = tiled(cute.zipped_divide(x, tiler), tiles, out.shape, tv)
    kernel.launch(grid=[cute.size(tiles, mode=[1]), 1, 1], block=[128, 1, 1], smem=2048, cluster=[2, 1, 1], cooperative=True, use_pdl=True)

@cute.kernel
def fill(x: cute.Tensor):
    x[cute.arch.thread_idx()[0]] = cutlass.Float32(1)

@cute.jit
def twice(x: cute.Tensor):
    fill(x).launch(grid=(1, 1, 1), block=(32, 1, 1))
    fill(x).launch(grid=(1, 1, 1), block=(64, 1, 1))

@cute.jit
def shifted(x: cute.Tensor):
    fill(cute.make_tensor(x.iterator + 32, cute.make_layout(32))).launch(grid=(1, 1, 1), block=(32, 1, 1))

@cute.jit
def sized(x: cute.Tensor, n: cutlass.Int32, m: cutlass.Int32):
    fill(cute.make_tensor(x.iterator, cute.make_layout((n, m)))).launch(grid=(1, 1, 1), block=(32, 1, 1))

@cute.jit
def moved(x: cute.Tensor, n: cutlass.Int32, m: cutlass.Int32):
    fill(cute.make_tensor(x.iterator + 32, cute.make_layout((n, m)))).launch(grid=(1, 1, 1), block=(32, 1, 1))

@cute.jit
def unknown(x: cute.Tensor):
    fill(nowhere(x)).launch(grid=(1, 1, 1), block=(32, 1, 1))"""


# A driver that ends its process.
DRIVER = """
#include <unistd.h>

static int end(void)
{
    _exit(3);
}

int cuInit(unsigned flags)
{
    return end() + (int)flags;
}

int cuGetProcAddress_v2(const char *name, int (**function)(void))
{
    *function = end;
    return name == 0;
}
"""


def test_cute_asks_no_driver(folder: pathlib.Path) -> None:
    """A driver without a device takes a moment to say so, CuTe DSL asks hundreds of times, and all workers wait for each other."""
    pytest.importorskip("cutlass.cute")
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "libcuda.so.1", folder / "driver.c"], check=True)
    with language("cute", "cute_add.py", LD_LIBRARY_PATH=str(folder)) as worker:
        asked = request(folder, {"add": VECTORS[:3]}, params={"THREADS": 128, "VALUES": 4})
        check_layout(asked, worker.ask(asked))


def test_cute_tensor_maps(folder: pathlib.Path) -> None:
    """A tensor map has the address of its tensor; half of it is never written."""
    pytest.importorskip("cutlass.cute")
    matrices = [buffer("x", "float", 1024, 2048), buffer("out", "float", 1024, 2048)]
    asked = request(folder, {"doubled": matrices}, params={"ROWS": 32, "COLS": 64})
    answers = []
    for _ in range(2):
        with language("cute", "cute_tiles.py", KINDS) as worker:
            answers.append(worker.ask(asked))
            check_layout(asked, answers[-1])
    assert answers[0] == answers[1]
    map, out = answers[0]["kernels"][0]["parameters"]
    assert (map["struct"][0], map["struct"][-1], out) == ("x", {"null": 68}, "out")
    assert [{"value": size - 1, "type": "int"} in map["struct"] for size in (1024, 2048)] == [True, True]


def test_cute(folder: pathlib.Path) -> None:
    """The host code says the launch, and what the machine code takes."""
    pytest.importorskip("cutlass.cute")
    with language("cute", "cute_add.py") as worker:
        assert worker.hello["params"] == ["THREADS", "VALUES"]
        asked = request(folder, {"add": VECTORS[:3]}, params={"THREADS": 128, "VALUES": 4})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        [kernel] = answer["kernels"]
        assert (kernel["parameters"], kernel["block"], kernel["grid"]) == (["x", "y", "out"], [128, 1, 1], [N // 512, 1, 1])
        assert "Constexpr VALUES: the space has no" in worker.ask(request(folder, {"add": VECTORS[:3]}, params={"THREADS": 1}))["error"]
    (folder / "kinds.py").write_text(CUTE)
    x, matrices = buffer("x", "float", 4096), [buffer("a", "float", 256, 512), buffer("b", "float", 256, 512)]
    none = {"name": "none", "kind": "null"}
    numbers = [x, buffer("out", "float", 4096), scalar("n", "int", 1000), scalar("a", "float", 0.25), scalar("flag", "bool", 1), none]
    with language("cute", "kinds.py", folder) as worker:
        asked = request(folder, {"numbers": numbers}, params={"T": 128})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        computed = [{"value": 0x40800000, "type": "int"}, {"value": 128000, "type": "int64"}]
        assert answer["kernels"][0]["parameters"] == ["x", "out", "n", "a", "flag", *computed]
        assert answer["kernels"][0]["grid"] == [8, 1, 1]
        asked = request(folder, {"doubled": matrices}, params={"WIDTH": 4})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        expected = {"parameters": ["a", "b"], "block": [128, 1, 1], "grid": [64, 1, 1], "shared": 2048, "cluster": [2, 1, 1]}
        assert expected.items() <= answer["kernels"][0].items() and answer["kernels"][0]["cooperative"]
        sizes = [scalar("n", "int", 40), scalar("m", "int", 4)]
        asked = request(folder, {"sized": [x, *sizes]})
        answer = worker.ask(asked)
        check_layout(asked, answer)
        numbers = [{"value": 40, "type": "int"}, {"value": 4, "type": "int"}, {"value": 40, "type": "int"}, {"null": 4}]
        assert answer["kernels"][0]["parameters"] == [{"struct": ["x", *numbers]}]
        for name, arguments, message in (
            ("twice", [x], "it launches 2 kernels"),
            ("shifted", [x], "parameter 0 of the kernel has 8 bytes, with an address that is not that of a tensor"),
            ("moved", [x, *sizes], "parameter 0 of the kernel has 24 bytes, with an address that is not that of a tensor"),
            ("unknown", [x], "name 'nowhere' is not defined"),
            ("twice", [{**x, "kind": "tensor_map"}], "takes buffers and scalars, not a tensor_map"),
            ("twice", [scalar("x", "bfloat16", 1)], "x: CuTe DSL has no numbers of type bfloat16"),
            ("sized", [x, scalar("n", "int", None), sizes[1]], "n differs between launches"),
        ):
            error = worker.ask(request(folder, {name: arguments}))
            assert message in error["error"] and error["file"] == str(folder / "kinds.py") and error["line"]
