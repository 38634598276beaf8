"""Decorators for kernels of cuTile, Numba and templates: whole calls on the fake device for templates, and compilation for the others."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import cutune
import pytest
from cutune import _tuner, _versions
from cutune._regions import Unsupported
from cutune._standalone import standalone

from ..conftest import ROOT
from .fake_gpu import Driver
from .tensors import Tensor, aligned
from .test_docs import examples

TEMPLATE = """
extern "C" __global__ void __launch_bounds__({{ THREADS }}) twice(float *out, const float *in, int count) {
    extern __shared__ float part[];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x * {{ UNROLL }})
        out[i] = 2 * in[i];
}"""
CONFIGS = [{"THREADS": threads, "UNROLL": unroll} for threads in (64, 128) for unroll in (1, 2)]


@pytest.fixture
def driver(fake: str) -> Driver:
    pytest.importorskip("jinja2")
    if "CUTUNE_EXTENSION" not in os.environ:
        pytest.skip("the extension module is not built")
    found = Driver()
    found.expect(8, 8, 4)
    return found


def arrays(count: int = 1000, type: str = "float32") -> list[Any]:
    return [Tensor(aligned(count, type)), Tensor(aligned(count, type)), count]


def grid(values: dict[str, Any]) -> int:
    return int(-(-values["count"] // values["THREADS"]))


def block(values: dict[str, Any]) -> int:
    return int(values["THREADS"])


def doubled(out: Any, x: Any, count: int) -> Any:
    return 2 * x.numpy()


# ---- Templates ----


def test_a_template_is_tuned_once_for_each_key(driver: Driver, capsys: pytest.CaptureFixture[str]) -> None:
    twice = cutune.source(TEMPLATE, "twice", CONFIGS, reference=doubled)
    for count in (1000, 1000, 936):
        twice[grid, block](*arrays(count))
    assert len(twice.results) == 2 and twice.best_config in CONFIGS and capsys.readouterr().err.count("verified") == 2
    assert set(twice.results[0].frame()["status"]) <= {"ok", "slower", "duplicate"}
    threads = twice.best_config["THREADS"]
    lines = [line for line in driver.take() if line.startswith("launch")]
    assert [line.split()[3] for line in lines] == [str(-(-count // threads)) for count in (1000, 1000, 936)]
    assert all(f"block {threads} 1 1 shared 0" in line for line in lines)


def test_key_says_which_sizes_decide(driver: Driver) -> None:
    twice = cutune.source(TEMPLATE, "twice", CONFIGS, key=["count"])
    shorter = [Tensor(aligned(1008)), *arrays()[1:]]
    twice[grid, block](*arrays())
    twice[grid, block](*shorter)
    assert [dict(result.journal.problem) for result in twice.results] == [
        {"count": 1000, "SPECIALIZATION": 4},
        {"count": 1000, "SPECIALIZATION": 8},
    ]


def test_files_shared_memory_and_params(driver: Driver, folder: pathlib.Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "twice.cu.j2").write_text('{% include "head.j2" %}' + TEMPLATE)
    (folder / "parts" / "head.j2").write_text("#define PLACE {{ THREADS }}\n")
    params = [cutune.Param("THREADS", 64, 128, 256), cutune.Param("UNROLL", 1, 2)]
    twice = cutune.source(
        "parts/twice.cu.j2", "twice", params=params, flags=["--use_fast_math"], options={"strategy": "random", "max_evals": 3}
    )
    twice[grid, block, 512](*arrays())
    [result] = twice.results
    assert len(result.journal) == 3 and "shared 512" in driver.take()[-1]


def test_later_and_never(driver: Driver) -> None:
    later, never = (cutune.source(TEMPLATE, "twice", CONFIGS, tune=when) for when in ("later", "never"))
    for kernel in (later, never):
        kernel[grid, block](*arrays())
        assert kernel.best_config == CONFIGS[0] and kernel.results == []
    [result] = cutune.tune_recorded()
    never[grid, block](*arrays())
    assert {name: str(value) for name, value in (never.best_config or {}).items()} == {
        name: str(value) for name, value in result.best.items()
    }


def test_keys_of_a_captured_stream_are_tuned_later(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    twice = cutune.source(TEMPLATE, "twice", CONFIGS)
    with monkeypatch.context() as context:
        context.setattr(_tuner, "busy", lambda: True)
        for _ in range(2):
            twice[grid, block](*arrays())
    assert twice.best_config == CONFIGS[0] and twice.results == []
    assert len(cutune.tune_recorded()) == 1 and cutune.tune_recorded() == []
    twice[grid, block](*arrays())
    assert len(twice.results) == 1


PROCESS = """
import json, sys
sys.path[:0] = FOLDERS
import cutune
from python.tests.test_tuned import TEMPLATE, arrays, block, grid
configs = [{"THREADS": 32 * n, "UNROLL": unroll} for n in range(1, 9) for unroll in range(1, 6)]
twice = cutune.source(TEMPLATE, "twice", configs)
twice[grid, block](*arrays())
print(json.dumps([twice.best_config, len(twice.results)]))"""
FOLDERS = [str(ROOT / "tools" / "python"), str(ROOT / "tools")]


def test_the_next_process_goes_on_when_the_one_that_tunes_is_killed(driver: Driver, folder: pathlib.Path) -> None:
    """One of them continues its journal, and all end with one answer."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS.replace("FOLDERS", repr(FOLDERS))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    deadline = time.monotonic() + 60
    while not (journals := list((folder / "cutune.d").glob("*.csv"))) or journals[0].read_text().count("\n") < 30:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    killed = int((folder / "cutune.csv.tuning").read_text())
    os.kill(killed, 9)
    answers = []
    for process in started:
        output, said = process.communicate(timeout=120)
        assert process.returncode == (-9 if process.pid == killed else 0), said
        answers += [json.loads(output)] if process.pid != killed else []
        assert process.pid == killed or "which is tuning" in said
    assert len(answers) == 3 and all(best == answers[0][0] for best, _ in answers) and sum(tuned for _, tuned in answers) == 1


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"configs": []}, "either configs or params"),
        ({"configs": [{"THREADS": 64}, {"UNROLL": 1}]}, "different names"),
        ({"launch": "torch"}, "not one of direct, cupy"),
        ({"name": "thrice"}, "has no kernel thrice"),
        ({"template": "absent.cu.j2"}, "'absent.cu.j2' not found"),
        ({"template": "{% if %}\n"}, "cutune.source: "),
        ({"sizes": {"count": [1]}}, "sizes has count"),
    ],
)
def test_refused_arguments(parts: dict[str, Any], reason: str) -> None:
    pytest.importorskip("jinja2")
    with pytest.raises(cutune.Error, match=reason):
        cutune.source(**{"template": TEMPLATE, "name": "twice", "configs": CONFIGS, **parts})


@pytest.mark.parametrize(
    ("options", "arguments", "error", "reason"),
    [
        ({}, arrays()[:2], TypeError, "takes 3 arguments"),
        ({}, [*arrays()[:2], 2.5], cutune.Error, "neither an array nor a number with a type"),
        ({"key": ["size"]}, arrays(), cutune.Error, "key has size, which is no size of the call; sizes: out_0, in_0, count"),
    ],
)
def test_refused_calls(options: dict[str, Any], arguments: list[Any], error: type[Exception], reason: str) -> None:
    pytest.importorskip("jinja2")
    twice = cutune.source(TEMPLATE, "twice", CONFIGS, **options)
    with pytest.raises(error, match=reason):
        twice[1, 64](*arguments)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([Tensor(aligned(100)), Tensor(aligned(100), (10,), (2,)), 10], "the array in is strided"),
        ([Tensor(aligned(100, off=1)), Tensor(aligned(100)), 10], "the array out does not begin at a multiple of 16 bytes"),
    ],
)
def test_arrays_that_cannot_be_copied_run_the_first_configuration(
    driver: Driver, arguments: list[Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = cutune.source(TEMPLATE, "twice", CONFIGS)
    for _ in range(2):
        twice[grid, block](*arguments)
    assert reason in twice.untuned and twice.best_config == CONFIGS[0] and twice.results == []
    assert capsys.readouterr().err.count("the first configuration serves it") == 1 and len(driver.take()) == 2


def test_other_versions_run_the_first_configuration(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_versions.KNOWN, "jinja2", ((1, 0), (2, 0)))
    twice = cutune.source(TEMPLATE, "twice", CONFIGS)
    twice[grid, block](*arrays())
    assert "is not known: cutune knows 1.0 to 2.0" in twice.untuned and twice.best_config == CONFIGS[0]


# ---- cuTile, Numba and CuTe DSL ----

MODULES = {
    "cutile": """
import cuda.tile as ct
import cutune.cutile
FACTOR = 2.0

@cutune.cutile.autotune(configs=[{"TILE": tile, "occupancy": count} for tile in (256, 1024) for count in (1, 4)])
@ct.kernel
def twice(out, x, TILE: ct.Constant[int]):
    at = (ct.bid(0),)
    ct.store(out, index=at, tile=FACTOR * ct.load(x, index=at, shape=(TILE,)))

RULES = (lambda v: ct.cdiv(v["x"].shape[0], v["TILE"]),)""",
    "numba": """
from numba import cuda
import cutune.numba
FACTOR = 2.0

@cuda.jit(device=True)
def doubled(value):
    return FACTOR * value

@cutune.numba.autotune(configs=[{"UNROLL": unroll, "THREADS": threads} for unroll in (1, 4) for threads in (128, 256)])
def twice(UNROLL):
    def kernel(out, x):
        first = cuda.blockIdx.x * cuda.blockDim.x * UNROLL + cuda.threadIdx.x
        for step in range(UNROLL):
            at = first + step * cuda.blockDim.x
            if at < out.size:
                out[at] = doubled(x[at])
    return kernel

RULES = (lambda v: v["x"].shape[0] // (v["THREADS"] * v["UNROLL"]), lambda v: v["THREADS"])""",
    "cute": """
import cutlass
from cutlass import cute
import cutune.cute
FACTOR = 2.0

@cute.kernel
def scaled(out: cute.Tensor, x: cute.Tensor, THREADS: cutlass.Constexpr):
    at = cute.arch.block_idx()[0] * THREADS + cute.arch.thread_idx()[0]
    if at < cute.size(out):
        out[at] = FACTOR * x[at]

@cutune.cute.autotune(params=[cutune.Param("THREADS", 64, 128, 256, 512)], outputs=["out"])
@cute.jit
def twice(out: cute.Tensor, x: cute.Tensor, THREADS: cutlass.Constexpr):
    scaled(out, x, THREADS).launch(grid=(cute.ceil_div(cute.size(out), THREADS), 1, 1), block=(THREADS, 1, 1))

RULES = ()""",
}


@pytest.fixture(params=list(MODULES))
def module(request: pytest.FixtureRequest, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    pytest.importorskip({"cutile": "cuda.tile", "numba": "numba.cuda", "cute": "cutlass.cute"}[request.param])
    (folder / "kernels_of_a_page.py").write_text(MODULES[request.param])
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr("cutune._tuned.TunedKernel.device", staticmethod(lambda: 0))
    yield importlib.import_module("kernels_of_a_page")
    del sys.modules["kernels_of_a_page"]


def test_configurations_compile(module: Any, folder: pathlib.Path) -> None:
    """Without a GPU, and without the program that launches the kernel."""
    values = dict(zip(module.twice.argument_names(), arrays(1 << 16), strict=False))
    call = module.twice._call(module.RULES, values)
    passed = {"x"} if "doubled" in call.text else set()  # to a function of the user's, which may write it
    assert call.written == {"out"} | passed and len(call.rows) == 4 and "autotune" not in call.text
    (folder / "space").mkdir()
    path = call.write(str(folder / "space"))
    assert "buffer out float[65536]" in pathlib.Path(path).read_text()
    found = cutune.command("check", path, compile=4, device_file=str(ROOT / "space" / "devices" / "H200.csv"), format="json")
    assert found.count('"ok"') >= 4 and "compile_error" not in found


def test_launches_are_the_languages_own(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[Any] = []
    monkeypatch.setattr(type(module.twice), "start", lambda self, *parts: launched.append(parts))
    module.twice.settings.tune = "never"
    rules = module.RULES
    call = module.twice[rules if len(rules) > 1 else rules[0]] if rules else module.twice
    call(*arrays(1 << 16)[:2])
    [(_, row, sizes, _, stream)] = launched
    assert row == module.twice.configs[0] and stream is None
    assert sizes[:1] == ([(256,)] if "TILE" in row else [(512,)] if rules else [])


@pytest.mark.parametrize(
    ("page", "needed", "function", "kernel"),
    [
        ("docs/python-cutile.md", "cuda.tile", "total", "add"),
        ("docs/python-numba.md", "numba.cuda", "scale_and_add", "saxpy"),
        ("docs/python-cute.md", "cutlass.cute", "total", "add"),
        ("docs/python-source.md", "jinja2", "double", "twice"),
    ],
)
def test_the_examples_of_the_pages(
    page: str, needed: str, function: str, kernel: str, driver: Driver, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are files that are imported. The fake device has the kernel of the template."""
    pytest.importorskip(needed)
    [text] = examples(page)
    (folder / "page_of_a_language.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr("cutune._tuned.TunedKernel.device", staticmethod(lambda: 0))
    module = importlib.import_module("page_of_a_language")
    try:
        tuned = getattr(module, kernel)
        launched: list[Any] = []
        monkeypatch.setattr(type(tuned), "start", lambda self, *parts: launched.append(parts[1]))
        tuned.settings.tune = "now" if kernel == "twice" else "never"
        arguments = {"total": (*arrays(4096)[:2], Tensor(aligned(4096))), "scale_and_add": (*arrays(4096)[:2], Tensor(aligned(4096)), 2.5)}
        getattr(module, function)(*arguments.get(function, arrays()))
        assert launched == [tuned.best_config] and len(tuned.results) == (kernel == "twice")
    finally:
        del sys.modules["page_of_a_language"]


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"configs": [{"THREADS": 64, "UNROLL": 1}, {"THREADS": 64, "UNROLL": 2}]}, "the constants of twice are THREADS"),
        ({"configs": [{"THREADS": 64}], "outputs": ["y"]}, "outputs has y, which is no argument of twice: out, x"),
    ],
)
def test_refused_arguments_of_cute(parts: dict[str, Any], reason: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("cutlass.cute")
    (folder / "kernels_of_cute.py").write_text(MODULES["cute"])
    monkeypatch.syspath_prepend(str(folder))
    module = importlib.import_module("kernels_of_cute")
    with pytest.raises(cutune.Error, match=reason):
        module.cutune.cute.autotune(**parts)(module.twice.function)
    with pytest.raises(cutune.Error, match=r"is no function @cute\.jit"):
        module.cutune.cute.autotune([{"THREADS": 64}])(module.scaled)
    with pytest.raises(TypeError, match="has no parameter of the type CUstream"):
        module.twice(*arrays()[:2], stream=0)
    del sys.modules["kernels_of_cute"]


# ---- Text of a function and all that it uses ----

TABLE = {"a": [1, 2.5], "b": (True, None, float("inf"))}
count = 3  # also the name of a parameter


def helper(value: int) -> Any:
    return TABLE["a"][value] + later(value)


def later(value: int) -> int:
    return len(os.sep) if value else helper(value + 1)


def user(count: int, kind: type = Unsupported) -> Any:
    scale = 2

    def inner(value: int) -> Any:
        return helper(value) * scale + TABLE["b"][0]

    return inner(count)


def test_the_text_of_a_function_runs_alone() -> None:
    text, lines = standalone(user, "alone")
    scope: dict[str, Any] = {}
    exec(compile(text, "alone.py", "exec"), scope)
    assert scope["alone"](1) == user(1) and set(lines) == {"helper", "later", "user"} and "count" not in scope


def decorated(function: Any) -> Any:
    function.decorated = True
    return function


@decorated
@decorated
def replaced(count: int) -> int:
    return count + 1


def test_decorators_are_written_down_behind_code_that_was_replaced() -> None:
    """CuTe DSL compiles a function again, from the line of its def."""
    replaced.__code__ = replaced.__code__.replace(co_firstlineno=replaced.__code__.co_firstlineno + 2)
    text, _ = standalone(replaced, "alone")
    scope: dict[str, Any] = {}
    exec(compile(text, "alone.py", "exec"), scope)
    assert scope["alone"](1) == 2 and scope["alone"].decorated and text.count("@decorated") == 2


def test_what_cannot_be_written_down() -> None:
    thing = object()

    def uses() -> Any:
        return thing

    for function, reason in ((uses, "it uses thing, a object"), (lambda: 5, "not defined by def"), (5, "no function")):
        with pytest.raises(Unsupported, match=reason):
            standalone(function, "uses")  # type: ignore[arg-type]
