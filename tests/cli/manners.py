#!/usr/bin/env python3
"""The program's end when its reader leaves, its user interrupts it, or the system limits it; and the time for long
files: manners.py PROGRAM [--times]"""
import glob
import os
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, "tests/cli/fixtures")
DATABASE = os.path.join(ROOT, "tests/unit/formats/database-1.csv")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIMIT_S = 60
program = os.path.abspath(sys.argv[1])
failures = 0


def check(good, *what):
    global failures
    if not good:
        failures += 1
        print("failed:", *what)


def recorded(kernel):
    return glob.glob(os.path.join(ROOT, "db/recorded/%s.NVIDIA-H200.*.csv" % kernel))[0]


def start(*arguments, ignored=(), limit=None, **options):
    def prepare():
        for number in SIGNALS + (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.Popen([program, *arguments], preexec_fn=prepare, **options)


def run(*arguments, **options):
    process = start(*arguments, stderr=subprocess.PIPE, **options)
    err = process.communicate(timeout=LIMIT_S)[1].decode()
    return process.returncode, err


def closed_pipes():
    """A reader may close the pipe early: there is no message, and the status stays the same."""
    slower = [os.path.join(FIXTURES, name) for name in ("device_a.csv", "device_a_later.csv")]
    for status, arguments in (
            (0, ("show", "--db", DATABASE)),
            (0, ("show", "--db", DATABASE, "--format", "json")),
            (0, ("emit", "--db", DATABASE, "--kernel", "copy", "--stale")),
            (0, ("check", os.path.join(ROOT, "templates/transpose.space"))),
            (0, ("check", os.path.join(ROOT, "templates/transpose.space"), "--list")),
            (0, ("--quiet", "--replay", recorded("transpose"))),
            (0, ("--quiet", "--replay", recorded("transpose"), "--format", "csv")),
            (0, ("report", recorded("transpose"))),
            (0, ("manual",)),
            (0, ("--help",)),
            (0, ("--version",)),
            (1, ("compare", "--fail-on", "slower", *slower))):
        ours, theirs = os.pipe()
        os.close(ours)
        got, err = run(*arguments, stdout=theirs, env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1"})
        os.close(theirs)
        err = "".join(line for line in err.splitlines(True) if "device limits are not applied" not in line)
        check(got == status, arguments, "exit status", got, err)
        check(("error" in err) == (status != 0) and "pipe" not in err, arguments, err)


def closed_named_pipe(folder):
    """The same for the reader of a pipe that is named as the output."""
    pipe = os.path.join(folder, "report.html")
    os.mkfifo(pipe)
    process = start("report", recorded("transpose"), "-o", pipe, stderr=subprocess.PIPE)
    with open(pipe, "rb") as reader:
        check(reader.read(9) == b"<!DOCTYPE", "no report comes through the pipe")
    err = process.communicate(timeout=LIMIT_S)[1].decode()
    check((process.returncode, err) == (0, ""), "a named pipe that is closed:", process.returncode, err)


def ends_of(folder, arguments, number, ignored):
    """Signals to a program that is reading a pipe without an end."""
    pipe = os.path.join(folder, "table.csv")
    os.mkfifo(pipe)
    process = start(*arguments, pipe, ignored=ignored, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(pipe, "wb") as writer:  # waits until it is read
        writer.write(b"A,time_ms\n1,1.5\n")
        writer.flush()
        time.sleep(0.05)
        process.send_signal(number)
        if number not in ignored:
            process.wait(LIMIT_S)
    out, err = process.communicate(timeout=LIMIT_S)
    os.unlink(pipe)
    return process.returncode, out.decode(), err.decode()


def interrupted(folder):
    arguments = ("import", "--time", "time_ms")
    for number in SIGNALS:
        status, out, err = ends_of(folder, arguments, number, ())
        check((status, out, err) == (130, "", "cutune: error: interrupted\n"), number, status, out, err)
        status, out, err = ends_of(folder, arguments, number, (number,))  # nohup, and the background of a script
        check(status == 0 and "1500000" in out and not err, number, "ignored:", status, out, err)


def interrupted_while_loading(folder):
    """The program stops reading a long journal at once, in the main job, too."""
    with open(recorded("transpose"), encoding="utf-8") as file:
        head, rows = [], []
        for line in file:
            (rows if line[0].isdigit() else head).append(line)
    path = os.path.join(folder, "long.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(head + rows * 1500)
    process = start("--replay", path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=LIMIT_S)
    check(process.returncode == 130, "while loading:", process.returncode, out, err)
    check(time.monotonic() - began < 1, "it took", time.monotonic() - began, "s to give up")
    os.unlink(path)


def in_session(session):
    """Returns the processes of a session."""
    found = []
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat, encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.split("/")[2]))
    return found


def interrupted_compilations(folder):
    """check --compile shows the number of compilations on a terminal. Ctrl-C ends it with all compilers, which leave
    nothing."""
    path, temporary = os.path.join(folder, "many.space"), os.path.join(folder, "temporary")
    os.mkdir(temporary)
    for compiler, least in (("", 3), ("compiler nvcc\n", 1)):
        with open(path, "w", encoding="utf-8") as file:
            file.write("space 2\nkernel k \"many.cu\"\n%sparam BLOCK = 32..1024\nbuffer o float[4096] output\nargs o\n"
                       "block BLOCK\ngrid 4\nreference default\n" % compiler)
        with open(os.path.join(folder, "many.cu"), "w", encoding="utf-8") as file:
            file.write('extern "C" __global__ void k(float *o) { o[blockIdx.x * BLOCK + threadIdx.x] = BLOCK; }\n')
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(CUTUNE_CACHE=os.path.join(folder, "none"), TMPDIR=temporary)
            os.execv(program, [program, "check", path, "--compile", "all", "--arch", "sm_80"])
        shown, sent_s, began_s = b"", None, time.monotonic()
        while time.monotonic() - began_s < LIMIT_S:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # its last process has ended
                break
            done = re.findall(rb"(\d+) / 993  compiled for sm_80", shown)
            if sent_s is None and done and int(done[-1]) >= least:
                os.write(terminal, b"\x03")
                sent_s = time.monotonic()
        ended_s = time.monotonic()
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(terminal)
        if not compiler or status != 1:  # this machine has nvcc
            check(sent_s is not None, "no progress:", shown)
            check(status == 130 and b"interrupted after" in shown, "interrupted compilations:", status, shown[-300:])
            check(sent_s is None or ended_s - sent_s < 5, "interrupted compilations end late")
        for _ in range(50):
            if not in_session(pid) and not os.listdir(temporary):
                break
            time.sleep(0.1)
        check(not in_session(pid), "compilers are left:", in_session(pid))
        check(not os.listdir(temporary), "compilers leave:", os.listdir(temporary))


def interrupted_replay(folder):
    """An interrupted replay shows its result so far and does not mention saving."""
    process = start("--replay", recorded("transpose"), "--verbose", cwd=folder, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    plan, first = process.stderr.readline(), process.stderr.readline()  # the lines behind them fill the pipe: the replay waits
    process.send_signal(signal.SIGINT)
    out, err = (text.decode() for text in process.communicate(timeout=LIMIT_S))
    check(plan.startswith(b"cutune: evaluating ") and first.startswith(b"ok "), "a replay:", plan, first)
    check(process.returncode == 130, "a replay:", process.returncode)
    check(err.endswith("cutune: error: interrupted; a replay saves nothing\n"), err[-200:])
    check("\ninterrupted the search was not finished\n" in out, out)
    check("saved" not in out and not os.listdir(folder), out, os.listdir(folder))


def many_values(folder):
    """600,000 rows with 60,000 values of a parameter: seconds of the processor, not minutes."""
    path = os.path.join(folder, "many.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("# cutune journal 1\n# kernel = k\n# parameters = 2\nA,B,status,time_ns\n")
        file.writelines("%d,%d,ok,%d\n" % (i % 60000 * 7, i // 60000, i * 7919 % 600000 + 1) for i in range(600000))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    status, err = run("--replay", path, "--quiet", "--strategy", "random", "--max-evals", "100",
                      stdout=subprocess.DEVNULL)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    check(status == 0 and not err, "many values:", status, err)
    check(seconds < 30, "many values take %.1f s" % seconds)
    if "--times" in sys.argv:
        print("600,000 rows with 60,000 values: %.2f s" % seconds)


def limited_files(folder):
    """A file that would grow beyond `ulimit -f` is a failed write, not a crash; the old content stays."""
    path = os.path.join(folder, "header.h")
    with open(path, "w", encoding="utf-8") as file:
        file.write("old\n")
    arguments = ("emit", "--db", DATABASE, "--kernel", "copy", "--stale", "-o", path)
    status, err = run(*arguments, limit=100)
    check(status == 1 and "cannot write" in err and "File too large" in err, arguments, status, err)
    with open(path, encoding="utf-8") as file:
        check(file.read() == "old\n", "the file was changed")
    check(os.listdir(folder) == ["header.h"], os.listdir(folder))


def main():
    closed_pipes()
    for case in (closed_named_pipe, interrupted, interrupted_while_loading, interrupted_compilations,
                 interrupted_replay, many_values, limited_files):
        with tempfile.TemporaryDirectory() as folder:
            case(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
