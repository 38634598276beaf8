#!/usr/bin/env python3
"""Emitted headers, the library and `cutune show --for` choose the same rows, and the right ones. Makes random databases
and journals, a header per kernel, and a program that asks both random questions, some of which `show --for` answers,
too. Compares the answers with a second implementation of the rules.

    agree.py PROGRAM INCLUDE_FOLDER LIBRARY COMPILER [FLAG...]"""
import concurrent.futures
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import random_fit

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = 7
SEEDS, KERNELS, QUESTIONS = (1, 2, 3), 24, 100
SHOWN = 300  # questions to `show --for`, over all seeds
DEVICES = [("GPU %s" % name, cc, sm, l2) for name, cc, sm, l2 in (
    ("A", 90, 132, 62914560), ("B", 90, 114, 52428800), ("C", 80, 108, 41943040), ("D", 86, 82, 6291456),
    ("E", 89, 128, 75497472), ("F", 100, 148, 132120576), ("G", 120, 170, 100663296), ("H", 0, 0, 0))]
DEVICES.append(("NVIDIA A100-SXM4-40GB", 80, 108, 41943040))  # cutune knows it
SIZES = ("ROWS", "COLS", "N", "RATIO")
COLUMNS = ("schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,default_time_ns,cc,"
           "sm_count,l2_bytes,source_hash,space_hash,date,fit,fit_quality,condition")


def size_value(random_, name):
    return random_.choice(("0.5", "1.5", "2")) if name == "RATIO" else str(random_.choice((1, 64, 100, 1000, 1024, 4096, 1 << 33, 2**53, 2**53 + 1)))


def pairs(random_, names, value):
    shuffled = list(names)
    random_.shuffle(shuffled)  # the order of names in a row may vary
    return " ".join("%s=%s" % (name, value(name)) for name in shuffled)


def dictionary(text):
    return dict(pair.split("=") for pair in text.split())


def distance(a, b):
    if a == b:
        return 0
    return abs(math.log(a / b)) if a > 0 and b > 0 else math.log(1e30)


def less(a, b):
    """Compares two scores, with a tolerance for rounding."""
    if abs(a[0] - b[0]) > 1e-9:
        return a[0] < b[0]
    return a[1] < b[1] - 1e-9


class Kernel:
    def __init__(self, random_, number):
        self.name = "k%02d" % number
        self.sizes = random_.sample(SIZES, random_.randint(0, 3))
        self.parameters = ["P%d" % i for i in range(random_.randint(1, 3))]
        self.words = [name for name in self.parameters if random_.random() < 0.2]
        self.random = random_
        problems = [pairs(random_, sorted(self.sizes), lambda name: size_value(random_, name)) for _ in range(3)]
        keys = {}
        for _ in range(random_.randint(1, 9)):
            keys[random_.choice(DEVICES), " ".join(sorted(random_.choice(problems).split()))] = None
        self.default = self.configuration()
        self.valid = {}  # by configuration
        self.rows = [self.row(device, problem) for device, problem in keys]
        self.fits = {}  # by the device's name
        if self.sizes and random_.random() < 0.5:
            for device in random_.sample(DEVICES, random_.randint(1, 3)):
                fit = random_fit.Fit(random_, self.sizes, [self.configuration() for _ in range(random_.randint(1, 5))])
                self.rows.append(self.row(device, fit.region(), fit))
                self.fits[device[0]] = fit
        self.times = []  # of journals: (device, problem, configuration, time)

    def configuration(self):
        return pairs(self.random, self.parameters,
                     lambda name: self.random.choice(("auto", "none") if name in self.words else ("1", "2", "-3")))

    def requirement(self, configuration):
        """Gives most configurations a condition."""
        key = frozenset(configuration.split())
        if key not in self.valid:
            integers = [name for name in self.sizes if name != "RATIO"]
            self.valid[key] = random_fit.Requirement(self.random, integers) if self.random.random() < 0.7 else None
        return self.valid[key]

    def row(self, device, problem, fit=None):
        name, cc, sm, l2 = device
        configuration = fit.takes[0][0] if fit else self.configuration()
        said = [self.requirement(take) for take, _ in fit.takes] if fit else [self.requirement(configuration)]
        condition = "" if None in said else "".join(one.text() + ";" * bool(fit) for one in said)
        default_time = self.random.choice(("", "150", "200", "400"))
        day = self.random.randint(1, 9)
        return ",".join(("2" if fit else "1", self.name, name, problem, "time", configuration,
                         "" if fit else str(self.random.randint(50, 120)),
                         self.default, default_time, str(cc), str(sm), str(l2), "s" if self.random.random() < 0.9 else "old", "p", "2026-01-0%dT00:00:00Z" % day,
                         '"%s"' % fit.text() if fit else "", "sizes=40 mean=0.9" if fit else "",
                         '"%s"' % condition))

    def journal(self, folder):
        device = self.random.choice(DEVICES)
        problem = self.rows[0].split(",")[3]  # a row of no fit: those of fits come last
        path = os.path.join(folder, "%s.%d.csv" % (self.name, self.random.randint(0, 1 << 30)))
        with open(path, "w", encoding="utf-8") as file:
            file.write("# cutune journal 1\n# kernel = %s\n# problem = %s\n# fingerprint = f\n# source_hash = s\n"
                       "# space_hash = p\n# device = %s\n# parameters = %d\n%s,status,time_ns\n" % (
                           self.name, problem, device[0], len(self.parameters), ",".join(self.parameters)))
            for _ in range(6):
                values = dict(pair.split("=") for pair in self.configuration().split())
                status, time = self.random.choice(("ok", "ok", "duplicate", "slower")), self.random.randint(50, 400)
                file.write("%s,%s,%d\n" % (",".join(values[name] for name in self.parameters), status, time))
                if status != "slower":  # a bound is not a time; the last time of a configuration counts
                    self.times = [entry for entry in self.times if entry[0] != path or entry[3] != values]
                    self.times.append((path, device[0], problem, values, time))

    # ---- A second implementation of the rules, over dictionaries and logarithms ----

    def known(self):
        """Returns the current rows in the database's order, the common ones, and the default."""
        table = [dict(zip(COLUMNS.split(","), next(csv.reader([row])))) for row in self.rows]
        table.sort(key=lambda row: (row["device"], row["fit"] != "", row["problem"]))
        newest = max(table, key=lambda row: row["date"])  # the first of equals
        table = [row for row in table if row["source_hash"] == newest["source_hash"]]
        times = []
        for row in table:
            if row["fit"]:
                continue
            times.append((row["device"], row["problem"], dictionary(row["configuration"]), float(row["time_ns"])))
            if row["default_time_ns"]:
                times.append((row["device"], row["problem"], dictionary(row["default_configuration"]),
                              float(row["default_time_ns"])))
        if newest["source_hash"] == "s":  # the journals are of this version
            times += [entry[1:] for entry in sorted(self.times, key=lambda entry: os.path.basename(entry[0]))]
        return table, self.common(times), dictionary(newest["default_configuration"])

    def common(self, times):
        """Returns, by sizes, the configurations that are as good as the best, as a list."""
        found, measured = [], {}
        for device, problem, configuration, time in times:
            place = measured.setdefault(frozenset(problem.split()), {}).setdefault(frozenset(configuration.items()), {})
            place.setdefault(device, time)
        for problem, by_configuration in measured.items():
            best = {}
            for by_device in by_configuration.values():
                for device, time in by_device.items():
                    best[device] = min(time, best.get(device, math.inf))
            scores = {configuration: (-len(by_device), sum(time / best[device] for device, time in by_device.items()))
                      for configuration, by_device in by_configuration.items() if len(by_device) > 1}
            if scores:
                least = min(scores.values())
                found.append((dictionary(" ".join(problem)), [dict(configuration) for configuration, score in scores.items()
                              if score[0] == least[0] and score[1] < least[1] + 1e-9]))
        return found

    def right(self, device, problem, rule, configuration):
        """True if the rules allow the answer: ties may be broken in any way."""
        table, common, default = self.known()
        current = table
        name, cc, sm_count, l2_bytes = device
        integers = all(Fraction(value).denominator == 1 for value in problem.values())
        sizes = {size: int(Fraction(value)) for size, value in problem.items() if Fraction(value).denominator == 1}
        def valid(row, said):
            own = (int(row["cc"]), int(row["sm_count"])) if row["device"] == name else None
            return not row["condition"] or self.valid[frozenset(said.split())].allows((cc, sm_count), own, sizes)
        def chosen(row):
            """Returns the answer of the row's fit; None: no fit, no answer, or not valid."""
            if not row["fit"]:
                same = row["device"] == name and all(Fraction(v) == Fraction(problem[k]) for k, v in dictionary(row["problem"]).items())
                return dictionary(row["configuration"]) if same or valid(row, row["configuration"]) else None
            fit = self.fits[row["device"]]
            answer = integers and fit.choose(sizes, sm_count or int(row["sm_count"]), l2_bytes or int(row["l2_bytes"]),
                                             lambda number: row["device"] == name or valid(row, fit.takes[number][0]))
            return dictionary(answer) if answer else None
        def sizes_far(row_problem):
            return sum(distance(float(row_problem[size]), float(problem[size])) for size in problem)
        def device_far(row):
            return distance(float(row["sm_count"]), sm_count) + distance(float(row["l2_bytes"]), l2_bytes)
        table = [row for row in table if chosen(row) is not None]
        here = [row for row in table if row["device"] == name]
        fit = [row for row in here if row["fit"]]
        same = [row for row in here if not row["fit"] and all(Fraction(v) == Fraction(problem[k]) for k, v in dictionary(row["problem"]).items())]
        of_cc = [row for row in table if cc > 0 and int(row["cc"]) == cc]
        of_major = [row for row in table if cc > 0 and int(row["cc"]) // 10 == cc // 10]
        for wanted, rows, near in (("problem", same, False), ("fit", fit, False), ("device", here, False), ("cc", of_cc, True),
                                   ("major", of_major, True)):
            if not rows:
                continue
            score = [((device_far(row) if near else 0), 0 if row["fit"] else sizes_far(dictionary(row["problem"]))) for row in rows]
            allowed = [chosen(row) for row, own in zip(rows, score) if not any(
                less(other, own) for other in score)]
            return rule == wanted and configuration in allowed
        # Any of several equally good configurations may be the common one, and the next sizes follow where it is not
        # valid.
        for far in sorted({sizes_far(row_problem) for row_problem, _ in common}):
            configurations = [one for row_problem, all_ in common if sizes_far(row_problem) < far + 1e-9 for one in all_]
            allowed = [self.common_valid(one, current, (cc, sm_count), sizes) for one in configurations]
            if rule == "common" and any(ok and one == configuration for one, ok in zip(configurations, allowed)):
                return True
            if all(allowed):
                return False
        return rule == "default" and configuration == default

    def common_valid(self, configuration, table, device, sizes):
        """Returns a device's condition for the configuration."""
        said = [row for row in table if not row["fit"] and row["condition"] and dictionary(row["configuration"]) == configuration]
        return not said or self.valid[frozenset(said[0]["configuration"].split())].allows(device, None, sizes)

    def asking(self):
        """Returns a C function that asks both and compares."""
        code = ["static int ask_%s(const struct cutune_database *database)\n{" % self.name]
        code += ["    struct cutune_best best; int rule; char problem[256] = \"\"; const struct device *d = pick();"]
        for name in self.sizes:
            kind = "double" if name in self.reals else "long long"
            word = "real" if name in self.reals else "size"
            code.append("    %s %s = pick_%s();" % (kind, name.lower(), word))
            code.append('    add_%s(problem, "%s", %s);' % (word, name, name.lower()))
        code.append("    const struct %s_tuned *row = ASK_%s(d, &rule);" % (self.name, self.name))
        code.append('    if (look(database, "%s", d, problem, &best) || (int)best.rule != rule) return fail("%s", d, problem, '
                    "&best, rule);" % (self.name, self.name))
        for name in self.parameters:
            if name in self.words:
                code.append('    if (!same_text(best.configuration, "%s", row->%s)) return fail("%s", d, problem, &best, '
                            "rule);" % (name, name, self.name))
            else:
                code.append('    if (!same_int(best.configuration, "%s", row->%s)) return fail("%s", d, problem, &best, '
                            "rule);" % (name, name, self.name))
        return "\n".join(code + ['    told("%s", d, problem, &best);' % self.name, "    seen[rule]++;\n    return 0;\n}\n"])

    def macro(self, header):
        """Returns the call, with the sizes in the order of the header."""
        header = header[header.index("struct %s_tuned {" % self.name):]
        self.reals = [name for name in self.sizes if " double problem_%s;" % name in header]
        order = sorted(self.sizes, key=lambda name: header.index(" problem_%s;" % name))
        return "#define ASK_%s(d, rule) %s_tuned_select(d->name, d->cc, d->sm_count, d->l2_bytes, %s rule)\n" % (
            self.name, self.name, "".join(name.lower() + ", " for name in order))


def shown_otherwise(random_, program, database, journals, lines):
    """Asks `show --for` some of the questions. Returns those that it answers in another way."""
    def shown(line):
        kernel, device, cc, sm_count, l2_bytes, problem, rule, configuration = line.split("|")
        command = [program, "show", "--db", database, "--journal", journals, "--format", "json", "--kernel", kernel,
                   "--for", device, "--sm", sm_count, "--l2-bytes", l2_bytes]
        command += ["--cc", cc] if int(cc) else []  # else the device of that name
        command += [word for size in problem.split() for word in ("-D", size)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode:
            return line + "|show: " + done.stderr
        answer = json.loads(done.stdout)[0]
        same = (answer["rule"], answer["configuration"]) == (rule, configuration)
        return None if same else "%s|show: %s|%s" % (line, answer["rule"], answer["configuration"])
    asked = random_.sample([line for line in lines if line.split("|")[1]], SHOWN // len(SEEDS) + 1)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [answer for answer in pool.map(shown, asked) if answer]


COMMON = """
#include "ask.h"
static const struct device devices[] = {%s
    {"Other 90", 90, 120, 60000000}, {"Other 87", 87, 16, 4000000}, {"Other 103", 103, 150, 130000000},
    {"Other 70", 70, 80, 6000000}, {NULL, 0, 0, 0}, {NULL, 80, 0, 0}};
static unsigned long long state = %d;
static long seen[8];
static unsigned draw(unsigned n) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (unsigned)(state >> 33) %% n; }
static const struct device *pick(void)
{
    static struct device any;
    static const int ccs[] = {70, 75, 80, 86, 87, 89, 90, 100, 103, 120, 121};
    if (draw(3)) return &devices[draw(sizeof devices / sizeof *devices)];
    any.name = "Any GPU";
    any.cc = draw(8) ? ccs[draw(sizeof ccs / sizeof *ccs)] : 50 + (int)draw(80);
    any.sm_count = (int)draw(200);
    any.l2_bytes = (long long)draw(1 << 28);
    return &any;
}
static double pick_real(void) { return draw(9) * 0.25; }
static long long pick_size(void)
{
    static const long long sizes[] = {1, 2, 63, 64, 70, 100, 512, 1000, 1023, 1024, 4096, 5000, 8589934592, 1000000000000, 0,
                                      9007199254740991, 9007199254740992, 9007199254740993, 9223372036854775807};
    return draw(3) ? sizes[draw(sizeof sizes / sizeof *sizes)] : (1LL << draw(40)) + draw(1000);
}
static void add_real(char *problem, const char *name, double size) { sprintf(problem + strlen(problem), " %%s=%%.17g", name, size); }
static void add_size(char *problem, const char *name, long long size) { sprintf(problem + strlen(problem), " %%s=%%lld", name, size); }
static void told(const char *kernel, const struct device *d, const char *problem, const struct cutune_best *best)
{
    printf("%%s|%%s|%%d|%%d|%%lld|%%s|%%s|%%s\\n", kernel, d->name ? d->name : "", d->cc, d->sm_count, d->l2_bytes, problem,
           cutune_rule_name(best->rule), best->configuration);
}
"""


def run(seed, program, include, library, compiler, folder):
    random_ = random.Random(seed)
    kernels = [Kernel(random_, i) for i in range(KERNELS)]
    database, journals = os.path.join(folder, "d.csv"), os.path.join(folder, "journals")
    os.mkdir(journals)
    with open(database, "w", encoding="utf-8") as file:
        file.write("\n".join([COLUMNS] + [row for kernel in kernels for row in kernel.rows]) + "\n")
    for kernel in kernels:
        for _ in range(random_.randint(0, 4)):
            kernel.journal(journals)
    source = []
    together = seed == SEEDS[-1]  # one header of all kernels, else one of each
    for kernel in kernels:
        name = "all" if together else kernel.name
        path = os.path.join(folder, name + ".h")
        subprocess.run([program, "emit", "--kernel", name, "--db", database, "--journal", journals, "-o", path],
                       check=True, capture_output=True)
        with open(path, encoding="utf-8") as file:
            source.append('#include "%s.h"\n' % name + kernel.macro(file.read()))
    source.append(COMMON % ("".join('{"%s", %d, %d, %d},' % device for device in DEVICES), seed))
    source += [kernel.asking() for kernel in kernels]
    source.append("int main(int count, char **arguments)\n{\n    struct cutune_database *database;\n    int wrong = 0;\n"
                  "    if (count != 3 || cutune_database_open(&database, arguments[1], arguments[2], NULL)) return 2;\n"
                  "    for (int i = 0; i < %d; i++)\n        wrong += %s;\n"
                  "    cutune_database_close(database);\n"
                  '    for (int i = 0; i < %d; i++) printf(" %%s %%ld", cutune_rule_name((enum cutune_rule)i), seen[i]);\n'
                  '    puts("");\n    return wrong != 0;\n}\n' % (
                      QUESTIONS, " + ".join("ask_%s(database)" % kernel.name for kernel in kernels), RULES))
    with open(os.path.join(folder, "agree.c"), "w", encoding="utf-8") as file:
        file.write("\n".join(source))
    binary = os.path.join(folder, "agree")
    place = os.path.dirname(os.path.abspath(library))
    subprocess.run(compiler + ["-std=c11", "-Wall", "-Wextra", "-Werror", "-I" + include, "-I" + HERE,
                               os.path.join(folder, "agree.c"), library, "-Wl,-rpath," + place, "-o", binary], check=True)
    done = subprocess.run([binary, database, journals], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    print("seed %d:%s" % (seed, lines[-1]))
    by_name = {kernel.name: kernel for kernel in kernels}
    wrong = [line for line in lines[:-1] if "|" not in line or not is_right(by_name, *line.split("|"))]
    wrong += shown_otherwise(random_, program, database, journals, [line for line in lines[:-1] if "|" in line])
    print("\n".join(wrong[:10]), end="")
    rules = lines[-1].split()
    return done.returncode == 0 and not wrong and all(int(rules[2 * rule + 1]) > 0 for rule in range(RULES))


def is_right(by_name, kernel, device, cc, sm_count, l2_bytes, problem, rule, configuration):
    return by_name[kernel].right((device, int(cc), int(sm_count), int(l2_bytes)), dictionary(problem), rule,
                                 dictionary(configuration))


def main():
    program, include, library = sys.argv[1:4]
    for seed in SEEDS:
        with tempfile.TemporaryDirectory() as folder:
            if not run(seed, os.path.abspath(program), include, library, [a for a in sys.argv[4:] if a], folder):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
