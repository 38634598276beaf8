#!/usr/bin/env python3
"""The script behind `cutune import`: values, conditions and defaults, and the places of errors; no input ends
with a traceback. tests/integration/t1/against_python.py tests against Python itself that conditions have the same meaning.

    test_import_t1.py FOLDER_OF_THE_SCRIPT"""
import ast
import json
import os
import random
import subprocess
import sys
import unittest

FOLDER = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, FOLDER)
import description  # noqa: E402
LIMITS, RESERVED = ["warp", "cc"], ["min", "float4"]
ROUNDS = 3000  # of random input


def convert(text, path="file.json", output="", kernel=None):
    """By default with the kernel, if the text has one."""
    kernel = "KernelSpecification" in str(text) if kernel is None else kernel
    return description.convert(text if isinstance(text, bytes) else text.encode(), path, LIMITS, RESERVED, output, kernel)


def one(parameter):
    return '{"ConfigurationSpace": {"TuningParameters": [\n' + parameter + "\n]}}"


def space(conditions):
    """With a, b: 1..8, n: -4..4, f: 0.5 and 2.0, w: row, col, t: 0, 1."""
    return """{"ConfigurationSpace": {"TuningParameters": [
{"Name": "a", "Type": "int", "Values": "[1, 2, 4, 8]"},
{"Name": "b", "Values": [1, 2, 3]},
{"Name": "n", "Values": "list(range(-4, 5))"},
{"Name": "f", "Type": "float", "Values": [0.5, 2.0]},
{"Name": "w", "Type": "string", "Values": ["row", "col"]},
{"Name": "t", "Type": "bool", "Values": "[True, False]"}],
"Conditions": [""" + conditions + "]}}"


def condition(text):
    return space('\n{"Expression": "' + text + '"}')


# Values, and their line in the space.
VALUES = [
    ("[1, 2, 3]", "1, 2, 3"),
    ("[1, 2, 3, 4]", "1..4"),
    ("[16, 32, 48, 64]", "16..64 step 16"),
    ("[1, 2, 4, 8]", "1..8 times 2"),
    ("[8, 4, 2, 1]", "8, 4, 2, 1"),
    ("[1, 2, 4, 8, 16] + list(range(32, 1024+1, 32))", "1..64 times 2, 96..1024 step 32"),
    ("[2**i for i in range(0, 6)]", "1..32 times 2"),
    ("[i for i in range(1, 11)]", "1..10"),
    ("[1] + [2 * i for i in range(1, 4)]", "1, 2, 4, 6"),
    ("list(range(5, 0, -2))", "5, 3, 1"),
    ("range(3)", "0, 1, 2"),
    ("tuple(range(2))", "0, 1"),
    ("(7,)", "7"),
    ("[i for i in range(20) if i % 7 == 3 and i > 3]", "10, 17"),
    ("[i * j for i in [1, 10] for j in (1, 2)]", "1, 2, 10, 20"),
    ("[x if x > 1 else -x for x in [1, 2]]", "-1, 2"),
    ("[0.25, 1.0, 1e3, .5]", "0.25, 1.0, 1000.0, 0.5"),
    ("[7 / 2, 7 // 2, -7 // 2, -7 % 3, 2 ** -1]", "3.5, 3, -4, 2, 0.5"),
    ("['row', 'col_major']", "row, col_major"),
    ("[True, False]", "1, 0   # True is 1, False is 0"),
    ("[0x10, 0b11, 0o17, 1_000]", "16, 3, 15, 1000"),
    ("[min(3, 4), max([1, 9]), abs(-5), sum([1, 1]), len([0]), int(6.9)]", "3, 9, 5, 2, 1, 6"),
    ("sorted([3, 1, 2], )", "1, 2, 3"),
    ("[math.ceil(7 / 2), math.floor(-1 / 2)]", "4, -1"),
    ("[1 << 4, 12 & 10, 12 | 3, 12 ^ 10, ~0]", "16, 8, 15, 6, -1"),
    ("[-9223372036854775807 - 1, 9223372036854775807]", "-9223372036854775808, 9223372036854775807"),
    ("[\n 1,\n 2]", "1, 2"),
]

# Conditions, and their line in the space.
CONDITIONS = [
    ("a * b <= 4 and not t", "a * b <= 4 && !t"),
    # Parentheses where the language would refuse a misleading expression.
    ("(a < b) == (n < 0)", "(a < b) == (n < 0)"),
    ("(not a) == b", "(!a) == b"),
    ("(not n) % 2", "(!n) % 2"),
    ("(a == 1) & b", "(a == 1) & b"),
    ("a & b | n", "a & b | n"),
    ("1 << a + b", "1 << (a + b)"),
    ("(a - 1) << b", "(a - 1) << b"),
    ("b if a + b else n", "(a + b) ? b : n"),
    ("a == 1 or 2", "a == 1 || 1"),
    ("a == 1 and -2", "a == 1 && 1"),
    ("a ^ 2 > 1", "(a ^ (2)) > 1"),
    ("1 // 2 == a", "(1) / (2) == a"),
    ("~(a == 1) == a", "-1 - (a == 1) == a"),
    ("1 <= a < 5", "1 <= a && a < 5"),
    ("a in [1, 4]", "a == 1 || a == 4"),
    ("a not in (1, 4)", "a != 1 && a != 4"),
    ("n in range(-3, 4, 2)", "n == -3 || n == -1 || n == 1 || n == 3"),
    ("n in range(-3, 4)", "n >= -3 && n <= 3"),
    ("n in range(-4, 5, 2)", "n >= -4 && n <= 4 && (n - (-4)) % 2 == 0"),
    ("a in []", "0"),
    ('w == \'row\' or w != "col"', "w == row || w != col"),
    ("w in ['row']", "w == row"),
    ("t == True", "t == 1"),
    ("a // b == 2", "a / b == 2"),
    ("n // 2 == 1", "(n - (n % 2 + 2) % 2) / 2 == 1"),
    ("n % 3 == 1", "(n % 3 + 3) % 3 == 1"),
    ("n % 3 == 0", "n % 3 == 0"),
    ("n % 3", "n % 3"),
    ("a % b == 1", "a % b == 1"),
    ("a / b > 1.5", "1.0 * a / b > 1.5"),
    ("8 % (8 / a) == 0", "8 % (8 / a) == 0"),
    ("f / a < 1", "f / a < 1"),
    ("int(a / b) == 2", "a / b == 2"),
    ("a ** 2 + b ** 1 < 20", "a * a + b < 20"),
    ("2 ** a > 4", "1 << a > 4"),
    ("(a or b) == 1", "(a ? a : b) == 1"),
    ("(a and b) == 1", "(a ? b : a) == 1"),
    ("a if t else b > 1", "t ? a : (b > 1)"),
    ("min(a, b, 3) == max([a, 2]) - abs(n)", "min(a, b, 3) == max(a, 2) - abs(n)"),
    ("all([a > 1, b > 1]) or any([t, f > 1])", "a > 1 && b > 1 || t || f > 1"),
    ("not (a == 1 and b == 1)", "!(a == 1 && b == 1)"),
    ("a & 1 == 1", "(a & 1) == 1"),
    ("a - (b - 1) - 1 == 0", "a - (b - 1) - 1 == 0"),
    ("a * (b * 2) == 8", "a * (b * 2) == 8"),
    ("-a < -(-b)", "-a < -(-b)"),
    ("bool(a) == (b > 1)", "(a != 0) == (b > 1)"),
    ("max([1, 5]) > a", "5 > a"),
    ("math.ceil(a / b) == 2", "ceildiv(a, b) == 2"),
    ("floor(a / b) * 2 == 2", "a / b * 2 == 2"),
    ("ceil(a) == math.floor(b)", "a == b"),
    ("a * 12*1024 < 5", "a * 12 * 1024 < 5"),
]

# T1 text, line and column of its error, and a part of the message.
ERRORS = [
    ("", 1, 1, "not JSON"),
    ('{"a": }', 1, 7, "not JSON"),
    ("{} x", 1, 4, "more text"),
    ("[]", 1, 1, "not an object"),
    ('{"a": 1}', 1, 1, "no 'ConfigurationSpace'"),
    ('{"a": "\\u0000"}', 1, 8, "NUL"),
    ('{"ConfigurationSpace": {}}', 1, 24, "no 'TuningParameters'"),
    ('{"ConfigurationSpace": {"TuningParameters": []}}', 1, 24, "has no 'TuningParameters'"),
    ('{"ConfigurationSpace": {"TuningParameters": 1}}', 1, 45, "one parameter or more"),
    ('{"ConfigurationSpace": {"Groups": []}}', 1, 25, "unknown member 'Groups'"),
    ('{"ConfigurationSpace": {}, "ConfigurationSpace": {}}', 1, 28, "a second"),
    (one('{"Name": "p"}'), 2, 1, "no 'Values'"),
    (one('{"Values": "[1]"}'), 2, 1, "no 'Name'"),
    (one('{"Name": 1, "Values": "[1]"}'), 2, 10, "not a string"),
    (one('{"Name": "p", "Values": 1}'), 2, 25, "neither a string nor a list"),
    (one('{"Name": "p", "Values": "[1]", "When": 1}'), 2, 32, "unknown member 'When'"),
    (one('{"Name": "a b", "Values": "[1]"}'), 2, 10, "cannot be the name"),
    (one('{"Name": "warp", "Values": "[1]"}'), 2, 10, "name of the space language"),
    (one('{"Name": "min", "Values": "[1]"}'), 2, 10, "name of the space language"),
    (one('{"Name": "float4", "Values": "[1]"}'), 2, 10, "name of the space language"),
    (one('{"Name": "p", "Values": "[1]"},\n{"Name": "p", "Values": "[1]"}'), 3, 10, "a second parameter"),
    (one('{"Name": "p", "Values": "[]"}'), 2, 25, "no values"),
    (one('{"Name": "p", "Values": "3"}'), 2, 25, "not a list"),
    (one('{"Name": "p", "Values": "[[1]]"}'), 2, 25, "is a list"),
    (one('{"Name": "p", "Values": "[\'a b\']"}'), 2, 25, "not a word"),
    (one('{"Name": "p", "Values": "[\'warp\']"}'), 2, 25, "device limit"),
    (one('{"Name": "p", "Values": "[1, q]"}'), 2, 30, "unknown name 'q'"),
    (one('{"Name": "p", "Values": "[f(1)]"}'), 2, 27, "function f"),
    (one('{"Name": "p", "Values": "[1, 2"}'), 2, 26, "not a Python expression"),
    (one('{"Name": "p", "Values": "[1] [2]"}'), 2, 30, "attributes and subscripts"),
    (one('{"Name": "p", "Values": "[i for i in 3]"}'), 2, 38, "runs over a list"),
    (one('{"Name": "p", "Values": "[1] + range(3)"}'), 2, 30, "list and range"),
    (one('{"Name": "p", "Values": "[1 / 0]"}'), 2, 29, "division by zero"),
    (one('{"Name": "p", "Values": "[2 ** 63]"}'), 2, 29, "64 bits"),
    (one('{"Name": "p", "Values": "[99999999999999999999]"}'), 2, 27, "64 bits"),
    (one('{"Name": "p", "Values": "range(10 ** 9)"}'), 2, 26, "longer than"),
    (one('{"Name": "p", "Values": "[x for x in range(1000000) if [y for y in range(1000000)]]"}'), 2, 57, "steps"),
    (one('{"Name": "p", "Values": "[007]"}'), 2, 27, "leading zeros"),
    (one('{"Name": "p", "Values": [1, null]}'), 2, 29, "this cannot be a value"),
    (one('{"Name": "p", "Type": "int", "Values": "[1.5]"}'), 2, 40, "of type int"),
    (one('{"Name": "p", "Type": "enum", "Values": "[1]"}'), 2, 23, "type of p"),
    (one('{"Name": "p", "Values": "[1, 2]", "Default": 3}'), 2, 46, "not one of its values"),
    (condition("a <"), 9, 20, "not a Python expression"),
    (condition("a && b"), 9, 19, "not a Python expression"),
    (condition("\\u0061 && b"), 9, 24, "not a Python expression"),
    (condition("a is 1"), 9, 19, "same object"),
    (condition("c == 1"), 9, 17, "no parameter 'c'"),
    (condition("w"), 9, 17, "a string stands"),
    (condition("[a]"), 9, 17, "a list stands"),
    (condition("w < 'row'"), 9, 19, "no order"),
    (condition("w == 'diagonal'"), 9, 22, "not a value of any parameter"),
    (condition("a % f == 0"), 9, 19, "may be a fraction"),
    (condition("a % (a / b) == 0"), 9, 19, "may be a fraction"),
    (condition("f // 2 == 0"), 9, 19, "may be a fraction"),
    (condition("(8 / a) & 1"), 9, 25, "integers only"),
    (condition("b ** a == 8"), 9, 19, "power"),
    (condition("a ** -1 == 8"), 9, 19, "power"),
    (condition("f ** 2 == 8"), 9, 19, "power"),
    (condition("w + 1 == 2"), 9, 19, "numbers only"),
    (condition("math.log2(a) == 2"), 9, 21, "attributes"),
    (condition("ceil(n / b) == 2"), 9, 17, "not negative"),
    (condition("len(a) == 2"), 9, 17, "cannot be translated"),
    (condition("a in b"), 9, 22, "unknown name"),
    (condition("a in [1, 2] == b"), 9, 19, "a list cannot be compared"),
    (space('\n{"Expression": "a", "Parameters": ["a", "x"]}'), 9, 41, "unknown parameter"),
    (space('\n{"Parameters": ["a"]}'), 9, 1, "no 'Expression'"),
    (space("1"), 8, 16, "not an object"),
]


class Values(unittest.TestCase):
    def test_values(self):
        for values, expected in VALUES:
            with self.subTest(values=values):
                reply = convert(one(json.dumps({"Name": "p", "Values": values})))
                self.assertIn("\nparam p = %s\n" % expected, reply.get("space", reply))

    def test_conditions(self):
        for text, expected in CONDITIONS:
            with self.subTest(condition=text):
                reply = convert(space(json.dumps({"Expression": text})))
                self.assertIn("\nrequire %s\n" % expected, reply.get("space", reply))


class Errors(unittest.TestCase):
    def test_no_kernel(self):
        """A description without a kernel makes a space that cannot be tuned."""
        text = one('{"Name": "p", "Values": [1]}')
        reply = convert(text, kernel=True)
        self.assertEqual(("the file has no 'KernelSpecification'", (1, 1)), (reply.get("error"), reply.get("at")))
        self.assertIn("--no-kernel", reply["hint"])
        self.assertIn("space", convert(text, kernel=False))

    def test_places(self):
        for text, line, column, message in ERRORS:
            with self.subTest(text=text):
                reply = convert(text)
                self.assertIn(message, reply.get("error", reply))
                self.assertEqual((line, column), tuple(reply["at"]), reply)

    def test_deep(self):
        """Deep and long texts end with an error, not with a stack overflow."""
        for unit in ("(", "[", "-", "not ", "a + ", "a if a else ", "min(1, ", "a ** "):
            for times in (150, 250, 2000, 5000, 100000):
                with self.subTest(unit=unit, times=times):
                    reply = convert(condition(unit * times + "a"))
                    self.assertTrue(times == 150 or "nested" in reply["error"], reply)
        for depth in (150, 400, 100000):
            reply = convert('{"General": {"x": %s1%s}}' % ("[" * depth, "]" * depth))
            self.assertIn("no 'ConfigurationSpace'" if depth == 150 else "nested", reply["error"])


class File(unittest.TestCase):
    TEXT = """\ufeff{"General": {"BenchmarkName": "two", "OutputFormat": "JSON"},
"ConfigurationSpace": {"TuningParameters": [
{"Name": "a", "Type": "int", "Values": "[1, 2]", "Default": [2]},
{"Name": "b", "Values": [true, false], "Default": "False"},
{"Name": "c", "Values": [10], "Default": 1},
{"Name": "d", "Values": ["x", "y"], "Default": "y"},
{"Name": "e", "Values": [7, 8]}], "Conditions": ["a < 2"]},
"KernelSpecification": {"KernelName": "k"}, "Line\\nbreak": 1}
"""
    EXPECTED = """# Imported from the T1 description file.json. It has no kernel yet: it can be checked, and tuned once the
# statements kernel, buffer, args, block, grid and reference are added.
#
# Not imported:
#   Line break: cutune does not use it
#   General.OutputFormat: cutune writes its own
""" """#   ConfigurationSpace.TuningParameters[2].Default: it is not the only value of c
#   ConfigurationSpace.TuningParameters[4].Default: the file lacks it: the first value is the default
#   KernelSpecification: only the parameters and conditions are imported
space 2
title "two"

param a = 1, 2
param b = 1, 0   # True is 1, False is 0
param c = 10
param d = x, y
param e = 7, 8
require a < 2

default a=2 b=0 c=10 d=y e=7
"""

    def test_file(self):
        reply = convert(self.TEXT, kernel=False)
        self.assertEqual(self.EXPECTED, reply.get("space", reply))
        self.assertIn("General.OutputFormat: cutune writes its own", reply["notes"])

    def test_origins(self):
        """Each line has an origin: the place of its values or of its condition."""
        reply = convert(self.TEXT, kernel=False)
        lines = reply["space"].splitlines()
        self.assertEqual(len(lines), len(reply["origins"]))
        at = dict(zip(lines, reply["origins"]))
        self.assertEqual((3, 40), at["param a = 1, 2"])
        self.assertEqual((7, 50), at["require a < 2"])
        wrapped = convert(one('{"Name": "p", "Values": %s}' % [n * n for n in range(99)]))
        self.assertGreater(sum(at == (2, 25) for at in wrapped["origins"]), 3)
        self.assertLess(max(map(len, wrapped["space"].splitlines())), 120)

    def test_foul_names(self):
        reply = convert(one('{"Name": "p", "Values": [1]}'), "a\nb\u202ec\udcff")
        self.assertIn("description a b c . It", reply["space"])

    def test_encoding(self):
        for data, at, message in ((b'{"\xc3\xa9\xff', (1, 5), "not UTF-8"), (b'{"\xc3\xa9": 1}', (1, 1), "no 'Conf"),
                                  (b'{"a": "\\ud800"}', (1, 7), "surrogate"), (b'\r\n[1]', (2, 1), "not an object"),
                                  (b'{"a": NaN}', (1, 7), "not JSON"), (b'{"a": -Infinity}', (1, 7), "not JSON")):
            with self.subTest(data=data):
                reply = convert(data)
                self.assertIn(message, reply["error"])
                self.assertEqual(at, tuple(reply["at"]))

    def test_python_3_8(self):
        """The oldest supported version."""
        for name in os.listdir(FOLDER):
            if name.endswith(".py"):
                with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                    ast.parse(file.read(), feature_version=(3, 8))

    def test_old_python(self):
        code = "import runpy, sys; sys.version_info = (3, 7, 9); sys.argv[1:] = 'n', '', '', '', ''; runpy.run_path(%r, run_name='__main__')"
        done = subprocess.run([sys.executable, "-B", "-c", code % FOLDER], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
        self.assertIn("version 3.7, but this command needs 3.8", json.loads(done.stdout)["error"])

    def test_program(self):
        """As cutune runs it: arguments, standard input and output."""
        done = subprocess.run([sys.executable, "-B", "-I", "-S", "-X", "utf8", FOLDER, "n.json", "", "warp", "min", ""],
                              input=one('{"Name": "warp", "Values": [1]}').encode(), stdout=subprocess.PIPE, check=True)
        self.assertIn("'warp' is a name of the space language", json.loads(done.stdout)["error"])


class RandomInput(unittest.TestCase):
    """Whatever the input, the reply is a space or an error with a place in the text."""
    PIECES = ["(", ")", "[", "]", "{", "}", ",", ":", '"', "'", "\\", "\\u0041", "\\ud83d\\ude00", "\n", "\t", "\0", "a", "b", "n",
              "f", "w", "t", "1", "0", "-1", "2.5", "1e999", "9" * 30, "9" * 5000, "64", " if ", " else ", " for ", " in ", " not ",
              " and ", " or ", " is ", "lambda", "await ", "yield ", "*", "**", "//", "%", "/", "<<", ">>", "==", "!=", "<", "~",
              ":=", "@", "...", "None", "True", "null", "true", "NaN", "range(", "sum(", "max(", "pow(", "sorted(", "len(", "int(",
              "abs(", "all(", "f'{a}'", "b'x'", "1j", "\ufeff", "\u00e9", "\U0001f600", "#", ";", "=", ".", "x.y", "[0]", '"Name"',
              '"Values"', '"Default"', '"Conditions"']

    def setUp(self):
        self.rng = random.Random(1)
        self.texts = [condition(text.replace('"', '\\"')) for text, _ in CONDITIONS] + [File.TEXT]
        self.texts += [one(json.dumps({"Name": "p", "Values": values})) for values, _ in VALUES] + [text for text, *_ in ERRORS]

    def mutate(self, text):
        for _ in range(self.rng.choice((1, 1, 1, 2, 4))):
            start = self.rng.randint(0, len(text))
            end = min(len(text), start + self.rng.choice((0, 0, 1, 1, 3, 20)))
            piece = self.rng.choice((self.rng.choice(self.PIECES), text[end:end + 9], ""))
            text = text[:start] + piece * self.rng.choice((1, 1, 1, 2, 300)) + text[end:]
        return text

    def test_mutated(self):
        spaces = 0
        for _ in range(ROUNDS):
            text = self.mutate(self.rng.choice(self.texts))
            data = text.encode()
            if self.rng.random() < 0.1:
                place = self.rng.randint(0, len(data))
                data = data[:place] + bytes([self.rng.randint(0, 255)]) + data[place:]
            with self.subTest(data=data):
                reply = json.loads(json.dumps(convert(data)))
                if "space" in reply:
                    spaces += 1
                    self.assertEqual(reply["space"].count("\n"), len(reply["origins"]))
                else:
                    line, column = reply["at"]
                    lines = data.split(b"\n")
                    self.assertTrue(reply["error"] and 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1, reply)
        self.assertGreater(spaces, ROUNDS // 50)


if __name__ == "__main__":
    unittest.main()
