"""The program behind the module: options, command lines, errors, places."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys

import cutune
import pytest
from cutune import _program


def all_commands() -> list[str]:
    text = subprocess.run([cutune.program_path(), "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [name for name in re.findall(r"^  ([a-z]+)\b", text.split("Commands", 1)[1], re.MULTILINE) if name != "help"]


def test_options_are_those_of_the_program() -> None:
    """Both lists of the program, --help and --usage, agree with the keywords of every command."""
    for name in all_commands():
        usage = subprocess.run([cutune.program_path(), name, "--usage"], stdout=subprocess.PIPE, text=True, check=True).stdout
        words = dict(re.findall(r"\[(?:-\w, )?--([a-z0-9-]+)(=\S*)?\]", re.sub(r"\s+", " ", usage)))
        words = {word: argument for word, argument in words.items() if word not in ("help", "usage", "version")}
        assert {option.name: bool(option.argument) for option in cutune.options(name).values()} == {
            word: bool(argument) for word, argument in words.items()
        }
    assert len(cutune.options("tune")) > 30


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"max_time": 30}, ["--max-time=30"]),
        ({"max_time": {"total": 60}}, ["--max-time=total=60"]),
        ({"set": {"TILE": [32, 64], "PAD": 1}}, ["--set=TILE=32,64", "--set=PAD=1"]),
        ({"set": ["TILE=32", "PAD=1"]}, ["--set=TILE=32", "--set=PAD=1"]),
        ({"config": {"TILE": 64, "LOAD": "cg"}}, ["--config=TILE=64 LOAD=cg"]),
        ({"config": [{"TILE": 64}, {"TILE": 32}]}, ["--config=TILE=64", "--config=TILE=32"]),
        ({"define": {"N": [1, 2]}}, ["--define=N=1,2"]),
        ({"device": [0, 1]}, ["--device=0,1"]),
        ({"explain": False, "cache": "warm"}, ["--explain=no", "--cache=warm"]),
        ({"each": True, "no_cache": False, "jobs": None}, ["--each"]),
    ],
)
def test_keywords_become_words(keywords: dict[str, object], words: list[str]) -> None:
    assert _program.option_words("tune", keywords) == words


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"maxtime": 3}, "no option maxtime; did you mean max_time?"),
        ({"each": "yes"}, "each is True or False, not 'yes'"),
        ({"max_time": object()}, "max_time: <object"),
    ],
)
def test_wrong_keywords_are_type_errors(keywords: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        _program.option_words("tune", keywords)


def test_an_error_has_code_place_and_hint(folder: os.PathLike[str]) -> None:
    with open("wrong.space", "w", encoding="utf-8") as file:
        file.write("space 2\n\nparm TILE = 1, 2\nproblem N = +\n")
    with pytest.raises(cutune.Error) as caught:
        cutune.command("check", "wrong.space")
    error = caught.value
    assert (error.code, error.source, error.line, error.column) == (cutune.ErrorCode.SYNTAX, "wrong.space", 3, 1)
    assert error.excerpt == "parm TILE = 1, 2" and "param" in error.hint
    assert str(error).startswith("wrong.space:3:1: ")
    assert "wrong.space:4:" in error.details and "wrong.space:3:1" in error.details
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, str(again)) == (error.code, str(error))


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTUNE_PROGRAM", "/nowhere/cutune")
    with pytest.raises(cutune.Error, match="cannot run /nowhere/cutune") as caught:
        _program.run(["--version"])
    assert caught.value.code == cutune.ErrorCode.NOT_FOUND


@pytest.mark.parametrize(
    ("status", "code"), [(2, "USAGE"), (3, "NO_DEVICE"), (4, "NOTHING_VALID"), (1, "WORKER"), (130, "INTERRUPTED"), (-9, "WORKER")]
)
def test_a_program_without_a_report_has_a_code_by_its_status(status: int, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    end = f"kill -{-status} $$" if status < 0 else f"exit {status}"
    with open("program", "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\n{end}\n")
    os.chmod("program", 0o755)
    monkeypatch.setenv("CUTUNE_PROGRAM", os.path.abspath("program"))
    finished = _program.run(["anything"], progress=False)
    assert finished.error is not None and finished.error.code == cutune.ErrorCode[code]


def test_messages_reach_the_caller(recorded: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Printed by default, given to a function, or dropped; the final error is in the exception alone."""
    lines: list[str] = []
    cutune.tune(replay=recorded, progress=lines.append)
    assert lines and all(line.startswith("cutune: evaluating") for line in lines)
    assert capfd.readouterr().err == ""
    cutune.tune(replay=recorded)
    assert capfd.readouterr().err.splitlines() == lines
    cutune.tune(replay=recorded, progress=False)
    with pytest.raises(cutune.Error):
        cutune.tune(replay="missing.csv")
    assert capfd.readouterr().err == ""


def test_python_m_cutune(recorded: str) -> None:
    def python(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(cutune.__file__))}
        return subprocess.run([sys.executable, "-m", "cutune", *words], stdout=subprocess.PIPE, text=True, env=environment, check=False)

    assert python("--cmakedir").stdout.strip() == cutune.cmake_dir()
    assert python("--include").stdout.strip() == cutune.include_dir()
    assert python("--version").stdout == f"cutune {cutune.__version__}\n"
    assert "winner" in python("--replay", recorded, "-q").stdout
    assert python("--replay", "missing").returncode == 1


def test_import_is_light() -> None:
    """NumPy and pandas are loaded when they are needed."""
    heavy = ("numpy", "pandas", "torch", "IPython", "importlib.metadata", "zipfile")
    code = f"import sys, cutune; print([m for m in {heavy} if m in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(cutune.__file__))}
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment, check=True)
    assert done.stdout == "[]\n"
