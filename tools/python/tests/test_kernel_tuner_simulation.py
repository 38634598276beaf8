"""The engine's search in a cache of Kernel Tuner's form, without a device."""

from __future__ import annotations

import itertools
import json
import pathlib
from typing import Any

import cutune.kernel_tuner as kernel_tuner
import pytest
from cutune.kernel_tuner import _results

from .test_kernel_tuner import call


def cache_of(folder: pathlib.Path, **changes: Any) -> dict[str, Any]:
    """A call of a simulation whose cache has 40 configurations: the best is BLOCK 8, UNROLL 4; BLOCK 10 fails."""
    parameters = {"BLOCK": list(range(1, 11)), "UNROLL": [1, 2, 4, 8]}
    entries = {}
    for block, unroll in itertools.product(*parameters.values()):
        entry = {"BLOCK": block, "UNROLL": unroll, "compile_time": 100.0, "verification_time": 0, "benchmark_time": 900.0}
        outcome = {"__error__": "CompilationFailedConfig"} if block == 10 else {"time": 1.0 + abs(block - 8) + abs(unroll - 4)}
        entries[f"{block},{unroll}"] = {**entry, **outcome}
    given = {"tune_params": parameters, "cache": str(folder / "old"), "simulation_mode": True, "strategy": "cutune", "seed": 1}
    made = call(**{**given, **changes})
    (folder / "old.json").write_text(json.dumps({**_results._cache_header(made), "device_name": "H", "cache": entries}))
    return made


def test_a_simulation(tmp_path: pathlib.Path) -> None:
    """The search of the engine asks for few of the configurations, without a device, and finds the best."""
    made = cache_of(tmp_path, strategy_options={"max_fevals": 25}, metrics={"rate": "1 / time"})
    results, env = kernel_tuner.tune_kernel(**made)
    best = env["best_config"]
    assert len(results) == 25 and (best["BLOCK"], best["UNROLL"], best["rate"]) == (8, 4, 1)
    assert env["simulated_time"] == 25000 and env["device_name"] == "H"
    assert kernel_tuner.tune_kernel(**made)[0] == results, "the same seed, the same search"


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({}, 40),
        ({"strategy_options": {"time_limit": 7}}, 7),
        ({"restrictions": ["BLOCK > 8"]}, 8),
        ({"metrics": {"GB/s": "1 / time"}, "objective": "GB/s"}, 40),
    ],
)
def test_simulations(tmp_path: pathlib.Path, changes: dict[str, Any], count: int) -> None:
    results, env = kernel_tuner.tune_kernel(**cache_of(tmp_path, **changes))
    assert len(results) == count
    failed = [str(result["__error__"]) for result in results if result["BLOCK"] == 10]
    assert set(failed) <= {"CompilationFailedConfig"} and env["best_config"]["BLOCK"] != 10


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"cache": None}, "needs a cache"),
        ({"cache": "missing"}, "there is no cache"),
        ({"parallel": True}, "not supported"),
        ({"strategy_options": {"samples": 3}}, "has no option samples"),
        ({"objectives": {"time": False, "GB/s": True}, "metrics": {"GB/s": "1 / time"}}, "one objective"),
        ({"kernel_name": "other"}, "different kernel_name"),
        ({"restrictions": ["BLOCK > 10"]}, "no configuration of this call"),
    ],
)
def test_simulations_that_cannot_be(tmp_path: pathlib.Path, changes: dict[str, Any], error: str) -> None:
    made = {**cache_of(tmp_path), **changes}
    with pytest.raises(ValueError, match=error):
        kernel_tuner.tune_kernel(**made)
