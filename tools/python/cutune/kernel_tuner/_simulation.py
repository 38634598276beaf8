"""A simulation: the engine's search over the results in a cache file. Nothing is compiled or launched."""

from __future__ import annotations

from typing import Any

from .._search import Search
from ._arguments import BUDGET
from ._call import Call
from ._metrics import add_metrics, objectives_of
from ._restrictions import function_of, listed
from ._results import Row, best_of, cached, error_of

#: The parts of a result that take the time of a run, in milliseconds.
_SPENT = ("compile_time", "verification_time", "benchmark_time")


def _check(call: Call) -> tuple[str, bool]:
    """The objective, and True if higher is better. Refuses what a simulation cannot have."""
    further = [name for name in call.get("strategy_options") or () if name not in BUDGET]
    if further:
        raise ValueError(f"a simulation has no option {further[0]}: it has {' and '.join(BUDGET)}")
    if call.get("parallel"):
        raise ValueError("Enabling `parallel` and `simulation_mode` together is not supported")
    if not call.get("cache"):
        raise ValueError("simulation_mode needs a cache")
    objectives = objectives_of(call)
    if len(objectives) > 1:
        raise ValueError("a simulation has one objective")
    return next(iter(objectives.items()))


def _entries(call: Call, found: dict[str, Any]) -> dict[tuple[Any, ...], Row]:
    """The results of valid configurations, with their metrics and the package's classes of errors."""
    functions = [function_of(restriction, call["tune_params"]) for restriction in listed(call.get("restrictions"))]
    entries = {}
    for entry in found["cache"].values():
        configuration = {name: entry[name] for name in call["tune_params"]}
        known = all(configuration[name] in list(values) for name, values in call["tune_params"].items())
        if not known or not all(function(configuration) for function in functions):
            continue
        result = dict(entry)
        if "__error__" in result:
            result["__error__"] = error_of(result["__error__"])
        else:
            add_metrics(result, call.get("metrics"))
        entries[tuple(configuration.values())] = result
    return entries


def simulate(call: Call) -> tuple[list[Row], dict[str, Any]]:
    """The results that the search of the engine asks for, in its order, and the environment. A configuration that the cache lacks does
    not exist."""
    objective, higher = _check(call)
    found, path = cached(call)
    entries = _entries(call, found)
    if not entries:
        raise ValueError(f"{path} has no configuration of this call")
    budget = call.get("strategy_options") or {}
    evaluations, limit_ms = budget.get("max_fevals") or len(entries), 1e3 * (budget.get("time_limit") or float("inf"))
    search = Search(
        {name: list(values) for name, values in call["tune_params"].items()}, configurations=entries, seed=call.get("seed") or 0
    )
    results: list[Row] = []
    spent_ms = 0.0
    while len(results) < min(evaluations, len(entries)) and spent_ms < limit_ms:
        (configuration,) = search.ask()
        result = entries[tuple(configuration[name] for name in call["tune_params"])]
        if "__error__" in result:
            search.tell(configuration, failure=str(result["__error__"]))
        else:
            search.tell(configuration, 1 / result[objective] if higher else result[objective])
        results.append(result)
        spent_ms += sum(result.get(name, 0.0) for name in _SPENT)
    env = {"device_name": found.get("device_name", ""), "simulation": True, "simulated_time": spent_ms}
    env["best_config"] = best_of(results, call)
    env["cutune"] = {"timing": found.get("cutune_timing", ""), "verified": False, "differing": [], "journal": ""}
    return results, env
