__global__ void macro(int) {}
#define five six
__global__ void five(int); void __global__ seven(int) {} __global__ void seven(float) {}
__global__ void eight<3>(int)
