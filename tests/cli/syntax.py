#!/usr/bin/env python3
"""The syntax files of editors know the language: syntax.py PROGRAM

Every word of the space files of the repository is a word of the grammar, or a name of a file. Both formats have the same
words. Where Vim is installed, it colours a file as the table below says."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SPACES = ("templates/*.space", "tests/gpu/*.space", "tests/cli/fixtures/*.space", "docs/examples/**/*.space")
# Words behind which the word is a name, besides the declarations of the grammar.
NAMES = r"(?:kernel|launch|reference(?:\s+fp64)?|accept|by|loop|texture|surface|constant|device_variable|tensor_map|define|host)"
SAMPLE = """space 2
param TILE = 16, 32    # sizes, such as "16"
buffer in float[ceildiv(N, 2)] random
require TILE <= max_threads && true
launch copy "launch.cu" args in block TILE
title "a block"
problem N = ???"""
# In each row: a line of the sample, a text on it, and the group of the first character of the text.
COLOURS = (
    (1, "space", "cutuneStatement"), (1, "2", "cutuneNumber"), (2, "param", "cutuneStatement"), (2, "TILE", "cutuneName"),
    (2, "32", "cutuneNumber"), (2, '"16"', "cutuneComment"), (3, "in ", "cutuneName"), (3, "float", "cutuneType"),
    (3, "ceildiv", "cutuneFunction"), (3, "random", "cutuneClause"), (4, "max_threads", "cutuneLimit"), (4, "true", "cutuneBoolean"),
    (5, "launch", "cutuneStatement"), (5, "launch.cu", "cutuneString"), (5, "args", "cutuneClause"), (5, "block", "cutuneClause"),
    (6, "block", "cutuneString"), (7, "???", "cutuneTodo"))
failures = []


def check(right, what):
    if not right:
        failures.append(what)
        print("FAILED: " + what)


def run(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **more).stdout


def words_of(text):
    """The alternatives of every group of the regular expressions of a file."""
    return {word for group in re.findall(r"\((\w+(?:\|\w+)+)\)", text) for word in group.split("|")}


def read_plain(path):
    """The statements of a space file without comments and quoted text."""
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\\\n", " ")
    return re.sub(r"#.*", "", re.sub(r'"[^"\n]*"', '""', text))


def check_words(known):
    texts = [read_plain(path) for pattern in SPACES for path in glob.glob(os.path.join(ROOT, pattern), recursive=True)]
    names = set()
    for text in texts:
        for line in text.splitlines():
            if re.match(r"\s*(param|default|per)\b", line):
                values = re.sub(r"\b(step|times)\b|\bwhen\b.*", "", line.partition("=")[2])
                names.update(re.findall(r"\w+", values))
            names.update(re.findall(r"^\s*(?:param|problem|let|define|buffer|loop|%s)\s+([\w:]+)" % NAMES, line))
            names.update(name for parts in re.findall(r"\b%s\s+([\w:<>, ]+)" % NAMES, line) for name in re.findall(r"\w+", parts)[:1])
            names.update(re.findall(r"^\s*kernel\s+[\w:]+<(.*)>", line))
    seen = {word for text in texts for word in re.findall(r"(?<![\w.])[a-z_]\w*", text)}
    missing = sorted(seen - names - known)
    check(len(texts) > 50 and len(seen) > 100, "there are few space files")
    check(not missing, "words that the grammar lacks: " + " ".join(missing))


def check_vim(syntax):
    vim = shutil.which("vim")
    if not vim or "+syntax" not in run(vim, "--version"):
        print("no Vim with syntax: its colours are not checked")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = ["set nocompatible", "syntax on", "source cutune.vim", "redir! > groups"]
        for line, text, _ in COLOURS:
            column = SAMPLE.splitlines()[line - 1].index(text) + 1
            script.append("silent echo synIDattr(synID(%d, %d, 1), 'name')" % (line, column))
        for name, lines in (("cutune.vim", syntax), ("script.vim", "\n".join(script + ["redir END", "qa!"])), ("sample", SAMPLE)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(lines)
        run(vim, "-es", "-u", "NONE", "-i", "NONE", "-S", "script.vim", "sample", cwd=folder)
        with open(os.path.join(folder, "groups"), encoding="utf-8") as file:
            groups = file.read().split("\n")[1:]
    for (line, text, expected), came in zip(COLOURS, groups):
        check(came == expected, "Vim, line %d: '%s' is %s instead of %s" % (line, text, came or "plain", expected))
    check(len(groups) >= len(COLOURS), "Vim did not answer")


def main():
    program = os.path.abspath(sys.argv[1])
    vim, textmate = run(program, "syntax", "vim"), run(program, "syntax", "textmate")
    for rule in json.loads(textmate)["patterns"]:
        for name in ("match", "begin", "end"):
            re.compile(rule.get(name, ""))
    check(words_of(vim) == words_of(textmate), "the formats have other words: " +
          " ".join(sorted(words_of(vim) ^ words_of(textmate))))
    check_words(words_of(textmate))
    check_vim(vim)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
