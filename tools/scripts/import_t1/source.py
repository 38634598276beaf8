"""Files in a T1 description, and facts about the kernel from its source."""
import itertools
import os
import re

BYTES_MAX = 4 << 20  # limit on a source
GAP_MAX, LIST_MAX, PLACES_MAX = 256, 1 << 12, 64  # limits: characters from __global__ to the name; of parameters; number of declarations
SKIPPED = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)


def find(path, name):
    """Returns the path of a file named in the T1 file at `path`: relative to its folder, to that folder's parent, or
    to the working folder. None if there is no file."""
    folder = os.path.dirname(path)
    for base in (folder, os.path.join(folder, os.pardir), ""):
        if os.path.isfile(os.path.join(base, name)):
            return os.path.join(base, name)
    return None


def relative(file, name, path):
    """Returns the path of a file, `name` in the T1 file, as a space file at `path` writes it."""
    if os.path.isabs(name):
        return name
    folder, base = os.path.split(file)
    way = os.path.relpath(os.path.realpath(folder), os.path.realpath(os.path.dirname(path)))
    return os.path.normpath(os.path.join(way, base))


def parameters_of(text):
    """Number of parameters in a parameter list; None without the closing parenthesis."""
    depth, commas = 0, 0
    for index, sign in enumerate(text):
        depth += (sign in "([{<") - (sign in ")]}>")
        commas += sign == "," and depth == 0
        if depth < 0:
            return commas + 1 if text[:index].strip() not in ("", "void") else 0
    return None


def read(file):
    """Returns the text of a regular file; "" if unreadable. Opening a pipe could wait for ever."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as stream:
            return stream.read(BYTES_MAX).decode(errors="replace")
    except OSError:
        return ""


def parameter_counts(text, kernel):
    """Returns the numbers of parameters in the source's declarations and definitions of the kernel."""
    text = SKIPPED.sub(" ", text)
    name = re.escape(re.sub("<.*", "", kernel).split("::")[-1].strip())
    starts = re.finditer(r"__global__[^;{}]{0,%d}?\b%s\s*\(" % (GAP_MAX, name), text) if name else ()
    lists = (text[start.end():start.end() + LIST_MAX] for start in itertools.islice(starts, PLACES_MAX))
    return {parameters_of(each) for each in lists} - {None}


def defines(text, name):
    """True if the source gives the name a value whatever the compiler's options: a #define without #ifndef, a
    constant."""
    guard = r"#[ \t]*if(?:ndef[ \t]+|[ \t]*![ \t]*defined[ \t]*\(?[ \t]*)%s\b[^\n]*\n\s*(?=#[ \t]*define)" % name
    text = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", " ", text, flags=re.S)
    text = re.sub(guard + r"[^\n]*", "", text)
    return bool(re.search(r"^[ \t]*#[ \t]*define[ \t]+%s\b|\b(?:const|constexpr|enum)\b[^;(){}=]*(?:\{[^}]*)?\b%s\s*(?:=(?!=)|\{)"
                          % (name, name), text, re.M))
