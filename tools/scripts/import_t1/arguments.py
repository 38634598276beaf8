"""Arguments of a kernel: buffers with their fills, scalars, constant and shared memory."""
import collections
import re

from condition import value_text
from expression import Refused, need
from space_file import is_name

PATH = "KernelSpecification.Arguments"
NAMES = ("Name", "Type", "MemoryType", "Size", "TypeSize", "FillType", "FillValue", "DataSource", "AccessType", "Output",
         "MemType")

# T1's types: (type in a space, its components, bytes). float3 and other types that spaces lack are several of another.
Type = collections.namedtuple("Type", "name components size")
SCALARS = {"bool": ("bool", 1), "int8": ("int8_t", 1), "uint8": ("uint8_t", 1), "int16": ("int16_t", 2),
           "uint16": ("uint16_t", 2), "int32": ("int", 4), "uint32": ("uint", 4), "int64": ("int64_t", 8),
           "uint64": ("uint64_t", 8), "half": ("half", 2), "float": ("float", 4), "double": ("double", 8)}
VECTORS = {"int2": ("int2", 1, 8), "int4": ("int4", 1, 16), "float2": ("float2", 1, 8), "float4": ("float4", 1, 16),
           "double2": ("double2", 1, 16)}
TYPES = {name: Type(kind, 1, size) for name, (kind, size) in SCALARS.items()}
TYPES.update({f"{name}{count}": Type(SCALARS[name][0], count, count * SCALARS[name][1])
              for name in ("half", "float", "double") for count in (2, 3, 4, 8, 16)})
TYPES.update({name: Type(*row) for name, row in VECTORS.items()})
TYPES.update({"int": TYPES["int32"], "uint": TYPES["uint32"], "byte": TYPES["int8"]})
FLOATS = ("half", "float", "double", "float2", "float4", "double2")
TOLERANCES = {"half": "rel 1e-2 abs 1e-2"}
TOLERANCE = "rel 1e-4 abs 1e-4"
WORDS = ("null", "chunk_offset", "chunk_length")  # words of the space language, besides types and functions


class Argument:
    """An argument: the members of its object by name, its places, and its form in the space."""

    def __init__(self, owner, node, number):
        self.place, self.at, self.number = f"{PATH}[{number}]", node.at, number
        self.nodes = dict(zip(NAMES, owner.members(node, "an argument", NAMES, self.place + ".")))

    def __getattr__(self, name):
        """The value of a member; None without it."""
        if name not in NAMES:
            raise AttributeError(name)
        return self.nodes[name].value if self.nodes[name] else None

    def at_of(self, name):
        return self.nodes[name].at if self.nodes[name] else self.at

    def need(self, truth, name, message, hint=None):
        need(truth, self.at_of(name), message, hint)


class Arguments:
    def __init__(self, kernel):
        self.kernel, self.owner, self.space = kernel, kernel.owner, kernel.space
        self.at, self.taken, self.shared, self.compared = None, set(), [], []

    def note(self, argument, name, reason):
        self.space.note(f"{argument.place}.{name}", reason)

    def convert(self, node, counts):
        """Writes the statements buffer, constant and args. `counts`: numbers of parameters that the kernel may have."""
        need(type(node.value) is list and node.value, node.at, "'Arguments' is not a list of one argument or more")
        self.at = node.at
        words = {value for values in self.owner.parameters.values() for value in values if isinstance(value, str)}
        self.taken.update(self.owner.limits, self.owner.reserved, WORDS, words, self.kernel.names)
        arguments = [Argument(self.owner, item, number) for number, item in enumerate(node.value)]
        for argument in arguments:
            self.take_kind(argument)
        marked = any(argument.Output == 1 and not argument.constant for argument in arguments)
        passed = self.passes(arguments, counts)
        constants, words = [], []
        for argument in arguments:
            if argument.memory == "Vector":
                self.write_buffer(argument, marked)
            elif argument.memory == "Local":
                self.shared.append(str(self.count(argument) * argument.type.size))
            if argument.constant:
                argument.need(isinstance(argument.Name, str) and is_name(argument.Name), "Name",
                              "the argument in constant memory has no name of a variable")
                constants.append((argument.at_of("Name"), f"constant {argument.Name} = {argument.name}"))
            if argument.memory == "Scalar":
                words.append(self.scalar(argument))
            elif argument.memory == "Vector" and (passed or not argument.constant):
                words.append(argument.name)
        need(self.compared, node.at, "no argument is an output: there is nothing to compare",
             '"AccessType": "WriteOnly" or "ReadWrite", or "Output": 1')
        for at, line in constants:
            self.space.add(at, line)
        self.space.wrap_list(node.at, "args", words)

    def take_kind(self, argument):
        """Finds the type, and its kind: Scalar, Vector (a buffer) or Local (shared memory)."""
        kinds = ("Scalar", "Vector", "Local", "Symbol")
        argument.need(argument.MemoryType in kinds, "MemoryType", "'MemoryType' of an argument is none of " + " ".join(kinds))
        kind, size = argument.Type, argument.TypeSize
        if kind == "custom":
            argument.need(type(size) is int and size > 0, "TypeSize", "a custom type needs its bytes as 'TypeSize'")
            argument.type = Type("uchar", size, size)
        else:
            argument.need(isinstance(kind, str) and kind in TYPES, "Type", "the type of the argument is unknown",
                          "the types are custom, " + " ".join(TYPES))
            argument.type = TYPES[kind]
            if size not in (None, argument.type.size):
                self.note(argument, "TypeSize", f"a {kind} has {argument.type.size} bytes")
        argument.constant = argument.MemType == "Constant" or argument.MemoryType == "Symbol"
        argument.memory = "Vector" if argument.constant else argument.MemoryType
        if argument.MemType not in (None, "Constant", "Global"):
            self.note(argument, "MemType", "the argument is in global memory")

    def passes(self, arguments, counts):
        """True if the kernel takes its arguments in constant memory as parameters, too. The source decides; without
        it, the kernel takes them, as in Kernel Tuner, but not a Symbol of KTT."""
        own = [argument for argument in arguments if argument.memory != "Local"]
        constants = [argument for argument in own if argument.constant]
        if not constants or any(argument.MemoryType == "Symbol" for argument in constants):
            return False
        if counts in ({len(own)}, {len(own) - len(constants)}):
            return counts == {len(own)}
        self.note(constants[0], "MemType", "the source does not say whether the kernel has a parameter for it, too: assumed")
        return True

    def count(self, argument):
        if argument.memory == "Vector" and argument.MemoryType == "Scalar" and argument.Size is None:
            return 1
        argument.need(argument.Size is not None, "Size", "the argument has no 'Size'")
        return self.kernel.constant_size(argument.nodes["Size"], "the size of an argument")

    # ---- Scalars ----

    def scalar(self, argument):
        kind = argument.type
        if argument.FillType not in (None, "Constant"):
            self.note(argument, "FillType", "a scalar is the number of FillValue")
        if argument.AccessType not in (None, "ReadOnly"):
            self.note(argument, "AccessType", "a kernel gets a scalar by value")
        argument.need(argument.FillValue is not None, "FillValue", "the scalar has no 'FillValue'")
        value = self.kernel.number(argument.nodes["FillValue"], "the value of a scalar", whole=kind.name not in FLOATS)
        if kind.name in VECTORS:
            return f"{kind.name} {{ {', '.join([value] * int(kind.name[-1]))} }}"
        argument.need(kind.components == 1 or argument.Type == "float3", "Type", "a scalar of this type cannot be passed")
        if kind.components == 3:
            return f"struct {{ {', '.join(['float ' + value] * 3)} }}"
        return f"{kind.name} {value}"

    # ---- Buffers ----

    def name_buffer(self, argument):
        wanted = argument.Name if argument.Name is not None else f"argument{argument.number}"
        argument.need(isinstance(wanted, str), "Name", "the name of an argument is not a string")
        name = re.sub(r"\W", "_", wanted, flags=re.ASCII)
        name = "_" + name if not name or name[0].isdigit() else name
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        if name != wanted:
            self.note(argument, "Name", f"the buffer is {name}")
        argument.name = name

    def write_buffer(self, argument, marked):
        self.name_buffer(argument)
        role = self.role(argument, marked)
        fill = self.fill(argument)
        if role == "scratch":
            fill = None
        elif role == "output" and fill:  # the kernel may leave elements as they are, or add to them
            role = "inout"
        elif role != "output" and not fill:
            self.note(argument, "FillType", "the kernel reads the buffer: filled with zeros")
            fill = "zero"
        if role in ("output", "inout"):
            self.compared.append(argument)
        count = self.count(argument) * argument.type.components
        words = [word for word in (fill, role) if word]
        self.space.add(argument.at, f"buffer {argument.name} {argument.type.name}[{count}] {' '.join(words)}")

    def role(self, argument, marked):
        """None for an input. `marked`: there are arguments with Output 1, and only these are compared."""
        access, output = argument.AccessType, argument.Output == 1
        accesses = ("ReadOnly", "WriteOnly", "ReadWrite")
        argument.need(access is None or access in accesses, "AccessType", "'AccessType' is none of " + " ".join(accesses))
        argument.need(argument.Output in (None, 0, 1), "Output", "'Output' is neither 0 nor 1")
        if argument.constant:
            if access not in (None, "ReadOnly") or output:
                self.note(argument, "Output" if output else "AccessType", "a kernel cannot write constant memory")
            return None
        if access is None:
            self.note(argument, "AccessType", "the file lacks it: ReadWrite")
        if access == "ReadOnly" and not output:
            return None
        if access == "ReadOnly":
            self.note(argument, "AccessType", "the argument is an output: ReadWrite")
        if marked and not output and access == "WriteOnly":
            return "scratch"
        if marked and not output:
            self.note(argument, "Output", "the argument is restored and compared, too: it is ReadWrite")
        return "output" if access == "WriteOnly" else "inout"

    def fill(self, argument):
        """Contents of a buffer before a run; None: undefined."""
        kind = argument.FillType
        if kind is None:
            kind = "Uninitialized" if argument.FillValue is None else "Constant"
        argument.need(isinstance(kind, str), "FillType", "'FillType' is not a string")
        fills = {"Constant": self.fill_constant, "Random": self.fill_random, "Generator": self.fill_generator,
                 "BinaryRaw": self.fill_file, "Uninitialized": lambda argument: None}
        if kind in fills:
            return fills[kind](argument)
        return self.fill_instead(argument, "FillType", f"a space has no fill like {kind:.40}")

    def fill_instead(self, argument, name, reason):
        fill = "random" if argument.type.name in FLOATS else "zero"
        self.note(argument, name, f"{reason}: {fill} instead; see `by KERNEL` and `file` of the statement `buffer`")
        return fill

    def fill_value(self, argument):
        """FillValue as a number of the argument's type."""
        node = argument.nodes["FillValue"]
        value = self.owner.evaluate(node, None, self.kernel.constants)
        need(isinstance(value, (int, float)), node.at, "'FillValue' is not a number")
        if argument.type.name in FLOATS:
            return value
        need(value == int(value), node.at, f"'FillValue' of the type {argument.Type} is not an integer")
        bits, signed = 1 if argument.Type == "bool" else 8 * argument.type.size, argument.type.name[0] == "i"
        low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        need(argument.Type == "custom" or low <= value <= high, node.at, f"{int(value)} does not fit the type {argument.Type}")
        return int(value)

    def fill_constant(self, argument):
        argument.need(argument.FillValue is not None, "FillValue", "a constant fill needs a 'FillValue'")
        return self.fill_number(argument, "FillValue", self.fill_value(argument))

    def fill_number(self, argument, name, value):
        if value == 0:
            return "zero"
        if argument.Type == "custom":
            return self.fill_instead(argument, name, "a custom type has no numbers but 0")
        text = value_text(value)
        return f"random {text}..{text}"

    def fill_random(self, argument):
        """Uniform from 0 to FillValue, as in KTT."""
        if argument.FillValue is None or argument.Type == "custom":
            return "random"
        value = self.fill_value(argument)
        bounds = sorted((0, value))
        return f"random {value_text(bounds[0])}..{value_text(bounds[1])}" if value else "zero"

    def fill_generator(self, argument):
        """DataSource is an expression of i, the number of the element."""
        argument.need(isinstance(argument.DataSource, str), "DataSource", "a generator needs an expression as 'DataSource'")
        if argument.DataSource.strip() == "i" and argument.Type != "custom":
            return "iota"
        try:
            value = self.owner.evaluate(argument.nodes["DataSource"], None, self.kernel.constants)
        except Refused:
            value = None
        if not isinstance(value, (int, float)) or value != int(value) and argument.type.name not in FLOATS:
            return self.fill_instead(argument, "DataSource", "a space has no expression of the element's number")
        return self.fill_number(argument, "DataSource", value if argument.type.name in FLOATS else int(value))

    def fill_file(self, argument):
        argument.need(isinstance(argument.DataSource, str), "DataSource", "BinaryRaw needs the name of a file as 'DataSource'")
        path, _ = self.kernel.file(argument.nodes["DataSource"], argument.DataSource)
        return f"file({path})"

    def write_tolerances(self):
        """T1 has no tolerances: those of floats allow for another order of additions."""
        for argument in self.compared:
            if argument.type.name in FLOATS:
                self.space.add(argument.at, f"tolerance {argument.name} {TOLERANCES.get(argument.type.name, TOLERANCE)}")
