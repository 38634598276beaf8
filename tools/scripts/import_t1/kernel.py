"""KernelSpecification: the kernel and its launch. arguments.py handles its arguments."""
import re

import source
from arguments import Arguments
from condition import BIND_NONE, BIND_PRODUCT, BIND_SIGN, BIND_VALUE, Condition, enclose, value_text
from expression import Refused, need
from json_text import Node, Pairs
from references import References
from space_file import is_name, quoted

WITHOUT_KERNEL = "`cutune import --no-kernel` imports only the parameters and conditions"
AXES = ("X", "Y", "Z")
CUDA = ("CUDA", "CUPY", "NVCUDA", "PYCUDA")  # names of the language, and of Kernel Tuner's backends for it
NAMES = ("Language", "KernelName", "KernelFile", "KernelTypeNames", "CompilerOptions", "LocalSize", "GlobalSize",
         "GlobalSizeType", "GridDivX", "GridDivY", "GridDivZ", "ProblemSize", "SharedMemory", "Arguments", "BenchmarkName", "ReferenceArguments", "ReferenceData")
NOT_NVRTC = re.compile(r"-O\d?$|--optimize|--?(Xcompiler|compiler-options|Xlinker|linker-options|ccbin|compiler-bindir|"
                       r"keep|verbose|shared|dc|c|v|m64|x|O)(?![\w-])|-[lL](?!ineinfo)")
ARCHITECTURE = re.compile(r"--?(arch|gpu-architecture|gencode|generate-code|code|gpu-code)(?![\w-])")
OLD_STANDARD = re.compile(r"--?std=c\+\+(03|11|14)$")
HEADS = {"all": ["T1 has no reference: outputs are compared", "# with those of the default configuration, which nothing verifies."],
         "some": ["Outputs without reference data are compared", "# with those of the default configuration, which nothing verifies."],
         "none": ["It has the expected results."]}  # for outputs without a file


class Kernel:
    """Writes the statements for KernelSpecification. `owner` is the Import."""

    def __init__(self, owner):
        self.owner, self.space, self.constants = owner, owner.space, {}
        self.names = dict(owner.parameters)  # names in expressions: parameters and those of `config` -> values
        self.config, self.used = {}, set()  # integers of BenchmarkConfig -> places; words of expressions

    def convert(self, node, config):
        values = dict(zip(NAMES, self.owner.members(node, "'KernelSpecification'", NAMES, "KernelSpecification.")))
        language = values["Language"] or Node("CUDA", node.at)
        need(language.value in CUDA, language.at,
             f"cutune tunes CUDA kernels: {str(language.value):.40} is another language", WITHOUT_KERNEL)
        for name in ("KernelName", "KernelFile", "LocalSize", "Arguments"):
            need(values[name], node.at, f"'KernelSpecification' has no '{name}'", WITHOUT_KERNEL)
        first = len(self.space.lines)
        if config:
            self.take_config(config)
        self.take_problem_size(values["ProblemSize"])
        self.space.add(node.at, "")
        name, text = self.take_kernel(values)
        self.take_options(values["CompilerOptions"])
        self.space.add(node.at, "")
        arguments = Arguments(self)
        arguments.convert(values["Arguments"], source.parameter_counts(text, name))
        self.space.add(node.at, "")
        block = self.sizes(values["LocalSize"], "'LocalSize'")
        self.write_sizes(values["LocalSize"], "block", block)
        grid = self.grid(values, block, node)
        self.write_sizes(values["GlobalSize"] or values["ProblemSize"], "grid", grid)
        self.take_shared(values["SharedMemory"], arguments)
        self.space.add(node.at, "")
        references = References(self, arguments.compared)
        references.convert(values["ReferenceArguments"], values["ReferenceData"])
        self.space.head = HEADS["none" if not references.lacking else "all" if references.lacking == arguments.compared else "some"]
        if references.lacking:
            self.space.add(node.at, "reference default")
        arguments.write_tolerances()
        words = self.used | set(re.findall(r"\w+", text + name))
        for unused in (each for each, values in self.owner.parameters.items() if len(values) > 1 and each not in words):
            self.space.add(node.at, f"host {unused}   # neither the source nor the launch has it")
        self.write_macros(first, text, block, grid)

    # ---- Names in expressions ----

    def take_config(self, node):
        """Integers of BenchmarkConfig are constants, which expressions and the source may use."""
        need(isinstance(node.value, Pairs), node.at, "'BenchmarkConfig' is not an object")
        for name, at, value in node.value:
            taken = name in self.names or name in self.owner.limits or name in self.owner.reserved
            if not is_name(name) or taken:
                self.space.note(f"BenchmarkConfig.{name}", "the name is taken" if taken else "this cannot be a name in a space")
            elif type(value.value) is not int:
                self.space.note(f"BenchmarkConfig.{name}", "cutune uses its integers alone")
            else:
                self.names[name], self.config[name] = [self.owner.plain(value)], at

    def write_macros(self, first, text, block, grid):
        """Writes definitions besides the parameters, from line number `first` on: the integers of BenchmarkConfig,
        as macros only if the source has their names, and those of Kernel Tuner."""
        lines, words = [], set(re.findall(r"\w+", text))
        own = {name for name in self.config if source.defines(text, name)}
        for name in own:
            self.space.note(f"BenchmarkConfig.{name}", "the source has its own constant of this name")
            self.space.replace(first, name, str(self.names[name][0]))
        for name, at in self.config.items():
            if name in own:
                continue
            if name in self.used or name in words:
                lines.append((f"{'define' if name in words else 'let'} {name} = {self.names[name][0]}", at))
            else:
                self.space.note(f"BenchmarkConfig.{name}", "neither an expression nor the source uses it")
        if "kernel_tuner" in words or any(name.startswith("block_size_") for name in self.owner.parameters):
            macros = {"kernel_tuner": "1"}
            for what, sizes in (("block", block), ("grid", grid)):
                macros.update((f"{what}_size_{axis.lower()}", size) for axis, size in zip(AXES, sizes))
            lines += [(f"define {name} = {value}", (1, 1)) for name, value in macros.items()
                      if name in words - set(self.names) and not source.defines(text, name)]
        self.space.lines[first:first] = lines

    def take_problem_size(self, node):
        self.problem = []
        if not node:
            return
        values = node.value if type(node.value) is list else [node]
        need(0 < len(values) <= 3, node.at, "'ProblemSize' has one to three numbers")
        self.problem = [self.constant_size(value, "a problem size") for value in values]
        self.constants["ProblemSize"] = self.problem if type(node.value) is list else self.problem[0]

    def constant_size(self, node, what):
        """Returns a positive integer: a number, or an expression of constants and of lists of the parameters'
        values."""
        need(isinstance(node.value, (int, float, str)), node.at, f"{what} is neither a number nor an expression")
        lists = {name: values[0] if name in self.config else list(values) for name, values in self.names.items()}
        single = {name: values[0] if len(values) == 1 else list(values) for name, values in self.names.items()}
        try:
            value = self.owner.evaluate(node, lists, self.constants)
        except Refused:  # Python has no product of lists: parameters with one value may be meant as numbers
            value = self.owner.evaluate(node, single, self.constants)
        need(isinstance(value, (int, float)) and value == int(value), node.at, f"{what} is not an integer",
             "a parameter is the list of its values here: write max(NAME)" if isinstance(value, list) else None)
        need(value > 0, node.at, f"{what} is less than 1")
        self.used.update(re.findall(r"\w+", str(node.value)))
        return int(value)

    def number(self, node, what, bind=BIND_NONE, whole=True):
        """Returns a number or an expression of parameters, as an operand of an operator that needs at least the
        binding `bind`."""
        need(isinstance(node.value, (int, float, str)), node.at, f"{what} is neither a number nor an expression")
        if not isinstance(node.value, str):
            value = self.owner.plain(node)
            need(not whole or value == int(value), node.at, f"{what} is not an integer")
            return enclose(value_text(int(value) if whole else value), BIND_SIGN if value < 0 else BIND_VALUE, bind)
        self.used.update(re.findall(r"\w+", node.value))
        condition = Condition(node, self.owner.lines, self.owner.meter, self.names, self.owner.proofs, self.constants)
        return condition.number(bind, whole)

    # ---- Statements ----

    def take_kernel(self, values):
        """Returns the kernel's name and the source."""
        owner, file_node, name_node, types = self.owner, values["KernelFile"], values["KernelName"], values["KernelTypeNames"]
        what = "'KernelSpecification'"
        name = owner.text_of(name_node, "KernelName", name_node, what)
        file = owner.text_of(file_node, "KernelFile", file_node, what)
        path, found = self.file(file_node, file)
        if types:
            need(type(types.value) is list and types.value and all(isinstance(item.value, str) for item in types.value),
                 types.at, "'KernelTypeNames' is not a list of strings")
            name += f"<{', '.join(item.value for item in types.value)}>"
        self.space.add(name_node.at, f"kernel {name if is_name(name) else quoted(name_node, name)} {path}")
        return name, source.read(found)

    def file(self, node, name):
        """Returns the path of a file in the description, in quotes as the space writes it, and as this script opens
        it."""
        found = source.find(self.owner.path, name)
        need(found, node.at, f"there is no file {name:.200}",
             "it is looked for in the folder of the description, in the folder above that, and in the working folder")
        return quoted(node, source.relative(found, name, self.owner.output)), found

    def take_options(self, node):
        if not node:
            return
        options = node.value if type(node.value) is list else [node]
        for number, option in enumerate(options):
            place = f"KernelSpecification.CompilerOptions[{number}]"
            need(isinstance(option.value, str), option.at, "a compiler option is not a string")
            text = option.value.strip()
            if ARCHITECTURE.match(text):
                self.space.note(place, f"{text}: cutune compiles for the device")
            elif OLD_STANDARD.match(text):
                self.space.note(place, f"{text}: cutune's headers need C++17, the default")
            elif NOT_NVRTC.match(text):
                self.space.note(place, f"{text}: NVRTC, which compiles kernels, has no such option")
            elif text:
                self.space.add(option.at, f"option {quoted(option, text)}")

    def sizes(self, node, what):
        """Returns the sizes in X, Y, Z."""
        result = []
        for axis, size in zip(AXES, self.owner.members(node, what, AXES)):
            need(size or axis != "X", node.at, f"{what} has no 'X'")
            result.append(self.number(size, f"{axis} of {what}") if size else "1")
        return result

    def write_sizes(self, node, keyword, sizes):
        sizes = list(sizes)
        while len(sizes) > 1 and sizes[-1] == "1":
            sizes.pop()
        self.space.add(node.at, f"{keyword} {', '.join(sizes)}")

    def grid(self, values, block, node):
        """Kernel Tuner divides ProblemSize by the product of GridDiv, by default the block. KTT and BAT have GlobalSize:
        threads if GlobalSizeType is OpenCL, else blocks."""
        place, kind, size = "KernelSpecification.", values["GlobalSizeType"], values["GlobalSize"]
        dimensions = len(self.problem) or 3
        for axis in AXES[dimensions:]:
            if values["GridDiv" + axis]:
                self.space.note(f"{place}GridDiv{axis}", f"the problem has {dimensions} dimension{'s'[:dimensions > 1]}")
        divisors = [self.divisor(values["GridDiv" + axis], "GridDiv" + axis) for axis in AXES[:dimensions]]
        divisors += [None] * (3 - dimensions)
        given = [axis for axis, divisor in zip(AXES, divisors) if divisor]
        need(not kind or kind.value in ("CUDA", "OpenCL"), kind and kind.at, "'GlobalSizeType' is neither CUDA nor OpenCL")
        if self.problem and (given or not size):
            if size:
                self.space.note(place + "GlobalSize", "the grid is that of ProblemSize and GridDiv")
            whole = [str(number) for number in self.problem] + ["1"] * (3 - len(self.problem))
        else:
            need(size, node.at, "'KernelSpecification' has neither 'GlobalSize' nor 'ProblemSize'")
            whole = self.sizes(size, "'GlobalSize'")
            if not kind or kind.value == "CUDA":
                for axis in given:
                    self.space.note(f"{place}GridDiv{axis}", "the grid is that of GlobalSize, which counts blocks")
                return whole
        divisors = [divisor or threads for divisor, threads in zip(divisors, block)]
        return [text if "1" in (text, divisor) else f"ceildiv({text}, {divisor})" for text, divisor in zip(whole, divisors)]

    def divisor(self, node, what):
        """Returns the product of a list of expressions; None for no list and an empty one."""
        if not node or not node.value:
            return None
        need(type(node.value) is list, node.at, f"'{what}' is not a list")
        bind = BIND_PRODUCT + 1 if len(node.value) > 1 else BIND_NONE
        factors = [self.number(item, f"a divisor of '{what}'", bind) for item in node.value]
        return " * ".join(factor for factor in factors if factor != "1") or "1"

    def take_shared(self, node, arguments):
        own = self.number(node, "'SharedMemory'") if node else "0"
        words = [text for text in [own] + arguments.shared if text != "0"]
        if words:
            self.space.add(node.at if node else arguments.at, f"shared {' + '.join(words)}")
