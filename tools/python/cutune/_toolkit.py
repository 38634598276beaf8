"""NVRTC and CUDA's headers, found once and handed to the program and the library by environment variables.

The order is: the path that use_nvrtc or $CUTUNE_NVRTC names; NVIDIA's packages of PyPI; a CUDA Toolkit; the loader's places. A
library newer than the driver is passed over, because the driver could not run its code."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from ._error import Error, ErrorCode


@dataclass(frozen=True)
class Toolkit:
    """The compiler in use. `nvrtc` is "" if none was found: the program looks in its usual places."""

    nvrtc: str
    major: int
    include: tuple[str, ...]
    origin: str

    def environment(self) -> dict[str, str]:
        """The variables by which the program and the library find both."""
        variables = {"CUTUNE_NVRTC": self.nvrtc, "CUTUNE_CUDA_INCLUDE": ":".join(self.include)}
        return {name: value for name, value in variables.items() if value}


_lock = threading.Lock()
_named: str | None = None
_found: dict[tuple[str | None, ...], Toolkit] = {}
_VARIABLES = ("CUTUNE_NVRTC", "CUTUNE_CUDA_INCLUDE", "CUDA_HOME", "CUDA_PATH")


def use_nvrtc(path: str | os.PathLike[str] | None) -> None:
    """Names the library NVRTC for this process and the engine's; None: find it again."""
    global _named
    if path is not None and not os.path.exists(path):
        raise Error(ErrorCode.NOT_FOUND, f"there is no library {os.fspath(path)}")
    with _lock:
        _named = None if path is None else os.path.abspath(path)
        _found.clear()


def toolkit() -> Toolkit:
    """The compiler that the engine gets."""
    key = (_named, *(os.environ.get(name) for name in _VARIABLES))
    with _lock:
        if key not in _found:
            _found[key] = _find()
        return _found[key]


def driver_major() -> int:
    """The newest CUDA version that the driver supports; 0 without a driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    version = ctypes.c_int(0)
    return version.value // 1000 if driver.cuDriverGetVersion(ctypes.byref(version)) == 0 else 0


def major_of(path: str) -> int:
    """The version in the name of a library, as far as the name or its target tells."""
    for name in (path, os.path.realpath(path)):
        match = re.search(r"\.so\.(\d+)", os.path.basename(name))
        if match:
            return int(match[1])
    return 0


def _wheel_roots() -> list[str]:
    spec = importlib.util.find_spec("nvidia")
    return list(spec.submodule_search_locations or ()) if spec else []


def _wheel_libraries() -> Iterator[str]:
    for root in _wheel_roots():
        for folder in ("cu*", "cuda_nvrtc"):
            yield from glob.glob(os.path.join(root, folder, "lib", "libnvrtc.so.*"))


def _toolkit_roots() -> list[str]:
    named = [os.environ[name] for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    return named or ["/usr/local/cuda"]


def _toolkit_libraries() -> Iterator[str]:
    for root in _toolkit_roots():
        for folder in ("lib64", "lib"):
            yield from glob.glob(os.path.join(root, folder, "libnvrtc.so.*"))


def _loader_libraries() -> Iterator[str]:
    for program in ("/sbin/ldconfig", "/usr/sbin/ldconfig"):
        if os.path.exists(program):
            listed = subprocess.run([program, "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
            yield from re.findall(r"=> (\S*/libnvrtc\.so\.\d+)\s", listed)
            return


def _include_of(path: str) -> tuple[str, ...]:
    """The headers that belong to a library: those of the same toolkit, or of the packages of the same version."""
    roots, folder = _wheel_roots(), os.path.dirname(os.path.dirname(path))
    candidates = [os.path.join(folder, "include")]
    if any(os.path.realpath(path).startswith(os.path.realpath(root) + os.sep) for root in roots):
        # The packages of CUDA 12 have a folder each; those of later versions share one, and may be in several environments.
        name = os.path.basename(folder)
        parts = ("cuda_runtime", "cuda_cccl", "cuda_nvcc") if name == "cuda_nvrtc" else (name,)
        candidates += [os.path.join(root, part, "include") for root in roots for part in parts]
    return tuple(dict.fromkeys(folder for folder in candidates if os.path.isdir(folder)))


def _newest(paths: Iterator[str], limit: int) -> str:
    """The library of the highest version that the driver can run; a short name, libnvrtc.so.13, before a long one."""
    usable = [path for path in paths if ".alt." not in path and major_of(path) and (not limit or major_of(path) <= limit)]
    return min(usable, key=lambda path: (-major_of(path), len(path)), default="")


def _find() -> Toolkit:
    include = tuple(folder for folder in os.environ.get("CUTUNE_CUDA_INCLUDE", "").split(":") if folder)
    named = _named or os.environ.get("CUTUNE_NVRTC")
    if named:
        return Toolkit(named, major_of(named), include or _include_of(named), "named")
    limit = driver_major()
    for origin, libraries in (
        ("NVIDIA's packages", _wheel_libraries),
        ("a CUDA Toolkit", _toolkit_libraries),
        ("the loader", _loader_libraries),
    ):
        path = _newest(libraries(), limit)
        if path:
            return Toolkit(path, major_of(path), include or _include_of(path), origin)
    return Toolkit("", 0, include, "none")


def missing_header_hint(message: str) -> str:
    """Names the package of a header that the compiler did not find; "" for other messages."""
    match = re.search(r'(?:cannot open source file|could not open source file) "([^"]+)"', message)
    if not match:
        return ""
    header = match[1]
    major = toolkit().major or 13
    packages = (
        (("cub/", "thrust/", "cuda/", "nv/"), "cccl", "cccl-cu12"),
        (("crt/",), "crt", "nvcc-cu12"),
        (("cuda", "cooperative_groups", "mma.h", "vector_types", "device_", "sm_", "curand"), "runtime", "runtime-cu12"),
    )
    for prefixes, thirteen, twelve in packages:
        if header.startswith(prefixes):
            return f"pip install nvidia-cuda-{thirteen if major >= 13 else twelve} has {header}; so has a CUDA Toolkit in CUDA_HOME"
    return ""
