"""The kernels of a cubin and their parameters, from its sections .nv.info.ENTRY."""

from __future__ import annotations

import struct

_INFO = ".nv.info."
_PARAMETER = 0x17  # EIATTR_KPARAM_INFO: the size is in bits 18 and up of the last word
_PARAMETER_2 = 0x45  # EIATTR_KPARAM_INFO_V2, of tile kernels: the size is in its lower half
_LONG = 4  # EIFMT_SVAL: a value with its length before it


def parameters(cubin: bytes, entry: str) -> list[int]:
    """Sizes in bytes, in the order of the parameters."""
    section = _sections(cubin)[_INFO + entry]
    sizes: dict[int, int] = {}
    at = 0
    while at < len(section):
        form, attribute, length = struct.unpack_from("<BBH", section, at)
        at += 4
        if form == _LONG:
            if attribute in (_PARAMETER, _PARAMETER_2):
                _, ordinal, _, flags = struct.unpack_from("<IHHI", section, at)
                sizes[ordinal] = flags >> 18 if attribute == _PARAMETER else flags & 0xFFFF
            at += length
    return [sizes[ordinal] for ordinal in sorted(sizes)]


def entries(cubin: bytes) -> list[str]:
    """The names of the kernels."""
    return [name.removeprefix(_INFO) for name in _sections(cubin) if name.startswith(_INFO)]


def _sections(elf: bytes) -> dict[str, bytes]:
    """The contents of the sections by their names."""
    (table,) = struct.unpack_from("<Q", elf, 40)
    width, count, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + index * width) for index in range(count)]
    texts = headers[names][4]
    found = {}
    for title, _, _, _, offset, size in headers:
        end = elf.index(b"\0", texts + title)
        found[elf[texts + title : end].decode()] = elf[offset : offset + size]
    return found
