"""Checks the package by mypy and ruff; exits with 77 where they are missing."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main() -> int:
    if not all(importlib.util.find_spec(name) for name in ("mypy", "ruff")):
        print("mypy or ruff is missing")
        return 77
    with tempfile.TemporaryDirectory() as cache:
        checks = (
            ["mypy", "--strict", "--cache-dir", cache, "-p", "cutune"],
            ["ruff", "check", "--no-cache", "tools/python"],
            ["ruff", "format", "--no-cache", "--check", "tools/python"],
        )
        results = [subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode for check in checks]
    return int(any(results))


if __name__ == "__main__":
    sys.exit(main())
