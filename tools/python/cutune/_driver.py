"""The CUDA driver by ctypes, and NVML's reasons for a low clock: what a meter needs of them."""

from __future__ import annotations

import ctypes
import functools
import os
import time
from collections.abc import Callable

from ._error import Error, ErrorCode

NOT_READY = 600
_NOT_INITIALIZED = 3
_FORKED = 'CUDA cannot be used in a process that was forked after its first use: start processes by multiprocessing.get_context("spawn")'
_L2_BYTES = 38  # CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
_MAPPED = 2  # CU_MEMHOSTALLOC_DEVICEMAP
_NON_BLOCKING = 1  # CU_STREAM_NON_BLOCKING
_THREAD_LOCAL = 1  # CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

_P, _I, _U, _Z = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_size_t
_PP = ctypes.POINTER(_P)
FUNCTIONS: dict[str, tuple[object, ...]] = {
    "cuInit": (_U,),
    "cuCtxGetCurrent": (_PP,),
    "cuCtxGetDevice": (ctypes.POINTER(_I),),
    "cuDeviceGetAttribute": (ctypes.POINTER(_I), _I, _I),
    "cuDeviceGetPCIBusId": (ctypes.c_char_p, _I, _I),
    "cuGetErrorName": (_I, ctypes.POINTER(ctypes.c_char_p)),
    "cuMemAlloc_v2": (_PP, _Z),
    "cuMemFree_v2": (_P,),
    "cuMemHostAlloc": (_PP, _Z, _U),
    "cuMemHostGetDevicePointer_v2": (_PP, _P, _U),
    "cuMemFreeHost": (_P,),
    "cuMemsetD8Async": (_P, ctypes.c_ubyte, _Z, _P),
    "cuModuleLoadData": (_PP, ctypes.c_char_p),
    "cuModuleGetFunction": (_PP, _P, ctypes.c_char_p),
    "cuModuleUnload": (_P,),
    "cuLaunchKernel": (_P, _U, _U, _U, _U, _U, _U, _U, _P, _PP, _PP),
    "cuEventCreate": (_PP, _U),
    "cuEventDestroy_v2": (_P,),
    "cuEventRecord": (_P, _P),
    "cuEventQuery": (_P,),
    "cuEventElapsedTime": (ctypes.POINTER(ctypes.c_float), _P, _P),
    "cuStreamCreate": (_PP, _U),
    "cuStreamDestroy_v2": (_P,),
    "cuStreamSynchronize": (_P,),
    "cuStreamBeginCapture_v2": (_P, _I),
    "cuStreamEndCapture": (_P, _PP),
    "cuGraphInstantiateWithFlags": (_PP, _P, ctypes.c_ulonglong),
    "cuGraphLaunch": (_P, _P),
    "cuGraphExecDestroy": (_P,),
    "cuGraphDestroy": (_P,),
}


def _load(path: str, functions: dict[str, tuple[object, ...]]) -> ctypes.CDLL:
    loaded = ctypes.CDLL(path)
    for name, arguments in functions.items():
        function = getattr(loaded, name)
        function.restype = ctypes.c_int
        function.argtypes = arguments
    return loaded


class Driver:
    """The driver, in the context that is current. Each method that fails is an Error with the name of the driver's error."""

    def __init__(self) -> None:
        path = os.environ.get("CUTUNE_DRIVER") or "libcuda.so.1"
        try:
            self._loaded = _load(path, FUNCTIONS)
        except (OSError, AttributeError) as error:
            raise Error(ErrorCode.NO_DEVICE, f"the CUDA driver cannot be loaded: {error}") from None
        self.call("cuInit", 0)
        context = _P()
        self.call("cuCtxGetCurrent", ctypes.byref(context))
        if not context.value:
            hint = "a framework makes one with its first call on the device, such as torch.cuda.init()"
            raise Error(ErrorCode.NO_DEVICE, "this thread has no current CUDA context", hint=hint)

    def call(self, name: str, *arguments: object) -> None:
        result = getattr(self._loaded, name)(*arguments)
        if result:
            text = ctypes.c_char_p()
            self._loaded.cuGetErrorName(result, ctypes.byref(text))
            hint = _FORKED if result == _NOT_INITIALIZED else ""
            raise Error(ErrorCode.DEVICE, f"{name}: {(text.value or b'error %d' % result).decode()}", hint=hint)

    def made(self, name: str, *arguments: object) -> int:
        """The handle or address that a function returns by its first argument."""
        handle = _P()
        self.call(name, ctypes.byref(handle), *arguments)
        return handle.value or 0

    def free(self, name: str, handle: int) -> None:
        """Gives a handle back, also in a context that an error has broken."""
        if handle:
            getattr(self._loaded, name)(handle)

    @property
    def device(self) -> int:
        device = _I()
        self.call("cuCtxGetDevice", ctypes.byref(device))
        return device.value

    def l2_bytes(self) -> int:
        value = _I()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), _L2_BYTES, self.device)
        return value.value

    def bus(self) -> bytes:
        text = ctypes.create_string_buffer(32)
        self.call("cuDeviceGetPCIBusId", text, len(text), self.device)
        return text.value

    def mapped(self, size: int) -> tuple[int, int]:
        """Host memory that the device sees: the addresses on both."""
        host = self.made("cuMemHostAlloc", size, _MAPPED)
        return host, self.made("cuMemHostGetDevicePointer_v2", host, 0)

    def stream(self) -> int:
        return self.made("cuStreamCreate", _NON_BLOCKING)

    def captured(self, stream: int, queue: Callable[[], object], times: int) -> int:
        """The graph of the work that so many calls of a function queue on the stream."""
        graph = _P()
        self.call("cuStreamBeginCapture_v2", stream, _THREAD_LOCAL)
        for _ in range(times):
            queue()
        self.call("cuStreamEndCapture", stream, ctypes.byref(graph))
        return graph.value or 0

    def launch(self, function: int, stream: int, *arguments: ctypes._SimpleCData[int]) -> None:
        """Launches a kernel of one thread."""
        places = (_P * max(1, len(arguments)))(*(ctypes.addressof(argument) for argument in arguments))
        self.call("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, stream, places, None)

    def done(self, event: int) -> bool:
        """True if the work before an event has ended."""
        result = self._loaded.cuEventQuery(event)
        if result not in (0, NOT_READY):
            self.call("cuEventQuery", event)
        return bool(result == 0)

    def elapsed_ns(self, begin: int, end: int) -> float:
        elapsed_ms = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed_ms), begin, end)
        return round(elapsed_ms.value * 1e6)  # the resolution of CUDA's milliseconds in a float


# ---- NVML ----

#: Slow-down by the hardware, software or hardware thermal slow-down, power brake. The power cap is left out: it is normal for
#: compute-bound kernels, and the clock shows it.
_THROTTLED = 0x8 | 0x20 | 0x40 | 0x80
_EACH_S = 0.05  # a query takes almost a millisecond
_SM_CLOCK = 1
_NVML: dict[str, tuple[object, ...]] = {
    "nvmlInit_v2": (),
    "nvmlDeviceGetHandleByPciBusId_v2": (ctypes.c_char_p, _PP),
    "nvmlDeviceGetCurrentClocksThrottleReasons": (_P, ctypes.POINTER(ctypes.c_ulonglong)),
    "nvmlDeviceGetClockInfo": (_P, _I, ctypes.POINTER(_U)),
}


@functools.lru_cache(maxsize=1)
def _nvml() -> ctypes.CDLL | None:
    """NVML, which stays loaded; None where it is missing."""
    try:
        loaded = _load(os.environ.get("CUTUNE_DRIVER") or "libnvidia-ml.so.1", _NVML)
    except (OSError, AttributeError):
        return None
    return loaded if loaded.nvmlInit_v2() == 0 else None


class Clock:
    """The clock of a device during a measurement, as far as NVML tells."""

    def __init__(self, bus: bytes) -> None:
        self._nvml = _nvml()
        self._device = _P()
        self._asked_s = 0.0
        self.throttled = False
        self.lowest_mhz: int | None = None
        if self._nvml and self._nvml.nvmlDeviceGetHandleByPciBusId_v2(bus, ctypes.byref(self._device)):
            self._nvml = None

    def look(self) -> None:
        """Asks for clock and reasons, unless it did so just before."""
        if not self._nvml or time.monotonic() - self._asked_s < _EACH_S:
            return
        reasons, mhz = ctypes.c_ulonglong(), _U()
        if self._nvml.nvmlDeviceGetCurrentClocksThrottleReasons(self._device, ctypes.byref(reasons)) == 0:
            self.throttled = bool(reasons.value & _THROTTLED)
        if self._nvml.nvmlDeviceGetClockInfo(self._device, _SM_CLOCK, ctypes.byref(mhz)) == 0:
            self.lowest_mhz = min(mhz.value, self.lowest_mhz or mhz.value)
        self._asked_s = time.monotonic()
