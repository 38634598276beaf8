#!/usr/bin/env python3
"""Headers with fits over sizes in each of their languages. They compile without a warning, and agree with the
library on 100,000 random sizes and devices, by names chosen to harm. Emits databases of random fits, merged of one
per device; one program asks header and library.

    fits.py LANGUAGE PROGRAM INCLUDE_FOLDER LIBRARY COMPILER [FLAG...]"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

import random_fit

HERE = os.path.dirname(os.path.abspath(__file__))
QUESTIONS, KERNELS = 100000, 5
DEVICES = [("NVIDIA \\H100\\ \" */ // ??/", 90, 132, 52428800), ("NVIDIA H200", 90, 132, 62914560), ("A \\tB", 80, 108, 41943040),
           ("%s%n", 86, 82, 6291456), ("\u202e", 100, 148, 132120576)]
# Sizes and parameters named like keywords, macros, or the header's own names.
SIZES = ("int", "all", "row", "sm_count", "l2_bytes", "cc", "problem_all", "NULL", "kin", "least", "k_tuned", "__x", "and")
PARAMETERS = ("class", "device", "far", "count", "chosen", "fit", "a", "b", "by", "k_tuned_fit_0", "cc", "template", "or")
COLUMNS = ("schema,kernel,device,problem,objective,configuration,time_ns,default_configuration,cc,sm_count,l2_bytes,source_hash,"
           "space_hash,date,fit,fit_quality,condition")
FLAGS = {
    "c11": ["-x", "c", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"],
    "c++11": ["-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"],
    "c++17": ["-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"],
    "cuda": ["-x", "cu", "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror"],
}


def quoted(text):
    return '"%s"' % text.replace('"', '""')


def c_string(text):
    return '"%s"' % "".join("\\%03o" % byte for byte in text.encode())


class Kernel:
    """Some have rows of single sizes as well."""
    def __init__(self, random_, number):
        self.name = "k%d" % number
        self.sizes = random_.sample(SIZES, random_.randint(1, 3))
        self.parameters = random_.sample(PARAMETERS, 3)
        self.words = self.parameters[:1]
        self.random = random_
        self.conditions = number % 3  # some fits have none
        self.rows = {}  # by device
        self.fits = {device: random_fit.Fit(random_, self.sizes, [self.configuration() for _ in range(random_.choice((1, 2, 3, 5, 8, 14, 27)))])
                     for device in DEVICES}
        for device, fit in self.fits.items():
            self.rows[device] = [self.row(device, fit.region(), fit)]
            if number % 2:
                problem = " ".join("%s=%d" % (name, random_.choice((1, 64, 4096))) for name in sorted(self.sizes))
                self.rows[device].append(self.row(device, problem, None))

    def configuration(self):
        return " ".join("%s=%s" % (name, self.random.choice(("auto", "NULL", "int") if name in self.words else ("1", "2", "-3", "64")))
                        for name in self.parameters)

    def row(self, device, problem, fit):
        name, cc, sm_count, l2_bytes = device
        configuration = fit.takes[0][0] if fit else self.configuration()
        return ",".join(map(quoted, (
            "2" if fit else "1", self.name, name, problem, "time", configuration, "" if fit else "100",
            " ".join("%s=%s" % (name, "none" if name in self.words else "0") for name in self.parameters), str(cc), str(sm_count),
            str(l2_bytes), "s", "p", "2026-01-02T00:00:00Z", fit.text() if fit else "", "sizes=40 mean=0.9" if fit else "",
            "".join(self.condition() + ";" for _ in fit.takes) if fit and self.conditions else "" if fit else self.condition())))

    def condition(self):
        """A size with a limit's name hides the limit."""
        limits = {"cc", "sm_count"} & set(self.sizes)
        return random_fit.Requirement(self.random, [name for name in self.sizes if name not in limits]).text() if not limits else "1"

    def asking(self, header):
        """C code that asks header and library."""
        struct = header[header.index("struct %s_tuned {" % self.name):]
        struct = struct[:struct.index("};")]
        members = [line.split()[-1].strip("*;") for line in struct.splitlines()[-len(self.parameters):]]
        order = sorted(self.sizes)
        call = ", ".join("s[%d]" % i for i in range(len(order)))
        code = ["static int ask_%s(const struct cutune_database *database)\n{" % self.name,
                "    long long s[4]; char problem[256] = \"\"; int rule, wrong = 0; struct cutune_best best;",
                "    const struct device *d = pick(); const struct %s_tuned *row; size_t count;" % self.name]
        for i, name in enumerate(order):
            code.append('    s[%d] = pick_size(); add(problem, "%s", s[%d]);' % (i, name, i))
        code.append("    row = %s_tuned_select(d->name, d->cc, d->sm_count, d->l2_bytes, %s, &rule);" % (self.name, call))
        code.append('    if (look(database, "%s", d, problem, &best)) return 1;' % self.name)
        code.append("    wrong |= (int)best.rule != rule || best.extrapolated != %s_tuned_extrapolates(row, %s);" % (self.name, call))
        # With fits only, the function of integers answers like the selection for a device without a name.
        by_integers = "(%s_tuned_table(&count) + %s_tuned_fit(d->cc, d->sm_count, d->l2_bytes, %s))" % (self.name, self.name, call)
        if int(self.name[1:]) % 2 == 0:
            code.append("    if (!d->name && (rule == %s_TUNED_RULE_CC || rule == %s_TUNED_RULE_MAJOR)) { wrong |= row != %s; integers++; }"
                        % (self.name.upper(), self.name.upper(), by_integers))
            code.append("    if (!d->name && rule == %s_TUNED_RULE_DEFAULT) wrong |= %s_tuned_fit(d->cc, d->sm_count, d->l2_bytes, %s) != -1;"
                        % (self.name.upper(), self.name, call))
        for name, member in zip(self.parameters, members):
            same = "same_text" if name in self.words else "same_int"
            code.append('    wrong |= !%s(best.configuration, "%s", row->%s);' % (same, name, member))
        return "\n".join(code + ["    (void)count; seen[rule]++; extrapolated += best.extrapolated;",
                                 '    return wrong ? fail("%s", d, problem, &best, rule) : 0;\n}\n' % self.name])

    def device_code(self):
        """Code that only has to compile: the choice in a kernel, and as a constant."""
        sizes = ", ".join(["n"] * len(self.sizes))
        code = "#ifdef __CUDACC__\n__global__ void on_device_%s(int *out, long long n) { *out = %s_tuned_fit(90, 132, 62914560LL, %s); }\n#endif\n" % (
            self.name, self.name, sizes)
        return code + "#if defined __cplusplus && __cplusplus >= 201402L\nstatic_assert(%s_tuned_fit(90, 132, 62914560LL, %s) >= -1, \"constant\");\n#endif\n" % (
            self.name, ", ".join(["4096"] * len(self.sizes)))


COMMON = r"""
#include "ask.h"
static const struct device devices[] = {%s
    {"Other 90", 90, 120, 60000000}, {NULL, 90, 132, 62914560}, {NULL, 90, 132, 52428800}, {NULL, 90, 131, 57000000}, {NULL, 87, 16, 4000000},
    {NULL, 103, 150, 130000000}, {NULL, 70, 80, 6000000}, {NULL, 0, 0, 0}, {NULL, 80, 0, 0}, {NULL, 90, 0, 0}, {NULL, 90, 1, 9223372036854775807LL}};
static unsigned long long state = %d;
static long seen[8], extrapolated, integers;
static unsigned long long draw(unsigned long long n) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (state >> 20) %% n; }
static const struct device *pick(void) { return &devices[draw(sizeof devices / sizeof *devices)]; }
static long long pick_size(void)
{
    static const long long sizes[] = {0, 1, 2, 64, 100, 1024, 65536, 1LL << 33, 9007199254740993LL, 9223372036854775807LL};
    return draw(4) ? (long long)(draw(2ULL << draw(40))) : sizes[draw(sizeof sizes / sizeof *sizes)];
}
static void add(char *problem, const char *name, long long size) { sprintf(problem + strlen(problem), " %%s=%%lld", name, size); }
"""

MAIN = r"""
int main(int count, char **arguments)
{
    struct cutune_database *database;
    long i, wrong = 0;
    if (count != 2 || cutune_database_open(&database, arguments[1], NULL, NULL)) return 2;
    for (i = 0; i < %d && wrong < 5; i++)
        wrong += %s;
    cutune_database_close(database);
    for (i = 0; i < 7; i++) printf("%%s %%ld, ", cutune_rule_name((enum cutune_rule)i), seen[i]);
    printf("extrapolated %%ld, by integers %%ld\n", extrapolated, integers);
    return wrong || !seen[CUTUNE_RULE_FIT] || !seen[CUTUNE_RULE_CC] || !seen[CUTUNE_RULE_MAJOR] || !extrapolated || !integers;
}
"""


def main():
    language, program, include, library, compiler = sys.argv[1:6]
    if not shutil.which(compiler):
        print("no compiler for %s: skipped" % language)
        return 77
    random_ = random.Random(7)
    kernels = [Kernel(random_, i) for i in range(KERNELS)]
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, device in enumerate(DEVICES):
            parts.append(os.path.join(folder, "part%d.csv" % number))
            with open(parts[-1], "w", encoding="utf-8") as file:
                file.write("\n".join([COLUMNS] + [row for kernel in kernels for row in kernel.rows[device]]) + "\n")
        database = os.path.join(folder, "all.csv")
        subprocess.run([program, "merge", *parts, "-o", database], check=True, capture_output=True)
        source = []
        for kernel in kernels:
            path = os.path.join(folder, kernel.name + ".h")
            subprocess.run([program, "emit", "--kernel", kernel.name, "--db", database, "-o", path], check=True, capture_output=True)
            with open(path, encoding="utf-8") as file:
                kernel.header = file.read()
            source.append('#include "%s.h"\n#include "%s.h"\n' % (kernel.name, kernel.name))
        source.append(COMMON % ("".join("{%s, %d, %d, %d}," % (c_string(name), *numbers) for name, *numbers in DEVICES), 3))
        source += [kernel.asking(kernel.header) + kernel.device_code() for kernel in kernels]
        source.append(MAIN % (QUESTIONS // KERNELS, " + ".join("ask_%s(database)" % kernel.name for kernel in kernels)))
        path = os.path.join(folder, "fits.cu" if language == "cuda" else "fits.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(source))
        binary = os.path.join(folder, "fits")
        place = os.path.dirname(os.path.abspath(library))
        rpath = ["-Xlinker", "-rpath", "-Xlinker", place]
        subprocess.run([compiler, *FLAGS[language], *[flag for flag in sys.argv[6:] if flag], "-O1", "-I" + include, "-I" + HERE, path,
                        "-o", binary, "-L" + place, "-lcutune", *rpath], check=True)
        done = subprocess.run([binary, database], capture_output=True, text=True, errors="replace", timeout=100)
        print(done.stdout, end="")
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
