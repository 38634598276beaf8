"""Workers for the statement `compiler command`: programs that compile kernels of other languages for cutune.

`python3 -m cutune.compilers.triton FILE...` is one of them; `cutile`, `numba`, `cute`, `jinja` and `clang` are the others. A worker of
your own is a function from a request to an answer, both as in docs/compiler-command.md:

    from cutune.compilers import serve

    def compile(request):
        for kernel, output in zip(request["kernels"], request["outputs"]):
            ...                                     # write machine code to the file `output`
        return {"kernels": [{"entry": kernel["name"]} for kernel in request["kernels"]]}

    serve({"compiler": "mine", "version": "1"}, compile)
"""

from __future__ import annotations

from ._worker import Answer, CompileError, Hello, Request, serve

__all__ = ["Answer", "CompileError", "Hello", "Request", "serve"]
