"""cutune finds the configuration that makes a CUDA kernel fastest on your GPU.

>>> import cutune
>>> recorded = cutune.Database.recorded()
>>> choice = recorded.best("transpose", cutune.Device.named("H200"), ROWS=8192, COLS=8192)
>>> choice.rule, choice.configuration["TILE"]
('problem', 64)

The engine is the program `cutune`, which runs in processes of its own: no kernel that it tries can harm the caller's CUDA context.
Its parts, and NumPy, are loaded when they are first needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._callable import Kernel as Kernel
    from ._callable import SizedKernel as SizedKernel
    from ._database import Choice as Choice
    from ._database import Database as Database
    from ._database import Device as Device
    from ._database import Journal as Journal
    from ._error import Error as Error
    from ._error import ErrorCode as ErrorCode
    from ._error import Interrupted as Interrupted
    from ._judge import Judged as Judged
    from ._judge import Verdict as Verdict
    from ._judge import judge as judge
    from ._kernel import kernel as kernel
    from ._measure import Comparison as Comparison
    from ._measure import Measurement as Measurement
    from ._measure import Ratio as Ratio
    from ._measure import compare as compare
    from ._measure import measure as measure
    from ._paths import cmake_dir as cmake_dir
    from ._paths import data_dir as data_dir
    from ._paths import include_dir as include_dir
    from ._paths import library_path as library_path
    from ._paths import program_path as program_path
    from ._program import command as command
    from ._program import options as options
    from ._result import Result as Result
    from ._search import Search as Search
    from ._source import tune_source as tune_source
    from ._space import Memory as Memory
    from ._space import Space as Space
    from ._space import Statement as Statement
    from ._template import source as source
    from ._toolkit import Toolkit as Toolkit
    from ._toolkit import toolkit as toolkit
    from ._toolkit import use_nvrtc as use_nvrtc
    from ._tune import sweep as sweep
    from ._tune import tune as tune
    from ._tuner import Param as Param
    from ._tuner import tune_recorded as tune_recorded
    from ._version import __version__ as __version__

# The modules of the public names, which type checkers read above.
_MODULES = {
    "Choice": "_database",
    "Comparison": "_measure",
    "Database": "_database",
    "Device": "_database",
    "Error": "_error",
    "ErrorCode": "_error",
    "Interrupted": "_error",
    "Journal": "_database",
    "Judged": "_judge",
    "Kernel": "_callable",
    "Measurement": "_measure",
    "Memory": "_space",
    "Param": "_tuner",
    "Ratio": "_measure",
    "Result": "_result",
    "Search": "_search",
    "SizedKernel": "_callable",
    "Space": "_space",
    "Statement": "_space",
    "Toolkit": "_toolkit",
    "Verdict": "_judge",
    "cmake_dir": "_paths",
    "command": "_program",
    "compare": "_measure",
    "data_dir": "_paths",
    "include_dir": "_paths",
    "judge": "_judge",
    "kernel": "_kernel",
    "library_path": "_paths",
    "measure": "_measure",
    "options": "_program",
    "program_path": "_paths",
    "source": "_template",
    "sweep": "_tune",
    "toolkit": "_toolkit",
    "tune": "_tune",
    "tune_recorded": "_tuner",
    "tune_source": "_source",
    "use_nvrtc": "_toolkit",
    "__version__": "_version",
}
__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module("." + _MODULES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
