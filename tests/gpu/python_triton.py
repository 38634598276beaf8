#!/usr/bin/env python3
"""Triton kernels tuned by cutune.triton on a real GPU: python_triton.py PROGRAM LIBRARY EXTENSION [CASE...]. Prints a row PASS or FAIL for each
case. Exit status 77: no Triton, no torch or no device."""
import glob
import importlib.util
import os
import re
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools", "python"))
if not all(importlib.util.find_spec(name) for name in ("numpy", "torch", "triton")):
    print("skipped: NumPy, torch or Triton is missing")
    sys.exit(77)

import torch
import triton
import triton.language as tl

import cutune
import cutune.triton
import support


def configs(names, *rows):
    return [triton.Config(dict(zip(names, row)), num_warps=warps, num_stages=stages) for *row, warps, stages in rows]


# ---- Kernels: each with its 20 configurations, its call, and torch's result ----


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def product(a, b, c, M, N, K, stride_a, stride_b, stride_c, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    columns = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    inner = tl.arange(0, TILE_K)
    from_a = a + rows[:, None] * stride_a + inner[None, :]
    from_b = b + inner[:, None] * stride_b + columns[None, :]
    total = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for k in range(0, K, TILE_K):
        left = tl.load(from_a, mask=(rows[:, None] < M) & (inner[None, :] < K - k), other=0.0)
        right = tl.load(from_b, mask=(inner[:, None] < K - k) & (columns[None, :] < N), other=0.0)
        total = tl.dot(left, right, total)
        from_a += TILE_K
        from_b += TILE_K * stride_b
    inside = (rows[:, None] < M) & (columns[None, :] < N)
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(tl.float16), mask=inside)


@triton.jit
def norm(x, out, weight, bias, mean, deviation, stride, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        values = tl.load(x + at, mask=at < columns, other=0.0)
        total += values
        squares += values * values
    average = tl.sum(total, axis=0) / columns
    inverse = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns - average * average + eps)
    tl.store(mean + row, average)
    tl.store(deviation + row, inverse)
    for first in range(0, columns, BLOCK):
        at = first + tl.arange(0, BLOCK)
        inside = at < columns
        values = tl.load(x + at, mask=inside)
        scaled = (values - average) * inverse * tl.load(weight + at, mask=inside) + tl.load(bias + at, mask=inside)
        tl.store(out + at, scaled, mask=inside)


@triton.constexpr_function
def crash(block):
    if block == 64:
        getattr(os, "abort")()  # by name, for Triton refuses to hash a function of C
    return 0


@triton.jit
def faulty(x, out, n, BLOCK: tl.constexpr, FACTOR: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + crash(BLOCK)
    values = tl.load(x + at, mask=at < n) * FACTOR
    tl.store(out + at, values, mask=at < n)


def blocks(values, warps=(2, 4, 8, 16)):
    return configs(["BLOCK"], *((block, count, 3) for block in values for count in warps))


def tiles():
    rows = [(m, n, k, 8 if m * n > 8192 else 4, stages) for m in (64, 128) for n in (64, 128, 256) for k in (32, 64) for stages in (3, 4)]
    return configs(["TILE_M", "TILE_N", "TILE_K"], *rows[:20])


def of_add():
    x, y = torch.rand(2, 1 << 24, device="cuda")
    out = torch.empty_like(x)
    call = [x, y, out, x.numel()]
    return add, blocks((256, 512, 1024, 2048, 4096)), ["n"], call, lambda m: (triton.cdiv(m["n"], m["BLOCK"]),), out, lambda: x + y


def of_softmax():
    x = torch.randn(4096, 2000, device="cuda")
    out = torch.empty_like(x)
    call = [x, out, x.stride(0), x.shape[1]]
    listed = blocks((2048, 4096), (1, 2, 4, 8, 16, 32)) + blocks((8192,), (4, 8, 16, 32)) + blocks((16384,), (4, 8, 16, 32))
    return softmax, listed, ["columns"], call, (4096,), out, lambda: torch.softmax(x, dim=1)


def of_product():
    a, b = torch.randn(2, 2048, 2048, device="cuda", dtype=torch.float16) / 8
    out = torch.empty_like(a)
    call = [a, b, out, 2048, 2048, 2048, a.stride(0), b.stride(0), out.stride(0)]
    grid = lambda m: (triton.cdiv(m["M"], m["TILE_M"]), triton.cdiv(m["N"], m["TILE_N"]))
    return product, tiles(), ["M", "N", "K"], call, grid, out, lambda: a @ b


def of_norm():
    x = torch.randn(4096, 4096, device="cuda")
    weight, bias = torch.rand(2, 4096, device="cuda")
    mean, deviation = torch.empty(2, 4096, device="cuda")
    out = torch.empty_like(x)
    call = [x, out, weight, bias, mean, deviation, x.stride(0), x.shape[1], 1e-5]
    expected = lambda: torch.nn.functional.layer_norm(x, (4096,), weight, bias, 1e-5)
    return norm, blocks((256, 512, 1024, 2048, 4096)), ["columns"], call, (4096,), out, expected


WORKED = ("ok", "slower")


# ---- Cases: each prints its figures and returns the fault, or "" ----


def verified():
    kernel, listed, key, call, grid, out, expected = of_norm()
    own = cutune.triton.autotune(configs=listed, key=key, tolerance={"rel": 1e-3, "abs": 1e-4}, reference=lambda x, out, weight, bias, *rest: {
        "out": torch.nn.functional.layer_norm(x, (4096,), weight, bias, 1e-5)})(kernel)
    own[grid](*call)
    return "" if len(own.results) == 1 and own.best_config in listed else "it is not tuned"


def faults():
    x = torch.rand(1 << 20, device="cuda")
    out = torch.empty_like(x)
    listed = configs(["BLOCK", "FACTOR"], (256, 2, 4, 3), (64, 2, 4, 3), (128, 3, 4, 3), (100, 2, 4, 3), (1024, 2, 4, 3))
    own = cutune.triton.autotune(configs=listed, key=["n"], reference=lambda x, out, n: 2 * x)(faulty)
    own[lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)](x, out, x.numel())
    torch.testing.assert_close(out, 2 * x)
    frame = own.results[0].frame()
    status = {int(block): (str(s), str(m)) for block, s, m in zip(frame["BLOCK"], frame["status"], frame["message"])}
    for row in status.items():
        print("BLOCK=%d: %s" % (row[0], row[1]))
    wanted = {256: WORKED, 1024: WORKED, 64: ("compile_error",), 128: ("wrong_result",), 100: ("compile_error",)}
    wrong = [block for block in wanted if status.get(block, ("absent",))[0] not in wanted[block]]
    return "status of BLOCK=%s" % wrong if wrong else ""


def majority():
    """Without a reference, the first configuration is wrong, and so the others are right."""
    x = torch.rand(1 << 20, device="cuda")
    out = torch.empty_like(x)
    listed = configs(["BLOCK", "FACTOR"], (128, 3, 4, 3), (256, 2, 4, 3), (512, 2, 4, 3), (1024, 2, 4, 3))
    own = cutune.triton.autotune(configs=listed, key=["n"])(faulty)
    own[lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)](x, out, x.numel())
    torch.testing.assert_close(out, 2 * x)
    return "" if own.best_config.kwargs["FACTOR"] == 2 else "the winner is %s" % own.best_config


def too_much_shared():
    kernel, _, key, call, grid, out, expected = of_product()
    listed = configs(["TILE_M", "TILE_N", "TILE_K"], (64, 64, 32, 4, 3), (128, 256, 64, 8, 8), (64, 128, 32, 4, 4))
    own = cutune.triton.autotune(configs=listed, key=key)(kernel)
    own[grid](*call)
    torch.testing.assert_close(out, expected(), rtol=1e-2, atol=1e-2)
    frame = own.results[0].frame()
    statuses = {int(tile): str(status) for tile, status in zip(frame["TILE_N"], frame["status"])}
    print(statuses, [str(text) for text in frame["message"] if str(text)])
    return "" if statuses[64] in WORKED and statuses[256] not in WORKED else "%s" % statuses


def one():
    """A process of `at_once`: prints its configuration, and whether it has tuned."""
    kernel, listed, key, call, grid, out, expected = of_add()
    own = cutune.triton.autotune(configs=listed, key=key)(kernel)
    own[grid](*call)
    torch.testing.assert_close(out, expected())
    print("ANSWER %s TUNED %d" % (own.best_config, len(own.results)))


def at_once():
    environment = {**os.environ, "CUTUNE_DATABASE": os.path.abspath("at_once/cutune.csv")}
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:4], "one"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) for _ in range(8)]
    lines = []
    for process in started:
        text, _ = process.communicate(timeout=300)
        lines += [line for line in text.splitlines() if line.startswith("ANSWER ")] or ["no answer: " + text[-2000:]]
    for line in lines:
        print(line)
    answers = {line.partition(" TUNED ")[0] for line in lines}
    tuned = sum(line.endswith("TUNED 1") for line in lines)
    return "" if len(lines) == 8 and len(answers) == 1 and tuned == 1 else "%d answers, %d tuned" % (len(answers), tuned)


def later():
    kernel, listed, key, call, grid, out, expected = of_softmax()
    own = cutune.triton.autotune(configs=listed, key=key, tune="later", reference=lambda x, *rest: torch.softmax(x, dim=1))(kernel)
    os.environ["CUTUNE_DATABASE"] = os.path.abspath("later.csv")
    own[grid](*call)
    if own.best_config != listed[0] or own.results:
        return "the first configuration does not run"
    results = cutune.tune_recorded()
    print(results[0] if results else "no result")
    own[grid](*call)
    torch.testing.assert_close(out, expected())
    del os.environ["CUTUNE_DATABASE"]
    return "" if len(results) == 1 and own.cache else "%d results" % len(results)


def capture():
    kernel, listed, key, call, grid, out, expected = of_add()
    call[3] -= 16
    own = cutune.triton.autotune(configs=listed, key=key)(kernel)
    kernel[grid](*call, **listed[0].all_kwargs())
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        own[grid](*call)
    graph.replay()
    torch.cuda.synchronize()
    torch.testing.assert_close(out[:-16], expected()[:-16])
    return "it tunes while a stream is captured" if own.results or own.cache else ""


def killed():
    """SIGKILL of the process that tunes, of four that start with an empty database: the next one continues its journal."""
    folder = os.path.abspath("killed")
    environment = {**os.environ, "CUTUNE_DATABASE": os.path.join(folder, "cutune.csv"), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, os.path.abspath(__file__), *sys.argv[1:4], "one"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment) for _ in range(4)]
    journal = lambda: sum(open(path).read().count("\n") for path in glob.glob(os.path.join(folder, "cutune.d", "*.csv")))
    deadline = time.monotonic() + 120
    while journal() < 30 and time.monotonic() < deadline:
        time.sleep(0.01)
    with open(os.path.join(folder, "cutune.csv.tuning")) as file:
        victim = int(file.read())
    os.kill(victim, 9)
    texts = {process.pid: process.communicate(timeout=300)[0] for process in started}
    lines = [line for pid, text in texts.items() for line in text.splitlines() if line.startswith("ANSWER ") and pid != victim]
    print("killed process %d of %s\n%s" % (victim, list(texts), "\n".join(lines)))
    answers = {line.partition(" TUNED ")[0] for line in lines}
    return "" if len(lines) == 3 and len(answers) == 1 and victim in texts else "%s" % texts


def torch_compile():
    """In a function that torch compiles, nothing is tuned: torch takes the first configuration, and after a call that one's."""
    kernel, listed, key, call, grid, out, expected = of_add()
    own = cutune.triton.autotune(configs=listed[:3], key=key)(kernel)

    @torch.compile(fullgraph=True)
    def compiled(x, y):
        result = torch.empty_like(x)
        own[lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)](x, y, result, x.numel())
        return result + 1

    from torch._inductor.utils import run_and_get_code
    for called in (False, True):
        if called:
            own[grid](*call)
            torch._dynamo.reset()
        wanted = str((own.best_config or listed[0]).kwargs["BLOCK"])
        result, code = run_and_get_code(compiled, call[0], call[1])
        torch.testing.assert_close(result, expected() + 1)
        found = set(re.findall(r"""['"]BLOCK['"]: (\d+)""", "".join(code)))
        print("torch compiles BLOCK=%s" % ", ".join(sorted(found)))
        if found != {wanted} or len(own.results) != called:
            return "torch takes %s, not %s; cutune has tuned %d" % (found, wanted, len(own.results))
    return ""


def fit():
    """Listed sizes are tuned, and a size between them takes the choice of the fit."""
    own = cutune.triton.autotune(configs=blocks((256, 1024, 4096), (4, 8)), key=["n"], sizes={"n": [1 << 14, 1 << 19, 1 << 24]})(add)
    grid = lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)
    for shift in (14, 19, 24, 16, 22):
        x, y = torch.rand(2, 1 << shift, device="cuda")
        out = torch.empty_like(x)
        own[grid](x, y, out, 1 << shift)
        torch.testing.assert_close(out, x + y)
        print("n = 2^%d: %s, %d tuned" % (shift, own.best_config, len(own.results)))
    return "" if len(own.results) == 3 and len(own.cache) == 5 else "%d tuned, %d known" % (len(own.results), len(own.cache))


def several_keys():
    """A later tuner finds the answers of all keys, and a key that is not tuned runs the configuration of the nearest one."""
    listed = blocks((256, 1024, 4096), (4, 8))
    tuners = [cutune.triton.autotune(configs=listed, key=["n"], tune=when)(add) for when in ("now", "now", "never")]
    grid = lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)
    chosen = [{}, {}, {}]
    for tuner, answers in zip(tuners, chosen):
        for shift in (12, 18, 24) if tuner is not tuners[2] else (13, 23):
            x, y = torch.rand(2, 1 << shift, device="cuda")
            out = torch.empty_like(x)
            tuner[grid](x, y, out, 1 << shift)
            torch.testing.assert_close(out, x + y)
            answers[shift] = str(tuner.best_config)
    print(chosen)
    if [len(tuner.results) for tuner in tuners] != [3, 0, 0] or chosen[0] != chosen[1]:
        return "tuned again: %s" % [len(tuner.results) for tuner in tuners]
    return "" if chosen[2] == {13: chosen[0][12], 23: chosen[0][24]} else "not the nearest key's configuration"


def nested():
    """A kernel in a function, with a constant of the function's."""
    factor = tl.constexpr(3)

    @triton.jit
    def scaled(out, x, n, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, factor * tl.load(x + at, mask=at < n), mask=at < n)

    own = cutune.triton.autotune(configs=blocks((256, 1024), (4, 8)), key=["n"])(scaled)
    x = torch.rand(1 << 20, device="cuda")
    out = torch.empty_like(x)
    own[lambda m: (triton.cdiv(m["n"], m["BLOCK"]),)](out, x, x.numel())
    torch.testing.assert_close(out, 3 * x)
    return "" if len(own.results) == 1 else own.served_by_triton


def launch_cost():
    """The host's cost of a launch, in batches that take turns, so that a drift of the machine affects all alike."""
    x, y = torch.rand(2, 1024, device="cuda")
    out = torch.empty_like(x)
    listed = blocks((256, 512), (4,))
    options = {"configs": listed, "key": ["n"]}
    theirs, own = triton.autotune(**options)(add), cutune.triton.autotune(**options)(add)
    direct = cutune.triton.autotune(**options, launch="direct")(add)
    constant = {"BLOCK": 256, "num_warps": 4}
    calls = {
        "triton.autotune": lambda: theirs[(4,)](x, y, out, 1024),
        "cutune": lambda: own[(4,)](x, y, out, 1024),
        "cutune, direct": lambda: direct[(4,)](x, y, out, 1024),
        "triton.jit": lambda: add[(4,)](x, y, out, 1024, **constant),
    }
    times = {name: [] for name in calls}
    for batch in range(120):
        for name, call in calls.items():
            torch.cuda.synchronize()
            begin = time.perf_counter_ns()
            for _ in range(100):
                call()
            spent = time.perf_counter_ns() - begin
            if batch >= 20:
                times[name].append(spent / 100e3)
    for name, values in times.items():
        ratios = statistics.quantiles([value / other for value, other in zip(values, times["triton.autotune"])], n=20)
        print("%-16s %6.2f us per call (quartiles %.2f to %.2f); over triton.autotune, batch by batch: %.3f (90%% of batches %.3f to %.3f)" % (
            name, *[statistics.quantiles(values, n=4)[at] for at in (1, 0, 2)], ratios[9], ratios[0], ratios[-1]))
    torch.cuda.synchronize()
    torch.testing.assert_close(out, x + y)
    return ""


def disk_cache():
    """The worker's code of the winner is what Triton launches: the launch adds nothing to Triton's cache."""
    kernel, listed, key, call, grid, out, expected = of_add()
    call[3] -= 32
    os.environ["TRITON_CACHE_DIR"] = folder = os.path.abspath("shared-cache")
    kernel.device_caches.clear()
    own = cutune.triton.autotune(configs=listed, key=key)(kernel)
    before, run = [], kernel.run
    def counted(*args, **kwargs):
        before.append(sum(name.endswith(".cubin") for _, _, names in os.walk(folder) for name in names))
        return run(*args, **kwargs)
    kernel.run = counted
    own[grid](*call)
    del kernel.run
    after = sum(name.endswith(".cubin") for _, _, names in os.walk(folder) for name in names)
    print("cubins before the launch %s, after it %d" % (before, after))
    return "" if before == [after] and after >= len(listed) else "the launch compiles again"


CASES = {each.__name__: each for each in (verified, faults, majority, too_much_shared, at_once, killed, later, capture, torch_compile, fit, nested,
                                          disk_cache, launch_cost, several_keys)}


def main():
    os.environ.update(zip(("CUTUNE_PROGRAM", "CUTUNE_LIBRARY", "CUTUNE_EXTENSION"), map(os.path.abspath, sys.argv[1:4])))
    if not torch.cuda.is_available():
        print("skipped: no device")
        return support.SKIPPED
    if sys.argv[4:] == ["one"]:
        one()
        return 0
    return support.run_cases(CASES, sys.argv[4:])


if __name__ == "__main__":
    sys.exit(main())
