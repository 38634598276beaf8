"""T1 descriptions: JSON with places, parameters, defaults, and the space file that they become."""
import ast
import collections
import json
import math
import re

from condition import Condition, value_text
from expression import INT_MAX, INT_MIN, TOO_LARGE, Expression, Meter, Refused, need

CONDITIONS_MAX = 1024


def is_name(text):
    return re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", text) is not None


# ---- JSON with places ------------------------------------------------------------------------------------------------


class Pairs(list):
    """The members of an object: (name, value) of json, then (name, place of the name, Node)."""


Node = collections.namedtuple("Node", "value at")  # str, bool, int, float, None, list of Node, Pairs


def place_of(text, index):
    return text.count("\n", 0, index) + 1, len(text[text.rfind("\n", 0, index) + 1:index].encode()) + 1


def locate(value, tree):
    """Combines the values from Python's json with the places from its ast."""
    def place(node):  # line 1 begins with an additional bracket
        return node.lineno, node.col_offset + (node.lineno > 1)

    if isinstance(value, Pairs):
        value = Pairs((locate(name, key).value, place(key), locate(item, node))
                      for (name, item), key, node in zip(value, tree.keys, tree.values))
    elif isinstance(value, list):
        value = [locate(item, node) for item, node in zip(value, tree.elts)]
    elif isinstance(value, str):
        need(not re.search("[\ud800-\udfff]", value), place(tree), "half of a surrogate pair in a string")
    return Node(value, place(tree))


def read_json(text):
    for nul in ("\0", "\\u0000"):
        need(nul not in text, place_of(text, text.find(nul)), "a NUL character in the text")

    def refuse_constant(name):
        raise Refused(place_of(text, text.index(name)), "this is not JSON",
                      "JSON has no NaN and Infinity, though some programs write them")

    try:
        value = json.loads(text, object_pairs_hook=Pairs, parse_constant=refuse_constant,
                           parse_int=lambda digits: int(digits) if len(digits) < 30 else math.inf)
        # Python gives only the places: JSON's escape sequences may mean something else there.
        return locate(value, ast.parse("(" + re.sub(r"\\.", "xx", text) + ")", mode="eval").body)
    except json.JSONDecodeError as error:
        index = min(error.pos, max(len(text) - 1, 0))
        message = "more text after the JSON value" if error.msg == "Extra data" else "this is not JSON"
        raise Refused(place_of(text, index), message) from None
    except (SyntaxError, RecursionError, MemoryError):
        raise Refused((1, 1), "the JSON value is nested too deeply") from None


# ---- The space file --------------------------------------------------------------------------------------------------


def clean(text):
    """The text without characters that could end a comment."""
    return "".join(c if c.isprintable() else " " for c in text[:200])


def ranges(values):
    """The values of a parameter as the space language writes them: four or more in a row as a range."""
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
        self.title, self.notes, self.lines, self.default, self.has_default = "", [], [], [], False

    def note(self, text):
        self.notes.append(clean(text))

    def wrap(self, at, line, words, end=""):
        for word in words:
            if len(line) + len(word) > 110:
                self.lines.append((line + " \\", at))
                line = "     "
            line += " " + word
        self.lines.append((line + end, at))

    def add_parameter(self, at, name, values, default):
        words = ranges(values)
        self.wrap(at, f"param {name} =", [word + "," for word in words[:-1]] + words[-1:],
                  "   # True is 1, False is 0" if any(isinstance(value, bool) for value in values) else "")
        if default is None:
            self.note(f"a default of {name}, which the file lacks: its first value is used")
        self.has_default |= default is not None
        self.default.append(f"{name}={value_text(values[default or 0])}")

    def reply(self, name):
        head = [f"# Imported from the T1 description {clean(name)}. It has no kernel yet: it can be checked, and tuned once the",
                "# statements kernel, buffer, args, block, grid and reference are added."]
        head += ["#", "# Not imported:"] + ["#   " + note for note in self.notes] if self.notes else []
        head += ["space 2"] + ([f'title "{self.title}"'] if self.title else []) + [""]
        self.lines.append(("", (1, 1)))
        if self.has_default:
            self.wrap((1, 1), "default", self.default)
        lines = [(line, (1, 1)) for line in head] + self.lines
        return {"space": "".join(line + "\n" for line, _ in lines), "origins": [at for _, at in lines], "notes": self.notes}


# ---- The T1 file -----------------------------------------------------------------------------------------------------

INTEGERS, NUMBERS = (int, bool), (float, int)
TYPES = {"int": INTEGERS, "uint": INTEGERS, "integer": INTEGERS, "float": NUMBERS, "double": NUMBERS, "bool": INTEGERS,
         "boolean": INTEGERS, "string": (str,), "str": (str,)}


class Import:
    def __init__(self, text, limits, reserved):
        self.text, self.lines, self.limits, self.reserved = text, text.split("\n"), limits, reserved
        self.meter, self.proofs, self.parameters, self.space = Meter(), Meter(), {}, SpaceFile()

    def members(self, node, what, names, section=None):
        """The requested members of an object, without null ones. Another member is an error or, with
        `section`, a note."""
        need(isinstance(node.value, Pairs), node.at, f"{what} is not an object")
        seen, found = set(), dict.fromkeys(names)
        for name, at, value in node.value:
            need(name not in seen, at, f"a second '{name:.64}' in {what}")
            seen.add(name)
            need(name in names or section is not None, at, f"{what} has an unknown member '{name:.64}'",
                 "it is not skipped because it could change the space")
            if name not in names:
                self.space.note(section + name)
            elif value.value is not None:
                found[name] = value
        return [found[name] for name in names]

    def text_of(self, member, name, node, what):
        need(member, node.at, f"{what} has no '{name}'")
        need(isinstance(member.value, str), member.at, f"'{name}' of {what} is not a string")
        return member.value

    def convert(self, name):
        root = read_json(self.text)
        space, general = self.members(root, "the file", ("ConfigurationSpace", "General"), "")
        need(space, root.at, "the file has no 'ConfigurationSpace': it is not a T1 description",
             "T1 has the sections General, ConfigurationSpace and KernelSpecification")
        parameters, conditions = self.members(space, "'ConfigurationSpace'", ("TuningParameters", "Conditions"))
        need(parameters, space.at, "'ConfigurationSpace' has no 'TuningParameters'")
        if general:
            self.take_general(general)
        need(type(parameters.value) is list and parameters.value, parameters.at,
             "'TuningParameters' is not a list of one parameter or more")
        for item in parameters.value:
            self.take_parameter(item)
        if conditions:
            need(type(conditions.value) is list, conditions.at, "'Conditions' is not a list")
            need(len(conditions.value) <= CONDITIONS_MAX, conditions.at, f"more than {CONDITIONS_MAX} conditions")
            for item in conditions.value:
                self.take_condition(item)
        return self.space.reply(name)

    def take_general(self, general):
        title, = self.members(general, "'General'", ("BenchmarkName",), "General.")
        if title and isinstance(title.value, str) and not re.search('["\x00-\x1f\x7f]', title.value):
            self.space.title = title.value
        elif title:
            self.space.note("General.BenchmarkName, which cannot be a title")

    def take_parameter(self, node):
        what = "a tuning parameter"
        name_node, kind, values_node, default = self.members(node, what, ("Name", "Type", "Values", "Default"))
        name = self.text_of(name_node, "Name", node, what)
        need(is_name(name), name_node.at, f"'{name:.64}' cannot be the name of a parameter",
             "a name consists of letters, digits and _, and does not start with a digit")
        need(name not in self.limits + self.reserved, name_node.at,
             f"'{name}' is a name of the space language: a device limit, function or type",
             "rename the parameter in the T1 file and in its conditions")
        need(name not in self.parameters, name_node.at, f"a second parameter '{name}'")
        need(values_node, node.at, f"the parameter {name} has no 'Values'")
        values = self.take_values(values_node, name)
        if kind:
            need(isinstance(kind.value, str) and kind.value in TYPES, kind.at, f"the type of {name} is unknown",
                 "the types are int, uint, float, double, bool and string")
            for value in values:
                need(type(value) in TYPES[kind.value], values_node.at,
                     f"{name} is of type {kind.value}, but has a value of type {type(value).__name__}")
        default = self.take_default(default, name, values) if default else None
        self.parameters[name] = values
        self.space.add_parameter(values_node.at, name, values, default)

    def evaluate(self, node):
        """The value of JSON, or of a string with a Python expression."""
        if isinstance(node.value, str):
            expression = Expression(node, self.lines, self.meter)
            return expression.value(expression.tree, {})
        return self.plain(node)

    def plain(self, node):
        if type(node.value) is list:
            return [self.plain(item) for item in node.value]
        need(not isinstance(node.value, Pairs) and node.value is not None, node.at, "this cannot be a value of a parameter")
        need(not isinstance(node.value, int) or INT_MIN <= node.value <= INT_MAX, node.at, TOO_LARGE)
        need(not isinstance(node.value, float) or math.isfinite(node.value), node.at, "the number is too large")
        return node.value

    def take_values(self, node, name):
        need(type(node.value) in (str, list), node.at, f"the values of {name} are neither a string nor a list")
        values = self.evaluate(node)
        need(isinstance(values, (list, range)), node.at, f"the values of {name} are a {type(values).__name__}, not a list")
        need(values, node.at, f"{name} has no values")
        for value in values:
            need(not isinstance(value, (list, range)), node.at, f"a value of {name} is a {type(value).__name__}")
            need(not isinstance(value, str) or is_name(value), node.at, f"the value '{value:.40}' of {name} is not a word"
                 if isinstance(value, str) else "", "a word consists of letters, digits and _, and does not start with a digit")
            need(value not in self.limits, node.at, f"the value '{value}' of {name} is the name of a device limit",
                 "rename it in the T1 file")
        return list(values)

    def take_default(self, node, name, values):
        """Its number among the values: given directly, as an expression, or as a list of one."""
        if isinstance(node.value, str) and node.value in values:
            return values.index(node.value)
        default = self.evaluate(node)
        if isinstance(default, (list, range)) and len(default) == 1:
            default = default[0]
        if default not in values and len(values) == 1:  # the only possible one, whatever the file says
            self.space.note(f"the default of {name}, which is not its only value")
            return 0
        need(default in values, node.at, f"the default of {name} is not one of its values")
        return values.index(default)

    def take_condition(self, node):
        if not isinstance(node.value, str):
            expression, listed = self.members(node, "a condition", ("Expression", "Parameters"))
            self.text_of(expression, "Expression", node, "a condition")
            need(not listed or type(listed.value) is list, listed and listed.at, "'Parameters' of a condition is not a list")
            for item in listed.value if listed else []:  # not needed: expressions name their parameters
                need(isinstance(item.value, str) and item.value in self.parameters, item.at, "unknown parameter")
            node = expression
        condition = Condition(node, self.lines, self.meter, self.parameters, self.proofs)
        self.space.lines.append(("require " + condition.translate(), node.at))


def convert(data, name, limits=(), reserved=()):
    """Converts the bytes of a T1 file to the reply."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = place_of(data[:error.start].decode(), error.start)
        return {"error": "the text is not UTF-8 from here on", "at": at, "hint": None}
    text = re.sub("^\ufeff", "   ", text).replace("\r", " ")  # same number of bytes; \n ends lines
    try:
        return Import(text, list(limits), list(reserved)).convert(name)
    except Refused as refused:
        return refused.reply
    except (RecursionError, MemoryError):
        return {"error": "the file is too large, or nested too deeply", "at": (1, 1), "hint": None}
