"""Prints an unrolled copy kernel. FAULT=crashes and FAULT=hangs are faults of this program, FAULT=forgets one of the kernel."""
import os
import sys
import time

unroll, fault = int(os.environ["CUTUNE_UNROLL"]), os.environ["CUTUNE_FAULT"]
if fault == "crashes":
    sys.exit("no template for this value")
if fault == "hangs":
    time.sleep(60)
print('extern "C" __global__ void copy(float *out, const float *in, int count)\n{')
print("    int i = blockIdx.x * blockDim.x * %d + threadIdx.x;" % unroll)
for k in range(unroll - (fault == "forgets")):
    print("    if (i + %d * blockDim.x < count)\n        out[i + %d * blockDim.x] = in[i + %d * blockDim.x];" % (k, k, k))
print("}")
