#include "compile/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"
#include "compile/log.h"

/* ---- Reading ---- */

/* True if the kernel of the machine code has this name in the source, which may lack its namespace: templates and
 * overloads have further characters. */
static bool is_instance(const char *symbol, const char *name)
{
    size_t length, wanted;
    const char *word = symbol_word(symbol, &length), *expected = symbol_word(name, &wanted);
    wanted = strcspn(expected, "<");
    return strncmp(symbol, "_Z", 2) == 0 && length == wanted && memcmp(word, expected, length) == 0;
}

/* Finds the only kernel of that name. NULL: the code has no such kernel, or several. */
static const char *find_kernel(const struct compile_job *job, const char *name)
{
    const char *found = NULL, *symbol;
    size_t count = 0;
    for (size_t at = 0; (symbol = cubin_kernel(job->module, job->module_bytes, &at));) {
        if (strcmp(symbol, name) == 0)
            return symbol;
        if (is_instance(symbol, name)) {
            found = symbol;
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static bool suits_device(const struct compile_job *job, struct compile_reply *reply)
{
    const int64_t of_code = cubin_capability(job->module, job->module_bytes);
    if (of_code < 0)
        log_explain(reply, STATUS_COMPILE_ERROR, "the file is ELF, but not machine code for a GPU");
    else if (of_code / 10 != job->cc / 10 || of_code > job->cc)
        log_explain(reply, STATUS_COMPILE_ERROR, "the machine code is for sm_%lld, the device has sm_%lld",
                    (long long)of_code, (long long)job->cc);
    return reply->status == STATUS_OK;
}

static bool name_kernels(const struct compile_job *job, struct compile_reply *reply)
{
    const char *name = job->name_expressions;
    for (size_t k = 0; k < job->name_count; k++, name += strlen(name) + 1) {
        const char *symbol = find_kernel(job, name);
        if (!symbol) {
            log_explain(reply, STATUS_COMPILE_ERROR, "the machine code has no kernel '%s', or several", name);
            return false;
        }
        text_append(&reply->own_names, symbol, strlen(symbol) + 1);
    }
    reply->lowered_names = text_string(&reply->own_names);
    reply->name_count = job->name_count;
    return true;
}

void foreign_read(const struct compile_job *job, struct compile_reply *reply)
{
    struct error error = {0};
    reply->cubin = malloc(job->module_bytes);
    if (!reply->cubin) {
        log_explain(reply, STATUS_COMPILE_ERROR, "out of memory");
        return;
    }
    memcpy(reply->cubin, job->module, job->module_bytes);
    reply->cubin_bytes = job->module_bytes;
    if (suits_device(job, reply) && name_kernels(job, reply) && compile_reply_read_resources(reply, &error))
        log_explain(reply, STATUS_COMPILE_ERROR, "%s", error.message);
}

/* ---- Screening ---- */

/* Functions that the driver may supply. Any other could start other kernels, print into the judge's output, or be
 * unknown. */
static const char *const harmless[] = {"malloc", "free", "__assertfail"};
/* Data of the linker. */
static const char *const prefixes[] = {".nv.", "__UDT", "__UFT"};

static const struct {
    const char *part, *meaning;
} meanings[] = {{"LaunchDevice", "it launches kernels from the device"},
                {"GetParameterBuffer", "it launches kernels from the device"},
                {"cudaGraphLaunch", "it launches graphs from the device"},
                {"cnp", "it uses the runtime of the device, which launches kernels"},
                {"vprintf", "it prints"}};

static bool is_harmless(const char *symbol)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(symbol, harmless[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(symbol, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static const char *meaning_of(const char *symbol)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strstr(symbol, meanings[i].part))
            return meanings[i].meaning;
    return "it calls a function outside of its code";
}

void foreign_screen(struct compile_reply *reply)
{
    struct bundle bundle;
    if (reply->status != STATUS_OK)
        return;
    if (!bundle_read(reply->cubin, reply->cubin_bytes, &bundle)) {
        log_explain(reply, STATUS_COMPILE_ERROR, "refused: the machine code is damaged");
        return;
    }
    for (size_t p = 0; p < bundle.part_count; p++) {
        const char *symbol;
        for (size_t at = 0; (symbol = cubin_undefined(bundle.parts[p].bytes, bundle.parts[p].length, &at));)
            if (!is_harmless(symbol)) {
                log_explain(reply, STATUS_COMPILE_ERROR, "refused: %s (%.100s)", meaning_of(symbol), symbol);
                return;
            }
    }
}
