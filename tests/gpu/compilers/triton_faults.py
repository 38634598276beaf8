import triton
import triton.language as tl
from faults import happen


@triton.heuristics({"WRONG": lambda args: happen(args["FAULT"])})
@triton.jit
def twice(x, out, BLOCK: tl.constexpr, FAULT: tl.constexpr, WRONG: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at) * (3 if WRONG else 2))
