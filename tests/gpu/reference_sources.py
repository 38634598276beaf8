"""Computes the expected results of reference_sources.space without NumPy: reference_sources.py FOLDER reads the inputs
there and writes the outputs."""
import ast
import os
import struct
import sys


def load(name, code):
    """Returns the numbers of a .npy file and its shape."""
    with open(os.path.join(sys.argv[-1], name + ".npy"), "rb") as file:
        data = file.read()
    length, = struct.unpack("<H", data[8:10])
    shape = ast.literal_eval(data[10:10 + length].decode())["shape"]
    data = data[10 + length:]
    return struct.unpack("<%d%s" % (len(data) // struct.calcsize(code), code), data), shape


def save(name, kind, code, shape, values):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    with open(os.path.join(sys.argv[-1], name + ".npy"), "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
        file.write(struct.pack("<%d%s" % (len(values), code), *values))


n = int(os.environ["CUTUNE_N"])
x, (count,) = load("x", "f")
pairs, shape = load("pairs", "f")
state, _ = load("state", "i")
assert count == n and shape == (n, 2) and state == tuple(range(n)), "the inputs are not those of the space"
assert os.environ["CUTUNE_FAULT"] == "healthy" and os.environ["CUTUNE_FOLDER"] == sys.argv[-1]
save("out", "<f4", "f", (n, 2), [x[i // 2] * pairs[i] for i in range(2 * n)])
save("parity", "|u1", "B", (n,), [i % 2 for i in range(n)])
save("state", "<i4", "i", (n,), [3 * i for i in range(n)])
