/* Spaces with the same valid configurations. */
#ifndef CUTUNE_TESTS_SPACE_SAME_H
#define CUTUNE_TESTS_SPACE_SAME_H

#include "base/text.h"
#include "set/valid_set.h"
#include "support.h"

/* Appends all valid configurations, one per line, in the order of the declared values. */
static inline void valid_text(const struct space *space, struct text *text)
{
    struct valid_set *set = NULL;
    struct error error = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    uint64_t index;
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, 1 << 20, &error), 0);
    for (size_t left = 1; left > 0;) {
        if (valid_set_find(set, choices, &index)) {
            space_config_text(space, choices, text);
            text_append(text, "\n", 1);
        }
        for (left = space->parameter_count; left > 0 && ++choices[left - 1] == space->parameters[left - 1].value_count;)
            choices[--left] = 0;
    }
    valid_set_free(set);
}

/* Checks that two spaces, given by the text behind the head, have the same valid configurations. */
static inline void expect_same(const char *one, const char *other)
{
    const char *const parts[] = {one, other};
    struct text texts[2] = {0};
    struct device_limits limits = h200_limits();
    for (int i = 0; i < 2; i++) {
        char file[2048];
        snprintf(file, sizeof file, SPACE_HEAD SPACE_SHAPE "%s\n", parts[i]);
        struct space *space = bound(file, "", &limits);
        if (space)
            valid_text(space, &texts[i]);
        space_free(space);
    }
    CU_ASSERT(texts[0].length > 0);
    expect_text(one, text_string(&texts[0]), text_string(&texts[1]));
    text_free(&texts[0]);
    text_free(&texts[1]);
}

#endif
