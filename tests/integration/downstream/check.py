#!/usr/bin/env python3
"""Installs cutune, moves the installed tree, and builds this folder against it:

    check.py BUILD_FOLDER SOURCE_FOLDER

Checks that
- no installed file names a place of the source or the build;
- find_package and pkg-config work from the new place of the tree;
- header and library give the same answers;
- a header has the default configuration until there is a database;
- a changed database makes the header again, and only a changed header rebuilds anything else;
- nothing is tuned without a request."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LIMIT_S = 300


def run(command, folder, **more):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=LIMIT_S, **more)
    if done.returncode:
        sys.exit("%s failed in %s:\n%s" % (" ".join(command), folder, done.stdout))
    return done.stdout


def check_places(installed, folders):
    """Returns every file, also the binaries, which are stripped."""
    for root, _, names in os.walk(installed):
        for name in names:
            path = os.path.join(root, name)
            if os.path.islink(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            for folder in folders:
                if re.search(re.escape(folder.encode()) + rb"[/;:\"\0\n]", data):
                    sys.exit("%s names %s" % (os.path.relpath(path, installed), folder))


def dates(build, names):
    return {name: os.stat(os.path.join(build, name)).st_mtime_ns for name in names}


def check_rebuilds(work, build):
    """The same bytes, then others."""
    database = os.path.join(work, "project", "tuned.csv")
    header, programs = "cutune/answer_c/transpose_tuned.h", ["answer_c", "answer_cxx", "one_device"]
    before = dates(build, programs + [header])
    os.utime(database)
    said = run(["cmake", "--build", build], work)
    if "Tuned header transpose_tuned.h of answer_c" not in said or dates(build, programs + [header]) != before:
        sys.exit("a database with the same rows made other things again:\n" + said)
    said = run(["cmake", "--build", build], work)
    if "Tuned header" in said:
        sys.exit("without a change the header is made again:\n" + said)
    with open(database, encoding="utf-8") as file:
        text = file.read()
    with open(database, "w", encoding="utf-8") as file:
        file.write(text.replace("TILE=64", "TILE=256"))
    run(["cmake", "--build", build], work)
    after = dates(build, programs + [header])
    if after[header] == before[header] or after["answer_c"] == before["answer_c"]:
        sys.exit("a changed database made no other header and program")
    if after["one_device"] != before["one_device"]:
        sys.exit("a row of another device made a program again")
    if "TILE=256" not in run([os.path.join(build, "answer_c"), database], work):
        sys.exit("the new row is not chosen")


def check_untuned(work, build):
    """Without a database, the header has the space's default; a new database makes it again."""
    program, project = os.path.join(build, "untuned"), os.path.join(work, "project")
    if run([program], work) != "TILE=32\n":
        sys.exit("without a database the header has not the default")
    with open(os.path.join(project, "tuned.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    with open(os.path.join(project, "later.csv"), "w", encoding="utf-8") as file:
        file.writelines(lines)
    run(["cmake", "--build", build], work)
    if run([program], work) == "TILE=32\n":
        sys.exit("a new database made no other header")


def check_tuning(work, build):
    """The target exists, does not run by itself, and runs the program, which reports a missing device."""
    if os.path.exists(os.path.join(work, "project", "cutune.d")):
        sys.exit("an ordinary build tuned")
    done = subprocess.run(["cmake", "--build", build, "--target", "retune"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=LIMIT_S, env=dict(os.environ, CUDA_VISIBLE_DEVICES="-1"))
    if done.returncode == 0 or "--replay FILE" not in done.stdout:
        sys.exit("the target retune says:\n" + done.stdout)


def check_pkg_config(work, installed):
    if not shutil.which("pkg-config"):
        return "no pkg-config: skipped"
    libraries = [root for root, _, names in os.walk(installed) if "cutune.pc" in names]
    environment = dict(os.environ, PKG_CONFIG_PATH=libraries[0])
    flags = run(["pkg-config", "--cflags", "--libs", "cutune"], work, env=environment).split()
    program = run(["pkg-config", "--variable=program", "cutune"], work, env=environment).strip()
    run([program, "emit", "--kernel=transpose", "--db=project/tuned.csv", "-o", "transpose_tuned.h"], work)
    place = [flag[2:] for flag in flags if flag.startswith("-L")][0]
    run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Werror", "-I.", "project/answer.c", "-o", "by_pkg_config"] + flags +
        ["-Wl,-rpath," + place], work)
    run([os.path.join(work, "by_pkg_config"), "project/tuned.csv"], work)
    return "pkg-config works"


def main():
    build_folder, source_folder = (os.path.realpath(argument) for argument in sys.argv[1:])
    here = os.path.dirname(os.path.realpath(__file__))
    work = os.path.realpath(tempfile.mkdtemp(prefix="cutune-downstream-"))
    try:
        first, installed, project, build = (os.path.join(work, name) for name in ("first", "moved", "project", "build"))
        run(["cmake", "--install", build_folder, "--prefix", first, "--strip"], work)
        os.rename(first, installed)
        check_places(installed, [build_folder, source_folder, first])
        shutil.copytree(here, project)
        shutil.copy(os.path.join(source_folder, "tests", "unit", "formats", "database-1.csv"), os.path.join(project, "tuned.csv"))
        for name in ("transpose.space", "transpose.cu"):
            shutil.copy(os.path.join(installed, "share", "cutune", "templates", name), project)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        said = run(["cmake", "-S", project, "-B", build, "-DCMAKE_PREFIX_PATH=" + installed] + generator, work)
        run(["cmake", "--build", build], work)
        for name in ("answer_c", "answer_cxx"):
            print(run([os.path.join(build, name), os.path.join(project, "tuned.csv")], work), end="")
        run([os.path.join(build, "one_device")], work)
        check_untuned(work, build)
        check_tuning(work, build)
        check_rebuilds(work, build)
        print(check_pkg_config(work, installed))
        run([os.path.join(installed, "bin", "cutune"), "check", "transpose"], work)  # finds the templates in their new place
        t1 = os.path.join(source_folder, "tests", "cli", "fixtures", "stencil.json")
        run([os.path.join(installed, "bin", "cutune"), "import", t1, "--no-kernel"], work)  # and the script
        for name in ("share/man/man1/cutune.1", "share/man/man1/cutune-emit.1", "share/man/man3/cutune.3",
                     "share/man/man5/cutune-space.5", "share/man/man5/cutune-journal.5",
                     "share/bash-completion/completions/cutune", "share/zsh/site-functions/_cutune",
                     "share/fish/vendor_completions.d/cutune.fish",
                     "share/vim/vimfiles/syntax/cutune.vim", "share/vim/vimfiles/ftdetect/cutune.vim",
                     "share/cutune/vscode/cutune.tmLanguage.json", "share/cutune/vscode/package.json", "share/cutune/cutune.schema.json"):
            if not os.path.getsize(os.path.join(installed, name)):
                sys.exit(name + " is empty")
        print("CUDA sources: %s" % ("built" if os.path.exists(os.path.join(build, "device")) else "no nvcc: skipped"))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
