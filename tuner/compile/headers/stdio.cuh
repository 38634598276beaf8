/* <cstdio> and <stdio.h>: kernels have only printf, which the compiler declares. */
#ifndef __CUTUNE_STDIO
#define __CUTUNE_STDIO

namespace std {
using ::printf;
using ::size_t;
}

#endif
