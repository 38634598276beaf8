"""out = a x + y: a function of the space's parameters returns the kernel."""

from numba import cuda


def saxpy(UNROLL):
    def kernel(x, y, out, a):
        first = cuda.blockIdx.x * cuda.blockDim.x * UNROLL + cuda.threadIdx.x
        for step in range(UNROLL):
            at = first + step * cuda.blockDim.x
            if at < out.size:
                out[at] = a * x[at] + y[at]

    return kernel
