"""Tuned kernels of languages whose configurations are plain values: what they share. A language is a subclass, which knows how a function
becomes machine code and how a configuration is launched."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ._call import Call, bits, digest
from ._error import Error, ErrorCode
from ._native import load_extension
from ._program import warn
from ._regions import Unsupported
from ._result import Result
from ._tuner import Configuration, Settings, Tuner, product
from ._views import as_tensor, is_array

Sizes = Sequence[int] | int
#: Sizes of a launch, or a function that computes them from the arguments and the configuration by name.
Rule = Callable[[Mapping[str, Any]], Sizes] | Sizes


def _sizes(rule: Rule, values: Mapping[str, Any]) -> tuple[int, ...]:
    found = rule(values) if callable(rule) else rule
    return (int(found),) if isinstance(found, int) else tuple(int(size) for size in found)


class TunedKernel(abc.ABC):
    """A kernel with a list of configurations: `kernel[grid](*arguments)`. `best_config` is the configuration of the last call, `configs`
    has all, and `results` those of tuning in this process. `untuned` is the reason why the first configuration serves all calls, or ""."""

    compiler: ClassVar[str]  # the worker's module in cutune.compilers
    launch_sizes: ClassVar[tuple[str, ...]] = ("grid",)  # in brackets; none: the compiler chooses all
    flags: Sequence[str] = ()  # options of the compiler

    def __init__(self, name: str, configs: Sequence[Configuration], settings: Settings, fault: str = "") -> None:
        self.name, self.settings = name, settings
        self.configs = [dict(row) for row in configs] or product(settings.params)
        names = list(self.configs[0])
        for row in self.configs:
            if list(row) != names:
                raise settings.refuse(f"the configurations have different names: {', '.join(row)}, and {', '.join(names)}")
        self.tuner = Tuner(settings, self.device)
        self.best_config: Configuration | None = None
        self.untuned = ""
        if fault:
            self._give_up(fault)

    @property
    def results(self) -> list[Result]:
        return self.tuner.results

    def _give_up(self, reason: str) -> None:
        self.untuned = reason
        warn(f"{self.name}: the first configuration serves it: {reason}")

    # ---- The language ----

    @staticmethod
    def device() -> int:
        """The number of the current GPU."""
        load_extension()
        from cutune._launch import current_device

        return current_device()

    @abc.abstractmethod
    def argument_names(self) -> list[str]:
        """The names of the arguments of a call."""

    @abc.abstractmethod
    def scalar_type(self, name: str, value: Any) -> str:
        """The type of a number that is no array, as in a space."""

    @abc.abstractmethod
    def written(self, names: list[str]) -> set[str]:
        """The arrays among the arguments that the kernel may write."""

    @abc.abstractmethod
    def source(self) -> tuple[str, str]:
        """The worker's file, which has the kernel under its name. If it is not a file of the user's, also its text."""

    @abc.abstractmethod
    def start(self, key: Any, row: Configuration, sizes: list[tuple[int, ...]], arguments: tuple[Any, ...], stream: Any) -> None:
        """Launches a configuration. Equal keys have equal machine code."""

    # ---- Calls ----

    def __getitem__(self, launch: Any) -> Callable[..., None]:
        rules = launch if isinstance(launch, tuple) and any(callable(rule) for rule in launch) else (launch,)
        if len(self.launch_sizes) > 1:
            rules = launch if isinstance(launch, tuple) else (launch,)
        if not 1 <= len(rules) <= len(self.launch_sizes):
            raise TypeError(f"{self.name}[{', '.join(self.launch_sizes)}] takes {len(self.launch_sizes)}, not {len(rules)}")
        return lambda *arguments, stream=None: self._run(rules, arguments, stream)

    def _run(self, rules: tuple[Rule, ...], arguments: tuple[Any, ...], stream: Any) -> None:
        names = self.argument_names()
        if len(arguments) != len(names):
            raise TypeError(f"{self.name} takes {len(names)} arguments ({', '.join(names)}), not {len(arguments)}")
        values = dict(zip(names, arguments, strict=True))
        key = (self.device(), *(self._fact(name, value) for name, value in values.items()))
        row = self.tuner.choices.get(key)
        if row is None:
            row = self._choose(key, rules, values)
        self.best_config = row
        self.start(key, row, [_sizes(rule, {**values, **row}) for rule in rules], arguments, stream)

    def _fact(self, name: str, value: Any) -> Any:
        """The part of an argument in the key of a call."""
        if hasattr(value, "data_ptr"):
            return value.dtype, tuple(value.shape), not value.data_ptr() & 15
        if hasattr(value, "__cuda_array_interface__"):
            table = value.__cuda_array_interface__
            return table["typestr"], table["shape"], not table["data"][0] & 15
        return (type(value), value) if isinstance(value, int) or name in self.settings.key else type(value)

    def _choose(self, key: Any, rules: tuple[Rule, ...], values: dict[str, Any]) -> Configuration:
        if len(self.configs) == 1 or self.untuned:
            return self.configs[0]
        try:
            row: Configuration = self.tuner.choose(key, lambda: (self._call(rules, values), self.configs))
        except Unsupported as error:
            self._give_up(str(error))
            return self.configs[0]
        return row

    # ---- The call as a space ----

    def _problem(self, values: Mapping[str, Any]) -> dict[str, int]:
        """The sizes that decide: those of `key`, or all extents of arrays and all integers."""
        every: dict[str, int] = {}
        for name, value in values.items():
            if is_array(value):
                every.update({f"{name}_{axis}": int(size) for axis, size in enumerate(value.shape)})
            elif isinstance(value, int) and not isinstance(value, bool):
                every[name] = value
        for name in self.settings.key:
            if name not in every:
                known = ", ".join(every) or "none"
                raise Error(ErrorCode.USAGE, f"{self.name}: key has {name}, which is no size of the call; sizes: {known}")
        return {name: every[name] for name in self.settings.key or every}

    def _call(self, rules: tuple[Rule, ...], values: dict[str, Any]) -> Call:
        tensors = {name: as_tensor(name, value) for name, value in values.items() if is_array(value)}
        for name, tensor in tensors.items():
            if any(int(step) != size for step, size in zip(tensor.stride(), _dense(tensor.shape), strict=True)):
                raise Unsupported(f"the array {name} is strided: pass its contiguous copy")
        scalars = {name: self.scalar_type(name, value) for name, value in values.items() if name not in tensors}
        problem = self._problem(values)
        aligned = [tensor.data_ptr() % 16 == 0 for tensor in tensors.values()]
        aligned += [int(size) % 16 == 0 for tensor in tensors.values() for size in tensor.shape]
        problem["SPECIALIZATION"] = 1 + bits(aligned)
        file, text = self.source()
        kinds = [(name, str(tensor.dtype), len(tensor.shape)) for name, tensor in tensors.items()]
        constants = [(name, value) for name, value in values.items() if name not in tensors and name not in problem]
        code = text or _read(file)
        hashed = digest(self.compiler, code, kinds, list(scalars.items()), constants, self.configs, self.settings.reference is not None)
        sizes = [[_sizes(rule, {**values, **row}) for row in self.configs] for rule in rules]
        return Call(
            kernel=f"{self.name}__{hashed}",
            problem=problem,
            compiler=self.compiler,
            file=file,
            text=text,
            entry=self.name,
            title=f"{self.name} in {self.compiler}",
            values={name: tensors.get(name, value) for name, value in values.items()},
            scalars=scalars,
            rows=self.configs,
            grids=[*sizes[0]] if sizes else None,
            blocks=[*sizes[1]] if len(sizes) > 1 else None,
            shared_bytes=[size for (size,) in sizes[2]] if len(sizes) > 2 else None,
            written=self.written(list(tensors)),
            shaped=True,
            flags=self.flags,
            reference=self.settings.reference,
            tolerance=self.settings.tolerance,
        )


def _dense(shape: Sequence[int]) -> list[int]:
    steps = [1]
    for size in reversed(shape[1:]):
        steps.insert(0, steps[0] * int(size))
    return steps[: len(shape)]


def _read(file: str) -> str:
    with open(file, encoding="utf-8") as source:
        return source.read()
