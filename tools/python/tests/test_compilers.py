"""Workers of compiler commands: the protocol with a worker of the test's own, and each language where it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
from cutune.compilers import _cubin as cubin

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = PACKAGE.parents[1] / "docs" / "examples" / "compilers"
WORDS = {"buffer": 8, "tensor_map": 128, "bool": 1, "int": 4, "uint": 4, "float": 4, "half": 2, "long": 8, "int64": 8, "double": 8}


class Worker:
    """A worker in a process of its own, as cutune starts it."""

    def __init__(self, command: list[str], folder: pathlib.Path, **variables: str) -> None:
        ours, theirs = socket.socketpair()
        environment = {**os.environ, "CUTUNE_COMPILER_FD": str(theirs.fileno()), "CUDA_VISIBLE_DEVICES": "", **variables}
        environment["PYTHONPATH"] = str(PACKAGE)
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
        theirs.close()
        ours.settimeout(60)
        self.stream = ours.makefile("rw", encoding="utf-8")
        ours.close()
        self.hello = json.loads(self.stream.readline() or "null")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.stream.write(json.dumps(request) + "\n")
        self.stream.flush()
        return dict(json.loads(self.stream.readline()))

    def close(self) -> int:
        with contextlib.suppress(BrokenPipeError):
            self.stream.close()
        try:
            self.process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode


@contextlib.contextmanager
def started(command: list[str], folder: pathlib.Path, **variables: str) -> Iterator[Worker]:
    worker = Worker(command, folder, **variables)
    try:
        yield worker
    finally:
        worker.close()


@contextlib.contextmanager
def language(name: str, file: str, folder: pathlib.Path = EXAMPLES, **variables: str) -> Iterator[Worker]:
    with started([sys.executable, "-m", f"cutune.compilers.{name}", file], folder, **variables) as worker:
        yield worker


def buffer(name: str, type: str, *extents: int, alignment: int = 256) -> dict[str, Any]:
    strides = [1]
    for extent in reversed(extents[1:]):
        strides.insert(0, strides[0] * extent)
    return {
        "name": name, "type": type, "kind": "buffer", "alignment": alignment, "extents": list(extents), "strides": strides,
    }  # fmt: skip


def scalar(name: str, type: str, value: float | None) -> dict[str, Any]:
    return {"name": name, "type": type, "kind": "scalar", **({} if value is None else {"value": value})}


def request(
    folder: pathlib.Path,
    kernels: dict[str, list[dict[str, Any]]],
    architecture: str = "sm_90a",
    **parts: Any,
) -> dict[str, Any]:
    return {
        "schema": 1, "id": 7, "architecture": architecture, "params": {}, "sizes": {}, "defines": {}, "options": [],
        "outputs": [str(folder / f"7.{index}") for index in range(len(kernels))],
        "kernels": [{"name": name, "defines": {}, "arguments": arguments} for name, arguments in kernels.items()],
        **parts,
    }  # fmt: skip


def size(parameter: Any, arguments: list[dict[str, Any]]) -> int:
    """Bytes of a parameter of an answer."""
    if isinstance(parameter, dict):
        if "tensor_map" in parameter:
            return WORDS["tensor_map"]
        if "struct" in parameter:
            return sum(size(member, arguments) for member in parameter["struct"])
        return int(parameter.get("null") or (8 if "scratch" in parameter else WORDS[parameter["type"]]))
    [argument] = [argument for argument in arguments if argument["name"] == parameter]
    return WORDS["buffer"] if argument["kind"] == "buffer" else WORDS[argument["type"]]


def check_layout(asked: dict[str, Any], answer: dict[str, Any]) -> None:
    """The answer's parameters have the sizes that the machine code takes."""
    assert "error" not in answer, answer["error"]
    for kernel, output, result in zip(asked["kernels"], asked["outputs"], answer["kernels"], strict=True):
        sizes = [size(parameter, kernel["arguments"]) for parameter in result["parameters"]]
        with open(result.get("file", output), "rb") as file:
            code = file.read()
        assert sizes == (cubin.parameters(code, result["entry"]) if code[:4] == b"\x7fELF" else ptx_parameters(code.decode()))


def ptx_parameters(text: str) -> list[int]:
    entry = re.search(r"\.entry[^(]*\((.*?)\)", text, re.DOTALL)
    assert entry
    return [int(bits) // 8 for bits in re.findall(r"\.param \.[a-z](\d+)", entry[1])]


OWN = """
import sys
print("a line of the import")
from cutune.compilers import CompileError, serve

def helper(value):
    return 1 // value

def compile(request):
    print("a line of the compilation")
    [kernel] = request["kernels"]
    value = request["params"]["VALUE"]
    if value == 2:
        raise CompileError("no twos", "own.cu", 4)
    if value == 3:
        sys.exit("left")
    if value == 4:
        return {"error": "x" * 100000}
    helper(value)
    with open(request["outputs"][0], "w") as file:
        file.write("code")
    return {"kernels": [{"entry": kernel["name"]}]}

serve({"compiler": "own", "version": "1", "files": [__file__]}, compile)"""


@pytest.fixture
def own(folder: pathlib.Path) -> Iterator[Worker]:
    (folder / "own.py").write_text(OWN)
    with started([sys.executable, "own.py"], folder) as worker:
        yield worker


def test_hello(own: Worker, folder: pathlib.Path) -> None:
    assert own.hello == {"schema": 1, "compiler": "own", "version": "1", "files": [str(folder / "own.py")]}
    assert own.close() == 0


def test_answer_repeats_the_id(own: Worker, folder: pathlib.Path) -> None:
    answer = own.ask(request(folder, {"k": []}, id=12, params={"VALUE": 1}))
    assert answer == {"id": 12, "kernels": [{"entry": "k"}]}
    assert (folder / "7.0").read_text() == "code"


def test_errors_have_places_and_the_worker_lives_on(own: Worker, folder: pathlib.Path) -> None:
    expected = {
        0: ("ZeroDivisionError: integer division or modulo by zero", str(folder / "own.py"), 7),
        2: ("no twos", "own.cu", 4),
        3: ("SystemExit: left", str(folder / "own.py"), 16),
    }
    for value, (text, file, line) in expected.items():
        answer = own.ask(request(folder, {"k": []}, id=value, params={"VALUE": value}))
        assert answer == {"id": value, "error": text, "file": file, "line": line}
    assert "kernels" in own.ask(request(folder, {"k": []}, params={"VALUE": 1}))


def test_other_schema(own: Worker, folder: pathlib.Path) -> None:
    assert "schema 2" in own.ask(request(folder, {"k": []}, schema=2, params={"VALUE": 1}))["error"]


def test_without_a_connection(folder: pathlib.Path) -> None:
    (folder / "own.py").write_text(OWN)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    environment.pop("CUTUNE_COMPILER_FD", None)
    done = subprocess.run([sys.executable, "own.py"], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 1
    assert "compiler command" in done.stderr


def test_modules_without_a_file_are_no_files_of_the_users(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cutune.compilers._sources import Sources

    for name, file in (("made_up", "_classes.py"), ("own_part", str(folder / "own_part.py"))):
        module = types.ModuleType(name)
        module.__file__ = file
        monkeypatch.setitem(sys.modules, name, module)
    (folder / "own_part.py").write_text("")
    files = Sources([], []).files()
    assert str(folder / "own_part.py") in files and not any(file.endswith("_classes.py") for file in files)


def test_importing_the_protocol_is_light() -> None:
    code = "import sys, cutune.compilers; print(sorted({'numpy', 'triton', 'numba', 'ctypes.util'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize("name", ["triton", "cutile", "numba", "cute", "jinja", "clang"])
def test_usage(name: str) -> None:
    assert f"usage: python3 -m cutune.compilers.{name} " in refused(name)


def test_absent_file(folder: pathlib.Path) -> None:
    assert "absent.py: no such file" in refused("triton", "absent.py")


def refused(name: str, *arguments: str) -> str:
    """The message of a compiler that cannot begin."""
    command = [sys.executable, "-m", f"cutune.compilers.{name}", *arguments]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


# Triton

N = 1 << 20
VECTORS = [buffer("x", "float", N), buffer("y", "float", N), buffer("out", "float", N), scalar("N", "int", N)]


@pytest.fixture(scope="module")
def triton() -> Iterator[Worker]:
    pytest.importorskip("triton")
    with language("triton", "triton_add.py") as worker:
        yield worker


def test_triton_hello(triton: Worker) -> None:
    import triton as module

    assert triton.hello["compiler"] == "triton"
    assert triton.hello["packages"]["triton"]["version"] == module.__version__
    assert triton.hello["files"] == [str(EXAMPLES / "triton_add.py")]
    assert {"BLOCK", "num_warps", "num_stages", "num_ctas", "maxnreg"} <= set(triton.hello["params"])
    assert len(f"{triton.hello['compiler']} {triton.hello['version']}") <= 15


def test_triton_plain(triton: Worker, folder: pathlib.Path) -> None:
    asked = request(folder, {"add": VECTORS}, params={"num_warps": 8}, sizes={"BLOCK": 1024})
    answer = triton.ask(asked)
    check_layout(asked, answer)
    assert answer["kernels"][0]["entry"] == "add"
    assert answer["kernels"][0]["block"] == [256]
    assert answer["kernels"][0]["parameters"][:4] == ["x", "y", "out", "N"]


@pytest.mark.parametrize(
    ("arguments", "parts", "message", "line"),
    [
        (VECTORS, {}, "constexpr BLOCK: the space has no", 7),
        (VECTORS[:3], {"params": {"BLOCK": 64}}, "add takes 4 arguments (x, y, out, n), and the space gives 3", 7),
        (VECTORS, {"params": {"BLOCK": 1000}}, "power of 2", 8),
        (VECTORS, {"params": {"BLOCK": 64, "num_warps": 3}}, "power of 2", None),
        ([*VECTORS[:3], {"name": "s", "kind": "struct", "bytes": 8}], {"params": {"BLOCK": 64}}, "not a struct", 7),
        ([{"name": "m", "kind": "tensor_map", "type": "half"}, *VECTORS[1:]], {"params": {"BLOCK": 64}}, "the tensor map is absent", 7),
        ([buffer("x", "float4", N), *VECTORS[1:]], {"params": {"BLOCK": 64}}, "no type float4", 7),
        (VECTORS, {"params": {"BLOCK": 64}, "options": ["-O3"]}, "NAME=VALUE", None),
    ],
)
def test_triton_errors(
    triton: Worker, folder: pathlib.Path, arguments: list[dict[str, Any]], parts: dict[str, Any], message: str, line: int | None
) -> None:
    answer = triton.ask(request(folder, {"add": arguments}, **parts))
    assert message in answer["error"]
    assert answer.get("line") == line
    assert line is None or answer["file"] == str(EXAMPLES / "triton_add.py")


def test_triton_unknown_kernel(triton: Worker, folder: pathlib.Path) -> None:
    answer = triton.ask(request(folder, {"sub": VECTORS}))
    assert answer["error"] == "there is no function @triton.jit 'sub'; the file has: add"


MATRIX = [buffer(name, "half", 512, 512) for name in "abc"] + [
    scalar(name, "int", value)
    for name, value in (("M", 512), ("N", 512), ("K", 512), ("K#2", 512), ("1", 1), ("N#2", 512), ("1#2", 1), ("N#3", 512), ("1#3", 1))
]
TILE = {"TILE_M": 64, "TILE_N": 64, "TILE_K": 32, "GROUP": 8, "num_warps": 4, "num_stages": 3}


def test_triton_stride_of_one_and_clusters(folder: pathlib.Path) -> None:
    pytest.importorskip("triton")
    with language("triton", "triton_matmul.py") as worker:
        for ctas in (1, 2):
            asked = request(folder, {"matmul": MATRIX}, params={**TILE, "num_ctas": ctas})
            answer = worker.ask(asked)
            check_layout(asked, answer)
            [kernel] = answer["kernels"]
            assert kernel["parameters"][:9] == ["a", "b", "c", "M", "N", "K", "K#2", "N#2", "N#3"]
            assert kernel.get("cluster") == ([2] if ctas == 2 else None)
            assert kernel["shared"] > 0


def test_triton_two_kernels(folder: pathlib.Path) -> None:
    pytest.importorskip("triton")
    operands = [buffer("a", "half", 512, 512), buffer("b", "half", 512, 512)]
    partial, c = buffer("partial", "float", 4, 512, 512), buffer("c", "half", 512, 512)
    sizes = [scalar(name, "int", 512) for name in "MNK"]
    kernels = {"multiply": [*operands, partial, *sizes], "add_parts": [partial, c, scalar("M * N", "int", 512 * 512)]}
    with language("triton", "triton_splitk.py") as worker:
        asked = request(folder, kernels, params={"TILE": 64, "TILE_K": 32, "PARTS": 4, "BLOCK": 256})
        asked["kernels"][1]["defines"] = {"num_warps": 8}
        answer = worker.ask(asked)
        check_layout(asked, answer)
        assert [kernel["entry"] for kernel in answer["kernels"]] == ["multiply", "add_parts"]
        assert [kernel["block"] for kernel in answer["kernels"]] == [[128], [256]]


MANY = """
import triton
import triton.language as tl
import helper

@triton.autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def accumulate(total, x, n: tl.int32, BLOCK: tl.constexpr, EVEN: tl.constexpr, SCALE: tl.constexpr = 2):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at) if EVEN else tl.load(x + at, mask=at < n)
    tl.store(total + at, helper.twice(tl.load(total + at, mask=at < n)) + value * SCALE, mask=at < n)

@triton.jit
def described(x, out, rows, cols, TILE: tl.constexpr):
    inner = tl.make_tensor_descriptor(x, shape=[rows, cols], strides=[cols, 1], block_shape=[TILE, TILE])
    outer = tl.make_tensor_descriptor(out, shape=[rows, cols], strides=[cols, 1], block_shape=[TILE, TILE])
    at = [tl.program_id(0) * TILE, tl.program_id(1) * TILE]
    outer.store(at, inner.load(at))

@triton.jit
def product(a, b, c, size, SPECIALIZED: tl.constexpr):
    left = tl.make_tensor_descriptor(a, shape=[size, size], strides=[size, 1], block_shape=[128, 64])
    right = tl.make_tensor_descriptor(b, shape=[size, size], strides=[size, 1], block_shape=[128, 64])
    out = tl.make_tensor_descriptor(c, shape=[size, size], strides=[size, 1], block_shape=[128, 128])
    row, col = tl.program_id(0) * 128, tl.program_id(1) * 128
    total = tl.zeros((128, 128), dtype=tl.float32)
    for k in tl.range(0, size, 64, warp_specialize=SPECIALIZED):
        total = tl.dot(left.load([row, k]), right.load([col, k]).T, total)
    out.store([row, col], total.to(tl.float16))"""
GLUON = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def copy(x, out, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(out + at, gl.load(x + at, mask=at < n), mask=at < n)"""
HELPER = """
import triton

@triton.jit
def twice(x):
    return x + x"""


@pytest.fixture
def many(folder: pathlib.Path) -> Iterator[Worker]:
    pytest.importorskip("triton")
    (folder / "many.py").write_text(MANY)
    (folder / "helper.py").write_text(HELPER)
    with language("triton", "many.py", folder) as worker:
        yield worker


def test_triton_wrapped_function(many: Worker, folder: pathlib.Path) -> None:
    assert many.hello["files"] == [str(folder / "many.py"), str(folder / "helper.py")]
    for length in (1024, 1000):
        arguments = [buffer("total", "float", length), buffer("x", "float", length), scalar("n", "int", length)]
        asked = request(folder, {"accumulate": arguments}, params={"BLOCK": 128})
        answer = many.ask(asked)
        check_layout(asked, answer)
        assert answer["kernels"][0]["parameters"][:3] == ["total", "x", "n"]
    wrong = [*arguments[:2], scalar("n", "long", 8)]
    assert "declared i32" in many.ask(request(folder, {"accumulate": wrong}, params={"BLOCK": 128}))["error"]


def test_triton_specialized_warps(many: Worker, folder: pathlib.Path) -> None:
    matrices = [buffer(name, "half", 512, 512) for name in "abc"]
    blocks = []
    for specialized in (0, 1):
        asked = request(folder, {"product": [*matrices, scalar("N", "int", 512)]}, params={"SPECIALIZED": specialized, "num_warps": 4})
        answer = many.ask(asked)
        check_layout(asked, answer)
        blocks.append(answer["kernels"][0]["block"][0])
    assert blocks[0] == 128
    assert blocks[1] > 128


def test_gluon(folder: pathlib.Path) -> None:
    triton = pytest.importorskip("triton")
    if triton.__version__ < "3.6":
        pytest.skip("compiles Gluon only with a driver")
    (folder / "gluon_copy.py").write_text(GLUON)
    with language("triton", "gluon_copy.py", folder) as worker:
        asked = request(folder, {"copy": [*VECTORS[:2], VECTORS[3]]}, params={"BLOCK": 256})
        check_layout(asked, worker.ask(asked))


def test_triton_scratch(many: Worker, folder: pathlib.Path) -> None:
    arguments = [buffer("x", "float", 512, 512), buffer("out", "float", 512, 512), scalar("R", "int", 512), scalar("C", "int", 512)]
    asked = request(folder, {"described": arguments}, params={"TILE": 32})
    answer = many.ask(asked)
    check_layout(asked, answer)
    scratch = [parameter for parameter in answer["kernels"][0]["parameters"] if "scratch" in parameter]
    assert scratch[0]["scratch"] >= 256
    assert scratch[0]["alignment"] >= 64


def tensor_map(name: str, type: str, extents: list[int], box: list[int]) -> dict[str, Any]:
    facts = {"extents": extents, "strides": [extents[1], 1], "box": box, "swizzle": 0}
    return {"name": name, "type": type, "kind": "tensor_map", **facts}


def test_triton_descriptors_of_the_host(folder: pathlib.Path) -> None:
    """The space gives the tensor and the block, and Triton the layout of the map."""
    pytest.importorskip("triton")
    kinds = PACKAGE.parents[1] / "tests" / "gpu" / "compilers"
    with language("triton", "triton_passed_descriptors.py", kinds) as worker:
        maps = [tensor_map("a", "half", [512, 256], [64, 128]), tensor_map("b", "half", [256, 1024], [128, 64])]
        asked = request(
            folder,
            {"passed_descriptors": [*maps, tensor_map("c", "half", [512, 1024], [64, 64]), scalar("K", "int", 256)]},
            params={"TILE": 64, "TILE_K": 128},
        )
        answer = worker.ask(asked)
        check_layout(asked, answer)
        parameters = answer["kernels"][0]["parameters"]
        assert parameters[:5] == [
            {"tensor_map": "a", "box": [64, 64], "swizzle": 128},
            {"extent": "a", "dimension": 0, "type": "int"},
            {"extent": "a", "dimension": 1, "type": "int"},
            {"stride": "a", "dimension": 0, "type": "int64"},
            {"stride": "a", "dimension": 1, "type": "int64"},
        ]
        assert parameters[15] == "K"
        error = worker.ask({**asked, "architecture": "sm_80"})["error"]
        assert "a: the descriptor needs no tensor map" in error
