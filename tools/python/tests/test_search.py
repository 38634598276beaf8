"""Ask and tell."""

from __future__ import annotations

import pathlib
import threading
from typing import Any

import cutune
import pytest

PARAMS = {"TILE": [8, 16, 32, 64, 128], "ROWS": [1, 2, 4, 8, 16]}
CONSTRAINTS = ["TILE % ROWS == 0", "TILE * ROWS <= 512"]


def cost(TILE: int, ROWS: int) -> float:
    """A landscape with its minimum at TILE=32 ROWS=2."""
    return 1 + abs(TILE - 32) / 8 + abs(ROWS - 2) / 4


def dialogue(search: cutune.Search, count: int) -> list[dict[str, Any]]:
    proposals = []
    for _ in range(count):
        for configuration in search.ask():
            search.tell(configuration, cost(**configuration))
            proposals.append(configuration)
    return proposals


def test_a_search_finds_the_minimum() -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS, seed=42)
    assert search.count == sum(t % r == 0 and t * r <= 512 for t in PARAMS["TILE"] for r in PARAMS["ROWS"])
    assert len(dialogue(search, 15)) == 15
    assert search.best == {"TILE": 32, "ROWS": 2} and search.best_value == 1
    assert search.params == PARAMS


def test_proposals_depend_on_the_seed_alone() -> None:
    first, same, other = (dialogue(cutune.Search(PARAMS, CONSTRAINTS, seed=seed), 8) for seed in (1, 1, 2))
    assert first == same != other


@pytest.mark.parametrize("strategy", ["random", "exhaustive", "surrogate:initial=5"])
def test_a_search_ends_when_all_have_an_answer(strategy: str) -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS, strategy=strategy)
    proposals = dialogue(search, search.count)
    assert len({tuple(p.values()) for p in proposals}) == search.count
    assert search.ask() == [] and search.in_flight == []


def test_several_at_once_in_any_order() -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS)
    proposed = search.ask(4)
    assert len(proposed) == 4 and search.in_flight == proposed
    for configuration in reversed(proposed):
        search.tell(configuration, cost(**configuration))
    assert search.in_flight == []


def test_prior_runs_are_learned_from() -> None:
    """The order of their values counts, not the scale; configurations that are not valid here teach, too."""
    for tile, rows in ((8, 4), (64, 8), (16, 16)):
        run = [((t, r), 1e3 * (1 + abs(t - tile) + abs(r - rows))) for t in PARAMS["TILE"] for r in PARAMS["ROWS"]]
        search = cutune.Search(PARAMS, CONSTRAINTS, prior=[[*run[:5], ({"TILE": 128, "ROWS": 16}, None), *run[5:-1]]], seed=3)
        assert search.ask() == [{"TILE": tile, "ROWS": rows}]


def test_prior_runs_of_a_space_file(tmp_path: pathlib.Path) -> None:
    (tmp_path / "s.space").write_text("space 2\nparam TILE = 8, 16, 32\nparam LOAD = ca, cg\nrequire TILE > 8\n")
    run = [({"TILE": tile, "LOAD": load}, tile + (load == "cg")) for tile in (8, 16, 32) for load in ("ca", "cg")]
    search = cutune.Search(space="s.space", prior=[run])
    assert search.ask() == [{"TILE": 16, "LOAD": "ca"}]
    search.tell({"TILE": 16, "LOAD": "ca"}, 2)
    search.save("saved.txt")
    assert cutune.Search.restore("saved.txt", space="s.space", prior=[run]).best_value == 2
    with pytest.raises(cutune.Error, match="another space"):
        cutune.Search.restore("saved.txt", space="s.space")
    with pytest.raises(cutune.Error, match="64 is not a value of TILE"):
        cutune.Search(space="s.space", prior=[[({"TILE": 64, "LOAD": "ca"}, 1)]])


VALUES = {
    "type": ["float2", "double 2", ("a", 1)],
    "flag": [True, False],
    "part": [0.5, 1e-05],
    "none": [None, 3],
    "list": [[1, 2]],
}


def test_values_are_any_objects() -> None:
    search = cutune.Search(
        VALUES, ["flag == 1"], strategy="exhaustive", default={"type": ("a", 1), "flag": True, "part": 0.5, "none": 3, "list": [1, 2]}
    )
    first = search.ask()[0]
    assert first == {"type": ("a", 1), "flag": True, "part": 0.5, "none": 3, "list": [1, 2]}
    search.tell(first, 1)
    seen = [first, *search.ask(20)]
    assert search.count == 12 == len(seen) and all(configuration["flag"] is True for configuration in seen)
    assert {configuration["part"] for configuration in seen} == {0.5, 1e-05}
    assert {str(configuration["type"]) for configuration in seen} == {"float2", "double 2", "('a', 1)"}


def test_a_list_of_configurations_instead_of_constraints() -> None:
    listed = [(8, 1), {"ROWS": 16, "TILE": 128}, (64, 4)]
    search = cutune.Search(PARAMS, configurations=listed, strategy="exhaustive")
    assert search.count == 3
    asked = {(configuration["TILE"], configuration["ROWS"]) for configuration in search.ask(3)}
    assert asked == {(8, 1), (128, 16), (64, 4)}


def test_membership() -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS)
    assert {"TILE": 32, "ROWS": 2} in search and {"TILE": 128, "ROWS": 16} not in search
    with pytest.raises(cutune.Error, match="7 is not a value of TILE"):
        assert {"TILE": 7, "ROWS": 2} in search


def test_failures_are_avoided_and_stopped_ones_never_the_best() -> None:
    search = cutune.Search({"A": list(range(16)), "B": list(range(16))}, seed=3)
    failed = 0
    for _ in range(60):
        for configuration in search.ask():
            if configuration["A"] >= 8:
                search.tell(configuration, failure="the kernel does not compile", effort_s=0.1)
                failed += 1
            else:
                search.tell(configuration, 10 + configuration["A"] + configuration["B"])
    assert 0 < failed < 20
    assert search.best["A"] < 8
    search = cutune.Search(PARAMS)
    search.tell({"TILE": 8, "ROWS": 1}, 5)
    search.tell({"TILE": 8, "ROWS": 2}, 2, least=1.5)
    assert search.best == {"TILE": 8, "ROWS": 1}


def test_a_saved_search_continues(folder: pathlib.Path) -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS, seed=7)
    dialogue(search, 6)
    search.tell(search.ask()[0], failure="wrong result")
    pending = search.ask()
    search.save("search.txt")
    restored = cutune.Search.restore("search.txt", PARAMS, CONSTRAINTS)
    assert restored.same and restored.in_flight == pending and restored.best == search.best
    assert dialogue(restored, 5) == dialogue(search, 5)
    with pytest.raises(cutune.Error) as caught:
        cutune.Search.restore("search.txt", PARAMS)
    assert caught.value.code == cutune.ErrorCode.DATA
    (folder / "search.txt").write_text("nothing\n")
    with pytest.raises(cutune.Error, match=r"search\.txt"):
        cutune.Search.restore("search.txt", PARAMS, CONSTRAINTS)


def test_a_space_file(folder: pathlib.Path) -> None:
    space = cutune.Space().kernel("k", "k.cu").problem("N", 64).param("TILE", [8, 16, 32]).require("TILE < N")
    space.buffer("x", "float", "N", "output").args("x").block("TILE").grid("1").reference("default").default(TILE=16)
    (folder / "k.cu").write_text('extern "C" __global__ void k(float *x) { x[threadIdx.x % N] = TILE; }\n')
    space.save("k.space")
    for given in (space, "k.space", "k"):
        assert cutune.Search(space=given).count == 3
        search = cutune.Search(space=given, N=16)
        assert search.count == 1 and search.params == {"TILE": [8, 16, 32]}
        assert search.ask() == [{"TILE": 8}]


def test_limits_of_a_device() -> None:
    with_limits = cutune.Search({"BLOCK": [512, 1024, 2048]}, ["BLOCK <= max_threads"], device=cutune.Device.named("H200"))
    assert with_limits.count == 2
    assert cutune.Search({"BLOCK": [512, 1024, 2048]}, ["BLOCK <= max_threads"]).count == 3


@pytest.mark.parametrize(
    ("keywords", "code", "message"),
    [
        ({"constraints": ["TILE %% ROWS"]}, "SYNTAX", "TILE %% ROWS"),
        ({"constraints": ["TILE > 1000"]}, "NOTHING_VALID", ""),
        ({"configurations": []}, "NOTHING_VALID", "the list of configurations is empty"),
        ({"configurations": [(8,)]}, "DATA", "has 1 of 2 values"),
        ({"configurations": [{"TILE": 8, "ROW": 1}]}, "DATA", "other parameters than TILE, ROWS"),
        ({"default": {"TILE": 128, "ROWS": 16}, "constraints": CONSTRAINTS}, "NOTHING_VALID", ""),
        ({"strategy": "luck"}, "USAGE", "luck"),
        ({"seed": -1}, "USAGE", "the seed -1"),
    ],
)
def test_errors_of_opening(keywords: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(cutune.Error) as caught:
        cutune.Search(PARAMS, **keywords)
    assert cutune.ErrorCode(caught.value.code).name == code and message in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((), {}, "params or space"),
        ((PARAMS,), {"space": "transpose"}, "params or space"),
        ((), {"space": "transpose", "constraints": ["TILE > 1"]}, "has its own constraints"),
        ((PARAMS, "TILE > 8"), {}, "not one text"),
        ((PARAMS,), {"strateg": 1}, "strateg is neither"),
    ],
)
def test_wrong_calls(arguments: tuple[Any, ...], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        cutune.Search(*arguments, **keywords)


def test_errors_of_answers() -> None:
    search = cutune.Search(PARAMS, CONSTRAINTS)
    with pytest.raises(cutune.Error) as caught:
        search.best  # noqa: B018
    assert caught.value.code == cutune.ErrorCode.NOTHING_VALID
    configuration = search.ask()[0]
    for value in (0, -1, float("nan"), float("inf")):
        with pytest.raises(cutune.Error) as caught:
            search.tell(configuration, value)
        assert caught.value.code == cutune.ErrorCode.VALUE
    with pytest.raises(TypeError, match="a value or a failure"):
        search.tell(configuration)
    with pytest.raises(TypeError, match="no least value"):
        search.tell(configuration, failure="no", least=1)
    assert search.in_flight == [configuration]
    search.tell(configuration, 1)
    with pytest.raises(cutune.Error) as caught:
        search.tell(configuration, 1)
    assert caught.value.code == cutune.ErrorCode.USAGE
    with pytest.raises(cutune.Error, match="cannot propose 0"):
        search.ask(0)


def test_threads_share_a_search() -> None:
    search = cutune.Search({"A": list(range(40)), "B": list(range(40))}, strategy="random")
    told: list[tuple[int, int]] = []

    def work() -> None:
        for _ in range(50):
            for configuration in search.ask(2):
                search.tell(configuration, 1 + configuration["A"])
                told.append((configuration["A"], configuration["B"]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == len(set(told)) == 400
