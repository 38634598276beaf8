/* <cstddef> and <stddef.h>: the compiler itself has size_t and ptrdiff_t. */
#ifndef __CUTUNE_STDDEF
#define __CUTUNE_STDDEF

#ifndef offsetof
#define offsetof(__t, __member) ((size_t)__INTADDR__(&((__t *)0)->__member))
#endif
typedef struct { long long __integer; long double __real; } max_align_t;
#undef NULL /* as large as a pointer */
#define NULL 0L

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::max_align_t;
typedef decltype(nullptr) nullptr_t;
#if __cplusplus >= 201703L
enum class byte : unsigned char {};
#define __CUTUNE_BYTE template <class __t, class = decltype(__t(1) << 1 >> (1 << __t(1)))> __host__ __device__ constexpr
__CUTUNE_BYTE __t to_integer(byte __a) noexcept { return __t(__a); }
__CUTUNE_BYTE byte operator<<(byte __a, __t __n) noexcept { return byte((unsigned char)((unsigned int)__a << __n)); }
__CUTUNE_BYTE byte operator>>(byte __a, __t __n) noexcept { return byte((unsigned char)((unsigned int)__a >> __n)); }
__CUTUNE_BYTE byte &operator<<=(byte &__a, __t __n) noexcept { return __a = __a << __n; }
__CUTUNE_BYTE byte &operator>>=(byte &__a, __t __n) noexcept { return __a = __a >> __n; }
#undef __CUTUNE_BYTE
#define __CUTUNE_BITS(__operator) \
    __host__ __device__ constexpr byte operator __operator(byte __a, byte __b) noexcept { return byte((unsigned char)((unsigned int)__a __operator (unsigned int)__b)); } \
    __host__ __device__ constexpr byte &operator __operator##=(byte &__a, byte __b) noexcept { return __a = __a __operator __b; }
__CUTUNE_BITS(|) __CUTUNE_BITS(&) __CUTUNE_BITS(^)
#undef __CUTUNE_BITS
__host__ __device__ constexpr byte operator~(byte __a) noexcept { return byte((unsigned char)~(unsigned int)__a); }
#endif
}
using std::nullptr_t;

#endif
