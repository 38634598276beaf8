"""The extension module: loaded kernels and machine code, and the GPUs of this process."""

from collections.abc import Callable, Sequence

class Launcher:
    device: int
    def __init__(
        self, name: str, sequence: int, device: int, owner: object, find_stream: Callable[[object, object], int | None], /
    ) -> None: ...
    def __call__(self, *arrays: object, stream: object = None) -> None: ...
    @property
    def _parameters(self) -> tuple[tuple[str, str, int, bool], ...]: ...
    @property
    def _cubins(self) -> tuple[bytes, ...]: ...
    @property
    def _launches(
        self,
    ) -> tuple[tuple[str, tuple[int, int, int], tuple[int, int, int], int, tuple[int, int, int], int, int, int], ...]: ...

class Function:
    def __init__(
        self,
        name: str,
        cubin: bytes,
        entry: str,
        device: int,
        block: tuple[int, int, int],
        shared_bytes: int,
        cluster: tuple[int, int, int],
        cooperative: bool,
        types: tuple[str, ...],
        find_stream: Callable[[object, object], int | None],
        /,
    ) -> None: ...
    def __call__(self, grid: Sequence[int], arguments: Sequence[object], stream: object, /) -> None: ...

def describe_device(number: int, /) -> tuple[str, str, dict[str, int]]: ...
def current_device() -> int: ...
