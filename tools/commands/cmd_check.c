#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "commands/check_architecture.h"
#include "commands/check_compiled.h"
#include "commands/check_devices.h"
#include "commands/check_empty.h"
#include "commands/check_fits.h"
#include "commands/check_list.h"
#include "commands/check_reference.h"
#include "commands/check_row.h"
#include "commands/check_text.h"
#include "commands/check_work.h"
#include "commands/find.h"
#include "commands/sizes.h"
#include "database/limits_file.h"
#include "device/device.h"
#include "set/valid_set.h"
#include "space/space.h"
#include "terminal/command.h"
#include "terminal/output_format.h"

enum { SAMPLES = 3 };

struct check_values {
    struct option_list defines, sets;
    int64_t space_memory_mib;
    const char *device;
    const char *device_file, *format, *compile, *architectures;
    bool list, untrusted, reference;
};

static const struct option_row rows[] = {
    {.name = "define",
     .short_name = 'D',
     .argument = "NAME=V,...",
     .type = OPTION_LIST,
     .offset = offsetof(struct check_values, defines),
     .help = "set a problem size of the space, or check for several, one after the other; may be repeated"},
    SET_OPTION(struct check_values, sets),
    UNTRUSTED_OPTION(struct check_values, untrusted),
    {.name = "device",
     .argument = "DEVICE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct check_values, device),
     .help = "CUDA device, by number or UUID, whose limits are applied (default: 0)"},
    {.name = "device-file",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .offset = offsetof(struct check_values, device_file),
     .help = "apply the limits of an absent device, from a file that `cutune devices --format csv` wrote there"},
    {.name = "list",
     .type = OPTION_FLAG,
     .offset = offsetof(struct check_values, list),
     .help = "write all valid configurations as CSV, and nothing else"},
    {.name = "compile",
     .argument = "WHICH",
     .type = OPTION_TEXT,
     .offset = offsetof(struct check_values, compile),
     .help =
         "also compile the reference, the kernels that fill buffers and configurations, without a GPU: `default`, a "
         "number of random ones besides it, or `all`; needs NVRTC"},
    {.name = "arch",
     .argument = "SM,...",
     .type = OPTION_TEXT,
     .offset = offsetof(struct check_values, architectures),
     .help = "compile for these architectures, such as sm_80,sm_90a, instead of the device's"},
    {.name = "reference",
     .type = OPTION_FLAG,
     .offset = offsetof(struct check_values, reference),
     .help =
         "also run a reference that is a command, on other numbers than a run's, and show the shapes of its outputs"},
    SPACE_MEMORY_OPTION(struct check_values, space_memory_mib),
    OUTPUT_FORMAT_OPTION(struct check_values, format),
};

struct check {
    const struct check_values *wanted;
    struct space_file file;
    struct arena arena;
    struct space *space;
    struct valid_set *set;
    struct device *device; /* NULL: not used */
    struct device_limits from_file;
    const struct device_limits *limits; /* NULL: none apply */
    bool looked;                        /* limits were looked for */
    cJSON *rows;
};

/* Adds the errors for editors and other programs; text output leaves them to standard error. */
static void add_errors(struct check *check, const struct error *error)
{
    const struct error_list *list = error ? error->list : NULL;
    for (size_t i = 0; list && i < list->count; i++) {
        const struct error *each = &list->errors[i];
        struct text place = {0};
        text_printf(&place, each->line ? "%s:%d:%d" : "%s", each->source, each->line, each->column);
        check_row_end(check_row(check->rows, "error", error_name(each->code), each->message), text_string(&place), NULL,
                      NAN, each->line);
        text_free(&place);
    }
}

static void add_parameters(struct check *check)
{
    const struct space *space = check->space;
    struct text values = {0};
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        char value[VALUE_TEXT_BYTES];
        text_clear(&values);
        for (size_t v = 0; v < parameter->value_count; v++)
            text_printf(&values, "%s%s", v ? " " : "", value_text(&parameter->values[v], value, sizeof value));
        value_text(&parameter->values[parameter->default_], value, sizeof value);
        check_row_end(check_row(check->rows, "parameter", parameter->name, text_string(&values)),
                      !space->kernel         ? NULL
                      : parameter->in_source ? "compile"
                                             : "host",
                      value, NAN, parameter->line);
    }
    text_free(&values);
}

static void add_counts(struct check *check)
{
    const struct space *space = check->space;
    char number[64];
    double product = 1;
    for (size_t p = 0; p < space->parameter_count; p++)
        product *= (double)space->parameters[p].value_count;
    uint64_t cartesian = valid_set_cartesian(check->set);
    if (cartesian == UINT64_MAX)
        text_format(number, sizeof number, "%.4g", product);
    else
        snprintf(number, sizeof number, "%llu", (unsigned long long)cartesian);
    check_row_end(check_row(check->rows, "combinations", NULL, number), NULL, NULL, NAN, 0);
    uint64_t valid = valid_set_count(check->set);
    if (valid == UINT64_MAX)
        text_format(number, sizeof number, "%.4g", valid_set_count_real(check->set));
    else
        snprintf(number, sizeof number, "%llu", (unsigned long long)valid);
    check_row_end(check_row(check->rows, "valid", NULL, number), NULL, NULL, NAN, 0);
    snprintf(number, sizeof number, "%zu", valid_set_nodes(check->set));
    check_row_end(check_row(check->rows, "nodes", NULL, number), NULL, NULL, NAN, 0);
    snprintf(number, sizeof number, "%zu", valid_set_bytes(check->set));
    check_row_end(check_row(check->rows, "bytes", NULL, number), NULL, NULL, NAN, 0);
}

static void add_constraints(struct check *check)
{
    for (size_t c = 0; c < check->space->constraint_count; c++) {
        const struct constraint *constraint = &check->space->constraints[c];
        check_row_end(check_row(check->rows, "constraint", constraint->name, constraint->text),
                      constraint->device ? "device"
                      : constraint->line ? "file"
                                         : "command line",
                      NULL, valid_set_removed(check->set, c), constraint->device ? 0 : constraint->line);
    }
}

/* Notes the conditions of the file that hold anyway, whatever the sizes and the device. */
static void note_idle(const struct check *check)
{
    static const uint64_t COUNTED_MAX = 1ull << 53; /* a float is exact up to here */
    const struct space *space = check->space;
    bool whole = check->wanted->sets.count == 0 && check->wanted->defines.count == 0;
    for (size_t c = 0; c < space->constraint_count && whole && valid_set_count(check->set) > 0; c++) {
        const struct constraint *constraint = &space->constraints[c];
        if (constraint->path && !constraint->device && !constraint->varies && valid_set_removed(check->set, c) == 0 &&
            valid_set_cartesian(check->set) <= COUNTED_MAX)
            output_note("%s:%d: '%s %s' removes nothing: all combinations that earlier conditions leave meet it",
                        constraint->path, constraint->line,
                        strcmp(constraint->name, "when") == 0 ? "param" : constraint->name, constraint->text);
    }
}

/* Notes unused declarations. */
static void note_unused(const struct check *check)
{
    struct text notes = {0};
    size_t count = space_unused(check->space, &notes);
    const char *at = text_string(&notes);
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        output_note("%s", at);
    text_free(&notes);
}

/* Evaluates the launches of the default, unless they depend on unknown limits. */
static int try_launch(const struct check *check, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t index;
    struct launch *launch = calloc(1, sizeof *launch); /* large */
    if (!launch)
        return error_memory(error);
    struct error failure = {.list = error ? error->list : NULL};
    space_default(check->space, choices);
    int code = 0;
    if (check->space->kernel && valid_set_find(check->set, choices, &index))
        code = space_launch(check->space, choices, launch, &failure);
    free(launch);
    if (code == ERROR_NO_DEVICE)
        return 0;
    if (code)
        error_hint(&failure, "change it, or exclude such configurations with `require`");
    if (code && error)
        *error = failure;
    return code;
}

/* Adds the configurations that a run would refuse before compiling, with the first reason. */
static int add_refused(struct check *check, struct error *error)
{
    struct check_refused refused;
    struct text config = {0};
    if (!check->space->kernel || !check->limits || valid_set_count(check->set) > CHECK_FITS_MAX)
        return 0;
    int code = check_fits(check->space, check->set, &refused, error);
    if (!code && refused.count > 0) {
        space_config_text(check->space, refused.first, &config);
        check_row_end(check_row(check->rows, "pruned_limit", text_string(&config), refused.why), NULL, NULL,
                      (double)refused.count, 0);
    }
    text_free(&config);
    return code;
}

static int add_work(struct check *check, struct error *error)
{
    char range[CHECK_WORK_BYTES];
    int code = check_work(check->space, check->set, range, error);
    if (!code && *range)
        check_row_end(check_row(check->rows, "work", NULL, range), NULL, NULL, NAN, 0);
    return code;
}

static void add_samples(struct check *check)
{
    struct text config = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t taken[SAMPLES];
    size_t count = check_draw(check->set, taken, SAMPLES);
    for (size_t i = 0; i < count; i++) {
        text_clear(&config);
        valid_set_get(check->set, taken[i], choices);
        space_config_text(check->space, choices, &config);
        check_row_end(check_row(check->rows, "sample", NULL, text_string(&config)), NULL, NULL, NAN, 0);
    }
    text_free(&config);
}

static void add_default(struct check *check)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t index;
    struct text config = {0};
    space_default(check->space, choices);
    space_config_text(check->space, choices, &config);
    check_row_end(check_row(check->rows, "default", valid_set_find(check->set, choices, &index) ? "valid" : "not valid",
                            text_string(&config)),
                  NULL, NULL, NAN, 0);
    text_free(&config);
}

/* Adds the number of valid configurations under the limits of each device file. */
static int add_devices(struct check *check, const struct check_values *wanted, const char *const *defines,
                       struct error *error)
{
    const char *const *files = NULL;
    size_t count = 0;
    bool depends = true;
    char number[64];
    int code = device_files(&check->arena, &files, &count, error);
    for (size_t i = 0; i < count && !code && depends; i++) {
        struct device_count left;
        code = device_count_valid(&check->file, files[i], &wanted->sets, defines, wanted->defines.count, &left,
                                  &depends, error);
        snprintf(number, sizeof number, left.valid == UINT64_MAX ? "2^64 or more" : "%llu",
                 (unsigned long long)left.valid);
        if (!code && depends)
            check_row_end(check_row(check->rows, "valid on", left.name, left.known ? number : NULL), files[i], NULL,
                          NAN, 0);
    }
    return code;
}

/* A missing library is a fact, not an error, since a run continues without it. */
static void add_library(struct check *check)
{
    const char *path = check->space->library_path;
    if (path)
        check_row_end(check_row(check->rows, "library", access(path, R_OK) ? "missing" : "found", path), NULL, NULL,
                      NAN, 0);
}

/* Those of the statement `objective`. */
static void add_objectives(struct check *check)
{
    struct text names = {0};
    for (size_t i = 0; i < check->space->objective_count; i++)
        text_printf(&names, "%s%s", i ? ", " : "", check->space->objectives[i]->name);
    if (names.length)
        check_row_end(check_row(check->rows, "objective", NULL, text_string(&names)), NULL, NULL, NAN, 0);
    text_free(&names);
}

static void add_overrides(struct check *check)
{
    struct space_overridden overridden;
    for (size_t i = 0; space_overridden(check->space, i, &overridden); i++)
        check_row_end(check_row(check->rows, "override", overridden.name, overridden.text), overridden.path, NULL, NAN,
                      overridden.line);
}

static void add_reference(void *context, const char *output, const char *elements, const char *from)
{
    check_row_end(check_row(((struct check *)context)->rows, "reference", output, elements), from, NULL, NAN, 0);
}

static int gather(struct check *check, struct error *error)
{
    const struct space *space = check->space;
    char value[VALUE_TEXT_BYTES];
    check_row_end(check_row(check->rows, "kernel", space->kernel, space->source_path), NULL, NULL, NAN, 0);
    check_row_end(check_row(check->rows, "title", NULL, space->title), NULL, NULL, NAN, 0);
    check_row_end(check_row(check->rows, "device", NULL, check->limits ? check->limits->name : NULL), NULL, NULL, NAN,
                  0);
    for (size_t p = 0; p < space->problem_count; p++) {
        const struct problem *problem = &space->problems[p];
        check_row_end(
            check_row(check->rows, "problem", problem->name, value_text(&problem->value, value, sizeof value)),
            problem->given ? "command line" : "file", NULL, NAN, problem->line);
    }
    add_parameters(check);
    add_overrides(check);
    add_default(check);
    add_library(check);
    add_objectives(check);
    add_counts(check);
    add_constraints(check);
    note_idle(check);
    note_unused(check);
    int code = check->wanted->reference ? check_reference(check->space, add_reference, check, error) : 0;
    if (!code)
        code = try_launch(check, error);
    if (!code)
        code = add_refused(check, error);
    add_samples(check);
    return code ? code : add_work(check, error);
}

/* Without a GPU, sizes that name a limit come from the listed GPU that matches --arch. */
static int stand_in_limits(struct check *check, const struct check_values *wanted, struct error *error)
{
    int64_t capabilities[ARCHITECTURES_MAX];
    size_t count;
    bool stand_in;
    struct error none = {0};
    if (!wanted->architectures || !space_sizes_need_limits(check->space))
        return 0;
    int code = architectures_parse(wanted->architectures, capabilities, &count, error);
    if (code)
        return code;
    code = architecture_limits(&check->arena, capabilities[0], &check->from_file, &stand_in, &none);
    check->limits = code ? NULL : &check->from_file;
    if (code && code != ERROR_NOT_FOUND)
        *error = none;
    return code == ERROR_NOT_FOUND ? 0 : code;
}

/* A device is optional: a space can be checked without a GPU. */
static int open_device(struct check *check, const struct check_values *wanted, struct error *error)
{
    struct error no_device = {0};
    char name[DEVICE_NAME_BYTES];
    int code = device_choose_one(wanted->device ? wanted->device : "0", name, error);
    if (code)
        return code;
    code = device_open(&check->device, name, &no_device);
    if (code == ERROR_NO_DEVICE) {
        check->device = NULL;
        code = stand_in_limits(check, wanted, error);
        if (check->limits)
            output_note("%s: buffers have the sizes, and limits are those, of %s", no_device.message,
                        check->limits->name);
        else if (!code)
            output_note("%s: device limits are not applied", no_device.message);
        return code;
    }
    if (code) {
        *error = no_device;
        return code;
    }
    check->limits = device_limits(check->device);
    return 0;
}

/* Takes the limits from the file on the command line, else of the space, else from the device in the machine. */
static int find_limits(struct check *check, const struct check_values *wanted, struct error *error)
{
    const char *path = wanted->device_file ? wanted->device_file : check->space->device_file;
    if (!path || wanted->device)
        return open_device(check, wanted, error);
    check->limits = &check->from_file;
    return limits_read(path, &check->from_file, error);
}

/* Writes directly to standard output, because a set may exceed memory. */
static int list_set(const struct check *check, struct error *error)
{
    struct error failure = {0};
    fflush(stdout);
    int code = check_list(check->space, check->set, STDOUT_FILENO, "to standard output", &failure);
    if (code && output_reader_gone(STDOUT_FILENO))
        return 0;
    if (code && error && !error->code)
        *error = failure;
    return code;
}

static int add_compilations(struct check *check, const char *const *defines, struct error *error)
{
    const struct check_compiled all = {.file = &check->file,
                                       .sets = &check->wanted->sets,
                                       .defines = defines,
                                       .define_count = check->wanted->defines.count,
                                       .space_bytes = (size_t)check->wanted->space_memory_mib << 20,
                                       .which = check->wanted->compile,
                                       .architectures = check->wanted->architectures,
                                       .space = check->space,
                                       .set = check->set,
                                       .limits = check->limits,
                                       .rows = check->rows};
    return check_compiled(&all, error);
}

/* Checks one space with all sizes fixed. */
static int check_once(struct check *check, const struct check_values *wanted, const char *const *defines,
                      struct error *error)
{
    struct error failure = {.list = error ? error->list : NULL};
    int unsuitable = 0, code = space_file_parse(&check->file, &check->space, error);
    if (!code && !check->looked)
        find_note_unknown(check->space);
    if (!code && !check->looked)
        code = find_limits(check, wanted, error);
    check->looked = true;
    for (size_t i = 0; i < wanted->sets.count && !code; i++)
        code = space_narrow(check->space, wanted->sets.items[i], error);
    if (!code)
        code = space_bind(check->space, defines, wanted->defines.count, check->limits, error);
    if (code == ERROR_NO_DEVICE)
        error_hint(error, "give those of a device: --device-file FILE, or --compile default --arch SM");
    if (!code && !wanted->list)
        code = space_check_kernels(check->space, error);
    if (!code && !wanted->list)
        code = space_check_effects(check->space, error);
    if (!code && !wanted->list)
        code = space_check_files(check->space, error);
    if (!code)
        code = valid_set_build(&check->set, check->space, (size_t)wanted->space_memory_mib << 20, error);
    if (!code && wanted->list) {
        code = list_set(check, error);
    } else if (!code) {
        code = gather(check, error);
        if (!code)
            code = add_devices(check, wanted, defines, error);
    }
    if (!code && wanted->compile)
        unsuitable = add_compilations(check, defines, &failure);
    if (!code &&
        (!unsuitable || unsuitable == ERROR_COMPILE || unsuitable == ERROR_DATA || unsuitable == ERROR_NOTHING_VALID) &&
        !wanted->list && output_format(wanted->format)->prose) {
        const struct check_facts facts = {check->space, check->limits != NULL, check->rows};
        code = check_text(&facts, error);
        cJSON_Delete(check->rows);
        check->rows = cJSON_CreateArray();
    }
    if (!code && valid_set_count(check->set) == 0)
        code = check_empty(check->space, error);
    if (!code && unsuitable) {
        *error = failure;
        code = unsuitable;
    }
    valid_set_free(check->set);
    space_free(check->space);
    check->set = NULL;
    check->space = NULL;
    return code;
}

static int check_size(void *context, size_t number, const char *const *defines, struct error *error)
{
    struct check *check = context;
    if (number && output_format(check->wanted->format)->prose)
        printf("\n");
    return check->rows ? check_once(check, check->wanted, defines, error) : error_memory(error);
}

static int check_all(struct check *check, struct sweep *sweep, struct error *error)
{
    const struct check_values *wanted = check->wanted;
    if (wanted->list && sweep_runs(sweep) > 1)
        return error_set(error, ERROR_USAGE, "--list is for one set: give each problem size one value");
    if (wanted->architectures && !wanted->compile)
        return error_set(error, ERROR_USAGE,
                         "--arch is for --compile: say which configurations, as in --compile default");
    if (wanted->list && wanted->compile)
        return error_set(error, ERROR_USAGE, "--list writes nothing but the configurations: leave out --compile");
    return sizes_each(sweep, check_size, check, error);
}

static int run(const void *values, const char *const *arguments, size_t argument_count, struct error *error)
{
    const struct check_values *wanted = values;
    struct check check = {.wanted = wanted, .rows = cJSON_CreateArray()};
    struct sweep *sweep = NULL;
    (void)argument_count;
    int code = find_space_file(&check.arena, arguments[0], wanted->untrusted, &check.file, error);
    if (!code)
        code = sizes_make(&sweep, &check.file, wanted->defines.items, wanted->defines.count, error);
    if (!code)
        code = check_all(&check, sweep, error);
    if (code && !wanted->list)
        add_errors(&check, error);
    if (wanted->compile)
        check_compiled_complete(check.rows);
    if (cJSON_GetArraySize(check.rows) > 0 && !output_format(wanted->format)->prose) {
        int printed = output_rows(check.rows, wanted->format, false, error);
        code = code ? code : printed;
    }
    cJSON_Delete(check.rows);
    sweep_free(sweep);
    device_close(check.device);
    arena_free(&check.arena);
    return code;
}

/* Options without effect beside others. */
static const struct option_mode modes[] = {
    {.beside = "device-file", .unused = "device"},
    {.beside = "list", .unused = "format"},
    {.beside = "list", .unused = "reference"},
};

static const struct command_example examples[] = {
    {"cutune check transpose", "check a template"},
    {"cutune check smooth.space -D LENGTH=1024,1048576", "check a space for two problem sizes"},
    {"cutune check transpose --device-file h100.csv", "apply the limits of a GPU in another machine"},
    {"cutune check transpose --compile default --arch sm_80,sm_90a",
     "also compile for two architectures, and compare the arguments with the kernel's parameters"},
    {"cutune check smooth.space --reference", "also run the command that computes the expected results"},
    {"cutune check transpose --set TILE=32 --list", "write the valid configurations with this tile as CSV"},
};

const struct command command_check = {
    .name = "check",
    .arguments = "FILE",
    .values = "templates",
    .summary = "check a space, count its valid configurations, show what its constraints remove",
    .description =
        "cutune reads a space without tuning it. It reports every error of the file, counts the valid configurations, "
        "shows the effect of each condition and each device limit, and counts the configurations left on other GPUs. "
        "In a valid set of up to 65,536 configurations, it also counts those that a run would refuse before compiling "
        "(`pruned_limit`), such as those with a tensor map that breaks a rule. It needs no GPU. With --compile, it "
        "compares arguments, members of structs and variables with the source's types. It also "
        "notes valid but rarely intended uses: a `__constant__` variable without a value, `extern __shared__` without "
        "`shared` and the reverse, grid synchronisation without `cooperative`. Further notes are about a written "
        "input, an unwritten output, and a texture fetched as another type.",
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .modes = modes,
    .mode_count = sizeof modes / sizeof *modes,
    .values_size = sizeof(struct check_values),
    .arguments_min = 1,
    .arguments_max = 1,
    .run = run};
