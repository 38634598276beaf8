"""The parameters of the kernels in a cubin, from its section .nv.info.ENTRY."""

from __future__ import annotations

import struct

_PARAMETER = 0x17  # EIATTR_KPARAM_INFO: the size is in bits 18 and up of the last word
_PARAMETER_2 = 0x45  # EIATTR_KPARAM_INFO_V2, of tile kernels: the size is in its lower half
_LONG = 4  # EIFMT_SVAL: a value with its length before it


def parameters(cubin: bytes, entry: str) -> list[int]:
    """Sizes in bytes, in the order of the parameters."""
    section = _section(cubin, f".nv.info.{entry}")
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


def _section(elf: bytes, name: str) -> bytes:
    (table,) = struct.unpack_from("<Q", elf, 40)
    width, count, names = struct.unpack_from("<HHH", elf, 58)

    def header(index: int) -> tuple[int, int, int]:
        title, _, _, _, offset, size = struct.unpack_from("<IIQQQQ", elf, table + index * width)
        return title, offset, size

    _, texts, _ = header(names)
    for index in range(count):
        title, offset, size = header(index)
        end = elf.index(b"\0", texts + title)
        if elf[texts + title : end].decode() == name:
            return elf[offset : offset + size]
    raise KeyError(name)
