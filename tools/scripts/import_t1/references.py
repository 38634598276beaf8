"""ReferenceArguments and ReferenceData, which KTT adds to T1: expected results."""
from expression import need

ARGUMENT = ("Name", "FillType", "DataSource", "TargetName", "Type", "TypeSize", "Size", "MemoryType", "AccessType")


class References:
    def __init__(self, kernel, compared):
        self.kernel, self.owner, self.space = kernel, kernel.owner, kernel.space
        self.targets = {argument.Name: argument for argument in compared}
        self.lacking = list(compared)  # outputs without expected results

    def convert(self, arguments, data):
        """Writes `reference OUTPUT file(...)` for outputs whose expected results are in files."""
        if arguments:
            self.take(arguments, "KernelSpecification.ReferenceArguments", {})
        if data:
            place, targets = "KernelSpecification.ReferenceData", {}
            arguments, pairs = self.owner.members(data, "'ReferenceData'", ("ReferenceArguments", "ValidationPairs"), place + ".")
            for number, pair in enumerate(self.items(pairs, "'ValidationPairs'") if pairs else []):
                names = self.owner.members(pair, "a validation pair", ("ReferenceName", "TargetName"), f"{place}.ValidationPairs[{number}].")
                reference, target = (self.text(name) for name in names)
                targets[reference] = target
            if arguments:
                self.take(arguments, place + ".ReferenceArguments", targets)

    def items(self, node, what):
        need(type(node.value) is list, node.at, f"{what} is not a list")
        return node.value

    def text(self, node):
        need(not node or isinstance(node.value, str), node and node.at, "this is not a string")
        return node.value if node else None

    def take(self, node, place, targets):
        """`targets`: names of outputs by those of reference arguments, which may have a TargetName instead."""
        for number, item in enumerate(self.items(node, "'ReferenceArguments'")):
            here = f"{place}[{number}]"
            name, kind, data, target, *_ = self.owner.members(item, "a reference argument", ARGUMENT, here + ".")
            argument = self.targets.get(self.text(target) or targets.get(self.text(name)))
            if not argument:
                self.space.note(here, "it belongs to no output")
            elif self.text(kind) != "BinaryRaw":
                self.space.note(here + ".FillType", "expected results are read from files alone, with BinaryRaw")
            else:
                need(data, item.at, "BinaryRaw needs the name of a file as 'DataSource'")
                path, _ = self.kernel.file(data, self.text(data))
                self.space.add(data.at, f"reference {argument.name} file({path})")
                if argument in self.lacking:
                    self.lacking.remove(argument)
