"""The result of a run."""

from __future__ import annotations

import functools
import json
import math
import os
from typing import Any

from ._database import Journal
from ._error import Error, ErrorCode
from ._frame import configuration_of
from ._program import command, rows_of
from ._space import Space

_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1.0, "ns"))


def time_text(time_ns: float) -> str:
    """
    >>> time_text(133045.3)
    '133.0 us'
    """
    if math.isnan(time_ns):
        return "unknown"
    scale, unit = next((row for row in _UNITS if time_ns >= row[0]), _UNITS[-1])
    return f"{time_ns / scale:.4g} {unit}" if time_ns / scale >= 1000 else f"{time_ns / scale:#.4g} {unit}"


def _real(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


class Result:
    """The winner of a run and the way to everything measured. `row` has all numbers by the names of `cutune --format json`."""

    def __init__(self, row: dict[str, Any], space: Space | None, database: str) -> None:
        self.row = row
        self.space = space
        self._database = database

    # ---- The winner ----

    @property
    def best(self) -> dict[str, int | float | str]:
        """The best configuration."""
        return configuration_of(self.row["configuration"])

    @property
    def default(self) -> dict[str, int | float | str]:
        """The configuration of the space's `default`."""
        return configuration_of(self.row.get("default_configuration") or "")

    def _time(self, end: str) -> float:
        time = self.row.get(f"{end}_ns")
        return _real(self.row.get(f"{end}_per_work_ns") if time is None else time)

    @property
    def time_ns(self) -> float:
        """Median, in ns; with a `work` statement, of a unit of work. `low_ns` and `high_ns` are its interval."""
        return self._time("time")

    @property
    def low_ns(self) -> float:
        return self._time("low")

    @property
    def high_ns(self) -> float:
        return self._time("high")

    @property
    def speedup(self) -> float:
        """How many times faster the best configuration is than the default; NaN if the default has no time."""
        return _real(self.row.get("speedup"))

    @property
    def kernel(self) -> str:
        return str(self.row["kernel"])

    @property
    def device(self) -> str:
        return str(self.row["device"])

    @property
    def problem(self) -> dict[str, int | float | str]:
        return configuration_of(self.row["problem"])

    @property
    def replayed(self) -> bool:
        return bool(self.row.get("replayed"))

    @property
    def interrupted(self) -> bool:
        return bool(self.row.get("interrupted"))

    # ---- All of it ----

    @functools.cached_property
    def journal(self) -> Journal:
        """The journal of the run."""
        path = self.row.get("journal")
        if not path:
            raise Error(ErrorCode.NOT_FOUND, "this run has no journal")
        return Journal(path)

    @functools.cached_property
    def tied(self) -> list[dict[str, int | float | str]]:
        """The configurations that the play-off could not tell from the best."""
        journal = self.journal
        if not self.row.get("tied") or "playoff" not in journal.columns:
            return []
        playoff, count = journal.columns.index("playoff"), len(journal.parameters)
        rows = [row[:count] for row in journal.cells() if row[playoff] == "tied"]
        made = [configuration_of(" ".join(f"{n}={v}" for n, v in zip(journal.parameters, row, strict=True))) for row in rows]
        return [configuration for configuration in made if configuration != self.best]

    def frame(self) -> Any:
        """A row for each configuration: a pandas.DataFrame, or a dict of NumPy arrays without pandas."""
        return self.journal.frame()

    def front(self) -> list[dict[str, Any]]:
        """The candidates of `tune(..., objective="time,energy")`, as `cutune show --front` has them: time, energy, power and energy times
        delay, with their intervals. Those with a true `front` come first: none is measurably better in time or energy and as good in the
        other."""
        rows = rows_of(command("show", front=self.journal.path, format="json"))
        return [{**row, "front": row["front"] == "yes", "configuration": configuration_of(row["configuration"])} for row in rows]

    def weighted(self, weight: float) -> dict[str, int | float | str]:
        """The configuration on the `front()` that is the best if energy has this weight, from 0 to 1, and time the rest: `cutune emit
        --prefer weight=W`."""
        written = command("emit", db=self.journal.path, kernel=self.kernel, prefer=f"weight={weight}", format="json")
        return dict(json.loads(written)["rows"][0]["configuration"])

    def report(self, path: str | os.PathLike[str]) -> str:
        """Writes the report on the run, one HTML page. Returns its path."""
        command("report", self.journal.path, output=os.fspath(path))
        return os.fspath(path)

    def header(self, path: str | os.PathLike[str], **options: object) -> str:
        """Writes the header with the kernel's best configurations: options are those of `cutune emit`. A weight takes the energies of this
        run. Returns its path."""
        source = self.journal.path if self.replayed else self._database
        if str(options.get("prefer")).startswith("weight="):
            options = {"journal": self.journal.path, **options}
        command("emit", **{"db": source, "kernel": self.kernel, "output": os.fspath(path), **options})
        return os.fspath(path)

    def explain(self, **options: object) -> str:
        """Says why the winner is the fastest: options are those of `cutune explain`."""
        if "space" not in options and self.space is not None and self.space.path and not self.replayed:
            options["space"] = self.space.path
        return command("explain", self.journal.path, **options)

    # ---- For people ----

    def _facts(self) -> list[tuple[str, str]]:
        percent = self.row.get("ceiling_percent")
        time = f"{time_text(self.time_ns)}, interval {time_text(self.low_ns)} to {time_text(self.high_ns)}"
        tied = int(self.row.get("tied") or 0)
        facts = [
            ("kernel", self.kernel),
            ("problem", self.row["problem"]),
            ("device", self.device),
            ("winner", self.row["configuration"]),
            ("time", time),
            ("of the limit", "" if percent is None else f"{percent:.1f} %"),
            ("speed-up", "" if math.isnan(self.speedup) else f"{self.speedup:.2f} times the default"),
            ("tied", f"{tied} configurations" if tied > 1 else ""),
            ("evaluated", f"{self.row.get('evaluated')} of {self.row.get('valid')} valid configurations"),
            ("why", self.row.get("why") or ""),
            ("replayed", "nothing was measured now" if self.replayed else ""),
            ("interrupted", "the same call resumes" if self.interrupted else ""),
        ]
        return [(name, text) for name, text in facts if text]

    def __str__(self) -> str:
        return "\n".join(f"{name:<12} {text}" for name, text in self._facts())

    def __repr__(self) -> str:
        return f"<cutune.Result {self.kernel} on {self.device}: {self.row['configuration']}, {time_text(self.time_ns)}>"

    def _chart(self) -> str:
        """Times of the timed configurations, sorted, as an inline SVG."""
        import html

        journal = self.journal
        name = next((name for name in ("time_ns", "time_per_work_ns") if name in journal.columns), None)
        if name is None:
            return ""
        at, status = journal.columns.index(name), journal.columns.index("status")
        times = sorted(float(row[at]) for row in journal.cells() if row[at] and row[status] in ("ok", "slower"))
        if len(times) < 2 or times[0] <= 0:
            return ""
        width, height, step = 480, 120, max(1, len(times) // 480)
        top = math.log(times[-1] / times[0]) or 1.0
        points = " ".join(
            f"{i / (len(times) - 1) * width:.1f},{height - math.log(times[i] / times[0]) / top * height:.1f}"
            for i in [*range(0, len(times), step), len(times) - 1]
        )
        return (
            f'<svg viewBox="-4 -14 {width + 8} {height + 32}" width="{width}" role="img" font-size="11" fill="currentColor">'
            f'<polyline points="{points}" fill="none" stroke="#3b7ea1" stroke-width="2"/>'
            f'<text x="0" y="{height + 13}">fastest: {html.escape(time_text(times[0]))}</text>'
            f'<text x="{width}" y="-4" text-anchor="end">slowest of {len(times)}: {html.escape(time_text(times[-1]))}</text></svg>'
        )

    def _repr_html_(self) -> str:
        import html

        headline = f"{self.kernel}: {time_text(self.time_ns)}"
        if not math.isnan(self.speedup):
            headline += f", {self.speedup:.2f} times as fast as the default"
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(n)}</th><td style='text-align:left'>{html.escape(t)}</td></tr>"
                       for n, t in self._facts())  # fmt: skip
        try:
            chart = self._chart()
        except (Error, ValueError):
            chart = ""
        return f"<div><strong>{html.escape(headline)}</strong><table>{rows}</table>{chart}</div>"
