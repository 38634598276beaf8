#!/usr/bin/env python3
"""tools/quickstart on bare machines, without network and without installing anything: the tools are stubs that
record their calls.

    check_setup.py REPOSITORY"""
import os
import pty
import shutil
import subprocess
import sys
import tempfile

# Tools of the real machine, as any system has them.
REAL = "awk basename bash cat dirname env grep head mkdir mktemp nproc readlink rm sed sort uname".split()
BUILD = {
    "apt-get": "ca-certificates gcc cmake ninja-build libc6-dev libcsv-dev libxxhash-dev libcjson-dev zlib1g-dev",
    "dnf": "ca-certificates gcc cmake ninja-build glibc-devel libcsv-devel xxhash-devel cjson-devel zlib-devel",
    "pacman": "ca-certificates gcc cmake ninja glibc xxhash cjson zlib",
    "zypper": "ca-certificates-mozilla gcc cmake ninja glibc-devel xxhash-devel cJSON-devel zlib-devel",
}
TEST = {
    "apt-get": "g++ python3 libcunit1-dev",
    "dnf": "gcc-c++ python3 CUnit-devel",
    "pacman": "python cunit",
    "zypper": "gcc-c++ python3 cunit-devel",
}
ALL = {
    "apt-get": "libopenmpi-dev openmpi-bin clang libclang-rt-dev",
    "dnf": "openmpi-devel openmpi clang compiler-rt",
    "pacman": "openmpi clang compiler-rt",
    "zypper": "openmpi-devel clang",
}
INSTALL = {
    "apt-get": "env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends",
    "dnf": "dnf install -y",
    "pacman": "pacman -S --needed --noconfirm",
    "zypper": "zypper --non-interactive install --no-recommends",
}
STUBS = {
    "gcc": "exit 0",
    "ninja": "exit 0",
    "clang": "exit 0",
    "g++": "exit 0",
    "python3": "exit 0",
    "cmake": r"""case "$*" in
--version) echo "cmake version ${CMAKE_VERSION_HERE:-3.28.3}"; exit 0 ;;
*fetch.cmake*) for word; do case $word in -DFOLDER=*) mkdir -p "${word#*=}"; : >"${word#*=}/version.txt"; ;; esac; done ;;
--preset*) mkdir -p "build/$2" ;;
--build*) cp "$STUBS/program" "$2/cutune" ;;
--install*) mkdir -p "$4/bin"; cp "$STUBS/program" "$4/bin/cutune" ;;
esac""",
    # Without a GPU.
    "program": """[ "$1" != devices ] || exit 3""",
    "nvcc": """echo "Cuda compilation tools, release ${NVCC_HERE:-13.0}, V0" """,
    "nvidia-smi": """echo "| Driver Version: 1   CUDA Version: ${SMI_HERE:-13.0} |" """,
    "id": "echo ${ID_HERE:-0}",
    "sudo": """[ "$1" != -n ] || exit ${SUDO_HERE:-1}
"$@" """,
}
# A package manager that installs all tools.
MANAGER = """for name in gcc cmake ninja clang g++ python3; do cp "$STUBS/$name" "$MACHINE/bin/$name"; done"""


class Machine:
    """A folder with a PATH of its own, a home, and a copy of the scripts."""

    def __init__(self, repository, folder, tools):
        self.folder, self.home, self.tree = folder, os.path.join(folder, "home"), os.path.join(folder, "tree")
        self.log, self.bin, self.stubs = (os.path.join(folder, name) for name in ("log", "bin", "stubs"))
        for path in (self.home, self.bin, self.stubs, os.path.join(self.tree, "tools", "cmake"), self.tree + "/db/recorded"):
            os.makedirs(path)
        for name in ("quickstart", "check", "setup.sh", "cmake/downloads.txt", "cmake/fetch.cmake"):
            shutil.copy(os.path.join(repository, "tools", name), os.path.join(self.tree, "tools", name))
        open(self.tree + "/db/recorded/transpose.NVIDIA-H200.some.csv", "w").close()
        for name in REAL:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        for name, body in [*STUBS.items(), *((name, MANAGER) for name in INSTALL)]:
            path = os.path.join(self.stubs, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write('#!%s\necho "%s${*:+ $*}" >>"$LOG"\n%s\n' % (shutil.which("bash"), name, body))
            os.chmod(path, 0o755)
        for name in ["id", *tools]:
            self.add(name)
        for name in ("cp", "mkdir"):
            if not os.path.exists(os.path.join(self.bin, name)):
                os.symlink(shutil.which(name), os.path.join(self.bin, name))

    def add(self, name, place=None):
        place = os.path.join(self.folder, place) if place else self.bin
        os.makedirs(place, exist_ok=True)
        shutil.copy(os.path.join(self.stubs, name), place)

    def run(self, script, *options, answers=None, **environment):
        """Returns exit status, output, and the calls of the stubs. `answers` are typed on a terminal."""
        keep = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
        environment = dict(keep, PATH=self.bin, HOME=self.home, LOG=self.log, STUBS=self.stubs, MACHINE=self.folder,
                           CUTUNE_SETUP_ROOT=self.folder, **environment)
        open(self.log, "w").close()
        stdin, master = subprocess.DEVNULL, None
        if answers is not None:
            master, stdin = pty.openpty()
            os.write(master, answers.encode())
        done = subprocess.run([os.path.join(self.tree, "tools", script), *options], stdin=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=60, env=environment)
        if master is not None:
            os.close(master)
            os.close(stdin)
        with open(self.log, encoding="utf-8") as file:
            calls = [line for line in file.read().splitlines() if not line.startswith(("id", "gcc", "clang", "cmake --version"))]
        return done.returncode, done.stdout, calls


class Checks:
    def __init__(self, repository):
        self.repository, self.wrong, self.count = repository, 0, 0

    def machine(self, folder, *tools):
        return Machine(self.repository, tempfile.mkdtemp(dir=folder), tools)

    def expect(self, what, condition, *shown):
        self.count += 1
        if not condition:
            self.wrong += 1
            print("wrong: " + what, *shown, sep="\n  ")


def check_packages(checks, folder):
    """Each package manager gets its own names; parts without a package are downloaded."""
    for manager, names in BUILD.items():
        machine = checks.machine(folder, manager)
        status, said, calls = machine.run("quickstart", "--yes")
        wanted = INSTALL[manager].replace("env DEBIAN_FRONTEND=noninteractive ", "") + " " + names
        checks.expect("packages of " + manager, wanted in calls, wanted, *calls)
        checks.expect("quickstart with " + manager, status == 0, said)
        fetched = any("-DPART=libcsv " in call for call in calls)
        checks.expect("libcsv with " + manager, fetched != (manager in ("apt-get", "dnf")), *calls)
        for options, more in ((["--yes"], [TEST]), (["--yes", "--all"], [TEST, ALL]), (["--all", "--yes"], [TEST, ALL])):
            machine = checks.machine(folder, manager)
            _, _, calls = machine.run("check", *options)
            found = [call for call in calls if call.startswith(wanted)]
            expected = set(" ".join([names] + [packages[manager] for packages in more]).split())
            checks.expect("packages of check %s, %s" % (options, manager), len(found) == 1 and
                          set(found[0][len(wanted) - len(names):].split()) == expected, sorted(expected), *calls)


def check_rights(checks, folder):
    """Without the right to install, prints the command to type; with sudo, installs; on a terminal, asks first."""
    machine = checks.machine(folder, "dnf")
    status, said, calls = machine.run("quickstart", "--yes", ID_HERE="1000")
    checks.expect("the command to type", status == 1 and "    dnf install -y " + BUILD["dnf"] in said and not calls, said, *calls)
    for sudo, answers, installs in (("0", None, True), ("1", None, False), ("1", "y\nn\n", True), ("1", "n\n", False)):
        machine = checks.machine(folder, "dnf", "sudo")
        machine.add("nvcc", "usr/local/cuda/bin")
        status, said, calls = machine.run("quickstart", answers=answers, ID_HERE="1000", SUDO_HERE=sudo)
        checks.expect("sudo %s, answers %r" % (sudo, answers), ("dnf install -y " + BUILD["dnf"] in calls) == installs, said, *calls)
    status, said, calls = checks.machine(folder).run("quickstart", "--yes")
    checks.expect("no package manager", status == 1 and BUILD["apt-get"] in said and "names of Debian's packages" in said, said)


def check_cmake(checks, folder):
    for version, good in (("3.24.9", False), ("3.25.0", True), ("3.9.1", False), ("4.0.1", True)):
        status, said, calls = checks.machine(folder, "cmake", "apt-get").run("quickstart", "--yes", CMAKE_VERSION_HERE=version)
        checks.expect("CMake " + version, (status == 0) == good and ("    pip install cmake\n" in said) != good, said, *calls)


def check_toolkit(checks, folder):
    """Downloads the parts of a CUDA Toolkit if no suitable one is installed, and only with consent."""
    rows = (  # options, answers, nvcc's release ("": none), the driver's ("": none), downloaded ("": none), exit status
        ([], None, "", "", "", 1),
        (["--yes"], None, "", "", "13.0", 0),
        ([], "y\nn\n", "", "", "13.0", 0),
        ([], "n\n", "", "", "", 1),
        ([], None, "11.8", "", "", 1),
        (["--yes"], None, "12.7", "", "13.0", 0),
        (["--yes"], None, "12.8", "", "", 0),
        (["--yes"], None, "13.2", "12.4", "", 0),
        (["--yes"], None, "", "12.4", "12.9", 0),
        (["--yes"], None, "", "13.1", "13.0", 0),
        (["--yes", "--cuda", "12.9"], None, "", "", "12.9", 0),
        (["--yes", "--cuda", "12.9"], None, "13.0", "", "12.9", 0),
        (["--yes", "--cuda", "11.8"], None, "", "", "", 1),
        (["--cuda"], None, "", "", "", 1),
    )
    for options, answers, nvcc, driver, wanted, expected in rows:
        machine = checks.machine(folder, "apt-get")
        if nvcc:
            machine.add("nvcc", "usr/local/cuda/bin")
        if driver:
            machine.add("nvidia-smi")
        status, said, calls = machine.run("quickstart", *options, answers=answers, NVCC_HERE=nvcc, SMI_HERE=driver)
        fetched = [call.split("-DPART=cuda-")[1].split()[0] for call in calls if "-DPART=cuda" in call]
        row = "options %s, answers %r, nvcc %r, driver %r" % (options, answers, nvcc, driver)
        if not fetched and status:
            checks.expect("nothing is installed before a no, " + row, not any("install" in call for call in calls), said, *calls)
        checks.expect(row, status == expected and fetched == ([wanted] if wanted else []), said, *calls)
        if wanted:
            root = "-DCUDAToolkit_ROOT=%s/.local/share/cutune/cuda-%s " % (machine.home, wanted)
            checks.expect("CMake is told, " + row, any(root in call for call in calls), *calls)
            status, said, calls = machine.run("quickstart", *(["--cuda", wanted] if "--cuda" in options else []), NVCC_HERE=nvcc,
                                              SMI_HERE=driver)
            checks.expect("the next time, " + row, status == 0 and not any("-DPART" in call for call in calls), said, *calls)
        elif status and not "".join(options).startswith(("--cuda", "--yes--cuda")):
            checks.expect("the line to type, " + row, "quickstart --yes\n" in said, said)


def check_end(checks, folder):
    """The last line makes `cutune` work as in the README."""
    for options, installed, on_path in (([], False, False), (["--yes"], True, False), (["--yes"], True, True)):
        machine = checks.machine(folder, "apt-get")
        machine.add("nvcc", "usr/local/cuda/bin")
        place = machine.home + "/.local/bin" if installed else machine.tree + "/build/release"
        path = machine.bin + (":" + place if on_path else "")
        environment = dict(BASH_ENV="/dev/null")
        if on_path:  # as after a login
            os.makedirs(place)
            machine.bin = path
        status, said, calls = machine.run("quickstart", *options, **environment)
        last = said.splitlines()[-1]
        line = "try  cutune --help" if on_path else 'export PATH="%s:$PATH"' % place
        checks.expect("last line with %s" % options, status == 0 and last.endswith(line), said)
        checks.expect("installed with %s" % options, any(call.startswith("cmake --install") for call in calls) == installed, *calls)
        replay = "program --space templates/transpose.space --replay db/recorded/transpose.NVIDIA-H200.some.csv"
        checks.expect("the replay runs", calls and calls[-1] == replay, *calls)


def check_page(checks):
    """docs/installation.md names the same packages."""
    with open(os.path.join(checks.repository, "docs", "installation.md"), encoding="utf-8") as file:
        table = file.read().split("| needed |")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[2:6]] for line in table.splitlines()[2:]]
    for manager, column in zip(BUILD, zip(*rows)):
        found = set(" ".join(column).split()) - {"downloaded"}
        checks.expect("the page's packages of " + manager, found == set(BUILD[manager].split()), *sorted(found ^ set(BUILD[manager].split())))


def check_options(checks, folder):
    machine = checks.machine(folder)
    for script in ("quickstart", "check"):
        status, said, calls = machine.run(script, "--help")
        checks.expect("help of " + script, status == 0 and "tools/%s [--yes]" % script in said and "#" not in said and not calls, said)
        status, said, _ = machine.run(script, "--no")
        checks.expect("an unknown option of " + script, status == 1 and "unknown option --no" in said, said)


def main():
    checks = Checks(os.path.realpath(sys.argv[1]))
    with tempfile.TemporaryDirectory(prefix="cutune-setup-") as folder:
        for check in (check_packages, check_rights, check_cmake, check_toolkit, check_end, check_options):
            check(checks, folder)
    check_page(checks)
    print("%d passed, %d failed" % (checks.count - checks.wrong, checks.wrong))
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
