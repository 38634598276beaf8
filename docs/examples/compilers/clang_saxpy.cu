// out = a x + y for clang without a CUDA Toolkit: the few names of CUDA that it needs.
#define __global__ __attribute__((global))

extern "C" __global__ void saxpy(const float *x, const float *y, float *out, float a) {
    int first = __nvvm_read_ptx_sreg_ctaid_x() * THREADS * UNROLL + __nvvm_read_ptx_sreg_tid_x();
#pragma unroll
    for (int step = 0; step < UNROLL; step++) {
        out[first + step * THREADS] = a * x[first + step * THREADS] + y[first + step * THREADS];
    }
}
