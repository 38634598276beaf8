#!/usr/bin/env python3
"""README.md says what is true. Its options are what the program says: between <!-- options --> and <!-- /options -->, inside a
``` fence, stands the output of `cutune --help`. Its examples are right: every ```space block passes `cutune check`, beside the
templates' sources and the ```cuda block of the walk-through.

    check_readme.py [--update] PROGRAM README"""
import difflib
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- options -->\n+```[a-z]*\n)(.*?)(```\n+<!-- /options -->)", re.S)


def check_examples(program, text, root):
    """How many examples are wrong."""
    blocks = dict((name, re.findall(r"^```%s\n(.*?)^```" % name, text, re.S | re.M)) for name in ("space", "cuda"))
    if len(blocks["space"]) < 2 or len(blocks["cuda"]) != 1:
        sys.exit("README.md has lost its examples")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in glob.glob(os.path.join(root, "templates", "*.cu")):
            shutil.copy(source, folder)
        with open(os.path.join(folder, "smooth.cu"), "w", encoding="utf-8") as file:
            file.write(blocks["cuda"][0])
        for block in blocks["space"]:
            with open(os.path.join(folder, "example.space"), "w", encoding="utf-8") as file:
                file.write(block)
            done = subprocess.run([os.path.abspath(program), "check", "example.space"], cwd=folder, capture_output=True, text=True)
            if done.returncode:
                print(done.stderr)
                wrong += 1
    return wrong


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, readme = arguments
    help_text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    with open(readme, encoding="utf-8") as file:
        text = file.read()
    match = BLOCK.search(text)
    if not match:
        sys.exit("%s has no block between <!-- options --> and <!-- /options -->" % readme)
    if check_examples(program, text, os.path.dirname(os.path.abspath(readme))):
        return 1
    if match.group(2) == help_text:
        return 0
    if "--update" in sys.argv:
        with open(readme, "w", encoding="utf-8") as file:
            file.write(text[:match.start(2)] + help_text + text[match.end(2):])
        return 0
    sys.stdout.writelines(difflib.unified_diff(match.group(2).splitlines(True), help_text.splitlines(True), readme,
                                               "cutune --help"))
    print("the options in %s are out of date: run check_readme.py --update" % readme)
    return 1


if __name__ == "__main__":
    sys.exit(main())
