"""T1 descriptions: parameters, conditions, defaults, and the resulting space file."""
import ast
import itertools
import math
import os
import re

from condition import Condition
from expression import INT_MAX, INT_MIN, TOO_LARGE, Expression, Meter, Refused, need
from json_text import Pairs, place_of, read_json
from kernel import WITHOUT_KERNEL, Kernel
from space_file import SpaceFile, is_name

CONDITIONS_MAX = 1024
INTEGERS, NUMBERS = (int, bool), (float, int)
TYPES = {"int": INTEGERS, "uint": INTEGERS, "integer": INTEGERS, "float": NUMBERS, "double": NUMBERS, "bool": INTEGERS,
         "boolean": INTEGERS, "string": (str,), "str": (str,)}

# Reasons why parts of the file have no place in a space, by name.
OUTPUTS, SEARCHES, RUNS = "cutune writes its own", "options of `cutune` take its place", "cutune measures in its own way"
REASONS = {
    "General.OutputFile": OUTPUTS, "General.OutputFormat": OUTPUTS, "General.TimeUnit": OUTPUTS,
    "General.LoggingLevel": OUTPUTS, "Search": SEARCHES, "Budget": SEARCHES, "KernelSpecification.Device": SEARCHES,
    "KernelSpecification.Profiling": RUNS, "KernelSpecification.Stream": RUNS, "KernelSpecification.SimulationInput":
    "`cutune --replay` searches recorded results"}
NO_KERNEL = ["It has no kernel yet: it can be checked, and tuned once the",
             "# statements kernel, buffer, args, block, grid and reference are added."]


class Import:
    def __init__(self, text, path, output, limits, reserved):
        self.text, self.lines, self.limits, self.reserved = text, text.split("\n"), limits, reserved
        self.path, self.output = path, output  # paths of the T1 file and of the space
        self.meter, self.proofs, self.parameters, self.space = Meter(), Meter(), {}, SpaceFile()
        self.conditions = []

    def members(self, node, what, names, section=None):
        """Returns the requested members of an object, without null ones and empty lists. Another member is an error
        or, with `section`, a note."""
        need(isinstance(node.value, Pairs), node.at, f"{what} is not an object")
        seen, found = set(), dict.fromkeys(names)
        for name, at, value in node.value:
            need(name not in seen, at, f"a second '{name:.64}' in {what}")
            seen.add(name)
            given = value.value is not None and not (type(value.value) is list and not value.value)
            need(name in names or section is not None, at, f"{what} has an unknown member '{name:.64}'",
                 "it is not skipped because it could change the space")
            if name not in names and given:
                self.space.note(section + name, REASONS.get(section + name, "cutune does not use it"))
            elif given:
                found[name] = value
        return [found[name] for name in names]

    def text_of(self, member, name, node, what):
        need(member, node.at, f"{what} has no '{name}'")
        need(isinstance(member.value, str), member.at, f"'{name}' of {what} is not a string")
        return member.value

    def convert(self, kernel):
        root = read_json(self.text)
        space, general, config, specification = self.members(
            root, "the file", ("ConfigurationSpace", "General", "BenchmarkConfig", "KernelSpecification"), "")
        need(space, root.at, "the file has no 'ConfigurationSpace': it is not a T1 description",
             "T1 has the sections General, ConfigurationSpace and KernelSpecification")
        parameters, conditions = self.members(space, "'ConfigurationSpace'", ("TuningParameters", "Conditions"))
        need(parameters, space.at, "'ConfigurationSpace' has no 'TuningParameters'")
        if general:
            self.take_general(general)
        need(type(parameters.value) is list and parameters.value, parameters.at,
             "'TuningParameters' is not a list of one parameter or more")
        self.take_parameters(parameters)
        if conditions:
            need(type(conditions.value) is list, conditions.at, "'Conditions' is not a list")
            need(len(conditions.value) <= CONDITIONS_MAX, conditions.at, f"more than {CONDITIONS_MAX} conditions")
            for item in conditions.value:
                self.take_condition(item)
        need(specification or not kernel, root.at, "the file has no 'KernelSpecification'", WITHOUT_KERNEL)
        self.space.head = NO_KERNEL
        if kernel:
            self.find_default()
            Kernel(self).convert(specification, config)
        else:
            for name in (name for name, node in (("KernelSpecification", specification), ("BenchmarkConfig", config)) if node):
                self.space.note(name, "only the parameters and conditions are imported")
        return self.space.reply(os.path.basename(self.path))

    def take_general(self, general):
        title, = self.members(general, "'General'", ("BenchmarkName",), "General.")
        if title and isinstance(title.value, str) and not re.search('["\x00-\x1f\x7f]', title.value):
            self.space.title = title.value
        elif title:
            self.space.note("General.BenchmarkName", "it cannot be a title")

    def take_parameters(self, parameters):
        """Writes the default only if a parameter has one; the others then have their first value."""
        lacking = []
        for number, item in enumerate(parameters.value):
            place = f"ConfigurationSpace.TuningParameters[{number}]"
            if not self.take_parameter(item, place):
                lacking.append(place)
        if len(lacking) < len(parameters.value):
            for place in lacking:
                self.space.note(place + ".Default", "the file lacks it: the first value is the default")
        else:
            self.space.note("ConfigurationSpace.TuningParameters[].Default", "the file lacks it: first values are the default")
            self.space.default = {}

    def take_parameter(self, node, place):
        """Returns true if the parameter has a default."""
        what = "a tuning parameter"
        name_node, kind, values_node, default = self.members(node, what, ("Name", "Type", "Values", "Default"))
        name = self.text_of(name_node, "Name", node, what)
        need(is_name(name), name_node.at, f"'{name:.64}' cannot be the name of a parameter",
             "a name consists of letters, digits and _, and does not start with a digit")
        need(name not in self.limits and name not in self.reserved, name_node.at,
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
        self.space.default[name] = values[self.take_default(default, name, values, place) if default else 0]
        self.parameters[name] = values
        self.space.add_parameter(values_node.at, name, values)
        return default is not None

    def evaluate(self, node, names=None, constants=None):
        """Returns the value of JSON, or of a string with a Python expression."""
        if isinstance(node.value, str):
            expression = Expression(node, self.lines, self.meter, constants)
            return expression.value(expression.tree, names or {})
        return self.plain(node)

    def plain(self, node):
        if type(node.value) is list:
            return [self.plain(item) for item in node.value]
        need(not isinstance(node.value, Pairs) and node.value is not None, node.at, "this cannot be a value")
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

    def take_default(self, node, name, values, place):
        """Returns the default's index among the values: given directly, as an expression, or as a list of one."""
        if isinstance(node.value, str) and node.value in values:
            return values.index(node.value)
        default = self.evaluate(node)
        if isinstance(default, (list, range)) and len(default) == 1:
            default = default[0]
        if default not in values and len(values) == 1:  # the only possible value, whatever the file says
            self.space.note(place + ".Default", f"it is not the only value of {name}")
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
        self.space.add(node.at, "require " + condition.translate())
        self.conditions.append(condition)

    # ---- A default that is valid ----

    def first_broken(self, configuration, meter):
        """Returns the index of the first violated condition; None if the configuration meets all."""
        for number, condition in enumerate(self.conditions):
            condition.meter = meter
            try:
                if not condition.value(condition.tree, configuration):
                    return number
            except Refused:  # without a value, such as a division by zero
                if meter.left < 0:
                    raise
                return number
        return None

    def find_default(self):
        """The reference is the default configuration. If the file's is not valid, finds a valid one that differs
        from it in as few parameters as possible."""
        meter = Meter()
        given = {name: self.space.default.get(name, values[0]) for name, values in self.parameters.items()}
        broken = self.first_broken(given, meter)
        if broken is None:
            return
        place, reason = "ConfigurationSpace.TuningParameters[].Default", f"the default breaks Conditions[{broken}]"
        used = {node.id for node in ast.walk(self.conditions[broken].tree) if isinstance(node, ast.Name)}
        tunable = sorted((name for name, values in self.parameters.items() if len(values) > 1), key=lambda name: name not in used)
        try:
            for count in range(1, len(tunable) + 1):
                for names in itertools.combinations(tunable, count):
                    for values in itertools.product(*([value for value in self.parameters[name] if value != given[name]]
                                                      for name in names)):
                        changed = dict(given, **dict(zip(names, values)))
                        if self.first_broken(changed, meter) is None:
                            self.space.note(place, f"{reason}: {' '.join(f'{name}={changed[name]}' for name in names)} instead")
                            self.space.default = changed
                            return
        except Refused:  # too much work
            pass
        self.space.note(place, reason + ", and no valid one was found")


def convert(data, path, limits=(), reserved=(), output="", kernel=True):
    """Converts the bytes of a T1 file to the reply. `path` and `output` are those of the T1 file and of the space;
    without `kernel`, KernelSpecification is left out."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = place_of(data[:error.start].decode(), error.start)
        return {"error": "the text is not UTF-8 from here on", "at": at, "hint": None}
    text = re.sub("^\ufeff", "   ", text).replace("\r", " ")  # same number of bytes; \n ends lines
    try:
        return Import(text, path, output or path, list(limits), list(reserved)).convert(kernel)
    except Refused as refused:
        return refused.reply
    except (RecursionError, MemoryError):
        return {"error": "the file is too large, or nested too deeply", "at": (1, 1), "hint": None}
