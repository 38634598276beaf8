"""The part that the decorators of all languages share: it decides when a key is tuned, chooses for others, and reports."""

from __future__ import annotations

import itertools
import os
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._answers import Answers
from ._call import Call
from ._error import Error, ErrorCode
from ._listed import Words
from ._program import warn
from ._regions import Unsupported
from ._result import Result
from ._source import Tolerance

Configuration = dict[str, Any]
#: The space of a call, with a configuration of the language for each of its rows.
Make = Callable[[], "tuple[Call, Sequence[Any]]"]

_WHEN = ("now", "later", "never")
_ATTEMPTS = 4
_AGREE = ("ok", "slower")  # statuses of configurations whose outputs are those of the default
_known: weakref.WeakSet[Tuner] = weakref.WeakSet()


class Param:
    """A parameter of a kernel with the values that it may have: a constant of the code or an option of the compiler.

    >>> Param("BLOCK", 128, 256, 512)
    Param('BLOCK', 128, 256, 512)
    >>> Param("num_warps", *(1 << shift for shift in range(4))).values
    (1, 2, 4, 8)
    """

    def __init__(self, name: str, *values: Any) -> None:
        if not values:
            raise Error(ErrorCode.USAGE, f"the parameter {name} has no values", hint=f'cutune.Param("{name}", 64, 128)')
        self.name, self.values = name, values

    def __repr__(self) -> str:
        return f"Param({', '.join(map(repr, (self.name, *self.values)))})"


def product(params: Sequence[Param]) -> list[Configuration]:
    """All combinations of the values of parameters.

    >>> product([Param("A", 1, 2), Param("B", 3)])
    [{'A': 1, 'B': 3}, {'A': 2, 'B': 3}]
    """
    return [dict(zip((p.name for p in params), values, strict=True)) for values in itertools.product(*(p.values for p in params))]


@dataclass
class Settings:
    """The arguments that the decorators of all languages have. `decorator` names one in messages, `launchers` has its values of `launch`,
    and `listed` says whether there are configurations. Errors are cutune.Error."""

    decorator: str
    key: Sequence[str]
    listed: bool
    params: Sequence[Param]
    launchers: Sequence[str]
    launch: str | None = None
    reference: Callable[..., Any] | None = None
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None
    tune: str = "now"
    sizes: Mapping[str, Sequence[int]] | None = None
    options: Mapping[str, Any] | None = None
    tuning: dict[str, Any] = field(init=False)  # options of cutune.tune

    def __post_init__(self) -> None:
        if self.listed == bool(self.params):
            raise self.refuse("it takes either configs or params", 'params=[cutune.Param("BLOCK", 128, 256), ...] is searched')
        if self.tune not in _WHEN:
            raise self.refuse(f"tune is {self.tune!r}, not one of {', '.join(_WHEN)}")
        self.launch = self.launch or self.launchers[0]
        if self.launch not in self.launchers:
            raise self.refuse(f"launch is {self.launch!r}, not one of {', '.join(self.launchers)}")
        self.sizes = {name: sorted(values) for name, values in (self.sizes or {}).items()}
        for name in self.sizes:
            if name not in self.key:
                raise self.refuse(f"sizes has {name}, which is not in key")
        self.tuning = {"strategy": "exhaustive" if self.listed else "auto", **(self.options or {})}

    def refuse(self, reason: str, hint: str = "") -> Error:
        return Error(ErrorCode.USAGE, f"{self.decorator}: {reason}", hint=hint)

    def tunes(self, problem: Mapping[str, int]) -> bool:
        """True if calls with this key are tuned: with `sizes`, the listed sizes are."""
        return all(problem[name] in listed for name, listed in (self.sizes or {}).items() if name in problem)


def busy() -> bool:
    """True while a stream is captured or torch compiles: no time for tuning."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
    if compiling is not None and compiling():
        return True
    return bool(torch.cuda.is_available() and torch.cuda.is_current_stream_capturing())


def torch_compiles() -> bool:
    """True while torch compiles a function, and looks at the kernels that it launches: then torch reads their attributes, and calls
    nothing."""
    context = getattr(getattr(sys.modules.get("torch"), "_guards", None), "TracingContext", None)
    return context is not None and context.try_get() is not None


class Tuner:
    """The choices for the keys of a kernel.

    choices    by key: the configurations that the database or tuning gave for the very key, or a fit over sizes
    results    of tuning in this process"""

    def __init__(self, settings: Settings, device: Callable[[], int]) -> None:
        self.settings = settings
        self.device = device
        self.choices: dict[Any, Any] = {}
        self.results: list[Result] = []
        self._unsure: dict[Any, Any] = {}  # for keys that are not tuned
        self._captured: dict[Any, tuple[Any, Make]] = {}  # for keys that came while a stream was captured
        _known.add(self)

    def choose(self, key: Any, make: Make) -> Any:
        """The configuration for a key that is not in `choices`. Unsupported says why the call cannot be tuned."""
        if key in self._unsure:
            return self._unsure[key]
        if busy():
            return self._choose_while_busy(key, make)
        self._captured.pop(key, None)
        call, configurations = make()
        chosen, sure = self._answer(call, configurations, self.settings.tune)
        (self.choices if sure else self._unsure)[key] = chosen
        return chosen

    def _choose_while_busy(self, key: Any, make: Make) -> Any:
        """The best known configuration, without tuning. The key is kept for tune_recorded()."""
        if key in self._captured:
            return self._captured[key][0]
        call, configurations = make()
        chosen, sure = self._answer(call, configurations, "never")
        if sure:
            self.choices[key] = chosen
        else:
            self._captured[key] = chosen, make
        return chosen

    def tune_captured(self) -> list[Result]:
        """Tunes the keys that came while a stream was captured, with the arguments that they had."""
        before = len(self.results)
        for key, (_, make) in list(self._captured.items()) if self.settings.tune != "never" else ():
            call, configurations = make()
            chosen, sure = self._answer(call, configurations, "now")
            if sure:
                self.choices[key] = chosen
        self._captured.clear()
        return self.results[before:]

    def forget_unsure(self) -> None:
        """The next calls look up keys that were not tuned."""
        self._unsure.clear()

    # ---- Answers ----

    def _answer(self, call: Call, configurations: Sequence[Any], when: str) -> tuple[Any, bool]:
        """The configuration of the database or of tuning, and whether it is the answer for the key."""
        if all(row == call.rows[0] for row in call.rows):  # the others are pruned
            return configurations[0], True
        answers, device = Answers(), self.device()
        what = " ".join([_title(call), *(f"{name}={value}" for name, value in call.problem.items())])
        try:
            tunes = self.settings.tunes(call.problem)
            rules = ("problem",) if tunes else ("problem", "fit")
            choice = answers.look_up(call.kernel, device, call.problem)
            row = self._row(choice, call) if choice and choice.rule in rules else None
            if row is None and tunes and when == "now":
                with answers.turn(what):
                    choice = answers.look_up(call.kernel, device, call.problem)
                    row = self._row(choice, call) if choice and choice.rule in rules else None
                    row = self._tune(answers, what, call) if row is None else row
            if row is not None:
                return configurations[row], True
            if when == "later" and tunes:
                answers.record(call.kernel, call.problem, device, call.write, self.settings.tuning)
            choice = answers.nearest(call.kernel, device, call.problem) or choice
            return configurations[self._row(choice, call) or 0], False
        except (Error, OSError) as error:
            warn(f"{what}: the first configuration runs: {error}")
            return configurations[0], False

    def _row(self, choice: Any, call: Call) -> int | None:
        """The number of the row with a choice's values; None without one."""
        best = dict(choice.configuration) if choice else None
        words = Words()
        for number, row in enumerate(call.rows):
            texts = {name: words.text(value) for name, value in row.items()}
            if best is not None and all(texts.get(name) == str(value) for name, value in best.items()):
                return number
        return None

    def _tune(self, answers: Answers, what: str, call: Call) -> int | None:
        with tempfile.TemporaryDirectory(prefix="cutune-call-") as folder:
            result, space = self._agreed(answers, call, folder)
            self.results.append(result)
            times = f", {result.speedup:.2f} times as fast as the default" if result.speedup == result.speedup else ""
            verified = "verified" if call.reference else "{} of {} agree".format(*agreement(result))
            warn(f"{what}: {result.row['configuration']}{times}; {verified}")
            if self.settings.sizes:
                self._fit(answers, what, call, space)
        self._unsure.clear()
        return self._row(answers.look_up(call.kernel, self.device(), call.problem), call)

    def _agreed(self, answers: Answers, call: Call, folder: str) -> tuple[Result, str]:
        """The result of tuning, and its space. Without a reference, the configuration that the others are compared with is one of the
        majority: if it fails, or most of the others disagree with it, another one is taken, a few times."""
        for attempt in range(_ATTEMPTS):
            last = attempt == _ATTEMPTS - 1
            own = os.path.join(folder, str(attempt))
            os.mkdir(own)
            try:
                result = answers.tune(space := call.write(own), self.device(), self.settings.tuning)
            except Error:
                if call.reference or last:
                    raise
            else:
                agree, compared = agreement(result)
                if call.reference or 2 * agree >= compared or last:
                    return result, space
            call.default += 1
        raise AssertionError("unreachable")

    def _fit(self, answers: Answers, what: str, call: Call, space: str) -> None:
        """Makes the fit for all sizes between the listed ones, once each of these is tuned."""
        region = {name: values for name, values in (self.settings.sizes or {}).items() if name in call.problem and len(values) > 1}
        tuned = answers.problems(call.kernel)
        if not region or any(not any(problem.get(name) == size for problem in tuned) for name in region for size in region[name]):
            return
        try:
            answers.fit(space, {name: (values[0], values[-1]) for name, values in region.items()})
        except Error as error:
            warn(f"{what}: no fit over sizes: {error}")


def _title(call: Call) -> str:
    return call.kernel.rpartition("__")[0] or call.kernel


def agreement(result: Result) -> tuple[int, int]:
    """How many configurations agree with the default, among those that ran."""
    statuses = [row[result.journal.columns.index("status")] for row in result.journal.cells()]
    agree = sum(status in _AGREE for status in statuses)
    return agree, agree + statuses.count("wrong_result")


def tune_recorded() -> list[Result]:
    """Tunes the keys that decorators with tune="later" have recorded, also in other processes, with copies of their arguments. It also
    tunes those that this process met while a stream was captured, with the arguments themselves. A key that fails is named, and stays
    recorded."""
    tuners = list(_known)
    results = [result for tuner in tuners for result in tuner.tune_captured()]
    results += Answers().tune_recorded()
    for tuner in tuners:
        tuner.forget_unsure()
    return results


__all__ = ["Make", "Param", "Settings", "Tuner", "Unsupported", "agreement", "busy", "product", "torch_compiles", "tune_recorded"]
