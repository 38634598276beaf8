"""Spaces: every statement, reading, saving."""

from __future__ import annotations

import os
import pathlib
import re

import cutune
import pytest

from ..conftest import ROOT


def test_there_is_a_method_for_every_statement() -> None:
    manual = cutune.command("manual", "space", format="markdown")
    names = set(re.findall(r"^#+ `([a-z0-9_]+)`", manual, re.MULTILINE)) - {"space"}
    assert len(names) > 30
    assert {name for name in names if not callable(getattr(cutune.Space, name, None))} == set()


@pytest.mark.parametrize("path", sorted((ROOT / "templates").glob("*.space")), ids=lambda path: path.stem)
def test_templates_are_read_as_the_engine_reads_them(path: pathlib.Path, folder: pathlib.Path) -> None:
    """A template and its saved copy have the same names and the same statements for the engine."""
    space = cutune.Space.read(path)
    rows = space.check()
    names = {kind: [row["name"] for row in rows if row["kind"] == kind] for kind in ("problem", "parameter")}
    assert list(space.problems) == names["problem"] and list(space.parameters) == names["parameter"]
    space.save("elsewhere/copy.space")
    copied = cutune.Space.read("elsewhere/copy.space").check()
    assert [(r["kind"], r["name"], r["removed"]) for r in copied] == [(r["kind"], r["name"], r["removed"]) for r in rows]


def test_comments_continuations_and_quotes() -> None:
    space = cutune.Space.parse('space 2 # version\n\nkernel k "a#b.cu"  # source\nargs x, \\\n  int N\n')
    assert [str(s) for s in space.statements] == ["space 2", 'kernel k "a#b.cu"', "args x,    int N"]


def test_problems_of_included_files(folder: pathlib.Path) -> None:
    (folder / "common.space").write_text("problem N = 8\n")
    (folder / "k.space").write_text('space 2\ninclude "common.space"\nproblem M = N\n')
    assert list(cutune.Space.read("k.space").problems) == ["N", "M"]


def test_an_error_of_a_built_space_has_its_line() -> None:
    space = cutune.Space().problem("N", 1).problem("M", "N +")
    with pytest.raises(cutune.Error) as caught:
        space.check()
    assert caught.value.line == 3 and caught.value.code == cutune.ErrorCode.SYNTAX


def test_a_changed_space_is_written_anew(folder: pathlib.Path) -> None:
    space = cutune.Space.read(ROOT / "templates" / "transpose.space")
    assert space.materialise() == str(ROOT / "templates" / "transpose.space")
    space.require("TILE == 32")
    path = space.materialise()
    assert path != str(ROOT / "templates" / "transpose.space") and os.path.exists(path)
    assert any(row["kind"] == "constraint" or "TILE == 32" in str(row["value"]) for row in space.check())


def test_line_breaks_and_quotes_are_refused() -> None:
    with pytest.raises(cutune.Error, match="line break"):
        cutune.Space().require("A\nB")
    with pytest.raises(cutune.Error, match="quote"):
        cutune.Space().kernel("k", 'a".cu')
