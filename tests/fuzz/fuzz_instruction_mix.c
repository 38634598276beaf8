/* Reads any text as a listing: all items of the machine code, each a number that is not negative, or none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compile/instruction_mix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct evidence evidence = evidence_unknown();
    struct error error = {0};
    char *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    if (instruction_mix_read(copy, "k", &evidence, &error))
        __builtin_trap();
    bool some = evidence_has(&evidence, EVIDENCE_CODE);
    for (size_t i = 0; i < evidence_count; i++)
        if (evidence_rows[i].source == EVIDENCE_CODE && some && !(evidence_get(&evidence, &evidence_rows[i]) >= 0))
            __builtin_trap();
    free(copy);
    return 0;
}
