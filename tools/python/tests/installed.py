"""Uses an installed wheel as a newcomer does, without a compiler and a toolkit: tools/wheel and tests/gpu/python_wheel.py run it in clean
environments.

    installed.py [--nvrtc MAJOR]    NVRTC must be that of NVIDIA's packages, of this version, and so must be the headers"""

from __future__ import annotations

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

import cutune

HEADERS = "cuda_fp16.h", "cooperative_groups.h", "mma.h", "cub/block/block_reduce.cuh", "cuda/atomic"


def require(what: str, condition: object) -> None:
    if not condition:
        sys.exit(f"failed: {what}")
    print(f"passed: {what}")


def output(*words: str, status: int = 0) -> str:
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != status:
        print(done.stdout)
    require(" ".join(words[:4]), done.returncode == status)
    return done.stdout


def import_s() -> float:
    """Processor seconds that the import adds to the interpreter's start: the median of eleven pairs."""

    def seconds(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    seconds("import cutune")
    return statistics.median(seconds("import cutune") - seconds("pass") for _ in range(11))


def check_nvrtc(major: int | None) -> None:
    """Everything is compiled without a GPU."""
    toolkit = cutune.toolkit()
    if major:
        require(f"NVRTC is {toolkit.nvrtc}", (toolkit.major, toolkit.origin) == (major, "NVIDIA's packages"))
    if not toolkit.nvrtc:
        return
    device = os.path.join(cutune.data_dir(), "devices", "H200.csv")
    compiled = cutune.command("check", "transpose", compile=2, device_file=device)
    require(f"NVRTC {toolkit.major} of {toolkit.origin} compiles", "compile" in compiled)
    if not major:
        return
    with open("headers.cu", "w", encoding="utf-8") as file:
        file.write(
            "".join(f"#include <{header}>\n" for header in HEADERS) + 'extern "C" __global__ void one(float *out) { *out = BLOCK; }\n'
        )
    space = cutune.Space().kernel("one", "headers.cu").param("BLOCK", [32, 64]).buffer("out", "float", 1, "output").args("out")
    space.block("BLOCK").grid(1).reference("default").default(BLOCK=32).save("headers.space")
    compiled = cutune.command("check", "headers.space", compile=2, device_file=device)
    require("headers are found: " + ", ".join(HEADERS), "compile" in compiled)


def example_of_readme() -> str:
    """The Python example, in a folder with the README's kernel and space."""
    with open(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3, "README.md"), encoding="utf-8") as file:
        text = file.read()
    for kind, name in (("cuda", "smooth.cu"), ("space", "smooth.space")):
        blocks = re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        with open(name, "w", encoding="utf-8") as file:
            file.write(next(block for block in blocks if "smooth" in block))
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[0]


def check_tuning() -> None:
    """The README's example tunes, and a kernel is loaded; without a GPU, an error says so."""
    code = example_of_readme()
    try:
        exec(code, {})
    except cutune.Error as error:
        require("without a GPU the error says so", error.code == cutune.ErrorCode.NO_DEVICE)
    else:
        print("passed: the README's example on a GPU")
    try:
        kernel = cutune.kernel("transpose", db=os.path.join(cutune.data_dir(), "recorded.csv"))
    except cutune.Error as error:
        require("the extension module is loaded, and asks for a GPU", error.code == cutune.ErrorCode.NO_DEVICE)
    else:
        print(f"passed: loaded on a GPU: {kernel}")


def main() -> None:
    major = int(sys.argv[2]) if sys.argv[1:2] == ["--nvrtc"] else None
    os.chdir(tempfile.mkdtemp(prefix="cutune-installed-"))
    program = shutil.which("cutune")
    require("the program is on PATH, beside this Python", program and os.path.dirname(program) == os.path.dirname(sys.executable))
    require("the package is the installed one", os.path.dirname(cutune.__file__).startswith(sys.prefix))
    require("versions agree", output("cutune", "--version").strip() == f"cutune {cutune.__version__}")
    require("templates are found", "valid" in output("cutune", "check", "transpose"))
    require("scripts are found", "script" not in output("cutune", "import", "missing.json", status=1))
    for folder, file in ((cutune.include_dir(), "cutune.h"), (cutune.cmake_dir(), "cutuneConfig.cmake"), (cutune.data_dir(), "licences")):
        require(f"{file} is installed", os.path.exists(os.path.join(folder, file)))
    require("python -m cutune --include", output(sys.executable, "-m", "cutune", "--include").strip() == cutune.include_dir())
    require("python -m cutune --cmakedir", output(sys.executable, "-m", "cutune", "--cmakedir").strip() == cutune.cmake_dir())

    journal = cutune.Journal.recorded("transpose", "H200")
    result = cutune.tune("transpose", replay=journal.path, progress=False)
    require("a replay finds the winner", result.best["TILE"] == 64 and len(result.frame()["TILE"]) == 1062)
    require("a header is emitted", os.path.exists(result.header("transpose_tuned.h")))
    with open(result.report("report.html"), encoding="utf-8") as report:
        require("a report is written", report.read().rstrip().endswith("</html>"))
    choice = cutune.Database.recorded().best("transpose", cutune.Device.named("H200"), ROWS=8192, COLS=8192)
    require("a look-up says its rule", choice.rule == "problem" and choice.configuration["TILE"] == 64)
    check_tuning()
    check_nvrtc(major)
    print(f"the import takes {import_s() * 1e3:.0f} ms of processor time")


if __name__ == "__main__":
    main()
