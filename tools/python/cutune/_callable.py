"""Tuned kernels as callables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from . import _lookup, _streams
from ._database import Choice
from ._native import load_extension

load_extension()
from cutune._launch import Launcher  # noqa: E402

Dimensions = tuple[int, int, int]


class Launch(NamedTuple):
    """A launch: the kernel's name in the machine code, the block, the grid, and dynamic shared memory in bytes. `cluster` is in blocks;
    zeros mean none. `cooperative` is 1 if all blocks run at once, `repeat` the number of launches in a row, and `cubin` the number of the
    machine code among Kernel.cubins."""

    entry: str
    block: Dimensions
    grid: Dimensions
    shared: int
    cluster: Dimensions
    cooperative: int
    repeat: int
    cubin: int


class Argument(NamedTuple):
    """An array that a call takes: the buffer's name, the type and number of its elements, and whether the kernel writes it."""

    name: str
    type: str
    elements: int
    written: bool


class Kernel(Launcher):
    """A tuned kernel that is loaded on a GPU: a call with its arrays queues the launches and returns."""

    def __init__(self, question: _lookup.Question, number: int, name: str) -> None:
        opened = _lookup.find(question)
        super().__init__(name, opened.sequence, number, opened, _streams.find)
        self.name = name
        self._opened, self._question = opened, question
        self.choice: Choice = opened.choice
        self.sizes = dict(question.sizes)

    @property
    def configuration(self) -> dict[str, int | float | str]:
        return self.choice.configuration

    @property
    def rule(self) -> str:
        """The rule by which the database answered: "default" if it has nothing for this kernel."""
        return self.choice.rule

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arrays of a call, in order."""
        return tuple(Argument(*parameter) for parameter in self._parameters)

    # ---- For launches by other means ----

    @property
    def cubins(self) -> tuple[bytes, ...]:
        """The machine code: one, or several if the launches need them."""
        return self._cubins

    @property
    def cubin(self) -> bytes:
        """The machine code, if it is one."""
        if len(self.cubins) != 1:
            raise AttributeError(f"{self.name} has {len(self.cubins)} cubins: .cubins has them")
        return self.cubins[0]

    @property
    def launches(self) -> tuple[Launch, ...]:
        return tuple(Launch(*launch) for launch in self._launches)

    def _one(self) -> Launch:
        launches = self.launches
        if len(launches) != 1 or launches[0].repeat != 1:
            raise AttributeError(f"{self.name} makes {sum(launch.repeat for launch in launches)} launches: .launches has them")
        return launches[0]

    @property
    def entry(self) -> str:
        """The kernel's name in the machine code."""
        return self._one().entry

    @property
    def block(self) -> Dimensions:
        return self._one().block

    @property
    def shared(self) -> int:
        """Dynamic shared memory, in bytes."""
        return self._one().shared

    def grid(self, sizes: Mapping[str, object] | None = None) -> Dimensions:
        """The grid, also for other sizes of the same configuration."""
        if sizes is None or {**self.sizes, **sizes} == self.sizes:
            return self._one().grid
        other = Kernel(self._question.at({**self.sizes, **sizes}), self.device, self.name)
        if other.configuration != self.configuration or other.cubins != self.cubins:
            raise ValueError(f"{self.name} has another configuration or code for {dict(sizes)}: cutune.kernel(..., **sizes) has it")
        return other._one().grid

    def as_torch_op(self, name: str) -> Callable[..., None]:
        """The kernel as a custom operator of torch, "lib::smooth", which torch.compile understands."""
        from ._torch import make_operator

        return make_operator(name, self.arguments, self)

    def __repr__(self) -> str:
        arrays = ", ".join(argument.name for argument in self.arguments)
        values = " ".join(f"{name}={value}" for name, value in self.configuration.items())
        return f"<cutune.Kernel {self.name}({arrays}), {values}, by rule {self.rule}>"


class SizedKernel:
    """A tuned kernel for all sizes: `sizes` tells them from the arrays of a call. Each size is looked up once."""

    def __init__(self, question: _lookup.Question, number: int, name: str, sizes: Callable[..., Mapping[str, object]]) -> None:
        self.name = name
        self.kernels: dict[tuple[tuple[str, object], ...], Kernel] = {}
        self._question, self._number, self._sizes = question, number, sizes

    def at(self, sizes: Mapping[str, object]) -> Kernel:
        """The kernel for sizes."""
        key = tuple(sizes.items())
        found = self.kernels.get(key)
        if found is None:
            found = Kernel(self._question.at({**self._question.sizes, **sizes}), self._number, self.name)
            self.kernels[key] = found
        return found

    def __call__(self, *arrays: Any, stream: object = None) -> None:
        self.at(self._sizes(*arrays))(*arrays, stream=stream)

    def __repr__(self) -> str:
        return f"<cutune.SizedKernel {self.name}, {len(self.kernels)} sizes so far>"
