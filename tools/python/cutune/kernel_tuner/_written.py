"""Which arrays a kernel only reads, as far as its text tells."""

from __future__ import annotations

import re

from .._source import _matching, _without_comments, signature

_ASSIGNS = re.compile(r"\s*(?:\.\w+\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)")

_DECLARES = re.compile(r"[\w>]\s*[*&](?:[\s*]|__restrict__|__restrict|const)*\Z")


def _reads(text: str, start: int, end: int) -> bool:
    """True if the name at these places is read as NAME[...], and nothing else happens to it."""
    before = text[:start].rstrip()
    if before.endswith(("&", "++", "--", ".", "->")) and not before.endswith("&&"):
        return False
    rest = re.match(r"\s*\[", text[end:])
    if not rest:
        return False
    close = _matching(text, end + rest.end() - 1)
    return close >= 0 and not _ASSIGNS.match(text, close + 1) and not re.match(r"\s*\[", text[close + 1 :])


def only_read(source: str, kernel: str) -> set[str]:
    """The pointers among a kernel's parameters of which the source reads elements, and does nothing else with the name.

    >>> sorted(only_read("__global__ void f(float *a, float *b, float *c) { a[0] = b[1] + b[2]; g(c); }", "f"))
    ['b']
    """
    text = _without_comments(source)
    found = set()
    for parameter in signature(source, kernel):
        places = list(re.finditer(rf"\b{re.escape(parameter.name)}\b", text))
        uses = [place for place in places if not _DECLARES.search(text, 0, place.start())]
        if parameter.pointer and uses and all(_reads(text, place.start(), place.end()) for place in uses):
            found.add(parameter.name)
    return found
