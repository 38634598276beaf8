/* <cstddef> and <stddef.h>: the compiler itself has size_t, ptrdiff_t and NULL. */
#ifndef __CUTUNE_STDDEF
#define __CUTUNE_STDDEF

#ifndef offsetof
#define offsetof(__t, __member) ((size_t)__INTADDR__(&((__t *)0)->__member))
#endif
typedef struct { alignas(16) long long __integer; double __real; } max_align_t;

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::max_align_t;
typedef decltype(nullptr) nullptr_t;
#if __cplusplus >= 201703L
enum class byte : unsigned char {};
#endif
}
using std::nullptr_t;

#endif
