/* <cmath> and <math.h>: NVRTC's functions in std, calls with integers or mixed types, and the constants. */
#ifndef __CUTUNE_MATH
#define __CUTUNE_MATH

#ifndef INFINITY /* libcu++ has its own */
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fc00000)
#endif
#define HUGE_VALF __builtin_bit_cast(float, 0x7f800000)
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4

typedef float float_t;
typedef double double_t;

/* `__as`: the type to compute with, for arithmetic types only. */
template <class __t> struct __cutune_real {};
template <> struct __cutune_real<float> { typedef float __as; typedef int __yes; };
template <> struct __cutune_real<double> { typedef double __as; typedef int __yes; };
#define __CUTUNE_INTEGER(__t) \
    template <> struct __cutune_real<__t> { typedef double __as, __integer; typedef int __yes; };
__CUTUNE_INTEGER(bool)
__CUTUNE_INTEGER(char)
__CUTUNE_INTEGER(signed char)
__CUTUNE_INTEGER(wchar_t)
__CUTUNE_INTEGER(char16_t)
__CUTUNE_INTEGER(char32_t)
__CUTUNE_INTEGER(unsigned char)
__CUTUNE_INTEGER(short)
__CUTUNE_INTEGER(unsigned short)
__CUTUNE_INTEGER(int)
__CUTUNE_INTEGER(unsigned int)
__CUTUNE_INTEGER(long)
__CUTUNE_INTEGER(unsigned long)
__CUTUNE_INTEGER(long long)
__CUTUNE_INTEGER(unsigned long long)
#undef __CUTUNE_INTEGER
/* The type for arguments of two or three types. Not defined if all are float or all double: the compiler has these
 * functions itself. */
template <class __t, class __u, class = int> struct __cutune_mixed {};
template <class __t, class __u> struct __cutune_mixed<__t, __u, decltype(typename __cutune_real<__t>::__yes() + typename __cutune_real<__u>::__yes())>
    : __cutune_real<decltype(typename __cutune_real<__t>::__as() + typename __cutune_real<__u>::__as())> {};
template <> struct __cutune_mixed<float, float> {};
template <> struct __cutune_mixed<double, double> {};
template <class __t, class __u, class __v, class = int> struct __cutune_mixed3 {};
template <class __t, class __u, class __v> struct __cutune_mixed3<__t, __u, __v, decltype(typename __cutune_real<__t>::__yes() + typename __cutune_real<__u>::__yes() + typename __cutune_real<__v>::__yes())>
    : __cutune_real<decltype(typename __cutune_real<__t>::__as() + typename __cutune_real<__u>::__as() + typename __cutune_real<__v>::__as())> {};
template <> struct __cutune_mixed3<float, float, float> {};
template <> struct __cutune_mixed3<double, double, double> {};

#define __CUTUNE_ONE(__name) \
    template <class __t> __device__ inline typename __cutune_real<__t>::__integer __name(__t __x) { return __name((double)__x); } \
    namespace std { using ::__name; }
/* The compiler's own functions for float and double return int, those in std return bool. After `using namespace
 * std`, both match a call; overload resolution prefers the one without a pack, which is not the one in std. */
template <class __t> __host__ __device__ __t __cutune_value();
#define __CUTUNE_TEST(__name) \
    template <class __t, class = typename __cutune_real<__t>::__integer> __device__ inline bool __name(__t __x) { return ::__name((double)__x); } \
    namespace std { template <class __t, class... __no> __device__ inline decltype(bool(::__name(__cutune_value<__t, __no...>()))) __name(__t __x, __no...) { return ::__name(__x); } }
#define __CUTUNE_LONG(__name, __result) \
    template <class __t, class = typename __cutune_real<__t>::__integer> __device__ inline __result __name(__t __x) { return __name((double)__x); } \
    namespace std { using ::__name; }
#define __CUTUNE_WITH(__name, __extra) \
    template <class __t> __device__ inline typename __cutune_real<__t>::__integer __name(__t __x, __extra __y) { return __name((double)__x, __y); } \
    namespace std { using ::__name; }
#define __CUTUNE_TWO(__name) \
    template <class __t, class __u> __device__ inline typename __cutune_mixed<__t, __u>::__as __name(__t __x, __u __y) \
    { typedef typename __cutune_mixed<__t, __u>::__as __as; return __name((__as)__x, (__as)__y); } \
    namespace std { using ::__name; }
#define __CUTUNE_STD(__name) namespace std { using ::__name; }

__CUTUNE_ONE(acos) __CUTUNE_ONE(acosh) __CUTUNE_ONE(asin) __CUTUNE_ONE(asinh) __CUTUNE_ONE(atan) __CUTUNE_ONE(atanh)
__CUTUNE_ONE(cbrt) __CUTUNE_ONE(ceil) __CUTUNE_ONE(cos) __CUTUNE_ONE(cosh) __CUTUNE_ONE(erf) __CUTUNE_ONE(erfc)
__CUTUNE_ONE(exp) __CUTUNE_ONE(exp2) __CUTUNE_ONE(expm1) __CUTUNE_ONE(fabs) __CUTUNE_ONE(floor) __CUTUNE_ONE(lgamma)
__CUTUNE_ONE(log) __CUTUNE_ONE(log10) __CUTUNE_ONE(log1p) __CUTUNE_ONE(log2) __CUTUNE_ONE(logb) __CUTUNE_ONE(nearbyint)
__CUTUNE_ONE(rint) __CUTUNE_ONE(round) __CUTUNE_ONE(sin) __CUTUNE_ONE(sinh) __CUTUNE_ONE(sqrt) __CUTUNE_ONE(tan)
__CUTUNE_ONE(tanh) __CUTUNE_ONE(tgamma) __CUTUNE_ONE(trunc)
__CUTUNE_TEST(isfinite) __CUTUNE_TEST(isinf) __CUTUNE_TEST(isnan) __CUTUNE_TEST(signbit)
__CUTUNE_TWO(atan2) __CUTUNE_TWO(copysign) __CUTUNE_TWO(fdim) __CUTUNE_TWO(fmax) __CUTUNE_TWO(fmin) __CUTUNE_TWO(fmod)
__CUTUNE_TWO(hypot) __CUTUNE_TWO(nextafter) __CUTUNE_TWO(remainder)
__CUTUNE_LONG(ilogb, int) __CUTUNE_LONG(llrint, long long) __CUTUNE_LONG(llround, long long) __CUTUNE_LONG(lrint, long)
__CUTUNE_LONG(lround, long) __CUTUNE_WITH(frexp, int *) __CUTUNE_WITH(ldexp, int) __CUTUNE_WITH(scalbn, int)
__CUTUNE_WITH(scalbln, long)
template <class __t, class __u, class __v> __device__ inline typename __cutune_mixed3<__t, __u, __v>::__as fma(__t __x, __u __y, __v __z)
{ typedef typename __cutune_mixed3<__t, __u, __v>::__as __as; return fma((__as)__x, (__as)__y, (__as)__z); }
template <class __t, class __u> __device__ inline typename __cutune_mixed<__t, __u>::__as remquo(__t __x, __u __y, int *__q)
{ typedef typename __cutune_mixed<__t, __u>::__as __as; return remquo((__as)__x, (__as)__y, __q); }
/* The compiler's own pow(float, int) returns float, that in std returns double. Classes are left to the compiler to
 * convert. */
template <class __t, class __u> __device__ inline typename __cutune_mixed<__t, __u>::__as pow(__t __x, __u __y)
{ typedef typename __cutune_mixed<__t, __u>::__as __as; return pow((__as)__x, (__as)__y); }
template <class __t, class __u, class = int> struct __cutune_pow { typedef decltype(::pow(__cutune_value<__t>(), __cutune_value<__u>())) __as; };
template <class __t, class __u> struct __cutune_pow<__t, __u, decltype(typename __cutune_real<__t>::__yes() + typename __cutune_real<__u>::__yes())>
{ typedef decltype(typename __cutune_real<__t>::__as() + typename __cutune_real<__u>::__as()) __as; };
namespace std {
template <class __t, class __u, class... __no> __device__ inline typename __cutune_pow<__t, __u, __no...>::__as pow(__t __x, __u __y, __no...)
{ typedef typename __cutune_pow<__t, __u>::__as __as; return ::pow((__as)__x, (__as)__y); }
}
__CUTUNE_STD(abs) __CUTUNE_STD(fma) __CUTUNE_STD(modf) __CUTUNE_STD(nan) __CUTUNE_STD(nanf) __CUTUNE_STD(remquo)
__CUTUNE_STD(float_t) __CUTUNE_STD(double_t)
__CUTUNE_STD(acosf) __CUTUNE_STD(acoshf) __CUTUNE_STD(asinf) __CUTUNE_STD(asinhf) __CUTUNE_STD(atan2f) __CUTUNE_STD(atanf)
__CUTUNE_STD(atanhf) __CUTUNE_STD(cbrtf) __CUTUNE_STD(ceilf) __CUTUNE_STD(copysignf) __CUTUNE_STD(cosf) __CUTUNE_STD(coshf)
__CUTUNE_STD(erfcf) __CUTUNE_STD(erff) __CUTUNE_STD(exp2f) __CUTUNE_STD(expf) __CUTUNE_STD(expm1f) __CUTUNE_STD(fabsf)
__CUTUNE_STD(fdimf) __CUTUNE_STD(floorf) __CUTUNE_STD(fmaf) __CUTUNE_STD(fmaxf) __CUTUNE_STD(fminf) __CUTUNE_STD(fmodf)
__CUTUNE_STD(hypotf) __CUTUNE_STD(log10f) __CUTUNE_STD(log1pf) __CUTUNE_STD(log2f) __CUTUNE_STD(logf) __CUTUNE_STD(powf)
__CUTUNE_STD(rintf) __CUTUNE_STD(roundf) __CUTUNE_STD(sinf) __CUTUNE_STD(sinhf) __CUTUNE_STD(sqrtf) __CUTUNE_STD(tanf)
__CUTUNE_STD(tanhf) __CUTUNE_STD(tgammaf) __CUTUNE_STD(truncf) __CUTUNE_STD(ilogbf) __CUTUNE_STD(llrintf) __CUTUNE_STD(llroundf) __CUTUNE_STD(lrintf) __CUTUNE_STD(lroundf) __CUTUNE_STD(lgammaf) __CUTUNE_STD(logbf) __CUTUNE_STD(nearbyintf) __CUTUNE_STD(nextafterf) __CUTUNE_STD(remainderf)
#undef __CUTUNE_ONE
#undef __CUTUNE_TEST
#undef __CUTUNE_LONG
#undef __CUTUNE_WITH
#undef __CUTUNE_TWO
#undef __CUTUNE_STD

#endif
