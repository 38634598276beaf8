"""Machine code as a function, on a driver that records launches."""

from __future__ import annotations

import os
from typing import Any

import cutune
import pytest

from .fake_gpu import Driver, Exchange, Interface, Pointer

TYPES = ("address", "int", "float", "double", "ulong", "bool", "null")


@pytest.fixture(autouse=True)
def driver() -> Driver:
    if "CUTUNE_EXTENSION" not in os.environ:
        pytest.skip("the extension module is not built")
    return Driver()


def bound(*types: str, **parts: Any) -> Any:
    from cutune._function import Bound

    own: dict[str, Any] = {"block": (64, 2, 1), "shared_bytes": 0, "cluster": (0, 0, 0), "cooperative": False, **parts}
    return Bound("smooth", b"\177ELF", "smooth_v1", 0, types=types or TYPES, **own)


def test_a_call_launches(driver: Driver) -> None:
    driver.expect(8, 4, 4, 8, 8, 1, 8)
    bound().launch((3, 4), (Exchange(0x1000, 7, 5, strides=(9, 1)), -2, 1.5, 0.5, 2**63, True))
    [line] = driver.take()
    assert line.startswith("launch smooth_v1 grid 3 4 1 block 64 2 1 shared 0 stream 112 device 0 ")
    assert line.split()[-7:] == ["1000", "fffffffe", "3fc00000", "3fe0000000000000", "8000000000000000", "1", "0"]


@pytest.mark.parametrize(
    ("array", "stream", "handle"),
    [
        (Exchange(0x1000, 8), None, 0x70),
        (Exchange(0x1000, 8), 5, 5),
        (Interface(0x1000, 8, stream=3), None, 3),
        (Pointer(0x1000, 8), None, 0),
        (None, type("Stream", (), {"__cuda_stream__": lambda self: (0, 6)})(), 6),
    ],
)
def test_streams(driver: Driver, array: Any, stream: Any, handle: int) -> None:
    driver.expect(8)
    bound("address").launch([1], [array], stream)
    assert f"stream {handle} device 0 {'1000' if array else '0'}" in driver.take()[0]


def test_attributes(driver: Driver) -> None:
    driver.expect(8)
    bound("address", cluster=(2, 1, 1), cooperative=True, shared_bytes=1024).launch((2,), [Exchange(0x1000, 8)])
    attribute, line = driver.take()
    assert attribute == "attribute smooth_v1 8 1024 device 0"
    assert "shared 1024" in line and line.count("attribute") == 2


def test_an_empty_grid_launches_nothing(driver: Driver) -> None:
    bound("address").launch((0, 4), [Exchange(0x1000, 8)])
    assert driver.take() == []


@pytest.mark.parametrize(
    ("types", "grid", "arguments", "error", "message"),
    [
        (("address",), (1,), [], TypeError, "IndexError|takes 1 arguments|out of range"),
        (("address",), (1,), [Exchange(0x1000, 8), 5], TypeError, "takes 1 arguments"),
        (("address",), (1,), ["text"], TypeError, "argument 1"),
        (("address",), (1,), [Exchange(0x1000, 8, device=(2, 1))], ValueError, "argument 1 is on the GPU 1"),
        (("int",), (1,), [2**31], OverflowError, "2147483648, is no number of 32 bits"),
        (("uint",), (1,), [-1], OverflowError, "-1, is no number"),
        (("uint",), (1,), [2**32], OverflowError, "4294967296, is no number"),
        (("float",), (1,), ["text"], TypeError, "'text', is no number"),
        (("null",), (), [], TypeError, "one to three sizes"),
        (("null",), 4, [], TypeError, "one to three sizes"),
    ],
)
def test_arguments_that_do_not_fit(
    driver: Driver, types: tuple[str, ...], grid: Any, arguments: list[Any], error: type[Exception], message: str
) -> None:
    with pytest.raises((error, IndexError), match=message):
        bound(*types).launch(grid, arguments)
    assert driver.take() == []


def test_types_that_cannot_be_passed() -> None:
    with pytest.raises(TypeError, match="half cannot be passed"):
        bound("half")


@pytest.mark.parametrize("function", ["cuLibraryLoadData", "cuLibraryGetKernel"])
def test_driver_errors(driver: Driver, function: str) -> None:
    driver.fail(function, 1)
    with pytest.raises(cutune.Error, match="smooth_v1: "):
        bound("address")
