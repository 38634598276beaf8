"""Databases, journals, devices, frames."""

from __future__ import annotations

import os
import pathlib
import sys

import cutune
import numpy
import pytest
from cutune import _frame, _native

from ..conftest import ROOT


@pytest.mark.parametrize(
    ("device", "sizes", "rule"),
    [
        ("H200", {"ROWS": 8192, "COLS": 8192}, "problem"),
        ("H200", {"COLS": 8192, "ROWS": 4096}, "device"),
        ("A100-SXM4-40GB", {"ROWS": 8192, "COLS": 8192}, "common"),
    ],
)
def test_look_ups_say_their_rule(device: str, sizes: dict[str, int], rule: str) -> None:
    choice = cutune.Database.recorded().best("transpose", cutune.Device.named(device), **sizes)
    assert choice.rule == rule and "TILE" in choice.configuration
    assert (choice.expected_loss_percent is None) == (rule == "device")
    assert choice.generation == cutune.Database.recorded().generation


def test_errors_of_look_ups() -> None:
    database, device = cutune.Database.recorded(), cutune.Device.named("H200")
    with pytest.raises(cutune.Error, match="no row of the kernel 'none'") as caught:
        database.best("none", device)
    assert caught.value.code == cutune.ErrorCode.NOT_FOUND
    with pytest.raises(cutune.Error):
        database.best("transpose", device, ROWS=8)
    with pytest.raises(cutune.Error, match=r"cannot open missing\.csv"):
        cutune.Database("missing.csv")
    with pytest.raises(cutune.Error):
        database.require("0" * 32)
    database.require(database.generation)


def test_rows_and_frames() -> None:
    database = cutune.Database.recorded()
    frame = database.frame()
    assert len(frame["kernel"]) == len(database.rows()) > 50
    assert "transpose" in database.kernels


def test_devices() -> None:
    device = cutune.Device.named("H200")
    assert (device["cc"], device["sm_count"], device["max_threads"]) == (90, 132, 1024)
    assert cutune.Device("X")["cc"] == 0
    assert cutune.Device("NVIDIA H200").limits["sm_count"] == 132
    with pytest.raises(cutune.Error) as caught:
        cutune.Device.named("H20")
    assert "H200" in caught.value.hint
    with pytest.raises(cutune.Error, match="no limit 'nothing'"):
        cutune.Device("X", nothing=1)
    with pytest.raises(cutune.Error):
        cutune.Device("X", cc=-1)


def test_the_device_of_this_machine(fake: str) -> None:
    assert cutune.Device.here().name == "Fake GPU"


def test_every_recorded_journal_is_read() -> None:
    for path in sorted((ROOT / "db" / "recorded").glob("*.csv")):
        journal = cutune.Journal(path)
        assert journal.kernel and journal.device and journal.parameters and len(journal) > 0, path
        assert journal.columns[len(journal.parameters)] == "status", path


def test_a_journal_is_one_row_for_each_configuration(recorded: str) -> None:
    journal = cutune.Journal(recorded)
    rows = journal.cells()
    keys = [tuple(row[: len(journal.parameters)]) for row in rows]
    assert len(set(keys)) == len(keys) == 1062 < len(journal.cells(history=True))


def test_incomplete_and_foreign_journals(folder: pathlib.Path) -> None:
    (folder / "torn.csv").write_text("# cutune journal 1\n# kernel = k\n# parameters = 1\nA,status,message\n1,ok,\n2,ok")
    assert cutune.Journal("torn.csv").cells() == [["1", "ok", ""]]
    (folder / "other.csv").write_text("a,b\n")
    with pytest.raises(cutune.Error, match="no journal") as caught:
        cutune.Journal("other.csv")
    assert caught.value.code == cutune.ErrorCode.DATA
    (folder / "escaped.csv").write_text("# cutune journal 1\n# title = a\\\\b\\nc\\'=d\n# parameters = 1\nA,status,message\n1,ok,'=1\n")
    journal = cutune.Journal("escaped.csv")
    assert journal.header["title"] == "a\\b\nc=d" and journal.cells()[0][2] == "=1"


def test_columns_have_types() -> None:
    assert _frame.column(["1", "2"]).dtype == numpy.int64
    assert _frame.column(["1", ""]).dtype == numpy.float64 and numpy.isnan(_frame.column(["1", ""])[1])
    assert _frame.column(["1", "pinned"]).dtype == object
    assert _frame.column([True, False]).dtype == numpy.bool_


def test_frames_are_dicts_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert isinstance(_frame.frame({"a": ["1"]}), dict)


def test_the_structures_are_those_of_the_header() -> None:
    """The sizes and offsets by a C compiler, and the functions by name."""
    import ctypes
    import shutil
    import subprocess

    header = (ROOT / "tuner" / "cutune.h").read_text(encoding="utf-8")
    assert all(f"{name}(" in header for name in _native.FUNCTIONS)
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        pytest.skip("there is no C compiler")
    checks = []
    for name, structure in _native.STRUCTURES.items():
        checks.append(f"_Static_assert(sizeof(struct {name}) == {ctypes.sizeof(structure)}, {chr(34)}{name}{chr(34)});")
        for member, *_ in structure._fields_:
            offset = getattr(structure, member).offset
            checks.append(f"_Static_assert(offsetof(struct {name}, {member}) == {offset}, {chr(34)}{member}{chr(34)});")
    checks += [f"_Static_assert(CUTUNE_ERROR_{code.name} == {int(code)}, {chr(34)}{code.name}{chr(34)});" for code in cutune.ErrorCode]
    with open("layout.c", "w", encoding="utf-8") as file:
        file.write("#include <cutune.h>\n" + "\n".join(checks) + "\n")
    subprocess.run([compiler, "-std=c11", "-fsyntax-only", f"-I{ROOT / 'tuner'}", "layout.c"], check=True)
    assert os.path.exists(cutune.library_path())
