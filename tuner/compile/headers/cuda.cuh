/* <cuda.h>: the part that kernels need. The toolkit's declares functions of the host, which NVRTC refuses. */
#ifndef __CUTUNE_CUDA
#define __CUTUNE_CUDA

#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)

typedef struct CUtensorMap_st {
    alignas(__CUDACC_VER_MAJOR__ < 13 ? 64 : 128) unsigned long long opaque[16];
} CUtensorMap;
typedef unsigned long long CUdeviceptr;

#endif
