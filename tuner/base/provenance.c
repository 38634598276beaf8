#include "base/provenance.h"

#include "base/text.h"

int provenance_fingerprint(const struct provenance *provenance, char fingerprint[HASH_HEX_BYTES], struct error *error)
{
    const struct {
        const char *name, *value;
    } fields[] = {{"schema", provenance->schema},     {"kernel", provenance->kernel},
                  {"problem", provenance->problem},   {"options", provenance->options},
                  {"source", provenance->source},     {"space", provenance->space},
                  {"toolkit", provenance->toolkit},   {"data", provenance->data},
                  {"device", provenance->device},     {"cc", provenance->cc},
                  {"driver", provenance->driver},     {"nvrtc", provenance->nvrtc},
                  {"build", provenance->nvrtc_build}, {"cutune", provenance->cutune}};
    struct text text = {0};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        text_printf(&text, "%s %s\n", fields[i].name, fields[i].value);
    int code = text.failed ? error_memory(error) : 0;
    if (!code)
        hash_hex(text.bytes, text.length, fingerprint);
    text_free(&text);
    return code;
}
