"""Translates conditions from Python to the space language where both give the same results."""
import ast
import collections
import difflib
import itertools

from expression import COMPREHENSIONS, INT_MAX, INT_MIN, LISTS, OPERATORS, TOO_LARGE, Expression, Refused

CONDITION_MAX = 1 << 14  # limit on the characters of a translated condition, which repeated operands can make long
MEMBERS_MAX = 256  # limit on a list after `in`
POWER_MAX = 16  # largest constant exponent of a power that becomes a product
EXACT = 1 << 53  # floats are exact for integers up to this

# ---- Facts about the values of a condition's nodes -------------------------------------------------------------------


class Fact(collections.namedtuple("Fact", "kinds low high truth whole", defaults=(None, None, False, False))):
    """`kinds`: those of int, float and str that occur. Bounds of the integers are low and high, None if unknown.
    With truth, only 0 and 1 occur. With whole, Python makes the
    quotient a float, which is a whole number for all values. An operator
    that differs between Python and the space language may still agree for all values that occur."""
    number = property(lambda self: bool(self.kinds) and str not in self.kinds)
    integer = property(lambda self: self.kinds == {int})
    natural = property(lambda self: self.integer and self.low is not None and self.low >= 0)
    constant = property(lambda self: self.integer and self.low is not None and self.low == self.high)
    exact = property(lambda self: int not in self.kinds or self.low is not None and max(-self.low, self.high) <= EXACT)


REAL, TRUTH, UNKNOWN = Fact({float}), Fact({int}, 0, 1, True), Fact({int})


def span(low, high):
    return Fact({int}, low, high) if INT_MIN <= low and high <= INT_MAX else UNKNOWN


def fact_of_value(value):
    return Fact({int}, int(value), int(value), isinstance(value, bool)) if isinstance(value, int) else Fact({type(value)})


def join(facts):
    """Combines the facts of a value that has one fact or the other."""
    integers = [fact for fact in facts if int in fact.kinds]
    known = integers and all(fact.low is not None for fact in integers)
    return Fact(set().union(*(fact.kinds for fact in facts)), min(fact.low for fact in integers) if known else None,
                max(fact.high for fact in integers) if known else None, all(fact.truth for fact in facts),
                any(fact.whole for fact in facts))


def fact_of_integers(kind, a, b):
    if b.low is not None and kind is ast.Mod:  # whatever the value of `a`
        most = max(-b.low, b.high, 1) - 1
        return span(0 if b.low >= 0 else -most, most)
    if a.low is None or b.low is None:
        return UNKNOWN
    if kind in (ast.Add, ast.Sub, ast.Mult):  # monotonic in each operand: the corners decide
        corners = [OPERATORS[kind](x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        return span(min(corners), max(corners))
    most, natural = max(-a.low, a.high), a.low >= 0 and b.low >= 0
    if kind is ast.Pow:
        most, natural = max(most, 1) ** b.high if 0 <= b.low and b.high < 64 else INT_MAX + 1, (
            a.low >= 0 or b.low == b.high and b.low % 2 == 0)
    elif kind is ast.BitAnd and natural:
        most = min(a.high, b.high)
    elif kind in (ast.BitOr, ast.BitXor) and natural:
        most = (1 << max(a.high, b.high).bit_length()) - 1
    elif kind is ast.LShift and natural and b.high < 63:
        most = a.high << b.high
    elif kind is not ast.FloorDiv and not (kind is ast.RShift and natural):
        return UNKNOWN
    return span(0 if natural else -most, most)


# ---- Conditions in the space language --------------------------------------------------------------------------------

# How tightly an operator of the space language binds; the precedence is C's.
(BIND_NONE, BIND_OR, BIND_AND, BIND_BIT_OR, BIND_BIT_XOR, BIND_BIT_AND, BIND_EQUALITY, BIND_ORDER, BIND_SHIFT, BIND_SUM,
 BIND_PRODUCT, BIND_SIGN, BIND_VALUE) = range(13)
SIGNS = {ast.BitOr: ("|", BIND_BIT_OR), ast.BitXor: ("^", BIND_BIT_XOR), ast.BitAnd: ("&", BIND_BIT_AND),
         ast.LShift: ("<<", BIND_SHIFT), ast.RShift: (">>", BIND_SHIFT), ast.Add: ("+", BIND_SUM),
         ast.Sub: ("-", BIND_SUM), ast.Mult: ("*", BIND_PRODUCT), ast.Div: ("/", BIND_PRODUCT),
         ast.FloorDiv: ("/", BIND_PRODUCT), ast.Mod: ("%", BIND_PRODUCT)}
BITS = (ast.BitOr, ast.BitXor, ast.BitAnd, ast.LShift, ast.RShift)
ORDERS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def enclose(text, bind, need_bind):
    """Adds parentheses if the outermost operator binds as `bind` and the surrounding one needs `need_bind`."""
    return "(" + text + ")" if bind < need_bind else text


# Operands of these operators are in parentheses, because the space language refuses expressions that people may read in
# another way than C.
BIND_CLEAR = BIND_SHIFT  # for operands of comparisons and of bits
CONNECTED = (ast.Compare, ast.BoolOp)


def value_text(value):
    if not isinstance(value, float):
        return value if isinstance(value, str) else str(int(value))
    text = next(text for text in (f"{value:.{digits}g}" for digits in range(6, 18)) if float(text) == value)
    return text if "." in text or "e" in text else text + ".0"


class Condition(Expression):
    """Writes a condition that is true for exactly those values of the parameters as Python's, or a number with
    Python's value. `parameters`: name -> values."""

    def __init__(self, node, lines, meter, parameters, proofs, constants=None):
        super().__init__(node, lines, meter, constants)
        self.parameters, self.proofs, self.facts = parameters, proofs, {}

    def translate(self):
        self.check_names(self.tree)  # first: an unknown name makes all other errors meaningless
        return self.logical([self.tree], "", BIND_NONE)

    def number(self, bind, whole):
        """Writes the condition as an operand of an operator that needs at least the binding `bind`; `whole`: as an
        integer."""
        self.check_names(self.tree)
        fact = self.fact(self.tree)
        self.need(fact.number, self.tree, "a number is needed here")
        self.need(fact.integer or not whole, self.tree, "the number may be a fraction, and an integer is needed here",
                  "in Python, / may give a fraction; // rounds down")
        return self.write(self.tree, bind)

    def check_names(self, node):
        if isinstance(node, COMPREHENSIONS):  # these define variables of their own
            return
        if isinstance(node, ast.Name) and node.id not in self.parameters:
            near = difflib.get_close_matches(node.id, self.parameters, 1)
            self.need(False, node, f"there is no parameter '{node.id:.64}'", f"did you mean '{near[0]}'?" if near else None)
        for child in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
            self.check_names(child)

    def fact(self, node):
        if node not in self.facts:
            self.facts[node] = self.find_fact(node)
        return self.facts[node]

    def find_fact(self, node):
        if isinstance(node, ast.Constant):
            return fact_of_value(node.value)
        if isinstance(node, ast.Name):
            return join([fact_of_value(value) for value in self.parameters[node.id]])
        if isinstance(node, ast.Compare) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return TRUTH
        if isinstance(node, ast.UnaryOp):
            a = self.fact(node.operand)
            if int in a.kinds and not isinstance(node.op, ast.UAdd):
                bounds = fact_of_integers(ast.Sub, span(*[-isinstance(node.op, ast.Invert)] * 2), a)
                a = a._replace(low=bounds.low, high=bounds.high)
            return a._replace(truth=False)
        if isinstance(node, ast.BinOp):
            a, b = self.fact(node.left), self.fact(node.right)
            if isinstance(node.op, ast.Div):
                return self.quotient(node, a, b)
            if not a.integer or not b.integer:
                return Fact(a.kinds & b.kinds & {int} | {float})
            return fact_of_integers(type(node.op), a, b)._replace(whole=a.whole or b.whole)
        if isinstance(node, ast.BoolOp):
            return join([self.fact(child) for child in node.values])
        if isinstance(node, ast.IfExp):
            return join([self.fact(node.body), self.fact(node.orelse)])
        return self.fact_of_call(node) if isinstance(node, ast.Call) else Fact(set())

    def fact_of_call(self, node):
        name, facts = node.func.id, [self.fact(argument) for argument in node.args]
        if name in ("bool", "float"):
            return TRUTH if name == "bool" else REAL
        if name == "int" and facts:
            return facts[0] if facts[0].integer else UNKNOWN
        if name == "abs" and facts:
            a = facts[0]._replace(truth=False)
            return a if a.low is None or a.low >= 0 else a._replace(low=max(-a.high, 0), high=max(-a.low, a.high))
        if name in ("ceil", "floor") and facts:
            a, b = self.operands(node.args[0])
            return facts[0] if facts[0].integer else span(0, a.high) if a.natural and b.natural else UNKNOWN
        if name not in ("min", "max") or len(facts) < 2:
            return Fact({int, float})
        both, function = join(facts), min if name == "min" else max
        if both.low is not None and both.integer:
            both = both._replace(low=function(fact.low for fact in facts), high=function(fact.high for fact in facts))
        return both

    def operands(self, node):
        """The facts of a quotient's operands."""
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            return UNKNOWN, UNKNOWN
        return self.fact(node.left), self.fact(node.right)

    def quotient(self, node, a, b):
        """Python's division gives a float, which is exact for integers up to 2^53 if the quotient is whole. Tries
        all combinations of the parameters in it."""
        nodes, low, high = list(ast.walk(node)), None, None
        if not (a.integer and b.integer and a.exact and b.exact) or any(isinstance(child, COMPREHENSIONS) for child in nodes):
            return REAL
        names = sorted({child.id for child in nodes if isinstance(child, ast.Name)} & set(self.parameters))
        meter, self.meter = self.meter, self.proofs
        try:
            for values in itertools.product(*(self.parameters[name] for name in names)):
                scope = dict(zip(names, values))
                x, y = self.value(node.left, scope), self.value(node.right, scope)
                if isinstance(x, float) or isinstance(y, float) or y == -1 or y and x % y:
                    return REAL
                if y:  # without a value in both languages when dividing by zero
                    low, high = (x // y, x // y) if low is None else (min(low, x // y), max(high, x // y))
        except Refused:  # no value, or too much work
            return REAL
        finally:
            self.meter = meter
        return REAL if low is None else span(low, high)._replace(whole=True)

    # ---- Writing: each node as an operand of an operator that needs at least the binding `bind` ----

    def write(self, node, bind, truth=False):
        """Writes a node; as a truth value, it may be any number that is 0 when the node is."""
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Constant):
            return self.write_value(node, node.value, bind, truth)
        method = {ast.UnaryOp: self.unary, ast.BinOp: self.arithmetic, ast.BoolOp: self.junction, ast.IfExp: self.choice,
                  ast.Compare: self.comparison, ast.Call: self.function}.get(type(node))
        self.need(method, node, "a list is allowed only after 'in', and in min, max, all and any")
        text = method(node, bind, truth)
        self.need(len(text) <= CONDITION_MAX, node, "the translated condition is too long")
        return text

    def write_value(self, node, value, bind, truth=False):
        if truth and isinstance(value, (int, float)):
            return "1" if value else "0"
        self.need(not isinstance(value, (list, range)), node, "a list stands where a number is needed")
        if isinstance(value, str):
            self.need(any(value in values for values in self.parameters.values()), node,
                      f"'{value:.64}' is not a value of any parameter")
            return value
        self.need(isinstance(value, float) or value != INT_MIN, node, TOO_LARGE)
        return enclose(value_text(value), BIND_SIGN if value < 0 else BIND_VALUE, bind)

    def unary(self, node, bind, truth):
        child, a, sign = node.operand, self.fact(node.operand), {ast.USub: "-", ast.Invert: "~"}.get(type(node.op))
        if isinstance(node.op, ast.Not):
            return enclose("!" + self.logical([child], "", BIND_VALUE), BIND_EQUALITY, bind)
        self.need(a.number, node, "the sign needs a number")
        self.need(sign != "~" or a.integer and not a.whole, node, "the operator takes integers only")
        if sign == "~" and a.truth:
            return enclose(f"-1 - {self.write(child, BIND_PRODUCT)}", BIND_SUM, bind)
        if not sign or truth and sign == "-" and isinstance(child, ast.Constant):
            return self.write(child, bind, truth)
        return enclose(sign + self.write(child, BIND_VALUE), BIND_SIGN, bind)

    def arithmetic(self, node, bind, truth):
        """Python and C differ in floor division, remainders of negative numbers and true division. Facts about the
        values decide between the plain operator, another expression, and an error."""
        kind, a, b, result = type(node.op), self.fact(node.left), self.fact(node.right), self.fact(node)
        self.need(a.number and b.number, node, "the operator takes numbers only")
        self.need(not result.whole or result.exact, node, "the result may be too large for an exact float")
        if kind is ast.Pow:
            return self.power(node, bind)
        if kind is ast.Div and not result.whole:
            return self.true_division(node, bind)
        self.need(kind in (ast.Add, ast.Sub, ast.Mult, ast.Div) or a.integer and b.integer, node,
                  "the operator cannot be translated for a number that may be a fraction",
                  "in Python, / may give a fraction; // rounds down")
        self.need(kind not in BITS or not (a.whole or b.whole), node,
                  "the operator takes integers only, and Python's / gives a float")
        self.need(kind is not ast.RShift or b.natural and b.high < 64, node, "the shift may exceed 63 bits")
        natural = a.natural and b.natural
        if kind is ast.FloorDiv and not natural:  # the number without its remainder divides evenly
            return enclose(f"({self.write(node.left, BIND_SUM)} - {self.remainder(node, BIND_PRODUCT)})"
                           f" / {self.write(node.right, BIND_SIGN)}", BIND_PRODUCT, bind)
        if kind is ast.Mod and not natural and not truth:  # it is 0 in both languages or in neither
            return self.remainder(node, bind)
        return self.plain(node, bind)

    def plain(self, node, bind):
        """Writes the operator with the same meaning; all are left-associative."""
        sign, own = SIGNS[type(node.op)]
        needed = [own, own + 1]
        for index, child in enumerate((node.left, node.right)):
            if own == BIND_SHIFT:
                needed[index] = BIND_PRODUCT
            elif own < BIND_SHIFT and not isinstance(child, ast.BinOp):
                needed[index] = BIND_CLEAR
        left, right = self.write(node.left, needed[0]), self.write(node.right, needed[1])
        if sign == "^" or sign == "/" and left.isdigit() and right.isdigit():  # neither a power nor a forgotten fraction
            left, right = (f"({text})" if text in ("2", "3", "10") or sign == "/" else text for text in (left, right))
        return enclose(f"{left} {sign} {right}", own, bind)

    def remainder(self, node, bind):
        """Writes a remainder with the sign of the divisor."""
        a, b, divisor = (self.write(*operand) for operand in ((node.left, BIND_PRODUCT), (node.right, BIND_PRODUCT),
                                                              (node.right, BIND_SIGN)))
        return enclose(f"({a} % {divisor} + {b}) % {divisor}", BIND_PRODUCT, bind)

    def true_division(self, node, bind):
        a, b = self.fact(node.left), self.fact(node.right)
        self.need(a.exact and b.exact, node, "the divided numbers may be too large for a float")
        both = int in a.kinds and int in b.kinds
        left = "1.0 * " + self.write(node.left, BIND_SIGN) if both else self.write(node.left, BIND_PRODUCT)
        return enclose(f"{left} / {self.write(node.right, BIND_SIGN)}", BIND_PRODUCT, bind)

    def power(self, node, bind):
        base, exponent = self.fact(node.left), self.fact(node.right)
        possible = base.integer and exponent.natural and not base.whole and not exponent.whole
        if possible and base.constant and base.low == 2 and exponent.high < 63 and not exponent.constant:
            return enclose("1 << " + self.write(node.right, BIND_PRODUCT), BIND_SHIFT, bind)
        self.need(possible and exponent.constant and exponent.high <= POWER_MAX, node, "the power cannot be translated",
                  f"use an integer with a constant exponent of 0 to {POWER_MAX}, or 2 with an exponent of 0 to 62")
        if exponent.high < 2:
            return self.write(node.left, bind) if exponent.high else "1"
        factors = [self.write(node.left, BIND_PRODUCT)] + [self.write(node.left, BIND_SIGN)] * (exponent.high - 1)
        return enclose(" * ".join(factors), BIND_PRODUCT, bind)

    def comparison(self, node, bind, _):
        pairs = list(zip([node.left] + node.comparators, node.ops, node.comparators))
        texts = [(self.membership if isinstance(op, (ast.In, ast.NotIn)) else self.pair)(
            node, type(op), a, b, BIND_AND if len(pairs) > 1 else bind) for a, op, b in pairs]
        return enclose(" && ".join(texts), BIND_AND, bind) if len(texts) > 1 else texts[0]

    def pair(self, node, kind, a, b, bind):
        equality = kind in (ast.Eq, ast.NotEq)
        own, texts = BIND_EQUALITY if equality else BIND_ORDER, []
        for one, other in ((a, b), (b, a)):
            fact = self.fact(one)
            self.need(fact.kinds, node, "a list cannot be compared")
            self.need(equality or str not in fact.kinds, node, "strings have no order here: only == and != compare them")
            self.need(fact.exact or float not in self.fact(other).kinds, node,
                      "an integer that may be too large for a float is compared with a float")
        for one, other in ((a, b), (b, a)):
            zero = isinstance(other, ast.Constant) and isinstance(other.value, int) and other.value == 0
            rest = isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mod)
            texts.append(self.write(one, BIND_CLEAR, equality and zero and rest))
        return enclose(f" {ORDERS[kind]} ".join(texts), own, bind)

    def membership(self, node, kind, a, members, bind):
        few, inside = 4, kind is ast.In
        items = members.elts if isinstance(members, LISTS) else self.value(members, {})
        self.need(isinstance(items, (list, range)), members, "'in' needs a list")
        if isinstance(items, range) and len(items) > few and self.fact(a).integer:
            return self.range_test(a, items, inside, bind)
        self.need(len(items) <= MEMBERS_MAX, members, f"the list after 'in' has more than {MEMBERS_MAX} members")
        if not items:
            return "0" if inside else "1"
        if not isinstance(members, LISTS):
            items = [ast.copy_location(ast.Constant(value), members) for value in items]
        own = BIND_EQUALITY if len(items) == 1 else BIND_OR if inside else BIND_AND
        texts = [self.pair(node, ast.Eq if inside else ast.NotEq, a, item, BIND_EQUALITY) for item in items]
        return enclose((" || " if inside else " && ").join(texts), own, bind)

    def range_test(self, a, items, inside, bind):
        """Tests an integer for a long range by its bounds."""
        low, high, step = min(items[0], items[-1]), max(items[0], items[-1]), abs(items.step)
        text = self.write(a, BIND_SHIFT)
        texts = [f"{text} {'>=' if inside else '<'} {low}", f"{text} {'<=' if inside else '>'} {high}"]
        if step != 1:
            texts.append(f"({self.write(a, BIND_SUM)} - {enclose(str(low), low, 0)}) % {step} {'==' if inside else '!='} 0")
        return enclose((" && " if inside else " || ").join(texts), BIND_AND if inside else BIND_OR, bind)

    def logical(self, nodes, sign, bind):
        """Joins truth values by && or ||."""
        own = BIND_AND if sign == "&&" else BIND_OR
        for node in nodes:
            self.need(str not in self.fact(node).kinds, node, "a string stands where a condition is needed")
            self.need(self.fact(node).kinds, node, "a list stands where a condition is needed")
        if len(nodes) == 1:
            return self.write(nodes[0], bind, True)
        return enclose(f" {sign} ".join(self.write(node, own, True) for node in nodes), own, bind)

    def junction(self, node, bind, truth):
        conjunction = isinstance(node.op, ast.And)
        if truth or self.fact(node).truth:
            return self.logical(node.values, "&&" if conjunction else "||", bind)
        text = self.write(node.values[-1], BIND_CLEAR)
        for child in node.values[-2::-1]:  # `a and b` as a value is (a ? b : a), `a or b` is (a ? a : b)
            test, value = self.test(child), self.write(child, BIND_CLEAR)
            text = f"({test} ? {text} : {value})" if conjunction else f"({test} ? {value} : {text})"
            self.need(len(text) <= CONDITION_MAX, node, "the translated condition is too long")
        return text

    def test(self, node):
        """Writes the condition of a choice."""
        connected = isinstance(node, CONNECTED) or isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        return self.logical([node], "", BIND_OR if connected else BIND_SIGN)

    def choice(self, node, bind, truth):
        test, body = self.test(node.test), self.write(node.body, BIND_OR, truth)
        last = self.write(node.orelse, BIND_NONE if isinstance(node.orelse, ast.IfExp) else BIND_CLEAR, truth)
        return enclose(f"{test} ? {body} : {last}", BIND_NONE - 1, bind - 1)

    def function(self, node, bind, truth):
        name, items = node.func.id, node.args
        listed = len(items) == 1 and isinstance(items[0], LISTS)
        names = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)} & set(self.parameters)
        if name in ("all", "any") and listed and items[0].elts:
            return self.logical(items[0].elts, "&&" if name == "all" else "||", bind)
        if name not in ("all", "any") and not names:
            return self.write_value(node, self.value(node, {}), bind, truth)
        if name in ("min", "max"):
            return self.extreme(node, items[0].elts if listed else items, listed, bind)
        self.need(name in ("abs", "int", "float", "bool", "ceil", "floor") and len(items) == 1, node,
                  f"{name:.64}(...) cannot be translated here",
                  "functions of parameters are min max abs int float bool ceil floor; all and any take a list")
        return self.rounded(node, items[0], bind) if name in ("ceil", "floor") else self.of_one(node, items[0], bind)

    def rounded(self, node, child, bind):
        """Writes ceil or floor of an integer or of a quotient of natural numbers."""
        a, b = self.operands(child)
        if self.fact(child).integer:
            return self.write(child, bind)
        self.need(a.natural and b.natural and a.exact and b.exact, node,
                  f"{node.func.id} can only be translated for a quotient of two integers that are not negative")
        if node.func.id == "floor":
            return self.plain(child, bind)
        return f"ceildiv({self.write(child.left, BIND_NONE)}, {self.write(child.right, BIND_NONE)})"

    def extreme(self, node, items, listed, bind):
        if len(items) == 1 and listed:
            return self.write(items[0], bind)
        self.need(len(items) > 1, node, "expected a list of two numbers or more")
        for item in items:
            self.need(self.fact(item).number, item, "expected a number")
        return f"{node.func.id}({', '.join(self.write(item, BIND_NONE) for item in items)})"

    def of_one(self, node, child, bind):
        name, fact = node.func.id, self.fact(child)
        self.need(fact.number, node, "the function takes a number")
        if name == "abs":
            return f"abs({self.write(child, BIND_NONE)})"
        if name == "bool":
            return enclose(self.write(child, BIND_CLEAR, True) + " != 0", BIND_EQUALITY, bind)
        if name == "float":
            self.need(fact.exact, node, "the integer may be too large for a float")
            return enclose("1.0 * " + self.write(child, BIND_SIGN), BIND_PRODUCT, bind)
        if fact.integer:
            return self.write(child, bind)
        quotient = isinstance(child, ast.BinOp) and isinstance(child.op, ast.Div) and all(
            side.integer and side.exact for side in (self.fact(child.left), self.fact(child.right)))
        self.need(quotient, node, "int of a fraction can only be translated for a quotient of two integers: int(a / b)")
        return self.plain(child, bind)  # a division of integers rounds towards 0, too
