"""Twice a matrix: the tensor map of TMA brings each tile of ROWS x COLS into shared memory."""

import cutlass
from cutlass import cute
from cutlass.cute.nvgpu import cpasync


@cute.kernel
def double_tiles(
    load: cute.CopyAtom, x: cute.Tensor, out: cute.Tensor, layout: cute.Layout, ROWS: cutlass.Constexpr, COLS: cutlass.Constexpr
):
    thread, _, _ = cute.arch.thread_idx()
    column, row, _ = cute.arch.block_idx()
    smem = cutlass.utils.SmemAllocator()
    tile = smem.allocate_tensor(cutlass.Float32, layout, byte_alignment=128)
    barrier = smem.allocate_array(cutlass.Int64)
    source, target = cute.local_tile(x, (ROWS, COLS), (row, column)), cute.local_tile(out, (ROWS, COLS), (row, column))
    to, from_ = cpasync.tma_partition(load, 0, cute.make_layout(1), cute.group_modes(tile, 0, 2), cute.group_modes(source, 0, 2))
    if thread == 0:
        cute.arch.mbarrier_init(barrier, 1)
        cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    if cute.arch.make_warp_uniform(cute.arch.warp_idx()) == 0:
        with cute.arch.elect_one():
            cute.arch.mbarrier_arrive_and_expect_tx(barrier, ROWS * COLS * 4)
        cute.copy(load, from_, to, tma_bar_ptr=barrier)
    cute.arch.mbarrier_wait(barrier, 0)
    for at in cutlass.range(thread, ROWS * COLS, 128):
        target[at // COLS, at % COLS] = 2 * tile[at // COLS, at % COLS]


@cute.jit
def doubled(x: cute.Tensor, out: cute.Tensor, ROWS: cutlass.Constexpr, COLS: cutlass.Constexpr):
    layout = cute.make_layout((ROWS, COLS), stride=(COLS, 1))
    load, tiles = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), x, layout, (ROWS, COLS))
    grid = (x.shape[1] // COLS, x.shape[0] // ROWS, 1)
    double_tiles(load, tiles, out, layout, ROWS, COLS).launch(grid=grid, block=(128, 1, 1))
