#include "compare/compared.h"

#include <stdio.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "compare/compare_fits.h"
#include "terminal/output.h"

/* Versions of one device may differ, since a comparison is mostly about them. */
static void warn_of_run(const struct measured_run *first, const struct measured_run *other)
{
    const struct provenance *a = &first->provenance, *b = &other->provenance;
    if (strcmp(a->options, b->options) != 0)
        output_note("%s and %s were measured in different ways: %s; %s", first->path, other->path, a->options,
                    b->options);
    bool known = *a->source_hash && *b->source_hash; /* the run is not from another tool */
    if (known && strcmp(a->data_hash, b->data_hash) != 0)
        output_note("%s and %s were measured with different data", first->path, other->path);
    if (known && strcmp(a->device.name, b->device.name) != 0 && !provenance_same(a, b, PROVENANCE_VERSION))
        output_note("%s and %s are of different versions of the kernel or its space", first->path, other->path);
}

/* Warns about facts that affect the meaning of the numbers. */
void compared_warn(const struct compared *compared)
{
    for (size_t i = 0; i < compared->measured.count; i++)
        if (compared->measured.items[i].torn_line)
            output_note("%s:%d: the last line is incomplete and ignored", compared->measured.items[i].path,
                        compared->measured.items[i].torn_line);
    if (compared->measured.other_count)
        output_note("%zu database rows of another objective than %s are left out", compared->measured.other_count,
                    objective_default()->name);
    for (size_t i = 0; i < compared->comparisons.count; i++) {
        const struct comparison *one = &compared->comparisons.items[i];
        for (size_t j = 0; j < i; j++)
            if (strcmp(one->kernel, compared->comparisons.items[j].kernel) == 0 &&
                pairs_compare(one->problem, compared->comparisons.items[j].problem) == 0)
                output_note("%s and %s have different %s: compared separately", one->runs[0].measured_run->path,
                            compared->comparisons.items[j].runs[0].measured_run->path,
                            one->objective == compared->comparisons.items[j].objective ? "parameters" : "objectives");
        for (size_t r = 1; r < one->run_count; r++)
            warn_of_run(one->runs[0].measured_run, one->runs[r].measured_run);
    }
}

int compared_load(struct compared *compared, const char *const *files, size_t count, const char *kernel,
                  struct error *error)
{
    int code = 0;
    compared->files = files;
    compared->measured.work = compared->work;
    for (size_t i = 0; i < count && !code; i++)
        code = measured_runs_add(&compared->measured, files[i], error);
    if (!code)
        code = comparisons_make(&compared->comparisons, &compared->measured, kernel, error);
    if (code || compared->comparisons.count ||
        (compared->fits_alone && compare_fits_count(&compared->measured, kernel)))
        return code;
    const char *near = NULL;
    error_set(error, ERROR_NOT_FOUND, "no results of %s%.100s", kernel ? "the kernel " : "any kernel",
              kernel ? kernel : "");
    for (size_t i = 0; i < compared->measured.count && kernel && !near; i++)
        near = text_nearest(kernel, &compared->measured.items[i].provenance.kernel, 1);
    if (near)
        error_hint(error, "did you mean %s?", near);
    return ERROR_NOT_FOUND;
}

int compared_find(struct compared *compared, size_t top, double margin, struct error *error)
{
    size_t count = compared->comparisons.count, runs = 0;
    int code = 0;
    compared->findings = arena_array(&compared->arena, count, sizeof *compared->findings);
    if (!compared->findings)
        return error_memory(error);
    for (size_t i = 0; i < count; i++)
        runs += compared->comparisons.items[i].run_count;
    work_begin(compared->work, "steps of the analysis", runs * FINDINGS_STEPS);
    for (size_t i = 0; i < count && !code; i++)
        code = findings_make(&compared->findings[i], &compared->arena, &compared->comparisons.items[i], top, margin,
                             compared->work, error);
    return code;
}

void compared_close(struct compared *compared)
{
    comparisons_free(&compared->comparisons);
    measured_runs_free(&compared->measured);
    arena_free(&compared->arena);
}
