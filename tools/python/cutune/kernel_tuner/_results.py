"""Results in the form of Kernel Tuner: dictionaries of times in milliseconds, the environment, metrics, and the cache file."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from .._database import Journal
from .._frame import number
from .._program import command
from ._call import Call, NotServed
from ._metrics import add_metrics, objectives_of
from ._observers import observe, power_s
from ._restrictions import EXCLUDED
from ._space import Made
from ._tables import Parameters, is_plain, value_text

Row = dict[str, Any]
Cells = tuple[str, ...]
#: The classes of Kernel Tuner for the statuses of a journal; other statuses have a time.
ERRORS = {
    "compile_error": "CompilationFailedConfig",
    "launch_error": "RuntimeFailedConfig",
    "wrong_result": "RuntimeFailedConfig",
    "crashed": "RuntimeFailedConfig",
    "timeout": "RuntimeFailedConfig",
}
MARK = "cutune_timing"


class ErrorConfig(str):
    """An error in a result, as in Kernel Tuner."""

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__


class InvalidConfig(ErrorConfig):
    pass


class CompilationFailedConfig(ErrorConfig):
    pass


class RuntimeFailedConfig(ErrorConfig):
    pass


def error_of(name: str) -> Any:
    """An instance of Kernel Tuner's class if the package is loaded, else of this module's."""
    util = sys.modules.get("kernel_tuner.util")
    return getattr(util or sys.modules[__name__], name)()


class Broken(NotServed):
    """No configuration of a source compiles: another compiler may be for it."""


def refuse_broken(journal: Journal) -> None:
    """Raises Broken if no configuration compiles."""
    columns = journal.columns
    rows = [dict(zip(columns, cells, strict=True)) for cells in journal.cells()]
    if rows and all(row["status"] == "compile_error" for row in rows):
        raise Broken("kernel_source", f"no configuration compiles: {rows[0].get('message') or 'unknown error'}")


def written_in(message: str) -> set[int]:
    """The number of the argument that a kernel wrote although its text seems only to read it, if a message says so.

    >>> written_in("the default configuration writes to arg0_data, which is not an output")
    {0}
    """
    return {int(number) for number in re.findall(r"writes to arg(\d+)\w*, which is not an output", message)}


def written_inputs(journal: Journal) -> set[int]:
    """The numbers of such arguments."""
    message = journal.columns.index("message")
    return {number for cells in journal.cells() for number in written_in(cells[message])}


# ---- Results ----


def _ms(text: str) -> float:
    return float(text) / 1e6 if text else 0.0


def _samples_ms(text: str) -> list[float]:
    """The samples of a row, in ms.

    >>> _samples_ms("1000000*2 2500000")
    [1.0, 1.0, 2.5]
    """
    parts = [entry.partition("*") for entry in text.split()]
    return [_ms(ns) for ns, _, count in parts for _ in range(int(count or 1))]


class _Values:
    """The caller's own values of the cells of a journal."""

    def __init__(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self._known: dict[tuple[str, str], Any] = {}

    def _value(self, name: str, cell: str) -> Any:
        wanted = number(cell)
        return next(value for value in self._parameters[name] if value_text(value, name) == cell or (is_plain(value) and value == wanted))

    def of(self, cells: list[str]) -> Row:
        """The configuration of a row."""
        found = {}
        for name, cell in zip(self._parameters, cells, strict=True):
            if (name, cell) not in self._known:
                self._known[name, cell] = self._value(name, cell)
            found[name] = self._known[name, cell]
        return found


def differing(journal: Journal, parameters: Parameters) -> list[Row]:
    """The configurations whose outputs differ from those of the first one, where that is a note. The row of a finalist lacks it."""
    columns, count, values = journal.columns, len(journal.parameters), _Values(parameters)
    message, status = columns.index("message"), columns.index("status")
    noted = {tuple(cells[:count]) for cells in journal.cells(history=True) if "differ from the reference" in cells[message]}
    rows = [cells for cells in journal.cells() if tuple(cells[:count]) in noted and cells[status] not in ERRORS]
    return [values.of(cells[:count]) for cells in rows]


def _failure(row: Mapping[str, str]) -> str | None:
    """The class of Kernel Tuner for a failed row. It finds too large a demand when it compiles or launches."""
    if row["status"] == "pruned_limit":
        return "RuntimeFailedConfig" if row["registers"] else "CompilationFailedConfig"
    return ERRORS.get(row["status"])


def _result(row: Mapping[str, str], column: str) -> Row:
    result: Row = {}
    name = _failure(row)
    if name is None:
        time = _ms(row[column] or row["time_ns"])
        result = {"time": time, "times": _samples_ms(row.get("samples_ns", "")) or [time]}
    else:
        result["__error__"] = error_of(name)
    spent = {"compile_time": _ms(row.get("compile_ns", "")), "verification_time": 0, "benchmark_time": _ms(row.get("measure_ns", ""))}
    return {**result, **spent}


def _powers(journal: Journal) -> dict[Cells, str]:
    """The power of each configuration that has one: the row of a finalist, which has none, may follow its own."""
    count, column = len(journal.parameters), journal.columns.index("power_w")
    return {tuple(cells[:count]): cells[column] for cells in journal.cells(history=True) if cells[column]}


def results_of(journal: Journal, made: Made, call: Call, wall_s: float, column: str, counted: Mapping[Cells, Row]) -> list[Row]:
    """A dictionary for each configuration of a journal, in the order of the Cartesian product, with the times of a column. `counted`:
    metrics of hardware counters."""
    parameters, observed = made.parameters, made.judge.observed if made.judge else {}
    columns, count, values = journal.columns, len(journal.parameters), _Values(parameters)
    observers, powers = call.get("observers") or (), _powers(journal) if power_s(call.get("observers")) else {}
    found, now = [], str(datetime.now(timezone.utc))
    for cells in journal.cells():
        row = dict(zip(columns, cells, strict=True))
        if EXCLUDED in row.get("message", ""):
            continue
        configuration = values.of(cells[:count])
        result = {**configuration, **_result(row, column)}
        if "__error__" not in result:
            key = tuple(cells[:count])
            row["power_w"] = powers.get(key, "")
            result |= observed.get(tuple(configuration.values()), {}) | counted.get(key, {})
            for observer in observers:
                result |= observe(observer, row, result["time"])
            add_metrics(result, call.get("metrics"))
        found.append({**result, "timestamp": now})
    timed = [result for result in found if "__error__" not in result]
    if timed and power_s(observers) and not powers:
        raise NotServed("observers", "NVML has no counter of energy here")
    spent_ms = sum(result["compile_time"] + result["benchmark_time"] for result in found)
    for result in found:
        result["strategy_time"] = 0.0
        result["framework_time"] = max(1000 * wall_s - spent_ms, 0.0) / len(found)
    orders = {name: {value: i for i, value in enumerate(several)} for name, several in parameters.items()}
    return sorted(found, key=lambda result: [orders[name][result[name]] for name in parameters])


# ---- The best ----


def _better(a: Row, b: Row, objectives: Mapping[str, bool]) -> bool:
    """True if `a` is nowhere worse than `b`, and somewhere better."""
    pairs = [(a[name], b[name]) if higher else (b[name], a[name]) for name, higher in objectives.items()]
    return all(x >= y for x, y in pairs) and any(x > y for x, y in pairs)


def best_of(results: list[Row], call: Call) -> Any:
    """The best result; with several objectives, the list of those that no other one beats."""
    objectives = objectives_of(call)
    timed = [result for result in results if "__error__" not in result]
    if not timed:
        return [] if len(objectives) > 1 else results[0]
    if len(objectives) == 1:
        name, higher = next(iter(objectives.items()))
        return (max if higher else min)(timed, key=lambda result: result[name])
    return [result for result in timed if not any(_better(other, result, objectives) for other in timed)]


def config_string(result: Row, keys: list[str]) -> str:
    """
    >>> config_string({"x": 64, "time": 0.12345}, ["x", "time"])
    'x=64, time=0.123ms'
    """

    def text(key: str) -> str:
        value = result[key]
        return f"{key}={value:.3f}" if isinstance(value, float) else f"{key}={value}"

    return ", ".join(text(key) + ("ms" if key == "time" and "__error__" not in result else "") for key in keys if key in result)


def print_results(results: list[Row], best: Any, call: Call) -> None:
    """Prints each result and the best, as Kernel Tuner does."""
    names, metrics = list(call["tune_params"]), list(call.get("metrics") or ())
    for result in results:
        print(config_string(result, [*names, "__error__", "time", *metrics]))
    objectives = list(objectives_of(call))
    if len(objectives) == 1:
        print(f"\nBEST PERFORMING CONFIGURATION FOR OBJECTIVE {objectives[0]}:")
        print(config_string(best, [*names, objectives[0], *metrics]))
    else:
        print(f"\nBEST PERFORMING CONFIGURATIONS FOR OBJECTIVES: {objectives}:")
        for each in best:
            print(config_string(each, [*names, *objectives, *metrics]))


# ---- The environment ----


def environment(journal: Journal, results: list[Row], call: Call, wall_s: float) -> dict[str, Any]:
    """The fields of Kernel Tuner's environment, and the totals of the results' times in milliseconds."""
    header = journal.header
    limits = {name.removeprefix("limit."): value for name, value in header.items() if name.startswith("limit.")}
    env: dict[str, Any] = {
        "device_name": header.get("device", ""),
        "uuid": header.get("uuid", "").removeprefix("GPU-"),
        "cuda_version": int(header.get("cuda") or 0),
        "compute_capability": limits.get("cc", ""),
        "iterations": call["iterations"],
        "compiler_options": call.get("compiler_options") or [],
        "device_properties": limits,
    }
    total = 0.0
    for name in ("framework", "strategy", "compile", "verification", "benchmark"):
        env[f"total_{name}_time"] = sum(result[f"{name}_time"] for result in results)
        total += env[f"total_{name}_time"]
    return {**env, "overhead_time": 1000 * wall_s - total}


# ---- The cache ----


@dataclass(frozen=True)
class Cache:
    """The file of a call's results, and a file with times of another kind, "" without one."""

    path: str
    prior: str


def read_cache(path: str) -> dict[str, Any] | None:
    """A cache file, complete or not; None without one."""
    if not os.path.isfile(path):
        return None
    with open(path, encoding="utf-8") as file:
        text = file.read().strip()
    for ending in ("", "}\n}"):
        try:
            found = json.loads(text.rstrip(",") + ending if ending else text)
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("cache"), dict):
            return found
    raise NotServed("cache", f"{path} is no cache file")


def _check_cache(path: str, call: Call, found: Mapping[str, Any]) -> None:
    """Refuses a cache of another kernel, problem or parameters."""
    expected = _cache_header(call)
    for name in ("kernel_name", "problem_size", "tune_params_keys"):
        if found.get(name) != json.loads(json.dumps(expected[name], default=_plain)):
            raise ValueError(f"Cannot load cache which contains results for different {name}, cache: {found.get(name)}")


def open_cache(call: Call, timing: str) -> Cache:
    """The cache of a call. Times of another kind, or of Kernel Tuner, stay as they are: results are then in a file beside them."""
    named = os.path.abspath(str(call["cache"]))
    named = named if named.endswith(".json") else named + ".json"
    beside = f"{named.removesuffix('.json')}.{timing.split()[0].rstrip(',')}.json"
    for path in (named, beside):
        found = read_cache(path)
        if found is None:
            return Cache(path, "" if path == named else named)
        _check_cache(path, call, found)
        if found.get(MARK) == timing:
            return Cache(path, "" if path == named else named)
    raise NotServed("cache", f"the times in {named} and {beside} are of other kinds than {timing}")


def cached(call: Call) -> tuple[dict[str, Any], str]:
    """The content of a call's cache file, with times of any kind, and its path."""
    named = os.path.abspath(str(call["cache"]))
    path = named if named.endswith(".json") else named + ".json"
    found = read_cache(path)
    if found is None:
        raise ValueError(f"there is no cache {path}")
    _check_cache(path, call, found)
    return found, path


def journal_of(path: str, call: Call, folder: str) -> str:
    """A journal with the times of a cache, in `folder`."""
    found = read_cache(path) or {}
    names = list(call["tune_params"])
    table, journal = os.path.join(folder, "cache.csv"), os.path.join(folder, "cache.journal.csv")
    with open(table, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*names, "time", "status"])
        for entry in found.get("cache", {}).values():
            timed = isinstance(entry.get("time"), (int, float))
            status = "ok" if timed else entry.get("__error__") or entry.get("time")
            rows.writerow([*(entry[name] for name in names), entry["time"] if timed else "", status])
    options = {"output": journal, "time": "time", "unit": "ms", "status": "status"}
    command("import", table, **options, kernel=call["kernel_name"], device=found.get("device_name") or "unknown")
    return journal


def _plain(value: Any) -> Any:
    """Numbers and arrays of NumPy, and other values as text, for JSON."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def _cache_header(call: Call) -> dict[str, Any]:
    size = call["problem_size"]
    return {
        "kernel_name": call["kernel_name"],
        "problem_size": "callable" if callable(size) else size,
        "tune_params_keys": list(call["tune_params"]),
        "tune_params": {name: list(values) for name, values in call["tune_params"].items()},
        "objective": list(objectives_of(call)),
    }


def write_cache(path: str, call: Call, timing: str, device: str, results: list[Row]) -> None:
    """Writes all results as a cache file, which Kernel Tuner can read."""
    entries = {}
    for result in results:
        key = ",".join(str(result[name]) for name in call["tune_params"])
        entries[key] = {name: str(value) if name == "__error__" else value for name, value in result.items()}
    content = {"device_name": device, **_cache_header(call), MARK: timing, "cache": {}}
    head = json.dumps(content, default=_plain, indent="")[: -len("{}\n}")]
    lines = ",\n".join(json.dumps({key: entry}, default=_plain)[1:-1] for key, entry in entries.items())
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(head + "{\n" + lines + "}\n}")
    os.replace(temporary, path)
