from faults import happen
from numba import cuda, float32


def twice(FAULT):
    factor = 3 if happen(FAULT) else 2

    def kernel(x, out):
        at = cuda.grid(1)
        out[at] = x[at] * float32(factor)

    return kernel
