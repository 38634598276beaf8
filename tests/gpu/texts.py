"""Cases of run.py: texts of kernels, their macros and files."""
import os
import shutil

from support import ROOT, WORKED, check, cutune, rows_of, show_times, tune, tune_space


def own_files(folder):
    """Kernels of launches, fills and the accept kernel have files of their own. Parameters replace macros that the
    source defines, and one has another name there."""
    record, rows, _ = tune_space("segments/segments", folder=folder)
    show_times(rows, "width", "PER_THREAD", "FAULT")
    for row in rows:
        healthy = row["FAULT"] == "healthy"
        check(row["status"] in (WORKED if healthy else ("wrong_result",)), "%s" % row)
    for fault, words in (("adds_twice", "accept judge counts 1024 wrong"), ("skips_the_last", "accept judge counts 1024 wrong"),
                         ("writes_beside", "outside a buffer")):
        check(all(words in row["message"] for row in rows if row["FAULT"] == fault), "%s does not say '%s'" % (fault, words))
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])
    check(not any(row["status"] == "duplicate" for row in rows), "a macro changes nothing")


def generated(folder):
    """A program writes the source. Its failures cost one configuration each, and the wrong kernel is caught."""
    record, rows, _ = tune_space("segments/generated", "--timeout", "3", folder=folder)
    show_times(rows, "UNROLL", "BLOCK", "FAULT")
    expected = {"healthy": WORKED, "forgets": ("wrong_result",), "crashes": ("compile_error",), "hangs": ("timeout", "compile_error")}
    for row in rows:
        check(row["status"] in expected[row["FAULT"]], "%s" % row)
    check("no template for this value" in next(row["message"] for row in rows if row["FAULT"] == "crashes"), "no reason")
    check("FAULT=healthy" in record["configuration"], "the winner is " + record["configuration"])


SQUARE = "block 32, 8 grid ceildiv(%s, 32), ceildiv(%s, 8)"

# Kernels in the manner of others: the answers for the lines that `cutune init` leaves open, by the beginnings of these
# lines, and a condition of configurations that are wrong.
DRAFTS = {
    "convolution": ({
        "buffer output": "buffer output float[2048 * 1024] output",
        "buffer input": "buffer input float[(2048 + 16) * (1024 + 16)] random",
        "buffer filter": "buffer filter float[17 * 17] random",
        "grid": "grid 2048 / (block_size_x * tile_size_x), 1024 / (block_size_y * tile_size_y)",
        "reference": 'reference plain_convolution "plain.cu" ' + SQUARE % (2048, 1024),
        "tolerance": "tolerance rel 1e-4"}, lambda row: row["use_constant"] == "1"),  # another filter
    "gemm": ({
        "problem M": "problem M = 512", "problem N": "problem N = 512", "problem K": "problem K = 256",
        "buffer a": "buffer a float[M * K] random", "buffer b": "buffer b float[K * N] random",
        "buffer c": "buffer c float[M * N] zero inout",
        "grid": "grid M / MDIM, N / NDIM",
        "reference": 'reference plain_gemm "plain.cu" ' + SQUARE % ("M", "N"),
        "tolerance": "tolerance rel 1e-4"}, lambda row: row["VWM"] != "1" or row["PRECISE"] == "1"),
    "layernorm": ({
        "problem N": "problem N = 8192", "problem C": "problem C = 768",
        "buffer out": "buffer out float[N * C] output", "buffer inp": "buffer inp float[N * C] random",
        "buffer weight": "buffer weight float[C] random",
        "reference": 'reference plain_layernorm "plain.cu" block 128 grid ceildiv(N, 128)',
        "tolerance": "tolerance rel 1e-4 abs 1e-5"}, lambda row: False),
    "matrix_mul": ({
        "problem W_A": "problem W_A = 320", "problem W_B": "problem W_B = 640\nproblem H_A = 320",
        "buffer C": "buffer C float[W_B * H_A] output", "buffer A": "buffer A float[W_A * H_A] random",
        "buffer B": "buffer B float[W_B * W_A] random",
        "grid": "grid W_B / BLOCK_SIZE_VALUE, H_A / BLOCK_SIZE_VALUE",
        "reference": 'reference plain_matrix_mul "plain.cu" ' + SQUARE % ("W_B", "H_A"),
        "tolerance": "tolerance rel 1e-4"}, lambda row: False),
    "reduce": ({
        "problem N": "problem N = 1 << 16",
        "buffer g_idata": "buffer g_idata float[N] random", "buffer g_odata": "buffer g_odata float[1] output",
        "grid": "grid 1", "shared": "shared 4 * BLOCK_SIZE",
        "reference": 'reference plain_sum "plain.cu" block 1 grid 1',
        "tolerance": "tolerance rel 1e-4"}, lambda row: False)}


def drafted(folder):
    """A space that `cutune init` wrote tunes once its open lines are filled in. Wrong configurations are caught."""
    shutil.copy(os.path.join(ROOT, "tests/gpu/drafts/plain.cu"), folder)
    for name, (answers, wrong) in DRAFTS.items():
        own = os.path.join(folder, name)
        os.mkdir(own)
        for file in (os.path.join(ROOT, "tests/cli/fixtures/init", name + ".cu"), os.path.join(folder, "plain.cu")):
            shutil.copy(file, own)
        options = ["--kernel", "layernorm_forward_kernel2"] if name == "layernorm" else []
        done = cutune("init", name + ".cu", "-o", name + ".space", *options, folder=own)
        check(done.returncode == 0, "init: " + done.stderr)
        with open(os.path.join(own, name + ".space")) as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines):
            if "???" in line and not line.startswith("#"):
                lines[number] = next(text for start, text in answers.items() if line.startswith(start + " "))
        with open(os.path.join(own, name + ".space"), "w") as file:
            file.write("\n".join(lines) + "\n")
        record = tune("--space", name + ".space", "--max-evals", "24", "--playoff-processes", "1", folder=own)
        rows = rows_of(own)
        show_times(rows, *list(rows[0])[:3])
        for row in rows:
            allowed = ("wrong_result",) if wrong(row) else WORKED
            check(row["status"] in (*allowed, "pruned_limit"), "%s" % row)
        statuses = {row["status"] for row in rows}
        check("ok" in statuses and ("wrong_result" in statuses) == any(map(wrong, rows)), "%s" % statuses)
        print(name, record["configuration"], record["time_ns"])
