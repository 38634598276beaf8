/* <cstdint> and <stdint.h>. Types are those of the toolkit's headers for NVRTC, because C++ accepts a second
 * definition only if it is the same; those with other sizes there are in a namespace of their own. */
#ifndef __CUTUNE_STDINT
#define __CUTUNE_STDINT
#include "cutune/climits"

#define __CUTUNE_INTEGER(__bits, __signed, __unsigned) \
    typedef __signed int##__bits##_t, int_least##__bits##_t; \
    typedef __unsigned uint##__bits##_t, uint_least##__bits##_t; \
    namespace std { \
    using ::int##__bits##_t; using ::int_least##__bits##_t; \
    using ::uint##__bits##_t; using ::uint_least##__bits##_t; \
    }
__CUTUNE_INTEGER(8, signed char, unsigned char)
__CUTUNE_INTEGER(16, short, unsigned short)
__CUTUNE_INTEGER(32, int, unsigned int)
__CUTUNE_INTEGER(64, long long, unsigned long long)
#undef __CUTUNE_INTEGER
typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
typedef long long int_fast64_t;
typedef unsigned long long uint_fast64_t;
namespace __cutune_fast {
typedef long int_fast16_t, int_fast32_t;
typedef unsigned long uint_fast16_t, uint_fast32_t;
}
using namespace __cutune_fast;
namespace std {
using ::int_fast8_t; using ::uint_fast8_t; using ::int_fast64_t; using ::uint_fast64_t;
using __cutune_fast::int_fast16_t; using __cutune_fast::uint_fast16_t;
using __cutune_fast::int_fast32_t; using __cutune_fast::uint_fast32_t;
}
typedef int64_t intmax_t, intptr_t;
typedef uint64_t uintmax_t, uintptr_t;
namespace std {
using ::intmax_t; using ::intptr_t; using ::uintmax_t; using ::uintptr_t;
}

#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define INT_LEAST8_MIN INT8_MIN
#define INT_LEAST8_MAX INT8_MAX
#define UINT_LEAST8_MAX UINT8_MAX
#define INT_LEAST16_MIN INT16_MIN
#define INT_LEAST16_MAX INT16_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define INT_LEAST32_MIN INT32_MIN
#define INT_LEAST32_MAX INT32_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define INT_LEAST64_MIN INT64_MIN
#define INT_LEAST64_MAX INT64_MAX
#define UINT_LEAST64_MAX UINT64_MAX
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MIN LONG_MIN
#define INT_FAST16_MAX LONG_MAX
#define UINT_FAST16_MAX ULONG_MAX
#define INT_FAST32_MIN LONG_MIN
#define INT_FAST32_MAX LONG_MAX
#define UINT_FAST32_MAX ULONG_MAX
#define INT_FAST64_MIN INT64_MIN
#define INT_FAST64_MAX INT64_MAX
#define UINT_FAST64_MAX UINT64_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define PTRDIFF_MIN LONG_MIN
#define PTRDIFF_MAX LONG_MAX
#define SIZE_MAX ULONG_MAX
#define WCHAR_MIN INT_MIN
#define WCHAR_MAX INT_MAX
#define WINT_MIN 0U
#define WINT_MAX UINT_MAX
#define SIG_ATOMIC_MIN INT_MIN
#define SIG_ATOMIC_MAX INT_MAX
#define INT8_C(X) X
#define UINT8_C(X) X
#define INT16_C(X) X
#define UINT16_C(X) X
#define INT32_C(X) X
#define UINT32_C(X) X##U
#define INT64_C(X) X##LL
#define UINT64_C(X) X##ULL
#define INTMAX_C(X) X##LL
#define UINTMAX_C(X) X##ULL

#endif
