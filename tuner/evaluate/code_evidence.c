#include "evaluate/code_evidence.h"

#include <string.h>

#include "compile/accesses.h"
#include "compile/mix.h"

/* The kernel's place among the names. */
static const char *lowered_name(const struct compile_result *result, size_t kernel)
{
    const char *name = result->lowered_names;
    for (size_t k = 0; k < kernel; k++)
        name += strlen(name) + 1;
    return name;
}

void code_evidence(const struct launch *launch, const struct compile_result *result, struct evidence *launches)
{
    struct text listing = {0};
    struct error ignored = {0};
    if (!accesses_list(result->cubin, result->cubin_bytes, &listing, &ignored))
        for (size_t s = 0; s < launch->step_count; s++)
            mix_read(text_string(&listing), lowered_name(result, launch->steps[s].kernel), &launches[s], &ignored);
    text_free(&listing);
}
