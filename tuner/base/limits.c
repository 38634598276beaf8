#include "base/limits.h"

#include <math.h>
#include <string.h>

const struct limit_row limit_rows[] = {
#define LIMIT(name, attribute, least, description) {#name, description, least, offsetof(struct device_limits, name)},
#include "base/limits.def"
#undef LIMIT
};
const size_t limit_count = sizeof limit_rows / sizeof *limit_rows;

#define LIMIT(name, attribute, least, description) PACK_NUMBER(struct device_limits, name),
static const struct pack_field device_limits_fields[] = {
    PACK_TEXT(struct device_limits, name),
    PACK_TEXT(struct device_limits, uuid),
    PACK_TEXT(struct device_limits, driver),
    PACK_NUMBER(struct device_limits, cuda),
#include "base/limits.def"
};
#undef LIMIT
const struct pack_table device_limits_table = {
    sizeof(struct device_limits), sizeof device_limits_fields / sizeof *device_limits_fields, device_limits_fields};

PACK_TABLE(ceilings_table, struct ceilings, PACK_NUMBER(struct ceilings, copy),
           PACK_NUMBER(struct ceilings, link_to_device), PACK_NUMBER(struct ceilings, link_to_host),
           PACK_NUMBER(struct ceilings, link_both));

const struct event_timer event_timer_unknown = {NAN, NAN};
PACK_TABLE(event_timer_table, struct event_timer, PACK_NUMBER(struct event_timer, overhead_ns),
           PACK_NUMBER(struct event_timer, tick_ns));

const struct roofline roofline_unknown = {NAN, NAN, NAN, NAN, NAN};
PACK_TABLE(roofline_table, struct roofline, PACK_NUMBER(struct roofline, l2), PACK_NUMBER(struct roofline, shared),
           PACK_NUMBER(struct roofline, issue), PACK_NUMBER(struct roofline, fma),
           PACK_NUMBER(struct roofline, tensor));

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
