"""Verdicts about candidates, on the fake device."""

from __future__ import annotations

import math
import pathlib

import cutune
import pytest
from cutune._error import ErrorCode


def candidate(folder: pathlib.Path, name: str, script: str) -> str:
    path = folder / f"{name}.cu"
    path.write_text(f'#define FAKE "fake: {script}"\n#include "fake_kernels.cu"\n', encoding="utf-8")
    return str(path)


def test_verdicts_of_all_sizes(scripted: str) -> None:
    folder = pathlib.Path(scripted).parent
    files = [candidate(folder, "fast", "time_ns=3000"), candidate(folder, "lazy", "time_ns=1000 wrong=1")]
    default, fast, lazy = cutune.judge(scripted, files, N=[500, 600], progress=False)
    assert default.own and default.candidate == "default" and default.right
    assert fast.right and not fast.own and [judged.problem for judged in fast.results] == ["N=500", "N=600"]
    assert fast.results[0].default_speedup == pytest.approx(2.0) and math.isnan(fast.results[0].library_speedup)
    assert fast.results[0].low_ns <= fast.results[0].time_ns <= fast.results[0].high_ns
    assert lazy.verdict == "wrong" and "values differ from the reference" in lazy.why and math.isnan(lazy.results[0].default_speedup)


def test_one_candidate_and_options(scripted: str) -> None:
    file = candidate(pathlib.Path(scripted).parent, "fast", "time_ns=3000")
    verdicts = cutune.judge(scripted, file, sizes=1, seed=3, progress=False)
    assert verdicts[1].file == file and len(verdicts[1].results) == 2
    assert cutune.judge(scripted, file, special=True, progress=False)[1].right


def test_errors_of_the_run_are_raised(scripted: str) -> None:
    with pytest.raises(cutune.Error, match="cannot be read") as caught:
        cutune.judge(scripted, ["none.cu"], progress=False)
    assert caught.value.code == ErrorCode.USAGE
    with pytest.raises(TypeError, match="did you mean process"):
        cutune.judge(scripted, ["none.cu"], proces="own", progress=False)
