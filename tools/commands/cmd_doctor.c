/* Looks at all that cutune needs and uses on this machine. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/toolkit.h"
#include "commands/find.h"
#include "compile/cache.h"
#include "compile/locate.h"
#include "compile/nvcc.h"
#include "compile/pool.h"
#include "database/database.h"
#include "device/cupti.h"
#include "device/device.h"
#include "terminal/command.h"
#include "terminal/output_format.h"
#include "terminal/prose.h"
#include "terminal/width.h"

struct doctor_values {
    const char *database, *journals, *format;
};

static const struct option_row rows[] = {
    {.name = "db",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct doctor_values, database),
     .default_ = "cutune.csv",
     .help = "the database that runs are to use"},
    {.name = "journal",
     .argument = "DIR",
     .type = OPTION_TEXT,
     .offset = offsetof(struct doctor_values, journals),
     .default_ = "cutune.d",
     .help = "the folder of journals that runs are to use"},
    OUTPUT_FORMAT_OPTION(struct doctor_values, format),
};

/* The state of a part. */
struct finding {
    const char *part;
    struct text value, cure; /* `cure` is empty if nothing has to be done */
};

/* An exam of a part: appends what it finds. */
typedef void examine(const struct doctor_values *wanted, struct finding *found);

/* Takes an error as the value, and its hint, or `cure`, as the cure. */
static void take_error(struct finding *found, const struct error *error, const char *cure)
{
    text_printf(&found->value, "%s", error->message);
    text_printf(&found->cure, "%s", error->hint[0] ? error->hint : cure);
}

static void examine_version(const struct doctor_values *wanted, struct finding *found)
{
    (void)wanted;
    text_printf(&found->value, "%s", CUTUNE_VERSION);
}

static void examine_devices(const struct doctor_values *wanted, struct finding *found)
{
    static const char cure[] =
        "without a GPU, `check`, --replay, `show`, `emit` and `report` work; `cutune check --device-file` "
        "plans for an absent GPU";
    struct device_choice chosen;
    struct error error = {0};
    (void)wanted;
    if (device_choose("all", &chosen, &error)) {
        take_error(found, &error, cure);
        return;
    }
    for (size_t d = 0; d < chosen.count; d++) {
        struct device *device = NULL;
        struct error own = {0};
        text_printf(&found->value, "%s%s: ", d ? "; " : "", chosen.names[d]);
        if (device_open(&device, chosen.names[d], &own)) {
            take_error(found, &own, "end the processes that use it, or ask its administrator");
        } else {
            const struct device_limits *limits = device_limits(device);
            text_printf(&found->value, "%s, compute capability %d.%d, driver %s for CUDA %d.%d", limits->name,
                        (int)limits->cc / 10, (int)limits->cc % 10, limits->driver, (int)(limits->cuda / 1000),
                        (int)(limits->cuda % 1000 / 10));
        }
        device_close(device);
    }
}

static void examine_nvrtc(const struct doctor_values *wanted, struct finding *found)
{
    struct text path = {0};
    struct nvrtc_version version;
    struct error error = {0};
    (void)wanted;
    if (locate_nvrtc(&path, &error) || compile_nvrtc_version(&version, &error))
        take_error(found, &error, "set CUDA_HOME to the folder of a CUDA Toolkit, or CUTUNE_NVRTC to the library");
    else
        text_printf(&found->value, "%s, %s", *version.number ? version.number : "unknown version", text_string(&path));
    text_free(&path);
}

static void examine_headers(const struct doctor_values *wanted, struct finding *found)
{
    struct text folders = {0};
    size_t count = 0;
    (void)wanted;
    toolkit_folders(&folders, &count);
    const char *at = text_string(&folders);
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        text_printf(&found->value, "%s%s", i ? ", " : "", at);
    if (!count) {
        text_printf(&found->value, "there are no headers of a CUDA Toolkit");
        text_printf(&found->cure,
                    "sources that include CUDA's headers need them: set CUDA_HOME to the folder of a CUDA Toolkit");
    }
    text_free(&folders);
}

static void examine_nvcc(const struct doctor_values *wanted, struct finding *found)
{
    struct text path = {0};
    struct nvrtc_version version;
    struct error error = {0};
    (void)wanted;
    if (nvcc_find(&path, &error) || compile_nvcc_version(&version, &error))
        take_error(found, &error,
                   "spaces with `compiler nvcc` need it: install the CUDA Toolkit, or set CUDA_HOME to its folder");
    else
        text_printf(&found->value, "%s, %s", version.number, text_string(&path));
    text_free(&path);
}

static void examine_nvdisasm(const struct doctor_values *wanted, struct finding *found)
{
    struct error error = {0};
    (void)wanted;
    if (locate_nvdisasm(&found->value, &error))
        take_error(found, &error,
                   "explanations lack the counts of instructions: install NVIDIA's package cuda-nvdisasm");
}

/* The driver says whether administrators alone may count; without a driver, there is nothing to count. */
static bool may_count(void)
{
    char line[128];
    bool restricted = false;
    FILE *file = fopen("/proc/driver/nvidia/params", "r");
    while (file && fgets(line, sizeof line, file))
        restricted |= strcmp(line, "RmProfilingAdminOnly: 1\n") == 0;
    if (file)
        fclose(file);
    return !restricted || geteuid() == 0;
}

static void examine_cupti(const struct doctor_values *wanted, struct finding *found)
{
    struct error error = {0};
    (void)wanted;
    if (cupti_locate(&found->value, &error)) {
        take_error(found, &error, "");
    } else if (!may_count()) {
        text_printf(&found->value, "; the driver lets administrators alone read performance counters");
        text_printf(&found->cure,
                    "run as root or with CAP_PERFMON, or set NVreg_RestrictProfilingToAdminUsers=0 for the kernel "
                    "module nvidia: `cutune explain` then reads them");
    }
}

/* Reports if a run could not write `path`, which need not exist: its first folder that exists decides. */
static void examine_writable(const char *path, const char *cure, struct finding *found)
{
    struct arena arena = {0};
    char *of = arena_copy(&arena, path, strlen(path));
    while (of && access(of, F_OK) && strcmp(of, ".") != 0) {
        char *slash = strrchr(of, '/');
        if (!slash)
            of = strcpy(of, ".");
        else
            slash[slash == of] = '\0';
    }
    if (of && access(of, W_OK)) {
        text_printf(&found->value, "; %s cannot be written: %s", of, strerror(errno));
        text_printf(&found->cure, "%s", cure);
    }
    arena_free(&arena);
}

static void examine_cache(const struct doctor_values *wanted, struct finding *found)
{
    static const char cure[] = "set CUTUNE_CACHE to a folder that you may write";
    struct compile_cache cache;
    struct cache_usage usage = {0};
    struct error error = {0};
    char bytes[32], limit[32];
    (void)wanted;
    if (compile_cache_find(&cache, &error) || compile_cache_trim(&cache, UINT64_MAX, &usage, &error)) {
        take_error(found, &error, cure);
        return;
    }
    text_printf(&found->value, "%s: %llu entries, %s of %s", cache.folder, (unsigned long long)usage.entries,
                format_bytes(bytes, sizeof bytes, (double)usage.bytes),
                format_bytes(limit, sizeof limit, (double)cache.max_bytes));
    const struct cache_uses uses = compile_cache_uses(&cache);
    if (uses.hits + uses.misses)
        text_printf(&found->value, ", hit rate %.1f%% of %llu look-ups",
                    100 * (double)uses.hits / (double)(uses.hits + uses.misses),
                    (unsigned long long)(uses.hits + uses.misses));
    examine_writable(cache.folder, cure, found);
}

static void examine_journals(const struct doctor_values *wanted, struct finding *found)
{
    DIR *folder = opendir(wanted->journals);
    size_t count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, ".csv") != NULL;
    if (folder)
        closedir(folder);
    text_printf(&found->value, "%s: %zu journals%s", wanted->journals, count,
                folder ? "" : ", the first run makes the folder");
    examine_writable(wanted->journals, "name a folder that you may write with --journal", found);
}

static void examine_database(const struct doctor_values *wanted, struct finding *found)
{
    struct database *database = NULL;
    struct error error = {0};
    if (database_open(&database, wanted->database, &error)) {
        take_error(found, &error, "name another file with --db");
    } else {
        text_printf(&found->value, "%s: %zu rows", wanted->database, database_count(database));
        examine_writable(wanted->database, "name a file that you may write with --db", found);
    }
    database_close(database);
}

static void examine_templates(const struct doctor_values *wanted, struct finding *found)
{
    struct arena arena = {0};
    const char *folder = access("templates", R_OK) == 0 ? "templates" : find_templates(&arena);
    (void)wanted;
    if (folder && access(folder, R_OK) == 0) {
        text_printf(&found->value, "%s", folder);
    } else {
        text_printf(&found->value, "%s is missing", folder ? folder : "the folder of the templates");
        text_printf(&found->cure, "install cutune completely, or set CUTUNE_TEMPLATES to the folder");
    }
    arena_free(&arena);
}

static const struct {
    const char *part;
    examine *examine;
} parts[] = {{"cutune", examine_version},    {"devices", examine_devices},    {"NVRTC", examine_nvrtc},
             {"headers", examine_headers},   {"nvcc", examine_nvcc},          {"nvdisasm", examine_nvdisasm},
             {"CUPTI", examine_cupti},       {"cache", examine_cache},        {"journals", examine_journals},
             {"database", examine_database}, {"templates", examine_templates}};
enum { PARTS = sizeof parts / sizeof *parts };

/* ---- Output ---- */

static const char *state_of(const struct finding *found)
{
    return found->cure.length ? "problem" : "ok";
}

static void print_prose(const struct finding *found, struct text *text)
{
    enum { STATE = 9, INDENT = 20 };
    const bool right = !found->cure.length;
    const struct prose prose = prose_of(STDOUT_FILENO, INDENT);
    prose_mark(&prose, right ? MARK_GOOD : MARK_BAD, state_of(found), text);
    text_printf(text, "%*s", (int)(STATE - strlen(state_of(found))), "");
    prose_mark(&prose, MARK_LABEL, found->part, text);
    text_printf(text, "%*s", (int)(INDENT - STATE - strlen(found->part)), "");
    terminal_wrap(text, prose.width, INDENT, INDENT, text_string(&found->value));
    text_printf(text, "\n");
    if (right)
        return;
    text_printf(text, "%*s", INDENT, "");
    terminal_wrap(text, prose.width, INDENT, INDENT, text_string(&found->cure));
    text_printf(text, "\n");
}

static int print(const struct finding *found, const char *format, struct error *error)
{
    struct text text = {0};
    cJSON *list = cJSON_CreateArray();
    bool prose = output_format(format)->prose;
    for (size_t i = 0; i < PARTS; i++) {
        if (prose) {
            print_prose(&found[i], &text);
            continue;
        }
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "part", found[i].part);
        cJSON_AddStringToObject(row, "state", state_of(&found[i]));
        cJSON_AddStringToObject(row, "value", text_string(&found[i].value));
        cJSON_AddStringToObject(row, "cure", text_string(&found[i].cure));
        cJSON_AddItemToArray(list, row);
    }
    int code = prose ? output_file(NULL, &text, error) : output_rows(list, format, false, error);
    cJSON_Delete(list);
    text_free(&text);
    return code;
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct doctor_values *wanted = values;
    struct finding found[PARTS] = {{NULL}};
    int code = 0;
    (void)arguments, (void)argument_count;
    for (size_t i = 0; i < PARTS && !code; i++) {
        found[i].part = parts[i].part;
        parts[i].examine(wanted, &found[i]);
        if (found[i].value.failed || found[i].cure.failed)
            code = error_memory(error);
    }
    if (!code)
        code = print(found, wanted->format, error);
    for (size_t i = 0; i < PARTS; i++) {
        text_free(&found[i].value);
        text_free(&found[i].cure);
    }
    return code;
}

static const struct command_example examples[] = {
    {"cutune doctor", "show what this machine has, and how to repair problems"},
    {"cutune doctor --format json", "write it for a bug report"},
};

const struct command command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "show what cutune finds on this machine, and the cure for each problem",
    .description =
        "cutune looks for GPUs and their driver, NVRTC, the headers of the toolkit, nvcc, nvdisasm, CUPTI and the "
        "permission to read performance counters. It shows the cache of compiled kernels, journals, the database "
        "and the templates. A part is `ok`, or a `problem` with its cure. Nothing is measured or changed, and the "
        "exit status is 0 in either case.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .values_size = sizeof(struct doctor_values),
    .run = run};
