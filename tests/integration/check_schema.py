#!/usr/bin/env python3
"""Results in JSON are as the schema says: check_schema.py PROGRAM FAKE_PROGRAM

Runs a command for each definition of tools/schema/cutune.schema.json and validates what it writes with the package
jsonschema. The same without a member, and with one more, must be invalid. Skipped without jsonschema."""
import copy
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIPPED: there is no package jsonschema for this Python")
    sys.exit(77)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
H200 = "$ROOT/db/recorded/copy.NVIDIA-H200.*.csv"
DEVICE_FILE = "--device-file $ROOT/space/devices/H200.csv"
# Definition and command; `fake` is the program with devices that are not real. Every definition that is an output has a row.
ROWS = (
    ("tune", "cutune --space copy --replay %s --format json" % H200),
    ("tune", "fake --space $ROOT/tests/unit/device/scripted.space --explain no --set FAULT=none --set TIME=5000,6000 --set FROM=1 --set SHARED=0 --format json"),
    ("tune", "CUTUNE_FAKE='nvml=1 watts=100' fake --space $ROOT/tests/unit/device/scripted.space --objective energy --explain no --set FAULT=none "
             "--set TIME=5000,6000 --set FROM=1 --set SHARED=0 --db energy.csv --journal energy --format json"),
    ("check", "cutune check copy --format json"),
    ("check", "cutune check copy %s --format json --compile=default" % DEVICE_FILE),
    ("check", "cutune check wrong.space --format json"),
    ("judge", "fake judge --space $ROOT/tests/unit/device/scripted.space $ROOT/tests/unit/device/scripted.cu --format json"),
    ("show", "cutune show --db $ROOT/db/recorded.csv --kernel copy --format json"),
    ("show_front", "cutune show --front $ROOT/tests/unit/formats/journal-1-energy.csv --format json"),
    ("show_for", "cutune show --for H200 -D N=1048576 --db $ROOT/db/recorded.csv --kernel copy --format json"),
    ("show_for", "cutune show --for 'another GPU' --cc 80 --sm 100 -D N=64 --db $ROOT/db/recorded.csv --kernel copy --format json"),
    ("emit", "cutune emit --db $ROOT/db/recorded.csv --kernel copy --format json"),
    ("emit", "cutune emit --db $ROOT/tests/unit/formats/database-2-fit.csv --kernel copy --format json"),
    ("compile", "cutune compile copy %s --format json" % DEVICE_FILE),
    ("compare", "cutune compare $ROOT/db/recorded/copy.*.csv --format json"),
    ("compare", "cutune compare $ROOT/tests/unit/formats/database-2-fit.csv --format json"),
    ("explain", "cutune explain --collect no $ROOT/tests/cli/fixtures/explained.csv --format json"),
    ("devices", "fake devices --format json"),
    ("doctor", "cutune doctor --format json"),
    ("strategies", "cutune strategies --format json"),
    ("strategy_options", "cutune strategies surrogate --format json"),
    ("cache", "cutune cache --format json"),
)
PARTS = {"database_row", "limits", "status_counts", "tune_counts", "explain_change"}  # definitions of parts of an output
failures = []


def fail(text):
    failures.append(text)
    print("FAILED: " + text)


def output_of(command, folder, environment):
    done = subprocess.run(["/bin/sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        fail("%s: no JSON, exit status %d: %s" % (command, done.returncode, done.stderr))
        return None


def spoilt(result):
    """Yields copies of a result that are wrong."""
    for change in (lambda item: item.pop(next(iter(item))), lambda item: item.update(unknown_member=1),
                   lambda item: item.update({next(iter(item)): []})):
        wrong = copy.deepcopy(result)
        change(wrong[0] if isinstance(wrong, list) else wrong)
        yield wrong


def main():
    with open(os.path.join(ROOT, "tools/schema/cutune.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    for name in set(schema["$defs"]) ^ {name for name, _ in ROWS} ^ PARTS:
        fail("%s: no command has this definition, or there is none" % name)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, ".bin"))
        for name, program in zip(("cutune", "fake"), sys.argv[1:3]):
            os.symlink(os.path.abspath(program), os.path.join(folder, ".bin", name))
        with open(os.path.join(folder, "wrong.space"), "w", encoding="utf-8") as file:
            file.write("space 2\nparam\nrequire\n")
        environment = {**os.environ, "PATH": os.path.join(folder, ".bin") + ":" + os.environ["PATH"], "HOME": folder, "ROOT": ROOT,
                       "CUTUNE_TEMPLATES": os.path.join(ROOT, "templates"), "CUTUNE_DEVICES": os.path.join(ROOT, "space/devices"), "LC_ALL": "C"}
        for name, command in ROWS:
            result = output_of(command, folder, environment)
            if not result:
                fail(command + ": no result")
                continue
            validator = jsonschema.Draft202012Validator({**schema, "$ref": "#/$defs/" + name})
            for fault in list(validator.iter_errors(result))[:3]:
                fail("%s: %s at %s" % (command, fault.message[:300], fault.json_path))
            if any(validator.is_valid(wrong) for wrong in spoilt(result)):
                fail("%s: wrong results are valid" % command)
    print("%d results" % len(ROWS))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
