/* <cmath> and <math.h>: the names of NVRTC's functions in std, the calls with integers or mixed types, the constants. */
#ifndef __CUTUNE_MATH
#define __CUTUNE_MATH

#ifndef INFINITY /* libcu++ has its own */
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
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

/* `__as`: the type to compute with; only arithmetic types have one. */
template <class __t> struct __cutune_real {};
template <> struct __cutune_real<float> { typedef float __as; };
template <> struct __cutune_real<double> { typedef double __as; };
#define __CUTUNE_INTEGER(__t) \
    template <> struct __cutune_real<__t> { typedef double __as, __integer; };
__CUTUNE_INTEGER(bool)
__CUTUNE_INTEGER(char)
__CUTUNE_INTEGER(signed char)
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
template <class __t, class __u> struct __cutune_mixed : __cutune_real<decltype(typename __cutune_real<__t>::__as() + typename __cutune_real<__u>::__as())> {};
template <class __t> struct __cutune_mixed<__t, __t> {};
template <> struct __cutune_mixed<int, int> : __cutune_real<double> {};

#define __CUTUNE_ONE(__name) \
    template <class __t> __device__ inline typename __cutune_real<__t>::__integer __name(__t __x) { return __name((double)__x); } \
    namespace std { using ::__name; }
#define __CUTUNE_TEST(__name) \
    template <class __t, class = typename __cutune_real<__t>::__integer> __device__ inline bool __name(__t __x) { return __name((double)__x); } \
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
__CUTUNE_TWO(hypot) __CUTUNE_TWO(nextafter) __CUTUNE_TWO(pow) __CUTUNE_TWO(remainder)
__CUTUNE_STD(abs) __CUTUNE_STD(fma) __CUTUNE_STD(frexp) __CUTUNE_STD(ilogb) __CUTUNE_STD(ldexp) __CUTUNE_STD(llrint)
__CUTUNE_STD(llround) __CUTUNE_STD(lrint) __CUTUNE_STD(lround) __CUTUNE_STD(modf) __CUTUNE_STD(nan) __CUTUNE_STD(nanf)
__CUTUNE_STD(remquo) __CUTUNE_STD(scalbln) __CUTUNE_STD(scalbn) __CUTUNE_STD(float_t) __CUTUNE_STD(double_t)
__CUTUNE_STD(acosf) __CUTUNE_STD(acoshf) __CUTUNE_STD(asinf) __CUTUNE_STD(asinhf) __CUTUNE_STD(atan2f) __CUTUNE_STD(atanf)
__CUTUNE_STD(atanhf) __CUTUNE_STD(cbrtf) __CUTUNE_STD(ceilf) __CUTUNE_STD(copysignf) __CUTUNE_STD(cosf) __CUTUNE_STD(coshf)
__CUTUNE_STD(erfcf) __CUTUNE_STD(erff) __CUTUNE_STD(exp2f) __CUTUNE_STD(expf) __CUTUNE_STD(expm1f) __CUTUNE_STD(fabsf)
__CUTUNE_STD(fdimf) __CUTUNE_STD(floorf) __CUTUNE_STD(fmaf) __CUTUNE_STD(fmaxf) __CUTUNE_STD(fminf) __CUTUNE_STD(fmodf)
__CUTUNE_STD(hypotf) __CUTUNE_STD(log10f) __CUTUNE_STD(log1pf) __CUTUNE_STD(log2f) __CUTUNE_STD(logf) __CUTUNE_STD(powf)
__CUTUNE_STD(rintf) __CUTUNE_STD(roundf) __CUTUNE_STD(sinf) __CUTUNE_STD(sinhf) __CUTUNE_STD(sqrtf) __CUTUNE_STD(tanf)
__CUTUNE_STD(tanhf) __CUTUNE_STD(tgammaf) __CUTUNE_STD(truncf)
#undef __CUTUNE_ONE
#undef __CUTUNE_TEST
#undef __CUTUNE_TWO
#undef __CUTUNE_STD

#endif
