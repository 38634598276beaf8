#!/usr/bin/env python3
"""Tuned kernels as functions of Python on a real GPU: python_kernel.py [PROGRAM LIBRARY EXTENSION]. Each case is a line PASS, FAIL or SKIP;
a framework that is missing skips its cases. Exit status 77: no device, or neither torch nor CuPy."""
import os
import sys
import tempfile
import threading
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "dev")
LENGTH = 1 << 20
SOURCE = r"""extern "C" __global__ void smooth(float *out, const float *in, int n)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        out[i] = (in[i > 0 ? i - 1 : 0] + in[i] + in[i < n - 1 ? i + 1 : n - 1]) / 3;
}
extern "C" __global__ void fold(float *partial, const float *in, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        sum += in[i];
    partial[blockIdx.x * BLOCK + threadIdx.x] = sum;
}
extern "C" __global__ void finish(float *total, const float *partial)
{
    float sum = 0;
    for (int i = 0; i < 4 * BLOCK; i++)
        sum += partial[i];
    *total = sum;
}
extern "C" __global__ void axpy(float *y, const float *x, int n, float a)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
struct view { const float *in; int n; float *out; };
extern "C" __global__ void by_struct(view v)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < v.n; i += gridDim.x * BLOCK)
        v.out[i] = 2 * v.in[i];
} """
HEAD = ('space 2\nkernel %s "smooth.cu"\nproblem LENGTH = 1 << 20\nparam BLOCK = 64, 128, 256\nbuffer in  float[LENGTH] random\n'
        "buffer out float[%s] output\nreference default\ndefault BLOCK=128\n")
SPACES = {
    "smooth": HEAD % ("smooth", "LENGTH") + "args out, in, int LENGTH\nblock BLOCK\ngrid ceildiv(LENGTH, BLOCK)\n",
    "resident": HEAD % ("smooth", "LENGTH") + "args out, in, int LENGTH\nblock BLOCK\ngrid resident\n",
    "fold": HEAD % ("fold", "1") + "buffer partial float[4 * BLOCK] scratch\nlaunch fold args partial, in, int LENGTH block BLOCK grid 4\n"
    "launch finish args out, partial block 1 grid 1\n",
    "axpy": (HEAD % ("axpy", "LENGTH")).replace("output", "random inout") + "args out, in, int LENGTH, float 2\nblock BLOCK\n"
    "grid ceildiv(LENGTH, BLOCK)\n",
    "by_struct": HEAD % ("by_struct", "LENGTH") + "args struct { in, int LENGTH, out }\nblock BLOCK\ngrid ceildiv(LENGTH, BLOCK)\n",
}
SPIN = r"""extern "C" __global__ void spin(long long cycles) { long long begin = clock64(); while (clock64() - begin < cycles); }"""
SPIN_CYCLES = 200_000_000  # a tenth of a second
EMPTY = "schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,sm_count,l2_bytes,date\n"


class Skip(Exception):
    pass


def need(name):
    try:
        return __import__(name, fromlist=["_"])
    except ImportError as error:
        raise Skip("no %s: %s" % (name, error)) from None


def smoothed(x, stack):
    """The expected result, by the array's own framework."""
    left, right = stack([x[:1], x[:-1]]), stack([x[1:], x[-1:]])
    return (left + x + right) / 3


def close(a, b):
    return float(abs(a - b).max()) < 1e-5


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def refused(error, text, call):
    try:
        call()
    except error as caught:
        check(text in str(caught), "the message is: %s" % caught)
        return
    raise AssertionError("accepted")


# ---- torch ----


def torch_arrays():
    torch = need("torch")
    if not torch.cuda.is_available():
        raise Skip("torch sees no GPU")
    x = torch.rand(LENGTH, device="cuda")
    return torch, x, torch.empty_like(x)


def torch_result(cutune):
    torch, x, out = torch_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    before, place = torch.cuda.memory_allocated(), out.data_ptr()
    smooth(out, x)
    check(torch.cuda.memory_allocated() == before and out.data_ptr() == place, "memory was allocated")
    check(close(out, smoothed(x, torch.cat)), "wrong result")
    print("     torch.Tensor %s DLPack's exchange table" % ("has" if hasattr(torch.Tensor, "__dlpack_c_exchange_api__") else "lacks"))


def torch_stream(cutune):
    """A long kernel and the input's last write are on the current stream. The wrong stream, on purpose, reads the old input."""
    torch, x, out = torch_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    results = []
    for wrong in (False, True):
        x.fill_(1)
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()) as _:
            torch.cuda._sleep(SPIN_CYCLES)
            x.fill_(5)
            smooth(out, x, stream=torch.cuda.default_stream() if wrong else None)
        torch.cuda.synchronize()
        results.append(float(out[LENGTH // 2]))
    check(results[0] == 5, "not on the current stream: %s" % results)
    check(results[1] == 1, "the test cannot tell streams apart: %s" % results)


def torch_graph(cutune):
    torch, x, out = torch_arrays()
    smooth, fold = cutune.kernel("smooth.space", LENGTH=LENGTH), cutune.kernel("fold.space", LENGTH=LENGTH)
    total = torch.zeros(1, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        smooth(out, x)
        fold(out, total)
    check(float(total) == 0, "the capture ran")
    del smooth, fold
    for value in (2.0, 3.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        check(close(out, x) and abs(float(total) / LENGTH - value) < 0.01, "wrong result of the graph: %s" % float(total))


def torch_operator(cutune):
    torch, x, out = torch_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    operator = smooth.as_torch_op("cutune_test::smooth")
    operator(out, x)
    check(close(out, smoothed(x, torch.cat)), "wrong result")
    torch.library.opcheck(operator, (out, x))

    def work(x):
        out = torch.empty_like(x)
        operator(out, x * 2)
        return out + 1

    check(close(torch.compile(work, fullgraph=True)(x), smoothed(2 * x, torch.cat) + 1), "wrong result of torch.compile")


def torch_mismatches(cutune):
    torch, x, out = torch_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    refused(TypeError, "in has elements of float64, and the space's buffer is float", lambda: smooth(out, x.double()))
    refused(TypeError, "in has elements of bfloat16", lambda: smooth(out, x.bfloat16()))
    refused(ValueError, "in has %d elements" % (LENGTH - 1), lambda: smooth(out, x[1:]))
    refused(ValueError, "in is strided", lambda: smooth(out, torch.rand(1024, 1024, device="cuda").t()))
    refused(ValueError, "in is not on a GPU", lambda: smooth(out, x.cpu()))
    smooth(out.view(1024, 1024), x.view(1024, -1))
    check(close(out, smoothed(x, torch.cat)), "wrong result of views")
    whole = torch.rand(LENGTH + 3, device="cuda")
    smooth(out, whole[3:])
    check(close(out, smoothed(whole[3:], torch.cat)), "wrong result of a view at an offset")
    smooth(out, torch.nn.Parameter(x))
    check(close(out, smoothed(x, torch.cat)), "wrong result of a parameter")


def torch_sizes(cutune):
    torch, _, _ = torch_arrays()
    smooth = cutune.kernel("smooth.space", sizes=lambda out, x: {"LENGTH": x.numel()})
    for count in (1000, LENGTH, 1000):
        x = torch.rand(count, device="cuda")
        out = torch.empty_like(x)
        smooth(out, x)
        check(close(out, smoothed(x, torch.cat)), "wrong result for %d" % count)
    check(len(smooth.kernels) == 2, "sizes are not cached")


def torch_numbers(cutune):
    torch, x, out = torch_arrays()
    axpy = cutune.kernel("axpy.space", LENGTH=LENGTH)
    for arguments, factor in (((), 2), ((LENGTH, 0.25), 0.25), ((LENGTH, -3), -3)):
        out.fill_(1)
        axpy(out, x, *arguments)
        check(close(out, factor * x + 1), "wrong result of %s" % (arguments,))
    refused(ValueError, "argument 3 is 5, and the space has %d" % LENGTH, lambda: axpy(out, x, 5, 1.0))


def torch_other_launches(cutune):
    """Scratch memory, a struct, as many blocks as fit, tensor maps."""
    torch, x, out = torch_arrays()
    total = torch.zeros(1, device="cuda")
    fold = cutune.kernel("fold.space", LENGTH=LENGTH)
    streams = [torch.cuda.Stream() for _ in range(4)]
    totals = [torch.zeros(1, device="cuda") for _ in streams]
    torch.cuda.synchronize()
    for _ in range(50):
        for stream, each in zip(streams, totals):
            with torch.cuda.stream(stream):
                fold(x, each)
    fold(x, total)
    torch.cuda.synchronize()
    check(all(abs(float(each) / float(x.sum()) - 1) < 1e-4 for each in (*totals, total)), "wrong sum")
    cutune.kernel("by_struct.space", LENGTH=LENGTH)(x, out)
    check(close(out, 2 * x), "wrong result of a struct")
    cutune.kernel("resident.space", LENGTH=LENGTH)(out, x)
    check(close(out, smoothed(x, torch.cat)), "wrong result of a resident grid")
    if torch.cuda.get_device_capability() >= (9, 0):
        copy = cutune.kernel(os.path.join(ROOT, "tests", "gpu", "tensor_map.space"))
        for _ in range(3):
            tiles = torch.rand(1536 * 1024, device="cuda")
            copied = torch.empty_like(tiles)
            copy(copied, tiles)
            check(torch.equal(copied, tiles), "wrong result of a tensor map")


def torch_threads(cutune):
    """Threads without a context, and temporary arrays."""
    torch, x, _ = torch_arrays()
    smooth, wrong = cutune.kernel("smooth.space", LENGTH=LENGTH), []

    def work():
        for _ in range(100):
            out = torch.empty_like(x)
            smooth(out, x + 1)
            if not close(out, smoothed(x + 1, torch.cat)):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not wrong, "%d wrong results" % len(wrong))


def torch_interface(cutune):
    """torch's arrays by data_ptr(), as before the table."""
    torch, x, out = torch_arrays()

    class Old:
        __module__ = "torch"

        def __init__(self, tensor):
            self.tensor, self.dtype, self.device = tensor, tensor.dtype, tensor.device

        def __getattr__(self, name):
            return getattr(self.tensor, name)

        def data_ptr(self):
            return self.tensor.data_ptr()

    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    x.fill_(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(SPIN_CYCLES)
        x.fill_(5)
        smooth(Old(out), Old(x))
    torch.cuda.synchronize()
    check(float(out[7]) == 5, "not on torch's current stream")


# ---- CuPy ----


def cupy_arrays():
    cupy = need("cupy")
    x = cupy.random.random(LENGTH, dtype=cupy.float32)
    return cupy, x, cupy.empty_like(x)


def cupy_result(cutune):
    cupy, x, out = cupy_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    place = out.data.ptr
    smooth(out, x)
    check(out.data.ptr == place and close(out, smoothed(x, cupy.concatenate)), "wrong result")
    refused(TypeError, "in has elements of float64", lambda: smooth(out, x.astype(cupy.float64)))
    refused(ValueError, "in is strided", lambda: smooth(out, cupy.repeat(x, 2)[::2]))
    print("     cupy.ndarray %s DLPack's exchange table" % ("has" if hasattr(cupy.ndarray, "__dlpack_c_exchange_api__") else "lacks"))


def cupy_stream(cutune):
    cupy, x, out = cupy_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    spin = cupy.RawKernel(SPIN, "spin")
    results = []
    for wrong in (False, True):
        x.fill(1)
        cupy.cuda.Device().synchronize()
        with cupy.cuda.Stream(non_blocking=True):
            spin((1,), (1,), (SPIN_CYCLES,))
            x.fill(5)
            smooth(out, x, stream=cupy.cuda.Stream.null if wrong else None)
        cupy.cuda.Device().synchronize()
        results.append(float(out[LENGTH // 2]))
    check(results[0] == 5, "not on the current stream: %s" % results)
    check(results[1] == 1, "the test cannot tell streams apart: %s" % results)


def cupy_module(cutune):
    cupy, x, out = cupy_arrays()
    numpy = need("numpy")
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    with open("smooth.cubin", "wb") as file:
        file.write(smooth.cubin)
    function = cupy.RawModule(path="smooth.cubin").get_function(smooth.entry)
    function(smooth.grid(), smooth.block, (out, x, numpy.int32(LENGTH)), shared_mem=smooth.shared)
    check(close(out, smoothed(x, cupy.concatenate)), "wrong result")


def mixed_arrays(cutune):
    torch, x, _ = torch_arrays()
    cupy, _, out = cupy_arrays()
    torch.cuda.synchronize()
    cutune.kernel("smooth.space", LENGTH=LENGTH)(out, x)
    torch.cuda.synchronize()
    check(close(torch.as_tensor(out, device="cuda"), smoothed(x, torch.cat)), "wrong result")


# ---- cuda.core, Numba, the database ----


def cuda_core(cutune):
    torch, x, out = torch_arrays()
    core, numpy = need("cuda.core"), need("numpy")
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH)
    device = core.Device()
    device.set_current()
    stream = device.create_stream()
    torch.cuda.synchronize()
    smooth(out, x, stream=stream)
    stream.sync()
    check(close(out, smoothed(x, torch.cat)), "wrong result with its stream")
    out.zero_()
    torch.cuda.synchronize()
    kernel = core.ObjectCode.from_cubin(smooth.cubin).get_kernel(smooth.entry)
    config = core.LaunchConfig(grid=smooth.grid(), block=smooth.block, shmem_size=smooth.shared)
    core.launch(stream, config, kernel, out.data_ptr(), x.data_ptr(), numpy.int32(LENGTH))
    stream.sync()
    check(close(out, smoothed(x, torch.cat)), "wrong result of its launch")


def numba_arrays(cutune):
    numpy = need("numpy")
    try:
        cuda = need("numba.cuda")
        values = numpy.random.random(LENGTH).astype(numpy.float32)
        x, out = cuda.to_device(values), cuda.device_array(LENGTH, numpy.float32)
    except Skip:
        raise
    except Exception as error:
        raise Skip("Numba does not work here: %s" % error) from None
    cutune.kernel("smooth.space", LENGTH=LENGTH)(out, x)
    cuda.synchronize()
    check(close(out.copy_to_host(), smoothed(values, numpy.concatenate)), "wrong result")


def tunes_on_request(cutune):
    torch, x, out = torch_arrays()
    smooth = cutune.kernel("smooth.space", LENGTH=LENGTH, db="tuned.csv", tune=True, progress=False)
    check(smooth.rule == "problem", "by rule " + smooth.rule)
    smooth(out, x)
    check(close(out, smoothed(x, torch.cat)), "wrong result; the context was hurt")
    again = cutune.kernel("smooth.space", LENGTH=LENGTH, db="tuned.csv", tune=True, progress=False)
    check(again.configuration == smooth.configuration, "another configuration")


# ---- Other languages ----


def triton_kernels(cutune):
    """Kernels of a compiler command: of one file, of two with scratch memory of the space, and with memory that the compiler wants."""
    torch, x, out = torch_arrays()
    need("triton")
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    os.environ["PYTHONPATH"] = os.path.join(ROOT, "tools", "python")
    examples = os.path.join(ROOT, "docs", "examples", "compilers")
    stream = torch.cuda.Stream()
    add = cutune.kernel(os.path.join(examples, "triton_add.space"), N=LENGTH)
    with torch.cuda.stream(stream):
        add(x, 2 * x, out)
    stream.synchronize()
    check(close(out, 3 * x), "add: wrong result")
    a, b = torch.rand(2, 1024, 1024, device="cuda", dtype=torch.float16) - 0.5
    c = torch.empty_like(a)
    expected = (a.float() @ b.float()).half()
    split = cutune.kernel(os.path.join(examples, "triton_splitk.space"), M=1024, N=1024, K=1024)
    described = cutune.kernel(os.path.join(ROOT, "tests", "gpu", "compilers", "triton_descriptors.space"), SIZE=1024)
    check(len(split.cubins) == 2, "splitk has %d cubins" % len(split.cubins))
    for kernel in (split, described):
        c.zero_()
        kernel(a, b, c)
        torch.testing.assert_close(c, expected, rtol=1e-2, atol=2e-2)
        print("     %s: %s" % (kernel, ", ".join(launch.entry for launch in kernel.launches)))
    graph = torch.cuda.CUDAGraph()
    c.zero_()
    with torch.cuda.graph(graph):
        split(a, b, c)
    graph.replay()
    torch.testing.assert_close(c, expected, rtol=1e-2, atol=2e-2)


CASES = [torch_result, torch_stream, torch_graph, torch_operator, torch_mismatches, torch_sizes, torch_numbers, torch_other_launches, torch_threads,
         torch_interface, cupy_result, cupy_stream, cupy_module, mixed_arrays, cuda_core, numba_arrays, tunes_on_request, triton_kernels]


def main():
    paths = sys.argv[1:4] or [os.path.join(BUILD, name) for name in ("cutune", "libcutune.so", "python/_launch.abi3.so")]
    for name, path in zip(("CUTUNE_PROGRAM", "CUTUNE_LIBRARY", "CUTUNE_EXTENSION"), paths):
        os.environ[name] = os.path.abspath(path)
    os.environ.pop("CUTUNE_DRIVER", None)
    sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
    import cutune
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["CUTUNE_CACHE"] = os.path.join(folder, "cache")
        for name, text in SPACES.items():
            with open(name + ".space", "w", encoding="utf-8") as file:
                file.write(text)
        for name, text in (("smooth.cu", SOURCE), ("cutune.csv", EMPTY)):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        try:
            print("on %s" % cutune.Device.current())
        except cutune.Error as error:
            if error.code == cutune.ErrorCode.NO_DEVICE:
                print("there is no device: skipped")
                return 77
            raise
        passed = 0
        for case in CASES:
            try:
                case(cutune)
                print("PASS %s" % case.__name__, flush=True)
                passed += 1
            except Skip as reason:
                print("SKIP %s: %s" % (case.__name__, reason), flush=True)
            except Exception:
                failed += 1
                print("FAIL %s\n%s" % (case.__name__, traceback.format_exc()), flush=True)
        os.chdir("/")
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0 if passed else 77


if __name__ == "__main__":
    sys.exit(main())
