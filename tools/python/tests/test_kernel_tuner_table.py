"""Kernel Tuner's run_kernel, and the table of the arguments of both functions. With the package installed, it is held against them."""

from __future__ import annotations

import importlib.util
import inspect
import pathlib
import re
import sys
from typing import Any

import cutune
import cutune.kernel_tuner as kernel_tuner
import pytest
from cutune.kernel_tuner import _arguments, _metrics, _once

from ..conftest import ROOT
from .test_kernel_tuner import COUNT, FAULTS, OPTIONS, ORIGINALS, SOURCE, SPACES, VALUES, call, tune

# ---- run_kernel ----


def run_call(**changes: Any) -> dict[str, Any]:
    given = {name: value for name, value in call().items() if name in inspect.signature(kernel_tuner.run_kernel).parameters}
    return {**given, "params": {"block_size_x": 64, "tile": 2}, **changes}


#: An argument, a value, and members of the description of the launch.
LAUNCHES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("kernel_name", {"kernel_name": "twice<tile>"}, {"name": "twice<2>"}),
    ("params", {}, {"block": [64, 1, 1], "grid": [16, 1, 1], "name": "twice"}),
    ("grid_div_x", {"grid_div_x": ["block_size_x", "tile"]}, {"grid": [8, 1, 1]}),
    ("problem_size", {"problem_size": lambda p: (640, p["tile"])}, {"grid": [10, 2, 1]}),
    ("smem_args", {"smem_args": {"size": "4*block_size_x"}}, {"shared_bytes": 256}),
    ("cmem_args", {"cmem_args": {"weights": VALUES[:9]}}, {"constants": {"weights": "constant_weights"}}),
    ("device", {"device": 2}, {"device": 2}),
    ("kernel_source", {"kernel_source": lambda p: SOURCE}, {"name": "twice"}),
    ("grid_div_y", {"grid_div_y": ["tile"], "problem_size": (COUNT, 30)}, {"grid": [16, 15, 1]}),
    ("grid_div_z", {"grid_div_z": 3, "problem_size": (COUNT, 1, 7)}, {"grid": [16, 1, 3]}),
    ("lang", {"lang": None}, {"name": "twice"}),
    ("block_size_names", {"block_size_names": ["a", "tile"]}, {"block": [256, 2, 1]}),
]


@pytest.mark.parametrize(("argument", "changes", "members"), LAUNCHES)
def test_the_launch_of_run_kernel(folder: pathlib.Path, argument: str, changes: dict[str, Any], members: dict[str, Any]) -> None:
    found = _once.describe(run_call(**changes), str(folder))
    assert members.items() <= found.items()
    assert [argument["pointer"] for argument in found["arguments"]] == [True, True, False]
    assert (folder / "arg1").read_bytes() == VALUES.tobytes() and (folder / "arg2").read_bytes() == COUNT.to_bytes(4, "little")


def test_the_macros_of_run_kernel(folder: pathlib.Path) -> None:
    options = _once.describe(run_call(compiler_options=["-std=c++17"]), str(folder))["options"]
    assert {"-Dblock_size_x=64", "-Dblock_size_y=1", "-Dtile=2", "-Dgrid_size_x=16", "-Dkernel_tuner=1", "-std=c++17"} <= set(options)
    defines = {"text": "a + tile", "twofold": lambda p: 2 * p["tile"]}
    options = _once.describe(run_call(defines=defines), str(folder))["options"]
    assert [option for option in options if option.startswith("-D")] == ["-Dtext=a + 2", "-Dtwofold=4"]


def test_run_kernel_without_a_device() -> None:
    with pytest.raises(cutune.Error) as caught:
        kernel_tuner.run_kernel(**run_call(quiet=True, log="WARNING"))
    assert caught.value.code == cutune.ErrorCode.NO_DEVICE


RUN_ORIGINALS = [row for row in ORIGINALS if row[0] in ("platform", "texmem_args", "compiler", "lang", "arguments")]


@pytest.mark.parametrize(("argument", "changes", "reason"), RUN_ORIGINALS, ids=[f"{row[0]}-{i}" for i, row in enumerate(RUN_ORIGINALS)])
def test_runs_for_the_original(argument: str, changes: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kernel_tuner", None)
    changes = {name: value for name, value in changes.items() if name != "answer"}
    with pytest.raises(cutune.Error) as caught:
        kernel_tuner.run_kernel(**run_call(**changes))
    assert f"the argument {argument}:" in caught.value.message and reason in caught.value.message


# ---- The table ----


@pytest.mark.parametrize("function", ["tune", "run"])
def test_each_argument_has_a_test(function: str) -> None:
    tables: dict[str, list[list[Any]]] = {"tune": [SPACES, OPTIONS, ORIGINALS], "run": [LAUNCHES, RUN_ORIGINALS]}
    files = pathlib.Path(__file__).parent.glob("test_kernel_tuner*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    tested = {row[0] for table in tables[function] for row in table}
    calls = text if function == "tune" else "".join(re.findall(r"run_call\((.*)\)", text))
    names = [argument.name for argument in _arguments.ARGUMENTS if function in argument.functions.split()]
    assert not [name for name in names if name not in tested and not re.search(rf"\b{name}=", calls)]


@pytest.mark.parametrize("function", ["tune", "run"])
def test_the_table_has_the_arguments_of_the_functions(function: str) -> None:
    rows = [argument.name for argument in _arguments.ARGUMENTS if function in argument.functions.split()]
    assert sorted(rows) == sorted(inspect.signature(getattr(kernel_tuner, f"{function}_kernel")).parameters)
    assert len(rows) == {"tune": 37, "run": 20}[function]


@pytest.mark.skipif(importlib.util.find_spec("kernel_tuner") is None, reason="Kernel Tuner is not installed")
@pytest.mark.parametrize("name", ["tune_kernel", "run_kernel"])
def test_the_functions_have_the_signatures_of_the_package(name: str) -> None:
    theirs = inspect.signature(getattr(importlib.import_module("kernel_tuner"), name)).parameters
    ours = inspect.signature(getattr(kernel_tuner, name)).parameters
    assert [(p.name, p.default) for p in ours.values()] == [(p.name, p.default) for p in theirs.values()]


@pytest.mark.skipif(importlib.util.find_spec("kernel_tuner") is None, reason="Kernel Tuner is not installed")
def test_the_names_are_those_of_the_package() -> None:
    interface, util = (importlib.import_module(f"kernel_tuner.{name}") for name in ("interface", "util"))
    assert set(_arguments.STRATEGIES) - {"cutune"} == set(interface.strategy_map)
    assert util.objective_default_map == _metrics.DIRECTIONS


@pytest.mark.skipif(importlib.util.find_spec("kernel_tuner") is None, reason="Kernel Tuner is not installed")
def test_the_package_simulates_with_our_cache(fake: str) -> None:
    """The simulation of the package reads the cache, and finds the times, the failures and the keys of this module."""
    parameters: dict[str, Any] = {"tune_params": FAULTS, "block_size_names": ["SIZE"], "cache": "kept"}
    source = (
        (ROOT / "tests/unit/device/scripted.cu").read_text().replace("fake_kernels.cu", str(ROOT / "tests/unit/device/fake_kernels.cu"))
    )
    ours, _ = tune(source, **parameters)
    theirs, env = tune(source, simulation_mode=True, **parameters)
    assert [result["FAULT"] for result in theirs] == [result["FAULT"] for result in ours]
    assert [str(result.get("__error__", "")) for result in theirs] == [str(result.get("__error__", "")) for result in ours]
    assert [result.get("time") for result in theirs] == [result.get("time") for result in ours]
    assert set(theirs[0]) - set(ours[0]) <= {"simulated_time"} and env["device_name"] == "Fake GPU"


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs/kernel-tuner.md").read_text(encoding="utf-8")
    assert kernel_tuner.argument_table() in page, "renew it: python -m cutune.kernel_tuner --arguments"
