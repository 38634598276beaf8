// out[i] = 2 * in[i] on the fake runtime. The best WAY is 0 for small sizes, 3 for large even ones, where alone it is
// valid, and 2 for large odd ones; 1 is never good.
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#if WAY == 1
#define TIME 40000
#elif WAY == 0
#if N <= 256
#define TIME 5000
#else
#define TIME 20000
#endif
#elif WAY == 2
#define TIME 8000
#elif N <= 256
#define TIME 9000
#else
#define TIME 5000
#endif
extern "C" __global__ void twice(float *, const float *, int);

#define FAKE "fake: time_ns=" TEXT(TIME) " none=1 id=" TEXT(WAY)
#include "fake_kernels.cu"
