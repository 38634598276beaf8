"""The faults of a compiler, by the value of the parameter FAULT."""

import os
import time


def happen(fault):
    """Returns whether the results shall be wrong."""
    if fault in ("crash", 2):
        os.abort()
    if fault in ("hang", 3):
        time.sleep(1e6)
    return fault in ("wrong", 1)
