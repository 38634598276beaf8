#!/usr/bin/env python3
"""The options in README.md are what the program says: between <!-- options --> and <!-- /options -->, inside a ``` fence,
stands the output of `cutune --help`.

    check_readme.py [--update] PROGRAM README"""
import difflib
import re
import subprocess
import sys

BLOCK = re.compile(r"(<!-- options -->\n+```[a-z]*\n)(.*?)(```\n+<!-- /options -->)", re.S)


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
