#!/usr/bin/env python3
"""Typical mistakes: what `cutune check` says about each, whole and word by word.

    run.py --program FILE [--update]

Each mistake is a change of the pair scale.space and scale.cu here, in mistakes.txt:

    == NAME: what the mistake is
    check                              or check --compile: the default for sm_80, or for another architecture
    scale.space: OLD -> NEW            NEW in the first place of OLD, \\n for a new line; ^ -> NEW: a line before the first
    + FILE: TEXT                       another file, \\n for a new line
    > what goes to standard error, line by line
    ~ REGEX                            instead: some line is this, for what differs between toolkits
    = the exit status

Every message names a file, and has the line or a hint."""
import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FEWEST = 35
CHECKS = {"check": [], "check --compile": ["--compile", "default", "--arch", "sm_80"],
          "check --compile sm_90a": ["--compile", "default", "--arch", "sm_90a"]}


class Mistake:
    def __init__(self, title):
        self.name, _, self.about = title.partition(": ")
        self.check, self.changes, self.files, self.expected, self.patterns, self.status = None, [], [], [], [], None


def parse(path):
    mistakes = []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("== "):
                mistakes.append(Mistake(line[3:]))
            elif line in CHECKS:
                mistakes[-1].check = line
            elif line.startswith("> ") or line == ">":
                mistakes[-1].expected.append(line[2:])
            elif line.startswith("= "):
                mistakes[-1].status = int(line[2:])
            elif line.startswith("~ "):
                mistakes[-1].patterns.append(line[2:])
            elif line.startswith("+ "):
                mistakes[-1].files.append(line[2:].split(": ", 1))
            elif " ->" in line:
                name, text = line.split(": ", 1)
                old, new = text.split(" ->", 1)
                mistakes[-1].changes.append([name, old, new[1:]])
            elif line and not line.startswith("#"):
                sys.exit("%s: cannot read this line: %s" % (path, line))
    return mistakes


def write(path, mistakes):
    with open(path, encoding="utf-8") as file:
        remarks = [line for line in file.read().splitlines() if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as file:
        for remark in remarks:
            file.write(remark + "\n")
        for mistake in mistakes:
            file.write("\n== %s: %s\n%s\n" % (mistake.name, mistake.about, mistake.check))
            for change in mistake.changes:
                file.write(("%s: %s -> %s" % tuple(change)).rstrip() + "\n")
            for name, text in mistake.files:
                file.write("+ %s: %s\n" % (name, text))
            for line in mistake.patterns:
                file.write("~ %s\n" % line)
            for line in [] if mistake.patterns else mistake.expected:
                file.write(("> " + line).rstrip() + "\n")
            file.write("= %d\n" % mistake.status)


def change(folder, mistake):
    for name, old, new in mistake.changes:
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        old, new = old.replace("\\n", "\n"), new.replace("\\n", "\n")
        if old != "^" and old not in text:
            sys.exit("%s: %s does not have: %s" % (mistake.name, name, old))
        text = new + "\n" + text if old == "^" else text.replace(old, new, 1)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    for name, text in mistake.files:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(numpy_file(*text.split()) if " " in text else bytes(int(text)))


def numpy_file(kind, count):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }" % (kind, count)
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(int(kind[2:]) * int(count))


def run(program, check, folder):
    env = dict(os.environ, CUDA_VISIBLE_DEVICES="-1", LC_ALL="C", CUTUNE_DEVICES=folder, HOME=folder,
               CUTUNE_CACHE=os.path.join(folder, "cache"))
    done = subprocess.run([program, "check", "scale.space", *CHECKS[check]], cwd=folder, env=env, capture_output=True,
                          timeout=400)
    lines = done.stderr.decode("utf-8", "backslashreplace").splitlines()
    return [line for line in lines if "no CUDA device: " not in line], done.returncode


def checked(program, mistake, root):
    folder = os.path.join(root, re.sub(r"\W", "_", mistake.name))
    os.mkdir(folder)
    for name in ("scale.space", "scale.cu"):
        shutil.copy(os.path.join(HERE, name), folder)
    for device in ("A100-SXM4-40GB", "H100-SXM5-80GB"):
        shutil.copy(os.path.join(HERE, "../../../space/devices/%s.csv" % device), folder)
    change(folder, mistake)
    return run(program, mistake.check, folder)


def fault_of(mistake, lines, status):
    """Why a message is not good enough; None: it is."""
    for pattern in mistake.patterns:
        if not any(re.fullmatch(pattern, line.strip()) for line in lines):
            return "no line is: %s\n  came:\n%s" % (pattern, "\n".join(lines))
    if (not mistake.patterns and lines != mistake.expected) or status != mistake.status:
        return "expected %s:\n%s\n  came %s:\n%s" % (mistake.status, "\n".join(mistake.expected), status, "\n".join(lines))
    if status == 0:
        return "nothing is found"
    if not re.match(r"[\w./-]+(:\d+)*: error: ", lines[0]):
        return "the first line does not name a file: " + lines[0]
    if len(lines) < 2:
        return "no line of the file and no hint: " + lines[0]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--update", action="store_true")
    wanted = parser.parse_args()
    program = os.path.abspath(wanted.program)
    path = os.path.join(HERE, "mistakes.txt")
    mistakes, faults = parse(path), 0
    with tempfile.TemporaryDirectory() as root:
        for check in CHECKS:  # without a mistake, nothing is said
            none = Mistake("none %s: no mistake" % check)
            none.check = check
            lines, status = checked(program, none, root)
            if lines or status:
                sys.exit("the pair without a mistake: %s" % "\n".join(lines))
        for mistake in mistakes:
            lines, status = checked(program, mistake, root)
            if wanted.update:
                mistake.expected, mistake.status = lines, status
            fault = fault_of(mistake, lines, status)
            if fault:
                print("%s: %s" % (mistake.name, fault))
                faults += 1
    if wanted.update:
        write(path, mistakes)
    if len({mistake.name for mistake in mistakes}) < FEWEST:
        print("only %d mistakes, fewer than %d" % (len(mistakes), FEWEST))
        faults += 1
    print("%d mistakes, %d faults" % (len(mistakes), faults))
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
