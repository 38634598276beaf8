#!/usr/bin/env python3
"""Compares the declarations of cutune's own headers with nvcc and the host's standard library: sizes, types, values of constants, type
traits, and the types that mathematical functions return.

    promises.py PROGRAM NVCC

PROGRAM is cutune. nvcc compiles an array of the values of the expressions below for the device. A kernel that NVRTC compiles with
cutune's headers then asserts these values. DIFFERENCES are those that docs/compiling.md lists; each must still exist. Exit code 77:
nvcc is missing."""
import itertools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

STANDARDS = ["17", "20"]

# A number for each type, made without any header.
PRELUDE = """
typedef unsigned long long id_type;
template <class T> struct id { static constexpr id_type is = 99; };
#define BASE(n, ...) template <> struct id<__VA_ARGS__> { static constexpr id_type is = n; };
BASE(1, void) BASE(2, bool) BASE(3, char) BASE(4, signed char) BASE(5, unsigned char) BASE(6, wchar_t) BASE(7, char16_t) BASE(8, char32_t)
BASE(9, short) BASE(10, unsigned short) BASE(11, int) BASE(12, unsigned int) BASE(13, long) BASE(14, unsigned long) BASE(15, long long)
BASE(16, unsigned long long) BASE(17, float) BASE(18, double) BASE(19, long double) BASE(20, decltype(nullptr))
template <class T> struct id<T *> { static constexpr id_type is = id<T>::is * 31 + 1; };
template <class T> struct id<T &> { static constexpr id_type is = id<T>::is * 31 + 2; };
template <class T> struct id<T &&> { static constexpr id_type is = id<T>::is * 31 + 3; };
template <class T> struct id<const T> { static constexpr id_type is = id<T>::is * 31 + 4; };
template <class T> struct id<volatile T> { static constexpr id_type is = id<T>::is * 31 + 5; };
template <class T> struct id<const volatile T> { static constexpr id_type is = id<T>::is * 31 + 6; };
template <class T, decltype(sizeof 0) N> struct id<T[N]> { static constexpr id_type is = id<T>::is * 31 + 7 + N; };
template <class T, decltype(sizeof 0) N> struct id<const T[N]> { static constexpr id_type is = id<T>::is * 31 + 17 + N; };
template <class T, decltype(sizeof 0) N> struct id<volatile T[N]> { static constexpr id_type is = id<T>::is * 31 + 37 + N; };
template <class T, decltype(sizeof 0) N> struct id<const volatile T[N]> { static constexpr id_type is = id<T>::is * 31 + 47 + N; };
template <class T> struct id<const T[]> { static constexpr id_type is = id<T>::is * 31 + 57; };
template <class T> struct id<volatile T[]> { static constexpr id_type is = id<T>::is * 31 + 58; };
template <class T> struct id<const volatile T[]> { static constexpr id_type is = id<T>::is * 31 + 59; };
template <class T> struct id<T[]> { static constexpr id_type is = id<T>::is * 31 + 27; };
template <class R, class... A> struct id<R(A...)> { static constexpr id_type is = id<R>::is * 31 + 29 + (0 + ... + id<A>::is); };
template <class R, class C> struct id<R C::*> { static constexpr id_type is = id<R>::is * 31 + 30 + id<C>::is; };
enum plain { plain_a, plain_b }; enum small : unsigned char { small_a }; enum class scoped : short { a, b = -1 };
struct nothing {}; struct pod { int a; float b; }; struct derived : pod { char c; }; struct last final { int a; }; union either { int a; float b; };
struct made { __host__ __device__ made(int) {} __host__ __device__ made(const made &x) : a(x.a) {} __host__ __device__ ~made() {} int a; };
struct fixed { fixed() = default; fixed(const fixed &) = delete; fixed &operator=(const fixed &) = delete; int a; };
struct moved { moved() = default; moved(moved &&) = default; moved &operator=(moved &&) = default; };
struct caller { __host__ __device__ float operator()(int) const; __host__ __device__ int operator()(double, char); };
struct converts { __host__ __device__ operator int() const; }; struct explicit_one { explicit __host__ __device__ operator int() const; };
struct abstract { __host__ __device__ virtual int f() = 0; }; struct concrete : abstract { __host__ __device__ int f() override; };
struct secret { private: int a; }; struct aligned { alignas(32) int a; }; struct unfinished;
BASE(40, plain) BASE(41, small) BASE(42, scoped) BASE(43, nothing) BASE(44, pod) BASE(45, derived) BASE(46, last) BASE(47, either)
BASE(48, made) BASE(49, fixed) BASE(50, moved) BASE(51, caller) BASE(52, converts) BASE(53, explicit_one) BASE(54, abstract)
BASE(55, concrete) BASE(56, secret) BASE(57, aligned)
struct greater { __host__ __device__ constexpr bool operator()(int a, int b) const { return a > b; } };
template <class T> __host__ __device__ T value();
#define TYPE(...) (id<__VA_ARGS__>::is)
#define OF(...) (id<decltype(__VA_ARGS__)>::is)\n"""

INTEGERS = ["bool", "char", "signed char", "unsigned char", "wchar_t", "char16_t", "char32_t", "short", "unsigned short", "int",
            "unsigned int", "long", "unsigned long", "long long", "unsigned long long"]
REALS = ["float", "double", "long double"]
ARITHMETIC = INTEGERS + REALS
CLASSES = ["plain", "small", "scoped", "nothing", "pod", "derived", "last", "either", "made", "fixed", "moved", "caller", "converts",
           "explicit_one", "abstract", "concrete", "secret", "aligned"]
COMPOUND = ["void", "const void", "decltype(nullptr)", "int *", "const int *", "int *const", "const volatile char *volatile", "void *", "int **",
            "int &", "const int &", "int &&", "pod &", "const pod &", "pod &&", "int[3]", "const int[3]", "int[]", "float[2][3]", "int (&)[3]",
            "int()", "void(float, int)", "int (*)(float)", "int (&)(float)", "void(int) const", "int pod::*", "float pod::*const",
            "int (caller::*)(int)", "int (caller::*)(int) const", "const int", "volatile float", "const volatile double", "const pod", "const plain",
            "const fixed"]
TYPES = ARITHMETIC + CLASSES + COMPOUND


def integer_types():
    for bits in (8, 16, 32, 64):
        for name in ("int%d_t", "int_least%d_t", "int_fast%d_t"):
            yield name % bits
            yield "u" + name % bits
    yield from ("intmax_t", "uintmax_t", "intptr_t", "uintptr_t")


def cstdint():
    for name in integer_types():
        for scope in ("::", "std::"):
            yield "sizeof(%s%s)" % (scope, name)
            yield "(%s%s(-1) < 0)" % (scope, name)
            yield "TYPE(%s%s)" % (scope, name)
        stem = name.upper()[:-2]
        for macro in ([] if name.startswith("u") else [stem + "_MIN"]) + [stem + "_MAX"]:
            yield "(id_type)%s" % macro
            yield "OF(%s)" % macro
            yield from in_preprocessor(macro + " > 100")
    for macro in ("SIZE_MAX", "PTRDIFF_MIN", "PTRDIFF_MAX", "WCHAR_MIN", "WCHAR_MAX", "SIG_ATOMIC_MAX", "WINT_MAX"):
        yield "(id_type)%s" % macro
        yield "OF(%s)" % macro
    for name in ("INT8_C", "INT16_C", "INT32_C", "INT64_C", "UINT8_C", "UINT16_C", "UINT32_C", "UINT64_C", "INTMAX_C", "UINTMAX_C"):
        yield "(id_type)%s(100)" % name
        yield "OF(%s(100))" % name
        yield from in_preprocessor(name + "(1) > 0")


CONDITIONS = {}


def in_preprocessor(condition):
    """An expression that a directive makes 1 or 2."""
    name = CONDITIONS.setdefault(condition, "condition_%d" % len(CONDITIONS))
    yield name


def limits_macros():
    for name in ("CHAR_BIT SCHAR_MIN SCHAR_MAX UCHAR_MAX CHAR_MIN CHAR_MAX SHRT_MIN SHRT_MAX USHRT_MAX INT_MIN INT_MAX UINT_MAX LONG_MIN "
                 "LONG_MAX ULONG_MAX LLONG_MIN LLONG_MAX ULLONG_MAX MB_LEN_MAX").split():
        yield "(id_type)%s" % name
        yield "OF(%s)" % name
        yield from in_preprocessor(name + " > 100")


def cfloat():
    for name in ("FLT_RADIX FLT_EVAL_METHOD DECIMAL_DIG FLT_DIG FLT_MANT_DIG FLT_DECIMAL_DIG FLT_MIN_EXP FLT_MAX_EXP FLT_MIN_10_EXP "
                 "FLT_MAX_10_EXP DBL_DIG DBL_MANT_DIG DBL_DECIMAL_DIG DBL_MIN_EXP DBL_MAX_EXP DBL_MIN_10_EXP DBL_MAX_10_EXP FLT_HAS_SUBNORM "
                 "DBL_HAS_SUBNORM LDBL_DIG LDBL_MANT_DIG LDBL_DECIMAL_DIG LDBL_MIN_EXP LDBL_MAX_EXP LDBL_MIN_10_EXP LDBL_MAX_10_EXP "
                 "LDBL_HAS_SUBNORM FLT_ROUNDS").split():
        yield "(id_type)%s" % name
        yield "OF(%s)" % name
    for name in ("MAX", "MIN", "TRUE_MIN", "EPSILON"):
        yield "__builtin_bit_cast(unsigned int, FLT_%s)" % name
        yield "__builtin_bit_cast(unsigned long long, DBL_%s)" % name
        yield "OF(FLT_%s)" % name
        yield "OF(DBL_%s)" % name
        yield "OF(LDBL_%s)" % name


LIMITS_CONSTANTS = ("is_specialized is_signed is_integer is_exact has_infinity has_quiet_NaN has_signaling_NaN has_denorm has_denorm_loss "
                    "round_style is_iec559 is_bounded is_modulo digits digits10 max_digits10 radix min_exponent min_exponent10 max_exponent "
                    "max_exponent10 traps tinyness_before").split()


def numeric_limits():
    for t in ARITHMETIC + ["const int", "volatile float", "const volatile double", "pod", "int *", "plain"]:
        for name in LIMITS_CONSTANTS:
            yield "(id_type)std::numeric_limits<%s>::%s" % (t, name)
            yield "OF(std::numeric_limits<%s>::%s)" % (t, name)
        for name in "min max lowest epsilon round_error infinity quiet_NaN signaling_NaN denorm_min".split():
            call = "std::numeric_limits<%s>::%s()" % (t, name)
            yield "OF(%s)" % call
            if t in INTEGERS + ["const int", "plain"]:
                yield "(id_type)%s" % call
            elif "float" in t:
                yield "__builtin_bit_cast(unsigned int, %s)" % call
            elif t.endswith("double") and "long" not in t:
                yield "__builtin_bit_cast(unsigned long long, %s)" % call
            yield "noexcept(%s)" % call
    for name in "round_indeterminate round_toward_zero round_to_nearest round_toward_infinity round_toward_neg_infinity".split():
        yield "(id_type)std::%s" % name
    for name in "denorm_indeterminate denorm_absent denorm_present".split():
        yield "(id_type)std::%s" % name


UNARY_VALUES = ("is_const is_volatile is_lvalue_reference is_rvalue_reference is_reference is_array is_function is_pointer is_void "
                "is_null_pointer is_integral is_floating_point is_arithmetic is_signed is_unsigned is_fundamental is_enum is_class is_union "
                "is_empty is_final is_trivial is_trivially_copyable is_standard_layout is_scalar is_default_constructible rank alignment_of "
                "is_object is_compound is_member_pointer is_member_object_pointer is_member_function_pointer is_pod is_polymorphic is_abstract "
                "is_aggregate is_copy_constructible is_move_constructible is_copy_assignable is_move_assignable is_destructible "
                "is_trivially_default_constructible is_trivially_copy_constructible is_trivially_move_constructible is_trivially_copy_assignable "
                "is_trivially_move_assignable is_trivially_destructible is_nothrow_default_constructible is_nothrow_copy_constructible "
                "is_nothrow_move_constructible is_nothrow_copy_assignable is_nothrow_move_assignable is_nothrow_destructible "
                "has_virtual_destructor has_unique_object_representations").split()
UNARY_TYPES = ("remove_const remove_volatile remove_cv remove_reference remove_pointer remove_extent remove_all_extents add_const add_volatile "
               "add_cv add_lvalue_reference add_rvalue_reference add_pointer decay underlying_type make_unsigned make_signed").split()
BINARY_VALUES = "is_same is_base_of is_convertible is_assignable is_constructible is_nothrow_assignable is_nothrow_constructible " \
                "is_trivially_assignable is_trivially_constructible".split()

def is_unknown_alignment(t):
    return "void" in t and "*" not in t or re.match(r"^\w+\(", t) is not None or t == "int[]"


def is_integer_or_enum(t):
    return t in INTEGERS[1:] + CLASSES[:3] + ["const int", "const plain"]


def type_traits():
    for t in TYPES:
        for name in UNARY_VALUES:
            if name == "alignment_of" and (is_unknown_alignment(t) or "(&)(" in t):
                continue
            if name.startswith(("is_nothrow", "is_trivially", "is_default", "is_copy", "is_move", "is_destr", "is_swapp", "has_", "is_aggr")) and t == "int[]":
                continue
            yield "(id_type)std::%s<%s>::value" % (name, t)
            yield "(id_type)std::%s_v<%s>" % (name, t)
        for name in UNARY_TYPES:
            if name == "underlying_type" and t not in CLASSES[:3]:
                continue
            if name.startswith("make_") and not is_integer_or_enum(t):
                continue
            yield "TYPE(typename std::%s<%s>::type)" % (name, t)
            yield "TYPE(std::%s_t<%s>)" % (name, t)
        if t != "void(int) const":
            yield "OF(std::declval<%s>())" % t
    some = ["int", "float", "char", "unsigned long", "int *", "const int *", "void *", "pod", "derived", "pod *", "derived *", "made", "fixed",
            "converts", "explicit_one", "plain", "scoped", "int &", "const int &", "int &&", "void", "const pod &", "int[3]", "int(int)",
            "decltype(nullptr)", "abstract", "concrete", "bool", "moved", "either", "int (*)(float)", "void *const", "int (*&)(float)", "int (&)(int)"]
    for t, u in itertools.product(some, some):
        for name in BINARY_VALUES:
            yield "(id_type)std::%s<%s, %s>::value" % (name, t, u)
        yield "(id_type)std::is_same_v<%s, %s>" % (t, u)
        yield "(id_type)std::is_convertible_v<%s, %s>" % (t, u)
    for t, u in itertools.product(ARITHMETIC, ARITHMETIC):
        yield "TYPE(std::common_type_t<%s, %s>)" % (t, u)
    for types in ("int, int &", "const int, volatile int", "pod, derived", "derived *, pod *", "int *, decltype(nullptr)", "char, short, long",
                  "float, int, double", "int[3], const int *", "converts, int", "pod, const pod &"):
        yield "TYPE(std::common_type_t<%s>)" % types
    for f, a in (("caller", "int"), ("const caller", "int"), ("caller &", "double, char"), ("int (*)(float)", "float"), ("int (&)(float)", "int"),
                 ("int (caller::*)(int)", "caller, int"), ("int (caller::*)(int)", "caller *, int"), ("int pod::*", "pod"),
                 ("int pod::*", "const pod &"), ("int pod::*", "pod *"), ("int pod::*", "derived &")):
        yield "TYPE(std::invoke_result_t<%s, %s>)" % (f, a)
        yield "(id_type)std::is_invocable<%s, %s>::value" % (f, a)
        yield "(id_type)std::is_invocable_v<%s, %s>" % (f, a)
        yield "(id_type)std::is_invocable_r_v<void, %s, %s>" % (f, a)
    yield "(id_type)std::is_invocable_v<int, int>"
    yield "(id_type)std::is_invocable_v<caller, pod>"
    yield "(id_type)std::is_constructible<pod>::value"
    yield "(id_type)std::is_constructible<made, int, int>::value"
    for t, n in (("int[2][3]", 0), ("int[2][3]", 1), ("int[2][3]", 2), ("int[]", 0), ("int", 0)):
        yield "(id_type)std::extent<%s, %d>::value" % (t, n)
        yield "(id_type)std::extent_v<%s, %d>" % (t, n)
    logic = ["std::true_type", "std::false_type", "std::is_same<int, int>", "std::integral_constant<int, 0>", "std::integral_constant<int, 4>",
             "std::is_void<int>"]
    for name in ("conjunction", "disjunction"):
        yield "(id_type)std::%s<>::value" % name
        for t, u in itertools.product(logic, logic):
            yield "(id_type)std::%s<%s, %s>::value" % (name, t, u)
            yield "(id_type)std::%s_v<%s, %s>" % (name, t, u)
            yield "(id_type)std::is_base_of<%s, std::%s<%s, %s>>::value" % (t, name, t, u)
            yield "(id_type)std::is_base_of<%s, std::%s<%s, %s>>::value" % (u, name, t, u)
            yield "OF(std::%s<%s, %s>::value)" % (name, t, u)
    for t in logic:
        yield "(id_type)std::negation<%s>::value" % t
        yield "(id_type)std::negation_v<%s>" % t
        yield "(id_type)std::is_base_of<%s, std::conjunction<%s>>::value" % (t, t)
    yield "TYPE(std::conditional_t<true, int, float>)"
    yield "TYPE(std::enable_if_t<true>)"
    yield "TYPE(std::enable_if_t<true, int>)"
    yield "TYPE(std::void_t<int, float>)"
    yield "TYPE(std::integral_constant<int, 3>::value_type)"
    yield "(id_type)std::is_same<std::integral_constant<int, 3>::type, std::integral_constant<int, 3>>::value"
    yield "(id_type)std::is_same<std::bool_constant<true>, std::true_type>::value"
    yield "(id_type)std::integral_constant<int, 3>()()"
    yield "(id_type)(std::integral_constant<int, 3>() + 1)"
    yield "(id_type)std::is_base_of<std::true_type, std::is_integral<int>>::value"
    yield "(id_type)std::is_base_of<std::integral_constant<decltype(sizeof 0), 2>, std::rank<int[2][3]>>::value"


ONE = ("acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint rint "
       "round sin sinh sqrt tan tanh tgamma trunc ilogb llrint llround lrint lround isfinite isinf isnan signbit abs").split()
TWO = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()
SINGLE_ONE = "acosh asinh atanh cbrt erf erfc exp2 expm1 lgamma log1p log2 logb nearbyint rint round tgamma trunc ilogb llrint llround lrint " \
             "lround".split()
SINGLE_TWO = "copysign fdim fmax fmin hypot nextafter remainder".split()


def cmath(scope="std::"):
    device = [t for t in ARITHMETIC if t != "long double"]
    for name in ONE:
        for t in device:
            if name == "abs" and t in ("bool", "char16_t", "char32_t", "unsigned int", "unsigned long", "unsigned long long"):
                continue
            yield "OF(%s%s(value<%s>()))" % (scope, name, t)
    for name in TWO:
        for t, u in itertools.product(device, device):
            yield "OF(%s%s(value<%s>(), value<%s>()))" % (scope, name, t, u)
    few = ["float", "double", "int", "unsigned long", "char"]
    for t, u, v in itertools.product(few, few, few):
        yield "OF(%sfma(value<%s>(), value<%s>(), value<%s>()))" % (scope, t, u, v)
    for t in few:
        yield "OF(%sfrexp(value<%s>(), value<int *>()))" % (scope, t)
        yield "OF(%sldexp(value<%s>(), value<int>()))" % (scope, t)
        yield "OF(%sscalbn(value<%s>(), value<int>()))" % (scope, t)
        yield "OF(%sscalbln(value<%s>(), value<long>()))" % (scope, t)
        for u in few:
            yield "OF(%sremquo(value<%s>(), value<%s>(), value<int *>()))" % (scope, t, u)
    for t in ("float", "double"):
        yield "OF(%smodf(value<%s>(), value<%s *>()))" % (scope, t, t)
    for name in SINGLE_ONE:
        yield "OF(%s%sf(value<float>()))" % (scope, name)
    for name in SINGLE_TWO:
        yield "OF(%s%sf(value<float>(), value<float>()))" % (scope, name)
    yield "OF(%sfmaf(value<float>(), value<float>(), value<float>()))" % scope
    yield "OF(%snan(value<const char *>()))" % scope
    yield "OF(%snanf(value<const char *>()))" % scope


def cmath_constants():
    yield "TYPE(std::float_t)"
    yield "TYPE(std::double_t)"
    for name in "FP_NAN FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL".split():
        yield "(id_type)%s" % name
    for name in "E LOG2E LOG10E LN2 LN10 PI PI_2 PI_4 1_PI 2_PI 2_SQRTPI SQRT2 SQRT1_2".split():
        yield "__builtin_bit_cast(unsigned long long, M_%s)" % name
        yield "OF(M_%s)" % name
    for name in "INFINITY NAN HUGE_VALF HUGE_VAL".split():
        yield "OF(%s)" % name
    yield "__builtin_bit_cast(unsigned int, INFINITY)"
    yield "__builtin_bit_cast(unsigned int, HUGE_VALF)"
    yield "__builtin_bit_cast(unsigned long long, HUGE_VAL)"
    yield "__builtin_bit_cast(unsigned int, NAN)"


def cstddef():
    for name in ("size_t", "ptrdiff_t", "nullptr_t"):
        yield "TYPE(std::%s)" % name
        yield "sizeof(std::%s)" % name
    yield "TYPE(::size_t)"
    yield "TYPE(::ptrdiff_t)"
    yield "sizeof(std::max_align_t)"
    yield "alignof(std::max_align_t)"
    yield "sizeof(::max_align_t)"
    yield "sizeof(std::byte)"
    yield "TYPE(std::underlying_type_t<std::byte>)"
    yield "offsetof(derived, c)"
    yield "OF(offsetof(pod, b))"
    yield "(id_type)std::to_integer<int>(std::byte{7})"
    for operation in ("a | b", "a & b", "a ^ b", "~a", "a << 2", "a >> 1"):
        yield "(id_type)(%s)" % re.sub(r"\b([ab])\b", lambda m: "std::byte{%d}" % {"a": 12, "b": 10}[m.group(1)], operation)
    yield "sizeof NULL"


def utility():
    yield "TYPE(std::pair<int, float>::first_type)"
    yield "TYPE(std::pair<int, float>::second_type)"
    yield "sizeof(std::pair<char, double>)"
    yield "(id_type)std::pair<int, int>(1, 2).second"
    yield "(id_type)std::pair<int, int>().first"
    for a, b in itertools.product(["1, 2", "1, 3", "2, 1"], repeat=2):
        for operation in ("==", "!=", "<", ">", "<=", ">="):
            yield "(std::pair<int, int>(%s) %s std::pair<int, int>(%s))" % (a, operation, b)
    yield "(id_type)std::is_same<decltype(std::make_pair(1, 2.0f)), std::pair<int, float>>::value"
    yield "(id_type)std::is_same<decltype(std::make_pair(value<int &>(), value<const float &>())), std::pair<int, float>>::value"
    yield "(id_type)std::is_same<decltype(std::make_pair(value<int (&)[3]>(), value<int (&)(float)>())), std::pair<int *, int (*)(float)>>::value"
    yield "(id_type)std::is_trivially_copyable<std::pair<int, float>>::value"
    yield "(id_type)std::is_convertible<std::pair<int, float>, std::pair<long, double>>::value"
    yield "(id_type)std::is_constructible<std::pair<int, float>, char, double>::value"
    yield "(id_type)std::is_assignable<std::pair<int, float> &, std::pair<char, int>>::value"
    yield "(id_type)std::is_default_constructible<std::pair<made, int>>::value"
    yield "(id_type)std::pair(1, 2.5).second"
    yield "(id_type)std::get<0>(std::pair<int, int>(4, 5))"
    yield "(id_type)std::get<1>(std::pair<int, int>(4, 5))"
    yield "(id_type)std::get<float>(std::pair<int, float>(4, 5))"
    yield "TYPE(std::tuple_element_t<1, std::pair<int, float>>)"
    yield "(id_type)std::tuple_size<std::pair<int, float>>::value"
    yield "OF(std::move(value<int &>()))"
    yield "OF(std::forward<int &>(value<int &>()))"
    yield "OF(std::forward<int>(value<int>()))"
    yield "OF(std::exchange(value<int &>(), 3.0))"
    yield "OF(std::as_const(value<int &>()))"
    yield "OF(std::swap(value<int &>(), value<int &>()))"
    yield "noexcept(std::swap(value<int &>(), value<int &>()))"
    yield "noexcept(std::move(value<int &>()))"
    for n in (0, 1, 2, 7, 300):
        yield "(id_type)std::make_index_sequence<%d>::size()" % n
    yield "(id_type)std::is_same<std::make_integer_sequence<int, 3>, std::integer_sequence<int, 0, 1, 2>>::value"
    yield "(id_type)std::is_same<std::make_index_sequence<2>, std::index_sequence<0, 1>>::value"
    yield "(id_type)std::is_same<std::index_sequence_for<int, float>, std::index_sequence<0, 1>>::value"
    yield "TYPE(std::integer_sequence<short, 1>::value_type)"


def algorithm():
    yield "OF(std::min(value<int &>(), value<int &>()))"
    yield "OF(std::max(1.0f, 2.0f))"
    yield "OF(std::min({1, 2, 3}))"
    yield "OF(std::clamp(1, 2, 3))"
    for call in ("min(3, 2)", "max(3, 2)", "min({3, 2, 5})", "max({3, 2, 5})", "clamp(7, 1, 5)", "clamp(0, 1, 5)", "clamp(3, 1, 5)",
                 "min(1, 2, greater())", "max(1, 2, greater())", "min({3, 2, 5}, greater())", "max({3, 2, 5}, greater())",
                 "clamp(3, 5, 1, greater())", "clamp(9, 5, 1, greater())"):
        yield "(id_type)std::%s" % call


def cuda_and_cstdio():
    for name in ("CUtensorMap", "CUdeviceptr"):
        yield "sizeof(%s)" % name
        yield "alignof(%s)" % name
    yield "TYPE(CUdeviceptr)"
    yield "(id_type)CUDA_VERSION"
    for scope in ("::", "std::"):
        yield 'OF(%sprintf(value<const char *>(), 1))' % scope


INCLUDES = ["cstdint", "climits", "cfloat", "limits", "type_traits", "cmath", "cstddef", "utility", "algorithm", "cuda.h", "cstdio"]
GROUPS = [cstdint, limits_macros, cfloat, numeric_limits, type_traits, cmath, lambda: cmath("::"), cmath_constants, cstddef, utility, algorithm,
          cuda_and_cstdio]

# The remaining differences of docs/compiling.md, and their expressions here.
DIFFERENCES = [
    ("int64_t is long long", r"TYPE\((::|std::)u?int(_least64|_fast64|64|max|ptr)_t\)|OF\(U?INT(64|MAX|PTR|_LEAST64|_FAST64)_\w+(\(100\))?\)"),
    ("without std", r"OF\(::(pow\(value<float>\(\), value<int>\(\)\)|(isfinite|isinf|isnan|signbit)\(value<(float|double)>\(\)\))\)"),
    ("the type of an enumeration without one", r"TYPE\((typename )?std::underlying_type(_t<plain>|<plain>::type)\)"),
]


def difference(expression):
    """The index of the expression in DIFFERENCES; None for any other."""
    return next((i for i, (_, pattern) in enumerate(DIFFERENCES) if re.fullmatch(pattern, expression)), None)


def expressions():
    return list(dict.fromkeys(e for group in GROUPS for e in group()))


def head():
    conditions = "".join("#if %s\nconstexpr int %s = 1;\n#else\nconstexpr int %s = 2;\n#endif\n" % (c, n, n) for c, n in CONDITIONS.items())
    return "".join("#include <%s>\n" % i for i in INCLUDES) + PRELUDE + conditions


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def symbol(elf, name):
    """The bytes of an ELF file's variable."""
    at, = struct.unpack_from("<Q", elf, 40)
    count, = struct.unpack_from("<H", elf, 60)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + 64 * i) for i in range(count)]
    table = next(s for s in sections if s[1] == 2)
    names = sections[table[6]]
    for entry in range(table[4], table[4] + table[5], 24):
        offset, _, _, section, value, size = struct.unpack_from("<IBBHQQ", elf, entry)
        begin = names[4] + offset
        if elf[begin:elf.index(b"\0", begin)] == name:
            return elf[sections[section][4] + value:sections[section][4] + value + size]
    return b""


def by_nvcc(nvcc, standard, listed, folder):
    """The values for the device."""
    source, cubin = os.path.join(folder, "nvcc.cu"), os.path.join(folder, "nvcc.cubin")
    with open(source, "w") as f:
        f.write(head() + 'extern "C" __device__ const unsigned long long values[] = {\n' + "".join("(id_type)(%s),\n" % e for e in listed) +
                "};\n__global__ void k(unsigned long long *o, int n) { o[n] = values[n]; }\n")
    done = run([nvcc, "-cubin", "-arch=sm_90", "-std=c++" + standard, "-w", "--expt-relaxed-constexpr", "-o", cubin, source])
    if done.returncode:
        sys.exit("nvcc:\n" + done.stdout[:4000])
    with open(cubin, "rb") as f:
        return struct.unpack("<%dQ" % len(listed), symbol(f.read(), b"values")[:8 * len(listed)])


def by_nvrtc(program, standard, pairs, folder):
    """The compiler's answer to assertions of these values."""
    with open(os.path.join(folder, "promises.cu"), "w") as f:
        f.write(head() + "".join('static_assert((id_type)(%s) == %dULL, "%s");\n' % (e, v, e) for e, v in pairs) +
                'extern "C" __global__ void k(int *o) { o[0] = RESULT; }\n')
    with open(os.path.join(folder, "promises.space"), "w") as f:
        f.write('space 2\nkernel k "promises.cu"\nparam RESULT = 1\nreference default\nbuffer o int[1] output\nargs o\nblock 1\ngrid 1\n'
                'option "-std=c++%s"\n' % standard)
    return run([program, "check", os.path.join(folder, "promises.space"), "--compile", "default", "--arch", "sm_90"])


def main():
    program, nvcc = sys.argv[1:3]
    if not os.access(nvcc, os.X_OK) or not shutil.which("g++"):
        print("there is no nvcc, or no g++ for it")
        return 77
    listed, failed = expressions(), False
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        for standard in STANDARDS:
            pairs = list(zip(listed, by_nvcc(nvcc, standard, listed, folder)))
            promised = [p for p in pairs if difference(p[0]) is None]
            answer = by_nvrtc(program, standard, promised, folder)
            print("C++%s: %d expressions, %d of which may differ" % (standard, len(pairs), len(pairs) - len(promised)))
            if answer.returncode:
                print(answer.stdout[:4000])
                failed = True
            for i, (name, _) in enumerate(DIFFERENCES):
                if not by_nvrtc(program, standard, [p for p in pairs if difference(p[0]) == i], folder).returncode:
                    print("no longer different: " + name)
                    failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
