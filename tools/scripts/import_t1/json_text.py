"""JSON with the places of its values."""
import ast
import collections
import json
import math
import re

from expression import Refused, need


class Pairs(list):
    """Members of an object: (name, value) of json, then (name, place of the name, Node)."""


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
