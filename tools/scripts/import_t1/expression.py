"""Evaluates Python expressions in JSON strings, with the places of their parts, within limits."""
import ast
import math
import operator
import re

DEPTH_MAX = 200  # limit on an expression's tree
PIECE_MAX = 1 << 14  # characters of an expression between two commas: Python's parser has a limited stack
ITEMS_MAX = 1 << 20  # limit on one list
STEPS_MAX = 1 << 20  # evaluated nodes for all expressions of a file, and as many for all proofs
INT_MIN, INT_MAX = -1 << 63, (1 << 63) - 1
TOO_LARGE = "the number is too large for an integer of 64 bits"
TOO_DEEP = "the expression is nested too deeply, or too long"


class Refused(Exception):
    """An error in the file: its place (line, column), a message, an optional hint."""

    def __init__(self, at, message, hint=None):
        super().__init__(message)
        self.reply = {"error": message, "at": at, "hint": hint}


def need(truth, at, message, hint=None):
    if not truth:
        raise Refused(at, message, hint)


KINDS = (ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List, ast.Tuple,
         ast.Call, ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.expr_context, ast.operator, ast.unaryop,
         ast.boolop, ast.cmpop)
LISTS = (ast.List, ast.Tuple)
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)
OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift,
    ast.RShift: operator.rshift, ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.BitAnd: operator.and_,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
FUNCTIONS = {  # with their numbers of arguments
    "range": (range, 1, 3), "list": (list, 1, 1), "tuple": (list, 1, 1), "sorted": (sorted, 1, 1), "min": (min, 1, 64),
    "max": (max, 1, 64), "sum": (sum, 1, 1), "abs": (abs, 1, 1), "int": (int, 1, 1), "float": (float, 1, 1),
    "bool": (bool, 1, 1), "len": (len, 1, 1), "pow": (pow, 2, 2), "ceil": (math.ceil, 1, 1), "floor": (math.floor, 1, 1)}
CHARACTER = re.compile(r"\\u[dD][89abAB]..\\u....|\\u....|\\.|.")  # one character in a JSON string


class Plain(ast.NodeTransformer):
    """Replaces the names of constants, their items NAME[0], math.ceil and math.floor by nodes of KINDS."""

    def __init__(self, constants):
        self.constants = constants  # name -> a number, or a list of numbers

    def literal(self, value, node):
        """Its place is that of the node, so that errors are shown there."""
        items = [self.literal(item, node) for item in value] if isinstance(value, list) else None
        return ast.copy_location(ast.Constant(value) if items is None else ast.List(items, ast.Load()), node)

    def visit_Name(self, node):
        return self.literal(self.constants[node.id], node) if node.id in self.constants else node

    def visit_Subscript(self, node):
        items = self.constants.get(node.value.id) if isinstance(node.value, ast.Name) else None
        index = getattr(node.slice, "value", None)
        index = getattr(index, "value", index)  # Python 3.8 has a node between them
        known = isinstance(items, list) and type(index) is int and index < len(items)
        return self.literal(items[index], node) if known else self.generic_visit(node)

    def visit_Attribute(self, node):
        known = isinstance(node.value, ast.Name) and node.value.id == "math" and node.attr in ("ceil", "floor")
        return ast.copy_location(ast.Name(node.attr, ast.Load()), node) if known else self.generic_visit(node)


class Meter:
    """Number of nodes that may still be evaluated."""

    def __init__(self):
        self.left = STEPS_MAX


class Expression:
    """A Python expression in a JSON string: a tree of KINDS, the places of its nodes, its value. `constants`: those
    of the file, by name."""

    def __init__(self, node, lines, meter, constants=None):
        self.at, self.lines, self.meter = node.at, lines, meter
        self.bytes = node.value.encode()
        text = re.sub(r"[\r\n]", " ", node.value)  # one line, with the same places
        self.start = len(text) - len(text.lstrip(" \t"))
        self.tree = self.parse(text)
        level = [self.tree]
        for _ in range(DEPTH_MAX):
            level = [child for node in level for child in ast.iter_child_nodes(node)]
        self.need(not level, self.tree, TOO_DEEP)
        self.tree = Plain(constants or {}).visit(self.tree)
        for node in ast.walk(self.tree):
            self.check(node)

    def fail_at(self, index, message, hint=None):
        """Refuses the expression at a character of the string's value."""
        line, column = self.at
        raw, end = self.lines[line - 1].encode()[column:].decode(), 0
        for _ in range(index):
            end = CHARACTER.match(raw, end).end() if raw[end] != '"' else end
        raise Refused((line, column + 1 + len(raw[:end].encode())), message, hint)

    def need(self, truth, node, message, hint=None):
        """Points at an operator between two operands, or else at the first byte of a node."""
        if truth:
            return
        if isinstance(node, ast.comprehension):
            return self.need(truth, node.iter, message, hint)
        before = node.values[0] if isinstance(node, ast.BoolOp) else next(
            (getattr(node, name) for name in ("left", "body", "value") if isinstance(getattr(node, name, None), ast.expr)),
            None)
        place = re.compile(rb"[\s)]*").match(self.bytes, self.start + before.end_col_offset).end() if before \
            else self.start + node.col_offset
        self.fail_at(len(self.bytes[:place].decode(errors="ignore")), message, hint)

    def parse(self, text):
        if max(map(len, text.split(","))) > PIECE_MAX:
            self.fail_at(0, TOO_DEEP)
        try:
            return ast.parse(text[self.start:], mode="eval").body
        except SyntaxError as error:
            index = self.start + error.offset - 1 if error.offset else len(text)  # 0: at the end
            foreign = re.compile(r"&&|\|\||[!?]").search(text, max(index - 1, 0), index + 2)
            self.fail_at(foreign.start() if foreign else min(index, len(text)),
                         TOO_DEEP if "nested" in error.msg else "this is not a Python expression: " + error.msg,
                         "the expressions of T1 are Python: and, or, not, X if C else Y" if foreign else None)
        except ValueError:  # some versions limit the digits of an integer
            self.fail_at(0, TOO_LARGE)
        except (RecursionError, MemoryError):
            self.fail_at(0, TOO_DEEP)

    def check(self, node):
        self.need(not isinstance(node, (ast.Attribute, ast.Subscript)), node, "attributes and subscripts are not supported")
        self.need(isinstance(node, KINDS) and not isinstance(node, ast.MatMult),
                  node if hasattr(node, "col_offset") else self.tree, "this part of Python is not supported")
        if isinstance(node, ast.Constant):
            self.need(type(node.value) in (bool, int, float, str), node, "expected a number, string, True or False")
            self.check_value(node, node.value)
        elif isinstance(node, ast.Compare):
            self.need(not any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops), node,
                      "'is' asks for the same object, not for equality", "write == or !=")
        elif isinstance(node, ast.Call):
            self.check(node.func)
            self.need(isinstance(node.func, ast.Name) and not node.keywords, node, "only calls like min(a, b) are supported")
        elif isinstance(node, ast.comprehension):
            self.need(isinstance(node.target, ast.Name) and not node.is_async, node, "'for' takes one variable")

    def check_value(self, node, value):
        self.need(not isinstance(value, int) or INT_MIN <= value <= INT_MAX, node, TOO_LARGE)
        self.need(not isinstance(value, complex), node, "the power is not a real number")
        self.need(not isinstance(value, float) or math.isfinite(value), node, "the result is not a finite number")
        self.need(not isinstance(value, (list, range)) or not value[ITEMS_MAX:], node, f"the list is longer than {ITEMS_MAX}")
        return value

    def spend(self, node, steps):
        self.meter.left -= steps
        self.need(self.meter.left >= 0, node, f"the values take more than {STEPS_MAX} steps to compute")

    def apply(self, node, function, *operands):
        """Returns the result of Python's function; its errors become the file's."""
        self.spend(node, sum(len(value) for value in operands if isinstance(value, (list, range))))
        try:
            return self.check_value(node, function(*operands))
        except ZeroDivisionError:
            return self.need(False, node, "division by zero")
        except OverflowError:
            return self.need(False, node, "the result is not a finite number")
        except (TypeError, ValueError) as error:
            return self.need(False, node, str(error))

    def binary(self, node, kind, a, b):
        joined = kind is ast.Add and isinstance(a, list) and isinstance(b, list)
        self.need(joined or isinstance(a, (int, float)) and isinstance(b, (int, float)), node,
                  f"the operator does not take {type(a).__name__} and {type(b).__name__}",
                  "write list(range(...))" if range in (type(a), type(b)) else None)
        if kind in (ast.Pow, ast.LShift) and isinstance(a, int) and isinstance(b, int):  # refuse too large results without computing them
            self.need(b < 64 or a in ((-1, 0, 1) if kind is ast.Pow else (0,)), node, TOO_LARGE)
        return self.apply(node, OPERATORS[kind], a, b)

    def value(self, node, scope):
        """Returns the value of a node as in Python, except that integers have at most 64 bits; `scope`: the names."""
        self.spend(node, 1)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            self.need(node.id in scope, node, f"unknown name '{node.id:.64}'")
            return scope[node.id]
        if isinstance(node, ast.UnaryOp):
            return self.apply(node, OPERATORS[type(node.op)], self.value(node.operand, scope))
        if isinstance(node, ast.BinOp):
            return self.binary(node, type(node.op), self.value(node.left, scope), self.value(node.right, scope))
        if isinstance(node, ast.BoolOp):
            for child in node.values:
                value = self.value(child, scope)
                if bool(value) == isinstance(node.op, ast.Or):
                    break
            return value
        if isinstance(node, ast.Compare):
            return self.compare(node, scope)
        if isinstance(node, ast.IfExp):
            return self.value(node.body if self.value(node.test, scope) else node.orelse, scope)
        if isinstance(node, LISTS):
            return [self.value(item, scope) for item in node.elts]
        return self.call(node, scope) if isinstance(node, ast.Call) else list(self.comprehend(node, 0, scope))

    def compare(self, node, scope):
        a = self.value(node.left, scope)
        for op, right in zip(node.ops, node.comparators):
            b = self.value(right, scope)
            self.need(not isinstance(op, (ast.In, ast.NotIn)) or isinstance(b, (list, range)), node,
                      f"'in' needs a list, not a {type(b).__name__}")
            if not self.apply(node, OPERATORS[type(op)], a, b):
                return False
            a = b
        return True

    def comprehend(self, node, level, scope):
        """Returns the items of a comprehension, from clause number `level` on."""
        if level == len(node.generators):
            yield self.value(node.elt, scope)
            return
        clause = node.generators[level]
        items = self.value(clause.iter, scope)
        self.need(isinstance(items, (list, range)), clause, f"'for' runs over a list, not over a {type(items).__name__}")
        for item in items:
            self.spend(clause, 1)
            own = dict(scope, **{clause.target.id: item})
            if all(self.value(test, own) for test in clause.ifs):
                yield from self.comprehend(node, level + 1, own)

    def call(self, node, scope):
        name = node.func.id
        self.need(name in FUNCTIONS, node, f"unknown function {name:.64}",
                  "the functions are " + " ".join(FUNCTIONS))
        function, least, most = FUNCTIONS[name]
        self.need(least <= len(node.args) <= most, node, f"{name} takes {least} to {most} arguments, not {len(node.args)}")
        arguments = [self.value(argument, scope) for argument in node.args]
        return self.binary(node, ast.Pow, *arguments) if name == "pow" else self.apply(node, function, *arguments)
