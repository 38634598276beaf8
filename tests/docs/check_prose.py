#!/usr/bin/env python3
"""Checks pages, comments, docstrings, help and messages against docs/style.md. A sentence has at most 35 words, does not
begin with one of a few words, and has none of the phrases that the page lists. Code, tables, generated blocks and URLs are skipped
by their syntax. Usage: check_prose.py [--count] [REPOSITORY] [FOLDER ...]; --count prints the problems of each folder."""
import collections
import os
import re
import sys

from check_includes import repository_files

WORDS_MAX = 35
OPENINGS = re.compile(r"(What|Who|Whose|Does|Whether|Of)\b")
FRAGMENT_OPENINGS = re.compile(r"(what|who|whose|does|whether)\b")  # of a comment that is no whole sentence
C_FILES, HASH_FILES = (".c", ".h", ".def", ".cu", ".cuh", ".in"), (".py", ".sh", ".cmake", ".space", ".txt")
C_TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
GENERATED = re.compile(r"<!-- generated.*?-->.*?<!-- end.*?-->", re.S)
SENTENCE_END = re.compile(r"(?<=[.!?])[)\"']*\s+(?=[A-Z0-9`(\"'\[])")
STRING_WORDS_MIN = 5  # shorter literals are formats and names


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def listed_phrases(root):
    """The phrases of docs/style.md: the list below the heading "Phrases to avoid"."""
    with open(os.path.join(root, "docs/style.md"), encoding="utf-8") as file:
        section = file.read().split("## Phrases to avoid", 1)[1].split("\n## ", 1)[0]
    phrases = re.findall(r"^- `([^`]+)`", section, re.M)
    return re.compile(r"\b(%s)\b" % "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in phrases), re.I)


def paragraphs(lines, first):
    """Yields (line, text) of each paragraph or list item; skips tables, headings and indented code."""
    text, start, indent = [], first, None
    for number, line in enumerate(lines + [""], first):
        stripped = line.strip()
        own = len(line) - len(line.lstrip())
        code = indent is not None and own >= indent + 4 and not text
        item = re.match(r"([-*] |\d+\. |[A-Z_0-9]+: )", stripped)
        skip = not stripped or stripped.startswith(("|", "#", "<", "```", "    ")) or code
        if (skip or item) and text:
            yield start, " ".join(text)
            text = []
        if stripped and indent is None:
            indent = own
        if skip:
            continue
        if not text:
            start = number
        text.append(stripped[item.end():] if item else stripped)


def comment_text(comment):
    """The lines of a C comment without its marks."""
    if comment.startswith("//"):
        return [comment.strip("/ ")]
    lines = comment[2:-2].split("\n")
    return [lines[0].strip("* -")] + [re.sub(r"^\s*\*?", "", line).rstrip(" -") for line in lines[1:]]


def lines_of(start, literal):
    """Each line of a string literal, if it has a sentence's punctuation."""
    for line in literal.split("\n"):
        if re.search(r"[.,:;]", line):
            yield start, [line], False


def c_texts(text):
    """Comments and string literals; adjacent literals are one."""
    literal, start, end = "", 0, 0
    for match in C_TOKEN.finditer(text):
        token = match.group()
        if literal and (not token.startswith('"') or text[end:match.start()].strip()):
            yield from lines_of(start, literal)
            literal = ""
        if token.startswith("/"):
            yield line_of(text, match.start()), comment_text(token), True
        elif token.startswith('"'):
            if not literal:
                start = line_of(text, match.start())
            literal += token[1:-1].replace("\\n", "\n").replace('\\"', "'")
            end = match.end()
    yield from lines_of(start, literal)


def hash_texts(text):
    """Runs of lines that begin with #, comments behind code, and Python's docstrings."""
    run, start = [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        match = re.match(r"\s*#(?!!|\[)(.*)", line)
        if match:
            if not run:
                start = number
            run.append(match.group(1).strip(" -") if not run else match.group(1).rstrip(" -"))
            continue
        if run:
            yield start, run, True
            run = []
        match = re.search(r"\s{2}# (.*)", line)
        if match:
            yield number, [match.group(1)], True
    for match in re.finditer(r'^[ ]*"""(.*?)"""', text, re.S | re.M):
        yield line_of(text, match.start()), match.group(1).split("\n"), True


def page_texts(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = GENERATED.sub(blank, text)
    text = re.sub(r"^(\s*)```.*?^\s*```", blank, text, flags=re.S | re.M)
    yield 1, text.split("\n"), True


def texts(name, text):
    if name.endswith(".md"):
        return page_texts(text)
    if name.endswith(C_FILES):
        return c_texts(text)
    if name.endswith(HASH_FILES) or text.startswith("#!"):
        return hash_texts(text)
    return ()


def sentences(name, text):
    """Yields (line, sentence, whether a comment or page begins with it)."""
    for start, lines, prose in texts(name, text):
        for line, paragraph in paragraphs(lines, start):
            paragraph = re.sub(r"`[^`]*`", "`code`", paragraph)
            paragraph = re.sub(r"\]\([^)]*\)|https?://\S+", "]", paragraph)
            if not prose and len(paragraph.split()) < STRING_WORDS_MIN:
                continue
            for sentence in SENTENCE_END.split(paragraph):
                yield line, sentence.strip(" *_[(\"'"), prose


def problems_of(name, text, phrases):
    for line, sentence, prose in sentences(name, text):
        words = [word for word in sentence.split() if re.search(r"\w", word)]
        place, quote = "%s:%d" % (name, line), " ".join(words[:8])
        if len(words) > WORDS_MAX:
            yield "%s: a sentence of %d words (at most %d): %s ..." % (place, len(words), WORDS_MAX, quote)
        if OPENINGS.match(sentence) or (prose and FRAGMENT_OPENINGS.match(sentence)):
            yield "%s: begins with '%s': %s ..." % (place, words[0], quote)
        for match in phrases.finditer(sentence):
            yield "%s: '%s': %s ..." % (place, match.group(), quote)


def is_checked(name):
    return "/cases/" not in name and "/fixtures/" not in name and "/recorded/" not in name and name != "LICENSE"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--count"]
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    folders = tuple(arguments[1:])
    phrases, counts = listed_phrases(root), collections.Counter()
    for name in repository_files(root):
        if not is_checked(name) or (folders and not name.startswith(folders)):
            continue
        with open(os.path.join(root, name), "rb") as file:
            data = file.read()
        if b"\0" in data:
            continue
        for problem in problems_of(name, data.decode("utf-8", "replace"), phrases):
            counts[os.path.dirname(name) or "."] += 1
            if "--count" not in sys.argv:
                print(problem)
    for folder, count in sorted(counts.items()) if "--count" in sys.argv else ():
        print("%6d %s" % (count, folder))
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
