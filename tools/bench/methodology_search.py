"""A search method for Kernel Tuner and autotuning_methodology: libcutune's ask and tell, through ctypes."""
import ctypes
import random
import sys

VALUE, FAILURE = 0, 2  # enum cutune_answer_kind


class Parameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value_count", ctypes.c_size_t), ("values", ctypes.POINTER(ctypes.c_char_p))]


class Space(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("parameter_count", ctypes.c_size_t), ("parameters", ctypes.POINTER(Parameter)),
                ("constraint_count", ctypes.c_size_t), ("constraints", ctypes.POINTER(ctypes.c_char_p)),
                ("configuration_count", ctypes.c_size_t), ("configurations", ctypes.c_void_p), ("default_", ctypes.c_char_p),
                ("problem", ctypes.c_char_p), ("device", ctypes.c_void_p)]


class Answer(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("cause", ctypes.c_uint), ("value", ctypes.c_double), ("least", ctypes.c_double),
                ("effort_s", ctypes.c_double)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("line", ctypes.c_int), ("column", ctypes.c_int), ("source", ctypes.c_char * 512),
                ("message", ctypes.c_char * 1024), ("excerpt", ctypes.c_char * 256), ("hint", ctypes.c_char * 512)]


def value_text(value, position):
    """Returns a number as it is, and a name for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return b"value_%d" % position
    return repr(value).encode()


class Cutune:
    """Called by Kernel Tuner with a cost function, which raises an exception when the budget is spent, and a search space."""

    def __init__(self, library, strategy="surrogate"):
        self.costfunc_kwargs = {"scaling": False, "snap": False}
        self.library = ctypes.CDLL(library)
        self.strategy = strategy.encode()
        self.library.cutune_search_close.argtypes = [ctypes.c_void_p]
        self.causes = {}

    def check(self, code, error):
        if code:
            raise RuntimeError(error.message.decode())

    def open(self, searchspace, seed):
        lists = list(searchspace.tune_params.values())
        parameters = (Parameter * len(lists))()
        for parameter, (name, values) in zip(parameters, searchspace.tune_params.items()):
            texts = [value_text(value, position) for position, value in enumerate(values)]
            parameter.name, parameter.value_count = name.encode(), len(texts)
            parameter.values = (ctypes.c_char_p * len(texts))(*texts)
        choices = searchspace.get_list_param_indices_numpy().astype("uint32", order="C")
        space = Space(parameter_count=len(lists), parameters=parameters, configuration_count=len(choices),
                      configurations=choices.ctypes.data)
        search, error = ctypes.c_void_p(), Error()
        self.check(self.library.cutune_search_open(ctypes.byref(search), ctypes.byref(space), self.strategy,
                                                   ctypes.c_ulonglong(seed), ctypes.byref(error)), error)
        return search

    def answer_of(self, cost, result):
        """Returns the answer for a cost. Costs of rates to be maximised are negative. As in a run, the effort is that of compiling."""
        effort_s = result.get("compile_time", 0) * 1e-3
        if "__error__" in result or not abs(cost) < sys.float_info.max or cost == 0:
            cause = self.causes.setdefault(str(result.get("__error__")), len(self.causes) + 1)
            return Answer(kind=FAILURE, cause=cause, effort_s=effort_s)
        return Answer(kind=VALUE, value=cost if cost > 0 else -1 / cost, effort_s=effort_s)

    def __call__(self, func, searchspace):
        lists = list(searchspace.tune_params.values())
        search, error = self.open(searchspace, random.getrandbits(63)), Error()
        choices, configuration, count = (ctypes.c_uint * len(lists))(), ctypes.c_ulonglong(), ctypes.c_size_t()
        best = (None, float("inf"))
        try:
            while True:
                self.check(self.library.cutune_search_ask(search, ctypes.byref(configuration), ctypes.c_size_t(1),
                                                          ctypes.byref(count), ctypes.byref(error)), error)
                if not count.value:
                    return best
                self.check(self.library.cutune_search_choices(search, configuration, choices, ctypes.byref(error)), error)
                values = tuple(of[choice] for of, choice in zip(lists, choices))
                cost = func(values)
                best = min(best, (values, cost), key=lambda pair: pair[1])
                answer = self.answer_of(cost, func.results[-1])
                self.check(self.library.cutune_search_tell(search, configuration, ctypes.byref(answer), ctypes.byref(error)),
                           error)
        finally:
            self.library.cutune_search_close(search)
