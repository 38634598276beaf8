"""The arguments of Kernel Tuner's two functions, and the ways to serve them. One table: it decides each call, and writes the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ._call import Call, NotServed
from ._metrics import objectives_of, time_decides
from ._observers import refusal

LANGUAGES = ("CUDA", "CUPY", "NVCUDA", "PYCUDA")
#: Kernel Tuner's strategies by name. The engine's own search stands for all but the first.
STRATEGIES = (
    "brute_force", "random_sample", "minimize", "basinhopping", "diff_evo", "simulated_annealing", "greedy_mls", "greedy_ils",
    "ordered_greedy_mls", "genetic_algorithm", "mls", "pso", "dual_annealing", "firefly_algorithm", "bayes_opt", "pyatf_strategies",
    "hybrid_vndx", "adaptive_tabu_greywolf", "nsga2", "nsga3", "skopt", "cutune",
)  # fmt: skip
BUDGET = ("max_fevals", "time_limit")


def _never(call: Call) -> str:
    return ""


def _given(name: str, reason: str) -> Callable[[Call], str]:
    """Sends each call that has the argument to the original."""
    return lambda call: reason if call.get(name) else ""


def looks_like_a_file(source: str) -> bool:
    """As Kernel Tuner tells a file's name from the text of a kernel."""
    code = any(sign in source for sign in ("\n", "(", ")", ";", "{", "}", "\\", "__global__ ", "__kernel ", "void ", "float "))
    return len(source) <= 250 and not code and ".c" in source


def _source(call: Call) -> str:
    source = call["kernel_source"]
    parts = source if isinstance(source, (list, tuple)) else [source]
    if any(callable(part) for part in parts[1:]):
        return "a function makes a header"
    return "" if parts else "the list is empty"


def _language(call: Call) -> str:
    language = call.get("lang")
    if language is not None and str(language).upper() not in LANGUAGES:
        return f"the language is {language}"
    return ""


def _answer(call: Call) -> str:
    answer = call.get("answer")
    if answer is None or isinstance(answer, (list, tuple)) or hasattr(answer, "select_for_configuration"):
        return ""
    return "it is neither a list nor a tuple"


def _tune_params(call: Call) -> str:
    parameters = call["tune_params"]
    if not isinstance(parameters, Mapping):
        return "it is no dictionary"
    settings = [name for name in parameters if str(name).startswith("nvml_") or name == "cuda_sm_percentage"]
    return f"{settings[0]} is a setting of the device" if settings else ""


def strategy_of(call: Call) -> Any:
    """The name of the strategy: a module of Kernel Tuner's strategies has its own. Other objects are returned as they are."""
    strategy = call.get("strategy")
    if isinstance(strategy, ModuleType) and strategy.__name__.startswith("kernel_tuner.strategies."):
        return strategy.__name__.rsplit(".", 1)[1]
    return strategy


def _strategy(call: Call) -> str:
    strategy = strategy_of(call)
    if strategy is None or (isinstance(strategy, str) and strategy in STRATEGIES):
        return ""
    return f"{strategy} is no strategy by name" if isinstance(strategy, str) else "it is an object"


def _strategy_options(call: Call) -> str:
    own = strategy_of(call) == "cutune"
    further = [] if own else [name for name in call.get("strategy_options") or () if name not in BUDGET]
    return f"the option {further[0]} belongs to a strategy of Kernel Tuner" if further else ""


def _simulation(call: Call) -> str:
    simulated = call.get("simulation_mode") and strategy_of(call) != "cutune"
    return "a simulation studies Kernel Tuner's strategies" if simulated else ""


def exhaustive(call: Call) -> bool:
    return strategy_of(call) in (None, "brute_force")


def _objective(call: Call) -> str:
    names = list(objectives_of(call))
    known = ["time", *(call.get("metrics") or ())]
    unknown = [name for name in names if name not in known]
    if unknown:
        return f"{unknown[0]} is neither the time nor a metric"
    return "" if exhaustive(call) or call.get("simulation_mode") or time_decides(call) else "the engine's search minimises the time alone"


def _observers(call: Call) -> str:
    return next((reason for observer in call.get("observers") or () if (reason := refusal(observer))), "")


@dataclass(frozen=True)
class Argument:
    """An argument, and the functions that have it: "tune", "run" or both. The page has `served` and `original`, which say the values that
    are served and those for the package. `rule` returns the reason to send a call to the package, or ""."""

    name: str
    functions: str
    served: str
    original: str = ""
    rule: Callable[[Call], str] = _never


ARGUMENTS = (
    Argument("kernel_name", "tune run", "a name, or an instance of a template, `scale<block_size_x>`"),
    Argument("kernel_source", "tune run", "text, a file, a function, a list with headers", "a function for a header", _source),
    Argument("problem_size", "tune run", "a number, a text, a tuple of them, a function"),
    Argument("arguments", "tune run", "arrays of NumPy, CuPy and torch, scalars of NumPy, `Tunable` ones", "structs"),
    Argument("tune_params", "tune", "numbers, texts, truth values", "`nvml_` clocks and power, `cuda_sm_percentage`", _tune_params),
    Argument("params", "run", "numbers and words"),
    Argument("grid_div_x", "tune run", "a number, a text, a list of them, a function"),
    Argument("grid_div_y", "tune run", "as `grid_div_x`"),
    Argument("grid_div_z", "tune run", "as `grid_div_x`"),
    Argument(
        "restrictions", "tune", "texts, functions, lists of them", "constraint objects"
    ),
    Argument("answer", "tune", "a list with an array or None for each argument, a `Tunable` list", "other types", _answer),
    Argument("atol", "tune", "the absolute tolerance, beside a relative one of 1e-5"),
    Argument("verify", "tune", "a function, in the caller's process"),
    Argument("verbose", "tune", "a line for each evaluation"),
    Argument("lang", "tune run", "None, CUDA, CuPy, NVCUDA, PyCUDA", "C, HIP, OpenCL, Julia, Fortran", _language),
    Argument("device", "tune run", "the number of the GPU"),
    Argument("platform", "tune run", "0", "others: platforms of OpenCL", _given("platform", "CUDA has no platforms")),
    Argument("smem_args", "tune run", "`size`: a number, a text, a function"),
    Argument("cmem_args", "tune run", "arrays and scalars by the names of `__constant__` variables"),
    Argument("texmem_args", "tune run", "None", "texture references", _given("texmem_args", "CUDA 12 has no texture references")),
    Argument("compiler", "tune run", "None", "a compiler of host code", _given("compiler", "a compiler of host code")),
    Argument("compiler_options", "tune run", "a list of options"),
    Argument("defines", "tune run", "numbers, words, texts, functions", "other C text as a value"),
    Argument("log", "tune run", "a level of `logging`"),
    Argument("iterations", "tune", "the samples of a configuration if they are more than the engine's own limit"),
    Argument("block_size_names", "tune run", "a list of names"),
    Argument("quiet", "tune run", "nothing is printed"),
    Argument(
        "strategy", "tune", "`brute_force`: all; every other name or module of the package: the engine's search", "objects", _strategy
    ),
    Argument(
        "strategy_options", "tune", "`max_fevals`, `time_limit`; with the strategy `cutune`, options of `cutune.tune`, too",
        "other options", _strategy_options,
    ),
    Argument("cache", "tune", "a file; times of another kind, or of Kernel Tuner, guide a search", "a file that is no cache"),
    Argument("metrics", "tune", "a dictionary of texts and functions"),
    Argument("simulation_mode", "tune", "False; True with the strategy `cutune`", "True with others", _simulation),
    Argument("parallel", "tune", "True: all GPUs; a number of them"),
    Argument(
        "observers", "tune", "`RegisterObserver`; `AccuracyObserver` and others of outputs; `NVMLObserver` of `core_freq`, `temperature`, "
        "`nvml_power`, `nvml_energy`; `NCUObserver` of metrics that `explain` collects",
        "all others", _observers,
    ),
    Argument("objective", "tune", "`time`, or a metric of the time alone; with `brute_force` any metric", "others", _objective),
    Argument("objective_higher_is_better", "tune", "a truth value, or a list of them"),
    Argument("objectives", "tune", "as `objective`, in a dictionary"),
    Argument("seed", "tune", "the seed of the search"),
)  # fmt: skip


def refuse(function: str, call: Call) -> None:
    """Raises NotServed for the first argument that the rules send to the original. `function` is "tune" or "run"."""
    for argument in ARGUMENTS:
        if function in argument.functions.split():
            reason = argument.rule(call)
            if reason:
                raise NotServed(argument.name, reason)


def page() -> str:
    """The table of the documentation, as Markdown."""
    lines = ["| argument | `tune_kernel` | `run_kernel` | served | to the original |", "| --- | --- | --- | --- | --- |"]
    for argument in ARGUMENTS:
        has = ["yes" if function in argument.functions.split() else "" for function in ("tune", "run")]
        lines.append(f"| `{argument.name}` | {has[0]} | {has[1]} | {argument.served} | {argument.original} |")
    return "\n".join(lines) + "\n"
