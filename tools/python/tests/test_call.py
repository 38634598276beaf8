"""Calls of kernels as spaces, answers of a database, and turns: what the decorators share, without a language."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import pathlib
import random
import sys
import types
from typing import Any

import cutune
import numpy
import pytest
from cutune._answers import Answers, save
from cutune._call import Call
from cutune._listed import columns, conditions, table
from cutune._regions import Unsupported, regions
from cutune._written import written
from cutune.compilers import CompileError
from cutune.compilers import _slice as slicing

from .tensors import Tensor, aligned

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
    assert conditions(rows) == [] and columns(rows) == {"A": ["1", "2"], "B": ["3", "4"]}
    assert table(rows, [1, 2, 3, 4]).count("&&") == 4


@pytest.mark.parametrize("count", [2, 40, 100, 500, 900])
def test_long_lists_of_configurations(count: int) -> None:
    """Any list is the set of its configurations, however long."""
    every = [
        dict(zip("ABCDE", map(str, values), strict=True)) for values in itertools.product(range(3), range(4), range(6), range(3), range(5))
    ]
    rows = random.Random(count).sample(every, count)
    choices = {name: [int(value) for value in values] for name, values in columns(rows).items()}
    search = cutune.Search(choices, conditions(rows))
    assert search.count == count
    assert all({name: int(value) for name, value in row.items()} in search for row in rows)


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
    (folder / "other").mkdir()
    path = write_twice(kernels, str(folder / "other"))
    text = pathlib.Path(path).read_text(encoding="utf-8").replace("1000", "2000").replace("BLOCK = 64, 128", "BLOCK = 128, 32")
    pathlib.Path(path).write_text(text, encoding="utf-8")
    other = answers.tune(path, 0)
    for count, best in ((1000, result.best), (2000, other.best)):  # their spaces differ, as those of two keys do
        found = answers.look_up("twice", 0, {"count": count})
        assert found is not None and (found.rule, found.configuration) == ("problem", best)
    for count, best in ((7, result.best), (1300, result.best), (1500, other.best), (9999, other.best)):
        found = answers.nearest("twice", 0, {"count": count})
        assert found is not None and found.configuration == best
    assert answers.nearest("twice", 0, {"count": 1000, "more": 1}) is None
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
