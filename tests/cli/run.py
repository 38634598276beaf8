#!/usr/bin/env python3
"""Runs command-line cases: commands and their expected output.

    run.py --program FILE [--update] CASE...

A case is a text file, read line by line:

    # a remark
    @ tests/cli/fixtures/small.space     copies a file of the repository into the scratch folder,
    @ db/recorded/copy.NVIDIA-H200.*.csv notes.csv   under a name of its own when one is given; the first that a pattern fits
    ? command -v nvcc                    skips the case unless this command succeeds
    $ cutune check small.space           runs a command with sh in the scratch folder
    % cutune check small.space           the same on a terminal of 80 columns, whose lines are those of standard output;
                                         an escape is shown as \\e, and a carriage return as \\r
    > 12 valid                           what it must write to standard output, line by line
    >~ took [0-9.]+ s                    the same as a regular expression for the whole line
    2> cutune: error: ...                standard error, in the same two ways (2>~)
    = 1                                  the exit status

Expectations follow their command. The program is first on PATH. Every case has a scratch folder of its own; its path is
shown as $SCRATCH, the repository's as $ROOT, and both are variables of the environment. No GPU is visible. Tests with the
same CUTUNE_TEST_CACHE share compilations. --update writes what came out into the case and keeps every regular expression that
still matches in its place."""
import argparse
import fcntl
import glob
import os
import pty
import re
import shutil
import subprocess
import struct
import sys
import tempfile
import termios

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT_S = 400
SKIPPED = 77
MARKS = ("2>~", "2>", ">~", ">")  # longest first


class Step:
    def __init__(self, command, terminal=False):
        self.command, self.terminal = command, terminal
        self.out, self.err, self.status = [], [], None  # lists of (is a pattern, line)


def mark_of(line):
    for mark in MARKS:
        if line == mark or line.startswith(mark + " "):
            return mark, line[len(mark) + 1:]
    return None, None


def parse(path):
    """Reads the case as a list of plain lines and steps."""
    parts = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines(), 1):
            step = parts[-1] if parts and isinstance(parts[-1], Step) else None
            mark, rest = mark_of(line)
            if line.startswith(("$ ", "% ")):
                parts.append(Step(line[2:], line[0] == "%"))
            elif mark and step:
                (step.err if mark[0] == "2" else step.out).append((mark.endswith("~"), rest))
            elif line.startswith("= ") and step:
                step.status = int(line[2:])
            elif not line or line.startswith(("#", "@ ", "? ")):
                parts.append(line)
            else:
                sys.exit("%s:%d: cannot read this line: %s" % (path, number, line))
    return parts


def environment(program, scratch):
    env = {"PATH": os.path.join(scratch, ".bin") + os.pathsep + os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C",
           "TERM": "dumb", "HOME": scratch, "ROOT": ROOT, "SCRATCH": scratch,
           "CUTUNE_TEMPLATES": "/nonexistent/templates", "CUTUNE_DEVICES": "/nonexistent/devices",
           "ARGP_HELP_FMT": "rmargin=40", "POSIXLY_CORRECT": "1"}
    if not program.endswith("_fake"):  # only the fake program has devices, which are not GPUs
        env["CUDA_VISIBLE_DEVICES"] = "-1"
    for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
        if name in os.environ:
            env[name] = os.environ[name]
    if "CUTUNE_TEST_CACHE" in os.environ:
        env["CUTUNE_CACHE"] = os.environ["CUTUNE_TEST_CACHE"]
    os.mkdir(os.path.join(scratch, ".bin"))
    os.symlink(os.path.abspath(program), os.path.join(scratch, ".bin", "cutune"))
    return env


def lines_of(data, scratch):
    text = data.decode("utf-8", "backslashreplace").replace(scratch, "$SCRATCH").replace(ROOT, "$ROOT")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines[:-1] + [lines[-1] + "\\"]  # shows a missing last newline


def matches(expected, line):
    pattern, text = expected
    return re.fullmatch(text, line) is not None if pattern else text == line


def compare(expected, lines):
    return len(expected) == len(lines) and all(matches(e, l) for e, l in zip(expected, lines))


def renewed(expected, lines):
    """Returns the lines as expectations; a pattern stays where it still matches."""
    kept = [e for e in expected if e[0]]
    return [next((e for e in kept if matches(e, line)), (False, line)) for line in lines]


def run_on_terminal(step, env, scratch):
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with subprocess.Popen(["/bin/sh", "-c", step.command], cwd=scratch, env=dict(env, TERM="xterm"),
                          stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal, start_new_session=True) as process:
        os.close(terminal)
        data = b""
        while True:
            try:
                data += os.read(master, 65536)
            except OSError:  # the last process has ended
                break
    os.close(master)
    shown = data.replace(b"\r\n", b"\n").replace(b"\r", b"\\r").replace(b"\x1b", b"\\e")
    return lines_of(shown, scratch), [], process.returncode


def run_step(step, env, scratch):
    if step.terminal:
        return run_on_terminal(step, env, scratch)
    try:
        done = subprocess.run(["/bin/sh", "-c", step.command], cwd=scratch, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=LIMIT_S)
        return lines_of(done.stdout, scratch), lines_of(done.stderr, scratch), done.returncode
    except subprocess.TimeoutExpired:
        return [], ["no end after %d s" % LIMIT_S], -1


def show(what, expected, lines):
    print("  %s differs; expected:" % what)
    for pattern, text in expected:
        print("    %s%s" % ("~ " if pattern else "", text))
    print("  came:")
    for line in lines:
        print("    " + line)


def check_step(path, step, result):
    out, err, status = result
    wanted = step.status or 0
    if compare(step.out, out) and compare(step.err, err) and wanted == status:
        return True
    print("%s: %s %s" % (os.path.basename(path), "%" if step.terminal else "$", step.command))
    if not compare(step.out, out):
        show("standard output", step.out, out)
    if not compare(step.err, err):
        show("standard error", step.err, err)
    if wanted != status:
        print("  exit status %d, expected %d" % (status, wanted))
    return False


def write_case(path, parts):
    with open(path, "w", encoding="utf-8") as file:
        for part in parts:
            if not isinstance(part, Step):
                file.write(part + "\n")
                continue
            file.write("%s %s\n" % ("%" if part.terminal else "$", part.command))
            for mark, expected in ((">", part.out), ("2>", part.err)):
                for pattern, text in expected:
                    file.write(("%s%s %s" % (mark, "~" if pattern else "", text)).rstrip() + "\n")
            file.write("= %d\n" % part.status)


def run_case(path, program, update):
    """None: skipped."""
    parts, fine = parse(path), True
    if not any(isinstance(part, Step) for part in parts):
        print("%s: has no command" % path)
        return False
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="cutune-cli-"))
    try:
        env = environment(program, scratch)
        for part in parts:
            if isinstance(part, Step):
                result = run_step(part, env, scratch)
                if update:
                    part.out, part.err = renewed(part.out, result[0]), renewed(part.err, result[1])
                    part.status = result[2]
                else:
                    fine = check_step(path, part, result) and fine
            elif part.startswith("? "):
                if run_step(Step(part[2:]), env, scratch)[2]:
                    print("%s: skipped: %s" % (os.path.basename(path), part[2:]))
                    return None
            elif part.startswith("@ "):
                names = part[2:].split()
                source = glob.glob(os.path.join(ROOT, names[0]))[0]
                shutil.copy(source, os.path.join(scratch, os.path.basename(names[1] if len(names) > 1 else source)))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if update:
        write_case(path, parts)
    return fine


def main():
    parser = argparse.ArgumentParser(description="runs command-line cases")
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("cases", nargs="+")
    args = parser.parse_args()
    results = [run_case(case, args.program, args.update) for case in args.cases]
    print("%d cases, %d failed, %d skipped" % (len(results), results.count(False), results.count(None)))
    return 1 if False in results else SKIPPED if None in results else 0


if __name__ == "__main__":
    sys.exit(main())
