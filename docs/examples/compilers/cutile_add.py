"""The sum of two vectors, a tile of TILE elements for each block."""

import cuda.tile as ct


@ct.kernel
def add(x, y, out, TILE: ct.Constant[int]):
    at = (ct.bid(0),)
    ct.store(out, index=at, tile=ct.load(x, index=at, shape=(TILE,)) + ct.load(y, index=at, shape=(TILE,)))
