// out[i] = 2 * in[i] by the chunks of a pipeline on the fake runtime, with launches of duration TIME.
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define FAKE "fake: time_ns=" TEXT(TIME)
#include "fake_kernels.cu"
