"""A tuner for Triton kernels with the interface of triton.autotune: compiled in parallel, verified, measured in processes of their own,
and stored in a database that all later processes look up.

    import cutune.triton

    @cutune.triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 1024}, num_warps=8)], key=["n"])
    @triton.jit
    def add(x, y, out, n, BLOCK: tl.constexpr): ...

    add[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, y, out, n)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from triton.runtime.autotuner import Autotuner as _Original
from triton.runtime.autotuner import Config

from . import _nested, _triton
from ._call import Call, bits, digest
from ._program import warn
from ._regions import Unsupported, is_tensor
from ._result import Result
from ._source import Tolerance
from ._standalone import standalone
from ._tuner import Param, Settings, Tuner, product, torch_compiles
from ._written import written

__all__ = ["Autotuner", "autotune"]

_REFUSED = {
    "use_cuda_graph": "cutune launches each configuration alone, with its own timer",
    "do_bench": "cutune measures with its own timer, in processes of its own",
}
_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")  # of triton.Config
_TEXT = "kernel.py"  # a function that is at no top level of a file


class Autotuner(_Original):  # type: ignore[misc]
    """A kernel with a list of configurations. The calling convention and the attributes are those of triton.autotune: `best_config`,
    `cache`, `configs`, `keys`, `fn`. `served_by_triton` is the reason why Triton's own autotuner serves this kernel, or ""."""

    def __init__(self, fn: Any, options: dict[str, Any], settings: Settings) -> None:
        self.served_by_triton = ""
        self.best_config: Any = None
        self._prunes = bool(options["prune_configs_by"])
        super().__init__(fn, fn.arg_names, **options)
        self.settings = settings
        self.tuner = Tuner(settings, _triton.device_index)
        fault = _triton.fault()
        self.function = self.base_fn if fault else _triton.function_of(fn)
        self.nargs: dict[str, Any] | None = None
        self._ready: dict[Any, _triton.Launch] = {}  # by the key of a call
        self._key = _triton.key_function([] if fault else self.function.params, self.keys)
        if options.get("pre_hook") or options.get("post_hook"):
            self._give_up("it has a hook, which only its own program can run")
        elif fault:
            self._give_up(fault)

    @property
    def configs(self) -> list[Any]:
        """The configurations. While torch compiles a function with the kernel, the one that it is to launch: that of the last call, or else
        the first, so that torch tunes nothing."""
        if not torch_compiles() or self.served_by_triton or (self._prunes and self.best_config is None):
            return self._configs
        return [self.best_config or self._configs[0]]

    @configs.setter
    def configs(self, configs: list[Any]) -> None:
        self._configs = configs

    @property
    def results(self) -> list[Result]:
        """The results of tuning in this process."""
        return self.tuner.results

    def _give_up(self, reason: str) -> None:
        self.served_by_triton = reason
        warn(f"{self.base_fn.__name__}: Triton's own autotuner serves it: {reason}")

    # ---- Calls ----

    def run(self, *args: Any, **kwargs: Any) -> Any:
        if self.served_by_triton or len(self.configs) == 1:
            return super().run(*args, **kwargs)
        key = self._key(args, kwargs)
        launch = self._ready.get(key)
        if launch is not None and launch.plain:
            self.best_config = launch.config
            return self.fn.run(*args, **kwargs, **launch.keywords)
        if launch is None:
            if kwargs.get("warmup"):
                return super().run(*args, **kwargs)
            launch = self._choose(key, args, kwargs)
            if launch is None:
                return super().run(*args, **kwargs)
        self.best_config = launch.config
        return launch(self.fn, args, kwargs)

    def _choose(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _triton.Launch | None:
        """The launch for a new key. None if Triton's own autotuner serves the kernel from now on."""
        try:
            config = self.tuner.choose(key, lambda: self._call(args, kwargs))
        except Unsupported as error:
            self._give_up(str(error))
            return None
        direct = self.settings.launch == "direct"
        launch = _triton.Launch(self.base_fn.__name__, self.arg_names, config, direct)
        if key in self.tuner.choices:
            self.cache[key] = config
            self._ready[key] = launch
        return launch

    # ---- The call as a space ----

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Call, list[Any]]:
        """A call as the engine sees it, and its configurations."""
        given = {key: value for key, value in kwargs.items() if key not in ("grid", "warmup")}
        grid = kwargs.get("grid")
        self.nargs = dict(zip(self.arg_names, args))  # noqa: B905  (the rest are keywords)
        try:
            configs = self.prune_configs(kwargs)
            rows: list[dict[str, Any]] = []
            grids: list[Sequence[int]] = []
            bound: list[_triton.Bound] = []
            for config in configs:
                row = {key: value for key, value in config.all_kwargs().items() if value is not None}
                row = {**dict.fromkeys(config.kwargs), **row}
                own = _triton.heuristics(self.fn, {**self.nargs, **given, **row})
                positional, named = _triton.hooked(config, self.nargs, {**given, **row, **own})
                bound.append(_triton.bind(self.function, positional, named))
                values = bound[-1].values
                grids.append(tuple(grid(values)) if callable(grid) else tuple(grid or (1,)))
                rows.append({**row, **own})
        finally:
            self.nargs = None
        rows = [{each: row.get(each) for each in {name: None for other in rows for name in other}} for row in rows]
        return self._space(bound, rows, grids, given), configs

    def _space(self, bound: list[_triton.Bound], rows: list[dict[str, Any]], grids: list[Any], given: dict[str, Any]) -> Call:
        function, trees = self.function, bound[0].trees()
        bound = [each.flat() for each in bound]
        first = bound[0]
        constexprs = {param.name for param in function.params if param.is_constexpr}
        trees = {each: tree for each, tree in trees.items() if each not in constexprs}
        types = {each: type for each, type in first.types.items() if each not in constexprs}
        keys = [name for each in self.keys for name in _nested.names(trees.get(each, each))]
        passed = {each: value for each, value in given.items() if isinstance(trees.get(each, each), str)}
        own = {each: value for each, value in {**first.values, **passed}.items() if each not in rows[0]}
        maps = _triton.maps(bound, types)
        for each in types:
            value = own[each]
            if each not in maps and not (is_tensor(value) or value is None or isinstance(value, (bool, int, float))):
                raise Unsupported(f"the argument {each} is a {type(value).__name__}")
        problem = {each: own[each] for each in keys if type(own.get(each)) is int}
        problem["SPECIALIZATION"] = 1 + bits(first.facts[each] is not None and first.facts[each] != "" for each in types)
        coarse = [(each, _triton.coarse(types[each])) for each in types]
        others = sorted((each, repr(value)) for each, value in own.items() if each not in types)
        plain = [each for each in keys if each in types and each not in problem and each not in maps and not is_tensor(own[each])]
        keyed = [(each, repr(own[each])) for each in plain]
        configs = [str(config) for config in self.configs]
        verifies = self.settings.reference is not None  # an unverified answer is not one of a decorator with a reference
        parts = (function.cache_key, coarse, others, keyed, configs, self.reset_to_zero, self.restore_value, verifies)
        may_write = written(function.src, list(trees), function.fn.__globals__, "triton.")
        pointers = {name for each in may_write for name in _nested.names(trees[each]) if name in maps or is_tensor(own[name])}
        name, file, text, lines = self._source()
        return Call(
            kernel=f"{function.fn.__name__}__{digest(*parts)}",
            problem=problem,
            compiler="triton",
            file=file,
            text=text,
            title=f"{name} of {function.fn.__module__}",
            values={each: own[each] for each in types},
            scalars={each: _triton.scalar_type(own[each], types[each]) for each in types},
            rows=rows,
            grids=grids,
            written=pointers | set(self.reset_to_zero) | set(self.restore_value),
            zeroed=set(self.reset_to_zero),
            maps=maps,
            trees=list(trees.values()),
            facts={
                "module": function.fn.__module__,
                "package": _triton.package_of(function),
                "function": name,
                "lines": lines,
                "source": function.cache_key,
                "types": {each: type for each, type in types.items() if type != "constexpr"},
                "constants": {each: value for each, value in own.items() if each not in types},
                "tuples": {each: _nested.to_json(tree) for each, tree in trees.items() if not isinstance(tree, str)},
            },
            variables={"TRITON_CACHE_DIR": _triton.cache_folder()} if _triton.cache_folder() else {},
            reference=self.settings.reference,
            tolerance=self.settings.tolerance,
        )

    def _source(self) -> tuple[str, str, str, dict[str, int]]:
        """The function's name in its file, and the file. One of cutune's own has a text, and the lines of its functions in the user's."""
        name, file = _triton.name_in_module(self.function), _triton.source_file(self.function)
        if name and file and not self.function.fn.__closure__:
            return name, file, "", {}
        name = self.function.fn.__name__
        return name, _TEXT, *standalone(self.function.fn, name)


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
    params: Sequence[Param] = (),
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
    pre_hook, post_hook          Triton's own autotuner serves the kernel, which is said once, except for reset_to_zero and restore_value.
                                 A pre_hook of a triton.Config may set block shapes of descriptors

    params     instead of configs: constexprs and options, [cutune.Param("BLOCK", 128, 256), cutune.Param("num_warps", 4, 8)]. Their
               combinations are searched by the strategy of `options`, by default `auto`; configs are all evaluated
    reference  a function over copies of the run-time arguments, in order, which writes the kernel's outputs or returns them: one, several,
               or a dict by name. Without one, the configurations are compared with the first
    tolerance  relative, or {"rel": ..., "abs": ...}, or one for each output by name; by default by the types of the outputs
    tune       for a new key: "now" tunes; "later" records the key for cutune.tune_recorded(), and "never" does nothing: the nearest known
               configuration runs, or the first
    sizes      {"n": [1024, 65536, 1 << 20]}: only these values of `key` are tuned; others take the choice of a fit over them
    launch     "triton": by Triton's launcher; "direct": by cutune's own, which calls neither hooks nor profilers
    options    of cutune.tune: {"max_time": 30, "progress": None}

    Errors in the arguments are cutune.Error. If tuning fails, the first configuration runs, and a line says why."""
    settings = Settings(
        "cutune.triton.autotune", list(key), bool(configs), params, ("triton", "direct"), launch, reference, tolerance, tune, sizes, options
    )
    for name, value in (("use_cuda_graph", use_cuda_graph), ("do_bench", do_bench)):
        if value:
            raise settings.refuse(f"{name} is refused: {_REFUSED[name]}")
    of_triton = {
        "configs": configs or [_config(row) for row in product(params)],
        "key": list(key),
        "reset_to_zero": reset_to_zero,
        "restore_value": restore_value,
        "pre_hook": pre_hook,
        "post_hook": post_hook,
        "prune_configs_by": prune_configs_by,
    }
    return lambda fn: Autotuner(fn, of_triton, settings)


def _config(row: Mapping[str, Any]) -> Any:
    return Config({n: v for n, v in row.items() if n not in _OPTIONS}, **{n: v for n, v in row.items() if n in _OPTIONS})
