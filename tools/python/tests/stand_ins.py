"""Stand-ins of torch, CuPy and cuda.core for the pages' examples, where there is neither a GPU nor these packages: arrays with addresses
alone, and launches that only record."""

from __future__ import annotations

import types
from typing import Any

from .fake_gpu import Exchange, Interface


class Tensor(Exchange):
    __module__ = "torch"
    _next = 0x100000

    def __init__(self, count: int, type: tuple[int, int, int] = (2, 32, 1)) -> None:
        self.count, Tensor._next = count, Tensor._next + 16 * count
        super().__init__(Tensor._next, count, type=type)

    def numel(self) -> int:
        return self.count

    def data_ptr(self) -> int:
        return int(self.tensor.data) + 16

    def double(self) -> Tensor:
        return Tensor(self.count, (2, 64, 1))


class Context:
    def __init__(self, *arguments: object) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        pass

    def replay(self) -> None:
        pass


class Library:
    """Operators that run their kernel."""

    kernels: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, name: str, kind: str) -> None:
        self.name = name

    def define(self, schema: str, tags: object = ()) -> None:
        self.schema = schema

    def impl(self, name: str, kernel: Any, dispatch: str) -> None:
        operators = vars(torch.ops).setdefault(self.name, types.SimpleNamespace())
        setattr(operators, name, types.SimpleNamespace(default=kernel))


torch: Any = types.SimpleNamespace(
    rand=lambda count, device: Tensor(count),
    empty_like=lambda tensor: Tensor(tensor.count),
    cuda=types.SimpleNamespace(
        current_stream=lambda device=None: types.SimpleNamespace(cuda_stream=3),
        CUDAGraph=Context,
        graph=Context,
    ),
    library=types.SimpleNamespace(Library=Library, register_fake=lambda name, function, lib: None),
    Tag=types.SimpleNamespace(needs_fixed_stride_order=0),
    ops=types.SimpleNamespace(),
)


class Launched:
    """The last launch by another package."""

    last: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any, **keywords: Any) -> None:
        Launched.last = (*arguments, *keywords.items())

    def get_function(self, name: str) -> Launched:
        return self

    get_kernel = get_function


cupy: Any = types.SimpleNamespace(
    RawModule=lambda path: Launched(),
    random=types.SimpleNamespace(random=lambda count, dtype: Interface(0x1000, count)),
    empty_like=lambda array: array,
)
cuda_core: Any = types.SimpleNamespace(
    Device=lambda: types.SimpleNamespace(set_current=lambda: None, create_stream=lambda: 5),
    LaunchConfig=lambda **fields: fields,
    ObjectCode=types.SimpleNamespace(from_cubin=lambda code: Launched()),
    launch=Launched(),
)
MODULES = {"torch": torch, "cupy": cupy, "cuda": types.SimpleNamespace(core=cuda_core), "cuda.core": cuda_core}
