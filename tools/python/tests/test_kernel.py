"""Tuned kernels as functions, on a driver that records launches."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import cutune
import numpy
import pytest

from .fake_gpu import Driver, Exchange, Future, Interface, Pointer

SOURCE = (
    'extern "C" __global__ void smooth(float *out, const float *in, int n) { out[n - BLOCK] = in[0]; }\n'
    'extern "C" __global__ void sum(float *out, const float *in, float *partial) { *out = *in + *partial; }\n'
    "__constant__ float factor;\n"
    "struct pair { float *out; int n; const float *in; };\n"
    'extern "C" __global__ void pairs(struct pair p) { p.out[p.n] = p.in[0]; }\n'
    'extern "C" __global__ void scaled(float *out, const float *in, int n, float a, double *last, double b, bool big) { }\n'
    'extern "C" __global__ void vectors(float4 *out, const half *in, const bool *mask, const uchar *raw) { }\n'
)
HEAD = (
    "space 2\n"
    'kernel smooth "smooth.cu"\n'
    "problem LENGTH = 1024\n"
    "param BLOCK = 64, 128\n"
    "buffer in  float[LENGTH] random\n"
    "buffer out float[LENGTH] output\n"
    "reference default\n"
    "default BLOCK=128\n"
)
SMOOTH = HEAD + "args out, in, int LENGTH\nblock BLOCK\ngrid ceildiv(LENGTH, BLOCK)\n"
DATABASE = (
    "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,sm_count,l2_bytes,date\n"
    "1,smooth,NVIDIA H200,LENGTH=1024,time,BLOCK=64,100,BLOCK=128,200,90,132,62914560,2026-01-01T00:00:00Z\n"
)


@pytest.fixture(autouse=True)
def driver() -> Driver:
    if "CUTUNE_EXTENSION" not in os.environ:
        pytest.skip("the extension module is not built")
    return Driver()


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """One folder for all tests, so that each kernel is compiled once."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def open_space(place: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Opens a kernel of a space's text, with the database above."""
    monkeypatch.chdir(place)
    (place / "smooth.cu").write_text(SOURCE.replace("half", "unsigned short").replace("uchar", "unsigned char"))
    (place / "cutune.csv").write_text(DATABASE)

    def open_kernel(text: str = SMOOTH, **keywords: Any) -> Any:
        (place / "smooth.space").write_text(text)
        return cutune.kernel("smooth.space", stale=True, **keywords)

    return open_kernel


LAUNCH = "launch smooth grid 16 1 1 block 64 1 1 shared 0"


def test_a_call_launches(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(LENGTH=1024)
    driver.expect(8, 8, 4)
    assert smooth.rule == "problem" and smooth.configuration == {"BLOCK": 64} and smooth.sizes == {"LENGTH": 1024}
    assert smooth(Interface(0x1000, 1024), Interface(0x2000, 1024)) is None
    assert driver.take() == [f"{LAUNCH} stream 0 device 0 1000 2000 400"]


@pytest.mark.parametrize(
    ("arrays", "keywords", "stream"),
    [
        ((Exchange(0x1000, 1024), Exchange(0x2000, 32, 32)), {}, 0x70),
        ((Future(0x1000, 1024), Exchange(0x2000, 32, 32, strides=(32, 1))), {}, 0x70),
        ((Exchange(0x1000, 1, 1024, strides=(5, 1)), Interface(0x2000, 1024, stream=3)), {}, 0x70),
        ((Pointer(0x1000, 1024), Pointer(0x2000, 1024)), {}, 0),
        ((Pointer(0x1000, 1024), Exchange(0x2000, 1024)), {}, 0x70),
        ((Interface(0x1000, 1024, stream=3), Interface(0x2000, 32, 32, strides=(128, 4), stream=4)), {}, 3),
        ((Interface(0x1000, 1024, strides=None), Exchange(0x2000, 1024)), {"stream": None}, 0x70),
        ((Exchange(0x1000, 1024), Exchange(0x2000, 1024)), {"stream": 5}, 5),
        ((Exchange(0x1000, 1024), Exchange(0x2000, 1024)), {"stream": 0}, 0),
        ((Exchange(0x1000, 1024), Exchange(0x2000, 1024)), {"stream": type("S", (), {"__cuda_stream__": lambda self: (0, 6)})()}, 6),
        ((Exchange(0x1000, 1024), Exchange(0x2000, 1024)), {"stream": type("S", (), {"cuda_stream": 7})()}, 7),
        ((Exchange(0x1000, 1024), Exchange(0x2000, 1024)), {"stream": type("S", (), {"ptr": 8})()}, 8),
    ],
)
def test_arrays_and_streams_of_all_kinds(
    driver: Driver, open_space: Callable[..., Any], arrays: tuple[Any, ...], keywords: dict[str, Any], stream: int
) -> None:
    smooth = open_space(LENGTH=1024)
    driver.expect(8, 8, 4)
    smooth(*arrays, **keywords)
    assert driver.take() == [f"{LAUNCH} stream {stream} device 0 1000 2000 400"]


def test_the_frameworks_current_stream(driver: Driver, open_space: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch without the table has one, and so has CuPy if its arrays name no stream."""

    class Torch:
        class cuda:
            @staticmethod
            def current_stream(device: int) -> Any:
                return type("Stream", (), {"cuda_stream": 0x90 + device})()

    class CuPy:
        class cuda:
            @staticmethod
            def get_current_stream() -> Any:
                return type("Stream", (), {"ptr": 0xA0})()

    smooth = open_space(LENGTH=1024)
    tensor = type("Tensor", (Pointer,), {"__module__": "torch"})
    array = type("ndarray", (Interface,), {"__module__": "cupy"})
    monkeypatch.setitem(sys.modules, "torch", Torch)
    monkeypatch.setitem(sys.modules, "cupy", CuPy)
    smooth(tensor(0x1000, 1024), tensor(0x2000, 1024))
    smooth(array(0x1000, 1024), array(0x2000, 1024))
    assert [line.split(" stream ")[1].split()[0] for line in driver.take()] == [str(0x90), str(0xA0)]


GOOD = Interface(0x2000, 1024)


@pytest.mark.parametrize(
    ("arrays", "keywords", "error", "message"),
    [
        ((GOOD,), {}, TypeError, "smooth takes 2 arrays (out, in), or all 3 arguments, not 1"),
        ((GOOD, GOOD, GOOD), {}, TypeError, "smooth: argument 3 is a Interface, and the space has an integer, int"),
        ((GOOD, GOOD), {"strem": 1}, TypeError, "smooth has no keyword strem"),
        ((GOOD, GOOD), {"stream": "x"}, TypeError, "stream: 'x' is neither a handle nor a stream"),
        ((GOOD, 3), {}, TypeError, "smooth: in is a builtins.int, not an array on the GPU"),
        ((Interface(0, 1024, typestr="<f8"), GOOD), {}, TypeError, "out has elements of float64, and the space's buffer is float[1024]"),
        ((Interface(0, 1024, typestr="<i4"), GOOD), {}, TypeError, "out has elements of int32, and the space's buffer is float[1024]"),
        ((Interface(0, 1024, typestr=">f4"), GOOD), {}, TypeError, "out has elements of type >f4"),
        ((Interface(0, 1000), GOOD), {}, ValueError, "out has 1000 elements of float32, and the space's buffer is float[1024]"),
        (
            (Interface(0, 32, 32, strides=(4, 128)), GOOD),
            {},
            ValueError,
            "out is strided, and the space's buffer float[1024] is contiguous",
        ),
        ((GOOD, Interface(0, 9, readonly=True)), {}, ValueError, "in has 9 elements of float32, and the space's buffer is float[1024]"),
        ((Interface(0, 1024, readonly=True), GOOD), {}, ValueError, "out is read-only, and the kernel writes it"),
        (
            (Exchange(0, 32, 32, strides=(1, 32)), GOOD),
            {},
            ValueError,
            "smooth: out is strided, and the space's buffer float[1024] is contiguous",
        ),
        ((Exchange(0, 1024, device=(2, 1)), GOOD), {}, ValueError, "out is on the GPU 1, and the kernel is for the GPU 0"),
        ((Exchange(0, 1024, device=(1, 0)), GOOD), {}, ValueError, "smooth: out is not on a GPU"),
        ((Exchange(0, 1024, type=(4, 16, 1)), GOOD), {}, TypeError, "out has elements of bfloat16"),
        ((Pointer(0, 1024, "torch.int64"), GOOD), {}, TypeError, "out has elements of int64"),
        ((Pointer(0, 1024, "torch.qint8"), GOOD), {}, TypeError, "out has elements of torch.qint8, which buffers cannot have"),
        ((Pointer(0, 1024, device=-1), GOOD), {}, ValueError, "smooth: out is not on a GPU"),
        ((Pointer(0, 1024, contiguous=False), GOOD), {}, ValueError, "out is strided"),
    ],
)
def test_mismatches_name_the_argument_and_both_sides(
    driver: Driver,
    open_space: Callable[..., Any],
    arrays: tuple[Any, ...],
    keywords: dict[str, Any],
    error: type[Exception],
    message: str,
) -> None:
    smooth = open_space(LENGTH=1024)
    with pytest.raises(error) as caught:
        smooth(*arrays, **keywords)
    assert message in str(caught.value)
    assert driver.take() == []


@pytest.mark.parametrize(
    "arrays",
    [
        (
            Interface(0x1000, 256, 4),
            Interface(0x2000, 1024, typestr="<f2"),
            Interface(0x3000, 1024, typestr="|b1"),
            Interface(0x4000, 64, typestr="|u1"),
        ),
        (
            Exchange(0x1000, 256, type=(2, 32, 4)),
            Exchange(0x2000, 1024, type=(2, 16, 1)),
            Exchange(0x3000, 1024, type=(6, 8, 1)),
            Exchange(0x4000, 64, type=(10, 8, 1)),
        ),
        (
            Interface(0x1000, 256, typestr="|V16"),
            Interface(0x2000, 1024, typestr="|V2"),
            Interface(0x3000, 1024, typestr="|b1"),
            Interface(0x4000, 64, typestr="|V1"),
        ),
    ],
)
def test_elements_of_vectors_and_raw_types(driver: Driver, open_space: Callable[..., Any], arrays: tuple[Any, ...]) -> None:
    text = SMOOTH.replace("kernel smooth", "kernel vectors").replace("out float[LENGTH]", "out float4[LENGTH / 4]")
    text = text.replace("in  float", "in  half").replace("args out, in, int LENGTH", "args out, in, mask, raw")
    text += "buffer mask bool[LENGTH] zero\nbuffer raw uchar[64] zero\ndefine SIZE = BLOCK\n"
    vectors = open_space(text)
    driver.expect(8, 8, 8, 8)
    vectors(*arrays)
    assert driver.take()[0].endswith(" 1000 2000 3000 4000")


SCALED = HEAD.replace("kernel smooth", "kernel scaled") + (
    "buffer last double[2] zero\nargs out, in, int LENGTH, float 2, last, double -1, bool LENGTH > 5\nblock BLOCK\ngrid 4\n"
    "define SIZE = BLOCK\n"
)
ARRAYS = (Interface(0x1000, 1024), Interface(0x2000, 1024), Interface(0x3000, 2, typestr="<f8"))


def scaled_arguments(count: object = 1024, factor: object = 2, bias: object = -1, big: object = True) -> tuple[Any, ...]:
    return (*ARRAYS[:2], count, factor, ARRAYS[2], bias, big)


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (ARRAYS, "400 40000000 3000 bff0000000000000 1"),
        (scaled_arguments(), "400 40000000 3000 bff0000000000000 1"),
        (scaled_arguments(numpy.int64(1024), 0.5, numpy.float32(3)), "400 3f000000 3000 4008000000000000 1"),
        (scaled_arguments(factor=-0.0, bias=1e300, big=1), "400 80000000 3000 7e37e43c8800759c 1"),
    ],
)
def test_a_call_may_give_all_arguments(driver: Driver, open_space: Callable[..., Any], arguments: tuple[Any, ...], numbers: str) -> None:
    scaled = open_space(SCALED, LENGTH=1024)
    driver.expect(8, 8, 4, 4, 8, 8, 1)
    scaled(*arguments)
    scaled(*ARRAYS)
    lines = driver.take()
    assert lines[0].endswith(f" 1000 2000 {numbers}")
    assert lines[1].endswith(" 1000 2000 400 40000000 3000 bff0000000000000 1")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (scaled_arguments(count=1000), ValueError, "scaled: argument 3 is 1000, and the space has 1024: another size is another kernel"),
        (scaled_arguments(count=-1), ValueError, "scaled: argument 3 is -1, and the space has 1024"),
        (scaled_arguments(count=1024.0), TypeError, "scaled: argument 3 is a float, and the space has an integer, int"),
        (scaled_arguments(factor="x"), TypeError, "scaled: argument 4 is a str, and the space has a number, float"),
        (scaled_arguments(big=False), ValueError, "scaled: argument 7 is 0, and the space has 1"),
        (scaled_arguments()[:5], TypeError, "scaled takes 3 arrays (out, in, last), or all 7 arguments, not 5"),
        ((*ARRAYS[:2], *scaled_arguments()[1:6]), TypeError, "scaled: argument 3 is"),
    ],
)
def test_numbers_that_do_not_fit(
    driver: Driver, open_space: Callable[..., Any], arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    scaled = open_space(SCALED, LENGTH=1024)
    with pytest.raises(error) as caught:
        scaled(*arguments)
    assert message in str(caught.value)
    assert driver.take() == []


def test_sizes_come_from_the_arrays(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(sizes=lambda out, x: {"LENGTH": x.numel()})
    driver.expect(8, 8, 4)
    for count in (1024, 4096, 1024):
        smooth(Pointer(0x1000, count), Pointer(0x2000, count))
    assert [line.split()[-1] for line in driver.take()] == ["400", "1000", "400"]
    assert len(smooth.kernels) == 2 and smooth.at({"LENGTH": 4096}).rule == "device"


SEQUENCE = (
    "buffer partial float[2 * BLOCK] scratch\n"
    "launch smooth args out, in, int LENGTH block BLOCK grid 4 shared 4 * BLOCK\n"
    "launch sum args out, in, partial block 32 grid 1 repeat 2\n"
    "carveout 50\n"
)


def test_sequences_and_scratch(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(HEAD + SEQUENCE)
    assert "attribute smooth 8 256 device 0" in driver.take()
    driver.expect(8, 8, 4)
    smooth(Exchange(0x1000, 1024), Exchange(0x2000, 1024))
    assert driver.take() == [
        "allocate 512 stream 112",
        "launch smooth grid 4 1 1 block 64 1 1 shared 256 stream 112 device 0 1000 2000 400",
        "launch sum grid 1 1 1 block 32 1 1 shared 0 stream 112 device 0 1000 2000 5000",
        "launch sum grid 1 1 1 block 32 1 1 shared 0 stream 112 device 0 1000 2000 5000",
        "free 5000 stream 112",
    ]
    assert [launch.entry for launch in smooth.launches] == ["smooth", "sum"] and smooth.launches[1].repeat == 2
    with pytest.raises(AttributeError, match=r"smooth makes 3 launches: .launches has them"):
        _ = smooth.block


def test_structs_and_clusters(driver: Driver, open_space: Callable[..., Any]) -> None:
    text = HEAD.replace("kernel smooth", "kernel pairs")
    pairs = open_space(text + "args struct { out, int LENGTH, in + 4 }\nblock BLOCK\ngrid 4\ncluster 2\ndefine SIZE = BLOCK\n")
    driver.expect(24)
    pairs(Interface(0x1000, 1024), Interface(0x2000, 1024))
    words = "001000000000000000040000000000001020000000000000"
    assert driver.take() == [f"launch pairs grid 4 1 1 block 128 1 1 shared 0 attribute 4 stream 0 device 0 {words}"]


def test_as_many_blocks_as_run_at_once(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(HEAD + "args out, in, int LENGTH\nblock BLOCK\ngrid resident\n")
    assert smooth.grid() == (32 * 132, 1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "args out, in, int LENGTH\nblock BLOCK\ngrid 4\n"
            "l2_window in bytes 4096 set_aside 4096 hit_ratio 1 hit persisting miss streaming\n",
            "a kernel of a space with l2_window cannot be called",
        ),
        (
            "texture line = in float LENGTH\nargs out, in, line\nblock BLOCK\ngrid 4\n",
            "a kernel of a space with texture cannot be called",
        ),
        (
            "constant factor = float 2\nargs out, in, int LENGTH\nblock BLOCK\ngrid 4\n",
            "a kernel of a space with constant or device_variable cannot be called",
        ),
        (
            "buffer left int[1] output\nloop step = 0..9 until left == 0\nlaunch smooth args out, in, int LENGTH block BLOCK grid 4\nend\n"
            "launch smooth args out, in, left block BLOCK grid 4\n",
            "a loop ends by a condition",
        ),
        (
            "buffer state float[LENGTH] random inout\nbuffer next float[LENGTH] scratch\n"
            "launch smooth args next, state, int LENGTH block BLOCK grid 4 repeat 3 swap state, next\n"
            "launch smooth args out, in, int LENGTH block BLOCK grid 4\n",
            "the launches leave state in the memory of next",
        ),
    ],
)
def test_refused_kernels(driver: Driver, open_space: Callable[..., Any], text: str, message: str) -> None:
    with pytest.raises(cutune.Error) as caught:
        open_space(HEAD + text)
    assert message in str(caught.value)


def test_contexts(driver: Driver, open_space: Callable[..., Any]) -> None:
    """A launch takes place on the kernel's GPU, whichever context is current, and leaves that one current."""
    smooth, second = open_space(LENGTH=1024), open_space(LENGTH=1024, device=1)
    driver.expect()
    assert (smooth.device, second.device) == (0, 1)
    devices = []
    for context in (-1, 0, 1, 2):
        driver.make_current(context)
        smooth(Interface(0x1000, 1024), Interface(0x2000, 1024))
        second(Interface(0x1000, 1024), Interface(0x2000, 1024))
        smooth(Interface(0x1000, 1024), Interface(0x2000, 1024))
        devices.append([int(line.split(" device ")[1]) for line in driver.take()])
    assert devices == [[0, 1, 0], [0, 1, 0], [0, 1, 0], [2, 1, 2]]
    driver.make_current(1)
    assert open_space(LENGTH=1024).device == 1


def test_parts_for_other_launchers(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(LENGTH=1024)
    assert smooth.cubin[:4] == b"\x7fELF" and smooth.entry == "smooth" and smooth.block == (64, 1, 1)
    assert smooth.shared == 0 and smooth.grid() == (16, 1, 1) and smooth.grid({"LENGTH": 6400}) == (100, 1, 1)
    assert [argument.name for argument in smooth.arguments] == ["out", "in"]
    assert smooth.arguments[0].written and not smooth.arguments[1].written
    assert repr(smooth) == "<cutune.Kernel smooth(out, in), BLOCK=64, by rule problem>"


def test_driver_errors(driver: Driver, open_space: Callable[..., Any]) -> None:
    smooth = open_space(LENGTH=1024)
    driver.fail("cuLaunchKernel")
    with pytest.raises(cutune.Error) as caught:
        smooth(GOOD, GOOD)
    assert caught.value.code == cutune.ErrorCode.DEVICE
    assert str(caught.value) == "smooth: CUDA_ERROR_INVALID_VALUE (invalid argument)"
    driver.fail("cuLibraryLoadData")
    with pytest.raises(cutune.Error, match="loading the kernel: CUDA_ERROR_INVALID_VALUE"):
        open_space(LENGTH=1024)


def test_without_a_driver() -> None:
    code = (
        "import cutune\ntry:\n    cutune.kernel('transpose')\n"
        "except cutune.Error as error:\n    print(error.code.name, str(error).splitlines()[0])"
    )
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(cutune.__file__)), "CUTUNE_DRIVER": "/nonexistent.so"}
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment, check=True)
    assert done.stdout.startswith("NO_DEVICE cannot load the CUDA driver: /nonexistent.so")


def test_a_cached_kernel_needs_no_compiler(driver: Driver, open_space: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    open_space(LENGTH=1024)
    monkeypatch.setenv("CUTUNE_NVRTC", "/nonexistent.so")
    monkeypatch.setattr(subprocess, "Popen", None)
    assert open_space(LENGTH=1024).block == (64, 1, 1)


def test_compile_errors_have_their_text(driver: Driver, open_space: Callable[..., Any], place: pathlib.Path) -> None:
    (place / "smooth.cu").write_text('extern "C" __global__ void smooth(float *out) { BLOCK + missing; }\n')
    with pytest.raises(cutune.Error) as caught:
        open_space(LENGTH=1024)
    assert caught.value.code == cutune.ErrorCode.COMPILE and "missing" in str(caught.value)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"LENGHT": 5}, "LENGHT is neither a keyword of kernel nor a problem size of the space; did you mean LENGTH?"),
        ({"sizes": dict, "tune": True}, "tune=True needs sizes as keywords"),
    ],
)
def test_wrong_keywords_are_type_errors(open_space: Callable[..., Any], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as caught:
        open_space(**keywords)
    assert message in str(caught.value)


def test_tunes_on_request(driver: Driver, fake: str, kernels: str, folder: pathlib.Path) -> None:
    """With a database that has nothing for the sizes, and not again afterwards."""
    (folder / "twice.cu").write_text(kernels)
    (folder / "twice.space").write_text(
        HEAD.replace("smooth", "twice") + "args out, in, int LENGTH\nblock BLOCK\ngrid ceildiv(LENGTH, BLOCK)\nhost BLOCK\n"
    )
    driver.library.fake_name(b"Fake GPU")
    lines: list[str] = []
    twice = cutune.kernel("twice.space", LENGTH=1000, tune=True, progress=lines.append)
    assert twice.rule == "problem" and lines
    assert cutune.kernel("twice.space", LENGTH=1000, tune=True, progress=False).configuration == twice.configuration
    assert [choice["problem"] for choice in cutune.Database().rows()] == ["LENGTH=1000"]
    del lines[:]
    assert cutune.kernel("twice.space", LENGTH=2000, progress=lines.append).rule == "device"
    assert not lines


def test_a_missing_database(driver: Driver, open_space: Callable[..., Any]) -> None:
    with pytest.raises(cutune.Error, match=r"cannot open other\.csv") as caught:
        open_space(db="other.csv")
    assert "tune=True" in str(caught.value)


def test_many_threads_call(driver: Driver, open_space: Callable[..., Any]) -> None:
    import threading

    smooth = open_space(LENGTH=1024)
    driver.expect(8, 8, 4)

    def work(number: int) -> None:
        for _ in range(200):
            smooth(Pointer(number, 1024), Exchange(number, 1024), stream=number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = driver.take()
    assert len(lines) == 1600
    assert set(lines) == {f"{LAUNCH} stream {n} device 0 {n:x} {n:x} 400" for n in range(1, 9)}
