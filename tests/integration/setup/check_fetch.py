#!/usr/bin/env python3
"""tools/cmake/fetch.cmake with small local files: the results for packages of both layouts, and nothing left of a
missing or wrong file.

    check_fetch.py CMAKE REPOSITORY"""
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# Packages like NVIDIA's of 12.x, a folder each, and of 13.x, all in one.
APART = ({"nvidia/cuda_nvrtc/lib/libnvrtc.so.12": "nvrtc", "nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12": "",
          "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.9": "", "nvidia/cuda_nvrtc/include/nvrtc.h": "",
          "nvidia/cuda_nvrtc/include/__init__.py": "", "nvrtc_cu12-12.9.dist-info/License.txt": "terms"},
         {"nvidia/cuda_runtime/lib/libcudart.so.12": "cudart", "nvidia/cuda_runtime/include/cuda_fp16.h": "",
          "nvidia/cuda_runtime/bin/tool": ""},
         {"nvidia/cuda_nvcc/include/crt/host.h": ""})
TOGETHER = ({"nvidia/cu13/lib/libnvrtc.so.13": "nvrtc", "nvidia/cu13/lib/libnvrtc-builtins.so.13.0": "",
             "nvidia/cu13/include/nvrtc.h": "", "nvrtc-13.0.dist-info/licenses/License.txt": "terms"},
            {"nvidia/cu13/lib/libcudart.so.13": "cudart", "nvidia/cu13/include/cuda_fp16.h": ""},
            {"nvidia/cu13/include/crt/host.h": "", "nvidia/cu13/include/cccl/nv/target": ""})


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def zipped(folder, name, files):
    path = os.path.join(folder, name)
    with zipfile.ZipFile(path, "w") as file:
        for inside, text in files.items():
            file.writestr(inside, text)
    return path


def tarred(files):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as file:
        for name, text in files.items():
            about = tarfile.TarInfo(name)
            about.size = len(text)
            file.addfile(about, io.BytesIO(text.encode()))
    return data.getvalue()


class Fetcher:
    def __init__(self, cmake, repository, folder):
        self.cmake, self.folder, self.rows = cmake, folder, []
        self.script = os.path.join(repository, "tools", "cmake", "fetch.cmake")
        self.table = os.path.join(folder, "table.txt")

    def add(self, part, machine, path, hash_=None):
        with open(path, "rb") as file:
            found = hashlib.sha256(file.read()).hexdigest()
        self.rows.append("%s %s %d %s file://%s" % (part, machine, os.path.getsize(path), hash_ or found, path))

    def fetch(self, part, machine="x86_64"):
        """Returns whether it succeeded, its output, and the folder."""
        with open(self.table, "w", encoding="utf-8") as file:
            file.write("\n".join(["# a comment", *self.rows]) + "\n")
        result = os.path.join(self.folder, "the result", part)
        done = subprocess.run([self.cmake, "-DPART=" + part, "-DMACHINE=" + machine, "-DFOLDER=" + result, "-DTABLE=" + self.table,
                               "-P", self.script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=400)
        return done.returncode == 0, done.stdout, result


def tree(folder):
    return {os.path.relpath(os.path.join(root, name), folder) for root, folders, names in os.walk(folder)
            for name in names + [f for f in folders if os.path.islink(os.path.join(root, f))]}


def main():
    cmake, repository = sys.argv[1], os.path.realpath(sys.argv[2])
    wrong = count = 0

    def expect(what, condition, *shown):
        nonlocal wrong, count
        count += 1
        if not condition:
            wrong += 1
            print("wrong: " + what, *shown, sep="\n  ")

    with tempfile.TemporaryDirectory(prefix="cutune-fetch-") as folder:
        fetcher = Fetcher(cmake, repository, folder)
        for major, version, packages in ((12, "12.9", APART), (13, "13.0", TOGETHER)):
            for i, files in enumerate(packages):
                fetcher.add("cuda-" + version, "x86_64", zipped(folder, "%s-%d.whl" % (version, i), files))
            fetcher.add("cuda-" + version, "aarch64", zipped(folder, version + "-other.whl", {"nvidia/x/lib/other": ""}))
            good, said, made = fetcher.fetch("cuda-" + version)
            wanted = {"lib/libnvrtc.so.%d" % major, "lib/libcudart.so.%d" % major, "lib/libnvrtc.so", "lib/libcudart.so", "lib64",
                      "lib/libnvrtc-builtins.so." + version, "include/nvrtc.h", "include/cuda_fp16.h", "include/crt/host.h",
                      "version.txt"}
            wanted |= {"include/cccl/nv/target", "licence-nvrtc-13.0.txt"} if major == 13 else {"licence-nvrtc_cu12-12.9.txt"}
            expect("the root of " + version, good and tree(made) == wanted, said, *sorted(tree(made) ^ wanted))
            if good:
                with open(made + "/lib64/libnvrtc.so", encoding="utf-8") as library, open(made + "/version.txt", encoding="utf-8") as file:
                    expect("links and version of " + version, library.read() == "nvrtc" and file.read() == "CUDA Version %s.0\n" % version)
        again, said, made = fetcher.fetch("cuda-13.0")
        expect("it may be made again", again and os.path.exists(made + "/lib/libcudart.so"), said)

        for part, sources, wanted in (
                ("libcsv", ("libcsv.c", "csv.h", "COPYING.LESSER"), {"include/csv.h", "lib/libcsv.a", "COPYING.LESSER"}),
                ("cjson", ("cJSON.c", "cJSON.h", "LICENSE"), {"include/cjson/cJSON.h", "lib/libcjson.a", "LICENSE"}),
                ("zlib", ("inflate.c", "inffast.c", "inftrees.c", "adler32.c", "crc32.c", "zutil.c", "zlib.h", "zconf.h", "LICENSE"),
                 {"include/zlib.h", "include/zconf.h", "lib/libz.a", "LICENSE"}),
                ("xxhash", ("xxhash.c", "xxhash.h", "LICENSE"), {"include/xxhash.h", "LICENSE"})):
            source = tarred({"of-3/" + name: "int f(void) { return 7; }\n" if name.endswith(".c") else "" for name in sources})
            fetcher.add(part, "any", write(os.path.join(folder, part + ".tar.gz"), source))
            good, said, made = fetcher.fetch(part, "anything")
            expect(part, good and tree(made) == wanted, said, *tree(made))

        fetcher.add("cuda-1", "x86_64", os.path.join(folder, "13.0-0.whl"), "0" * 64)
        fetcher.add("cuda-2", "x86_64", os.path.join(folder, "13.0-0.whl"))
        fetcher.rows[-1] += ".missing"
        fetcher.add("cuda-3", "x86_64", os.path.join(folder, "13.0-0.whl"))  # without a runtime
        for part, machine, reason in (("cuda-1", "x86_64", "is not the file that"), ("cuda-2", "x86_64", "Cannot download"),
                                      ("cuda-3", "x86_64", "have no libcudart.so"), ("cuda-13.0", "riscv64", "There is no cuda-13.0"),
                                      ("cuda-4", "x86_64", "There is no cuda-4")):
            good, said, made = fetcher.fetch(part, machine)
            kept = part == "cuda-13.0"  # made before
            expect("%s for %s" % (part, machine), not good and reason in " ".join(said.split()) and os.path.exists(made) == kept, said)
    print("%d passed, %d failed" % (count - wrong, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
