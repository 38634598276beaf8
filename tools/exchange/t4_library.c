#include <math.h>
#include <string.h>

#include "base/power.h"
#include "base/range.h"
#include "exchange/t4.h"

static void put_number(struct text *out, const char *name, double value)
{
    char number[TEXT_REAL_BYTES];
    if (isfinite(value))
        text_printf(out, ",\"%s\":%s", name, text_real(value, number));
}

static void put_states(struct text *out, const char *name, const char *states)
{
    if (!*states)
        return;
    text_printf(out, ",\"%s\":", name);
    t4_string(out, states);
}

void t4_libraries(struct text *out, const struct journal *journal)
{
    size_t count;
    const struct journal_library *library = journal_get_libraries(journal, &count);
    text_append(out, "[", 1);
    for (size_t i = 0; i < count; i++, library++) {
        text_printf(out, "%s{\"configuration\":", i ? ",\n" : "\n");
        t4_configuration(out, journal_get_header(journal), library->values);
        text_printf(out, ",\"name\":");
        t4_string(out, library->name);
        text_printf(out, ",\"hash\":");
        t4_string(out, library->hash);
        put_number(out, "value", library->value);
        put_number(out, "low", library->low);
        put_number(out, "high", library->high);
        put_number(out, "samples", library->samples);
        put_number(out, "winner_value", library->winner_value);
        put_states(out, "states", library->states);
        put_states(out, "winner_states", library->winner_states);
        text_append(out, "}", 1);
    }
    text_append(out, "]", 1);
}

/* Returns a number above 0; NaN: missing or not a number. */
static double number_of(const struct json_member *member, enum range range)
{
    bool good = cJSON_IsNumber(member->item) && range_has(range, member->item->valuedouble);
    return good ? member->item->valuedouble : NAN;
}

/* Returns a text of states; "": it has none. */
static const char *states_of(const struct json_member *member)
{
    const char *text = member->item ? cJSON_GetStringValue(member->item) : NULL;
    struct power power = power_of(text ? text : "");
    return power.state != POWER_UNKNOWN || !isnan(power.mhz) ? text : "";
}

int t4_read_library(const struct json_text *json, const cJSON *object, size_t at, struct json_member *configuration,
                    struct journal_library *library)
{
    enum { CONFIGURATION, NAME, HASH, STATES, WINNER_STATES, VALUE, LOW, HIGH, SAMPLES, WINNER, MEMBERS };
    struct json_member members[MEMBERS] = {
        {.name = "configuration"}, {.name = "name"}, {.name = "hash"}, {.name = "states"},  {.name = "winner_states"},
        {.name = "value"},         {.name = "low"},  {.name = "high"}, {.name = "samples"}, {.name = "winner_value"}};
    double numbers[MEMBERS];
    int code = json_members(json, object, at, "a library", members, MEMBERS, NULL, NULL);
    if (code)
        return code;
    for (int m = VALUE; m < MEMBERS; m++) {
        enum range range = m == SAMPLES ? RANGE_WHOLE : RANGE_ABOVE_ZERO;
        numbers[m] = number_of(&members[m], range);
        if (!json_given(&members[m]) || !isnan(numbers[m]))
            continue;
        code = json_fail(json, members[m].at, "'%s' is impossible", members[m].name);
        error_hint(json->error, "expected %s", range_expected(range));
        return code;
    }
    const char *hash = members[HASH].item ? cJSON_GetStringValue(members[HASH].item) : NULL;
    double samples = numbers[SAMPLES];
    *configuration = members[CONFIGURATION];
    *library = (struct journal_library){.name = members[NAME].item ? cJSON_GetStringValue(members[NAME].item) : NULL,
                                        .states = states_of(&members[STATES]),
                                        .winner_states = states_of(&members[WINNER_STATES]),
                                        .value = numbers[VALUE],
                                        .low = numbers[LOW],
                                        .high = numbers[HIGH],
                                        .samples = samples >= 1 && samples <= UINT32_MAX ? (uint32_t)samples : 0,
                                        .winner_value = numbers[WINNER]};
    if (!configuration->item || !library->name || !hash || strlen(hash) >= sizeof library->hash ||
        strpbrk(hash, " \t\r\n") || isnan(library->value) || isnan(library->winner_value))
        return json_fail(json, at, "a library without 'configuration', 'name', 'hash', 'value' or 'winner_value'");
    strcpy(library->hash, hash);
    struct error error = {0};
    if (range_check_interval(library->low, library->high, &error))
        return json_fail(json, at, "%s", error.message);
    return 0;
}
