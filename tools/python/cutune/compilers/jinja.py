"""Jinja templates of CUDA C++ for cutune: python3 -m cutune.compilers.jinja FILE.cu.j2...

The template's variables are parameters, defines and problem sizes of the space. NVRTC compiles its text to a cubin, with the texts of
`option` statements; it is the library that the Python package finds, of NVIDIA's packages or a CUDA Toolkit. Kernels may be
extern "C", functions or instances of templates: `kernel "scale<float>"`."""

from __future__ import annotations

import ctypes
import os
import re
from typing import Any

from .. import _toolkit
from ._sources import arguments, own_package, package, values
from ._worker import Answer, CompileError, Request, serve


def main() -> None:
    paths = arguments("jinja", ".cu.j2")
    import jinja2

    templates = Templates(paths)
    nvrtc = Nvrtc(_toolkit.toolkit())
    hello = {
        "compiler": "jinja",
        "version": jinja2.__version__[:8],
        "packages": {
            "jinja2": package("jinja2", jinja2),
            "nvrtc": {"version": nvrtc.version, "file": nvrtc.path},
            **own_package(__file__),
        },
        "files": sorted(templates.files),
        "variables": ["CUTUNE_NVRTC", "CUTUNE_CUDA_INCLUDE"],
    }
    if templates.names is not None:
        hello["params"] = sorted(templates.names)

    def compile(request: Request) -> Answer:
        for kernel, output in zip(request["kernels"], request["outputs"], strict=True):
            text = "\n".join(templates.render(path, values(request, kernel)) for path in paths)
            kernel["entry"], code = nvrtc.compile(text, kernel["name"], request["architecture"], request["options"])
            with open(output, "wb") as file:
                file.write(code)
        return {"kernels": [{"entry": kernel["entry"]} for kernel in request["kernels"]], "files": sorted(templates.files)}

    serve(hello, compile)


class Templates:
    """Templates with the files that they include. `names` are the variables in them; None if an include has no fixed name."""

    def __init__(self, paths: list[str]) -> None:
        import jinja2
        from jinja2 import meta

        folders = list(dict.fromkeys(os.path.dirname(path) for path in paths))
        self.environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folders), undefined=jinja2.StrictUndefined, keep_trailing_newline=True, trim_blocks=True
        )
        self.files: set[str] = set(paths)
        self.names: set[str] | None = set()
        pending = [os.path.basename(path) for path in paths]
        while pending:
            assert self.environment.loader is not None
            source, file, _ = self.environment.loader.get_source(self.environment, pending.pop())
            tree = self.environment.parse(source, filename=file)
            variables, included = meta.find_undeclared_variables(tree), list(meta.find_referenced_templates(tree))
            known = file in self.files and file not in paths
            self.files.add(str(file))
            self.names = None if self.names is None or None in included else self.names | variables
            pending += [] if known else [name for name in included if name is not None]

    def render(self, path: str, known: dict[str, Any]) -> str:
        import jinja2

        try:
            return str(self.environment.get_template(os.path.basename(path)).render(known))
        except jinja2.TemplateSyntaxError as error:
            raise CompileError(str(error.message), error.filename or path, error.lineno) from error


class Nvrtc:
    """NVIDIA's runtime compiler."""

    def __init__(self, toolkit: _toolkit.Toolkit) -> None:
        if not toolkit.nvrtc:
            raise SystemExit("NVRTC is missing: install the package nvidia-cuda-nvrtc or a CUDA Toolkit, or set CUTUNE_NVRTC")
        self.path = toolkit.nvrtc
        self.include = toolkit.include
        self.library = ctypes.CDLL(toolkit.nvrtc)
        self.library.nvrtcGetErrorString.restype = ctypes.c_char_p
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._check(self.library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
        self.version = f"{major.value}.{minor.value}"

    def compile(self, text: str, name: str, architecture: str, options: list[str]) -> tuple[str, bytes]:
        """The kernel's name in the code, and the cubin."""
        program = ctypes.c_void_p()
        source = text.encode()
        self._check(self.library.nvrtcCreateProgram(ctypes.byref(program), source, b"template.cu", 0, None, None))
        try:
            self._check(self.library.nvrtcAddNameExpression(program, name.encode()))
            flags = [f"--gpu-architecture={architecture}", *(f"--include-path={folder}" for folder in self.include), *options]
            array = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
            if self.library.nvrtcCompileProgram(program, len(flags), array):
                raise _failure(self._text(program, "ProgramLog").decode(errors="replace"), text)
            lowered = ctypes.c_char_p()
            self._check(self.library.nvrtcGetLoweredName(program, name.encode(), ctypes.byref(lowered)))
            return (lowered.value or b"").decode(), self._text(program, "CUBIN")
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))

    def _text(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._check(getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        self._check(getattr(self.library, f"nvrtcGet{what}")(program, buffer))
        return buffer.raw if what == "CUBIN" else buffer.value

    def _check(self, code: int) -> None:
        if code:
            raise CompileError(f"NVRTC: {self.library.nvrtcGetErrorString(code).decode()}")


def _failure(log: str, text: str) -> CompileError:
    """The log with the line of the rendered text that it is about."""
    found = re.search(r"template\.cu\((\d+)\): error", log)
    lines = text.splitlines()
    if not found or not 0 < int(found[1]) <= len(lines):
        return CompileError(log)
    return CompileError(f"{log}\nline {found[1]} of the rendered text: {lines[int(found[1]) - 1].strip()}")


if __name__ == "__main__":
    main()
