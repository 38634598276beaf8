/* <cstdio> and <stdio.h>: a kernel has printf only, which the compiler declares. */
#ifndef __CUTUNE_STDIO
#define __CUTUNE_STDIO

namespace std {
using ::printf;
using ::size_t;
}

#endif
