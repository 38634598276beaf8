#!/usr/bin/env python3
"""The completion scripts and manual pages agree with --help: completion.py PROGRAM
Runs bash's script; runs those of zsh and fish if these shells are installed, else only reads them."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Values that the scripts request from the program: the place, and the answer in the folder of the test.
VALUES = {"strategies": None, "templates": ["alpha", "beta"], "kernels": ["copy", "matmul", "scan"],
          "devices": ["NVIDIA A100", "NVIDIA H200"], "problems": ["N=1", "N=2"], "columns": None, "pages": None}
VALUES["kinds"] = list(VALUES)
PLACES = {("", "space"): "templates", ("", "strategy"): "strategies", ("check", None): "templates",
          ("show", "kernel"): "kernels", ("show", "device"): "devices", ("show", "for"): "devices", ("show", "problem"): "problems",
          ("show", "sort"): "columns", ("show", "space"): "templates", ("emit", "kernel"): "kernels",
          ("fit", "space"): "templates", ("judge", "space"): "templates", ("fit", "strategy"): "strategies",
          ("emit", "device"): "devices", ("emit", "space"): "templates", ("compare", "kernel"): "kernels",
          ("compare", "space"): "templates", ("report", "kernel"): "kernels", ("explain", "kernel"): "kernels",
          ("explain", "space"): "templates", ("strategies", None): "strategies",
          ("manual", None): "pages", ("completion", "values"): "kinds"}
DATABASE = "schema,kernel,device,problem,objective,configuration\n%s"
ROWS = "1,scan,NVIDIA H200,N=2,time,\n1,copy,NVIDIA H200,N=1,time,\n1,copy,NVIDIA A100,N=1,time,\n"
OPTION = re.compile(r"^ {2,6}(?:-(\S), )?--([a-z0-9-]+)(?:=(\S+))?", re.M)
failures = []


def check(right, what):
    if not right:
        failures.append(what)
        print("FAILED: " + what)


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **more).stdout


def make_place(place):
    """Makes a folder with a database, journals, templates and another database."""
    for folder in ("cutune.d", "templates"):
        os.makedirs(os.path.join(place, folder))
    for name, text in (("cutune.csv", DATABASE % ROWS), ("other.csv", DATABASE % "1,other,\"A, B $(touch hit)\",,time,\n"),
                       ("cutune.d/matmul.X.0.csv", ""), ("templates/alpha.space", ""), ("templates/beta.space", "")):
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)


def values_of(program, place):
    """Completes VALUES with the program's own lists."""
    def column(*words):
        return [line.split(",")[0] for line in run(program, *words).splitlines()[1:]]
    pages = commands_of(run(program, "--help"))
    pages = [name for name in pages if name != "help"] + ["space", "journal", "library"]
    columns = run(program, "show", "--format", "csv", cwd=place).splitlines()[0].split(",")
    return dict(VALUES, strategies=sorted(column("strategies", "--format", "csv") + ["auto"]), pages=sorted(pages),
                columns=sorted(name for name in columns if name not in ("state", "generation")))


class Help:
    """The output of --help, with lines wide enough not to be broken."""

    def __init__(self, program, command):
        words = [command] if command else []
        self.text = run(program, *words, "--help")
        options = self.text.split("\nCommands (")[0]
        self.options = {name: (short, value) for short, name, value in OPTION.findall(options)}


def commands_of(text):
    block = text.split("\nCommands (")[1].split("\n\n", 1)[1].split("\n\n")[0]
    return [line.split()[0] for line in block.splitlines() if re.match(r"  \S", line)]


# ---- bash ----

BASH = r"""
PATH=$1:$PATH; shift
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
compopt() { :; }
_cutune
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(script, *words, folder):
    return [line for line in run("bash", "-c", BASH, "bash", os.path.dirname(script), script, *words, cwd=folder).splitlines() if line]


def check_bash(script, helps, names, folder, values):
    run("bash", "-n", script)
    def complete(*words):
        return sorted(bash(script, "cutune", *words, folder=folder))
    check(complete("") == sorted(names), "bash completes commands: %s" % complete(""))
    check(complete("de") == ["devices"], "bash completes de")
    check(complete("help", "") == sorted(n for n in names if n != "help"), "bash completes help")
    for command, text in helps.items():
        words = [command] if command else []
        wanted = sorted("--" + name for name in text.options)
        check(complete(*words, "--") == wanted, "bash: options of %s: %s" % (command, complete(*words, "--")))
        for name, (short, value) in text.options.items():
            if not value:
                continue
            asked = [words + ["--" + name, ""], words + ["--" + name, "=", ""], words + ["--" + name, "="]]
            asked += [words + ["-" + short, ""]] if short else []
            for line in asked:
                got = complete(*line)
                files = sorted(os.listdir(folder))
                wanted = [v.replace(" ", "\\ ") for v in values.get(PLACES.get((command, name)), [])]
                if "|" in value:
                    wanted += value.split("|")
                elif "FILE" in value:
                    wanted += files
                elif "DIR" in value:
                    wanted += [name for name in files if "." not in name or name == "cutune.d"]
                check(got == sorted(wanted), "bash: %s: %s" % (line, got))
    check(complete("emit", "--format", "c") == ["cmake"], "bash: emit --format c")
    check(complete("check", "") == sorted(os.listdir(folder) + values["templates"]), "bash: check FILE")
    for line, wanted in ((("show", "--kernel", "s"), ["scan"]), (("show", "--db", "other.csv", "--kernel", ""), ["matmul", "other"]),
                         (("show", "--db", "=", "other.csv", "--kernel", "=", "o"), ["other"]),
                         (("show", "--device", "NVIDIA\\ A"), ["NVIDIA\\ A100"]),
                         (("show", "--db", "other.csv", "--device", ""), ["A\\,\\ B\\ \\$\\(touch\\ hit\\)"]),
                         (("show", "--sort", "-spee"), ["-speedup"]), (("--strategy", "e"), ["exhaustive"]),
                         (("manual", "jo"), ["journal"]), (("strategies", "su"), ["surrogate"])):
        check(complete(*line) == wanted, "bash: %s: %s" % (line, complete(*line)))
    check(not os.path.exists(os.path.join(folder, "hit")), "bash runs what a database contains")
    check(complete("completion", "") == ["bash", "fish", "zsh"], "bash: completion SHELL")


# ---- zsh and fish ----

def check_zsh(script, helps, folder):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    for command, said in helps.items():
        part = re.search(r"^    %s\)\n        _arguments.*?;;" % (command or "tune"), text, re.S | re.M)
        names = set(re.findall(r"--([a-z0-9-]+)=?(?:\[|\})", part.group())) if part else set()
        check(names == set(said.options), "zsh: options of %s: %s" % (command, names ^ set(said.options)))
    if not shutil.which("zsh"):
        return "zsh is not there: only read"
    run("zsh", "-n", script)
    # The real completion system, except that the call of _arguments is intercepted.
    run("zsh", "-fc", 'autoload -U compinit; compinit -u -D; _arguments() { print -l -- "$@"; }; CURRENT=3; '
        "words=(cutune emit --); source %s >$1; grep -q -e --kernel= $1" % script, "zsh", script + ".out")
    # Intercepts the words that zsh would offer.
    def added(*words):
        return run("zsh", "-fc", 'path=($1 $path); script=$2; shift 2; compadd() { print -l -- "${(@P)2}"; }; '
                   '_arguments() { eval ${${(M)@:#*_cutune_values*}[1]##*:}; }; compdef() { }; words=("$@"); CURRENT=$#; source $script; true',
                   "zsh", os.path.dirname(script), script, *words, cwd=folder).split("\n")[:-1]
    for words, wanted in ((("cutune", "report", "--kernel", ""), ["copy", "matmul", "scan"]),
                          (("cutune", "report", "--db", "other.csv", "--kernel", ""), ["matmul", "other"]),
                          (("cutune", "report", "--db", "none.csv", "--journal", "none", "--kernel", ""), [])):
        check(added(*words) == wanted, "zsh: %s: %s" % (words, added(*words)))
    return "zsh: run"


def check_fish(script, helps, names, folder):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    for command, said in helps.items():
        here = "not __fish_seen_subcommand_from .*" if not command else "__fish_seen_subcommand_from %s" % command
        found = set(re.findall(r"^complete -c cutune -n '%s' -l ([a-z0-9-]+)" % here, text, re.M))
        check(found == set(said.options), "fish: options of %s: %s" % (command, found ^ set(said.options)))
    if not shutil.which("fish"):
        return "fish is not there: only read"
    run("fish", "-n", script)
    environment = dict(os.environ, HOME=folder, PATH=os.path.dirname(script) + os.pathsep + os.environ["PATH"])
    for line, wanted in (("cutune emit --format ", {"header", "cmake", "json", "flags"}),
                         ("cutune emit --ker", {"--kernel"}), ("cutune --strat", {"--strategy"}),
                         ("cutune completion ", {"bash", "zsh", "fish"}), ("cutune show --kernel ", {"copy", "matmul", "scan"}),
                         ("cutune show --db other.csv --kernel ", {"matmul", "other"}), ("cutune --strategy s", {"surrogate"}),
                         ("cutune show --device NVIDIA", {"NVIDIA A100", "NVIDIA H200"}), ("cutune check ", {"alpha", "cutune.csv"}),
                         ("cutune manual sp", {"space"}), ("cutune show --sort=-spee", {"--sort=-speedup"})):
        got = run("fish", "--no-config", "-c", 'source %s; complete -C "%s"' % (script, line), env=environment, cwd=folder)
        got = {row.split("\t")[0].rstrip("=") for row in got.splitlines()}
        check(wanted <= got, "fish: %s: %s" % (line, got))
    return "fish: run"


# ---- Manual ----

def check_manual(program, helps, names, folder):
    def page(*words):
        path = os.path.join(folder, "page")
        run(program, "manual", *words, "-o", path)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z", path], capture_output=True, text=True, timeout=60)
            check(done.returncode == 0 and not done.stderr, "groff of %s: %s" % (words, done.stderr))
        if shutil.which("mandoc"):
            done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True, timeout=60)
            warnings = [line for line in done.stdout.splitlines() if "missing date" not in line] # pages have a version
            check(not warnings, "mandoc of %s: %s" % (words, warnings[:3]))
        with open(path, encoding="utf-8") as file:
            return file.read().replace("\\-", "-")
    for command, said in helps.items():
        text = page(*([command] if command else []))
        for name, (short, value) in said.options.items():
            term = (r"\fB-%s\fR, " % short if short else "") + r"\fB--%s\fR" % name + (r"=\fI%s\fR" % value if value else "")
            check("\n%s\n" % term in text, "manual of %s: %s" % (command, term))
        check(len(re.findall(r"^\.TP\n.*\\fB--", text, re.M)) == len(said.options), "options in the manual of %s" % command)
    main = page()
    for name in names:
        check(name == "help" or r"\fB%s\fR" % name in main, "manual: command %s" % name)
    for name, section in (("space", "STATEMENTS"), ("journal", "DATABASE"), ("mpi", "OPTIONS")):
        check("\n.SH %s\n" % section in page(name), "the page %s" % name)
    library = page("library")
    check(library.count("cutune_database_best(") == 1 and ".SH TUNING" in library, "the library's page")


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ.update(COLUMNS="80", CUTUNE_TEMPLATES="/nonexistent")
    helps = {"": Help(program, "")}
    names = commands_of(helps[""].text)
    for name in names:
        if name not in ("tune", "help"):
            helps[name] = Help(program, name)
    with tempfile.TemporaryDirectory() as folder:
        scripts = {}
        for shell in ("bash", "zsh", "fish"):
            scripts[shell] = os.path.join(folder, ".cutune." + shell)
            run(program, "completion", shell, "-o", scripts[shell])
        os.symlink(program, os.path.join(folder, "cutune"))
        place = os.path.join(folder, "place")
        make_place(place)
        values = values_of(program, place)
        check_bash(scripts["bash"], helps, names, place, values)
        print(check_zsh(scripts["zsh"], helps, place))
        print(check_fish(scripts["fish"], helps, names, place))
        check_manual(program, helps, names, folder)
    print("%d commands, %d failures" % (len(helps), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
