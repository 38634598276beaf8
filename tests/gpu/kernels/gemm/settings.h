/* Types and macros of all parts. Every parameter has a value here, so that the file also compiles by hand. */
#ifndef GEMM_SETTINGS_H
#define GEMM_SETTINGS_H

#ifndef PRECISION
#define PRECISION 32
#endif
#ifndef MWG
#define MWG 32 /* tile of a block in M, N and K */
#endif
#ifndef NWG
#define NWG 32
#endif
#ifndef KWG
#define KWG 16
#endif
#ifndef MDIMC
#define MDIMC 8 /* threads of a block in M and N */
#endif
#ifndef NDIMC
#define NDIMC 8
#endif
#ifndef MDIMA
#define MDIMA 8 /* threads in other shapes, for loading A and B */
#endif
#ifndef NDIMB
#define NDIMB 8
#endif
#ifndef KWI
#define KWI 1 /* unrolled steps in K */
#endif
#ifndef VWM
#define VWM 1 /* vector widths */
#endif
#ifndef VWN
#define VWN 1
#endif
#ifndef STRM
#define STRM 0 /* 1: a thread's elements are strided */
#endif
#ifndef STRN
#define STRN 0
#endif
#ifndef SA
#define SA 0 /* 1: through shared memory */
#endif
#ifndef SB
#define SB 0
#endif
#ifndef BUG
#define BUG 0
#endif

#define MWI   (MWG / MDIMC)
#define NWI   (NWG / NDIMC)
#define KDIMA ((MDIMC * NDIMC) / MDIMA)
#define KDIMB ((MDIMC * NDIMC) / NDIMB)
#define MWA   (MWG / MDIMA)
#define NWB   (NWG / NDIMB)
#define KWA   (KWG / KDIMA)
#define KWB   (KWG / KDIMB)

#if PRECISION == 64
#define REAL double
#else
#define REAL float
#endif
typedef REAL real;

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

/* CUDA has no vectors of 8. */
struct __align__(16) wide8
{
    real s[8];
};
#define VECTOR_1       real
#define WIDE_(type, n) type##n
#define WIDE(type, n)  WIDE_(type, n)
#define VECTOR_2       WIDE(REAL, 2)
#define VECTOR_4       WIDE(REAL, 4)
#define VECTOR_8       wide8
typedef JOIN(VECTOR_, VWM) realM;
typedef JOIN(VECTOR_, VWN) realN;

/* Component i of a vector of any width, as an lvalue. */
#define PART(v, i) (((real *)&(v))[i])

#define INLINE       static __device__ __forceinline__
#define LOCAL        __shared__
#define SYNC()       __syncthreads()
#define ID0          threadIdx.x
#define ID1          threadIdx.y
#define GROUP0       blockIdx.x
#define GROUP1       blockIdx.y
#define ZERO(x)      (x) = (real)0
#define MAD(c, a, b) (c) += (a) * (b)

#endif
