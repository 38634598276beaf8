/* Common part of the programs of fits.py and agree.py, which ask a header and the library the same questions. */
#include <cutune.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    const char *name;
    int cc, sm_count;
    long long l2_bytes;
};

/* Asks the library. Returns 0 or an error, which it prints. */
static int look(const struct cutune_database *database, const char *kernel, const struct device *d, const char *problem,
                struct cutune_best *best)
{
    struct cutune_device *device = cutune_device_new(d->name, d->cc, d->sm_count, d->l2_bytes);
    struct cutune_error error;
    int code = cutune_database_best(database, kernel, device, problem, best, &error);
    if (code)
        printf("%s\n", error.message);
    cutune_device_free(device);
    return code;
}

static int same_int(const char *configuration, const char *name, long long value)
{
    long long found;
    return !cutune_configuration_int(configuration, name, &found, NULL) && found == value;
}

static int same_text(const char *configuration, const char *name, const char *value)
{
    char found[64];
    return !cutune_configuration_text(configuration, name, found, sizeof found, NULL) && strcmp(found, value) == 0;
}

/* Reports how the two differ. Returns 1. */
static int fail(const char *kernel, const struct device *d, const char *problem, const struct cutune_best *best,
                int rule)
{
    printf("%s, %s (%d),%s: the library finds %s by %s, the header another by rule %d\n", kernel,
           d->name ? d->name : "none", d->cc, problem, best->configuration, cutune_rule_name(best->rule), rule);
    return 1;
}
