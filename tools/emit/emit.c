#include "emit/emit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/architecture.h"
#include "base/text.h"
#include "choose/selection_condition.h"
#include "emit/emit_model.h"
#include "language/condition.h"

/* ---- Kinds of values ---- */

/* Widens the kind of a column to include the value. */
static int widen(const struct selection_row *row, const struct pair *pair, enum emit_kind *kind, struct error *error)
{
    enum emit_kind own;
    if (!emit_classify(pair->value, &own)) {
        error_set(error, ERROR_DATA, "%.60s has the value '%.60s': neither a number nor a word", pair->name,
                  pair->value);
        if (row->best)
            error_hint(error, "in the row of %.80s, %.80s", row->device, row->best->provenance.problem);
        return ERROR_DATA;
    }
    if (own > *kind)
        *kind = own;
    return 0;
}

static int find_kinds(struct emit_model *model, struct error *error)
{
    const struct selection *selection = model->selection;
    int code = 0;
    for (size_t r = 0; r < selection->row_count && !code; r++) {
        const struct selection_row *row = &selection->rows[r];
        for (size_t i = 0; i < selection->parameters->count && !code; i++)
            code = widen(row, &row->configuration->items[i], &model->parameters[i].kind, error);
        for (size_t i = 0; row->sizes && i < selection->sizes->count && !code; i++)
            code = widen(row, &row->sizes->items[i], &model->sizes[i].kind, error);
    }
    for (size_t i = 0; i < selection->sizes->count && emit_is_untuned(model) && !code; i++)
        code = widen(selection->rows, &selection->sizes->items[i], &model->sizes[i].kind, error);
    for (size_t i = 0; i < selection->sizes->count; i++)
        if (model->sizes[i].kind == EMIT_INT)
            model->sizes[i].kind = EMIT_LONG;
    return code;
}

/* ---- Names ---- */

/* True for names that a member cannot have: keywords of C, C++ and CUDA, common macros, and the other members. */
static bool is_taken(const char *name)
{
    static const char words[] =
        " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t "
        "char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
        "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
        "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
        "operator or or_eq private protected public register reinterpret_cast requires restrict return short "
        "signed sizeof static static_assert static_cast struct switch template this thread_local throw true "
        "try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t "
        "while xor xor_eq NULL linux unix i386 device cc sm_count l2_bytes time_ns time_per_work_ns ";
    size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += length)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

/* True for names that C and C++ reserve for the compiler: they begin with "__", or "_" and a capital letter. */
static bool is_reserved(const char *name)
{
    return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

static bool is_member(const struct emit_member *members, size_t count, const char *field)
{
    for (size_t i = 0; members && i < count; i++)
        if (strcmp(members[i].field, field) == 0)
            return true;
    return false;
}

static int name_members(struct emit_model *model, const struct pairs *pairs, const char *prefix,
                        struct emit_member **members, struct error *error)
{
    const struct emit_member *others = model->sizes;
    struct emit_member *fresh = arena_array(&model->arena, pairs->count + 1, sizeof *fresh);
    for (size_t i = 0; i < pairs->count && fresh; i++) {
        struct emit_member *member = &fresh[i];
        member->name = pairs->items[i].name;
        member->field = arena_printf(&model->arena, "%s%s", prefix, member->name);
        while (member->field && (is_taken(member->field) || is_member(fresh, i, member->field) ||
                                 is_member(others, model->selection->sizes->count, member->field)))
            member->field = arena_printf(&model->arena, "%s_", member->field);
        if (!member->field)
            return error_memory(error);
    }
    *members = fresh;
    return fresh ? 0 : error_memory(error);
}

static int make_members(struct emit_model *model, struct error *error)
{
    const struct pairs *parameters = model->selection->parameters;
    int code = name_members(model, model->selection->sizes, "problem_", &model->sizes, error);
    if (!code)
        code = name_members(model, parameters, model->request->plain_macros ? "tuned_" : "", &model->parameters, error);
    for (size_t i = 0; i < parameters->count && !code; i++)
        if (strncmp(parameters->items[i].name, "TUNED_", 6) == 0) {
            code = error_set(error, ERROR_DATA, "the parameter %.60s has the name of a macro of the header",
                             parameters->items[i].name);
        } else if (is_reserved(parameters->items[i].name)) {
            code = error_set(error, ERROR_DATA, "the parameter %.60s has a name reserved for the compiler",
                             parameters->items[i].name);
            error_hint(error,
                       "rename it in the space: compilers may use __typeof__, _Bool and all other names that begin "
                       "like these");
        } else if (model->request->plain_macros && is_taken(emit_source_macro(model, parameters->items[i].name))) {
            code = error_set(error, ERROR_DATA,
                             "the parameter %.60s cannot be a macro of its own name: C, C++ or CUDA uses it",
                             parameters->items[i].name);
            error_hint(error, "rename it in the space, or leave --plain-macros out");
        }
    return code ? code : find_kinds(model, error);
}

static const char *in_capitals(struct arena *arena, const char *name)
{
    char *upper = arena_copy(arena, name, strlen(name));
    for (char *c = upper; c && *c; c++)
        *c = text_upper(*c);
    return upper;
}

static int set_prefix(struct emit_model *model, struct error *error)
{
    const struct emit_request *request = model->request;
    const char *kernel = model->kernel->name, *prefix = request->prefix ? request->prefix : kernel;
    if (!pairs_identifier(prefix, strlen(prefix))) {
        error_set(error, ERROR_USAGE, "the prefix '%.80s' is not a C identifier", prefix);
        error_hint(error, "--prefix NAME sets one: letters, digits and _, no digit first");
        return ERROR_USAGE;
    }
    const char *common = request->prefix || !request->together ? prefix : "cutune";
    if (request->together && request->prefix)
        prefix = arena_printf(&model->arena, "%s_%s", request->prefix, kernel);
    if (request->together && prefix && strcmp(prefix, common) == 0) {
        error_set(error, ERROR_USAGE, "the kernel %.60s has the name of the shared code", kernel);
        error_hint(error, "--prefix NAME gives all names another prefix");
        return ERROR_USAGE;
    }
    model->prefix = prefix;
    model->shared = arena_printf(&model->arena, "%s_tuned_", common);
    model->upper = prefix ? in_capitals(&model->arena, prefix) : NULL;
    model->shared_upper = model->shared ? in_capitals(&model->arena, model->shared) : NULL;
    return model->upper && model->shared_upper ? 0 : error_memory(error);
}

/* ---- Values of the constants ---- */

/* Takes the sizes of the newest row with sizes; if there are only fits, the greatest that the newest one has
 * measured. */
static void newest_sizes(struct emit_model *model)
{
    const struct selection *selection = model->selection;
    const struct selection_row *rows = selection->rows, *newest = &rows[selection->newest];
    for (size_t i = 0; newest->fit && i < selection->row_count && rows[i].best; i++)
        if (!rows[i].fit && (newest->fit || strcmp(rows[i].best->provenance.date, newest->best->provenance.date) > 0))
            newest = &rows[i];
    for (size_t i = 0; i < selection->sizes->count; i++)
        if (newest->fit)
            model->numbers[newest->fit->sizes[i]] = (long double)newest->fit->fit.sizes[i].most;
        else
            model->numbers[i] = newest->numbers[i];
}

/* Reads the sizes of the space, if there is only the default. */
static int described_sizes(struct emit_model *model, struct error *error)
{
    const struct selection *selection = model->selection;
    if (emit_is_untuned(model))
        return selection_sizes(selection, selection->described->provenance.problem, model->numbers, error);
    newest_sizes(model);
    return 0;
}

static int set_sizes(struct emit_model *model, struct error *error)
{
    const struct selection *selection = model->selection;
    const struct option_list *wanted = &model->request->sizes;
    size_t count = selection->sizes->count;
    model->numbers = arena_array(&model->arena, count, sizeof *model->numbers);
    if (!model->numbers)
        return error_memory(error);
    int code = described_sizes(model, error);
    for (size_t w = 0; w < wanted->count && !code; w++) {
        struct pair_parts parts = {0};
        size_t i = 0;
        pairs_split(wanted->items[w], strlen(wanted->items[w]), &parts);
        while (i < count && (strlen(selection->sizes->items[i].name) != parts.name_length ||
                             memcmp(selection->sizes->items[i].name, parts.name, parts.name_length) != 0))
            i++;
        if (i == count || !selection_number(parts.value, parts.value_length, &model->numbers[i]) ||
            (model->numbers[i] < 0 && !selection_may_be_negative(selection, i))) {
            error_set(error, ERROR_USAGE, "--define: '%.100s' is not NAME=NUMBER of a problem size", wanted->items[w]);
            error_hint(error, "a row has the sizes %.200s", selection->described->provenance.problem);
            return ERROR_USAGE;
        }
    }
    return code;
}

/* Names the macro PREFIX_TUNED_FOR_NVIDIA_H200; more underscores if another target has that name. */
static const char *target_macro(struct emit_model *model, const char *name)
{
    char *macro = arena_printf(&model->arena, "%s_TUNED_FOR_%s", model->upper, name);
    for (char *c = macro; c && *c; c++)
        *c = text_is_letter(*c) || text_is_digit(*c) ? text_upper(*c) : '_';
    for (size_t i = 0; macro && i < model->target_count; i++)
        if (strcmp(model->targets[i].macro, macro) == 0) {
            macro = arena_printf(&model->arena, "%s_", macro);
            i = (size_t)-1; /* restart */
        }
    return macro;
}

static int add_target(struct emit_model *model, const char *name, const struct emit_target *target, struct error *error)
{
    const char *macro = target_macro(model, name);
    if (!macro)
        return error_memory(error);
    model->targets[model->target_count] = *target;
    model->targets[model->target_count++].macro = macro;
    return 0;
}

static int add_device_target(struct emit_model *model, const struct selection_row *row, struct error *error)
{
    const struct selection_device device = {row->device, row->cc, row->sm_count, row->l2_bytes, NULL};
    struct emit_target target = {.device = row->device, .cc = row->cc, .newest = row->best->provenance.date};
    target.row = selection_choose(model->selection, &device, model->numbers, NULL, &target.rule);
    return add_target(model, *row->device ? row->device : "OTHER", &target, error);
}

/* Returns the target of devices without a row: of an architecture, or of any (0). */
static int find_other(struct emit_model *model, int cc, const bool *devices, const char *name, size_t *found,
                      struct error *error)
{
    const struct selection_device device = {"", cc, 0, 0, NULL};
    struct emit_target target = {.device = "", .newest = ""};
    target.row = selection_choose(model->selection, &device, model->numbers, devices, &target.rule);
    for (*found = 0; *found < model->target_count; ++*found)
        if (!*model->targets[*found].device && model->targets[*found].row == target.row)
            return 0;
    return add_target(model, name ? name : choose_rules()[target.rule].name, &target, error);
}

/* Lists the rows of devices in the database's order; those of a fit come after the others of its device. */
static int list_device_rows(struct emit_model *model, const struct selection_row ***list, size_t *count,
                            struct error *error)
{
    const struct selection *selection = model->selection;
    *list = arena_array(&model->arena, selection->row_count, sizeof **list);
    if (!*list)
        return error_memory(error);
    for (size_t i = 0; i < selection->row_count; i++) {
        const struct selection_row *row = &selection->rows[i];
        size_t at = *count;
        if (!row->best)
            continue;
        while (row->fit && at > 0 && strcmp((*list)[at - 1]->device, row->device) > 0)
            at--;
        memmove(*list + at + 1, *list + at, (*count - at) * sizeof **list);
        (*list)[at] = row;
        ++*count;
    }
    return 0;
}

/* ---- Architectures ---- */

/* Returns the newest target of a device with this compute capability or, with a divisor of 10, the same major one,
 * whose row is valid there; 0: none. Rows of the exact capability need no check, since they were measured there. */
static size_t kin_target(const struct emit_model *model, int cc, int divisor, int known_cc)
{
    const struct selection_device device = {NULL, known_cc, 0, 0, NULL};
    size_t found = 0;
    for (size_t i = 1; i < model->target_count; i++) {
        const struct emit_target *target = &model->targets[i];
        if (*target->device && target->cc > 0 && target->cc / divisor == cc / divisor &&
            (divisor == 1 || selection_valid(model->selection, target->row, &device, model->numbers, false)) &&
            (!found || strcmp(target->newest, model->targets[found].newest) > 0))
            found = i;
    }
    return found;
}

static void add_architecture(struct emit_model *model, int cc, int major, size_t target, enum choose_rule rule)
{
    model->architectures[model->architecture_count++] = (struct emit_architecture){cc, major, target, rule};
}

/* Returns the target of the devices of a major compute capability without their own line; 0 (the first target):
 * none. */
static size_t major_target(const struct emit_model *model, int major)
{
    return kin_target(model, major * 10, 10, 0);
}

/* Chooses the target of a compute capability: that of its devices, else of others of the major one, else of all
 * others. */
static int choose_architecture(struct emit_model *model, int cc, const bool *devices, struct error *error)
{
    size_t target = kin_target(model, cc, 1, cc);
    enum choose_rule rule = CHOOSE_RULE_CC;
    int code = 0;
    if (!target) {
        target = kin_target(model, cc, 10, cc);
        rule = CHOOSE_RULE_MAJOR;
    }
    if (!target) {
        code = find_other(model, cc, devices, NULL, &target, error);
        rule = model->targets[target].rule;
    }
    if (!code && (rule == CHOOSE_RULE_CC || target != major_target(model, cc / 10)))
        add_architecture(model, cc, cc / 10, target, rule);
    return code;
}

/* Returns the least number above `last` among known compute capabilities and those of devices; 0: none. */
static int next_architecture(const struct emit_model *model, int last)
{
    int next = 0;
    for (size_t i = 0; i < architecture_count; i++)
        if (architectures[i] > last && (!next || architectures[i] < next))
            next = architectures[i];
    for (size_t i = 1; i < model->target_count; i++)
        if (model->targets[i].cc > last && (!next || model->targets[i].cc < next))
            next = model->targets[i].cc;
    return next;
}

static int make_architectures(struct emit_model *model, const bool *devices, struct error *error)
{
    const size_t room = architecture_count + 2 * model->target_count;
    int code = 0, last_major = -1;
    model->architectures = arena_array(&model->arena, room, sizeof *model->architectures);
    if (!model->architectures)
        return error_memory(error);
    for (int cc = next_architecture(model, 0); cc && !code; cc = next_architecture(model, cc))
        code = choose_architecture(model, cc, devices, error);
    for (int cc = next_architecture(model, 0); cc && !code; cc = next_architecture(model, cc)) {
        size_t target = major_target(model, cc / 10);
        if (target && cc / 10 != last_major)
            add_architecture(model, 0, cc / 10, target, CHOOSE_RULE_MAJOR);
        last_major = cc / 10;
    }
    return code;
}

static int make_targets(struct emit_model *model, struct error *error)
{
    const struct selection *selection = model->selection;
    const struct selection_row **rows = NULL;
    size_t count = 0, other;
    bool *devices = arena_array(&model->arena, selection->row_count, sizeof *devices);
    model->targets = arena_array(&model->arena, 2 * selection->row_count + 1, sizeof *model->targets);
    if (!model->targets || !devices)
        return error_memory(error);
    for (size_t i = 0; i < selection->row_count; i++)
        devices[i] = selection->rows[i].best;
    int code = find_other(model, 0, devices, "OTHER", &other, error);
    if (!code)
        code = list_device_rows(model, &rows, &count, error);
    for (size_t i = 0; i < count && !code; i++) {
        const struct selection_row *row = rows[i];
        struct emit_target *last = &model->targets[model->target_count - 1];
        if (strcmp(last->device, row->device) != 0)
            code = add_device_target(model, row, error);
        else if (strcmp(row->best->provenance.date, last->newest) > 0)
            last->newest = row->best->provenance.date;
        if (!code && row == &selection->rows[selection->newest])
            model->chosen = model->target_count - 1;
    }
    return code ? code : make_architectures(model, devices, error);
}

static bool requirement(const void *context, const char *configuration, bool of_limits, struct text *text)
{
    return space_requirement_of(context, configuration, of_limits, text);
}

/* ---- One row of several ---- */

/* Counts the different sizes tuned for the device. */
static size_t count_problems(const struct selection *selection, const char *device)
{
    size_t count = 0;
    for (size_t i = 0; i < selection->row_count; i++)
        count += selection->rows[i].best && !selection->rows[i].fit && strcmp(selection->rows[i].device, device) == 0;
    return count;
}

/* "the constants are of NVIDIA H200, ROWS=64: one of 2 devices (--device chooses) and of 3 problem sizes (-D chooses)"
 */
static void say_choice(struct emit_model *model)
{
    const struct emit_target *target = &model->targets[model->chosen];
    const struct selection_row *row = &model->selection->rows[target->row];
    size_t devices = 0, problems = count_problems(model->selection, target->device);
    for (size_t i = 0; i < model->target_count; i++)
        devices += *model->targets[i].device != '\0';
    bool several = problems > 1 && !row->fit && !model->request->sizes.count;
    bool exact = target->rule == CHOOSE_RULE_PROBLEM || (row->fit && model->request->sizes.count);
    struct text *choice = &model->choice;
    if ((devices < 2 && !several && exact) || emit_is_untuned(model))
        return;
    text_printf(choice, "the constants are of ");
    emit_row_name(row, choice);
    if (!exact)
        text_printf(choice, " by the rule %s", choose_rules()[target->rule].name);
    if (row->fit && !model->request->sizes.count)
        text_printf(choice, ", for the greatest sizes that it measured (-D chooses)");
    if (devices > 1)
        text_printf(choice, ": one of %zu devices (--device chooses)", devices);
    if (several)
        text_printf(choice, "%s of %zu problem sizes (-D chooses)", devices > 1 ? " and" : ": one", problems);
}

/* ---- Without rows ---- */

/* Describes the space as a row of the database would; the texts belong to the arena. */
static int describe(struct emit_model *model, struct best *described, struct error *error)
{
    const struct space *space = model->kernel->space;
    struct text problem = {0}, default_ = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_default(space, choices);
    space_problem_text(space, &problem);
    space_config_text(space, choices, &default_);
    *described =
        (struct best){.objective = (space->work_expr ? &objective_row_time_per_work : objective_default())->name,
                      .configuration = arena_copy(&model->arena, text_string(&default_), default_.length)};
    described->provenance.kernel = space->name;
    described->provenance.problem = arena_copy(&model->arena, text_string(&problem), problem.length);
    described->provenance.default_ = described->configuration;
    text_free(&problem);
    text_free(&default_);
    return described->configuration && described->provenance.problem ? 0 : error_memory(error);
}

static int build_default(struct emit_model *model, struct best *described, struct error *error)
{
    const struct emit_request *request = model->request;
    int code = describe(model, described, error);
    if (!code)
        code = selection_build_default(&model->selection, described, error);
    if (!code && request->note)
        text_printf(request->note, "%s: the default configuration of %.200s is written; `cutune --space` tunes it",
                    request->note->length ? "" : "no row", model->kernel->space->path);
    return code;
}

/* ---- Writing ---- */

#define FORMAT(name) extern const struct emit_format emit_format_##name;
#include "lists/emit_formats.def"
#undef FORMAT

static const struct emit_format *const formats[] = {
#define FORMAT(name) &emit_format_##name,
#include "lists/emit_formats.def"
#undef FORMAT
};

const char emit_format_names[] =
#define FORMAT(name) "|" #name
#include "lists/emit_formats.def"
    ;
#undef FORMAT

static const struct emit_format *find_format(const char *name)
{
    size_t i = 0;
    while (strcmp(formats[i]->name, name) != 0)
        i++;
    return formats[i];
}

static int check_request(const struct emit_request *request, struct error *error)
{
    const bool header = find_format(request->format) == &emit_format_header;
    if (request->plain_macros && !header)
        return error_set(error, ERROR_USAGE, "--plain-macros is for a header, not for --format %s", request->format);
    if (request->together && !header)
        return error_set(error, ERROR_USAGE, "--kernel all is for a header, not for --format %s", request->format);
    if (request->together && request->plain_macros) {
        error_set(error, ERROR_USAGE, "--plain-macros is for one kernel, not for --kernel all");
        error_hint(error, "kernels may have parameters of the same name: emit a header for each");
        return ERROR_USAGE;
    }
    return 0;
}

/* An import may lack the default, which the space then gives. */
static int give_default(struct emit_model *model, const struct best **rows, size_t count, struct error *error)
{
    const struct best *newest = selection_newest(rows, count);
    struct best described, *copy = NULL;
    size_t i = 0;
    if (*newest->provenance.default_ || !model->kernel->space)
        return 0;
    int code = describe(model, &described, error);
    if (!code && !(copy = arena_array(&model->arena, 1, sizeof *copy)))
        code = error_memory(error);
    if (code)
        return code;
    *copy = *newest;
    copy->provenance.default_ = described.configuration;
    while (rows[i] != newest)
        i++;
    rows[i] = copy;
    return 0;
}

static void note_no_default(const struct emit_model *model)
{
    const struct best *newest = model->selection->described;
    struct text *note = model->request->note;
    if (note && !*newest->provenance.default_ && model->selection->parameters->count)
        text_printf(note, "%sthe rows of %.80s have no default: where none of them fits, the newest stands in, %.200s",
                    note->length ? "; " : "", newest->provenance.kernel, newest->configuration);
}

/* `described`: memory for a kernel without rows. */
static int make_model(struct emit_model *model, struct best *described, struct error *error)
{
    const struct emit_kernel *kernel = model->kernel;
    const struct best **kept = NULL;
    size_t kept_count = 0;
    int code = set_prefix(model, error);
    if (!code)
        code = emit_keep_devices(model, &kept, &kept_count, error);
    if (!code && kept_count)
        code = give_default(model, kept, kept_count, error);
    if (!code)
        code = kept_count
                   ? selection_build(&model->selection, kept, kept_count, kernel->times, kernel->time_count, error)
                   : build_default(model, described, error);
    if (!code)
        note_no_default(model);
    if (!code && kernel->space)
        code = selection_require(model->selection, requirement, kernel->space, error);
    if (!code)
        code = make_members(model, error);
    if (!code)
        code = set_sizes(model, error);
    if (!code)
        code = make_targets(model, error);
    if (!code)
        say_choice(model);
    return code;
}

int emit_write(const struct emit_request *request, struct text *text, struct error *error)
{
    const size_t count = request->kernel_count;
    const struct emit_format *format = find_format(request->format);
    struct emit_model *models = calloc(count, sizeof *models);
    struct best *described = calloc(count, sizeof *described);
    int code = models && described ? check_request(request, error) : error_memory(error);
    for (size_t i = 0; i < count && !code; i++) {
        models[i] =
            (struct emit_model){.request = request, .kernel = &request->kernels[i], .all = models, .count = count};
        code = make_model(&models[i], &described[i], error);
    }
    if (!code) {
        format->write(&models[0], text);
        if (request->note && models[0].choice.length && (format->single || request->plain_macros))
            text_printf(request->note, "%s%s", request->note->length ? "; " : "", text_string(&models[0].choice));
    }
    if (!code && (text->failed || models[0].choice.failed || (request->note && request->note->failed)))
        code = error_memory(error);
    for (size_t i = 0; models && i < count; i++) {
        text_free(&models[i].choice);
        selection_free(models[i].selection);
        arena_free(&models[i].arena);
    }
    free(models);
    free(described);
    return code;
}
