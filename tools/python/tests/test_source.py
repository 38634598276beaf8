"""Tuning of arrays without a space file: the space that is written, references, and arrays that are refused by name."""

from __future__ import annotations

import os
import pathlib
import sys
import types
from typing import Any

import cutune
import numpy
import pytest
from cutune import _arrays, _source

BLOCKS: dict[str, Any] = {"params": {"BLOCK": [64, 128]}, "block": "BLOCK", "grid": "ceildiv(count, BLOCK)"}
QUIET: dict[str, Any] = {"progress": False, "explain": False}


def arguments() -> list[Any]:
    values = numpy.arange(1000, dtype=numpy.float32)
    return [numpy.empty_like(values), values, 1000]


def twice(out: Any, values: Any, count: int) -> None:
    assert count == 1000
    numpy.multiply(values, 2, out=out)


@pytest.mark.parametrize(
    ("reference", "statement"),
    [
        (twice, 'reference out file("out_expected.npy")'),
        (lambda out, values, count: values * 2, 'reference out file("out_expected.npy")'),
        (numpy.arange(1000, dtype=numpy.float32) * 2, 'reference out file("out_expected.npy")'),
        ({"out": numpy.arange(1000, dtype=numpy.float32) * 2}, 'reference out file("out_expected.npy")'),
        ("twice block 32 grid 1", "reference twice block 32 grid 1"),
        (None, "reference default"),
    ],
    ids=["in place", "returned", "array", "by name", "kernel", "default"],
)
def test_references(fake: str, kernels: str, reference: Any, statement: str) -> None:
    args = arguments()
    args[0][:] = -1
    result = cutune.tune_source(kernels, "twice", args, reference=reference, tolerance=1e-6, **BLOCKS, **QUIET)
    assert result.best["BLOCK"] in (64, 128) and result.speedup == 1
    assert result.space is not None and statement in result.space.text.splitlines()
    assert (args[0] == -1).all() and (args[1] == numpy.arange(1000)).all(), "the caller's arrays are untouched"


def test_a_wrong_kernel_is_caught(fake: str, kernels: str) -> None:
    with pytest.raises(cutune.Error) as caught:
        cutune.tune_source(kernels, "twice", arguments(), reference=lambda out, values, count: values * 3, **BLOCKS, **QUIET)
    assert caught.value.code == cutune.ErrorCode.NOTHING_VALID


def test_arrays_that_are_read_and_written(fake: str, kernels: str) -> None:
    data = numpy.arange(1000, dtype=numpy.float32)
    both: dict[str, Any] = {"reference": lambda data, count: data * 2, **BLOCKS, **QUIET}
    result = cutune.tune_source(kernels, "double_in_place", {"data": data, "count": 1000}, inout=["data"], **both)
    assert result.space is not None and 'buffer data float[1000] file("data.npy") inout' in result.space.text
    with pytest.raises(cutune.Error) as caught:  # it reads a poisoned buffer
        cutune.tune_source(kernels, "double_in_place", {"data": data, "count": 1000}, outputs=["data"], **both)
    assert caught.value.code == cutune.ErrorCode.NOTHING_VALID


def test_the_space_is_kept_on_request(fake: str, kernels: str, folder: pathlib.Path) -> None:
    result = cutune.tune_source(kernels, "twice", arguments(), reference=twice, **BLOCKS, **QUIET)
    assert result.space is not None and result.space.path is not None
    temporary = os.path.dirname(result.space.path)
    result.space.save("kept/twice.space")
    assert sorted(os.listdir("kept")) == ["in.npy", "out_expected.npy", "twice.cu", "twice.space"]
    del result
    assert not os.path.exists(temporary)
    assert cutune.tune("kept/twice.space", **QUIET).speedup == 1


def test_a_source_in_a_file_stays_where_it_is(fake: str, kernels: str, folder: pathlib.Path) -> None:
    (folder / "mine.cu").write_text(kernels)
    result = cutune.tune_source("mine.cu", "twice", arguments(), reference=twice, folder="made", **BLOCKS, **QUIET)
    assert result.space is not None and 'kernel twice "../mine.cu"' in result.space.text
    result.space.save("other/deep/twice.space")
    assert 'kernel twice "../../mine.cu"' in cutune.Space.read("other/deep/twice.space").text


def make(
    args: Any, kernel: str = "f", source: str = "__global__ void f(float *out, const float *in, int count) {}", **more: Any
) -> cutune.Space:
    return _source.make_space(source, kernel, args, **{**BLOCKS, **more})


def test_everything_that_a_space_can_say() -> None:
    space = make(
        arguments(),
        params={"BLOCK": "64..256 times 2", "UNROLL": [1, 2]},
        block=("BLOCK", 1),
        require=["BLOCK * UNROLL <= 256"],
        shared="BLOCK * 4",
        default={"BLOCK": 64, "UNROLL": 1},
        sizes={"STEPS": 3},
        tolerance={"out": {"rel": 1e-5, "abs": 1e-6}},
        statements="bytes 8 * count\n\nflops count",
    )
    lines = space.text.splitlines()
    for line in (
        "problem count = 1000",
        "problem STEPS = 3",
        "param BLOCK = 64..256 times 2",
        "param UNROLL = 1, 2",
        "require BLOCK * UNROLL <= 256",
        "buffer out float[1000] output",
        'buffer in float[1000] file("in.npy")',
        "args out, in, int count",
        "block BLOCK, 1",
        "shared BLOCK * 4",
        "tolerance out rel 1e-05 abs 1e-06",
        "bytes 8 * count",
        "default BLOCK=64 UNROLL=1",
    ):
        assert line in lines


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (numpy.float32(0.5), "float 0.5"),
        (numpy.float64(-2), "double -2.0"),
        (numpy.int64(7), "long count"),
        (numpy.uint8(7), "uchar count"),
        (True, "bool 1"),
        (7, "int count"),
    ],
)
def test_scalars_have_types(value: Any, text: str) -> None:
    assert f"args out, in, {text}" in make([*arguments()[:2], value], grid=1).text


@pytest.mark.parametrize("name", list(_arrays.TYPES))
def test_every_type_of_numpy_is_a_type_of_spaces(name: str, folder: pathlib.Path) -> None:
    """The engine's own check accepts the file of each type, and no file of another size."""
    if name == "bfloat16":
        pytest.skip("NumPy has no bfloat16")
    values = numpy.ones(8, dtype=name)
    space = make([numpy.zeros(8, dtype=name), values, 8], reference=values, grid=1, folder="made", params={"A": [1]}, block=1)
    assert f"buffer in {_arrays.TYPES[name]}[8]" in space.text
    assert any(row["kind"] == "valid" for row in space.check())
    file = folder / "made" / ("in.bin" if _arrays.TYPES[name] in _arrays.RAW else "in.npy")
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(cutune.Error) as caught:
        space.check()
    assert "in." in str(caught.value)


def strided() -> Any:
    return numpy.zeros((10, 200), dtype=numpy.float32)[:, :100]


@pytest.mark.parametrize(
    ("args", "more", "message"),
    [
        ([strided(), arguments()[1], 1], {}, "the argument out is strided (shape (10, 100))"),
        ([arguments()[0], numpy.zeros(3, dtype="U3"), 1], {}, "the argument in has the type <U3"),
        ([arguments()[0], arguments()[1], 0.5], {}, "the argument count, 0.5, is neither an array nor a number with a type"),
        ([arguments()[0], arguments()[1], 2**40], {}, "the argument count does not fit an int"),
        ([arguments()[0], numpy.zeros(0, dtype="f4"), 1], {}, "the argument in is empty"),
        (arguments()[:2], {}, "f has 3 parameters (out, in, count), not 2"),
        (arguments(), {"outputs": ["nothing"]}, "the output nothing is no array among the arguments: out, in"),
        (arguments(), {"outputs": []}, "no argument is an output"),
        (arguments(), {"source": "void g() {}", "kernel": "g"}, "the kernel's signature does not tell its outputs"),
        (arguments(), {"reference": numpy.zeros(3, dtype="f4")}, "the reference of out is float[3], and the argument is float[1000]"),
        (arguments(), {"reference": [1, 2]}, "the reference has 2 arrays for 1 outputs: out"),
        (arguments(), {"reference": {"in": arguments()[1]}}, "the reference has in, which is no output: out"),
        (arguments(), {"source": "missing.cu"}, "cannot open missing.cu"),
    ],
)
def test_refusals_name_the_argument(args: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(cutune.Error) as caught:
        make(args, **more)
    assert message in caught.value.message


def test_aliases_are_one_buffer_and_overlaps_are_refused() -> None:
    values = numpy.zeros(2000, dtype=numpy.float32)
    source = "__global__ void f(float *out, const float *a, const float *b, int count) {}"
    space = make([values[:1000], values[1000:], values[1000:], 1000], source=source)
    assert "args out, a, a, int count" in space.text and "buffer b" not in space.text
    space = make([values, values, values[:0].copy().resize(1) or numpy.zeros(4, "f4"), 1000], source=source)
    assert 'buffer out float[2000] file("out.npy") inout' in space.text
    with pytest.raises(cutune.Error, match="out and a share a part of their memory"):
        make([values[:1000], values[500:1500], values[1500:], 1000], source=source)


def test_memory_is_computed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    space = make(arguments(), reference=twice)
    assert (space.memory.disk_bytes, space.memory.device_bytes) == (8000, 12000)
    monkeypatch.setattr(_source, "free_device_bytes", lambda: 11999)
    with pytest.raises(cutune.Error, match="of the device's memory") as caught:
        make(arguments(), reference=twice)
    assert caught.value.code == cutune.ErrorCode.MEMORY
    monkeypatch.setattr(_source, "free_device_bytes", lambda: None)
    monkeypatch.setattr(_source, "_available_host_bytes", lambda: 100)
    with pytest.raises(cutune.Error, match="of the host's memory"):
        make(arguments(), reference=twice)


@pytest.mark.parametrize(
    ("source", "kernel", "found"),
    [
        ('extern "C" __global__ void f(float *out)', "f", [("out", True, False)]),
        ("template <int N>\n__global__ void __launch_bounds__(N) f(const int *__restrict__ a, int (&x)[2])", "f<N>", None),
        ("__global__ void f(void)", "f", []),
        ("__global__ void g(int a); __global__ void f(const float4* in /* , int b */, unsigned long long n)", '"ns::f<int>"',
         [("in", True, True), ("n", False, False)]),
        ("__global__ void f(float *const out)", "f", [("out", True, False)]),
        ("void f(int a)", "f", []),
    ],
)  # fmt: skip
def test_signatures(source: str, kernel: str, found: Any) -> None:
    parameters = [(p.name, p.pointer, p.constant) for p in _source.signature(source + " {}", kernel)]
    if found is None:
        assert parameters[0][1:] == (True, True)
    else:
        assert parameters == found


# ---- Other frameworks, by stand-ins with their manners ----


class Dtype(str):
    itemsize = 4


def stand_in(monkeypatch: pytest.MonkeyPatch, framework: str, address: int = 4096) -> Any:
    """A module whose arrays have the attributes that the framework's have, with their data in NumPy."""
    module = types.ModuleType(framework)
    log: list[str] = []

    class Device:
        type = "cuda"

        def synchronize(self) -> None:
            log.append("synchronised")

    class Tensor:
        def __init__(self, data: Any) -> None:
            self.data = data
            self.shape = data.shape
            self.device = Device()
            self.dtype = types.SimpleNamespace(itemsize=data.dtype.itemsize)
            self.flags = data.flags
            self.__cuda_array_interface__ = {"data": (address, False)}

        data_ptr = lambda self: address  # noqa: E731
        is_contiguous = lambda self: self.data.flags.c_contiguous  # noqa: E731
        is_c_contiguous = is_contiguous
        unsafe_buffer_pointer = data_ptr

        def detach(self) -> Any:
            return self

        cpu = detach
        block_until_ready = detach

        def numpy(self) -> Any:
            log.append("copied")
            return self.data

        get = copy_to_host = numpy

        def __array__(self, *_: Any, **__: Any) -> Any:
            return self.numpy()

    class Named(types.SimpleNamespace):
        def __str__(self) -> str:
            return ("torch." if framework == "torch" else "") + "float32"

    original = Tensor.__init__

    def init(self: Any, data: Any) -> None:
        original(self, data)
        self.dtype = Named(itemsize=4)

    Tensor.__init__ = init  # type: ignore[method-assign]
    synchronize = types.SimpleNamespace(
        synchronize=lambda *_: log.append("synchronised"), is_available=lambda: True, mem_get_info=lambda: (1 << 40, 1 << 40)
    )
    module.__dict__.update(Tensor=Tensor, ndarray=Tensor, Array=Tensor, DeviceNDArrayBase=Tensor, cuda=synchronize)
    monkeypatch.setitem(sys.modules, framework, module)
    if framework == "numba":
        monkeypatch.setitem(sys.modules, "numba.cuda.cudadrv.devicearray", module)
    return Tensor, log


@pytest.mark.parametrize("framework", ["torch", "cupy", "numba", "jax"])
def test_arrays_on_a_device_are_copied_once(monkeypatch: pytest.MonkeyPatch, framework: str, folder: pathlib.Path) -> None:
    tensor, log = stand_in(monkeypatch, framework)
    values = numpy.arange(1000, dtype=numpy.float32)
    if framework == "cupy":
        monkeypatch.setattr(_source, "free_device_bytes", lambda: None)
    out = numpy.zeros(1000, dtype=numpy.float32)
    space = make([out, tensor(values), 1000], folder="made")
    assert (numpy.load("made/in.npy") == values).all() and "buffer in float[1000]" in space.text
    assert log.count("copied") == 1 and (framework == "jax" or log.index("synchronised") < log.index("copied"))


def test_jax_arrays_are_inputs_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor, _ = stand_in(monkeypatch, "jax")
    with pytest.raises(cutune.Error, match="the argument out is a JAX array, which is immutable"):
        make([tensor(numpy.zeros(1000, "f4")), numpy.zeros(1000, "f4"), 1000])


def test_views_at_an_offset_keep_their_alignment(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> None:
    tensor, _ = stand_in(monkeypatch, "torch", address=4096 + 8)
    values = numpy.arange(1000, dtype=numpy.float32)
    space = make([numpy.zeros(1000, "f4"), tensor(values), 1000], folder="made")
    assert "buffer in float[1002]" in space.text and "args out, in + 2, int count" in space.text
    assert (numpy.load("made/in.npy")[2:] == values).all()
    with pytest.raises(cutune.Error, match="the argument out begins 8 bytes off"):
        make([tensor(values), numpy.zeros(1000, "f4"), 1000])


def test_tensors_on_the_host_begin_anywhere(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> None:
    tensor, _ = stand_in(monkeypatch, "torch", address=4096 + 64)
    out = tensor(numpy.zeros(1000, "f4"))
    out.device = types.SimpleNamespace(type="cpu")
    assert "buffer out float[1000] output" in make([out, numpy.zeros(1000, "f4"), 1000], folder="made").text


def test_arrays_of_unknown_frameworks_are_refused() -> None:
    class Other:
        __cuda_array_interface__ = {"data": (0, False)}  # noqa: RUF012

    with pytest.raises(cutune.Error, match=r"the argument in is an array of .*, which is not known"):
        make([numpy.zeros(1000, "f4"), Other(), 1000])
