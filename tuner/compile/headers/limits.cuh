/* <limits>: a type costs nothing until a kernel uses it. */
#ifndef __CUTUNE_LIMITS
#define __CUTUNE_LIMITS

namespace std {
enum float_round_style {
    round_indeterminate = -1, round_toward_zero = 0, round_to_nearest = 1, round_toward_infinity = 2, round_toward_neg_infinity = 3
};
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };

/* 0: not an arithmetic type; 1: integer; 2: floating point */
template <class> struct __cutune_kind { static constexpr int __is = 0; };
#define __CUTUNE_KIND(__t, __n) template <> struct __cutune_kind<__t> { static constexpr int __is = __n; };
__CUTUNE_KIND(bool, 1) __CUTUNE_KIND(char, 1) __CUTUNE_KIND(signed char, 1) __CUTUNE_KIND(unsigned char, 1)
__CUTUNE_KIND(wchar_t, 1) __CUTUNE_KIND(char16_t, 1) __CUTUNE_KIND(char32_t, 1) __CUTUNE_KIND(short, 1)
__CUTUNE_KIND(unsigned short, 1) __CUTUNE_KIND(int, 1) __CUTUNE_KIND(unsigned int, 1) __CUTUNE_KIND(long, 1)
__CUTUNE_KIND(unsigned long, 1) __CUTUNE_KIND(long long, 1) __CUTUNE_KIND(unsigned long long, 1)
__CUTUNE_KIND(float, 2) __CUTUNE_KIND(double, 2) __CUTUNE_KIND(long double, 2)
#undef __CUTUNE_KIND

/* Members of some types only. */
template <class __t, int __kind> struct __cutune_values {
    static constexpr bool __signed = false;
    static constexpr int __digits = 0, __digits10 = 0, __max_digits10 = 0, __exponent = 0, __exponent10 = 0;
    static constexpr __t __min = __t(), __max = __t(), __lowest = __t(), __epsilon = __t(), __half = __t(), __infinity = __t(),
                         __quiet = __t(), __signaling = __t(), __denorm = __t();
};
template <class __t> struct __cutune_values<__t, 1> : __cutune_values<int, 0> {
    static constexpr bool __signed = __t(-1) < __t(0);
    static constexpr int __digits = __t(2) == __t(1) ? 1 : int(sizeof(__t) * 8 - __signed), __digits10 = __digits * 643L / 2136;
    static constexpr __t __max = __t(~0ULL >> (64 - __digits)), __min = __signed ? __t(-__max - 1) : __t(0), __lowest = __min;
};
template <> struct __cutune_values<float, 2> {
    static constexpr bool __signed = true;
    static constexpr int __digits = 24, __digits10 = 6, __max_digits10 = 9, __exponent = 128, __exponent10 = 38;
    static constexpr float __min = 1.175494351e-38F, __max = 3.402823466e+38F, __lowest = -__max, __epsilon = 1.192092896e-07F,
                           __half = 0.5F, __denorm = 1.401298464e-45F, __infinity = __builtin_bit_cast(float, 0x7f800000),
                           __quiet = __builtin_bit_cast(float, 0x7fc00000), __signaling = __builtin_bit_cast(float, 0x7f800001);
};
template <> struct __cutune_values<double, 2> {
    static constexpr bool __signed = true;
    static constexpr int __digits = 53, __digits10 = 15, __max_digits10 = 17, __exponent = 1024, __exponent10 = 308;
    static constexpr double __min = 2.2250738585072014e-308, __max = 1.7976931348623158e+308, __lowest = -__max,
                            __epsilon = 2.2204460492503131e-16, __half = 0.5, __denorm = 4.9406564584124654e-324,
                            __infinity = __builtin_bit_cast(double, 0x7ff0000000000000),
                            __quiet = __builtin_bit_cast(double, 0x7ff8000000000000),
                            __signaling = __builtin_bit_cast(double, 0x7ff0000000000001);
};
template <> struct __cutune_values<long double, 2> {
    static constexpr bool __signed = true;
    static constexpr int __digits = 64, __digits10 = 18, __max_digits10 = 21, __exponent = 16384, __exponent10 = 4932;
    static constexpr long double __min = 3.36210314311209350626267781732175260e-4932L, __max = 1.18973149535723176502126385303097021e+4932L,
                                 __lowest = -__max, __epsilon = 1.08420217248550443400745280086994171e-19L, __half = 0.5L,
                                 __denorm = 3.64519953188247460252840593361941982e-4951L, __infinity = __cutune_values<double, 2>::__infinity,
                                 __quiet = __cutune_values<double, 2>::__quiet, __signaling = __cutune_values<double, 2>::__signaling;
};

template <class __t> struct numeric_limits {
private:
    static constexpr int __kind = __cutune_kind<__t>::__is;
    typedef __cutune_values<__t, __kind> __v;

public:
    static constexpr bool is_specialized = __kind != 0, is_signed = __v::__signed, is_integer = __kind == 1, is_exact = __kind == 1,
                          is_bounded = __kind != 0, is_modulo = __kind == 1 && !__v::__signed && __v::__digits > 1,
                          is_iec559 = __kind == 2, has_infinity = __kind == 2, has_quiet_NaN = __kind == 2,
                          has_signaling_NaN = __kind == 2, has_denorm_loss = false, traps = __kind == 1, tinyness_before = false;
    static constexpr float_denorm_style has_denorm = __kind == 2 ? denorm_present : denorm_absent;
    static constexpr float_round_style round_style = __kind == 2 ? round_to_nearest : round_toward_zero;
    static constexpr int radix = __kind ? 2 : 0, digits = __v::__digits, digits10 = __v::__digits10, max_digits10 = __v::__max_digits10,
                         min_exponent = __kind == 2 ? 3 - __v::__exponent : 0, max_exponent = __v::__exponent,
                         min_exponent10 = __kind == 2 ? 1 - __v::__exponent10 : 0, max_exponent10 = __v::__exponent10;
    __host__ __device__ static constexpr __t min() noexcept { return __v::__min; }
    __host__ __device__ static constexpr __t max() noexcept { return __v::__max; }
    __host__ __device__ static constexpr __t lowest() noexcept { return __v::__lowest; }
    __host__ __device__ static constexpr __t epsilon() noexcept { return __v::__epsilon; }
    __host__ __device__ static constexpr __t round_error() noexcept { return __v::__half; }
    __host__ __device__ static constexpr __t infinity() noexcept { return __v::__infinity; }
    __host__ __device__ static constexpr __t quiet_NaN() noexcept { return __v::__quiet; }
    __host__ __device__ static constexpr __t signaling_NaN() noexcept { return __v::__signaling; }
    __host__ __device__ static constexpr __t denorm_min() noexcept { return __v::__denorm; }
};
template <class __t> struct numeric_limits<const __t> : numeric_limits<__t> {};
template <class __t> struct numeric_limits<volatile __t> : numeric_limits<__t> {};
template <class __t> struct numeric_limits<const volatile __t> : numeric_limits<__t> {};
}

#endif
