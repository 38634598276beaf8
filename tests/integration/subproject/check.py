#!/usr/bin/env python3
"""Builds this folder with cutune in it by add_subdirectory, and configures it by FetchContent:

    check.py SOURCE_FOLDER BUILD_FOLDER [CMake's options...]

Checks that the targets and functions of the installed package exist, and that the project has its own tests, installed files,
build type and target names, and none of cutune's. The build folder is kept for the test
`extensions`."""
import os
import shutil
import subprocess
import sys


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=900)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (" ".join(command), done.stdout))
    return done.stdout


def main():
    source, work, options = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3:]
    here = os.path.dirname(os.path.realpath(__file__))
    project, build, installed = (os.path.join(work, name) for name in ("project", "build", "installed"))
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(here, project)
    shutil.copy(os.path.join(source, "tests", "unit", "formats", "database-1.csv"), os.path.join(project, "tuned.csv"))
    for name in ("transpose.space", "transpose.cu"):
        shutil.copy(os.path.join(source, "templates", name), project)
    for how in ("-DFETCH=ON", "-DFETCH=OFF"):
        run(["cmake", "-S", project, "-B", build, "--fresh", "-DCUTUNE_SOURCE=" + source, how, *options], work)
        tests = run(["ctest", "--test-dir", build, "-N"], work)
        if "Total Tests: 1\n" not in tests:
            sys.exit("%s: the project has tests of cutune:\n%s" % (how, tests))
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
            if "CMAKE_BUILD_TYPE:STRING=\n" not in cache.read():
                sys.exit(how + ": the project's build type is not its own")
    run(["cmake", "--build", build, "--parallel", "2", "--target", "app"], work)
    print(run([os.path.join(build, "bin", "app"), os.path.join(project, "tuned.csv")], work), end="")
    run(["cmake", "--install", build, "--prefix", installed], work)
    found = [os.path.join(root, name) for root, _, names in os.walk(installed) for name in names]
    if found != [os.path.join(installed, "bin", "app")]:
        sys.exit("installed: " + " ".join(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
