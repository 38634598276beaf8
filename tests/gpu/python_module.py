#!/usr/bin/env python3
"""The Python package on a real GPU: python_module.py PROGRAM LIBRARY. Arrays are tuned without a space file, a wrong reference fails, and
the winner is looked up. Exit status 77: no device, or no NumPy."""
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = r"""
extern "C" __global__ void twice(float *out, const float *in, int count)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK)
        out[i] = (BLOCK == 96 ? 3 : 2) * in[i];
}
"""


def check(condition, message):
    if not condition:
        sys.exit("FAILED: " + message)


def main():
    program, library = (os.path.abspath(argument) for argument in sys.argv[1:])
    os.environ.update(CUTUNE_PROGRAM=program, CUTUNE_LIBRARY=library)
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    try:
        import numpy
    except ImportError:
        print("there is no NumPy: skipped")
        return 77
    import cutune
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        try:
            device = cutune.Device.here()
        except cutune.Error as error:
            if error.code == cutune.ErrorCode.NO_DEVICE:
                print("there is no device: skipped")
                return 77
            raise
        values = numpy.random.default_rng(1).random(1 << 20, dtype=numpy.float32)
        call = dict(params={"BLOCK": [64, 96, 128, 256]}, block="BLOCK", grid="ceildiv(count, BLOCK)", progress=False, explain=False)
        args = [numpy.empty_like(values), values, values.size]
        result = cutune.tune_source(SOURCE, "twice", args, reference=lambda out, values, count: 2 * values, **call)
        print(result)
        frame = result.frame()
        status = dict(zip((int(block) for block in frame["BLOCK"]), frame["status"]))
        check(status[96] == "wrong_result", "the wrong variant is %s" % status[96])
        check(result.best["BLOCK"] in (64, 128, 256) and result.time_ns > 0, "the winner is %s" % result.best)
        choice = cutune.Database().best("twice", device, count=values.size)
        check(choice.rule == "problem" and choice.configuration == result.best, "the look-up says %s" % (choice,))
        try:
            cutune.tune_source(SOURCE, "twice", args, reference=lambda out, values, count: 5 * values, **call)
        except cutune.Error as error:
            check(error.code == cutune.ErrorCode.NOTHING_VALID, "the wrong reference gives: %s" % error)
        else:
            check(False, "a wrong reference is accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
