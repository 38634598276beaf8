/* Rules that choose a row for a device and sizes, which may match no row exactly: their only implementation. The
 * library compiles it, and `cutune emit` copies the part between the marks into every header, with the header's own
 * names in place of choose_ and CHOOSE_, so that library and headers agree. It is therefore valid C11, C++ and CUDA,
 * and needs only stddef.h, string.h and choose_far.h.
 *
 * To search, zero a struct choose_search and set the device and `rule`, CHOOSE_RULE_NONE. For each row, call
 * choose_size for each of its sizes, then choose_better and, if the row is valid, choose_take. After all rows of
 * devices, do the same for each fit over sizes (db/sizes/size_fit.h), with the row that it chooses. */
#ifndef CUTUNE_DB_CHOOSE_H
#define CUTUNE_DB_CHOOSE_H

#include <stddef.h>
#include <string.h>

#include "choose/choose_far.h"

/* ---- emitted from here ---- */
/* The rule by which a row was chosen, the best first. */
enum choose_rule {
    CHOOSE_RULE_PROBLEM, /* this device and these sizes */
    CHOOSE_RULE_FIT,     /* this device, by its fit over sizes */
    CHOOSE_RULE_DEVICE,  /* this device, nearest sizes */
    CHOOSE_RULE_CC,      /* same compute capability: nearest SM count and L2; by its fit, else nearest sizes */
    CHOOSE_RULE_MAJOR,   /* likewise for the same major compute capability */
    CHOOSE_RULE_COMMON,  /* the fastest over all measured devices, for the nearest sizes */
    CHOOSE_RULE_DEFAULT, /* the default of the kernel's author */
    CHOOSE_RULE_NONE
};

/* Facts about a row. */
enum choose_fact {
    CHOOSE_SAME_DEVICE = 1,
    CHOOSE_SAME_SIZES = 2,
    CHOOSE_SAME_CC = 4,
    CHOOSE_SAME_MAJOR = 8,
    CHOOSE_IS_COMMON = 16, /* belongs to no device, like CHOOSE_IS_DEFAULT */
    CHOOSE_IS_DEFAULT = 32,
    CHOOSE_IS_FIT = 64 /* chosen by the device's fit over sizes: the row has no sizes of its own */
};

/* A rule: the facts that it requires, and whether the nearest device precedes the nearest sizes. */
struct choose_rule_row {
    const char *name;
    int needs, nearest_device;
};
static inline const struct choose_rule_row *choose_rules(void)
{
    static const struct choose_rule_row rules[CHOOSE_RULE_NONE] = {
        {"problem", CHOOSE_SAME_DEVICE | CHOOSE_SAME_SIZES, 0},
        {"fit", CHOOSE_SAME_DEVICE | CHOOSE_IS_FIT, 0},
        {"device", CHOOSE_SAME_DEVICE, 0},
        {"cc", CHOOSE_SAME_CC, 1},
        {"major", CHOOSE_SAME_MAJOR, 1},
        {"common", CHOOSE_IS_COMMON, 0},
        {"default", CHOOSE_IS_DEFAULT, 0},
    };
    return rules;
}

struct choose_search {
    const char *device; /* requested: its name or NULL */
    int cc, sm_count;   /* compute capability (major * 10 + minor; 0: unknown), multiprocessors */
    long long l2_bytes;
    int differs;       /* true if a size of the current row differs */
    long double apart; /* ratio between its sizes and the requested ones; 0 stands for 1 */
    int rule;          /* best row so far: the rule that chose it */
    long long device_far;
    long double sizes_far;
    size_t row;   /* number of the best row */
    int own_rule; /* rule of the row that choose_better examined last, likewise below */
    long long own_device_far;
    long double own_sizes_far;
};

/* The larger number over the smaller: products of these ratios have the order of sums of |log a / b|. Sizes are long
 * double, which holds every 64-bit integer exactly; double does not. */
static inline long double choose_ratio(long double a, long double b)
{
    if (!(a < b) && !(a > b))
        return 1.0L;
    if (!(a > 0.0L) || !(b > 0.0L))
        return 1e30L;
    return a > b ? a / b : b / a;
}

static inline void choose_size(struct choose_search *search, long double has, long double asked)
{
    long double ratio = choose_ratio(has, asked);
    search->differs = search->differs || has < asked || has > asked;
    search->apart = search->apart > 0.0L ? search->apart * ratio : ratio;
}

/* True if a row is better than the best so far. `kind`: 0 for a row of a device and sizes, CHOOSE_IS_FIT,
 * CHOOSE_IS_COMMON or CHOOSE_IS_DEFAULT. */
static inline int choose_better(struct choose_search *search, int kind, const char *device, int cc, int sm_count,
                                long long l2_bytes)
{
    const struct choose_rule_row *rules = choose_rules();
    long long device_far = choose_far(sm_count, l2_bytes, search->sm_count, search->l2_bytes);
    long double sizes_far = search->apart > 0.0L ? search->apart : 1.0L;
    int facts = kind, rule = 0, of_device = kind == 0 || kind == CHOOSE_IS_FIT;
    if (of_device && search->device && strcmp(device, search->device) == 0)
        facts |= CHOOSE_SAME_DEVICE;
    if (!search->differs && kind != CHOOSE_IS_FIT)
        facts |= CHOOSE_SAME_SIZES;
    if (of_device && choose_kinship(cc, search->cc) == 2)
        facts |= CHOOSE_SAME_CC;
    if (of_device && choose_kinship(cc, search->cc) >= 1)
        facts |= CHOOSE_SAME_MAJOR;
    search->differs = 0;
    search->apart = 0.0L;
    while (rule < CHOOSE_RULE_NONE && (facts & rules[rule].needs) != rules[rule].needs)
        rule++;
    if (rule > search->rule || rule == CHOOSE_RULE_NONE)
        return 0;
    if (!rules[rule].nearest_device)
        device_far = 0;
    search->own_rule = rule;
    search->own_device_far = device_far;
    search->own_sizes_far = sizes_far;
    return rule < search->rule || device_far < search->device_far ||
           (!(device_far > search->device_far) && sizes_far < search->sizes_far);
}

/* Takes the row that choose_better examined last. */
static inline void choose_take(struct choose_search *search, size_t row)
{
    search->rule = search->own_rule;
    search->device_far = search->own_device_far;
    search->sizes_far = search->own_sizes_far;
    search->row = row;
}
/* ---- to here ---- */

#endif
