/* Rows for the suites of the database. */
#ifndef CUTUNE_TESTS_DATABASE_ROWS_H
#define CUTUNE_TESTS_DATABASE_ROWS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "database/database.h"

static inline struct best make_best(const char *kernel, const char *device, double value)
{
    struct best best = {.provenance.kernel = kernel,
                        .provenance.problem = "N=1",
                        .objective = "time",
                        .configuration = "A=1, \"b\"",
                        .value = value,
                        .low = value * 0.99,
                        .high = value * 1.01,
                        .samples = 7,
                        .provenance.default_ = "A=0",
                        .default_value = NAN,
                        .speedup = NAN,
                        .library_value = NAN,
                        .library_ratio = NAN,
                        .provenance.bytes = 1.0 / 3,
                        .provenance.flops = 1e30,
                        .provenance.ceilings = {4.15e12, NAN, NAN, NAN},
                        .ceiling_percent = 92.8,
                        .valid = 10,
                        .evaluated = 9,
                        .strategy = "random",
                        .seed = INT64_MIN,
                        .provenance.options = "cache=cold",
                        .provenance.device.cc = 90,
                        .provenance.device.sm_count = 132,
                        .provenance.device.l2_bytes = 62914560,
                        .provenance.device.memory_bytes = 150000000000,
                        .provenance.device.driver = "580.1",
                        .provenance.device.cuda = 13000,
                        .provenance.nvrtc = "13.0",
                        .provenance.source_hash = "aa",
                        .provenance.space_hash = "bb",
                        .provenance.date = "2025-01-02T03:04:05Z",
                        .provenance.version = "0.1.0",
                        .provenance.device.uuid = "GPU-1",
                        .provenance.nvrtc_build = "dd",
                        .provenance.toolkit_hash = "ee",
                        .provenance.data_hash = "ff"};
    snprintf(best.provenance.device.name, sizeof best.provenance.device.name, "%s", device);
    return best;
}

/* True if all columns but the schema have equal cells. */
static inline bool same_best(const struct best *a, const struct best *b)
{
    char buffers[2][CSV_BUFFER_BYTES];
    const char *cells[2];
    size_t count;
    const struct csv_column *columns = database_columns(&count);
    for (size_t i = 1; i < count; i++)
        if (csv_cell_text(&columns[i], a, buffers[0], &cells[0], NULL) ||
            csv_cell_text(&columns[i], b, buffers[1], &cells[1], NULL) || strcmp(cells[0], cells[1]) != 0)
            return false;
    return true;
}

#endif
