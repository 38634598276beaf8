#!/usr/bin/env python3
"""The host's cost of a launch: launch_cost.py [--batches N] [PROGRAM LIBRARY EXTENSION].

An empty kernel has 1 argument (an array), 4 (3 arrays and an int) or 19 (16 arrays and 3 ints). The driver launches it from C and by prepared
ctypes, and so do cutune, CuPy, cuda.core and Triton. A batch is 200 launches and ends with a synchronisation outside of the time. All ways take turns,
batch by batch. Prints the median of the batches' means in us, with the quartiles; one row is the part of cutune's launches in which torch's
exchange table tells the tensors' addresses. Needs torch; rows of missing packages are left out."""
import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "dev")
COUNTS = {1: (1, 0), 4: (3, 1), 19: (16, 3)}  # arguments: arrays and ints
LENGTH = 1024
BATCH, WARM_UP = 200, 20
EMPTY = "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,sm_count,l2_bytes,date\n"


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_kernels():
    """Spaces k1, k4 and k19 over one source."""
    source = ""
    for count, (arrays, ints) in COUNTS.items():
        parameters = ["float *a%d" % i for i in range(arrays)] + ["int n%d" % i for i in range(ints)]
        source += 'extern "C" __global__ void k%d(%s) { }\n' % (count, ", ".join(parameters))
        buffers = "".join("buffer a%d float[%d] %s\n" % (i, LENGTH, "output" if i == 0 else "random") for i in range(arrays))
        names = ["a%d" % i for i in range(arrays)] + ["int %d" % (i + 1) for i in range(ints)]
        write("k%d.space" % count, 'space 2\nkernel k%d "k.cu"\n%sargs %s\nblock BLOCK\ngrid 1\nparam BLOCK = 32\nreference default\n' % (
            count, buffers, ", ".join(names)))
    write("k.cu", source)
    write("cutune.csv", EMPTY)


def loop_of(call, names):
    """A function that makes a call N times, without unpacking arguments."""
    space = dict(names)
    exec("def loop(count):\n    for _ in range(count):\n        %s\n" % call, space)
    return space["loop"]


class Bench:
    def __init__(self, batches):
        import torch
        self.torch, self.batches, self.ways, self.rows, self.kept = torch, batches, [], {}, []
        self.tensors = [torch.zeros(LENGTH, device="cuda") for _ in range(16)]

    def add(self, name, count, loop):
        """`loop` makes N launches, and may return their mean in ns by its own clock."""
        loop(BATCH)
        self.torch.cuda.synchronize()
        self.ways.append((name, count, loop, []))

    def run(self):
        for batch in range(self.batches + WARM_UP):
            for _, _, loop, times in self.ways:
                begin = time.perf_counter_ns()
                own = loop(BATCH)
                spent = (time.perf_counter_ns() - begin) / BATCH
                self.torch.cuda.synchronize()
                if batch >= WARM_UP:
                    times.append(own if own else spent)
        for name, count, _, times in self.ways:
            self.rows.setdefault(name, {})[count] = statistics.quantiles(times, n=4)

    def by_python(self, name, count, function, arguments, call="f(%s)", **names):
        words = ["a%d" % i for i in range(len(arguments))]
        space = {**dict(zip(words, arguments)), **names, "f": function}
        self.add(name, count, loop_of(call % ", ".join(words), space))

    def print(self):
        print("\n%-44s" % "launch by" + "".join("%26s" % ("%d argument%s, us" % (count, "s" * (count > 1))) for count in COUNTS))
        for name, cells in self.rows.items():
            print("%-44s" % name + "".join(
                "%26s" % ("%.2f (%.2f to %.2f)" % tuple(value / 1e3 for value in (cells[count][1], cells[count][0], cells[count][2]))
                          if count in cells else "-") for count in COUNTS))


class Driver:
    """The driver by ctypes, and the helper in C."""

    def __init__(self, cubin):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.module = ctypes.c_void_p()
        if self.library.cuModuleLoadData(ctypes.byref(self.module), cubin):
            sys.exit("cuModuleLoadData fails")
        self.helper = None
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if compiler:
            subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-I", os.path.join(ROOT, "tools", "python", "extension"),
                            os.path.join(ROOT, "tools", "bench", "raw_launch.c"), "-o", "raw.so"], check=True)
            self.helper = ctypes.PyDLL(os.path.abspath("raw.so"))  # keeps the GIL, as reading tensors must
            self.helper.raw_launch_ns.restype = self.helper.read_ns.restype = ctypes.c_double

    def function(self, name):
        function = ctypes.c_void_p()
        if self.library.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode()):
            sys.exit("cuModuleGetFunction fails")
        return function


def read_row(bench, count, read, tensors):
    """Without launches."""
    capsule = getattr(bench.torch.Tensor, "__dlpack_c_exchange_api__", None)
    if capsule is None:
        return
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
    table, objects = pointer(capsule, b"dlpack_exchange_api"), (ctypes.py_object * len(tensors))(*tensors)
    bench.add("(torch's exchange table alone)", count, lambda n: read(table, objects, len(tensors), n))


def raw(bench, count, cubin, tensors):
    driver = Driver(cubin)
    arrays, ints = COUNTS[count]
    values = [ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors] + [ctypes.c_int(i + 1) for i in range(ints)]
    arguments = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.addressof(value) for value in values])
    bench.kept.append(values)
    function, stream = driver.function("k%d" % count), ctypes.c_void_p(0)
    launch = driver.library.cuLaunchKernel
    launch.argtypes = [ctypes.c_void_p] + [ctypes.c_uint] * 7 + [ctypes.c_void_p] * 3
    if driver.helper:
        call = driver.helper.raw_launch_ns
        call.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_size_t]
        bench.add("cuLaunchKernel from C", count, lambda n: call(ctypes.cast(launch, ctypes.c_void_p), function, stream, arguments, n))
        read_row(bench, count, driver.helper.read_ns, tensors)
    bench.by_python("cuLaunchKernel by prepared ctypes", count, launch, [function, 1, 1, 1, 32, 1, 1, 0, stream, arguments, None])


class Old:
    """A tensor without the table, by data_ptr()."""

    def __init__(self, tensor):
        self.dtype, self.data_ptr, self.numel = tensor.dtype, tensor.data_ptr, tensor.numel
        self.is_contiguous, self.get_device = tensor.is_contiguous, tensor.get_device


def cutune_rows(bench, count, kernel, tensors):
    bench.by_python("cutune, torch by DLPack's exchange table", count, kernel, tensors)
    bench.by_python("cutune, the same, stream given as a handle", count, kernel, tensors, "f(%s, stream=0)")
    bench.by_python("cutune, torch by data_ptr(), stream given", count, kernel, [Old(tensor) for tensor in tensors], "f(%s, stream=0)")
    try:
        import cupy
    except ImportError:
        return
    arrays = [cupy.zeros(LENGTH, cupy.float32) for _ in tensors]
    route = "table" if hasattr(cupy.ndarray, "__dlpack_c_exchange_api__") else "__cuda_array_interface__"
    bench.by_python("cutune, CuPy by its " + route, count, kernel, arrays)


def cupy_rows(bench, count, cubin, tensors):
    import cupy
    import numpy
    write_bytes("k%d.cubin" % count, cubin)
    kernel = cupy.RawModule(path="k%d.cubin" % count).get_function("k%d" % count)
    arrays = [cupy.zeros(LENGTH, cupy.float32) for _ in tensors] + [numpy.int32(i + 1) for i in range(COUNTS[count][1])]
    bench.by_python("CuPy, RawKernel", count, kernel, arrays, "f((1,), (32,), (%s,))")


def write_bytes(path, content):
    with open(path, "wb") as file:
        file.write(content)


def core_rows(bench, count, cubin, tensors):
    import numpy
    from cuda.core import Device, LaunchConfig, ObjectCode, launch
    device = Device()
    device.set_current()
    kernel = ObjectCode.from_cubin(cubin).get_kernel("k%d" % count)
    ints = [numpy.int32(i + 1) for i in range(COUNTS[count][1])]
    config, stream = LaunchConfig(grid=1, block=32), device.default_stream
    words = ["a%d.data_ptr()" % i for i in range(len(tensors))] + ["n%d" % i for i in range(len(ints))]
    names = {"a%d" % i: tensor for i, tensor in enumerate(tensors)}
    names.update({"n%d" % i: value for i, value in enumerate(ints)}, f=launch, stream=stream, config=config, kernel=kernel)
    bench.add("cuda.core, launch, data_ptr() of torch", count, loop_of("f(stream, config, kernel, %s)" % ", ".join(words), names))


def triton_rows(bench, count, cubin, tensors):
    import importlib.util
    import triton  # noqa: F401
    del cubin
    arguments = ["a%d" % i for i in range(len(tensors))] + ["n%d" % i for i in range(COUNTS[count][1])]
    path = os.path.abspath("triton_k%d.py" % count)
    write(path, "import triton\n\n@triton.jit\ndef kernel(%s):\n    pass\n" % ", ".join(arguments))
    spec = importlib.util.spec_from_file_location("triton_k%d" % count, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = [*tensors, *[i + 2 for i in range(COUNTS[count][1])]]
    bench.by_python("Triton, kernel[grid](...)", count, module.kernel, values, "f[(1,)](%s)")


def torch_rows(bench, tensors):
    torch = bench.torch
    bench.by_python("torch, eager add (2 arrays, out=)", 4, lambda a, b, c: torch.add(a, b, out=c), tensors[:3])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--batches", type=int, default=200)
    arguments.add_argument("paths", nargs="*", metavar="FILE")
    arguments = arguments.parse_args()
    paths = arguments.paths or [os.path.join(BUILD, name) for name in ("cutune", "libcutune.so", "python/_launch.abi3.so")]
    for name, path in zip(("CUTUNE_PROGRAM", "CUTUNE_LIBRARY", "CUTUNE_EXTENSION"), paths):
        os.environ[name] = os.path.abspath(path)
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    import cutune
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        make_kernels()
        bench = Bench(arguments.batches)
        print("%s, Python %s, torch %s" % (bench.torch.cuda.get_device_name(), sys.version.split()[0], bench.torch.__version__))
        for count, (arrays, _) in COUNTS.items():
            kernel, tensors = cutune.kernel("k%d.space" % count), bench.tensors[:arrays]
            raw(bench, count, kernel.cubin, tensors)
            cutune_rows(bench, count, kernel, tensors)
            for rows in (cupy_rows, core_rows, triton_rows):
                try:
                    rows(bench, count, kernel.cubin, tensors)
                except Exception as error:  # a package that is missing, or does not work here
                    print("%s, %d arguments: left out: %s" % (rows.__name__, count, error))
        torch_rows(bench, bench.tensors)
        bench.run()
        bench.print()
        os.chdir("/")


if __name__ == "__main__":
    main()
