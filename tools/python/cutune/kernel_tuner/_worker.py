"""The process of run_kernel: `_worker.py FOLDER` compiles kernel.cu by NVRTC, launches it as launch.json says, and writes the arrays back
to their files. It uses the standard library alone. Exit status 3: no device."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any

NO_DEVICE = 3
MAJOR, MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_...
DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
SHARED_DEFAULT = 48 * 1024

Pointer = ctypes.c_void_p


def _fail(message: str, status: int = 1) -> Any:
    print(message, file=sys.stderr)
    sys.exit(status)


def _driver() -> Any:
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        _fail("there is no CUDA device: no NVIDIA driver is installed", NO_DEVICE)
    if cuda.cuInit(0):
        _fail("there is no CUDA device", NO_DEVICE)
    return cuda


def _check(cuda: Any, code: int, what: str) -> None:
    if code:
        text = ctypes.c_char_p()
        cuda.cuGetErrorString(code, ctypes.byref(text))
        _fail(f"{what}: {(text.value or b'unknown error').decode()}")


def _text(nvrtc: Any, program: Pointer, name: str) -> bytes:
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{name}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{name}")(program, text)
    return text.raw


def _compile(launch: dict[str, Any], source: bytes, architecture: str) -> tuple[bytes, bytes]:
    """The machine code, and the kernel's name in it."""
    try:
        nvrtc = ctypes.CDLL(launch["nvrtc"])
    except OSError as error:
        _fail(f"cannot load NVRTC: {error}")
    program, lowered = Pointer(), ctypes.c_char_p()
    name = launch["name"].encode()
    options = [f"-arch={architecture}".encode(), *(option.encode() for option in launch["options"])]
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
    nvrtc.nvrtcAddNameExpression(program, name)
    if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
        _fail("the kernel does not compile: " + _text(nvrtc, program, "ProgramLog").rstrip(b"\0").decode("utf-8", "replace"))
    if nvrtc.nvrtcGetLoweredName(program, name, ctypes.byref(lowered)):
        _fail(f"the source has no kernel {launch['name']}")
    return _text(nvrtc, program, "CUBIN"), lowered.value or b""


def _read(name: str) -> ctypes.Array[ctypes.c_char]:
    with open(name, "rb") as file:
        data = file.read()
    return ctypes.create_string_buffer(data, len(data))


def _fill_constants(cuda: Any, module: Pointer, launch: dict[str, Any]) -> None:
    for name, path in launch["constants"].items():
        data, address, size = _read(path), ctypes.c_uint64(), ctypes.c_size_t()
        _check(cuda, cuda.cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), module, name.encode()), f"the constant {name}")
        if len(data) > size.value:
            _fail(f"the constant {name} has {size.value} bytes, its value {len(data)}")
        _check(cuda, cuda.cuMemcpyHtoD_v2(address, data, ctypes.c_size_t(len(data))), f"filling {name}")


def _launch(cuda: Any, function: Pointer, launch: dict[str, Any]) -> None:
    values: list[Any] = []
    arrays: list[tuple[str, Any, Any]] = []
    for argument in launch["arguments"]:
        data = _read(argument["file"])
        if not argument["pointer"]:
            values.append(data)
            continue
        address = ctypes.c_uint64()
        _check(cuda, cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(len(data))), f"allocating {argument['file']}")
        _check(cuda, cuda.cuMemcpyHtoD_v2(address, data, ctypes.c_size_t(len(data))), f"filling {argument['file']}")
        values.append(address)
        arrays.append((argument["file"], address, data))
    shared = launch["shared_bytes"]
    if shared > SHARED_DEFAULT:
        _check(cuda, cuda.cuFuncSetAttribute(function, DYNAMIC_SHARED, shared), f"{shared} bytes of shared memory")
    pointers = (Pointer * max(len(values), 1))(*(ctypes.cast(ctypes.pointer(value), Pointer) for value in values))
    code = cuda.cuLaunchKernel(function, *launch["grid"], *launch["block"], shared, None, pointers, None)
    _check(cuda, code, "the launch")
    _check(cuda, cuda.cuCtxSynchronize(), "the kernel")
    for name, address, data in arrays:
        _check(cuda, cuda.cuMemcpyDtoH_v2(data, address, ctypes.c_size_t(len(data))), f"copying {name}")
        with open(name, "wb") as file:
            file.write(data)


def main() -> None:
    os.chdir(sys.argv[1])
    with open("launch.json", encoding="utf-8") as file:
        launch = json.load(file)
    with open("kernel.cu", "rb") as source:
        text = source.read()
    cuda = _driver()
    device, context, module, function = ctypes.c_int(), Pointer(), Pointer(), Pointer()
    _check(cuda, cuda.cuDeviceGet(ctypes.byref(device), launch["device"]), f"the device {launch['device']}")
    numbers = []
    for attribute in (MAJOR, MINOR):
        number = ctypes.c_int()
        _check(cuda, cuda.cuDeviceGetAttribute(ctypes.byref(number), attribute, device), "the compute capability")
        numbers.append(number.value)
    code, name = _compile(launch, text, f"sm_{numbers[0]}{numbers[1]}")
    _check(cuda, cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "the context")
    _check(cuda, cuda.cuCtxSetCurrent(context), "the context")
    _check(cuda, cuda.cuModuleLoadData(ctypes.byref(module), code), "loading the kernel")
    _check(cuda, cuda.cuModuleGetFunction(ctypes.byref(function), module, name), f"finding {launch['name']}")
    _fill_constants(cuda, module, launch)
    _launch(cuda, function, launch)


if __name__ == "__main__":
    main()
