"""Databases and journals: rows as frames, and look-ups by the rules of the engine."""

from __future__ import annotations

import ctypes
import glob
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._error import Error, ErrorCode
from ._frame import configuration_of, frame, frame_of_rows, number, read_journal
from ._native import NativeBest, NativeError, check, decode, library, load_extension
from ._paths import data_dir, devices_dir
from ._program import command, configuration_text, rows_of


class Device:
    """A GPU that a look-up is for: its CUDA name, compute capability (90), multiprocessors, L2 size, and other limits by the names of
    space files. Missing limits are those of the known GPU with that name, or follow from the compute capability.

    >>> Device("NVIDIA H200", cc=90, sm_count=132)["sm_count"]
    132
    """

    def __init__(self, name: str = "", *, cc: int = 0, sm_count: int = 0, l2_bytes: int = 0, **limits: int) -> None:
        self.name = name
        self.number, self.uuid = 0, ""
        self._native = library().cutune_device_new(name.encode(), cc, sm_count, l2_bytes)
        if not self._native:
            raise Error(ErrorCode.VALUE, f"no device has cc={cc} sm_count={sm_count} l2_bytes={l2_bytes}")
        self.limits = {"cc": self["cc"], "sm_count": self["sm_count"], "l2_bytes": self["l2_bytes"], **limits}
        for limit, value in limits.items():
            error = NativeError()
            check(library().cutune_device_set(self._native, limit.encode(), value, ctypes.byref(error)), error)

    @classmethod
    def named(cls, name: str) -> Device:
        """A known device, by its file in share/cutune/devices or by a path to such a file: "H200", "A100-SXM4-40GB"."""
        import csv

        path = name if os.path.exists(name) else os.path.join(devices_dir(), f"{name}.csv")
        if not os.path.exists(path):
            known = sorted(os.path.basename(file)[:-4] for file in glob.glob(os.path.join(devices_dir(), "*.csv")))
            raise Error(ErrorCode.NOT_FOUND, f"there is no known device {name}", hint="known devices: " + ", ".join(known))
        with open(path, encoding="utf-8", newline="") as file:
            return cls._of_row(next(csv.DictReader(file)))

    @classmethod
    def here(cls, device: int | str = 0) -> Device:
        """A GPU of this machine, by its number or UUID. The program asks CUDA, in a process of its own."""
        rows = rows_of(command("devices", device=device, format="json"))
        return cls._of_row({name: str(value) for name, value in rows[0].items()})

    @classmethod
    def current(cls, device: int | None = None) -> Device:
        """A GPU as this process sees it, by its number; by default, that of the current CUDA context, else the first."""
        load_extension()
        from cutune import _launch

        number = _launch.current_device() if device is None else device
        name, uuid, limits = _launch.describe_device(number)
        found = cls(name, **limits)
        found.number, found.uuid = number, uuid
        return found

    @classmethod
    def _of_row(cls, row: Mapping[str, str]) -> Device:
        limits = {}
        for name, text in row.items():
            value = number(text)
            if name not in ("device", "name", "driver", "cuda", "uuid") and isinstance(value, int):
                limits[name] = value
        return cls(row.get("name", ""), **limits)

    def __getitem__(self, limit: str) -> int:
        """A limit; 0 if it is unknown."""
        return int(library().cutune_device_get(self._native, limit.encode()))

    def __repr__(self) -> str:
        return f"<cutune.Device {self.name or 'unnamed'}, cc {self['cc']}, {self['sm_count']} SMs>"

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            library().cutune_device_free(native)
            self._native = None


@dataclass(frozen=True)
class Choice:
    """The answer of a look-up: a configuration, the `rule` that chose it ("problem", "fit", "device", "cc", "major", "common",
    "default"), and the row that it is from. Times are None if they are unknown."""

    configuration: dict[str, int | float | str]
    rule: str
    device: str
    problem: str
    date: str
    time_ns: float | None
    low_ns: float | None
    high_ns: float | None
    speedup: float | None
    per_work: bool
    extrapolated: bool
    generation: str
    expected_loss_percent: float | None


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def choice_of(best: NativeBest) -> Choice:
    """The answer of the library."""
    return Choice(
        configuration=configuration_of(decode(best.configuration)),
        rule=decode(library().cutune_rule_name(best.rule)),
        device=decode(best.device),
        problem=decode(best.problem),
        date=decode(best.date),
        time_ns=_known(best.time_ns),
        low_ns=_known(best.low_ns),
        high_ns=_known(best.high_ns),
        speedup=_known(best.speedup),
        per_work=bool(best.per_work),
        extrapolated=bool(best.extrapolated),
        generation=decode(best.generation),
        expected_loss_percent=_known(best.expected_loss_percent),
    )


class Database:
    """A database as it was when it was opened. Any number of threads may look up.

    >>> database = Database.recorded()
    >>> sorted(database.kernels)[:2]
    ['allocation', 'aos_soa']
    """

    def __init__(self, path: str | os.PathLike[str] = "cutune.csv", journals: str | os.PathLike[str] | None = None) -> None:
        self.path = os.fspath(path)
        self.journals = None if journals is None else os.fspath(journals)
        self._native = ctypes.c_void_p()
        error = NativeError()
        folder = os.fsencode(journals) if journals is not None else None
        check(library().cutune_database_open(ctypes.byref(self._native), os.fsencode(path), folder, ctypes.byref(error)), error)

    @classmethod
    def recorded(cls) -> Database:
        """The results that come with cutune."""
        return cls(os.path.join(data_dir(), "recorded.csv"), os.path.join(data_dir(), "recorded"))

    @property
    def generation(self) -> str:
        """A hash of the file's content."""
        return decode(library().cutune_database_generation(self._native))

    def require(self, generation: str) -> None:
        """Pins a snapshot: an Error unless the database has this generation."""
        error = NativeError()
        check(library().cutune_database_require(self._native, generation.encode(), ctypes.byref(error)), error)

    def best(self, kernel: str, device: Device | None = None, /, **sizes: int) -> Choice:
        """The best configuration of a kernel for a device, by default the first of this machine, and for all of its sizes."""
        if device is None:
            device = Device.here()
        return self._choice("cutune_database_best", kernel, device, sizes)

    def row(self, kernel: str, device: Device, /, **sizes: int) -> Choice:
        """The row of a kernel for a device and these very sizes, of whichever version of its space and source."""
        return self._choice("cutune_database_row", kernel, device, sizes)

    def _choice(self, function: str, kernel: str, device: Device, sizes: Mapping[str, int]) -> Choice:
        best, error = NativeBest(), NativeError()
        problem = configuration_text(sizes).encode()
        code = getattr(library(), function)(self._native, kernel.encode(), device._native, problem, ctypes.byref(best), ctypes.byref(error))
        check(code, error)
        return choice_of(best)

    def rows(self) -> list[dict[str, Any]]:
        """The rows as the program shows them."""
        return rows_of(command("show", db=self.path, format="json"))

    def frame(self) -> Any:
        """The rows as a pandas.DataFrame, or as a dict of NumPy arrays without pandas."""
        return frame_of_rows(self.rows())

    @property
    def kernels(self) -> list[str]:
        """The names of the kernels that have rows."""
        return list(dict.fromkeys(row["kernel"] for row in self.rows()))

    def __repr__(self) -> str:
        return f"<cutune.Database {self.path}, generation {self.generation[:8]}>"

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            library().cutune_database_close(native)
            self._native = ctypes.c_void_p()


class Journal:
    """A journal of a run: `header` has its header lines, `parameters` the names of the parameters.

    >>> journal = Journal.recorded("transpose", "H200")
    >>> journal.kernel, journal.problem["ROWS"], journal.parameters[0]
    ('transpose', 8192, 'TILE')
    """

    #: Rows with other statuses than those of configurations.
    _OTHER = ("evidence", "library", "energy")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.header, self.columns, self._cells = read_journal(path)

    @classmethod
    def recorded(cls, kernel: str, device: str = "") -> Journal:
        """A journal that comes with cutune, by kernel and a part of the device's name."""
        paths = sorted(glob.glob(os.path.join(data_dir(), "recorded", f"{kernel}.*.csv")))
        fitting = [path for path in paths if device.lower() in os.path.basename(path).lower()]
        if not fitting:
            raise Error(ErrorCode.NOT_FOUND, f"there is no recorded journal of {kernel} on a device named *{device}*")
        return cls(fitting[0])

    @property
    def kernel(self) -> str:
        return self.header.get("kernel", "")

    @property
    def device(self) -> str:
        return self.header.get("device", "")

    @property
    def problem(self) -> dict[str, int | float | str]:
        return configuration_of(self.header.get("problem", ""))

    @property
    def parameters(self) -> list[str]:
        return self.columns[: int(self.header.get("parameters") or 0)]

    def cells(self, *, history: bool = False) -> list[list[str]]:
        """The last row of each configuration; with `history`, all rows in the order of the file."""
        if history or "status" not in self.columns:
            return self._cells
        count, status = len(self.parameters), self.columns.index("status")
        last = {tuple(row[:count]): row for row in self._cells if row[status] not in self._OTHER}
        return list(last.values())

    def frame(self, *, history: bool = False) -> Any:
        """The rows as a pandas.DataFrame, or as a dict of NumPy arrays without pandas."""
        rows = self.cells(history=history)
        return frame({name: [row[i] for row in rows] for i, name in enumerate(self.columns)})

    def __len__(self) -> int:
        return len(self.cells())

    def __repr__(self) -> str:
        return f"<cutune.Journal {self.kernel} on {self.device or 'an unknown device'}, {len(self)} configurations>"
