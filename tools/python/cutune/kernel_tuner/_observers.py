"""Kernel Tuner's observers, as far as the engine has their numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: The quantities of the NVMLObserver that a journal has: those of the timed launches, and those of the repeated ones after them.
CLOCKS = ("core_freq", "temperature")
POWERS = ("nvml_power", "nvml_energy")
#: The seconds for which Kernel Tuner repeats a configuration at least to measure its power.
_POWER_LEAST_S = 1.0
#: Metrics of CUPTI, the items of the engine's evidence that are these metrics, and the factor between them, as in the engine's
#: counters.def.
METRICS: dict[str, tuple[str, float]] = {
    "sm__cycles_elapsed.max": ("cycles", 1),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("warps_active", 0.01),
    "smsp__inst_executed.sum": ("instructions", 1),
    "smsp__inst_issued.sum": ("instructions_issued", 1),
    "smsp__sass_branch_targets_threads_divergent.sum": ("divergent_branches", 1),
    "smsp__inst_executed_op_branch.sum": ("branches", 1),
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": ("fp32_adds", 1),
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": ("fp32_multiplies", 1),
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": ("fp32_fmas", 1),
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": ("fma_pipe", 0.01),
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": ("alu_pipe", 0.01),
    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active": ("fp64_pipe", 0.01),
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active": ("lsu_pipe", 0.01),
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active": ("xu_pipe", 0.01),
    "sm__inst_executed_pipe_tex.avg.pct_of_peak_sustained_active": ("tex_pipe", 0.01),
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": ("global_load_requests", 1),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("global_load_sectors", 1),
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum": ("global_store_requests", 1),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": ("global_store_sectors", 1),
    "smsp__inst_executed_op_ldgsts.sum": ("async_copies", 1),
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": ("local_load_sectors", 1),
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum": ("local_store_sectors", 1),
    "l1tex__t_requests_pipe_tex_mem_texture.sum": ("texture_requests", 1),
    "l1tex__t_sectors_pipe_tex_mem_texture.sum": ("texture_sectors", 1),
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_active": ("l1_busy", 0.01),
    "l1tex__data_pipe_lsu_wavefronts.sum": ("l1_wavefronts", 1),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": ("shared_load_conflicts", 1),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum": ("shared_store_conflicts", 1),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": ("shared_load_wavefronts", 1),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": ("shared_store_wavefronts", 1),
    "smsp__inst_executed_op_shared_ld.sum": ("shared_loads", 1),
    "smsp__inst_executed_op_shared_st.sum": ("shared_stores", 1),
    "smsp__inst_executed_op_shared_atom.sum": ("shared_atomics", 1),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum": ("shared_atomic_conflicts", 1),
    "lts__d_atomic_input_cycles_active.max": ("atomic_cycles_most", 1),
    "lts__d_atomic_input_cycles_active.avg": ("atomic_cycles", 1),
    "lts__t_sectors_srcunit_tex.sum": ("l2_bytes", 32),
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed": ("l2_busy", 0.01),
    "dram__bytes_read.sum": ("dram_read_bytes", 1),
    "dram__bytes_op_read.sum": ("dram_read_bytes", 1),
    "dram__bytes_write.sum": ("dram_write_bytes", 1),
    "dram__bytes_op_write.sum": ("dram_write_bytes", 1),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": ("dram_busy", 0.01),
    "idc__requests.sum": ("constant_requests", 1),
    "sm__idc_divergent_instruction_replays.sum": ("constant_replays", 1),
    "idc__requests_lookup_miss.sum": ("constant_misses", 1),
}
#: Sums of other metrics.
SUMS = {"dram__bytes.sum": ("dram__bytes_read.sum", "dram__bytes_write.sum")}


def classes_of(value: Any) -> list[str]:
    """The names of the classes that an object has."""
    return [each.__name__ for each in type(value).__mro__]


def output_observers(observers: Sequence[Any] | None) -> list[Any]:
    """The observers that look at outputs alone, such as the AccuracyObserver."""
    return [observer for observer in observers or () if "OutputObserver" in classes_of(observer)]


def _repeated(observer: Any) -> Any:
    """The part of an NVMLObserver that looks at repeated launches; None without one."""
    return getattr(observer, "continuous_observer", None)


def refusal(observer: Any) -> str:
    """The reason to send a call with this observer to the package, or ""."""
    classes = classes_of(observer)
    if "OutputObserver" in classes or classes[0] == "RegisterObserver":
        return ""
    if classes[0] == "NCUObserver":
        unknown = [name for name in observer.metrics or () if name not in METRICS and name not in SUMS]
        return f"NCUObserver measures {unknown[0]}, which this engine does not" if unknown else ""
    if classes[0] != "NVMLObserver":
        return f"{classes[0]} looks at launches in the caller's process"
    wanted = [*observer.observables, *getattr(_repeated(observer), "observables", ())]
    further = [name for name in wanted if name not in CLOCKS + POWERS]
    if observer.save_all:
        return "NVMLObserver with save_all has a value for each launch"
    return f"NVMLObserver measures {further[0]}, which this engine does not" if further else ""


def power_s(observers: Sequence[Any] | None) -> float:
    """The seconds for which the engine repeats each configuration to measure its power; 0 if no observer wants it."""
    parts = [_repeated(observer) for observer in observers or ()]
    return max((max(float(part.continuous_duration), _POWER_LEAST_S) for part in parts if part), default=0.0)


def metrics_of(observers: Sequence[Any] | None) -> list[str]:
    """The metrics that an NCUObserver wants."""
    names = [name for observer in observers or () if classes_of(observer)[0] == "NCUObserver" for name in observer.metrics or ()]
    return list(dict.fromkeys(names))


def metric(name: str, evidence: Mapping[str, str]) -> float:
    """The metric of a launch from the engine's evidence. KeyError if it lacks the item."""
    if name in SUMS:
        return sum(metric(part, evidence) for part in SUMS[name])
    item, factor = METRICS[name]
    return float(evidence[item]) / factor


def _temperature(states: str) -> float:
    """The mean temperature of the batches behind a time, in degrees Celsius; NaN if it is unknown.

    >>> _temperature("2x1980:0:40/2x1975:4:42"), _temperature("-")
    (41.0, nan)
    """
    parts = [re.match(r"(\d+)x[^:]*:[^:]*:(\d+)", part) for part in states.split("/")]
    known = [(int(part[1]), int(part[2])) for part in parts if part]
    return sum(count * celsius for count, celsius in known) / sum(count for count, _ in known) if known else math.nan


def observe(observer: Any, row: Mapping[str, str], time_ms: float) -> dict[str, Any]:
    """The numbers of an observer for a row of a journal, except those of outputs and of counters."""
    name = classes_of(observer)[0]
    if name == "RegisterObserver":
        return {"num_regs": int(row["registers"])}
    if name != "NVMLObserver":
        return {}
    values = {"core_freq": float(row.get("clock_mhz") or "nan"), "temperature": _temperature(row.get("states", ""))}
    found = {wanted: values[wanted] for wanted in observer.observables}
    if _repeated(observer):
        watts = float(row.get("power_w") or "nan")
        powers = {"nvml_power": watts, "nvml_energy": watts * time_ms / 1e3}
        found = {**found, **{f"pwr_{wanted}": value for wanted, value in found.items()}}
        found |= {wanted: powers[wanted] for wanted in _repeated(observer).observables}
    return found
