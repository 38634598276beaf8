#!/usr/bin/env python3
"""The tutorials of Triton, as they are but for the decorator, tuned by triton.autotune and by cutune.triton.autotune:
python_tutorials.py PROGRAM LIBRARY FOLDER [CASE...]. FOLDER has the files of python/tutorials of Triton's repository. Prints a row PASS
or FAIL for each case, with both winners, the seconds of tuning, and the ratio of the times by two timers. Exit status 77: no Triton, no
torch, no device or no tutorials."""
import importlib
import importlib.util
import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
if not all(importlib.util.find_spec(name) for name in ("numpy", "torch", "triton")):
    print("skipped: NumPy, torch or Triton is missing")
    sys.exit(77)

import torch
import triton

import cutune
import cutune.triton
import support

FOLDER = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else ""
ENDS = ("torch.manual_seed(", "@pytest.mark", "@triton.testing.perf_report")  # where tests and benchmarks of a tutorial begin
WORKED = ("ok", "slower")
ROUNDS = 7


def load(file, name, **changes):
    """A tutorial up to its tests, as a module of that name."""
    with open(os.path.join(FOLDER, file)) as source:
        text = source.read()
    text = text[:min(at for at in map(text.find, ENDS) if at > 0)].replace("import pytest\n", "\n")
    for old, new in changes.values():
        text = text.replace(old, new)
    with open(name + ".py", "w") as target:
        target.write(text)
    return importlib.import_module(name)


def pair(file, name):
    """The tutorial with triton.autotune, and with cutune's: the decorator is all that differs. The import stays on its line."""
    ours = {"import": ("import triton\n", "import triton; import cutune.triton\n"), "decorator": ("@triton.autotune", "@cutune.triton.autotune")}
    return load(file, name + "_theirs"), load(file, name + "_ours", **ours)


def configs(names, rows):
    return [triton.Config(dict(zip(names, row)), num_warps=warps, num_stages=stages) for *row, warps, stages in rows]


def timed(call):
    """The result of a call, and its seconds."""
    torch.cuda.synchronize()
    begin = time.perf_counter()
    result = call()
    torch.cuda.synchronize()
    return result, time.perf_counter() - begin


def compare(theirs, ours):
    """The fault, or "". cutune's timer gives an interval of the ratio; Triton's gives a ratio for each of several rounds in turn."""
    ratio = cutune.compare({"triton.autotune": theirs, "cutune": ours}, cache="warm").ratios["cutune"]
    rounds = sorted(triton.testing.do_bench(ours, rep=30) / triton.testing.do_bench(theirs, rep=30) for _ in range(ROUNDS))
    print("  time of cutune's winner over that of triton.autotune's: by cutune.compare %s; by do_bench %.4f (%.4f to %.4f)" % (
        ratio, rounds[ROUNDS // 2], rounds[1], rounds[-2]))
    return "cutune's winner is slower" if ratio.low > 1.02 and rounds[1] > 1.02 else ""


def judge(name, theirs, ours, tuners, expected, tolerance=1e-2):
    """Tunes by both, and compares results and winners. `tuners` are the decorated kernels."""
    their_tuner, our_tuner = tuners
    os.environ["TRITON_CACHE_DIR"] = os.path.abspath("cache-theirs-" + name)
    triton.knobs.cache.dir = os.environ["TRITON_CACHE_DIR"]
    their_result, their_s = timed(theirs)
    their_result = their_result.clone()  # cutune's may be in the same memory
    os.environ["TRITON_CACHE_DIR"] = os.path.abspath("cache-ours-" + name)
    triton.knobs.cache.dir = os.environ["TRITON_CACHE_DIR"]
    our_result, our_s = timed(ours)
    count = len(their_tuner.configs)
    print("  %d configurations: triton.autotune %.1f s, %s" % (count, their_s, their_tuner.best_config))
    print("  %d configurations: cutune %.1f s (%.2f of it), %s" % (count, our_s, our_s / their_s, our_tuner.best_config))
    if our_tuner.served_by_triton or not our_tuner.results:
        return "cutune has not tuned: " + our_tuner.served_by_triton
    frame = our_tuner.results[0].frame()
    statuses = [str(status) for status in frame["status"]]
    print("  " + ", ".join("%d %s" % (statuses.count(status), status) for status in dict.fromkeys(statuses)))
    for status, message in dict(zip(statuses, map(str, frame["message"]))).items():
        if status not in WORKED:
            print("  %s: %.160s" % (status, message))
    torch.testing.assert_close(our_result, their_result, rtol=tolerance, atol=tolerance)
    torch.testing.assert_close(our_result, expected, rtol=tolerance, atol=tolerance)
    return compare(theirs, ours)


def decorated(modules, attribute, listed, key):
    """Puts both autotuners around a kernel that its tutorial does not tune."""
    theirs, ours = (getattr(module, attribute) for module in modules)
    setattr(modules[0], attribute, triton.autotune(configs=listed, key=key)(theirs))
    setattr(modules[1], attribute, cutune.triton.autotune(configs=listed, key=key)(ours))
    return [getattr(module, attribute) for module in modules]


# ---- Cases ----


def add():
    modules = pair("01-vector-add.py", "tutorial_add")
    listed = configs(["BLOCK_SIZE"], [(block, warps, 3) for block in (256, 512, 1024, 2048, 4096) for warps in (2, 4, 8, 16)])
    tuners = decorated(modules, "add_kernel", listed, ["n_elements"])
    x, y = torch.rand(2, 1 << 24, device="cuda")
    out = torch.empty_like(x)
    calls = [lambda tuner=tuner: (tuner[lambda m: (triton.cdiv(m["n_elements"], m["BLOCK_SIZE"]),)](x, y, out, x.numel()), out)[1]
             for tuner in tuners]
    return judge("add", *calls, tuners, x + y)


def softmax():
    modules = pair("02-fused-softmax.py", "tutorial_softmax")
    listed = configs(["BLOCK_SIZE"], [(2048, warps, stages) for warps in (1, 2, 4, 8, 16) for stages in (1, 2, 3, 4)])
    tuners = decorated(modules, "softmax_kernel", listed, ["n_cols"])
    x = torch.randn(4096, 1823, device="cuda")
    out = torch.empty_like(x)
    calls = [lambda tuner=tuner: (tuner[(1056,)](out, x, x.stride(0), out.stride(0), *x.shape), out)[1] for tuner in tuners]
    return judge("softmax", *calls, tuners, torch.softmax(x, dim=1))


def matmul():
    theirs, ours = pair("03-matrix-multiplication.py", "tutorial_matmul")
    a, b = torch.rand(2, 2048, 2048, device="cuda", dtype=torch.float16) - 0.5
    return judge("matmul", lambda: theirs.matmul(a, b), lambda: ours.matmul(a, b), (theirs.matmul_kernel, ours.matmul_kernel), a @ b)


def norm():
    modules = pair("05-layer-norm.py", "tutorial_norm")
    listed = configs(["BLOCK_SIZE"], [(block, warps, 3) for block in (256, 512, 1024, 2048, 4096) for warps in (2, 4, 8, 16)])
    tuners = decorated(modules, "_layer_norm_fwd_fused", listed, ["N"])
    x = torch.randn(4096, 4096, device="cuda")
    weight, bias = torch.rand(2, 4096, device="cuda")
    mean, deviation = torch.empty(2, 4096, device="cuda")
    out = torch.empty_like(x)
    calls = [lambda tuner=tuner: (tuner[(4096,)](x, out, weight, bias, mean, deviation, x.stride(0), 4096, 1e-5), out)[1] for tuner in tuners]
    return judge("norm", *calls, tuners, torch.nn.functional.layer_norm(x, (4096,), weight, bias, 1e-5))


def attention():
    """With descriptors of the host, whose blocks a pre_hook sets."""
    theirs, ours = pair("06-fused-attention.py", "tutorial_attention")
    q, k, v = torch.randn(3, 4, 16, 4096, 64, device="cuda", dtype=torch.float16) / 2
    calls = [lambda module=module: module.attention(q, k, v, True, 0.5, False) for module in (theirs, ours)]
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.5)
    return judge("attention", *calls, (theirs._attn_fwd, ours._attn_fwd), expected)


def tuned_by_both(count):
    """The seconds of tuning matmul_kernel with so many configurations."""
    theirs, ours = pair("03-matrix-multiplication.py", "tutorial_matmul_%d" % count)
    rows = [(m, n, k, 8, warps, stages) for m in (32, 64, 128) for n in (32, 64, 128) for k in (32, 64) for warps in (2, 4, 8) for stages in (3, 4)]
    listed = configs(["BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K", "GROUP_SIZE_M"], rows[::len(rows) // count][:count])
    kernels = [module.matmul_kernel.fn for module in (theirs, ours)]
    theirs.matmul_kernel = triton.autotune(configs=listed, key=["M", "N", "K"])(kernels[0])
    ours.matmul_kernel = cutune.triton.autotune(configs=listed, key=["M", "N", "K"])(kernels[1])
    a, b = torch.rand(2, 2048, 2048, device="cuda", dtype=torch.float16) - 0.5
    calls = [lambda module=module: module.matmul(a, b) for module in (theirs, ours)]
    return judge("matmul%d" % count, *calls, (theirs.matmul_kernel, ours.matmul_kernel), a @ b)


CASES = {"add": add, "softmax": softmax, "matmul": matmul, "norm": norm, "attention": attention, "twenty": lambda: tuned_by_both(20),
         "hundred": lambda: tuned_by_both(100)}


def main():
    os.environ.update(CUTUNE_PROGRAM=os.path.abspath(sys.argv[1]), CUTUNE_LIBRARY=os.path.abspath(sys.argv[2]))
    if not torch.cuda.is_available() or not os.path.isdir(FOLDER):
        print("skipped: no device, or no tutorials in %s" % (FOLDER or "a folder that the command names"))
        return support.SKIPPED
    triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    return support.run_cases(CASES, sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
