/* Makes a fit from journals alone. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/pairs.h"
#include "fit/fit_state.h"
#include "session/subset.h"

/* A journal of the folder. */
struct found {
    const char *path;
    bool other_size; /* than -D names */
    bool current;    /* of the current space and source */
};

/* same: the journal has the sizes that -D names. */
static int has_defines(const struct fitting *fitting, const struct journal *journal, bool *same, struct error *error)
{
    const struct session_request *session = fitting->request->session;
    const char *problem = journal_get_header(journal)->provenance.problem;
    int code = 0;
    *same = true;
    for (size_t i = 0; i < session->define_count && !code; i++) {
        struct value value;
        char wanted[VALUE_TEXT_BYTES], has[VALUE_TEXT_BYTES];
        size_t number, length = 0;
        code = space_override(fitting->space, session->defines[i], &number, &value, error);
        const char *at = code ? NULL : pairs_value(problem, fitting->space->problems[number].name, &length);
        snprintf(has, sizeof has, "%.*s", (int)length, at ? at : "");
        *same &= at && pairs_compare_values(has, value_text(&value, wanted, sizeof wanted)) == 0;
    }
    return code;
}

/* Lists the journals of the kernel with sizes of the region. */
static int list_folder(struct fitting *fitting, const char *folder, struct found **found, size_t *found_count,
                       struct error *error)
{
    const char *const *paths;
    size_t count;
    int code = file_list_csv(&fitting->arena, folder, "", &paths, &count, error);
    *found_count = 0;
    *found = code ? NULL : arena_array(&fitting->arena, count + 1, sizeof **found);
    if (!code && !*found)
        return error_memory(error);
    if (!code)
        work_begin(fitting->request->options.work, "files read", count);
    for (size_t i = 0; i < count && !code; i++) {
        int64_t point[SIZE_FIT_SIZES_MAX];
        struct journal *journal = NULL;
        bool wanted = false, same = false;
        code = journal_read(&journal, paths[i], error);
        if (!code)
            code = fit_belongs(fitting, journal, point, &wanted, error);
        if (!code && wanted)
            code = has_defines(fitting, journal, &same, error);
        if (!code && wanted)
            (*found)[(*found_count)++] =
                (struct found){paths[i], !same, same && replayed_same_version(journal, fitting->space)};
        journal_close(journal, NULL);
        work_step(fitting->request->options.work, 1);
    }
    return code;
}

/* Reports skipped journals. If the folder has several versions of the kernel, only the current one counts; without it,
 * all journals must agree. */
static int note_left_out(struct fitting *fitting, const char *folder, const struct found *found, size_t count,
                         bool *current, struct error *error)
{
    size_t others = 0, older = 0;
    *current = false;
    for (size_t i = 0; i < count; i++) {
        others += found[i].other_size;
        older += !found[i].other_size && !found[i].current;
        *current |= found[i].current;
    }
    const char *path = fitting->request->session->space_path;
    int code = others ? fit_note(fitting, error, "left out: %zu of %zu journals in %s, of other sizes than -D says",
                                 others, count, folder)
                      : 0;
    if (code || !older)
        return code;
    return *current
               ? fit_note(fitting, error, "left out: %zu of %zu journals in %s, of another version of %s or its source",
                          older, count, folder, path)
               : fit_note(fitting, error, "%s was recorded from another version of %s or its source", folder, path);
}

static int read_folder(struct fitting *fitting, const char *folder, struct error *error)
{
    struct fit_result *result = fitting->result;
    struct found *found;
    size_t count;
    bool current = false, same;
    int code = list_folder(fitting, folder, &found, &count, error);
    if (!code)
        code = note_left_out(fitting, folder, found, count, &current, error);
    if (!code)
        work_begin(fitting->request->options.work, "journals taken", count);
    for (size_t i = 0; i < count && !code; i++) {
        work_step(fitting->request->options.work, 1);
        if (found[i].other_size || (current && !found[i].current))
            continue;
        code = fit_journals_add(&result->journals, found[i].path, &same, error);
        if (!code && same)
            code = fit_note(fitting, error, "%s is left out: another journal has these sizes", found[i].path);
    }
    if (!code && !result->journals.count)
        code = error_set(error, ERROR_NOT_FOUND, "%s has no journal of %s with sizes of the region", folder,
                         fitting->space->name);
    return code;
}

/* Reports an empty set of configurations: the space is narrowed too far, or the journals are of other searches. */
static int check_proposed(const struct fitting *fitting, const char *folder, struct error *error)
{
    if (fitting->result->journals.configuration_count)
        return 0;
    return error_set(error, ERROR_NOTHING_VALID, "no journal in %s has a configuration %s", folder,
                     fitting->request->session->set_count ? "that --set leaves" : "to choose");
}

int fit_replay(const struct fit_request *request, const char *folder, struct fit_result *result, struct error *error)
{
    struct fitting fitting = {.request = request, .result = result};
    int code = fit_open(&fitting, error);
    if (!code)
        code = read_folder(&fitting, folder, error);
    if (!code)
        code = fit_propose(&fitting, true, error);
    if (!code)
        code = check_proposed(&fitting, folder, error);
    if (!code)
        code = fit_make_anew(&fitting, error);
    space_free(fitting.space);
    arena_free(&fitting.arena);
    return code;
}
