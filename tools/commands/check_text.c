#include "commands/check_text.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "terminal/output_format.h"

static const char *member(const cJSON *row, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

/* True if a row of the kind has the member. */
static bool has(const struct check_facts *facts, const char *kind, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, facts->rows)
    {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
        if (strcmp(member(row, "kind"), kind) == 0 && item && !cJSON_IsNull(item))
            return true;
    }
    return false;
}

/* Prints a table of the rows of a kind: `columns` are pairs of a member and its heading. `sparse`: leaves out empty
 * columns. */
static int print_kind(const struct check_facts *facts, const char *kind, const char *const (*columns)[2], size_t count,
                      bool sparse, struct error *error)
{
    const cJSON *row;
    cJSON *table = cJSON_CreateArray();
    cJSON_ArrayForEach(row, facts->rows)
    {
        if (strcmp(member(row, "kind"), kind) != 0)
            continue;
        cJSON *line = cJSON_CreateObject();
        for (size_t c = 0; c < count; c++) {
            const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, columns[c][0]);
            if (!sparse || has(facts, kind, columns[c][0]))
                cJSON_AddItemToObject(line, columns[c][1], item ? cJSON_Duplicate(item, false) : cJSON_CreateNull());
        }
        cJSON_AddItemToArray(table, line);
    }
    int code = 0;
    if (cJSON_GetArraySize(table) > 0) {
        printf("\n");
        code = output_rows(table, "text", false, error);
    }
    cJSON_Delete(table);
    return code;
}

/* Formats a fact for the list at the top. */
static void describe(const struct check_facts *facts, const cJSON *row, struct text *line)
{
    const char *kind = member(row, "kind"), *value = member(row, "value");
    char size[32];
    text_clear(line);
    if (strcmp(kind, "kernel") == 0 && !facts->space->kernel)
        text_printf(line, "none: only parameters and constraints");
    else if (strcmp(kind, "kernel") == 0)
        text_printf(line, "%s in %s", member(row, "name"), value);
    else if (strcmp(kind, "device") == 0 && !facts->has_limits)
        text_printf(line, "none: device limits are not applied");
    else if (strcmp(kind, "default") == 0 && strcmp(member(row, "name"), "valid") != 0)
        text_printf(line, "%s (not valid)", value);
    else if (strcmp(kind, "library") == 0 && strcmp(member(row, "name"), "found") != 0)
        text_printf(line, "%s (missing: runs do not compare with it)", value);
    else if (strcmp(kind, "bytes") == 0)
        text_printf(line, "%s", format_bytes(size, sizeof size, text_number(value, NULL)));
    else
        text_printf(line, "%s", value);
}

static int print_head(const struct check_facts *facts, struct error *error)
{
    static const char *const kinds[] = {"kernel",       "title", "device", "default", "library", "objective",
                                        "combinations", "valid", "nodes",  "bytes",   "work"};
    cJSON *head = cJSON_CreateObject(), *list = cJSON_CreateArray();
    struct text line = {0};
    const cJSON *row;
    cJSON_ArrayForEach(row, facts->rows)
    {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(member(row, "kind"), kinds[k]) != 0)
                continue;
            describe(facts, row, &line);
            cJSON_AddStringToObject(head, kinds[k], text_string(&line));
        }
        if (strcmp(member(row, "kind"), "device") == 0) {
            text_clear(&line);
            space_problem_text(facts->space, &line);
            cJSON_AddStringToObject(head, "problem", text_string(&line));
        }
    }
    cJSON_AddItemToArray(list, head);
    int code = line.failed ? error_memory(error) : output_rows(list, "text", true, error);
    cJSON_Delete(list);
    text_free(&line);
    return code;
}

int check_text(const struct check_facts *facts, struct error *error)
{
    static const char *const parameters[][2] = {
        {"name", "parameter"}, {"from", "set by"}, {"default", "default"}, {"value", "values"}};
    static const char *const overrides[][2] = {
        {"name", "override"}, {"value", "replaces"}, {"from", "in"}, {"line", "line"}};
    static const char *const references[][2] = {{"name", "expected"}, {"value", "elements"}, {"from", "from"}};
    static const char *const constraints[][2] = {
        {"removed", "removed"}, {"from", "from"}, {"line", "line"}, {"name", "rule"}, {"value", "condition"}};
    static const char *const refused[][2] = {{"removed", "pruned_limit"}, {"name", "the first"}, {"value", "reason"}};
    static const char *const devices[][2] = {{"name", "with the limits of"}, {"value", "valid"}};
    static const char *const samples[][2] = {{"value", "valid, for example"}};
    static const char *const compiled[][2] = {{"architecture", "for"},
                                              {"name", "compiled"},
                                              {"kernel", "kernel"},
                                              {"value", "status"},
                                              {"registers", "registers"},
                                              {"spill_store_bytes", "spilled"},
                                              {"spill_load_bytes", "reloaded"},
                                              {"local_bytes", "local"},
                                              {"shared_bytes", "shared"},
                                              {"dynamic_bytes", "dynamic"},
                                              {"occupancy", "occupancy"},
                                              {"accesses", "loads and stores by bits"},
                                              {"from", "reason"}};
    int code = print_head(facts, error);
    if (!code)
        code = print_kind(facts, "parameter", parameters, 4, false, error);
    if (!code)
        code = print_kind(facts, "override", overrides, 4, false, error);
    if (!code)
        code = print_kind(facts, "reference", references, 3, false, error);
    if (!code)
        code = print_kind(facts, "constraint", constraints, 5, false, error);
    if (!code)
        code = print_kind(facts, "pruned_limit", refused, 3, false, error);
    if (!code)
        code = print_kind(facts, "valid on", devices, 2, false, error);
    if (!code)
        code = print_kind(facts, "sample", samples, 1, false, error);
    if (!code)
        code = print_kind(facts, "compiled", compiled, sizeof compiled / sizeof *compiled, true, error);
    return code;
}
