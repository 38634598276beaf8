#define FAKE "fake: time_ns=5000"
#define ALL_KERNELS
#include "fake_kernels.cu"
