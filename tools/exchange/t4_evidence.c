#include <math.h>
#include <string.h>

#include "exchange/json_place.h"
#include "exchange/t4.h"

static void put_launch(struct text *out, const struct evidence *launch)
{
    text_printf(out, "{\"kernel\":");
    t4_string(out, launch->kernel);
    for (size_t i = 0; i < evidence_count; i++) {
        char number[TEXT_REAL_BYTES];
        double value = evidence_get(launch, &evidence_rows[i]);
        if (evidence_may_be(&evidence_rows[i], value))
            text_printf(out, ",\"%s\":%s", evidence_rows[i].name, text_real(value, number));
    }
    text_append(out, "}", 1);
}

void t4_evidence(struct text *out, const struct journal *journal)
{
    text_append(out, "[", 1);
    for (size_t i = 0; i < journal_evidence_count(journal); i++) {
        const struct journal_evidence evidence = journal_get_evidence(journal, i);
        text_printf(out, "%s{\"configuration\":", i ? ",\n" : "\n");
        t4_configuration(out, journal_get_header(journal), evidence.values);
        text_printf(out, ",\"launches\":[");
        for (size_t launch = 0; launch < evidence.count; launch++) {
            text_append(out, ",", launch > 0);
            put_launch(out, &evidence.launches[launch]);
        }
        text_append(out, "]}", 2);
    }
    text_append(out, "]", 1);
}

static int read_launch(const struct json_text *json, const cJSON *launch, size_t at, struct evidence *evidence)
{
    struct json_walk walk;
    const cJSON *item;
    int code = json_members(json, launch, at, "a launch", NULL, 0, NULL, NULL);
    *evidence = evidence_unknown();
    if (code)
        return code;
    json_walk_start(&walk, json->source.text, json->source.length, at);
    cJSON_ArrayForEach(item, launch)
    {
        const struct evidence_row *row = evidence_find(item->string);
        if (!json_walk_next(&walk))
            break;
        if (strcmp(item->string, "kernel") == 0) {
            if (!cJSON_IsString(item) || strlen(item->valuestring) >= sizeof evidence->kernel)
                return json_fail(json, walk.value, "'kernel' is not a string of less than %zu characters",
                                 sizeof evidence->kernel);
            strcpy(evidence->kernel, item->valuestring);
        } else if (row && !(cJSON_IsNumber(item) && evidence_may_be(row, item->valuedouble))) {
            code = json_fail(json, walk.value, "'%s' is %s", row->name,
                             cJSON_IsNumber(item) ? "impossible" : "not a number");
            error_hint(json->error, "expected %s", range_expected(row->range));
            return code;
        } else if (row) {
            evidence_put(evidence, row, item->valuedouble);
        }
    }
    return 0;
}

int t4_read_launches(const struct json_text *json, const struct json_member *launches, const char *const *values,
                     size_t width, struct journal_evidences *evidences)
{
    struct json_walk walk;
    const cJSON *item;
    int code = 0;
    if (!cJSON_IsArray(launches->item))
        return json_fail(json, launches->at, "'launches' is not a list");
    json_walk_start(&walk, json->source.text, json->source.length, launches->at);
    cJSON_ArrayForEach(item, launches->item)
    {
        struct evidence launch;
        struct error error = {0};
        if (code || !json_walk_next(&walk))
            break;
        code = read_launch(json, item, walk.value, &launch);
        if (!code && journal_evidences_add(evidences, values, width, &launch, &error))
            code = error.code == ERROR_MEMORY ? error_memory(json->error)
                                              : json_fail(json, walk.value, "%s", error.message);
    }
    return code;
}
