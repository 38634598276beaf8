"""CUDA streams of all frameworks, as handles."""

from __future__ import annotations

import sys
from typing import Any


def handle(stream: Any) -> int:
    """The handle of a stream that has `__cuda_stream__`, or of torch, CuPy or Numba."""
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        version, value = protocol() if callable(protocol) else protocol
        if version != 0:
            raise TypeError(f"stream: {stream!r} has version {version} of __cuda_stream__, and 0 is known")
        return int(value)
    for name in ("cuda_stream", "ptr", "handle"):
        value = getattr(stream, name, None)
        value = getattr(value, "value", value)
        if isinstance(value, int):
            return value
    raise TypeError(f"stream: {stream!r} is neither a handle nor a stream; streams have __cuda_stream__")


def find(array: Any, stream: Any) -> int | None:
    """The handle of a stream; without one, of the current stream of the array's framework. None: the framework is unknown."""
    if stream is not None:
        return handle(stream)
    framework = type(array).__module__.partition(".")[0]
    module = sys.modules.get(framework)
    if framework == "torch" and module is not None:
        return handle(module.cuda.current_stream(array.device))
    if framework == "cupy" and module is not None:
        return handle(module.cuda.get_current_stream())
    return None
