#!/usr/bin/env python3
"""Imported spaces against Python itself. Makes random spaces in T1's notation. For each, this Python evaluates the
values and conditions over all combinations; the .space from the script of `cutune import` must have exactly as
many valid configurations. Counts refused imports, which must be a minority.

    against_python.py PROGRAM FOLDER_OF_THE_SCRIPT [SPACES [SEED]]"""
import csv
import io
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

VALUES = ["[1, 2, 4, 8]", "[2**i for i in range(0, 4)]", "list(range(-3, 4))", "[0, 1]", "[True, False]",
          "[1] + [2 * i for i in range(1, 4)]", "[i for i in range(-6, 7) if i % 3 == 0]", "[0.5, 1.0, 2.5]",
          "[16, 32, 48]", "range(1, 4)", "[1, 2.5]", "['row', \"col\"]", "sorted([3, 1, 2])", "[-1, 5]",
          "[i * j for i in [1, 3] for j in (2, 5)]"]


def number(rng, names, depth):
    """Returns an arithmetic expression; some lack a value for some combinations."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(names) if rng.random() < 0.7 else rng.choice(["0", "1", "2", "3", "7", "-2", "2.5", "32"])
    one = number(rng, names, depth - 1)
    two = number(rng, names, depth - 1)
    if rng.random() < 0.04:
        return "2 ** %s" % rng.choice(names)
    form = rng.choice(["{} + {}", "{} - {}", "{} * {}", "({}) // ({})", "({}) % ({})", "({}) / ({})", "min({}, {})",
                       "max({}, {})", "({} - {})", "({} + {})", "abs({})", "-({})", "({}) ** 2",
                       "int(({}) / ({}))", "({}) << 1", "({}) & ({})", "({}) | ({})", "({}) ^ ({})", "~({})",
                       "({} if {} else 3)", "({} or {})", "({} and {})"])
    return form.format(one, two)


def condition(rng, names, words, depth):
    if depth == 0 or rng.random() < 0.3:
        one, two, three = (number(rng, names, 2) for _ in range(3))
        forms = ["{} < {}", "{} <= {} < {}", "{} == {}", "{} != {}", "{} % 4 == 0", "({}) % ({}) == 0", "{} in [1, 2, 4]",
                 "{} not in (0, 3)", "{} in range(0, 9, 2)", "{} in range(-5, 6)", "({}) % 2", "{} == True", "{} > {}",
                 "{} >= {} != {}"]
        if words:
            forms += ["%s == 'row'" % words[0], "%s != 'col'" % words[0], "%s in ['row']" % words[0]]
        return rng.choice(forms).format(one, two, three)
    one = condition(rng, names, words, depth - 1)
    two = condition(rng, names, words, depth - 1)
    return rng.choice(["{} and {}", "{} or {}", "not ({})", "({}) or ({})", "({}) and not ({})", "({}) == ({})",
                       "({}) if ({}) else True", "all([{}, {}])", "any([{}, {}])"]).format(one, two)


def make_space(rng):
    parameters = [("p%d" % i, rng.choice(VALUES)) for i in range(rng.randint(2, 4))]
    words = [name for name, values in parameters if "row" in values]
    names = [name for name, values in parameters if "row" not in values] or ["1"]
    return parameters, [condition(rng, names, words, rng.randint(0, 2)) for _ in range(rng.randint(1, 3))]


def count(parameters, conditions):
    """Returns the number of combinations that are valid in Python; None if a condition has no value for one of them."""
    lists = [list(eval(values)) for _, values in parameters]
    codes = [compile(text, text, "eval") for text in conditions]
    valid = 0
    for combination in itertools.product(*lists):
        scope = {name: value for (name, _), value in zip(parameters, combination)}
        try:
            valid += all([bool(eval(code, {}, scope)) for code in codes])
        except (ZeroDivisionError, TypeError, OverflowError, ValueError):
            return None
    return valid


def run(program, path, convert, parameters, conditions):
    """Returns the number of valid combinations in the converted space, and the refusal or the errors of `check`."""
    reply = convert(json.dumps({"ConfigurationSpace": {
        "TuningParameters": [{"Name": name, "Values": values} for name, values in parameters],
        "Conditions": [{"Expression": text} for text in conditions]}}).encode(), "t1.json", kernel=False)
    if "error" in reply:
        return None, reply
    with open(path, "w", encoding="utf-8") as file:
        file.write(reply["space"])
    done = subprocess.run([program, "check", path, "--format", "csv"], capture_output=True, text=True)
    for row in csv.reader(io.StringIO(done.stdout)):
        if row[0] == "valid":
            return int(row[2]), ""
    return -1, done.stderr


def main():
    program = os.path.abspath(sys.argv[1])
    sys.path.insert(0, sys.argv[2])
    from description import convert
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    rng = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    compared = refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        while compared < wanted:
            parameters, conditions = make_space(rng)
            expected = count(parameters, conditions)
            if expected is None:
                continue
            actual, message = run(program, os.path.join(folder, "t1.space"), convert, parameters, conditions)
            if actual is None:
                refused += 1
                if refused > 3 * wanted:
                    sys.exit("most is refused: %s" % message)
                continue
            compared += 1
            if actual != expected:
                wrong += 1
                print("%d instead of %d valid: %s %s\n%s" % (actual, expected, parameters, conditions, message))
    print("%d spaces compared, %d refused, %d wrong" % (compared, refused, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
