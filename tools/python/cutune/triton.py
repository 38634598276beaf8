"""A tuner for Triton kernels with the interface of triton.autotune: compiled in parallel, verified, measured in processes of their own,
and stored in a database that all later processes look up.

    import cutune.triton

    @cutune.triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 1024}, num_warps=8)], key=["n"])
    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr): ...

    add[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n)
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from triton.runtime.autotuner import Autotuner as _Original
from triton.runtime.autotuner import Config

from . import _triton
from ._answers import Answers
from ._call import Call, bits, digest
from ._error import Error, ErrorCode
from ._listed import Words
from ._program import warn
from ._regions import Unsupported, is_tensor
from ._result import Result
from ._source import Tolerance
from ._written import written

__all__ = ["Autotuner", "autotune", "tune_recorded"]

_WHEN = ("now", "later", "never")
_REFUSED = {
    "use_cuda_graph": "cutune launches each configuration alone, with its own timer",
    "do_bench": "cutune measures with its own timer, in processes of its own",
}
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")  # of triton.Config
_ATTEMPTS = 4
_AGREE = ("ok", "slower")  # statuses of configurations whose outputs are those of the default
_known: weakref.WeakSet[Autotuner] = weakref.WeakSet()


def _refuse(reason: str, hint: str = "") -> Error:
    return Error(ErrorCode.USAGE, f"cutune.triton.autotune: {reason}", hint=hint)


class Autotuner(_Original):  # type: ignore[misc]
    """A kernel with a list of configurations. The calling convention and the attributes are those of triton.autotune: `best_config`,
    `cache`, `configs`, `keys`, `fn`. `served_by_triton` is the reason why Triton's own autotuner serves this kernel, or "".
    `results` has the results of tuning in this process."""

    def __init__(
        self,
        fn: Any,
        options: dict[str, Any],
        *,
        reference: Callable[..., Any] | None,
        tolerance: Tolerance | Mapping[str, Tolerance] | None,
        tune: str,
        sizes: Mapping[str, Sequence[int]] | None,
        tune_options: Mapping[str, Any],
    ) -> None:
        super().__init__(fn, fn.arg_names, **options)
        self.tune_options = tune_options
        self.reference = reference
        self.tolerance = tolerance
        self.when = tune
        self.sizes = {name: sorted(values) for name, values in (sizes or {}).items()}
        fault = _triton.fault()
        self.function = self.base_fn if fault else _triton.function_of(fn)
        self.results: list[Result] = []
        self.served_by_triton = ""
        self._unsure: dict[Any, Any] = {}  # configurations that are not tuned for their keys
        self.nargs: dict[str, Any] | None = None
        params = () if fault else self.function.params
        self._params = [(p.name, p.is_constexpr, p.name in self.keys, p.do_not_specialize) for p in params]
        for name in self.sizes:
            if name not in self.keys:
                raise _refuse(f"sizes has {name}, which is not in key")
        if options.get("pre_hook") or options.get("post_hook") or any(config.pre_hook for config in self.configs):
            self._give_up("it has a hook, which only its own program can run")
        elif fault:
            self._give_up(fault)
        _known.add(self)

    def _give_up(self, reason: str) -> None:
        self.served_by_triton = reason
        warn(f"{self.base_fn.__name__}: Triton's own autotuner serves it: {reason}")

    # ---- Calls ----

    def run(self, *args: Any, **kwargs: Any) -> Any:
        if len(self.configs) == 1 or self.served_by_triton or kwargs.get("warmup"):
            return super().run(*args, **kwargs)
        key = self._key(args, kwargs)
        config = self.cache.get(key) or self._unsure.get(key)
        if config is None:
            config = self._choose(key, args, kwargs)
            if config is None:
                return super().run(*args, **kwargs)
        self.best_config = config
        return self.fn.run(*args, **kwargs, **config.all_kwargs())

    def _key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The key of a call: the values of `key`, and all that Triton compiles for."""
        count = len(args)
        parts: list[Any] = [_triton.device_index()]
        for index, (name, constexpr, keyed, general) in enumerate(self._params):
            value: Any = args[index] if index < count else kwargs.get(name)
            if type(value) is int:
                if keyed:
                    parts.append(self._bucket(name, value))
                if constexpr:
                    parts.append(value)
                else:
                    small = -0x80000000 <= value < 0x80000000
                    parts.append(small if general else (not value & 15) + 2 * (value == 1) + 4 * small)
            elif hasattr(value, "data_ptr"):
                parts += (value.dtype, not value.data_ptr() & 15)
            else:
                parts.append(value if keyed or constexpr or value is None else type(value))
        return tuple(parts)

    def _bucket(self, name: str, value: int) -> int:
        """The size that stands for a value: the least of `sizes` that is not below it, else the largest."""
        listed = self.sizes.get(name)
        return next((size for size in listed if size >= value), listed[-1]) if listed else value

    def _choose(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The configuration for a new key. None if Triton's own autotuner serves the kernel from now on."""
        busy = _triton.busy()
        self.nargs = dict(zip(self.arg_names, args))  # noqa: B905  (the rest are keywords)
        try:
            call, configs = self._call(args, kwargs)
            config, sure = self._answer(call, configs, "never" if busy else self.when)
        except Unsupported as error:
            if busy:
                return self.configs[0]
            self._give_up(str(error))
            return None
        finally:
            self.nargs = None
        if sure:
            self.cache[key] = config
        elif not busy:
            self._unsure[key] = config
        return config

    def _answer(self, call: Call, configs: list[Any], when: str) -> tuple[Any, bool]:
        """The configuration of the database or of tuning, and whether it is the answer for the very key."""
        if all(row == call.rows[0] for row in call.rows):  # the others are pruned
            return configs[0], True
        answers, device = Answers(), _triton.device_index()
        what = " ".join([call.function, *(f"{name}={value}" for name, value in call.problem.items())])
        try:
            found = self._config(answers.exact(call.kernel, device, call.problem), call, configs)
            if found is None and when == "now":
                with answers.turn(what):
                    found = self._config(answers.exact(call.kernel, device, call.problem), call, configs)
                    found = found or self._tune(answers, what, call, configs)
            if found is not None:
                return found, True
            if when == "later":
                answers.record(call.kernel, call.problem, device, call.write, self.tune_options)
            choice = answers.look_up(call.kernel, device, call.problem)
            return self._config(dict(choice.configuration) if choice else None, call, configs) or configs[0], False
        except (Error, OSError) as error:
            warn(f"{what}: the first configuration runs: {error}")
            return configs[0], False

    def _tune(self, answers: Answers, what: str, call: Call, configs: list[Any]) -> Any:
        result = self._agreed(answers, call)
        self.results.append(result)
        times = f", {result.speedup:.2f} times as fast as the default" if result.speedup == result.speedup else ""
        verified = "verified" if self.reference else "{} of {} agree".format(*_agreement(result))
        warn(f"{what}: {result.row['configuration']}{times}; {verified}")
        return self._config(result.best, call, configs)

    def _agreed(self, answers: Answers, call: Call) -> Result:
        """The result of tuning. Without a reference, the configuration that the others are compared with is one of the majority: if
        it fails, or most of the others disagree with it, another one is taken, a few times."""
        import tempfile

        for attempt in range(_ATTEMPTS):
            with tempfile.TemporaryDirectory(prefix="cutune-triton-") as folder:
                try:
                    result = answers.tune(call.write(folder), _triton.device_index(), self.tune_options)
                except Error:
                    if self.reference or attempt == _ATTEMPTS - 1:
                        raise
                    call.default += 1
                    continue
            agree, compared = _agreement(result)
            if self.reference or 2 * agree >= compared or attempt == _ATTEMPTS - 1:
                return result
            call.default += 1
        raise AssertionError("unreachable")

    # ---- The call as a space ----

    def _config(self, best: Mapping[str, Any] | None, call: Call, configs: list[Any]) -> Any:
        """The listed configuration with these values; None without one."""
        if best is None:
            return None
        words = Words()
        for row, config in zip([{name: words.text(value) for name, value in row.items()} for row in call.rows], configs, strict=True):
            if all(row.get(name) == str(value) for name, value in best.items()):
                return config
        return None

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Call, list[Any]]:
        """A call as the engine sees it, and its configurations."""
        name, file = _triton.name_in_module(self.function), _triton.source_file(self.function)
        if not file:
            raise Unsupported("its source is in no file")
        if not name or self.function.fn.__closure__:
            raise Unsupported("it is nested in a function, and may use its variables: define it at the top level of its module")
        given = {key: value for key, value in kwargs.items() if key not in ("grid", "warmup")}
        grid, configs = kwargs.get("grid"), self.prune_configs(kwargs)
        rows: list[dict[str, Any]] = []
        grids = []
        values: dict[str, Any] = {}
        facts: dict[str, tuple[str, Any]] = {}
        for config in configs:
            row = {key: value for key, value in config.all_kwargs().items() if value is not None}
            row = {**dict.fromkeys(config.kwargs), **row}
            own = _triton.heuristics(self.fn, {**(self.nargs or {}), **given, **row})
            values, facts = _triton.bind(self.function, args, {**given, **row, **own})
            grids.append(tuple(grid(values)) if callable(grid) else tuple(grid or (1,)))
            rows.append({**row, **own})
        rows = [{each: row.get(each) for each in {name: None for other in rows for name in other}} for row in rows]
        call = self._facts(name, file, values, facts, rows, grids, given)
        return call, configs

    def _facts(
        self,
        name: str,
        file: str,
        values: dict[str, Any],
        facts: dict[str, tuple[str, Any]],
        rows: list[dict[str, Any]],
        grids: list[Any],
        given: dict[str, Any],
    ) -> Call:
        constexprs = {param.name for param in self.function.params if param.is_constexpr}
        types = {each: type for each, (type, _) in facts.items() if each not in constexprs}
        own = {each: value for each, value in {**values, **given}.items() if each not in rows[0]}
        for each, value in own.items():
            if each in types and not (is_tensor(value) or value is None or isinstance(value, (bool, int, float))):
                raise Unsupported(f"the argument {each} is a {type(value).__name__}")
        problem = {each: self._bucket(each, own[each]) for each in self.keys if type(own.get(each)) is int}
        problem["SPECIALIZATION"] = 1 + bits(facts[each][1] is not None and facts[each][1] != "" for each in types)
        coarse = [(each, types[each] if types[each] != "constexpr" else "") for each in types]
        others = sorted((each, repr(value)) for each, value in own.items() if each not in types)
        plain = [each for each in self.keys if each in types and each not in problem and not is_tensor(own[each])]
        keyed = [(each, repr(own[each])) for each in plain]
        source = self.function.cache_key
        configs = [str(config) for config in self.configs]
        verifies = self.reference is not None  # an answer that nothing has verified is not one of a decorator with a reference
        hashed = digest(source, coarse, others, keyed, configs, self.reset_to_zero, self.restore_value, verifies)
        pointers = [each for each in types if is_tensor(own[each])]
        may_write = written(self.function.src, pointers, self.function.fn.__globals__)
        return Call(
            kernel=f"{name}__{hashed}",
            problem=problem,
            file=file,
            module=self.function.fn.__module__,
            package=_triton.package_of(self.function),
            function=name,
            source=source,
            values=own,
            types=types,
            rows=rows,
            grids=grids,
            written=may_write | set(self.reset_to_zero) | set(self.restore_value),
            zeroed=set(self.reset_to_zero),
            cache_folder=_triton.cache_folder(),
            reference=self.reference,
            tolerance=self.tolerance,
        )


def _agreement(result: Result) -> tuple[int, int]:
    """How many configurations agree with the default, among those that ran."""
    statuses = [row[result.journal.columns.index("status")] for row in result.journal.cells()]
    agree = sum(status in _AGREE for status in statuses)
    return agree, agree + statuses.count("wrong_result")


def _product(params: Mapping[str, Sequence[Any]]) -> list[Any]:
    """All combinations of values of constexprs and options."""
    names = list(params)
    rows = [dict(zip(names, values, strict=True)) for values in itertools.product(*params.values())]
    return [Config({n: v for n, v in row.items() if n not in _OPTIONS}, **{n: v for n, v in row.items() if n in _OPTIONS}) for row in rows]


def autotune(
    configs: list[Any] | None = None,
    key: Sequence[str] = (),
    prune_configs_by: Mapping[str, Any] | None = None,
    reset_to_zero: Sequence[str] | None = None,
    restore_value: Sequence[str] | None = None,
    pre_hook: Callable[..., Any] | None = None,
    post_hook: Callable[..., Any] | None = None,
    warmup: int | None = None,
    rep: int | None = None,
    use_cuda_graph: bool = False,
    do_bench: Callable[..., Any] | None = None,
    cache_results: bool = False,
    *,
    params: Mapping[str, Sequence[Any]] | None = None,
    reference: Callable[..., Any] | None = None,
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None,
    tune: str = "now",
    sizes: Mapping[str, Sequence[int]] | None = None,
    launch: str = "triton",
    options: Mapping[str, Any] | None = None,
) -> Callable[[Any], Autotuner]:
    """Decorates a function @triton.jit, or heuristics around one. The arguments of triton.autotune have their meaning there, but for:

    warmup, rep, cache_results   have no effect: the engine has its own rules, and always stores
    use_cuda_graph, do_bench     are refused
    pre_hook, post_hook          other than by reset_to_zero and restore_value: Triton's own autotuner serves the kernel, which is said once

    params     instead of configs: values of constexprs and options, {"BLOCK": [128, 256], "num_warps": [4, 8]}. Their combinations are
               searched by the strategy of `options`, by default `auto`; configs are all evaluated
    reference  a function over copies of the run-time arguments, in order, which writes the kernel's outputs or returns them: one, several,
               or a dict by name. Without one, the configurations are compared with the first
    tolerance  relative, or {"rel": ..., "abs": ...}, or one for each output by name; by default by the types of the outputs
    tune       for a new key: "now" tunes; "later" records the key for tune_recorded(), and "never" does nothing: the nearest known
               configuration runs, or the first
    sizes      {"n": [1024, 4096]}: values of `key` that stand for those below them, so that one answer serves many
    launch     "triton": through Triton's launcher
    options    of cutune.tune: {"max_time": 30, "progress": None}

    Errors in the arguments are cutune.Error. If tuning fails, the first configuration runs, and a line says why."""
    for name, value in (("use_cuda_graph", use_cuda_graph), ("do_bench", do_bench)):
        if value:
            raise _refuse(f"{name} is refused: {_REFUSED[name]}")
    if tune not in _WHEN:
        raise _refuse(f"tune is {tune!r}, not one of {', '.join(_WHEN)}")
    if launch != "triton":
        raise _refuse(f"launch is {launch!r}: kernels are launched through Triton's launcher, 'triton'")
    if bool(configs) == bool(params):
        raise _refuse("it takes either configs or params", 'configs=[triton.Config({"BLOCK": 128}), ...] or params={"BLOCK": [128, ...]}')
    of_triton = {
        "configs": configs or _product(params or {}),
        "key": list(key),
        "reset_to_zero": reset_to_zero,
        "restore_value": restore_value,
        "pre_hook": pre_hook,
        "post_hook": post_hook,
        "prune_configs_by": prune_configs_by,
    }

    tuning = {"strategy": "exhaustive" if configs else "auto", **(options or {})}

    def decorate(fn: Any) -> Autotuner:
        return Autotuner(fn, of_triton, reference=reference, tolerance=tolerance, tune=tune, sizes=sizes, tune_options=tuning)

    return decorate


def tune_recorded() -> list[Result]:
    """Tunes all keys that tune="later" has recorded, also in other processes, with copies of the arguments of that time."""
    results = Answers().tune_recorded()
    for tuner in _known:
        tuner._unsure.clear()
    return results
