"""Kernel Tuner's `tune_kernel` and `run_kernel`, served by cutune.

>>> import cutune.kernel_tuner as kernel_tuner
>>> kernel_tuner.timing
'median, cold'

A call that needs more than cutune serves goes to the function of the installed package, with a line that names the argument. Without
the package it is an Error. All other names are those of the package.
"""

from __future__ import annotations

import glob
import importlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from .._database import Journal
from .._error import Error, ErrorCode
from .._program import command
from .._tune import tune
from . import _results
from ._arguments import BUDGET, exhaustive, page, refuse, strategy_of
from ._call import Call, NotServed
from ._counters import count
from ._metrics import time_decides
from ._observers import metrics_of, power_s
from ._once import run_once
from ._simulation import simulate
from ._space import Made, Way, make_space

__all__ = ["argument_table", "install", "run_kernel", "timing", "tune_kernel"]

#: The kind of times: a name of TIMINGS.
timing = "median, cold"
_MEAN = "mean of 7, warm"
#: Options of the engine for each kind. Under the second, a time is the mean of `iterations` samples, and none is stopped early.
TIMINGS: dict[str, dict[str, Any]] = {"median, cold": {}, _MEAN: {"cache": "warm", "target_interval": 0.001, "playoff": 0}}
#: The samples of a configuration at most, unless `iterations` is more.
_SAMPLES = 128
#: The samples that the engine needs for an interval.
_SAMPLES_LEAST = 7
#: The arguments of the space that a statement stands for.
_STATEMENTS = {
    "param": "tune_params", "require": "restrictions", "let": "restrictions", "buffer": "arguments", "args": "arguments",
    "block": "block_size_names", "grid": "problem_size", "shared": "smem_args", "constant": "cmem_args", "define": "defines",
    "reference": "answer", "option": "compiler_options",
}  # fmt: skip

_HELD = "; they are held against those of the first configuration"

_originals: dict[str, Callable[..., Any]] = {}
_said: set[str] = set()


def argument_table() -> str:
    """The table of both functions' arguments, as Markdown."""
    return page()


def _original(name: str) -> Callable[..., Any] | None:
    """The function of the installed package; None without the package."""
    if name in _originals:
        return _originals[name]
    try:
        package = importlib.import_module("kernel_tuner")
    except ImportError:
        return None
    found: Callable[..., Any] = getattr(package, name)
    return None if package is sys.modules[__name__] else found


def install() -> None:
    """Replaces the two functions in the installed package, in `kernel_tuner` and `kernel_tuner.interface`. Without the package, the name
    `kernel_tuner` becomes this module."""
    try:
        package = importlib.import_module("kernel_tuner")
        interface = importlib.import_module("kernel_tuner.interface")
    except ImportError:
        sys.modules.setdefault("kernel_tuner", sys.modules[__name__])
        return
    for name, own in (("tune_kernel", tune_kernel), ("run_kernel", run_kernel)):
        _originals.setdefault(name, getattr(package, name))
        setattr(package, name, own)
        setattr(interface, name, own)


def __getattr__(name: str) -> Any:
    """Other names are those of the installed package."""
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        package = importlib.import_module("kernel_tuner")
    except ImportError:
        package = None
    if package is None or package is sys.modules[__name__]:
        raise AttributeError(f"module 'cutune.kernel_tuner' has no attribute {name!r}, and Kernel Tuner is not installed")
    return getattr(package, name)


# ---- Dispatch ----


def _pass_on(name: str, call: Call, reason: NotServed) -> Any:
    """Calls the function of the package with the arguments that the caller gave."""
    original = _original(name)
    if original is None:
        raise Error(
            ErrorCode.USAGE, f"{name} does not serve the argument {reason.argument}: {reason.reason}", hint="pip install kernel_tuner"
        )
    print(f"cutune: {name} goes to Kernel Tuner because of {reason.argument}: {reason.reason}", file=sys.stderr)
    given = {key: value for key, value in call.items() if key in _REQUIRED or value is not _DEFAULTS[name].get(key)}
    return original(**given)


def _from_error(error: Error) -> NotServed | None:
    """The argument behind an error of the space; None for errors of a run."""
    if error.code not in (ErrorCode.SYNTAX, ErrorCode.VALUE):
        return None
    words = error.excerpt.split()
    return NotServed(_STATEMENTS.get(words[0] if words else "", "kernel_source"), error.message)


def _say_once(text: str) -> None:
    if text not in _said:
        _said.add(text)
        print(f"cutune: {text}", file=sys.stderr)


# ---- Tuning ----


@dataclass
class Ran:
    """The journal of a run, None if no configuration was evaluated, and the metrics of configurations by their cells."""

    made: Made
    journal: Journal | None
    counted: dict[tuple[str, ...], dict[str, float]]


def _options(call: Call, prior: str) -> dict[str, Any]:
    """The engine's options of a call. `prior`: a journal of earlier times, "" without one."""
    budget = call.get("strategy_options") or {}
    parallel, samples = call.get("parallel"), call["iterations"]
    options: dict[str, Any] = {
        "strategy": "exhaustive" if exhaustive(call) else "auto",
        "max_evals": budget.get("max_fevals"),
        "max_time": budget.get("time_limit"),
        "device": "all" if parallel is True else list(range(parallel)) if parallel else call["device"],
        "seed": call.get("seed"),
        "samples": max(samples, _SAMPLES if timing != _MEAN else _SAMPLES_LEAST),
        "explain": False,
        "early_stop": False,
        "keep_samples": True,
        "learn_from": (not exhaustive(call) and prior) or "none",
        "warm_start": 0,
        **TIMINGS[timing],
        **{name: value for name, value in budget.items() if name not in BUDGET},
    }
    seconds = power_s(call.get("observers"))
    if seconds:
        options["power"] = seconds
    elif timing != _MEAN and time_decides(call):
        del options["early_stop"]
    return options


def _journal(folder: str, started: float) -> Journal | None:
    """The newest journal of a folder, if this run wrote it or continued it."""
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), "*.csv")), key=os.path.getmtime)
    return Journal(paths[-1]) if paths and os.path.getmtime(paths[-1]) >= started - 1 else None


def _run(made: Made, call: Call, place: str, prior: str) -> Ran:
    """Tunes, and counts for an NCUObserver. Without a journal, no configuration was evaluated."""
    started = time.time()
    progress = True if call["verbose"] else False if call["quiet"] else None
    options = {**_options(call, prior), "journal": place, "db": os.path.join(place, "cutune.csv"), "verbose": bool(call["verbose"])}
    metrics = metrics_of(call.get("observers"))
    os.makedirs(place, exist_ok=True)
    try:
        with made.provider:
            journal = tune(made.space, progress=progress, **options).journal
            return Ran(made, journal, count(journal, made.path, call["device"], metrics) if metrics else {})
    except Error as error:
        if error.code != ErrorCode.NOTHING_VALID:
            raise
        found = _journal(place, started)
        if found is not None:
            _results.refuse_broken(found)
        print(f"cutune: {error}", file=sys.stderr)
        return Ran(made, found, {})


def _nvcc_compiles(call: Call, way: Way) -> bool:
    """True if nvcc is there and compiles the first configuration."""
    with tempfile.TemporaryDirectory(prefix="cutune-kernel-tuner-") as folder:
        made = make_space(call, folder, replace(way, nvcc=True))
        try:
            with made.provider:
                command("check", made.path, compile="default", device=call["device"])
        except Error:
            return False
    return True


def _other_way(call: Call, way: Way, error: Error | NotServed) -> Way | None:
    """The way to try after an error; None for the caller's error. NVRTC lacks headers that nvcc has, and the outputs of the first
    configuration may be of no use for others."""
    uncompiled = isinstance(error, _results.Broken) or (isinstance(error, Error) and error.code == ErrorCode.COMPILE)
    if uncompiled and not way.nvcc and _nvcc_compiles(call, way):
        _say_once("NVRTC does not compile the source: nvcc does")
        return replace(way, nvcc=True)
    if not way.noted or not isinstance(error, Error) or "the default configuration" not in error.message:
        return None
    further = _results.written_in(error.message) - way.wrote
    return replace(way, wrote=way.wrote | further) if further else replace(way, noted=False)


def _tune_space(call: Call, cache: _results.Cache | None) -> Ran:
    """Makes the space of a call and tunes it; again in another way, or if the kernel writes an array that its text seems only to read."""
    way = Way()
    while True:
        with tempfile.TemporaryDirectory(prefix="cutune-kernel-tuner-") as folder:
            made = make_space(call, folder, way)
            if not made.verified and not call["quiet"]:
                _say_once("without an answer, nothing verifies the outputs" + (_HELD if made.noted else ""))
            place = cache.path.removesuffix(".json") + ".cutune.d" if cache else os.path.join(folder, "journals")
            prior = _results.journal_of(cache.prior, call, folder) if cache and cache.prior else ""
            try:
                ran = _run(made, call, place, prior)
            except (Error, NotServed) as error:
                other = _other_way(call, way, error)
                if other is None:
                    raise (_from_error(error) if isinstance(error, Error) else None) or error from None
                way = other
                continue
            further = _results.written_inputs(ran.journal) - way.wrote if ran.journal else set()
            if not further:
                return ran
            way = replace(way, wrote=way.wrote | further)


def _note_differing(ran: Ran, call: Call) -> list[dict[str, Any]]:
    """The configurations whose outputs differ from those of the first one; says how many."""
    if not ran.made.noted or ran.journal is None:
        return []
    found = _results.differing(ran.journal, ran.made.parameters)
    if found and not call["quiet"]:
        print(f"cutune: the outputs of {len(found)} configurations differ from those of the first one", file=sys.stderr)
    return found


def _tune(call: Call) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    if timing not in TIMINGS:
        raise ValueError(f"timing is none of {', '.join(map(repr, TIMINGS))}: {timing!r}")
    if call["simulation_mode"]:
        return simulate(call)
    cache = _results.open_cache(call, timing) if call["cache"] else None
    if cache and cache.prior:
        _say_once(f"the times in {cache.prior} are of another kind: they guide a search, and the results are in {cache.path}")
    if not exhaustive(call) and strategy_of(call) != "cutune":
        _say_once(f"the engine's own search replaces the strategy {strategy_of(call)}")
    begun = time.perf_counter()
    ran = _tune_space(call, cache)
    made, journal = ran.made, ran.journal
    for text in made.provider.errors.values():
        print(f"cutune: a function of the call raised {text}", file=sys.stderr)
    wall_s = time.perf_counter() - begun
    if journal is None:
        if not call["quiet"]:
            print("no results to report")
        return [], {}
    results = _results.results_of(journal, made, call, wall_s, "mean_ns" if timing == _MEAN else "time_ns", ran.counted)
    if logging.getLogger().isEnabledFor(logging.DEBUG):
        for result in results:
            logging.debug("%s", _results.config_string(result, list(result)))
    env = _results.environment(journal, results, call, wall_s)
    env["best_config"] = best = _results.best_of(results, call)
    env["cutune"] = {
        "timing": timing,
        "verified": made.verified,
        "differing": _note_differing(ran, call),
        "journal": journal.path if cache else "",
    }
    if cache:
        _results.write_cache(cache.path, call, timing, env["device_name"], results)
    if not call["quiet"]:
        _results.print_results(results, best, call)
    return results, env


def _begin_log(call: Call) -> None:
    if call["log"]:
        name = call["kernel_name"] + datetime.now().strftime("%Y%m%d-%H:%M:%S") + ".log"
        logging.basicConfig(filename=name, level=call["log"])


def _serve(name: str, function: str, call: Call, serve: Callable[[Call], Any]) -> Any:
    try:
        refuse(function, call)
        _begin_log(call)
        return serve(call)
    except NotServed as found:
        reason = found
    return _pass_on(name, call, reason)


def tune_kernel(
    kernel_name: str,
    kernel_source: Any,
    problem_size: Any,
    arguments: Any,
    tune_params: Any,
    grid_div_x: Any = None,
    grid_div_y: Any = None,
    grid_div_z: Any = None,
    restrictions: Any = None,
    answer: Any = None,
    atol: float = 1e-6,
    verify: Any = None,
    verbose: bool = False,
    lang: str | None = None,
    device: int = 0,
    platform: int = 0,
    smem_args: Any = None,
    cmem_args: Any = None,
    texmem_args: Any = None,
    compiler: Any = None,
    compiler_options: Any = None,
    defines: Any = None,
    log: Any = None,
    iterations: int = 7,
    block_size_names: Any = None,
    quiet: bool = False,
    strategy: Any = None,
    strategy_options: Any = None,
    cache: Any = None,
    metrics: Any = None,
    simulation_mode: Any = None,
    parallel: Any = None,
    observers: Any = None,
    objective: Any = None,
    objective_higher_is_better: Any = None,
    objectives: Any = None,
    seed: Any = None,
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Tunes a kernel as Kernel Tuner's function of this name. Returns a dictionary for each configuration, with times in milliseconds, and
    the environment. docs/kernel-tuner.md says which values of the arguments are served."""
    found: tuple[list[dict[str, Any]], dict[str, Any]] = _serve("tune_kernel", "tune", dict(locals()), _tune)
    return found


def run_kernel(
    kernel_name: str,
    kernel_source: Any,
    problem_size: Any,
    arguments: Any,
    params: Any,
    grid_div_x: Any = None,
    grid_div_y: Any = None,
    grid_div_z: Any = None,
    lang: str | None = None,
    device: int = 0,
    platform: int = 0,
    smem_args: Any = None,
    cmem_args: Any = None,
    texmem_args: Any = None,
    compiler: Any = None,
    compiler_options: Any = None,
    defines: Any = None,
    block_size_names: Any = None,
    quiet: bool = False,
    log: Any = None,
) -> list[Any]:
    """Runs a kernel once, as Kernel Tuner's function of this name. Returns the arguments as arrays of NumPy after the run."""
    found: list[Any] = _serve("run_kernel", "run", dict(locals()), run_once)
    return found


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    import inspect

    return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}


_DEFAULTS = {"tune_kernel": _defaults(tune_kernel), "run_kernel": _defaults(run_kernel)}
_REQUIRED = ("kernel_name", "kernel_source", "problem_size", "arguments", "tune_params", "params")
