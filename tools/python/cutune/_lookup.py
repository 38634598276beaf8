"""A tuned kernel in the library: the configuration, the launches and the machine code, found in the database and in the cache of
compiled kernels."""

from __future__ import annotations

import csv
import ctypes
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ._database import Choice, Database, Device, choice_of
from ._error import Error, ErrorCode
from ._native import CACHED, STALE, NativeError, check, library
from ._program import command, configuration_text


@dataclass(frozen=True)
class Question:
    """A look-up: the space's path, the sizes, the GPU, and the database."""

    space: str
    sizes: Mapping[str, object]
    device: Device
    database: Database
    stale: bool = False

    def at(self, sizes: Mapping[str, object]) -> Question:
        return replace(self, sizes=sizes)


class Opened:
    """A kernel of the library, which closes it with the last reference."""

    def __init__(self, question: Question, flags: int) -> None:
        self._native = ctypes.c_void_p()
        error = NativeError()
        code = library().cutune_kernel_open(
            ctypes.byref(self._native),
            question.database._native,
            os.fsencode(question.space),
            question.device._native,
            configuration_text(question.sizes).encode(),
            flags | (STALE if question.stale else 0),
            ctypes.byref(error),
        )
        check(code, error)

    @property
    def choice(self) -> Choice:
        return choice_of(library().cutune_kernel_best(self._native).contents)

    @property
    def sequence(self) -> int:
        """Address of struct cutune_sequence."""
        return int(library().cutune_kernel_sequence(self._native))

    def __del__(self) -> None:
        native = getattr(self, "_native", None)
        if native:
            library().cutune_kernel_close(native)
            self._native = ctypes.c_void_p()


def find(question: Question) -> Opened:
    """Opens the kernel from the cache. If it is not there, the program compiles it first, so that nothing forks here."""
    try:
        return Opened(question, CACHED)
    except Error as error:
        if error.code != ErrorCode.NOT_FOUND:
            raise
    _compile(question)
    try:
        return Opened(question, CACHED)
    except Error as error:
        if error.code == ErrorCode.NOT_FOUND:
            error.hint = "the program compiled it, and could not keep it: CUTUNE_CACHE names the folder of the cache"
        raise


def _compile(question: Question) -> None:
    """Compiles the kernel by the program, which puts it into the cache."""
    limits = {"name": question.device.name, **question.device.limits}
    with tempfile.TemporaryDirectory(prefix="cutune-kernel-") as folder:
        path = os.path.join(folder, "device.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, limits)
            writer.writeheader()
            writer.writerow(limits)
        command(
            "compile",
            question.space,
            define=question.sizes,
            db=question.database.path,
            journal=question.database.journals,
            device_file=path,
            stale=question.stale,
            format="json",
        )
