"""Tests and doctests run with the build tree, or with an installed package if CUTUNE_BUILD names no build tree. CUTUNE_PROGRAM,
CUTUNE_LIBRARY and CUTUNE_EXTENSION name the program, the library and the extension module, CUTUNE_FAKE_PROGRAM the program on a fake
device, CUTUNE_DRIVER a CUDA driver without a GPU. Each test has a working folder of its own."""

from __future__ import annotations

import ctypes
import glob
import importlib.util
import os
import pathlib
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

#: Modules that need the extension module or a language.
collect_ignore: list[str] = []
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CUTUNE_BUILD", ROOT / "build" / "dev"))
if not os.environ.get("CUTUNE_EXTENSION") and not (BUILD / "python" / "_launch.abi3.so").exists():
    collect_ignore += ["cutune/_callable.py", "cutune/_function.py"]

#: Modules that need a language.
for language, modules in (("triton", ["triton", "_triton"]), ("cuda.tile", ["cutile"]), ("numba", ["numba"]), ("cutlass", ["cute"])):
    try:
        found = importlib.util.find_spec(language)
    except ModuleNotFoundError:
        found = None
    if not found:
        collect_ignore += [f"cutune/{module}.py" for module in modules]


@pytest.fixture(autouse=True, scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The folder share/cutune of an installation, of the source tree's files."""
    data = tmp_path_factory.mktemp("share")
    for name, place in (
        ("recorded.csv", "db/recorded.csv"),
        ("recorded", "db/recorded"),
        ("devices", "space/devices"),
        ("templates", "templates"),
    ):
        os.symlink(ROOT / place, data / name)
    os.environ["CUTUNE_DATA"] = str(data)
    os.environ["CUTUNE_TEMPLATES"] = str(data / "templates")
    os.environ["CUTUNE_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    for variable, path in (
        ("CUTUNE_PROGRAM", "cutune"),
        ("CUTUNE_LIBRARY", "libcutune.so"),
        ("CUTUNE_EXTENSION", "python/_launch.abi3.so"),
        ("CUTUNE_DRIVER", "tests/libfake_driver.so"),
    ):
        if (BUILD / path).exists():
            os.environ.setdefault(variable, str(BUILD / path))


@pytest.fixture(autouse=True)
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> str:
    """The program on the fake device."""
    program = os.environ.get("CUTUNE_FAKE_PROGRAM", str(BUILD / "tests" / "cutune_fake"))
    monkeypatch.setenv("CUTUNE_PROGRAM", program)
    return program


@pytest.fixture
def scripted(fake: str, tmp_path: pathlib.Path) -> str:
    """A space with faults at will, on the fake device."""
    for name in ("scripted.space", "scripted.cu", "fake_kernels.cu"):
        (tmp_path / name).write_text((ROOT / "tests" / "unit" / "device" / name).read_text(encoding="utf-8"), encoding="utf-8")
    return "scripted.space"


@pytest.fixture
def kernels() -> str:
    """A source with the fake device's kernels."""
    return f'#include "{ROOT}/tests/unit/device/fake_kernels.cu"\n'


@pytest.fixture(scope="session")
def meter_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A CUDA driver without a GPU, on a clock of its own."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no C compiler")
    path = str(tmp_path_factory.mktemp("driver") / "libfake_meter.so")
    source = str(ROOT / "tools" / "python" / "tests" / "fake_meter.c")
    subprocess.run([compiler, "-std=c11", "-O1", "-shared", "-fPIC", "-o", path, source], check=True)
    return path


@pytest.fixture
def gpu(meter_library: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The driver that measurements of the test use: its functions fake_* queue work and count. No object may be left."""
    monkeypatch.setenv("CUTUNE_DRIVER", meter_library)
    loaded = ctypes.CDLL(meter_library)
    loaded.fake_work.argtypes = (ctypes.c_void_p, ctypes.c_longlong, ctypes.c_longlong)
    loaded.fake_host.argtypes = (ctypes.c_longlong,)
    loaded.fake_noise.argtypes = (ctypes.c_double,)
    loaded.fake_depth.argtypes = (ctypes.c_size_t,)
    loaded.cuStreamSynchronize.argtypes = (ctypes.c_void_p,)
    loaded.fake_now.restype = ctypes.c_longlong
    loaded.fake_reset()
    yield loaded
    assert loaded.fake_objects() == 0


def recorded_journal() -> str:
    return glob.glob(str(ROOT / "db" / "recorded" / "transpose.NVIDIA-H200.*.csv"))[0]


@pytest.fixture
def recorded() -> str:
    """A journal recorded on a real device."""
    return recorded_journal()


@pytest.fixture(autouse=True)
def doctests(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["recorded_journal"] = recorded_journal()
