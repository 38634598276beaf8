"""cutune finds the configuration that makes a CUDA kernel fastest on your GPU.

>>> import cutune
>>> recorded = cutune.Database.recorded()
>>> choice = recorded.best("transpose", cutune.Device.named("H200"), ROWS=8192, COLS=8192)
>>> choice.rule, choice.configuration["TILE"]
('problem', 64)

The engine is the program `cutune`, which runs in processes of its own: no kernel that it tries can harm the caller's CUDA context.
NumPy is loaded when arrays or frames are first needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._database import Choice, Database, Device, Journal
from ._error import Error, ErrorCode, Interrupted
from ._judge import Judged, Verdict, judge
from ._kernel import kernel
from ._measure import Comparison, Measurement, Ratio, compare, measure
from ._paths import cmake_dir, data_dir, include_dir, library_path, program_path
from ._program import command, options
from ._result import Result
from ._search import Search
from ._source import tune_source
from ._space import Memory, Space, Statement
from ._template import source
from ._toolkit import Toolkit, toolkit, use_nvrtc
from ._tune import sweep, tune
from ._tuner import Param, tune_recorded

if TYPE_CHECKING:
    from ._callable import Kernel, SizedKernel

__all__ = [
    "Choice",
    "Comparison",
    "Database",
    "Device",
    "Error",
    "ErrorCode",
    "Interrupted",
    "Journal",
    "Judged",
    "Kernel",
    "Measurement",
    "Memory",
    "Param",
    "Ratio",
    "Result",
    "Search",
    "SizedKernel",
    "Space",
    "Statement",
    "Toolkit",
    "Verdict",
    "__version__",
    "cmake_dir",
    "command",
    "compare",
    "data_dir",
    "include_dir",
    "judge",
    "kernel",
    "library_path",
    "measure",
    "options",
    "program_path",
    "source",
    "sweep",
    "toolkit",
    "tune",
    "tune_recorded",
    "tune_source",
    "use_nvrtc",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._version import find

        return find()
    if name in ("Kernel", "SizedKernel"):  # of the extension module, which is loaded when it is needed
        from . import _callable

        return getattr(_callable, name)
    raise AttributeError(f"module 'cutune' has no attribute {name!r}")
