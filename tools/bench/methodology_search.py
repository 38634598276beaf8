"""A search method for Kernel Tuner and autotuning_methodology: cutune.Search."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import cutune  # noqa: E402


class Cutune:
    """Called by Kernel Tuner with a cost function, which raises an exception when the budget is spent, and a search space."""

    def __init__(self, library, strategy="surrogate"):
        self.costfunc_kwargs = {"scaling": False, "snap": False}
        os.environ["CUTUNE_LIBRARY"] = library
        self.strategy = strategy

    def answer_of(self, cost, result):
        """Returns the answer for a cost. Costs of rates to be maximised are negative. As in a run, the effort is that of compiling."""
        effort_s = result.get("compile_time", 0) * 1e-3
        if "__error__" in result or not abs(cost) < sys.float_info.max or cost == 0:
            return {"failure": str(result.get("__error__")), "effort_s": effort_s}
        return {"value": cost if cost > 0 else -1 / cost, "effort_s": effort_s}

    def __call__(self, func, searchspace):
        search = cutune.Search(searchspace.tune_params, configurations=searchspace.list, strategy=self.strategy,
                               seed=random.getrandbits(63))
        best = (None, float("inf"))
        while proposed := search.ask():
            values = tuple(proposed[0].values())
            cost = func(values)
            best = min(best, (values, cost), key=lambda pair: pair[1])
            search.tell(proposed[0], **self.answer_of(cost, func.results[-1]))
        return best
