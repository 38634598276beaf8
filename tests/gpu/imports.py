"""Cases about imported descriptions."""
import array
import os
import shutil

from support import ROOT, WORKED, check, cutune, rows_of, show_times, tune


def t1(folder):
    """A T1 description is imported and tuned from another folder. Its arguments and constant memory have their effect
    on the device, and variants that differ from the default are wrong."""
    descriptions = os.path.join(ROOT, "tests/integration/t1")
    wrong = {"convolution": lambda row: row["fault"] == "1", "addition": lambda row: False, "multiplication": lambda row: False}
    for name, is_wrong in wrong.items():
        own = os.path.join(folder, name)
        os.mkdir(own)
        done = cutune("import", os.path.join(descriptions, name + ".json"), "-o", name + ".space", folder=own)
        check(done.returncode == 0, "import of %s: %s" % (name, done.stderr))
        tune("--space", name + ".space", folder=own)
        check_rows(own, is_wrong)
    # The same contents come from a file, beside a copy of the description.
    own = os.path.join(folder, "file")
    os.mkdir(own)
    shutil.copy(os.path.join(descriptions, "addition.cu"), own)
    with open(os.path.join(descriptions, "addition.json"), encoding="utf-8") as file:
        text = file.read().replace('"FillType": "Constant", "FillValue": 3', '"FillType": "BinaryRaw", "DataSource": "b.bin"')
    with open(os.path.join(own, "addition.json"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(own, "b.bin"), "wb") as file:
        array.array("f", [3] * 100000).tofile(file)
    with open(os.path.join(own, "addition.space"), "w", encoding="utf-8") as file:
        file.write(cutune("import", "addition.json", folder=own).stdout)
    tune("--space", "addition.space", folder=own)
    check_rows(own, lambda row: False)


def check_rows(folder, is_wrong):
    rows = rows_of(folder)
    show_times(rows)
    check(any(row["status"] in WORKED for row in rows), "nothing worked")
    for row in rows:
        check(row["status"] in (("wrong_result",) if is_wrong(row) else WORKED), "%s" % row)
