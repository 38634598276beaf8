"""Kernels of a compiler command as functions, on a driver that records launches."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import cutune
import pytest

from ..conftest import ROOT
from .fake_gpu import Driver, Interface
from .test_kernel import DATABASE, HEAD

if "CUTUNE_EXTENSION" not in os.environ:
    pytest.skip("the extension module is not built", allow_module_level=True)

WORKER = """
import shutil, sys

sys.path.insert(0, PACKAGE)
from cutune.compilers import serve

PARAMETERS = {
    "first": ["a", {"extent": "a", "dimension": 0, "type": "int64"}, {"scratch": 1000, "alignment": 256}],
    "second": ["b", "a", {"null": 8}],
}


def compile(request):
    kernels = []
    for kernel, output in zip(request["kernels"], request["outputs"]):
        shutil.copy(kernel["name"] + ".cubin", output)
        kernels.append({"entry": "work", "block": [96], "shared": 64, "parameters": PARAMETERS[kernel["name"]]})
    return {"kernels": kernels}


serve({"compiler": "mine", "version": "1"}, compile)"""
CODES = {
    "first": ("float *a, long n, void *own", "a[n] = own != 0"),
    "second": ("float *b, const float *a, void *none", "b[0] = a[0]"),
}
PLAIN = HEAD + "args out, in, null\nblock BLOCK\ngrid 1\n"
COMMANDED = (
    "space 2\nkernel first\n"
    f'compiler command "{sys.executable} worker.py"\n'
    "param P = 1, 2\nbuffer a float[256] scratch\nbuffer b float[256] output\n"
    "launch first  args a block compiler shared compiler grid 4\n"
    "launch second args b, a block compiler shared compiler grid 2\n"
    "reference default\ndefault P=1\n"
)


def test_a_compiler_command_makes_the_kernels(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of two files, with memory of the compiler's own behind the space's scratch buffer, also from the cache."""
    driver = Driver()
    (folder / "cutune.csv").write_text(DATABASE)
    device = str(ROOT / "space" / "devices" / "H200.csv")
    for name, (parameters, body) in CODES.items():
        (folder / f"{name}.cu").write_text(f'extern "C" __global__ void work({parameters}) {{ {body}; }}')
        (folder / "plain.space").write_text(PLAIN.replace('smooth "smooth.cu"', f'work "{name}.cu"'))
        cutune.command("compile", "plain.space", db="cutune.csv", device_file=device, output=f"{name}.cubin")
    package = os.path.dirname(os.path.dirname(cutune.__file__))
    (folder / "worker.py").write_text(WORKER.replace("PACKAGE", repr(package)))
    (folder / "commanded.space").write_text(COMMANDED)
    os.utime(folder / "worker.py", (1e9, 1e9))
    for _ in range(2):
        kernel = cutune.kernel("commanded.space", db="cutune.csv")
        assert len(kernel.cubins) == 2 and kernel.cubins[0] != kernel.cubins[1]
        assert [(launch.entry, launch.block, launch.shared, launch.cubin) for launch in kernel.launches] == [
            ("work", (96, 1, 1), 64, 0),
            ("work", (96, 1, 1), 64, 1),
        ]
        with pytest.raises(AttributeError, match="has 2 cubins"):
            _ = kernel.cubin
        assert [argument.name for argument in kernel.arguments] == ["b"]
        driver.expect(8, 8, 8)
        driver.take()
        kernel(Interface(0x1000, 256))
        lines = [line for line in driver.take() if line.startswith("launch")]
        assert [line.partition(" shared")[0] for line in lines] == [f"launch work grid {blocks} 1 1 block 96 1 1" for blocks in (4, 2)]
        own, count, memory = (int(word, 16) for word in lines[0].split()[-3:])
        assert (count, memory - own) == (256, 1024) and lines[1].endswith(f"1000 {own:x} 0")
        monkeypatch.setattr(subprocess, "Popen", None)
