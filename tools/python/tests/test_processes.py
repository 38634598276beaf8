"""Several interpreters, forked children, notebooks."""

from __future__ import annotations

import os
import pathlib
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import cutune
import pytest

from .fake_gpu import Driver

WORKING = {"set": {"FAULT": "none", "FROM": 1, "SHARED": 0}, "strategy": "exhaustive", "explain": False, "progress": False}
#: Three configurations, and three that end by the time limit.
SLOW = {"set": {"FAULT": ["none", "spin"], "FROM": 1, "ASIDE": 0, "SHARED": 0}, "strategy": "exhaustive", "explain": False, "timeout": 1}


def with_this_package() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(cutune.__file__))}


def test_two_interpreters_tune_at_once(scripted: str) -> None:
    """Into one database."""
    sizes = (500, 1000)
    code = f"import sys, cutune; cutune.tune({scripted!r}, N=int(sys.argv[1]), **{WORKING!r})"
    both = [subprocess.Popen([sys.executable, "-c", code, str(size)], env=with_this_package()) for size in sizes]
    assert [one.wait() for one in both] == [0, 0]
    database = cutune.Database()
    for size in sizes:
        choice = database.best("twice", cutune.Device("Fake GPU"), N=size)
        assert (choice.rule, choice.configuration["TIME"]) == ("problem", 5000)


def in_a_child(work: Callable[[], object]) -> str:
    """The result of work in a forked child, or its exception, as text."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = str(work())
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


def test_a_forked_child_tunes_and_looks_up(scripted: str, recorded: str) -> None:
    """Also if its parent has used the module before."""

    def work() -> object:
        replayed = cutune.tune(replay=recorded, progress=False)
        choice = cutune.Database.recorded().best("transpose", cutune.Device.named("H200"), ROWS=8192, COLS=8192)
        return replayed.best["TILE"], choice.configuration["TILE"], cutune.tune(scripted, **WORKING).best["TIME"]

    before = work()
    assert in_a_child(work) == str(before) == "(64, 64, 5000)"


@pytest.mark.skipif("CUTUNE_EXTENSION" not in os.environ, reason="the extension module is not built")
def test_a_forked_child_of_a_process_that_used_the_gpu() -> None:
    """CUDA itself refuses; the error says why and what to do."""
    driver = Driver()
    try:
        cutune.Device.current()
        text = in_a_child(cutune.Device.current)
    finally:
        driver.library.fake_reset()
    assert "CUDA_ERROR_NOT_INITIALIZED" in text and 'multiprocessing.get_context("spawn")' in text


def test_free_threaded_python_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: int(name == "Py_GIL_DISABLED"))
    monkeypatch.delitem(sys.modules, "cutune._launch", raising=False)
    with pytest.raises(cutune.Error, match="free-threaded Python cannot load"):
        cutune.Device.current()


# ---- A notebook ----


@pytest.fixture
def notebook(scripted: str) -> Iterator[Any]:
    """The kernel of a notebook, and its client."""
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(kernel_name="python3", env=with_this_package())
    yield kernel, client
    client.stop_channels()
    kernel.shutdown_kernel(now=True)


def run_cell(client: Any, code: str, seen: Callable[[str, dict[str, Any]], None]) -> None:
    """Runs a cell to its end. `seen` gets the kind and the content of all that it shows."""
    request = client.execute(code, allow_stdin=False)
    end_s = time.monotonic() + 60
    while time.monotonic() < end_s:
        try:
            message = client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        if message["parent_header"].get("msg_id") != request:
            continue
        seen(message["msg_type"], message["content"])
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return
    raise AssertionError("the cell does not end")


def test_a_notebook_is_interrupted(notebook: Any, tmp_path: pathlib.Path) -> None:
    """Progress is one line that is replaced; the stop button loses no measurement, and the same cell resumes."""
    kernel, client = notebook
    shown: list[tuple[str, Any]] = []
    stopped = False

    def stop_early(kind: str, content: dict[str, Any]) -> None:
        nonlocal stopped
        shown.append((kind, content))
        if not stopped and "display_data" in kind and "best" in content["data"]["text/plain"]:
            stopped = True
            kernel.interrupt_kernel()

    run_cell(client, f"import cutune\nresult = cutune.tune('scripted.space', **{SLOW!r})", stop_early)
    kinds = [kind for kind, _ in shown]
    assert stopped and kinds.count("display_data") == 1 and "update_display_data" in kinds
    assert [content["ename"] for kind, content in shown if kind == "error"] == ["Interrupted"]
    assert shown[[i for i, kind in enumerate(kinds) if kind == "update_display_data"][-1]][1]["data"]["text/plain"] == ""
    assert not any("error" in content["text"] for kind, content in shown if kind == "stream"), "the exception has the error"

    shown.clear()
    code = f"again = cutune.tune('scripted.space', **{SLOW!r})\nprint(again.best['TIME'], again.row['measured_now'])\nagain"
    run_cell(client, code, lambda kind, content: shown.append((kind, content)))
    printed = "".join(content["text"] for kind, content in shown if kind == "stream" and content["name"] == "stdout").split()
    assert printed[0] == "5000" and int(printed[1]) < 6, printed
    results = [content["data"] for kind, content in shown if kind == "execute_result"]
    assert "<svg" in results[0]["text/html"] and "5.000 us" in results[0]["text/plain"]
