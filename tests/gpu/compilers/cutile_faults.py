import cuda.tile as ct
from faults import happen


@ct.kernel
def twice(x, out, BLOCK: ct.Constant[int], FAULT: ct.Constant[int]):
    factor = ct.static_eval(3 if happen(FAULT) else 2)
    ct.store(out, index=(ct.bid(0),), tile=ct.load(x, index=(ct.bid(0),), shape=(BLOCK,)) * factor)
