"""cutune.triton: calls as spaces, answers and turns without Triton; whole calls on the fake device where Triton is installed."""

from __future__ import annotations

import collections
import importlib
import multiprocessing
import os
import pathlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import cutune
import numpy
import pytest
from cutune._answers import Answers, save
from cutune._call import Call
from cutune._listed import columns, condition, table
from cutune._regions import Unsupported, regions
from cutune._written import written
from cutune.compilers import CompileError
from cutune.compilers import _slice as slicing

from ..conftest import ROOT
from .fake_gpu import Driver, Exchange
from .tensors import Tensor, aligned
from .test_compilers import buffer, request, scalar, started
from .test_docs import examples

# ---- A call as a space ----

ROWS = [{"BLOCK": 128, "num_warps": 4}, {"BLOCK": 256, "num_warps": 4}, {"BLOCK": 256, "num_warps": 8}]


def call(values: dict[str, Any], **parts: Any) -> Call:
    own: dict[str, Any] = {
        "kernel": "twice__0", "problem": {"count": 1000}, "compiler": "triton", "file": "/k/kern.py", "title": "twice", "values": values,
        "scalars": {"count": "int"}, "rows": ROWS, "grids": [(8,), (4,), (4,)], "written": {"out"},
        "facts": {"module": "kern", "package": "", "function": "twice"}, **parts,
    }  # fmt: skip
    return Call(**own)


def statements(space: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for statement in cutune.Space.read(space).statements:
        found.setdefault(statement.name, []).append(statement.text)
    return found


def arrays(count: int = 1000) -> dict[str, Any]:
    return {"out": Tensor(aligned(count)), "x": Tensor(aligned(count)), "count": count}


def test_the_space_of_a_call(folder: pathlib.Path) -> None:
    found = statements(call(arrays()).write(str(folder)))
    assert found["kernel"] == ["twice__0"] and found["problem"] == ["count = 1000"]
    assert found["param"] == ["BLOCK = 128, 256", "num_warps = 4, 8"]
    assert found["require"] == ["(BLOCK == 128 && num_warps == 4) || (BLOCK == 256 && num_warps == 4) || (BLOCK == 256 && num_warps == 8)"]
    assert found["buffer"] == ['out float[1000] file("out.npy") inout', 'x float[1000] file("x.npy")']
    assert found["args"] == ["out, x, int count"] and found["grid"] == ["(BLOCK == 128) * 8 + (BLOCK == 256) * 4"]
    assert found["reference"] == ["default"] and found["default"] == ["BLOCK=128 num_warps=4"]
    assert found["tolerance"] == ["out rel 1e-3 abs 1e-3"]
    assert numpy.load(folder / "x.npy")[8] == 1


@pytest.mark.parametrize(
    ("value", "type", "text"),
    [(5, "int", "int 5"), (1 << 40, "long", f"long {1 << 40}"), (True, "bool", "bool 1"), (0.5, "float", "float 0.5"), (None, "", "null")],
)
def test_scalars_have_their_types(value: Any, type: str, text: str, folder: pathlib.Path) -> None:
    made = call({**arrays(), "own": value}, scalars={"count": "int", "own": type})
    assert statements(made.write(str(folder)))["args"] == [f"out, x, int count, {text}"]


def test_views_keep_their_offsets_and_aliases(folder: pathlib.Path) -> None:
    base = aligned(1000, off=4)
    values = {"out": Tensor(base, (10,), offset=20), "x": Tensor(base, (5, 10), (20, 1)), "y": Tensor(aligned(100), (3,), (8,), 2)}
    found = statements(call(values).write(str(folder)))
    assert found["buffer"] == ['x float[94] file("x.npy") inout', 'y float[19] file("y.npy")']
    assert found["args"] == ["x + 24, x + 4, y + 2"]


def test_zeros_and_words(folder: pathlib.Path) -> None:
    rows = [{"BLOCK": 128, "FAST": True, "HOW": "relu"}, {"BLOCK": 128, "FAST": False, "HOW": "a b"}]
    made = call(arrays(), rows=rows, grids=[(1, 2), (3,)], zeroed={"out"})
    found = statements(made.write(str(folder)))
    assert found["buffer"][0] == "out float[1000] zero inout"
    assert found["param"][0] == "FAST = True, False" and found["grid"] == [
        "(FAST == True) * 1 + (FAST == False) * 3, (FAST == True) * 2 + (FAST == False) * 1"
    ]
    known = slicing.Call.read(str(folder / "call.json"))
    word = next(text for text, meaning in known.words.items() if meaning == "a b")
    assert known.known({"FAST": "True", "HOW": word, "N": 3}) == {"FAST": True, "HOW": "a b", "N": 3, "BLOCK": 128}


def twice(out: Any, x: Any, count: int) -> None:
    out.copy_(2 * x.numpy())


@pytest.mark.parametrize("reference", [twice, lambda out, x, count: 2 * x.numpy(), lambda out, x, count: {"out": 2 * x.numpy()}])
def test_references(reference: Any, folder: pathlib.Path) -> None:
    values = arrays()
    before = values["out"].numpy().copy()
    found = statements(call(values, reference=reference, tolerance=1e-5).write(str(folder)))
    assert found["reference"] == ['out file("out_expected.npy")'] and found["tolerance"] == ["out rel 1e-05"]
    assert (numpy.load(folder / "out_expected.npy") == 2 * values["x"].numpy()).all()
    assert (values["out"].numpy() == before).all()


def test_outputs_that_the_reference_leaves_are_not_compared(folder: pathlib.Path) -> None:
    values = {**arrays(), "sums": Tensor(aligned(10))}
    made = call(values, written={"out", "sums"}, reference=lambda out, x, count, sums: {"out": 2 * x.numpy()})
    found = statements(made.write(str(folder)))
    assert found["compare"] == ["sums first 0"] and len(found["reference"]) == 1


def test_memory_that_nobody_has_written_is_no_fault(folder: pathlib.Path) -> None:
    values = arrays()
    values["out"].base[7] = numpy.nan
    call(values).write(str(folder))
    assert numpy.load(folder / "out.npy")[7] == 0


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"written": set()}, "writes no tensor"),
        ({"rows": ROWS[:1], "grids": [(8,)]}, "all configurations are the same"),
        ({"reference": lambda out, x, count: None}, "changes no tensor"),
        ({"reference": lambda out, x, count: {"z": x}}, "returns z"),
        ({"file": '/k"/kern.py'}, "has a quote"),
    ],
)
def test_calls_that_cannot_be_tuned(parts: dict[str, Any], reason: str, folder: pathlib.Path) -> None:
    with pytest.raises(Unsupported, match=reason):
        call(arrays(), **parts).write(str(folder))


def test_memory_of_two_types_is_refused() -> None:
    base = aligned(16)
    with pytest.raises(Unsupported, match="as different types"):
        regions({"a": Tensor(base), "b": Tensor(base.view("int32"))})


def test_lists_of_configurations() -> None:
    rows = [{"A": a, "B": b} for a in ("1", "2") for b in ("3", "4")]
    assert condition(rows) == "" and columns(rows) == {"A": ["1", "2"], "B": ["3", "4"]}
    assert table(rows, [1, 2, 3, 4]).count("&&") == 4


# ---- The pointers that a kernel writes ----

LANGUAGE = types.ModuleType("triton.language")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("tl.store(y, tl.load(x))", {"y"}),
        ("at = y + 1\n    tl.store(at + 2, x)", {"y"}),
        ("tl.atomic_add(x, 1)", {"x"}),
        ("d = tl.make_tensor_descriptor(y, [n], [1], [8])\n    d.store([0], d.load([0]))", {"y"}),
        ("p = x\n    for i in range(n):\n        tl.store(p, 0)\n        p = y", {"x", "y"}),
        ("own(x, y + 1)", {"x", "y"}),
        ("if n > 1:\n        old = tl.atomic_cas(y, 0, 1)\n    z = tl.load(x + old)", {"y"}),
        ("while tl.load(x) == 0:\n        pass", set()),
    ],
)
def test_written_pointers(body: str, expected: set[str]) -> None:
    assert written(f"def k(x, y, n):\n    {body}\n", ["x", "y"], {"tl": LANGUAGE}, "triton.") == expected


# ---- Loading a kernel without its program ----

PROGRAM = """
from __future__ import annotations
import json, sys
from math import *
FACTOR = 3
def helper(value):
    return FACTOR * value
absent = sys.no_such_thing
@tuners.autotune(configs=absent)
def kernel(n: Missing):
    return helper(n) + floor(0.5)
raise SystemExit("the program runs")"""


def test_a_kernel_is_loaded_without_its_program(folder: pathlib.Path) -> None:
    (folder / "program.py").write_text(PROGRAM)
    module = slicing.load(str(folder / "program.py"), slicing.Call("__main__", "", "kernel"))
    assert module.kernel(2) == 6 and module.kernel.__code__.co_firstlineno == 9
    assert not {"json", "absent"} & set(vars(module))


def test_a_fault_of_the_kernel_has_its_place(folder: pathlib.Path) -> None:
    (folder / "faulty.py").write_text("import sys\n@sys.absent\ndef kernel():\n    pass\n")
    with pytest.raises(CompileError, match="absent") as caught:
        slicing.load(str(folder / "faulty.py"), slicing.Call("faulty", "", "kernel"))
    assert caught.value.line == 3


def test_a_kernel_of_a_package_has_its_neighbours(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "__init__.py").write_text("from .kern import launch\n")
    (folder / "parts" / "more.py").write_text("def helper(n):\n    return 2 * n\n")
    (folder / "parts" / "kern.py").write_text("from .more import helper\ndef kernel(n):\n    return helper(n)\ndef launch(): ...\n")
    monkeypatch.syspath_prepend(str(folder))
    module = slicing.load(str(folder / "parts" / "kern.py"), slicing.Call("parts.kern", "parts", "kernel"))
    assert module.kernel(2) == 4 and not hasattr(module, "launch")
    for name in ("parts", "parts.kern", "parts.more"):
        del sys.modules[name]


# ---- Answers ----


def write_twice(source: str, folder: str, blocks: tuple[int, ...] = (64, 128)) -> str:
    space = cutune.Space().kernel("twice", "twice.cu").problem("count", 1000).param("BLOCK", blocks)
    space.buffer("out", "float", "count", "output").buffer("x", "float", "count", "random").args("out", "x", "int count")
    space.block("BLOCK").grid("ceildiv(count, BLOCK)").reference("default")
    pathlib.Path(folder, "twice.cu").write_text(source, encoding="utf-8")
    return save(space, folder)


def test_answers_are_those_of_the_very_key(fake: str, kernels: str, folder: pathlib.Path) -> None:
    answers = Answers(str(folder / "own" / "answers.csv"))
    assert answers.look_up("twice", 0, {"count": 1000}) is None
    with answers.turn("twice"):
        result = answers.tune(write_twice(kernels, str(folder)), 0)
    for count in (1000, 999):
        found = answers.look_up("twice", 0, {"count": count})
        assert found is not None and (found.rule == "problem", found.configuration) == (count == 1000, result.best)
    assert answers.look_up("thrice", 0, {"count": 1000}) is None
    assert os.path.isdir(folder / "own" / "cutune.d") and not os.path.exists("cutune.d")


def test_recorded_keys_are_tuned_later(fake: str, kernels: str, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = Answers()
    assert answers.record("twice", {"count": 1000}, 0, lambda place: write_twice(kernels, place))
    assert not answers.record("twice", {"count": 1000}, 0, lambda place: write_twice(kernels, place))
    assert answers.record("twice", {"count": 7}, 0, lambda place: write_twice("not CUDA", place))
    [result] = answers.tune_recorded()
    found = answers.look_up("twice", 0, {"count": 1000})
    assert found is not None and found.configuration == result.best
    assert os.listdir(answers.recorded) == ["twice-0-count7"] and "twice-0-count7: " in capsys.readouterr().err


def test_a_key_that_cannot_be_written_is_not_recorded(folder: pathlib.Path) -> None:
    def fail(place: str) -> str:
        raise Unsupported("no")

    with pytest.raises(Unsupported):
        Answers().record("twice", {}, 0, fail)
    assert os.listdir(Answers().recorded) == []


def hold(begun: Any, end: Any) -> None:
    with Answers().turn("one"):
        begun.set()
        end.wait(20)


@pytest.mark.parametrize("killed", [False, True])
def test_one_process_tunes_and_others_wait(killed: bool, folder: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    context = multiprocessing.get_context("fork")
    begun, end = context.Event(), context.Event()
    process = context.Process(target=hold, args=(begun, end))
    process.start()
    assert begun.wait(20)
    timer = context.Process(target=finish, args=(process.pid, end, killed))
    timer.start()
    with Answers().turn("two"):
        process.join(20)
        assert process.exitcode == (-9 if killed else 0)
    timer.join(20)
    assert f"two: waits for process {process.pid}, which is tuning" in capsys.readouterr().err


def finish(pid: int, end: Any, killed: bool) -> None:
    import time

    time.sleep(0.3)
    if killed:
        os.kill(pid, 9)
    else:
        end.set()


# ---- With Triton ----

KERNELS = """
import triton
import triton.language as tl
import cutune.triton

RUNS = []
LISTED = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((128, 4), (256, 4), (256, 8))]

def tuned(**options):
    return cutune.triton.autotune(configs=LISTED, key=["count"], **options)(twice)

@triton.heuristics({"EVEN": lambda args: args["count"] % args["BLOCK"] == 0})
@triton.jit
def twice(out, x, count, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + at, 2 * tl.load(x + at))
    else:
        tl.store(out + at, 2 * tl.load(x + at, mask=at < count), mask=at < count)

@triton.jit
def weighted(pair, inputs, count, SHAPE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = pair.factor * tl.load(inputs[0] + at, mask=at < count)
    if inputs[1][1] is not None:
        total += inputs[1][0] * tl.load(inputs[1][1] + at, mask=at < count)
    tl.store(pair.out + at, total * SHAPE[1], mask=at < count)

def tuples():
    @triton.jit
    def twice(pair, rest, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(pair.out + at, 2 * rest[1] * tl.load(pair.factor + at, mask=at < rest[0]), mask=at < rest[0])
    return twice

@triton.jit
def scaled(value, FACTOR: tl.constexpr):
    return FACTOR * value

def nested(factor):
    two = tl.constexpr(factor) if type(factor) is int else factor
    # the lines before a function count in Triton's hash
    @cutune.triton.autotune(configs=LISTED, key=["count"])
    @triton.jit
    def twice(out, x, count, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, scaled(tl.load(x + at, mask=at < count), two), mask=at < count)
    return twice"""


@pytest.fixture
def module(folder: pathlib.Path, fake: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of KERNELS. Launches of Triton, for which there is no GPU, are its RUNS."""
    pytest.importorskip("triton")
    (folder / "doubling.py").write_text(KERNELS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder / "triton"))
    loaded = importlib.import_module("doubling")
    from cutune import _triton

    monkeypatch.setattr(_triton, "device_index", lambda: 0)
    monkeypatch.setattr(loaded.twice, "run", lambda *args, **kwargs: loaded.RUNS.append(kwargs))
    yield loaded
    del sys.modules["doubling"]


def test_the_examples_of_the_page(module: Any, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are a file that is imported, before and after calls."""
    first, *rest = examples("docs/python-triton.md")
    (folder / "page.py").write_text(first)
    page = importlib.import_module("page")
    launched: list[Any] = []
    monkeypatch.setattr(page.twice.fn, "run", lambda *args, **kwargs: launched.append(kwargs))
    page.double(*arrays().values())
    assert len(page.twice.results) == 1 and launched[0]["BLOCK"] == page.twice.best_config.kwargs["BLOCK"]
    for block in rest:
        exec(compile(block, "page", "exec"), vars(page))
    page.checked[grid](*arrays().values())
    assert len(launched) == 2
    del sys.modules["page"]


def grid(meta: dict[str, Any]) -> tuple[int]:
    return (-(-meta["count"] // meta["BLOCK"]),)


def test_a_call_is_tuned_once(module: Any, capsys: pytest.CaptureFixture[str]) -> None:
    values = list(arrays().values())
    tuner = module.tuned(reference=twice, options={"explain": True})
    tuner[grid](*values)
    [result] = tuner.results
    assert tuner.best_config in module.LISTED and list(tuner.cache.values()) == [tuner.best_config]
    assert set(result.frame()["status"]) <= {"ok", "slower"} and len(result.frame()["BLOCK"]) == 3
    assert module.RUNS[0]["BLOCK"] == tuner.best_config.kwargs["BLOCK"] and module.RUNS[0]["num_warps"] == tuner.best_config.num_warps
    assert "verified" in capsys.readouterr().err and "winner" in result.explain(neighbours=0)
    tuner[grid](*values)
    other = module.tuned(reference=twice)
    other[grid](*values)
    assert len(tuner.results) == 1 and other.results == [] and other.best_config == tuner.best_config and len(module.RUNS) == 3
    assert capsys.readouterr().err == ""


def test_a_reference_needs_an_answer_that_it_has_verified(module: Any) -> None:
    values = list(arrays().values())
    for options in ({}, {"reference": twice}):
        tuner = module.tuned(**options)
        tuner[grid](*values)
        assert len(tuner.results) == 1


def test_a_wrong_reference_leaves_the_first_configuration(module: Any, capsys: pytest.CaptureFixture[str]) -> None:
    tuner = module.tuned(reference=lambda out, x, count: 3 * x.numpy() + 1)
    tuner[grid](*arrays().values())
    assert tuner.best_config is module.LISTED[0] and tuner.cache == {}
    assert "twice count=1000" in (said := capsys.readouterr().err) and "the first configuration runs: " in said


def test_a_first_configuration_that_fails_is_not_compared_with(module: Any, capsys: pytest.CaptureFixture[str]) -> None:
    import triton

    module.LISTED[:] = [triton.Config({"BLOCK": block}) for block in (100, 128, 256)]
    tuner = module.tuned()
    tuner[grid](*arrays().values())
    assert tuner.best_config in module.LISTED[1:] and tuner.results[0].default["BLOCK"] == 128
    assert "2 of 2 agree" in capsys.readouterr().err


def test_later_and_never(module: Any) -> None:
    never, later = module.tuned(tune="never"), module.tuned(tune="later")
    values = list(arrays().values())
    never[grid](*values)
    assert never.best_config is module.LISTED[0] and not os.path.exists(Answers().recorded)
    later[grid](*values)
    assert later.best_config is module.LISTED[0] and later.results == []
    [result] = cutune.tune_recorded()
    later[grid](*values)
    never[grid](*values)
    assert list(later.cache.values()) == [later.best_config] and never.best_config == later.best_config
    assert {str(later.best_config.kwargs["BLOCK"]), str(later.best_config.num_warps)} <= {str(v) for v in result.best.values()}


def test_nothing_is_tuned_while_a_stream_is_captured(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from cutune import _tuner

    values = list(arrays().values())
    first, tuner, known = (module.tuned(tune=when) for when in ("later", "now", "now"))
    with monkeypatch.context() as context:
        context.setattr(_tuner, "busy", lambda: True)
        first[grid](*values)
    assert first.best_config is module.LISTED[0] and not first.results and not os.path.exists(Answers().recorded)
    tuner[grid](*values)
    with monkeypatch.context() as context:
        context.setattr(_tuner, "busy", lambda: True)
        known[grid](*values)
    assert known.best_config == tuner.best_config and known.cache and not known.results


def test_torch_takes_the_configuration_of_the_last_call(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """torch reads the list of configurations while it compiles a function with the kernel. One that prunes has none before a call."""
    context = types.SimpleNamespace(TracingContext=types.SimpleNamespace(try_get=object))
    tuner, pruned = module.tuned(), module.tuned(prune_configs_by={"early_config_prune": lambda configs, values, **others: configs[1:]})
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", types.SimpleNamespace(_guards=context))
        assert tuner.configs == module.LISTED[:1] and pruned.configs == module.LISTED
    tuner[grid](*arrays().values())
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "torch", types.SimpleNamespace(_guards=context))
        assert tuner.configs == [tuner.best_config]
    assert tuner.configs == module.LISTED


def compiled(function: Any, count: int) -> Any:
    """The compiled kernel that Triton's launcher returns, without a launch."""
    import triton
    from triton.backends.compiler import GPUTarget

    types = {"out": "*fp32", "x": "*fp32", "count": "i32", "BLOCK": "constexpr", "EVEN": "constexpr"}
    source = triton.compiler.ASTSource(function, types, {(3,): 128, (4,): count % 128 == 0})
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 8})


def test_direct_launches(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Triton compiles at the first launch, and once for each value of the heuristics."""
    if "CUTUNE_EXTENSION" not in os.environ:
        pytest.skip("the extension module is not built")
    from cutune import _triton

    driver = Driver()
    driver.expect(8, 8, 4, 8)
    tuner = module.tuned(launch="direct", tune="never")
    by_triton: list[int] = []

    def run(*args: Any, **kwargs: Any) -> Any:
        by_triton.append(args[2])
        return compiled(tuner.function, args[2])

    monkeypatch.setattr(module.twice, "run", run)
    values = [Exchange(0x1000, 1024), Exchange(0x2000, 1024)]
    launch = _triton.Launch("twice", tuner.arg_names, module.LISTED[0], True)
    for count in (1001, 1001, 1024, 1024, 2048):
        launch(tuner.fn, (*values, count), {"grid": grid})
    assert by_triton == [1001, 1024]
    lines = [line for line in driver.take() if line.startswith("launch")]
    assert [line.partition(" shared")[0] for line in lines] == [f"launch twice grid {blocks} 1 1 block 256 1 1" for blocks in (8, 8, 16)]
    assert lines[2].endswith("1000 2000 800 0")


def test_params_are_searched(module: Any) -> None:
    import cutune.triton as own

    tuner = own.autotune(
        key=["count"],
        params=[cutune.Param("BLOCK", 128, 256, 512), cutune.Param("num_warps", 2, 4)],
        options={"strategy": "random", "max_evals": 3},
    )(module.twice)
    tuner[grid](*arrays().values())
    [result] = tuner.results
    assert len(tuner.configs) == 6 and len(result.journal) == 3 and tuner.best_config in tuner.configs


@pytest.mark.parametrize("kept", [1, 2])
def test_pruned_configurations_do_not_run(kept: int, module: Any) -> None:
    seen: list[Any] = []

    def prune(configs: list[Any], values: dict[str, Any], **others: Any) -> list[Any]:
        seen.append((values["count"], "grid" in others))
        return configs[-kept:]

    tuner = module.tuned(prune_configs_by={"early_config_prune": prune})
    tuner[grid](*arrays().values())
    assert tuner.best_config in module.LISTED[-kept:] and seen == [(1000, True)] and tuner.served_by_triton == ""
    assert [len(result.journal) for result in tuner.results] == ([] if kept == 1 else [2])


def test_zeroed_and_restored_buffers(module: Any) -> None:
    for option, fill in (("reset_to_zero", "zero inout"), ("restore_value", 'file("x.npy") inout')):
        tuner = module.tuned(**{option: ["x"]})
        made, _ = tuner._call(tuple(arrays().values()), {"grid": grid})
        assert made.written == {"out", "x"}
        os.mkdir(option)
        assert f"x float[1000] {fill}" in statements(made.write(option))["buffer"]


def test_a_constant_that_differs_from_the_programs_is_an_error(module: Any, folder: pathlib.Path) -> None:
    tuner = module.tuned()
    made, _ = tuner._call(tuple(arrays().values()), {"grid": grid})
    assert made.facts is not None
    made.facts["source"] = "another"
    made.write(str(folder))
    asked = request(folder, {made.kernel: [buffer("out", "float", 1000), buffer("x", "float", 1000), scalar("count", "int", 1000)]})
    asked["params"] = {"BLOCK": 128, "num_warps": 4, "EVEN": "False"}
    with started([sys.executable, "-m", "cutune.compilers.triton", made.file, "call.json"], folder) as worker:
        answer = worker.ask(asked)
    assert "differs from the program's" in answer["error"] and answer["file"] == made.file


def test_a_fit_serves_sizes_between_the_listed_ones(module: Any) -> None:
    tuner = module.tuned(sizes={"count": [1008, 2000, 4000]})
    tuner[grid](*arrays(1600).values())
    assert tuner.results == [] and tuner.best_config is module.LISTED[0]
    for count in (1008, 4000, 2000, 1600, 3008):
        tuner[grid](*arrays(count).values())
    assert len(tuner.results) == 3 and len(tuner.cache) == 5
    found = Answers().look_up(tuner._call(tuple(arrays(1600).values()), {"grid": grid})[0].kernel, 0, {"count": 1600, "SPECIALIZATION": 8})
    assert found is not None and found.rule == "fit"


def test_keys_have_what_triton_compiles_for(module: Any) -> None:
    tuner = module.tuned()
    shifted = {**arrays(), "x": Tensor(aligned(1000, off=1))}
    kinds = [arrays(), arrays(1008), shifted, {**arrays(), "x": Tensor(aligned(1000, "float16"))}]
    assert len({tuner._key(tuple(values.values()), {}) for values in [*kinds, arrays()]}) == 4
    made = [tuner._call(tuple(values.values()), {"grid": grid})[0] for values in kinds]
    assert made[0].kernel == made[2].kernel != made[3].kernel
    assert made[0].problem["SPECIALIZATION"] != made[2].problem["SPECIALIZATION"]


Pair = collections.namedtuple("Pair", ["out", "factor"])


@pytest.mark.parametrize(("weight", "second"), [(3, True), (16, False)])
def test_members_of_tuples_are_arguments(weight: int, second: bool, module: Any, folder: pathlib.Path) -> None:
    """Specialised as Triton does it: the worker's code is that of the program."""
    import cutune.triton as own

    tuner = own.autotune(configs=module.LISTED, key=["count", "inputs"])(module.weighted)
    tensors = [Tensor(aligned(1000)) for _ in range(3)]
    call = (Pair(tensors[0], 0.5), (tensors[1], (weight, tensors[2] if second else None)), 1000)
    made, _ = tuner._call(call, {"grid": grid, "SHAPE": (2, 4)})
    assert made.written == {"pair_0"} and made.problem["inputs_1_0"] == weight
    assert tuner._key(call, {}) != tuner._key((call[0], (tensors[1], (weight + 1, tensors[2])), 1000), {})
    path = made.write(str(folder))
    found = cutune.command("check", path, compile=3, device_file=str(ROOT / "space" / "devices" / "H200.csv"), format="json")
    assert found.count('"ok"') >= 3 and "compile_error" not in found


def test_a_call_with_tuples_is_tuned(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import cutune.triton as own

    seen: list[Any] = []

    def reference(pair: Any, rest: Any) -> Any:
        seen.append((pair, rest))
        return {"pair_0": 2 * pair.factor.numpy()}

    kernel = module.tuples()
    monkeypatch.setattr(kernel, "run", lambda *args, **kwargs: module.RUNS.append(kwargs))
    tuner = own.autotune(configs=module.LISTED, key=["rest"], reference=reference)(kernel)
    call = (Pair(Tensor(aligned(1000)), Tensor(aligned(1000))), (1000, 1, None))
    tuner[lambda meta: (-(-meta["rest"][0] // meta["BLOCK"]),)](*call)
    [result] = tuner.results
    assert set(result.frame()["status"]) <= {"ok", "slower"} and tuner.best_config in tuner.configs
    assert type(seen[0][0]).__name__ == "Pair" and seen[0][1] == (1000, 1, None)


def test_nested_functions_are_written_down_with_all_that_they_use(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tuner = module.nested(2)
    monkeypatch.setattr(tuner.fn, "run", lambda *args, **kwargs: module.RUNS.append(kwargs))
    tuner[grid](*arrays().values())
    [result] = tuner.results
    assert set(result.frame()["status"]) <= {"ok", "slower"} and module.RUNS[0]["BLOCK"] == tuner.best_config.kwargs["BLOCK"]


def test_what_cannot_be_written_down_is_left_to_triton(
    module: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from cutune import _triton
    from triton.runtime.autotuner import Autotuner

    tuner = module.nested(object())
    monkeypatch.setattr(type(tuner.function), "cache_key", "")
    runs: list[Any] = []
    monkeypatch.setattr(Autotuner, "run", lambda self, *args, **kwargs: runs.append(kwargs))
    for _ in range(2):
        tuner[grid](*arrays().values())
    assert len(runs) == 2 and "it uses two, a object, whose value cannot be written down" in tuner.served_by_triton
    assert capsys.readouterr().err.count("Triton's own autotuner serves it") == 1
    assert _triton.name_in_module(tuner.function) == ""


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"use_cuda_graph": True}, "use_cuda_graph is refused"),
        ({"do_bench": print}, "do_bench is refused"),
        ({"tune": "soon"}, "not one of now, later, never"),
        ({"launch": "soon"}, "not one of triton, direct"),
        ({"sizes": {"M": [1]}}, "sizes has M"),
        ({"params": [cutune.Param("BLOCK", 1)]}, "either configs or params"),
    ],
)
def test_refused_arguments(options: dict[str, Any], reason: str, module: Any) -> None:
    with pytest.raises(cutune.Error, match=reason):
        module.tuned(**options)


@pytest.mark.parametrize("version", ["3.3.1", "3.10.0", "4.0.0"])
def test_other_versions_are_left_to_triton(version: str, module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import triton

    monkeypatch.setattr(triton, "__version__", version)
    assert module.tuned().served_by_triton == f"Triton {version} is not known: cutune.triton knows 3.4 to 3.9"


def test_hooks_are_left_to_triton(module: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert "hook" in module.tuned(pre_hook=lambda values, reset_only=False: None).served_by_triton
    assert "hook" in capsys.readouterr().err
