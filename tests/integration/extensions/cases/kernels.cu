#define FAKE "fake: time_ns=5000"
#include "fake_kernels.cu"
