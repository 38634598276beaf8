"""cutune.triton: whole calls on the fake device, where Triton is installed."""

from __future__ import annotations

import collections
import importlib
import os
import pathlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import cutune
import pytest
from cutune._answers import Answers

from ..conftest import ROOT
from .fake_gpu import Driver, Exchange
from .tensors import Tensor, aligned
from .test_call import arrays, statements, twice
from .test_compilers import buffer, request, scalar, started
from .test_docs import examples

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


def test_each_key_has_an_answer_for_later_processes(module: Any) -> None:
    """The keys' spaces differ; a later process, here another tuner, tunes none of them again."""
    first, later = module.tuned(), module.tuned()
    for tuner in (first, later):
        for count in (1008, 2000, 4000):
            tuner[grid](*arrays(count).values())
    assert (len(first.results), len(later.results)) == (3, 0) and len(later.cache) == 3
