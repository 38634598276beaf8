"""Answers of a database for calls of kernels: look-ups, one process that tunes for all, and keys that are recorded for later."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import math
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from typing import Any

from ._database import Choice, Database, Device
from ._error import Error, ErrorCode
from ._frame import configuration_of
from ._program import command, warn
from ._result import Result
from ._space import Space
from ._tune import tune

#: Names the database of all calls, by default cutune.csv in the working folder.
VARIABLE = "CUTUNE_DATABASE"
#: The problem size that stands for what a language assumes of the arguments.
SPECIALIZATION = "SPECIALIZATION"
_SPACE, _RECORD = "call.space", "record.json"
_BUSY_S = 60.0
_LOOK_S = 0.5


@functools.cache
def device_of(index: int) -> Device:
    return Device.here(index)


class Answers:
    """The database at `path`, by default $CUTUNE_DATABASE or cutune.csv, with the files beside it: cutune.d has the journals, PATH.tuning
    names the process that tunes, and PATH.recorded has a folder for each recorded key."""

    def __init__(self, path: str | None = None) -> None:
        self.path = os.path.abspath(path or os.environ.get(VARIABLE) or "cutune.csv")
        self.recorded = f"{self.path}.recorded"

    def look_up(self, kernel: str, device: int, problem: Mapping[str, int]) -> Choice | None:
        """The best that the database knows for the kernel; None if it knows nothing. The choice's rule is "problem" for the very key.
        Spaces of calls differ between keys: they are versions of their own, and a hash in the kernel's name says the version."""
        if not os.path.exists(self.path):
            return None
        database, gpu = Database(self.path), device_of(device)
        for find in (database.row, database.best):
            try:
                return find(kernel, gpu, **problem)
            except Error as error:
                if error.code != ErrorCode.NOT_FOUND:
                    raise
        return None

    def nearest(self, kernel: str, device: int, problem: Mapping[str, int]) -> Choice | None:
        """The answer for the key whose sizes differ least, by their ratios; None without one."""

        def distance(sizes: Mapping[str, Any]) -> tuple[float, bool]:
            ratios = (math.log(max(problem[name], 1) / max(sizes[name], 1)) for name in problem if name != SPECIALIZATION)
            return sum(map(abs, ratios)), sizes.get(SPECIALIZATION) != problem.get(SPECIALIZATION)

        known = [sizes for sizes in self.problems(kernel) if sizes.keys() == problem.keys()]
        for sizes in sorted(known, key=distance):
            with contextlib.suppress(Error):  # of another device
                return Database(self.path).row(kernel, device_of(device), **sizes)
        return None

    @contextlib.contextmanager
    def turn(self, what: str) -> Iterator[None]:
        """Waits until no other process tunes for this database, and says so. The end of a process, even by SIGKILL, ends its turn."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(f"{self.path}.tuning", "a+", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                warn(f"{what}: waits for process {file.read().strip() or '?'}, which is tuning")
                fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            file.truncate()
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield

    @property
    def journals(self) -> str:
        return os.path.join(os.path.dirname(self.path), "cutune.d")

    def problems(self, kernel: str) -> list[dict[str, Any]]:
        """The keys of a kernel that are tuned."""
        if not os.path.exists(self.path):
            return []
        return [configuration_of(row["problem"]) for row in Database(self.path).rows() if row["kernel"] == kernel]

    def fit(self, space: str, region: Mapping[str, tuple[int, int]]) -> None:
        """Makes the fit over a region of sizes from the journals of the kernel of a space. It answers look-ups between them."""
        over = ", ".join(f"{name}={low}..{high}" for name, (low, high) in region.items())
        command("fit", space=space, over=over, replay=self.journals, db=self.path)

    def tune(self, space: str, device: int, options: Mapping[str, Any] | None = None) -> Result:
        """Tunes the space of a call, with options of cutune.tune. An engine whose caller was killed still has the journal for a moment: it
        is waited for."""
        own = {"db": self.path, "journal": self.journals, "device": device}
        chosen: dict[str, Any] = {"progress": False, "explain": False, **(options or {}), **own}
        deadline = time.monotonic() + _BUSY_S
        while True:
            try:
                result = tune(space, **chosen)
                result.space = None  # its folder goes away
                return result
            except Error as error:
                if error.code != ErrorCode.BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(_LOOK_S)

    def record(self, kernel: str, problem: Mapping[str, int], device: int, write: Any, options: Mapping[str, Any] | None = None) -> bool:
        """Records a key: `write(folder)` makes the space in an empty folder. False if it is recorded already."""
        name = "-".join([kernel, str(device), *(f"{size}{value}" for size, value in problem.items())])
        folder = os.path.join(self.recorded, name)
        if os.path.exists(folder):
            return False
        own = f"{folder}.{os.getpid()}"
        shutil.rmtree(own, ignore_errors=True)
        os.makedirs(own)
        try:
            write(own)
            with open(os.path.join(own, _RECORD), "w", encoding="utf-8") as file:
                json.dump({"device": device, "options": {n: v for n, v in (options or {}).items() if not callable(v)}}, file)
            os.rename(own, folder)
        except OSError:
            if not os.path.exists(folder):  # else another process was faster
                raise
        finally:
            shutil.rmtree(own, ignore_errors=True)
        return True

    def tune_recorded(self) -> list[Result]:
        """Tunes all recorded keys, in the order of their names, and forgets them. One that fails stays recorded, and is named."""
        results = []
        names = sorted(os.listdir(self.recorded)) if os.path.isdir(self.recorded) else []
        for name in names:
            folder = os.path.join(self.recorded, name)
            with self.turn(name):
                if not os.path.exists(os.path.join(folder, _RECORD)):
                    continue  # another process has tuned it, or writes it
                with open(os.path.join(folder, _RECORD), encoding="utf-8") as file:
                    record = json.load(file)
                try:
                    results.append(self.tune(os.path.join(folder, _SPACE), record["device"], record["options"]))
                except Error as error:
                    warn(f"{name}: {error}")
                    continue
                shutil.rmtree(folder)
        return results


def save(space: Space, folder: str) -> str:
    """Writes the space of a call to its folder. Returns the path."""
    return space.save(os.path.join(folder, _SPACE))
