"""Tests and doctests run with the build tree: CUTUNE_PROGRAM and CUTUNE_LIBRARY name the program and the library, CUTUNE_FAKE the program
on a fake device. Each test has a working folder of its own."""

from __future__ import annotations

import glob
import importlib.util
import os
import pathlib
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CUTUNE_BUILD", ROOT / "build" / "dev"))

#: Modules that need Triton.
collect_ignore = [] if importlib.util.find_spec("triton") else ["cutune/triton.py", "cutune/_triton.py"]


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
    os.environ.setdefault("CUTUNE_PROGRAM", str(BUILD / "cutune"))
    os.environ.setdefault("CUTUNE_LIBRARY", str(BUILD / "libcutune.so"))


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


def recorded_journal() -> str:
    return glob.glob(str(ROOT / "db" / "recorded" / "transpose.NVIDIA-H200.*.csv"))[0]


@pytest.fixture
def recorded() -> str:
    """A journal recorded on a real device."""
    return recorded_journal()


@pytest.fixture(autouse=True)
def doctests(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["recorded_journal"] = recorded_journal()
