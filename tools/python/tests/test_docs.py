"""The Python examples of the pages run, in order, on the fake device."""

from __future__ import annotations

import os
import pathlib
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import pytest

from ..conftest import ROOT
from . import stand_ins

#: A space with the sizes and parameters of the pages' smooth.space, over a kernel that the fake device has.
SMOOTH = """\
space 2
kernel twice "smooth.cu"
problem LENGTH = 1 << 10
param BLOCK = 64..128 times 2
param PER_THREAD = 1, 2
host PER_THREAD
buffer in  float[LENGTH] random
buffer out float[LENGTH] output
args out, in, int LENGTH
block BLOCK
grid ceildiv(LENGTH, BLOCK * PER_THREAD)
reference twice block 256 grid ceildiv(LENGTH, 256)
tolerance rel 1e-6
bytes 2 * sizeof(float) * LENGTH
default BLOCK=128 PER_THREAD=1
"""


def examples(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run(page: str, names: dict[str, object]) -> None:
    blocks = examples(page)
    assert blocks
    for block in blocks:
        text = re.sub(r"1 << (\d+)", r"1 << (\1 - 10)", block)  # the fake device is slow
        text = text.replace('kernel="smooth"', 'kernel="twice"')
        exec(compile(text, page, "exec"), names)


PAGES = "README.md", "docs/python.md", "docs/python-kernel.md", "docs/python-search.md", "docs/kernel-tuner.md"
#: Pages with a test of their own, here, in test_triton.py and in test_tuned.py.
APART = tuple(f"docs/python-{name}.md" for name in ("measure", "triton", "cutile", "numba", "cute", "source"))


def test_no_page_is_left_out() -> None:
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("python*.md")} <= {*PAGES, *APART}


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, fake: str, kernels: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "smooth.space").write_text(SMOOTH)
    (folder / "smooth.cu").write_text(kernels)
    (folder / "scale.cu").write_text(kernels)
    if page == "docs/python-kernel.md":
        if "CUTUNE_EXTENSION" not in os.environ:
            pytest.skip("the extension module is not built")
        for name, module in stand_ins.MODULES.items():
            monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr("cutune.kernel_tuner.timing", "median, cold")  # a page sets it
    run(page, {})


# The functions that the page leaves to its reader are work of the fake driver.
def test_measuring(gpu: Any) -> None:
    def work(ns: int) -> Callable[..., int]:
        return lambda *args: int(gpu.fake_work(args[1] if len(args) > 1 else 0, ns, ns))

    state = types.SimpleNamespace(copy_=work(2000))
    names = {"softmax": work(5312), "fast_softmax": work(5056), "update": work(9000), "x": 1, "stream": 3, "state": state, "initial": 0}
    run("docs/python-measure.md", names)
