"""The space file under construction."""
import re

from condition import value_text
from expression import need


def is_name(text):
    return re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", text) is not None


def quoted(node, text):
    """Returns the text, which comes from a node, in quotes."""
    need(not re.search('["\x00-\x1f\x7f]', text), node.at, "the space language cannot write this text",
         "it has a quotation mark or a control character")
    return f'"{text}"'


def clean(text):
    """Returns the text without characters that could end a comment."""
    return "".join(c if c.isprintable() else " " for c in text[:200])


def ranges(values):
    """Writes the values of a parameter in the space language: four or more in a row as a range."""
    words = []
    while values:
        first, length, word = values[0], 1, value_text(values[0])
        if all(isinstance(value, int) for value in values[:2]) and len(values) > 1 and values[1] > first:
            step, factor = values[1] - first, values[1] // first if first > 0 and values[1] % first == 0 else 0
            for follows, suffix in ((lambda a, b: b == a + step, f" step {step}" if step > 1 else ""),
                                    (lambda a, b: factor and b == a * factor, f" times {factor}")):
                end = 1
                while end < len(values) and isinstance(values[end], int) and follows(values[end - 1], values[end]):
                    end += 1
                if end > max(length, 3):
                    length, word = end, f"{value_text(first)}..{value_text(values[end - 1])}{suffix}"
        words.append(word)
        values = values[length:]
    return words


class SpaceFile:
    """The space under construction: lines with their origins in the T1 text."""

    def __init__(self):
        self.title, self.head, self.notes, self.lines, self.default = "", [], [], [], {}

    def note(self, place, reason):
        """Lists a part of the T1 file, as in General.OutputFile, that the space lacks."""
        self.notes.append(clean(f"{place}: {reason}"))

    def add(self, at, line):
        self.lines.append((line, at))

    def replace(self, first, name, text):
        """Writes a text for a name in the lines from number `first` on, outside quotes."""
        for number in range(first, len(self.lines)):
            line, at = self.lines[number]
            parts = re.split('("[^"]*")', line)
            parts[::2] = [re.sub(rf"\b{name}\b", text, part) for part in parts[::2]]
            self.lines[number] = "".join(parts), at

    def wrap(self, at, line, words, end=""):
        for word in words:
            if len(line) + len(word) > 110:
                self.add(at, line + " \\")
                line = "     "
            line += " " + word
        self.add(at, line + end)

    def wrap_list(self, at, line, words, end=""):
        self.wrap(at, line, [word + "," for word in words[:-1]] + words[-1:], end)

    def add_parameter(self, at, name, values):
        self.wrap_list(at, f"param {name} =", ranges(values),
                       "   # True is 1, False is 0" if any(isinstance(value, bool) for value in values) else "")

    def reply(self, name):
        head = [f"# Imported from the T1 description {clean(name)}. {self.head[0]}"] + self.head[1:]
        head += ["#", "# Not imported:"] + ["#   " + note for note in self.notes] if self.notes else []
        head += ["space 2"] + ([f'title "{self.title}"'] if self.title else []) + [""]
        if self.default:
            self.add((1, 1), "")
            self.wrap((1, 1), "default", [f"{parameter}={value_text(value)}" for parameter, value in self.default.items()])
        lines = [(line, (1, 1)) for line in head] + self.lines
        return {"space": "".join(line + "\n" for line, _ in lines), "origins": [at for _, at in lines], "notes": self.notes}
