#!/usr/bin/env python3
"""Runs winners and defaults under compute-sanitizer: sanitize.py --program P --db cutune.csv [--tools ...] SPACE...
For each space, the configuration in the database and the space's default are verified and timed a few times under every
tool. Exit status 1 when a tool reports anything, 77 without a device or compute-sanitizer."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def best_of(program, database, kernel):
    out = subprocess.run([program, "show", "--db", database, "--kernel", kernel, "--format", "json"],
                         stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)


def configurations(program, database, space):
    """Returns the default of a space, and the winners in the database."""
    facts = subprocess.run([program, "check", space], stdout=subprocess.PIPE, check=True, text=True).stdout
    kernel = re.search(r"^kernel +(\S+)", facts, re.M).group(1)
    default = re.search(r"^default +(.+)$", facts, re.M).group(1).strip()
    rows = best_of(program, database, re.sub(r"\W", "_", kernel))
    return sorted({default, *(row["configuration"] for row in rows)})


def sanitize(program, tool, space, configs, options):
    """Returns the tool's count of errors; None if it did not finish."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["compute-sanitizer", "--tool", tool, "--target-processes", "all", program, "--space", space,
                   "--samples", "7", "--playoff", "0", "--timeout", "600", "--journal", f"{folder}/d", "--db",
                   f"{folder}/db.csv", "--format", "json", *options]
        command += [word for config in configs for word in ("--config", config)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    counts = [int(count) for count in re.findall(r"SUMMARY: (\d+)", done.stdout)]
    worked = re.search(r'"count_ok":\s*(\d+)', done.stdout)
    if done.returncode or not counts or not worked or int(worked.group(1)) == 0:
        print(done.stdout[-3000:])
        return None
    if sum(counts):
        print(done.stdout[:3000])
    return sum(counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--db", required=True)
    parser.add_argument("--tools", default="memcheck,racecheck,synccheck")
    parser.add_argument("spaces", nargs="+")
    arguments, options = parser.parse_known_args()
    program = os.path.abspath(arguments.program)
    if not shutil.which("compute-sanitizer") or subprocess.run([program, "devices"], stdout=subprocess.DEVNULL,
                                                               stderr=subprocess.DEVNULL).returncode:
        print("skipped: no device, or no compute-sanitizer")
        sys.exit(SKIPPED)
    clean = True
    for space in arguments.spaces:
        configs = configurations(program, arguments.db, space)
        found = {tool: sanitize(program, tool, space, configs, options) for tool in arguments.tools.split(",")}
        clean = clean and not any(count is None or count for count in found.values())
        words = ", ".join(f"{tool} {'FAILED' if count is None else count}" for tool, count in found.items())
        print(f"{os.path.basename(space):24} {len(configs)} configurations: {words}", flush=True)
    sys.exit(not clean)


main()
