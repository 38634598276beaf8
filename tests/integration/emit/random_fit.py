"""Random fits over sizes: their text as a row of the database has it, and what they choose, written down again after
docs/database.md."""
import math

MOST, LEAST = 2**63 - 1, -2**63
FEATURES = {"size": 1, "volume": 0, "product": 2, "ratio": 2, "remainder": 1, "alignment": 2, "waves": 1, "waves2": 2, "l2": 0}
NUMBERED = {"remainder": (2, 256), "alignment": (8, 8), "waves": (1, 256), "waves2": (16, 256)}


def saturated(number):
    return max(LEAST, min(MOST, number))


def quotient(a, b):
    if b == 0:
        return LEAST if a < 0 else MOST
    return saturated(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def remainder(a, b):
    return 0 if b in (0, -1) else a - quotient(a, b) * b


def ceildiv(a, b):
    return saturated(quotient(a, b) + (remainder(a, b) != 0 and (a > 0) == (b > 0)))


def shift_left(a, b):
    return a if b < 0 else saturated(a << min(b, 63))


def shift_right(a, b):
    return a if b < 0 else a >> min(b, 64)


def gcd(a, b):
    return saturated(math.gcd(a, b))


OPERATORS = {
    "<<": shift_left, ">>": shift_right, "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "gcd": gcd,
    "lcm": lambda a, b: saturated(math.lcm(a, b)),
    "+": lambda a, b: saturated(a + b), "-": lambda a, b: saturated(a - b), "*": lambda a, b: saturated(a * b),
    "/": quotient, "%": remainder, "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b), "&&": lambda a, b: int(a != 0 and b != 0),
    "||": lambda a, b: int(a != 0 or b != 0), "min": min, "max": max, "ceildiv": ceildiv}


def random_condition(random_, sizes, depth):
    """As nested tuples."""
    if depth == 0 or random_.random() < 0.15:
        if random_.random() < 0.6:
            return random_.choice(sizes)
        return random_.choice((0, 1, 2, 4, 32, 100, 65535, 1 << 20, -1, MOST, LEAST, 3037000500))
    kind = random_.random()
    if kind < 0.08:
        return ("!", random_condition(random_, sizes, depth - 1))
    if kind < 0.18:
        return ("?",) + tuple(random_condition(random_, sizes, depth - 1) for _ in range(3))
    return (random_.choice(sorted(OPERATORS)),) + tuple(random_condition(random_, sizes, depth - 1) for _ in range(2))


def condition_text(condition):
    if not isinstance(condition, tuple):
        return str(condition)
    texts = [condition_text(operand) for operand in condition[1:]]
    if condition[0] == "!":
        return "!" + texts[0]
    if condition[0] == "?":
        return "(%s ? %s : %s)" % tuple(texts)
    return ("%s(%s, %s)" if condition[0].isalnum() else "(%s %s %s)") % (
        (condition[0], *texts) if condition[0].isalnum() else (texts[0], condition[0], texts[1]))


def condition_value(condition, sizes):
    if not isinstance(condition, tuple):
        return sizes[condition] if isinstance(condition, str) else condition
    values = [condition_value(operand, sizes) for operand in condition[1:]]
    if condition[0] == "!":
        return int(not values[0])
    if condition[0] == "?":
        return values[1] if values[0] else values[2]
    return OPERATORS[condition[0]](*values)


class Fit:
    def __init__(self, random_, sizes, configurations):
        self.sizes = list(sizes)
        random_.shuffle(self.sizes)  # need not be the order of the region
        self.range = {name: (random_.choice((1, 64)), random_.choice((1024, 16384, 1 << 34))) for name in self.sizes}
        self.takes = [(configuration, random_condition(random_, self.sizes, random_.randint(1, 3))
                       if random_.random() < 0.6 else None) for configuration in configurations]
        self.blocks = {}  # by number of the configuration
        self.tree = self.random_tree(random_, random_.randint(0, 5))

    def random_tree(self, random_, depth):
        if depth == 0 or random_.random() < 0.1:
            return random_.sample(range(len(self.takes)), len(self.takes))
        if random_.random() < 0.3:
            pair = [random_.randrange(len(self.takes)) for _ in range(2)]
            for number in pair:
                self.blocks.setdefault(number, random_condition(random_, self.sizes, 3))
            return (["relative_waves", *pair], random_.choice((0, 50, 99, 100, 150, 2**40)),
                    self.random_tree(random_, depth - 1), self.random_tree(random_, depth - 1))
        feature = random_.choice(sorted(name for name, sizes in FEATURES.items() if sizes <= len(self.sizes)))
        words = [feature] + [random_.choice(self.sizes) for _ in range(FEATURES[feature])]
        if feature in NUMBERED:
            least, most = NUMBERED[feature]
            words.append(random_.choice([n for n in (1, 2, 4, 8, 16, 32, 256) if least <= n <= most]))
        most = random_.choice((0, 1, 7, 16, 31, 100, 1000, 5000, 1 << 20, 1 << 36, MOST))
        return (words, most, self.random_tree(random_, depth - 1), self.random_tree(random_, depth - 1))

    def region(self):
        return " ".join("%s=%d..%d" % (name, *self.range[name]) for name in sorted(self.range))

    def text(self):
        words = ["fit %d;" % (2 if self.blocks else 1)] + ["size %s %d %d;" % (name, *self.range[name]) for name in self.sizes]
        for configuration, condition in self.takes:
            where = "" if condition is None else " where " + condition_text(condition)
            words.append("take %s%s;" % (configuration, where))
        words += ["blocks %d %s;" % (number, condition_text(self.blocks[number])) for number in sorted(self.blocks)]
        return " ".join(words + self.tree_text(self.tree))

    def tree_text(self, tree):
        if isinstance(tree, list):
            return ["order %s;" % " ".join(map(str, tree))]
        words, most, low, high = tree
        return ["if %s <= %d;" % (" ".join(map(str, words)), most)] + self.tree_text(low) + self.tree_text(high)

    def feature(self, words, sizes, sm_count, l2_bytes):
        if words[0] == "relative_waves":
            a, b = (ceildiv(condition_value(self.blocks[number], sizes), sm_count) for number in words[1:])
            return quotient(saturated(a * 100), b)
        a = sizes[words[1]] if FEATURES[words[0]] > 0 else 0
        b = sizes[words[2]] if FEATURES[words[0]] > 1 else 0
        by, all_ = words[-1], 1
        for name in self.sizes:
            all_ = saturated(all_ * sizes[name])
        if words[0] in ("size", "remainder"):
            return a if words[0] == "size" else remainder(a, by)
        if words[0] == "product":
            return saturated(a * b)
        if words[0] == "ratio":
            return quotient(saturated(a * 16), b)
        if words[0] == "alignment":
            return math.gcd(a, b, by)
        if words[0] == "waves":
            return ceildiv(ceildiv(a, by), sm_count)
        if words[0] == "waves2":
            return ceildiv(saturated(ceildiv(a, by) * ceildiv(b, by)), sm_count)
        return all_ if words[0] == "volume" else quotient(all_, l2_bytes // 1024)

    def choose(self, sizes, sm_count, l2_bytes, allows=lambda number: True):
        """The configuration for sizes by name, or None. `allows`: whether one may be chosen, by its number."""
        tree = self.tree
        while not isinstance(tree, list):
            tree = tree[2 if self.feature(tree[0], sizes, sm_count, l2_bytes) <= tree[1] else 3]
        for number in tree:
            configuration, condition = self.takes[number]
            if allows(number) and (condition is None or condition_value(condition, sizes)):
                return configuration
        return None

    def extrapolates(self, sizes):
        return any(not self.range[name][0] <= sizes[name] <= self.range[name][1] for name in self.sizes)


SHARED_LIMIT = {70: 98304, 72: 98304, 75: 65536, 80: 166912, 86: 101376, 87: 166912, 89: 101376, 90: 232448, 100: 232448,
                103: 232448, 110: 232448, 120: 101376, 121: 101376}


class Requirement:
    """Where a configuration is valid: conditions on sizes and limits of the device, by docs/database.md."""
    def __init__(self, random_, sizes):
        self.parts = []  # text, names of limits, whether it names a size, and what it asks
        kinds = [self.of_cc, self.of_shared, self.of_multiprocessors]
        kinds += [self.of_size, self.of_both] if sizes else []
        for kind in random_.sample(kinds, random_.randint(0, 3)):
            self.parts.append(kind(random_, sizes))

    @staticmethod
    def of_cc(random_, _):
        least = random_.choice((80, 87, 90))
        return "(cc >= %d)" % least, ("cc",), False, lambda sizes, limits: limits["cc"] >= least

    @staticmethod
    def of_shared(random_, _):
        bytes_ = random_.choice((100000, 150000, 200000))
        return "(%d <= shared_limit)" % bytes_, ("shared_limit",), False, lambda sizes, limits: bytes_ <= limits["shared_limit"]

    @staticmethod
    def of_multiprocessors(random_, _):
        least = random_.choice((60, 110))
        return "(sm_count >= %d)" % least, ("sm_count",), False, lambda sizes, limits: limits["sm_count"] >= least

    @staticmethod
    def of_size(random_, sizes):
        size, by = random_.choice(sizes), random_.choice((2, 4))
        return "((%s %% %d) == 0)" % (size, by), (), True, lambda values, limits: remainder(values[size], by) == 0

    @staticmethod
    def of_both(random_, sizes):
        size = random_.choice(sizes)
        return ("(ceildiv(%s, 64) <= (sm_count * 8))" % size, ("sm_count",), True,
                lambda values, limits: ceildiv(values[size], 64) <= 8 * limits["sm_count"])

    def text(self):
        texts = [part[0] for part in self.parts] or ["1"]
        while len(texts) > 1:
            texts[-2:] = ["(%s && %s)" % tuple(texts[-2:])]
        return texts[0]

    def allows(self, device, own, sizes):
        """`device`: compute capability, multiprocessors; those of the row for 0 if `own`."""
        cc, sm_count = (asked or (recorded if own else 0) for asked, recorded in zip(device, own or (0, 0)))
        limits = {"cc": cc or None, "sm_count": sm_count or None, "shared_limit": SHARED_LIMIT.get(cc)}
        for sized in (False, True):
            parts = [part for part in self.parts if part[2] == sized]
            if own and not sized:
                continue
            if any(limits[name] is None for part in parts for name in part[1]):
                return bool(own)
            if not all(part[3](sizes, limits) for part in parts):
                return False
        return True
