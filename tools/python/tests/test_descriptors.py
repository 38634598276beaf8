"""Descriptors of the host in calls of Triton kernels, and hooks that set their block shapes."""

from __future__ import annotations

import importlib
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import cutune
import pytest
from cutune._regions import Unsupported

from ..conftest import ROOT
from .tensors import Tensor, aligned

DESCRIPTORS = """
import triton
import triton.language as tl
import cutune.triton

def shapes(nargs):
    for name in ("out", "x"):
        if hasattr(nargs[name], "block_shape"):
            nargs[name].block_shape = [nargs["ROWS"], nargs["COLUMNS"]]

def zeroes(nargs):
    nargs["out"].base.zero_()

def renames(nargs):
    nargs["ROWS"] = 1

def fails(nargs):
    nargs["out"].shape[5]

def reads(nargs):
    nargs["sums"].numel()

def tuned(hook):
    shapes = ((64, 64), (128, 32), (8, 128))
    listed = [triton.Config({"ROWS": r, "COLUMNS": c}, num_warps=w, pre_hook=hook) for r, c in shapes for w in (4, 8)]
    return cutune.triton.autotune(configs=listed, key=["rows"])(twice)

@triton.jit
def twice(out, x, sums, rows, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    out.store(at, x.load(at) * 2)
    tl.store(sums + tl.program_id(0), rows)"""


@pytest.fixture
def described(folder: pathlib.Path, fake: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    pytest.importorskip("triton")
    (folder / "describing.py").write_text(DESCRIPTORS)
    monkeypatch.syspath_prepend(str(folder))
    yield importlib.import_module("describing")
    del sys.modules["describing"]


def descriptors(dtype: str = "float16") -> list[Any]:
    from triton.tools.tensor_descriptor import TensorDescriptor

    made = [TensorDescriptor(Tensor(aligned(512 * 256, dtype), (512, 256)), [512, 256], [256, 1], [1, 1]) for _ in range(2)]
    return [*made, Tensor(aligned(64)), 512]


def blocks(meta: dict[str, Any]) -> tuple[int, int]:
    return 512 // meta["ROWS"], 256 // meta["COLUMNS"]


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_block_shapes_of_a_pre_hook_are_tensor_maps(dtype: str, described: Any, folder: pathlib.Path) -> None:
    """A box is the block; `check` compares the parameters with the machine code."""
    values = descriptors(dtype)
    call, _ = described.tuned(described.shapes)._call(tuple(values), {"grid": blocks})
    assert values[0].block_shape == [1, 1]
    (folder / "space").mkdir()
    path = call.write(str(folder / "space"))
    text = pathlib.Path(path).read_text()
    box = "(ROWS == 64) * 64 + (ROWS == 128) * 32 + (ROWS == 8) * 128, (ROWS == 64) * 64 + (ROWS == 128) * 128 + (ROWS == 8) * 8"
    assert f"tensor_map out_map over out size 256, 512 box {box} stride" in text
    assert "args out_map, x_map, sums, int rows\n" in text
    device = str(ROOT / "space" / "devices" / "H200.csv")
    found = cutune.command("check", path, compile=6, device_file=device, format="json")
    assert found.count('"ok"') >= 6 and "compile_error" not in found


def test_the_hook_runs_before_each_launch(described: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from cutune import _triton

    monkeypatch.setattr(_triton, "device_index", lambda: 0)
    tuner = described.tuned(described.shapes)
    tuner.settings.tune = "never"
    seen: list[Any] = []
    monkeypatch.setattr(described.twice, "run", lambda out, *args, **kwargs: seen.append((out.block_shape, kwargs["ROWS"])))
    tuner[blocks](*descriptors())
    assert seen == [([64, 64], 64)]


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("zeroes", "its pre_hook uses the argument out"),
        ("renames", "its pre_hook changes ROWS"),
        ("fails", "its pre_hook cannot run without the kernel: IndexError"),
        ("reads", "its pre_hook uses the argument sums"),
    ],
)
def test_other_hooks_are_left_to_triton(hook: str, reason: str, described: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tuner = described.tuned(getattr(described, hook))
    with pytest.raises(Unsupported, match=reason):
        tuner._call(tuple(descriptors()), {"grid": blocks})
