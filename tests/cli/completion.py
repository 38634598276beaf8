#!/usr/bin/env python3
"""The completion scripts and manual pages say what --help says: completion.py PROGRAM
bash's script is run; those of zsh and fish are run where these shells are there, else only read."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

OPTION = re.compile(r"^ {2,6}(?:-(\S), )?--([a-z0-9-]+)(?:=(\S+))?", re.M)
failures = []


def check(right, what):
    if not right:
        failures.append(what)
        print("FAILED: " + what)


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **more).stdout


class Help:
    """What --help says, with lines wide enough not to be broken."""

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
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
compopt() { :; }
_cutune
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(script, *words, folder):
    return [line for line in run("bash", "-c", BASH, "bash", script, *words, cwd=folder).splitlines() if line]


def check_bash(script, helps, names, folder):
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
                if "|" in value:
                    check(got == sorted(value.split("|")), "bash: %s: %s" % (line, got))
                elif "FILE" in value:
                    check(got == ["a.csv", "folder"], "bash: %s: %s" % (line, got))
                elif "DIR" in value:
                    check(got == ["folder"], "bash: %s: %s" % (line, got))
                else:
                    check(got == [], "bash: %s: %s" % (line, got))
    check(complete("emit", "--format", "c") == ["cmake"], "bash: emit --format c")
    check(complete("check", "") == ["a.csv", "folder"], "bash: check FILE")
    check(complete("completion", "") == ["bash", "fish", "zsh"], "bash: completion SHELL")


# ---- zsh and fish ----

def check_zsh(script, helps):
    with open(script, encoding="utf-8") as file:
        text = file.read()
    for command, said in helps.items():
        part = re.search(r"^    %s\)\n        _arguments.*?;;" % (command or "tune"), text, re.S | re.M)
        names = set(re.findall(r"--([a-z0-9-]+)=?(?:\[|\})", part.group())) if part else set()
        check(names == set(said.options), "zsh: options of %s: %s" % (command, names ^ set(said.options)))
    if not shutil.which("zsh"):
        return "zsh is not there: only read"
    run("zsh", "-n", script)
    # The real completion system, but what it would show is caught where _arguments is called.
    run("zsh", "-fc", 'autoload -U compinit; compinit -u -D; _arguments() { print -l -- "$@"; }; CURRENT=3; '
        "words=(cutune emit --); source %s >$1; grep -q -e --kernel= $1" % script, "zsh", script + ".out")
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
    environment = dict(os.environ, HOME=folder)
    for line, wanted in (("cutune emit --format ", {"header", "cmake", "json", "flags"}),
                         ("cutune emit --ker", {"--kernel"}), ("cutune --strat", {"--strategy"}),
                         ("cutune completion ", {"bash", "zsh", "fish"})):
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
    for name, section in (("space", "STATEMENTS"), ("journal", "DATABASE")):
        check("\n.SH %s\n" % section in page(name), "the page %s" % name)
    library = page("library")
    check(library.count("cutune_database_best(") == 1 and ".SH TUNING" in library, "the library's page")


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ["ARGP_HELP_FMT"] = ""
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
        place = os.path.join(folder, "place")
        os.makedirs(os.path.join(place, "folder"))
        with open(os.path.join(place, "a.csv"), "w", encoding="utf-8"):
            pass
        check_bash(scripts["bash"], helps, names, place)
        print(check_zsh(scripts["zsh"], helps))
        print(check_fish(scripts["fish"], helps, names, place))
        check_manual(program, helps, names, folder)
    print("%d commands, %d failures" % (len(helps), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
