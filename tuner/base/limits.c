#include "base/limits.h"

#include <string.h>

const struct limit_row limit_rows[] = {
#define LIMIT(name, attribute, description) {#name, description, offsetof(struct device_limits, name)},
#include "base/limits.def"
#undef LIMIT
};
const size_t limit_count = sizeof limit_rows / sizeof *limit_rows;

int64_t limit_get(const struct device_limits *limits, const struct limit_row *row)
{
    return *(const int64_t *)((const char *)limits + row->offset);
}

void limit_put(struct device_limits *limits, const struct limit_row *row, int64_t value)
{
    *(int64_t *)((char *)limits + row->offset) = value;
}

const struct limit_row *limit_find(const char *name)
{
    for (size_t i = 0; i < limit_count; i++)
        if (strcmp(limit_rows[i].name, name) == 0)
            return &limit_rows[i];
    return NULL;
}
