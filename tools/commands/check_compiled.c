#include "commands/check_compiled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "commands/check_architecture.h"
#include "commands/check_compile.h"
#include "commands/check_empty.h"
#include "evaluate/compiler_errors.h"
#include "terminal/output.h"
#include "terminal/output_format.h"
#include "terminal/progress.h"

enum { DRAW_SEED = 1, DRAWN_MAX = 4096, ALL_MAX = 65536 };

/* ---- Choice of the configurations ---- */

size_t check_draw(const struct valid_set *set, uint64_t *taken, size_t count)
{
    struct random random;
    uint64_t valid = valid_set_count(set);
    size_t i;
    random_seed(&random, DRAW_SEED);
    for (i = 0; i < count && i < valid; i++) {
        bool again;
        do { /* draws rarely repeat: the set has at least as many configurations as requested */
            again = false;
            taken[i] = valid_set_sample(set, &random);
            for (size_t j = 0; j < i; j++)
                again |= taken[j] == taken[i];
        } while (again);
    }
    return i;
}

struct selected {
    bool all;
    size_t drawn;
};

static int parse_which(const char *which, struct selected *selected, struct error *error)
{
    char *end;
    *selected = (struct selected){.all = strcmp(which, "all") == 0};
    if (selected->all || strcmp(which, "default") == 0)
        return 0;
    unsigned long drawn = strtoul(which, &end, 10);
    selected->drawn = drawn;
    if (*which >= '0' && *which <= '9' && !*end && drawn >= 1 && drawn <= DRAWN_MAX)
        return 0;
    error_set(error, ERROR_USAGE, "--compile: '%s' is not allowed", which);
    error_hint(error, "expected `default`, `all`, or a number of random configurations from 1 to %d", DRAWN_MAX);
    return ERROR_USAGE;
}

/* Selects the default first, if it is valid. The caller frees *choices. */
static int select_choices(const struct space *space, const struct valid_set *set, const struct selected *selected,
                          uint32_t (**choices)[SPACE_PARAMETERS_MAX], size_t *count, struct error *error)
{
    uint64_t valid = valid_set_count(set), index = UINT64_MAX, *taken = NULL;
    bool all = selected->all || (selected->drawn && selected->drawn >= valid);
    if (all && valid > ALL_MAX)
        return error_set(error, ERROR_USAGE, "--compile all: more than %d configurations are valid", ALL_MAX);
    size_t room = 1 + (all ? (size_t)valid : selected->drawn), drawn = 0;
    *choices = calloc(room, sizeof **choices);
    taken = calloc(room, sizeof *taken);
    *count = 0;
    if (!*choices || !taken) {
        free(taken);
        return error_memory(error);
    }
    space_default(space, (*choices)[0]);
    *count += valid_set_find(set, (*choices)[0], &index);
    if (all)
        for (; drawn < valid; drawn++)
            taken[drawn] = drawn;
    else if (selected->drawn)
        drawn = check_draw(set, taken, selected->drawn);
    for (size_t i = 0; i < drawn; i++)
        if (taken[i] != index)
            valid_set_get(set, taken[i], (*choices)[(*count)++]);
    free(taken);
    return 0;
}

/* ---- Rows ---- */

/* Members of a row about a launch, and their offsets in its usage. */
static const char *const members[] = {"architecture",     "kernel",      "registers",    "spill_store_bytes",
                                      "spill_load_bytes", "local_bytes", "shared_bytes", "dynamic_bytes",
                                      "occupancy",        "accesses"};

struct adding {
    const struct space *space;
    cJSON *rows;
    char architecture[ARCHITECTURE_BYTES];
    struct check_notes notes;
    size_t runs;      /* number of configurations that can run, on all architectures */
    struct error why; /* reason why the first one cannot */
};

static cJSON *add_row(struct adding *adding, const char *what, const char *status, const char *why)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "kind", "compiled");
    cJSON_AddStringToObject(row, "name", what);
    cJSON_AddStringToObject(row, "value", status);
    if (*why)
        cJSON_AddStringToObject(row, "from", why);
    else
        cJSON_AddNullToObject(row, "from");
    cJSON_AddNullToObject(row, "default");
    cJSON_AddNullToObject(row, "removed");
    cJSON_AddNullToObject(row, "line");
    cJSON_AddStringToObject(row, "architecture", adding->architecture);
    cJSON_AddItemToArray(adding->rows, row);
    return row;
}

static void explain(struct adding *adding, const char *what, const char *why)
{
    struct compiler_error found = {.line = 0};
    char hint[512];
    error_set(&adding->why, ERROR_NOTHING_VALID, "%s: %s", what, why);
    text_format(found.message, sizeof found.message, "%s", why);
    if (compiler_errors_hint(adding->space, &found, hint, sizeof hint))
        error_hint(&adding->why, "%s", hint);
}

static void take(void *context, const char *what, const char *status, const char *why, const struct check_usage *usage)
{
    struct adding *adding = context;
    cJSON *row = add_row(adding, what, status, why);
    adding->runs += usage && !*why;
    if (*why && !adding->why.code)
        explain(adding, what, why);
    if (!usage)
        return;
    cJSON_AddStringToObject(row, "kernel", usage->kernel);
    output_add_int(row, "registers", usage->resources.registers);
    if (usage->has_spills) {
        output_add_int(row, "spill_store_bytes", usage->spills.store_bytes);
        output_add_int(row, "spill_load_bytes", usage->spills.load_bytes);
    } else {
        cJSON_AddNullToObject(row, "spill_store_bytes");
        cJSON_AddNullToObject(row, "spill_load_bytes");
    }
    output_add_int(row, "local_bytes", usage->resources.local_bytes);
    output_add_int(row, "shared_bytes", usage->resources.shared_bytes);
    output_add_int(row, "dynamic_bytes", usage->dynamic_bytes);
    output_add_real(row, "occupancy", usage->occupancy);
    if (usage->accesses)
        cJSON_AddStringToObject(row, "accesses", usage->accesses);
}

void check_compiled_complete(cJSON *rows)
{
    cJSON *row;
    cJSON_ArrayForEach(row, rows) for (size_t m = 0; m < sizeof members / sizeof *members;
                                       m++) if (!cJSON_HasObjectItem(row, members[m]))
        cJSON_AddNullToObject(row, members[m]);
}

/* ---- Architectures ---- */

/* A space and its valid set with the limits of an architecture. */
struct bound {
    struct device_limits from_file;
    const struct device_limits *limits; /* NULL: unknown */
    bool stand_in;                      /* the limits are those of another architecture */
    struct space *own;                  /* NULL: the caller's space has these limits */
    struct valid_set *own_set;
    const struct space *space;
    const struct valid_set *set;
};

static int bind(const struct check_compiled *all, struct bound *bound, struct error *error)
{
    int code = space_file_parse(all->file, &bound->own, error);
    for (size_t i = 0; i < all->sets->count && !code; i++)
        code = space_narrow(bound->own, all->sets->items[i], error);
    if (!code)
        code = space_bind(bound->own, all->defines, all->define_count, bound->limits, error);
    if (!code)
        code = valid_set_build(&bound->own_set, bound->own, all->space_bytes, error);
    bound->space = bound->own;
    bound->set = bound->own_set;
    return code;
}

/* Without device files, the space stays unbound from limits, or has those of the caller's device as a stand-in. */
static int find_bound(const struct check_compiled *all, int64_t cc, struct bound *bound, struct error *error)
{
    struct arena arena = {0};
    struct error none = {0};
    char name[ARCHITECTURE_BYTES];
    *bound = (struct bound){.limits = all->limits, .space = all->space, .set = all->set};
    if (all->limits && all->limits->cc == cc)
        return 0;
    int code = architecture_limits(&arena, cc, &bound->from_file, &bound->stand_in, &none);
    arena_free(&arena);
    if (code == ERROR_NOT_FOUND && all->limits) {
        bound->from_file = *all->limits;
        bound->from_file.cc = cc;
        bound->stand_in = true;
    } else if (code && code != ERROR_NOT_FOUND) {
        *error = none;
        return code;
    }
    bound->limits = code && !all->limits ? NULL : &bound->from_file;
    if (bound->stand_in)
        output_note("no device file is for %s: its occupancy is unknown, and sizes take the limits of %s",
                    architecture_name(cc, name), bound->limits->name);
    return bound->limits ? bind(all, bound, error) : 0;
}

static int compile_for(const struct check_compiled *all, int64_t cc, const struct selected *selected,
                       struct adding *adding, struct error_list *errors, struct error *error)
{
    struct bound bound = {0};
    struct progress progress = progress_of_terminal(false);
    uint32_t(*choices)[SPACE_PARAMETERS_MAX] = NULL;
    size_t count = 0;
    architecture_name(cc, adding->architecture);
    int code = find_bound(all, cc, &bound, error);
    if (!code)
        code = select_choices(bound.space, bound.set, selected, &choices, &count, error);
    if (!code && count == 0) {
        char why[sizeof bound.from_file.name + 64];
        text_format(why, sizeof why, "%s with the limits of %s",
                    valid_set_count(bound.set) ? "the default is not valid" : "no configuration is valid",
                    bound.limits ? bound.limits->name : "no device");
        add_row(adding, "default", "not valid", why);
        if (valid_set_count(bound.set) == 0)
            check_empty(bound.space, &adding->why);
        else
            error_set(&adding->why, ERROR_NOTHING_VALID, "%s", why);
    } else if (!code) {
        const struct check_compile wanted = {.space = bound.space,
                                             .limits = bound.stand_in ? NULL : bound.limits,
                                             .cc = cc,
                                             .choices = (const uint32_t(*)[SPACE_PARAMETERS_MAX])choices,
                                             .count = count,
                                             .work = progress_work(&progress),
                                             .notes = &adding->notes};
        code = check_compile(&wanted, take, adding, errors, error);
    }
    free(choices);
    valid_set_free(bound.own_set);
    space_free(bound.own);
    return code;
}

int check_compiled(const struct check_compiled *all, struct error *error)
{
    int64_t capabilities[ARCHITECTURES_MAX];
    size_t count = 1;
    struct selected selected = {0};
    struct error_list *errors = calloc(1, sizeof *errors);
    struct adding adding = {.space = all->space, .rows = all->rows};
    int code = errors ? parse_which(all->which, &selected, error) : error_memory(error);
    if (!code && !all->space->kernel)
        code = error_set(error, ERROR_USAGE, "%s has no kernel: there is nothing to compile", all->space->path);
    if (!code && all->architectures) {
        code = architectures_parse(all->architectures, capabilities, &count, error);
    } else if (!code && !all->limits) {
        code = error_set(error, ERROR_USAGE, "--compile needs an architecture");
        error_hint(error, "--arch sm_80,sm_90a, or --device-file FILE, from `cutune devices --format csv` on a machine "
                          "with the GPU");
    } else if (!code) {
        capabilities[0] = all->limits->cc;
    }
    for (size_t i = 0; i < count && !code; i++)
        code = compile_for(all, capabilities[i], &selected, &adding, errors, error);
    if (!code && errors->count) {
        errors->all = true;
        code = error_set_list(error, errors);
    }
    if (!code && !errors->count && !adding.runs && adding.why.code) {
        error_place(&adding.why, all->space->path, 0, 0);
        error_hint(&adding.why, "so no compiled configuration can run");
        adding.why.list = error->list;
        *error = adding.why;
        code = error->code;
    }
    check_notes_free(&adding.notes);
    free(errors);
    return code;
}
