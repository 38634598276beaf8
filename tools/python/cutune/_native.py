"""cutune.h by ctypes, and the extension module that launches kernels."""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig

from ._error import Error, ErrorCode
from ._paths import library_path


class NativeError(ctypes.Structure):
    """struct cutune_error"""

    _fields_ = (
        ("code", ctypes.c_int),
        ("line", ctypes.c_int),
        ("column", ctypes.c_int),
        ("source", ctypes.c_char * 512),
        ("message", ctypes.c_char * 1024),
        ("excerpt", ctypes.c_char * 256),
        ("hint", ctypes.c_char * 512),
    )


class NativeBest(ctypes.Structure):
    """struct cutune_best"""

    _fields_ = (
        ("rule", ctypes.c_int),
        ("configuration", ctypes.c_char_p),
        ("device", ctypes.c_char_p),
        ("problem", ctypes.c_char_p),
        ("date", ctypes.c_char_p),
        ("time_ns", ctypes.c_double),
        ("low_ns", ctypes.c_double),
        ("high_ns", ctypes.c_double),
        ("speedup", ctypes.c_double),
        ("per_work", ctypes.c_int),
        ("extrapolated", ctypes.c_int),
        ("generation", ctypes.c_char_p),
        ("expected_loss_percent", ctypes.c_double),
    )


class NativeParameter(ctypes.Structure):
    """struct cutune_search_parameter"""

    _fields_ = (("name", ctypes.c_char_p), ("value_count", ctypes.c_size_t), ("values", ctypes.POINTER(ctypes.c_char_p)))


class NativePriorRun(ctypes.Structure):
    """struct cutune_search_prior_run"""

    _fields_ = (("count", ctypes.c_size_t), ("choices", ctypes.POINTER(ctypes.c_uint)), ("values", ctypes.POINTER(ctypes.c_double)))


class NativeSearchSpace(ctypes.Structure):
    """struct cutune_search_space"""

    _fields_ = (
        ("path", ctypes.c_char_p),
        ("parameter_count", ctypes.c_size_t),
        ("parameters", ctypes.POINTER(NativeParameter)),
        ("constraint_count", ctypes.c_size_t),
        ("constraints", ctypes.POINTER(ctypes.c_char_p)),
        ("configuration_count", ctypes.c_size_t),
        ("configurations", ctypes.POINTER(ctypes.c_uint)),
        ("default_", ctypes.c_char_p),
        ("problem", ctypes.c_char_p),
        ("device", ctypes.c_void_p),
        ("prior_run_count", ctypes.c_size_t),
        ("prior_runs", ctypes.POINTER(NativePriorRun)),
    )


class NativeAnswer(ctypes.Structure):
    """struct cutune_answer"""

    _fields_ = (
        ("kind", ctypes.c_int),
        ("cause", ctypes.c_uint),
        ("value", ctypes.c_double),
        ("least", ctypes.c_double),
        ("effort_s", ctypes.c_double),
    )


class NativeSeriesRules(ctypes.Structure):
    """struct cutune_series_rules"""

    _fields_ = (
        ("confidence", ctypes.c_double),
        ("target_interval_percent", ctypes.c_double),
        ("limit_s", ctypes.c_double),
        ("most", ctypes.c_size_t),
    )


class NativeEstimate(ctypes.Structure):
    """struct cutune_estimate"""

    _fields_ = (
        ("median", ctypes.c_double),
        ("low", ctypes.c_double),
        ("high", ctypes.c_double),
        ("samples", ctypes.c_size_t),
        ("batch", ctypes.c_size_t),
        ("stop", ctypes.c_char_p),
    )


#: The structures by their names in cutune.h.
STRUCTURES: dict[str, type[ctypes.Structure]] = {
    "cutune_error": NativeError,
    "cutune_best": NativeBest,
    "cutune_search_parameter": NativeParameter,
    "cutune_search_prior_run": NativePriorRun,
    "cutune_search_space": NativeSearchSpace,
    "cutune_answer": NativeAnswer,
    "cutune_series_rules": NativeSeriesRules,
    "cutune_estimate": NativeEstimate,
}

_P, _S, _I, _L = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_longlong
_U, _Z, _N = ctypes.c_uint, ctypes.c_size_t, ctypes.c_ulonglong
_UP, _NP = ctypes.POINTER(_U), ctypes.POINTER(_N)
_E = ctypes.POINTER(NativeError)
_SPACE = ctypes.POINTER(NativeSearchSpace)
FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "cutune_version": (_S, ()),
    "cutune_device_new": (_P, (_S, _I, _I, _L)),
    "cutune_device_free": (None, (_P,)),
    "cutune_device_set": (_I, (_P, _S, _L, _E)),
    "cutune_device_get": (_L, (_P, _S)),
    "cutune_database_open": (_I, (ctypes.POINTER(_P), _S, _S, _E)),
    "cutune_database_close": (None, (_P,)),
    "cutune_database_generation": (_S, (_P,)),
    "cutune_database_require": (_I, (_P, _S, _E)),
    "cutune_database_best": (_I, (_P, _S, _P, _S, ctypes.POINTER(NativeBest), _E)),
    "cutune_database_row": (_I, (_P, _S, _P, _S, ctypes.POINTER(NativeBest), _E)),
    "cutune_rule_name": (_S, (_I,)),
    "cutune_kernel_open": (_I, (ctypes.POINTER(_P), _P, _S, _P, _S, ctypes.c_uint, _E)),
    "cutune_kernel_close": (None, (_P,)),
    "cutune_kernel_best": (ctypes.POINTER(NativeBest), (_P,)),
    "cutune_kernel_sequence": (_P, (_P,)),
    "cutune_kernel_cubin": (_P, (_P, ctypes.POINTER(ctypes.c_size_t))),
    "cutune_search_open": (_I, (ctypes.POINTER(_P), _SPACE, _S, _N, _E)),
    "cutune_search_restore": (_I, (ctypes.POINTER(_P), _SPACE, _S, ctypes.POINTER(_I), _E)),
    "cutune_search_save": (_I, (_P, _S, _E)),
    "cutune_search_close": (None, (_P,)),
    "cutune_search_count": (_N, (_P,)),
    "cutune_search_parameter_count": (_Z, (_P,)),
    "cutune_search_parameter": (_S, (_P, _Z)),
    "cutune_search_value": (_S, (_P, _Z, _Z)),
    "cutune_search_choices": (_I, (_P, _N, _UP, _E)),
    "cutune_search_find_choices": (_I, (_P, _UP, _NP, _E)),
    "cutune_search_ask": (_I, (_P, _NP, _Z, ctypes.POINTER(_Z), _E)),
    "cutune_search_tell": (_I, (_P, _N, ctypes.POINTER(NativeAnswer), _E)),
    "cutune_search_best": (_I, (_P, _NP, ctypes.POINTER(ctypes.c_double), _E)),
    "cutune_search_in_flight": (_Z, (_P, _NP, _Z)),
    "cutune_series_open": (_I, (ctypes.POINTER(_P), ctypes.POINTER(NativeSeriesRules), _E)),
    "cutune_series_close": (None, (_P,)),
    "cutune_series_add": (_I, (_P, ctypes.POINTER(ctypes.c_double), _Z, ctypes.POINTER(NativeEstimate), _E)),
}
#: enum cutune_kernel_flags
STALE, CACHED = 1, 8
_EXTENSION = "cutune._launch"


@functools.lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The library with the types of its functions."""
    loaded = ctypes.CDLL(library_path())
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = arguments
    return loaded


def decode(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", "replace")


def check(code: int, error: NativeError) -> None:
    """Raises the error of a function that failed."""
    if code:
        raise Error(
            error.code or code,
            decode(error.message),
            source=decode(error.source),
            line=error.line,
            column=error.column,
            excerpt=decode(error.excerpt),
            hint=decode(error.hint),
        )


def load_extension() -> None:
    """Makes `cutune._launch` importable: $CUTUNE_EXTENSION, else the package's own."""
    named = os.environ.get("CUTUNE_EXTENSION")
    if _EXTENSION in sys.modules:
        return
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Error(
            ErrorCode.USAGE,
            "free-threaded Python cannot load the extension module cutune._launch, which relies on the GIL",
            hint="use a Python with the GIL for this: python3.14 instead of python3.14t",
        )
    if not named:
        if importlib.util.find_spec(_EXTENSION) is None:
            raise Error(
                ErrorCode.NOT_FOUND,
                "the extension module cutune._launch is missing",
                hint="in a build tree, CUTUNE_EXTENSION names the file",
            )
        return
    loader = importlib.machinery.ExtensionFileLoader(_EXTENSION, named)
    spec = importlib.util.spec_from_file_location(_EXTENSION, named, loader=loader)
    if spec is None or not os.path.exists(named):
        raise Error(ErrorCode.NOT_FOUND, f"there is no extension module {named}", hint="CUTUNE_EXTENSION in the environment names it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[_EXTENSION] = module
    loader.exec_module(module)
