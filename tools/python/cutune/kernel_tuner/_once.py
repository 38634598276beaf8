"""run_kernel: one launch in a process of its own, so that a faulty kernel cannot harm the caller's CUDA context."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from .._arrays import is_array, synchronise, to_host, view
from .._error import Error, ErrorCode
from .._toolkit import toolkit
from . import _launch
from ._call import Call, NotServed
from ._sources import read_source

#: The limit of compilation and launch.
TIMEOUT_S = 600


def _definitions(call: Call, names: list[str], grid: list[int]) -> list[str]:
    """The macros of the source as compiler options."""
    configuration = call["params"]
    given = call["defines"]
    if given is None:
        given = dict(zip(names, _launch.threads_of(names, configuration), strict=True))
        given |= {f"grid_size_{axis}": blocks for axis, blocks in zip(_launch.AXES, grid, strict=True)}
        given |= {**configuration, "kernel_tuner": 1}
    found = []
    for name, value in given.items():
        if callable(value):
            value = value(configuration)
        elif isinstance(value, str):
            value = _launch.replace_parameters(value, configuration)
        found.append(f"-D{name}={value}")
    return found


def _put(value: Any, folder: str, name: str) -> dict[str, Any]:
    """A file with an argument's bytes."""
    import numpy

    if is_array(value):
        array = view(name, numpy.ascontiguousarray(value) if isinstance(value, numpy.ndarray) else value)
        synchronise([array])
        data, pointer = to_host(array), True
    elif isinstance(value, numpy.generic):
        data, pointer = numpy.asarray(value), False
    else:
        raise NotServed("arguments", f"{name} is neither an array nor a number with a type")
    data.tofile(os.path.join(folder, name))
    return {"file": name, "pointer": pointer}


def describe(call: Call, folder: str) -> dict[str, Any]:
    """The launch of a call, with files in `folder`, for the process that makes it."""
    configuration = dict(call["params"])
    source = read_source(call, {name: [value] for name, value in configuration.items()})
    names = _launch.block_names(call, configuration)
    grid = [_launch.blocks(call, names, axis, configuration) for axis in range(3)]
    headers = [f"-I{path}" for path in (*source.folders, *toolkit().include)]
    with open(os.path.join(folder, "kernel.cu"), "w", encoding="utf-8") as file:
        file.write(source.text)
    return {
        "nvrtc": toolkit().nvrtc or "libnvrtc.so",
        "name": _launch.replace_parameters(call["kernel_name"], configuration),
        "options": [*headers, *_definitions(call, names, grid), *(call["compiler_options"] or ())],
        "device": call["device"],
        "block": list(_launch.threads_of(names, configuration)),
        "grid": grid,
        "shared_bytes": _launch.shared_bytes(call, configuration),
        "arguments": [_put(value, folder, f"arg{i}") for i, value in enumerate(call["arguments"])],
        "constants": {name: _put(value, folder, f"constant_{name}")["file"] for name, value in (call["cmem_args"] or {}).items()},
    }


def run_once(call: Call) -> list[Any]:
    """Runs a kernel once. Returns its arguments: arrays as new arrays of NumPy with the contents after the run, numbers as they are."""
    import numpy

    with tempfile.TemporaryDirectory(prefix="cutune-run-kernel-") as folder:
        with open(os.path.join(folder, "launch.json"), "w", encoding="utf-8") as file:
            json.dump(describe(call, folder), file)
        worker = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_worker.py")
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-B", worker, folder], capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise Error(ErrorCode.WORKER, f"the kernel did not end within {TIMEOUT_S} s") from None
        if done.returncode:
            code = ErrorCode.NO_DEVICE if done.returncode == 3 else ErrorCode.WORKER
            raise Error(code, done.stderr.strip() or f"the launch ended with exit status {done.returncode}")
        found = []
        for i, value in enumerate(call["arguments"]):
            if is_array(value):
                array = view(f"arg{i}", numpy.ascontiguousarray(value) if isinstance(value, numpy.ndarray) else value)
                kept = to_host(array)
                value = numpy.fromfile(os.path.join(folder, f"arg{i}"), dtype=kept.dtype).reshape(tuple(array.value.shape))
            found.append(value)
        return found
