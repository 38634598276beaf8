#!/usr/bin/env python3
"""The documentation is true.

    check_docs.py --program CUTUNE [--library LIBCUTUNE]

    links        relative links and their anchors resolve; files and folders of the repository in `code` exist
    index        docs/README.md lists every page of docs/; README.md has at most README_BYTES, its pictures PICTURES_BYTES
    generated    parts from tools/scripts/docs, the schema of results and the picture of a terminal are up to date; every command
                 has a part
    names        pages name everything in the tables of the source: statuses, lines of the summary, types, templates ...;
                 messages that docs/troubleshooting.md quotes are messages of the program
    rules        docs/measuring.md has the rules that end a series, in order, with their meanings and constants
    sentences    no sentence of SENTENCE_WORDS words or more stands in two places
    options      every option in a command line, in a block or in `code`, is one of its command
    sessions     each `$ command` of a ```console block succeeds, in one scratch folder per page, and writes the shown text.
                 `...` stands for any text, alone on a line for any lines. ```console gpu blocks are not run
    spaces       each ```space block passes `cutune check`, and with --library its default compiles. A block without the
                 statement `space` is an excerpt: its lines stand in this order in a space file of the repository

A paragraph that ends with "`NAME`:" names the file of the block below it."""
import argparse
import csv
import ctypes
import glob
import importlib.machinery
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
README_BYTES = 8192
PICTURES_BYTES = 150000
SENTENCE_WORDS = 12
LIMIT_S = 120
# Options of other programs in the pages.
FOREIGN = {"--maxrregcount", "--include-path", "--minimal", "--preset", "--install", "--build", "--target", "--prefix",
           "--test-dir", "--cflags", "--libs", "--output-on-failure", "--bind-to", "--mpi", "--gpus-per-task", "--silence"}
faults = []


def fault(page, text):
    faults.append("%s: %s" % (os.path.relpath(page, ROOT), text))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Block:
    """A fenced block: its info string, its text, and the name from the paragraph above it."""

    def __init__(self, info, lines, name, line):
        self.info, self.text, self.name, self.line = info, "".join(lines), name, line


class Page:
    """A Markdown file: `prose` is the text without blocks, `blocks` are the fenced ones."""

    def __init__(self, path):
        self.path, self.blocks = path, []
        self.text = read(path)
        prose, block, info, begin = [], None, "", 0
        for number, line in enumerate(self.text.splitlines(True), 1):
            fence = line.startswith("```")
            if block is None and fence:
                block, info, begin = [], line[3:].strip(), number
            elif block is not None and fence:
                name = re.search(r"`([^`\s]+)`:\s*$", "".join(prose))
                self.blocks.append(Block(info, block, name[1] if name else None, begin))
                prose.append("\n")
                block = None
            else:
                (prose if block is None else block).append(line)
        if block is not None:
            fault(path, "line %d: this block has no end" % begin)
        self.prose = "".join(prose)
        self.written = re.sub(r"<!-- generated:.*?<!-- end -->", "", self.prose, flags=re.S)

    def code(self):
        return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", self.written)]

    def anchors(self):
        found, counts = set(re.findall(r'<a (?:id|name)="([^"]+)"', self.prose)), {}
        for title in re.findall(r"^#+ +(.*?)\s*$", self.prose, re.M):
            title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
            anchor = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
            found.add(anchor + ("-%d" % counts[anchor] if anchor in counts else ""))
            counts[anchor] = counts.get(anchor, 0) + 1
        return found


def read_pages():
    pages = {}
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in ("build", ".git", "shared")]
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(folder, name)
                pages[path] = Page(path)
    return pages


# ---- Text ---------------------------------------------------------------------------------------------------------------


def check_links(pages):
    for page in pages.values():
        links = re.findall(r"\]\(([^)\s]+)\)", page.prose) + re.findall(r'(?:src|href|srcset)="([^"\s]+)"', page.prose)
        for link in links:
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
            if not os.path.exists(target):
                fault(page.path, "the link %s leads nowhere" % link)
            elif anchor and (target not in pages or anchor not in pages[target].anchors()):
                fault(page.path, "the link %s leads to a heading that is not there" % link)
        for span in page.code():
            path = span.split()[0].rstrip(":")
            if re.match(r"(docs|tools|tests|templates|space|db|tuner)/", path) and not re.search(r"[A-Z]{4}", path):
                if not glob.glob(os.path.join(ROOT, path)) and not glob.glob(os.path.join(os.path.dirname(page.path), path)):
                    fault(page.path, "the repository has no %s" % path)


def check_index(pages):
    index = pages[os.path.join(ROOT, "docs/README.md")]
    listed = set(re.findall(r"^\|.*?\]\(([\w-]+\.md)\)", index.prose, re.M))
    there = {os.path.basename(path) for path in glob.glob(os.path.join(ROOT, "docs/*.md"))} - {"README.md"}
    for name in sorted(there - listed):
        fault(index.path, "%s is not in the table" % name)
    for name in sorted(listed - there):
        fault(index.path, "%s is in the table, but not in docs/" % name)
    results = pages[os.path.join(ROOT, "docs/results.md")]
    for path in sorted(glob.glob(os.path.join(ROOT, "docs/results/*.md"))):
        if "](results/%s" % os.path.basename(path) not in results.prose:
            fault(results.path, "does not link results/%s" % os.path.basename(path))
    readme = os.path.join(ROOT, "README.md")
    if os.path.getsize(readme) > README_BYTES:
        fault(readme, "%d bytes, more than %d" % (os.path.getsize(readme), README_BYTES))
    pictures = sum(os.path.getsize(path) for path in glob.glob(os.path.join(ROOT, "docs/pictures/*")))
    if pictures > PICTURES_BYTES:
        fault(readme, "the pictures have %d bytes, more than %d" % (pictures, PICTURES_BYTES))
    version = re.search(r"project\(cutune VERSION (\S+)", read(os.path.join(ROOT, "CMakeLists.txt")))[1]
    citation = os.path.join(ROOT, "CITATION.cff")
    if "\nversion: %s\n" % version not in read(citation):
        fault(citation, "this is version %s" % version)
    title = re.match(r"# (.*)", read(readme))[1]
    if '\ntitle: "%s"\n' % title not in read(citation):
        fault(citation, "the README's title is '%s'" % title)
    address = "https://host.example/cutune"
    for name, text in script("homepage").wanted(address).items():
        if address not in text:
            fault(os.path.join(ROOT, name), "has no place for the address of the repository")
    for name in script("homepage").outdated():
        fault(os.path.join(ROOT, name), "has another address than HOMEPAGE_URL: run tools/scripts/homepage")


def rows_of(path, pattern):
    return re.findall(pattern, read(os.path.join(ROOT, path)), re.M)


def check_names(pages):
    templates = [os.path.basename(path)[:-len(".space")] for path in glob.glob(os.path.join(ROOT, "templates/*.space"))]
    for name, expected in (("output.md", rows_of("tuner/base/statuses.def", r'^STATUS\(\w+, "(\w+)"')),
                           ("output.md", rows_of("tools/commands/summary.c", r'fact\("([^"]+)"')),
                           ("explaining.md", rows_of("tuner/analyse/rules.def", r"^RULE\((\w+)")),
                           ("techniques.md", rows_of("space/technique/techniques.def", r"^TECHNIQUE\((\w+)")),
                           ("templates.md", templates)):
        page = pages[os.path.join(ROOT, "docs", name)]
        named = " ".join(page.code()).split() + page.code()
        if not expected:
            fault(page.path, "the table of what it should name has no rows")
        for one in expected:
            if one not in named:
                fault(page.path, "does not name %s" % one)
    page = pages[os.path.join(ROOT, "docs/troubleshooting.md")]
    sources = "".join(read(path) for path in glob.glob(os.path.join(ROOT, "t*/**/*.c"), recursive=True) if "/tests/" not in path)
    sources = re.sub(r'"\s*"', "", sources)
    for cell in re.findall(r"^\| (.*?) \|", page.prose, re.M):
        for message in re.findall(r"`([^`]+ [^`]+)`", cell):
            if not re.search(re.sub("FILE|NAME", "%s", re.escape(message)), sources):
                fault(page.path, "no message says: %s" % message)


def check_rules(pages):
    """Compares the rows of the page that begin with a rule's name and meaning with those of the source."""
    page = pages[os.path.join(ROOT, "docs/measuring.md")]
    rules = []
    for name, meaning, constant, value in rows_of(
            "tuner/base/stop_rules.def", r'^(?:RULE\((\w+),[^"]*"([^"]+)"\)|(?:WHOLE|REAL)\((\w+), ([\d.]+), )'):
        if name:
            rules.append(("| `%s` | %s |" % (name, meaning), []))
        else:
            units = ((1e9, " s"), (1e6, " ms"), (1e3, " us"))
            factor, unit = next(u for u in units if float(value) >= u[0]) if constant.endswith("_NS") else (1, "")
            rules[-1][1].append("%g%s" % (float(value) / factor, unit))
    rows = re.findall(r"^(\| `\w+` \| [^|]+ \|)(.*)$", page.prose.partition("| rule | meaning |")[2].partition("\n\n")[0], re.M)
    if not rules or [row[0] for row in rows] != [rule[0] for rule in rules]:
        fault(page.path, "the rules of tuner/base/stop_rules.def are %s" % "; ".join(rule[0] for rule in rules))
    for (start, text), (_, values) in zip(rows, rules):
        for value in values:
            if not re.search(r"(?<![\d.])%s(?![\d.])" % re.escape(value), text):
                fault(page.path, "the row %s lacks %s" % (start, value))


def sentences_of(text):
    """Returns the long sentences, as (words, text)."""
    text = re.sub(r"^(\||#|<).*$", "", text, flags=re.M)
    for sentence in re.split(r"(?<=[.:?!;])\s+|\n\s*\n|^\s*[-*\d]+\.?\s", text, flags=re.M):
        words = re.findall(r"[\w'%.-]+", sentence.lower())
        if len(words) >= SENTENCE_WORDS:
            yield " ".join(words), " ".join(sentence.split())


def check_sentences(pages):
    """Tables and headings do not count. Generated parts may repeat each other, but nobody repeats them."""
    seen = {}
    written = [page for page in pages.values() if os.path.basename(page.path) != "CHANGELOG.md"]
    for page in written:
        for part in re.findall(r"<!-- generated:.*?<!-- end -->", page.prose, re.S):
            seen.update((words, page.path) for words, _ in sentences_of(part))
    for page in written:
        for words, sentence in sentences_of(page.written):
            if words in seen:
                fault(page.path, "also in %s: %s" % (os.path.relpath(seen[words], ROOT), sentence))
            seen[words] = page.path


# ---- Generated parts and options --------------------------------------------------------------------------------------------


def commands_of(help_text):
    """Returns the names of the commands in the help of cutune."""
    return re.findall(r"^  ([a-z]+)(?: |$)", help_text[help_text.index("\nCommands"):], re.M)


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.commands = [c for c in commands_of(self.help_of()) if c != "help"]
        self.options = {c: set(re.findall(r"(?<![\w-])--?[a-zA-Z?][a-z0-9-]*", self.help_of(c))) for c in self.commands}

    def help_of(self, *command):
        return subprocess.run([self.path, *command, "--help"], check=True, capture_output=True, text=True).stdout

    def command_of(self, words):
        """Finds the command in the words behind `cutune`."""
        first = next((word for word in words if not word.startswith("-")), "tune") if words[:1] != ["--space"] else "tune"
        return words[0] if words and words[0] in self.commands else first if first in self.commands else "tune"


def script(name):
    """Loads a script of tools/scripts as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(ROOT, "tools/scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def check_generated(program, pages):
    docs, pictures, commands = script("docs"), script("pictures"), []
    picture = os.path.join(pictures.FOLDER, "terminal.svg")
    if pictures.terminal(program.path) != read(picture):
        fault(picture, "is out of date: run tools/scripts/pictures --program %s" % program.path)
    for page in pages.values():
        if page.path in docs.pages():
            commands += [part[2] for part in docs.PART.finditer(page.text)]
            if page.text.count("<!-- generated:") != len(docs.PART.findall(page.text)):
                fault(page.path, "a generated part has no end")
            if docs.renewed(program.path, page.text) != page.text:
                fault(page.path, "a generated part is out of date: run tools/scripts/docs --program %s" % program.path)
    if docs.schema_renewed(program.path, read(docs.SCHEMA)) != read(docs.SCHEMA):
        fault(docs.SCHEMA, "is out of date: run tools/scripts/docs --program %s" % program.path)
    for name in program.commands:
        if not any(re.search(r"\b%s\b" % name, command) for command in commands) and name != "tune":
            fault(os.path.join(ROOT, "docs/commands.md"), "has no generated part for the command %s" % name)


def check_line(program, page, line):
    """Checks a command line, or a part of one: cutune, or the script of the repository, has these options."""
    try:
        words = shlex.split(line.replace("...", ""), comments=True)
    except ValueError:
        words = line.split()
    while words:
        word = words.pop(0)
        part = []
        while words and words[0] not in ("|", "&&", "||", ";"):
            part.append(words.pop(0))
        part = part[:part.index("--")] if "--" in part else part
        options = [re.match(r"--?[a-zA-Z][a-z0-9-]*", w)[0] for before, w in zip(["", *part], part)
                   if re.match(r"--[a-z]" if re.match(r"--[^=]+$", before) else r"--?[a-zA-Z]", w)]
        if word == "cutune":
            command = program.command_of(part)
            for option in options:
                known = program.options[command]
                if option not in known and (option.startswith("--") or option[:2] not in known):
                    fault(page.path, "`cutune %s` has no option %s" % (command, option))
        elif re.match(r"(tools|tests)/", word) and os.path.isfile(os.path.join(ROOT, word)):
            for option in options:
                if option not in read(os.path.join(ROOT, word)):
                    fault(page.path, "%s has no option %s" % (word, option))
        words = words[1:]


def check_options(program, pages):
    known = set().union(*program.options.values()) | FOREIGN
    for page in pages.values():
        if os.path.basename(page.path) == "CHANGELOG.md":
            continue
        scripts = "".join(map(read, filter(os.path.isfile, (os.path.join(ROOT, s.split()[0]) for s in page.code()))))
        for span in page.code():
            check_line(program, page, span)
            option = re.match(r"--[a-z][a-z0-9-]*", span)
            if option and option[0] not in known and option[0] not in scripts:
                fault(page.path, "there is no option %s" % option[0])
        for block in page.blocks:
            if block.info.split()[:1] in ([], ["console"], ["sh"]):
                for line in block.text.replace("\\\n", " ").splitlines():
                    if block.info == "sh" or line.startswith(("$ ", "cutune ")):
                        check_line(program, page, line.removeprefix("$ "))


# ---- Running commands -----------------------------------------------------------------------------------------------------


class Scratch:
    """A folder with the repository's data and the files that a page names."""

    def __init__(self, program, page):
        self.program, self.page = program, page

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        path = self.folder.name
        os.mkdir(os.path.join(path, ".bin"))
        os.symlink(self.program.path, os.path.join(path, ".bin/cutune"))
        for name in ("templates", "space", "db", "tests"):
            os.symlink(os.path.join(ROOT, name), os.path.join(path, name))
        for source in glob.glob(os.path.join(ROOT, "templates/*.cu")):
            os.symlink(source, os.path.join(path, os.path.basename(source)))
        for block in self.page.blocks:
            if block.name and block.info in ("cuda", "space", "json", "csv"):
                with open(os.path.join(path, block.name), "w", encoding="utf-8") as file:
                    file.write(block.text)
        self.environment = {
            "PATH": os.path.join(path, ".bin") + os.pathsep + os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C",
            "HOME": path, "TERM": "dumb", "COLUMNS": "80", "CUDA_VISIBLE_DEVICES": "-1",
            "CUTUNE_TEMPLATES": os.path.join(ROOT, "templates"), "CUTUNE_DEVICES": os.path.join(ROOT, "space/devices")}
        self.environment.update((name, os.environ[name]) for name in os.environ
                                if name.endswith("SAN_OPTIONS") or name == "LD_LIBRARY_PATH")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, command):
        return subprocess.run(["/bin/sh", "-c", command], cwd=self.folder.name, env=self.environment, timeout=LIMIT_S,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="backslashreplace", check=False)


def pattern_of(lines):
    """Returns a regular expression for a shown output."""
    text = ""
    for line in lines:
        line = line.rstrip()
        text += r"(?:.*\n)*?" if line == "..." else r".*".join(map(re.escape, line.split("..."))) + r" *\n"
    return text


def check_session(scratch, page, block):
    steps = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line)
        else:
            fault(page.path, "line %d: output without a command" % block.line)
            return
    for command, shown in steps:
        done = scratch.run(command)
        if done.returncode:
            fault(page.path, "`%s` fails with %d: %s" % (command, done.returncode, done.stderr.strip()))
        elif shown and not re.fullmatch(pattern_of(shown), done.stdout):
            fault(page.path, "`%s` does not write what is shown, but\n%s" % (command, done.stdout))


def compile_default(library, path):
    """Compiles the default of a space for an H200, without a GPU. Returns the error's text, "" for none."""
    with open(os.path.join(ROOT, "space/devices/H200.csv"), newline="", encoding="utf-8") as file:
        limits = next(csv.DictReader(file))
    api = ctypes.CDLL(os.path.abspath(library))
    api.cutune_device_new.restype = api.cutune_error_format.restype = ctypes.c_void_p
    error = ctypes.create_string_buffer(4096)
    device = ctypes.c_void_p(api.cutune_device_new(b"NVIDIA H200", 90, 132, ctypes.c_longlong(62914560)))
    for name, value in limits.items():
        if value.isdigit() and name not in ("device", "driver", "cuda"):
            api.cutune_device_set(device, name.encode(), ctypes.c_longlong(int(value)), None)
    database, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    with tempfile.NamedTemporaryFile(suffix=".csv") as empty:
        failed = api.cutune_database_open(ctypes.byref(database), empty.name.encode(), None, error)
    failed = failed or api.cutune_kernel_open(ctypes.byref(kernel), database, path.encode(), device, None, 2, error)
    if not failed:
        return ""
    text = ctypes.create_string_buffer(4096)
    api.cutune_error_format(error, text, ctypes.c_size_t(4096))
    return text.value.decode("utf-8", "replace")


def plain(text):
    """Returns the statements of a space file, one a line, without remarks."""
    lines = (" ".join(re.sub(r"#.*", "", line).split()) for line in text.replace("\\\n", " ").splitlines())
    return [line for line in lines if line]


def is_excerpt(block):
    wanted = plain(block.text)
    places = ("t*/**/*.space", "docs/examples/**/*.space")
    for path in (path for place in places for path in glob.glob(os.path.join(ROOT, place), recursive=True)):
        there = iter(plain(read(path)))
        if all(line in there for line in wanted):
            return True
    return False


def check_space(scratch, library, page, block):
    if not re.search(r"^space \d", block.text, re.M):
        if not is_excerpt(block):
            fault(page.path, "line %d: no space file has these statements" % block.line)
        return
    name = block.name or "example.space"
    path = os.path.join(scratch.folder.name, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(block.text)
    done = scratch.run("cutune check " + shlex.quote(name))
    if done.returncode:
        fault(page.path, "line %d: %s" % (block.line, done.stderr))
    elif library and re.search(r"^kernel ", block.text, re.M):
        error = compile_default(library, path)
        if error:
            fault(page.path, "line %d: %s" % (block.line, error))


def check_blocks(program, library, pages):
    for page in pages.values():
        blocks = [block for block in page.blocks if block.info in ("space", "console")]
        if not blocks:
            continue
        with Scratch(program, page) as scratch:
            for block in blocks:
                if block.info == "space":
                    check_space(scratch, library, page, block)
                else:
                    check_session(scratch, page, block)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--library")
    arguments = arguments.parse_args()
    os.environ["CUTUNE_PROGRAM"] = os.path.abspath(arguments.program)
    program, pages = Program(arguments.program), read_pages()
    check_links(pages)
    check_index(pages)
    check_names(pages)
    check_rules(pages)
    check_sentences(pages)
    check_generated(program, pages)
    check_options(program, pages)
    check_blocks(program, arguments.library, pages)
    for text in faults:
        print(text)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
