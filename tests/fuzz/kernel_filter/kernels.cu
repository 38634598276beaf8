#define MACRO(name) \
    __global__ void name(int)
template <int N> __global__ void some(int *a) {}
extern "C" __global__ void __launch_bounds__(256, 2) k(int *a) { a[0] = 'x' + 1'000; }
namespace n { static __global__ void asked(int) {} }
__global__ /* "one" */ void one(int) {} // two
extern "C" { __global__ void two(int) {} }
const char *s = "\"__global__ void three(";
#undef four
__global__ __cluster_dims__((2), 1) void four(int) {}
