#!/usr/bin/env python3
"""Makes the packages and uses them as a newcomer does:

    check.py BUILD_FOLDER FAKE_PROGRAM

Unpacks the .tar.gz anywhere. Installs the .deb with its dependencies in a clean root of this Debian or Ubuntu, made by
debootstrap, which has neither a compiler nor CUDA. There, commands without CUDA work, and the others name the missing part. Nothing
stays when the package is removed. FAKE_PROGRAM is the program with a device that is not real, which gets as far as NVRTC. Needs
root, debootstrap and a mirror; without them this part is skipped."""
import glob
import os
import platform
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "XDG_STATE_HOME": "/tmp/state", "LC_ALL": "C.UTF-8",
         "DEBIAN_FRONTEND": "noninteractive"}


def run(command, expected=0, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600,
                          **more)
    if done.returncode != expected:
        sys.exit("%s: exit status %d instead of %d:\n%s" % (" ".join(command), done.returncode, expected, done.stdout))
    return done.stdout


def require(text, *parts):
    for part in parts:
        if part not in text:
            sys.exit("'%s' is missing in:\n%s" % (part, text))


def unpacked(archive, work):
    """Uses the tree of the .tar.gz in place."""
    run(["tar", "-xzf", archive, "-C", work])
    program, = glob.glob(os.path.join(work, "cutune-*", "bin", "cutune"))
    require(run([program, "check", "transpose"], cwd="/"), "valid")
    print("%s: %.1f MB, works where it is unpacked" % (os.path.basename(archive), os.path.getsize(archive) / 1e6))


def make_root(work, packages):
    """Makes a minimal root of this release with these packages; or returns the reason why not."""
    if os.geteuid() != 0:
        return None, "only root can make a root"
    if not shutil.which("debootstrap"):
        return None, "there is no debootstrap"
    system = platform.freedesktop_os_release()
    mirror = "http://deb.debian.org/debian" if system["ID"] == "debian" else "http://archive.ubuntu.com/ubuntu"
    root = os.path.join(work, "root")
    os.mkdir(root)
    run(["mount", "-t", "tmpfs", "tmpfs", root])  # packages are written to the disk file by file
    made = subprocess.run(["debootstrap", "--variant=minbase", "--components=main,universe" if system["ID"] == "ubuntu" else "--components=main",
                           "--include=" + ",".join(packages), system["VERSION_CODENAME"], root, mirror],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    if made.returncode:
        return None, "debootstrap fails: " + made.stdout.strip().splitlines()[-1]
    return root, None


def within(root, *command):
    """Returns the command line that runs a command in the root, which has /proc."""
    return ["unshare", "--pid", "--fork", "--mount-proc=" + os.path.join(root, "proc"), "chroot", root, *command]


def files_of(root):
    """Lists files without those of the package manager."""
    done = run(within(root, "find", "/", "-xdev", "-not", "-type", "d", "-not", "-path", "/var/*", "-not", "-path", "/tmp/*",
                      "-not", "-path", "/etc/ld.so.cache"), env=CLEAN)
    return set(done.splitlines())


def use(root):
    """Runs the commands of somebody who has just installed the package."""
    def cutune(*arguments, expected=0):
        return run(within(root, "cutune", *arguments), expected, env=CLEAN)

    require(cutune("--version"), "cutune ")
    require(cutune("check", "transpose"), "valid")
    journal, = (name[len(root):] for name in glob.glob(root + "/usr/share/cutune/recorded/transpose.NVIDIA-H200.*.csv"))
    require(cutune("--space", "transpose", "--replay", journal), "winner", "speed-up")
    require(cutune("report", journal, "-o", "/tmp/report.html"), "")
    with open(root + "/tmp/report.html", encoding="utf-8") as page:
        if page.read().count("<svg") < 10:
            sys.exit("the report has no charts")
    require(cutune("--space", "transpose", expected=3), "--replay")
    said = run(within(root, "/tmp/fake", "--space", "/usr/share/cutune/templates/transpose.space", "-D", "ROWS=256", "-D", "COLS=256"), 1, env=CLEAN)
    require(said, "cannot load NVRTC", "install NVIDIA's package cuda-nvrtc-", "CUDA_HOME")
    if os.path.exists(root + "/usr/bin/cc") or os.path.exists(root + "/usr/local/cuda"):
        sys.exit("the root is not clean")


def check(build, fake, work):
    run(["cpack", "-B", work], cwd=build)
    unpacked(*glob.glob(os.path.join(work, "cutune-*.tar.gz")), work)
    packages = glob.glob(os.path.join(work, "cutune_*.deb"))
    if not packages:
        print("SKIPPED: no .deb, because there is no dpkg-shlibdeps here (Debian's dpkg-dev)")
        return SKIPPED
    depends = run(["dpkg-deb", "-f", packages[0], "Depends"])
    root, reason = make_root(work, [part.split()[0] for part in depends.split(",")])
    if not root:
        print("SKIPPED: the .deb was made, and neither installed nor used: " + reason)
        return SKIPPED
    shutil.copy(packages[0], root + "/tmp/cutune.deb")
    shutil.copy(fake, root + "/tmp/fake")
    before = files_of(root)
    run(within(root, "apt-get", "install", "-q", "-y", "--no-install-recommends", "/tmp/cutune.deb"), env=CLEAN)
    use(root)
    run(within(root, "dpkg", "--remove", "cutune"), env=CLEAN)
    left = files_of(root) - before
    if left:
        sys.exit("the removed package leaves: " + " ".join(sorted(left)))
    print("%s: installed, used and removed in a clean root" % os.path.basename(packages[0]))
    return 0


def main():
    build, fake = sys.argv[1:3]
    if os.geteuid() == 0 and shutil.which("unshare") and sys.argv[-1] != "unshared":  # mounts end with the process
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv, "unshared"])
    with tempfile.TemporaryDirectory(prefix="cutune-package-") as work:
        try:
            return check(build, fake, work)
        finally:
            if os.path.ismount(os.path.join(work, "root")):
                run(["umount", os.path.join(work, "root")])


if __name__ == "__main__":
    sys.exit(main())
