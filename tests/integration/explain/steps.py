#!/usr/bin/env python3
"""Checks the changes that `cutune explain` (text, csv, json, Markdown) and `cutune report` print of the recorded journals. Each must
have the values of the configurations between which it leads; the steps lead from the default to the winner.

    steps.py --program CUTUNE [JOURNAL...]

A configuration without evidence takes no part in an explanation, so those without get some in a copy of the journal."""
import argparse
import csv
import glob
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EVIDENCE = "launch=0 threads=256 blocks=4096 sm_count=132 registers=32 shared_bytes=0 local_bytes=0 occupancy=1 waves=4"
TITLES = {"overall": "from the default", "steps": "from the default, one parameter after the other", "changes": "one parameter changed"}
MARGIN = 0.02  # smaller differences need no reason


def complete(journal, folder):
    """Returns the path of a copy whose timed configurations all have evidence."""
    path = os.path.join(folder, os.path.basename(journal))
    with open(journal, newline="", encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    rows = list(csv.reader(lines[head:]))
    names, rows = rows[0], rows[1:]
    status, message = names.index("status"), names.index("message")
    known = {tuple(row[:status]) for row in rows if row[status] == "evidence"}
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.writelines(lines)
        writer = csv.writer(file, lineterminator="\n")
        for row in rows:
            if row[status + 1] and tuple(row[:status]) not in known:
                known.add(tuple(row[:status]))
                writer.writerow([EVIDENCE if i == message else "evidence" if i == status else value if i < status else ""
                                 for i, value in enumerate(row)])
    return path


def pairs(text):
    return dict(pair.split("=", 1) for pair in text.split())


def time_of(row):
    """Returns the value of an explained configuration, for any objective."""
    return next(row[name] for name in ("time_ns", "time_per_work_ns") if name in row)


class Check:
    def __init__(self):
        self.wrong, self.steps, self.costs = [], 0, 0

    def that(self, condition, *what):
        if not condition:
            self.wrong.append(" ".join(str(part) for part in what))

    def change(self, of, change, times):
        """Checks one change against the two configurations and their times."""
        before, after = pairs(change["from"]), pairs(change["to"])
        differ = ", ".join(f"{name} {before[name]} -> {after[name]}" for name in before if before[name] != after[name])
        self.that(change["parameters"] == differ, of, "says", change["parameters"], "for", differ)
        sentence, speedup = change["sentence"], times[change["from"]] / times[change["to"]]
        self.that(sentence.startswith(differ + ": "), of, sentence)
        self.that(abs(change["speedup"] / speedup - 1) < 1e-9, of, "says", change["speedup"], "for", speedup, sentence)
        word = "differ measurably" if change["answer"] == "same" else "times faster" if speedup > 1 else "times slower"
        self.that(word in sentence, of, "lacks", repr(word), sentence)
        self.that(("alone" in sentence) == (word == "times slower" and len(differ.split(", ")) == 1), of, sentence)
        self.that(change["answer"] == "same" or max(speedup, 1 / speedup) >= 1 + MARGIN, of, sentence)

    def steps_of(self, of, item):
        """Checks that the steps lead from the default to the winner, and change each parameter once."""
        default, winner = pairs(item["default"]), pairs(item["configuration"])
        at, changed = item["default"], set()
        for step in item["steps"]:
            self.that(step["from"] == at, of, "steps from", step["from"], "after", at)
            at = step["to"]
            for part in step["parameters"].split(", "):
                name, values = part.split(" ", 1)
                self.that(values == f"{default[name]} -> {winner[name]}", of, "default and winner differ from", part)
                self.that(name not in changed, of, "changes", name, "twice")
                changed.add(name)
            self.steps += 1
            self.costs += "times slower" in step["sentence"]
        self.that(not item["steps"] or at == item["configuration"], of, "ends at", at)
        self.that(not item["steps"] or changed == {name for name in winner if winner[name] != default[name]}, of, "changes", changed)

    def explanation(self, item):
        of, times = item["journal"], {row["configuration"]: time_of(row) for row in item["configurations"]}
        overall = [item["overall"]] if item["overall"] else []
        for change in overall + item["steps"] + item["changes"]:
            self.change(of, change, times)
        for change in item["changes"]:
            self.that(change["to"] == item["configuration"], of, "ends at", change["to"])
        for change in overall:
            self.that((change["from"], change["to"]) == (item["default"], item["configuration"]), of, change["sentence"])
        if item["default"]:
            self.steps_of(of, item)


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments[:4])}: status {done.returncode}: {done.stderr}")
    return done.stdout


def groups(item):
    """Returns the sentences of an explanation, by title."""
    overall = [item["overall"]] if item["overall"] and ", " in item["overall"]["parameters"] else []
    lists = {"overall": overall, "steps": item["steps"], "changes": item["changes"]}
    return {TITLES[name]: [change["sentence"] for change in changes] for name, changes in lists.items() if changes}


def printed(text, indent):
    """Returns the same from a text or Markdown, where the reason of several parameters, and further causes, follow on
    lines below."""
    found, title = {}, None
    for line in text.splitlines():
        if line.strip("*") in TITLES.values():
            title = line.strip("*")
            found[title] = []
        elif not line.startswith(indent):
            title = title if not line else None
        elif title:
            line = line[len(indent):]
            if not line.startswith("  "):
                found[title].append(line)
            elif not line.startswith("  also "):
                found[title][-1] += ": " + line[2:]
    return found


def check(program, journals):
    checking = Check()
    texts = {form: run(program, "explain", "--collect", "no", "--format", form, *journals) for form in ("json", "csv", "text", "markdown")}
    items = json.loads(texts["json"])
    checking.that(len(items) == len(journals), len(items), "explanations of", len(journals), "journals")
    for item in items:
        checking.explanation(item)
    wanted = [(kind, change["from"], change["to"], change["parameters"], change["sentence"]) for item in items for kind, changes in
              (("overall", [item["overall"]] if item["overall"] else []), ("step", item["steps"]), ("change", item["changes"]))
              for change in changes]
    rows = [(row["row"], row["from"], row["configuration"], row["parameters"], row["text"])
            for row in csv.DictReader(io.StringIO(texts["csv"])) if row["row"] in ("overall", "step", "change")]
    checking.that(rows == wanted, "csv differs from json")
    parts = re.split(r"(?m)^kernel +", texts["text"])[1:]
    for item, part in zip(items, parts, strict=True):
        checking.that(printed(part, "  ") == groups(item), item["journal"], "text differs from json")
    parts = re.split(r"(?m)^- kernel: ", texts["markdown"])[1:]
    for item, part in zip(items, parts, strict=True):
        plain = re.sub(r"\\([^\w\s])", r"\1", html.unescape(part))
        checking.that(printed(plain, "- ") == groups(item), item["journal"], "Markdown differs from json")
    page = html.unescape(run(program, "report", *journals))
    told = re.findall(r"<li>Step (\d+) of the way from the default: (.*)\.\n", page)
    checking.that(sorted(told) == sorted((str(i + 1), step["sentence"]) for item in items for i, step in enumerate(item["steps"])),
                  "the report's steps differ from json")
    for item in items:
        for title, sentences in groups(item).items():
            for sentence in sentences if title != TITLES["steps"] else ():
                checking.that(f"{sentence}.\n" in page, item["journal"], "the report lacks", sentence)
    return checking


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("journals", nargs="*", metavar="JOURNAL", help="by default, those of db/recorded")
    of = parser.parse_args()
    journals = of.journals or sorted(glob.glob(os.path.join(ROOT, "db/recorded/*.csv")))
    with tempfile.TemporaryDirectory() as folder:
        checking = check(os.path.abspath(of.program), [complete(journal, folder) for journal in journals])
    print("\n".join(checking.wrong[:20]))
    print(f"{len(journals)} journals, {checking.steps} steps, {checking.costs} of them cost time, {len(checking.wrong)} wrong")
    if not of.journals and not checking.costs:
        sys.exit("no step costs time: nothing is tested")
    return 1 if checking.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
