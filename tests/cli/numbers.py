#!/usr/bin/env python3
"""Damaged and impossible numbers in journals and databases. Each is refused, with its place, or no command prints
nan, inf or a negative share for the file.

    numbers.py CUTUNE [EVERY]

With EVERY, only each EVERY-th file is tried."""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BAD = re.compile(r"(?<![\w./-])-?(?:nan|inf)(?!\w)|(?<![\w.>-])-[\d.]+ ?(?:%|B\b|[num\u00b5]?s\b|[kMGT]?B/s|times|G/s|TFLOP)", re.IGNORECASE)
PLACE = re.compile(r"^(?:cutune: )?[^ ]*:\d+: error: .*\n  .+")  # file:line, the cause, and below it what to do
VALUES = ("0", "-1", "-0", "nan", "inf", "1e308", "1e30", "1e-300", "9223372036854775807", "0.5", "2", "word")
OF_EVIDENCE = ("0", "-1", "inf", "1e308", "1e24", "1e-300")
IMPOSSIBLE = ("-1", "nan", "inf", "word")  # of a number that is measured or counted
JOURNALS = ("tests/cli/fixtures/explained.csv", "tests/unit/formats/journal-1-full.csv", "tests/unit/formats/journal-1-work.csv",
            "tests/integration/explain/recorded/h200/allocation_pool.csv")
DATABASES = ("tests/unit/formats/database-1-full.csv", "tests/unit/formats/database-1-work.csv", "tests/unit/formats/database-1-library.csv")
KEYS = ("bytes", "flops", "copy_ceiling", "link_to_device", "link_to_host", "link_both", "limit_ns", "cuda", "limit.cc", "limit.sm_count",
        "limit.warp", "limit.l2_bytes")
TEXTS = ("kernel", "device", "problem", "objective", "configuration", "default_configuration", "strategy", "options", "driver", "nvrtc",
         "source_hash", "space_hash", "date", "version", "uuid", "nvrtc_build", "toolkit_hash", "data_hash", "library", "fit", "fit_quality",
         "message", "playoff", "proposer", "status", "t4")
SIGNED = ("seed",)


class Check:
    def __init__(self, program, folder, every):
        self.program, self.path, self.every = program, os.path.join(folder, "damaged.csv"), every
        self.wrong, self.files, self.refused = [], 0, 0

    def run(self, *arguments):
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, cwd=os.path.dirname(self.path))

    def file(self, what, text, commands, must_fail):
        self.files += 1
        if self.files % self.every:
            return
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        for command in commands:
            done = self.run(*command)
            shown = re.sub(r"<(script|style).*?</\1>", "", done.stdout, flags=re.DOTALL)
            for found in BAD.findall(shown)[:1]:
                self.wrong.append(f"{what}: {' '.join(command)} prints {found}")
            if done.returncode not in (0, 1, 4):
                self.wrong.append(f"{what}: {' '.join(command)}: status {done.returncode}")
            refused = done.returncode == 1 and ": error: " in done.stderr and self.name() + ":" in done.stderr
            self.refused += refused
            if refused and not PLACE.search(done.stderr):
                self.wrong.append(f"{what}: {done.stderr.strip()}")
            if must_fail and not refused:
                self.wrong.append(f"{what}: {' '.join(command)} takes it")
            if refused:
                break  # the others read the same file

    def name(self):
        return os.path.basename(self.path)

    def journal(self, path):
        commands = [("explain", "--collect", "no", self.name()), ("report", self.name()), ("compare", self.name())]
        with open(path, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines(keepends=True)
        head = next(i for i, line in enumerate(lines) if line[0] != "#")
        rows = list(csv.reader(lines[head:]))
        status = rows[0].index("status")
        for key in KEYS:
            at = next((i for i, line in enumerate(lines[:head]) if line.startswith(f"# {key} =")), None)
            for value in VALUES if at else ():
                self.file(f"{path}: {key} = {value}", "".join(lines[:at] + [f"# {key} = {value}\n"] + lines[at + 1:]), commands,
                          value in IMPOSSIBLE)
        for column, name in enumerate(rows[0]):
            for value in VALUES if column > status and name not in TEXTS else ():
                changed = [row[:column] + [value] + row[column + 1:] if i and row[status] not in ("evidence", "library", "energy") else row
                           for i, row in enumerate(rows)]
                self.file(f"{path}: {name} = {value}", "".join(lines[:head]) + printed(changed), commands, value in IMPOSSIBLE)
        self.evidence(path, lines, head, commands[:2])

    def evidence(self, path, lines, head, commands):
        places = [i for i in range(head, len(lines)) if ",evidence," in lines[i]]
        with open(os.path.join(ROOT, "tuner/base/evidence.def"), encoding="utf-8") as file:
            names = re.findall(r"^EVIDENCE\((\w+)", file.read(), re.MULTILINE)
        for name in names if places else ():
            for value in OF_EVIDENCE:
                changed = list(lines)
                for i in places:
                    rest = re.sub(rf'(?<=[ ",]){name}=[^ "\n]+ ?', "", lines[i])
                    changed[i] = re.sub(r'(?<=,)("?)(?=\w+=)', rf"\g<1>{name}={value} ", rest, count=1)
                if changed != lines:
                    self.file(f"{path}: evidence {name}={value}", "".join(changed), commands, value in IMPOSSIBLE)

    def database(self, path):
        commands = [("show", "--db", self.name()), ("report", self.name()), ("compare", self.name()), ("emit", "--db", self.name())]
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        for column, name in enumerate(rows[0]):
            for value in VALUES if name not in TEXTS else ():
                changed = [row[:column] + [value] + row[column + 1:] if i and row[column] else row for i, row in enumerate(rows)]
                if changed != rows:
                    self.file(f"{path}: {name} = {value}", printed(changed), commands, value in IMPOSSIBLE and
                              not (value == "-1" and name in SIGNED))


def printed(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def main():
    with tempfile.TemporaryDirectory() as folder:
        check = Check(os.path.abspath(sys.argv[1]), folder, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
        for path in JOURNALS:
            check.journal(os.path.join(ROOT, path))
        for path in DATABASES:
            check.database(os.path.join(ROOT, path))
    print("\n".join(check.wrong[:30]))
    print(f"{check.files // check.every} files, {check.refused} refusals, {len(check.wrong)} wrong")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
