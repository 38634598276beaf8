"""CUDA C++ compiled by clang for cutune: python3 -m cutune.compilers.clang FILE.cu...

Each kernel is an extern "C" function of the files. Parameters, defines and the launch's macros are macros; the texts of `option`
statements go to the compiler: -nocudainc and -nocudalib for a file that needs no CUDA Toolkit, --cuda-path=FOLDER for a toolkit that
clang knows. The environment variable CLANG names the compiler; it is clang++ otherwise. The result is PTX, for the device's
architecture or, if clang is too old to know it, for the newest one below that it knows; ptxas assembles it for the device."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from typing import Any

from ._sources import arguments, capability, own_package
from ._worker import Answer, CompileError, Request, serve

_OLDER = (120, 103, 100, 90, 89, 87, 86, 80, 75, 70)


def main() -> None:
    paths = arguments("clang", ".cu")
    compiler = os.environ.get("CLANG") or "clang++"
    try:
        text = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{compiler} does not run ({error}): install clang, or name it by the environment variable CLANG")
    found = re.search(r"version (\d+\.\d+\.\d+)", text)
    version = found[1] if found else "?"

    def compile(request: Request) -> Answer:
        files: set[str] = set()
        kernels = []
        for kernel, output in zip(request["kernels"], request["outputs"], strict=True):
            files |= _compile(compiler, paths, request, kernel, output)
            kernels.append({"entry": kernel["name"]})
        return {"kernels": kernels, "files": sorted(files)}

    hello = {
        "compiler": "clang",
        "version": version[:8],
        "packages": {"clang": {"version": text.splitlines()[0], "file": shutil.which(compiler) or compiler}, **own_package(__file__)},
        "files": paths,
        "variables": ["CLANG", "CPATH", "CPLUS_INCLUDE_PATH"],
    }
    serve(hello, compile)


def _compile(compiler: str, paths: list[str], request: Request, kernel: dict[str, Any], output: str) -> set[str]:
    """Writes PTX; returns the files that it was made of."""
    macros = {**request["params"], **request["defines"], **kernel["defines"]}
    architecture = _architecture(compiler, capability(request["architecture"]))
    includes = [part for path in paths[1:] for part in ("-include", path)]
    dependencies = f"{output}.d"
    command = [compiler, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch=sm_{architecture}", "-O3", "-S", "-MMD", "-MF", dependencies]
    command += [f"-D{name}={_macro(value)}" for name, value in macros.items()]
    done = subprocess.run([*command, *request["options"], *includes, "-o", output, paths[0]], capture_output=True, text=True, check=False)
    if done.returncode:
        raise _failure(done)
    print(done.stderr, file=sys.stderr, end="")
    with open(output, encoding="utf-8") as file:
        entries = re.findall(r"\.entry\s+(\w+)", file.read())
    if kernel["name"] not in entries:
        known = ", ".join(entries) or "none"
        raise CompileError(f"there is no extern \"C\" kernel '{kernel['name']}'; the code has: {known}", paths[0])
    with open(dependencies, encoding="utf-8") as file:
        names = file.read().partition(":")[2].replace("\\\n", " ").split()
    os.unlink(dependencies)
    return {os.path.abspath(name) for name in names}


def _macro(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else value


@functools.cache
def _architecture(compiler: str, wanted: int) -> int:
    """The device's compute capability, or the newest below it that the compiler knows."""
    for candidate in (wanted, *(older for older in _OLDER if older < wanted)):
        command = [compiler, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch=sm_{candidate}", "-nocudainc", "-nocudalib"]
        done = subprocess.run([*command, "-fsyntax-only", os.devnull], capture_output=True, check=False)
        if done.returncode == 0:
            if candidate != wanted:
                print(f"clang does not know sm_{wanted}: it makes PTX for sm_{candidate}", file=sys.stderr)
            return candidate
    raise CompileError(f"clang knows neither sm_{wanted} nor an architecture below it")


def _failure(done: subprocess.CompletedProcess[str]) -> CompileError:
    if done.returncode < 0:
        return CompileError(f"clang was killed by signal {-done.returncode}\n{done.stderr}")
    found = re.search(r"^(.+?):(\d+):\d+: (?:fatal )?error: ", done.stderr, re.MULTILINE)
    return CompileError(done.stderr or f"clang ended with status {done.returncode}", *((found[1], int(found[2])) if found else ()))


if __name__ == "__main__":
    main()
