"""Where NVRTC and CUDA's headers are found, in made-up environments."""

from __future__ import annotations

import os
import pathlib

import cutune
import pytest
from cutune import _toolkit


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, folder: pathlib.Path) -> pathlib.Path:
    """No variables, no packages, no toolkit, no driver, no loader."""
    for name in ("CUTUNE_NVRTC", "CUTUNE_CUDA_INCLUDE", "CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(_toolkit, "_wheel_roots", lambda: [str(folder / "site" / "nvidia")])
    monkeypatch.setattr(_toolkit, "_toolkit_roots", lambda: [os.environ.get("CUDA_HOME", str(folder / "usual"))])
    monkeypatch.setattr(_toolkit, "_loader_libraries", lambda: iter(()))
    monkeypatch.setattr(_toolkit, "driver_major", lambda: 0)
    cutune.use_nvrtc(None)
    return folder


def make(folder: pathlib.Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


TWELVE = (
    "site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
    "site/nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12",
    "site/nvidia/cuda_nvrtc/include/nvrtc.h",
    "site/nvidia/cuda_runtime/include/cuda_fp16.h",
    "site/nvidia/cuda_cccl/include/nv/target",
)
THIRTEEN = ("site/nvidia/cu13/lib/libnvrtc.so.13", "site/nvidia/cu13/include/cccl/nv/target")
TOOLKIT = ("usual/lib64/libnvrtc.so.12.9.86", "usual/lib64/libnvrtc.so.12", "usual/include/nvrtc.h")


@pytest.mark.parametrize(
    ("files", "driver", "nvrtc", "include"),
    [
        ((), 0, "", ""),
        (TWELVE, 0, TWELVE[0], "cuda_nvrtc/include:cuda_runtime/include:cuda_cccl/include"),
        (THIRTEEN, 0, THIRTEEN[0], "cu13/include"),
        (TWELVE + THIRTEEN, 13, THIRTEEN[0], "cu13/include"),
        (TWELVE + THIRTEEN, 12, TWELVE[0], "cuda_nvrtc/include:cuda_runtime/include:cuda_cccl/include"),
        (THIRTEEN + TOOLKIT, 12, TOOLKIT[1], "usual/include"),
        (THIRTEEN, 12, "", ""),
        (TOOLKIT + THIRTEEN, 0, THIRTEEN[0], "cu13/include"),
    ],
)
def test_the_order(
    clean: pathlib.Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...], driver: int, nvrtc: str, include: str
) -> None:
    make(clean, *files)
    monkeypatch.setattr(_toolkit, "driver_major", lambda: driver)
    found = cutune.toolkit()
    assert found.nvrtc == (str(clean / nvrtc) if nvrtc else "")
    assert [part.endswith(wanted) for part, wanted in zip(found.include, include.split(":") if include else [], strict=True)] == [
        True
    ] * len(found.include)
    assert found.major == (0 if not nvrtc else 13 if "13" in nvrtc else 12)


def test_headers_in_another_environment(clean: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NVRTC beside PyTorch, and headers beside cutune."""
    make(clean, *THIRTEEN, "other/nvidia/cu13/include/cccl/cub/cub.cuh")
    roots = [str(clean / folder / "nvidia") for folder in ("other", "site")]
    monkeypatch.setattr(_toolkit, "_wheel_roots", lambda: roots)
    assert [os.path.relpath(path, clean) for path in cutune.toolkit().include] == ["site/nvidia/cu13/include", "other/nvidia/cu13/include"]


def test_named_libraries_come_first(clean: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(clean, *THIRTEEN, "own/lib/libnvrtc.so.12", "own/include/nvrtc.h")
    monkeypatch.setenv("CUTUNE_NVRTC", str(clean / "own/lib/libnvrtc.so.12"))
    assert cutune.toolkit().origin == "named"
    assert cutune.toolkit().environment() == {
        "CUTUNE_NVRTC": str(clean / "own/lib/libnvrtc.so.12"),
        "CUTUNE_CUDA_INCLUDE": str(clean / "own/include"),
    }
    cutune.use_nvrtc(clean / THIRTEEN[0])
    assert cutune.toolkit().major == 13
    cutune.use_nvrtc(None)
    assert cutune.toolkit().major == 12
    with pytest.raises(cutune.Error, match="no library"):
        cutune.use_nvrtc("/nowhere")


@pytest.mark.parametrize(
    ("header", "thirteen", "twelve"),
    [
        ("cub/cub.cuh", "nvidia-cuda-cccl ", "nvidia-cuda-cccl-cu12 "),
        ("cuda_fp16.h", "nvidia-cuda-runtime ", "nvidia-cuda-runtime-cu12 "),
        ("crt/mma.h", "nvidia-cuda-crt ", "nvidia-cuda-nvcc-cu12 "),
        ("mine.h", "", ""),
    ],
)
def test_a_missing_header_is_named_with_its_package(clean: pathlib.Path, header: str, thirteen: str, twelve: str) -> None:
    message = f'k.cu(1): error: cannot open source file "{header}"'
    make(clean, *THIRTEEN)
    assert thirteen in _toolkit.missing_header_hint(message)
    if not thirteen:
        assert _toolkit.missing_header_hint(message) == ""
    cutune.use_nvrtc(None)
    os.remove(clean / THIRTEEN[0])
    make(clean, *TWELVE)
    assert twelve in _toolkit.missing_header_hint(message)
