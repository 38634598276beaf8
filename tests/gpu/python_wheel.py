#!/usr/bin/env python3
"""Uses a wheel of cutune as a newcomer does, beside no CUDA Toolkit, with NVRTC of NVIDIA's packages.

    python_wheel.py WHEELS [--index] [--fake PROGRAM]
    python_wheel.py pack WHEELS WHEEL...

WHEELS is a folder with the wheel of cutune, and with those of NumPy and of the extras' packages unless --index lets pip download them. For
each extra, cu12 and cu13, that can be had, a new virtual environment gets `cutune[EXTRA]` and runs tools/python/tests/installed.py, which
also tunes where there is a GPU. A toolkit of this machine is hidden: by an empty file system over its folder, as root, or else by
CUDA_HOME. Where PyTorch is installed, one more environment sees it, and tunes and calls a kernel beside PyTorch's own NVRTC. --fake
names cutune_fake: there, pytest runs the Python examples of the README and the docs.

`pack` writes smaller wheels, to carry them to a machine: without other builds of a library, programs and tests, and with large files compressed by LZMA.
Prints a row PASS or FAIL for each run; exits with 1 if one fails."""
import argparse
import glob
import importlib.util
import os
import re
import shutil
import site
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "tools", "python", "tests")
EXTRAS = {12: "nvidia_cuda_nvrtc_cu12-", 13: "nvidia_cuda_nvrtc-13"}  # by the major version of NVRTC
LEFT_OUT = re.compile(r"\.alt\.|^nvidia/.*/(bin|nvvm)/|/tests/|\.a$")
LARGE_BYTES = 1 << 20
failures = 0


def report(passed, text):
    global failures
    failures += not passed
    print("%s  %s" % ("PASS" if passed else "FAIL", text), flush=True)


def pack(folder, wheels):
    os.makedirs(folder, exist_ok=True)
    for path in wheels:
        target = os.path.join(folder, os.path.basename(path))
        with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as packed:
            for entry in source.infolist():
                if not LEFT_OUT.search(entry.filename):
                    large = entry.file_size >= LARGE_BYTES  # LZMA takes long to begin
                    packed.writestr(entry, source.read(entry), zipfile.ZIP_LZMA if large else zipfile.ZIP_DEFLATED)
        print("%s: %.1f MB, was %.1f MB" % (os.path.basename(path), os.path.getsize(target) / 1e6, os.path.getsize(path) / 1e6))


def hide_toolkits(own_mounts):
    """Covers the folders of toolkits if this process has mounts of its own. Returns the way in which they are hidden."""
    folders = {os.path.realpath(path) for path in glob.glob("/usr/local/cuda*") if os.path.isdir(path)}
    if not folders:
        return "there is none"
    for folder in folders:
        if not own_mounts or subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], stderr=subprocess.DEVNULL).returncode:
            os.environ["CUDA_HOME"] = "/nonexistent"
            return "by CUDA_HOME"
    return "by empty file systems over " + ", ".join(sorted(folders))


def clean_environment():
    names = ("PYTHONPATH", "CUDA_PATH", "LD_LIBRARY_PATH")
    return {name: value for name, value in os.environ.items() if name not in names and not name.startswith("CUTUNE_")}


def install(work, name, wheels, index, packages, system=False):
    """Makes an environment with packages and returns its Python; None with the reason printed. `system`: it also sees the packages of
    this Python."""
    place = os.path.join(work, name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", *(["--system-site-packages"] if system else []), place], check=True)
    python = os.path.join(place, "bin", "python")
    if system:  # those of a virtual environment are no packages of the system
        folder, = glob.glob(os.path.join(place, "lib", "*", "site-packages"))
        with open(os.path.join(folder, "beside.pth"), "w", encoding="utf-8") as file:
            file.write("".join(path + "\n" for path in site.getsitepackages()))
    source = [] if index else ["--no-index"]
    done = subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", *source, "--find-links", wheels, *packages],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=clean_environment())
    if done.returncode:
        report(False, "pip install %s: %s" % (" ".join(packages), done.stdout))
        return None
    return python


def run(python, title, *command, **variables):
    environment = {**clean_environment(), **variables}
    environment["PATH"] = os.path.dirname(python) + ":/usr/bin:/bin"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([python, "-B", *command], cwd=folder, env={**environment, "CUTUNE_CACHE": os.path.join(folder, "cache")},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print("".join("      %s\n" % line for line in done.stdout.splitlines()), end="")
    report(done.returncode == 0, title)


BESIDE_TORCH = r"""
import cutune, torch
x = torch.rand(1 << 20, device="cuda")
if hasattr(torch.cuda, "_compile_kernel"):
    square = torch.cuda._compile_kernel('extern "C" __global__ void square(float *x) { x[threadIdx.x] *= x[threadIdx.x]; }', "square")
    own = torch.full((32,), 3.0, device="cuda")
    square((1, 1, 1), (32, 1, 1), (own,))
    assert bool((own == 9).all())
print("torch", torch.__version__, "has NVRTC", torch.cuda.nvrtc() if hasattr(torch.cuda, "nvrtc") else torch.version.cuda)
print("cutune has", cutune.toolkit())
source = '''extern "C" __global__ void twice(float *out, const float *in, int count)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < count; i += gridDim.x * BLOCK)
        out[i] = 2 * in[i];
}'''
out = torch.empty_like(x)
result = cutune.tune_source(source, "twice", [out, x, x.numel()], params={"BLOCK": [64, 128, 256]}, block="BLOCK",
                            grid="ceildiv(count, BLOCK)", reference=lambda out, x, count: 2 * x, progress=False, explain=False)
print(result)
twice = cutune.kernel(result.space.path)
twice(out, x)
assert torch.equal(out, 2 * x) and twice.rule == "problem"
libraries = sorted({line.split()[-1] for line in open("/proc/self/maps") if "libnvrtc.so" in line})
print("this process has loaded", *libraries)
"""


def use_alone(options, work, major, prefix):
    """Uses the wheel with NVRTC of NVIDIA's packages alone, if their wheel is there."""
    wheels, package = os.path.abspath(options.wheels), "cutune[cu%d]" % major
    if not options.index and not glob.glob(os.path.join(wheels, prefix + "*")):
        print("      NVRTC %d: no wheel, left out" % major)
        return
    python = install(work, "cu%d" % major, wheels, options.index, [package, *(["pytest"] if options.fake else [])])
    if not python:
        return
    run(python, package, os.path.join(TESTS, "installed.py"), "--nvrtc", str(major))
    if options.fake:
        extension, = glob.glob(os.path.join(work, "cu%d" % major, "lib", "*", "site-packages", "cutune", "_launch.abi3.so"))
        fake = os.path.abspath(options.fake)
        run(python, package + ": the examples of the docs on the fake device", "-m", "pytest", "-q", "-o", "pythonpath=",
            "--rootdir", ROOT, os.path.join(TESTS, "test_docs.py"), CUTUNE_BUILD="/nonexistent", CUTUNE_FAKE_PROGRAM=fake,
            CUTUNE_EXTENSION=extension, CUTUNE_DRIVER=os.path.join(os.path.dirname(fake), "libfake_driver.so"))


def use_beside_torch(options, work):
    """PyTorch's environment has an NVRTC of its own, of the same major version as its CUDA, and often more of the extra's packages."""
    import torch

    package = "cutune[cu%s]" % torch.version.cuda.split(".")[0]
    python = install(work, "torch", os.path.abspath(options.wheels), options.index, [package], system=True)
    if python:
        run(python, package + " beside PyTorch", "-c", BESIDE_TORCH)


def use(options):
    with tempfile.TemporaryDirectory() as work:
        for major, prefix in EXTRAS.items():
            use_alone(options, work, major, prefix)
        if importlib.util.find_spec("torch"):
            use_beside_torch(options, work)
    print("%d failed" % failures)
    return int(failures > 0)


def main():
    if sys.argv[1:2] == ["pack"]:
        pack(sys.argv[2], sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", metavar="WHEELS")
    parser.add_argument("--index", action="store_true")
    parser.add_argument("--fake", metavar="PROGRAM")
    parser.add_argument("--unshared", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    unshare = ["unshare", "--mount"]
    if not options.unshared and shutil.which("unshare") and subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.execvp("unshare", [*unshare, sys.executable, *sys.argv, "--unshared"])  # mounts end with the process
    print("a CUDA Toolkit of this machine is hidden: %s" % hide_toolkits(options.unshared))
    return use(options)


if __name__ == "__main__":
    sys.exit(main())
