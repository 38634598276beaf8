#include "base/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

/* Rounds "J:NS/..." as a measurement. */
static struct energy of(const char *rounds, double work)
{
    struct error error = {0};
    struct energy energy;
    char text[256];
    snprintf(text, sizeof text, "rounds=%s idle_w=100", rounds);
    CU_ASSERT_EQUAL_FATAL(energy_parse(text, &energy, &error), 0);
    energy.work = work;
    return energy;
}

/* All quantities follow from the rounds. */
static void quantities(void)
{
    static const struct {
        const struct objective *objective;
        double work, value;
    } rows[] = {{&objective_row_time, NAN, 2e6},
                {&objective_row_time_per_work, 4, 5e5},
                {&objective_row_energy, NAN, 0.5},
                {&objective_row_energy_per_work, 4, 0.125},
                {&objective_row_power, 4, 250},
                {&objective_row_energy_delay, NAN, 1e-3},
                {&objective_row_energy_delay, 4, 1e-3 / 16}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct energy energy = of("0.5:2000000/-/0.5:2000000", rows[i].work);
        const struct bounded value = energy_value(&energy, rows[i].objective, 0.95);
        CU_ASSERT_DOUBLE_EQUAL(value.value, rows[i].value, 1e-9 * rows[i].value);
        CU_ASSERT_DOUBLE_EQUAL(value.low, value.high, 1e-9 * rows[i].value);
    }
    const struct energy none = energy_unknown(), energy = of("0.5:2000000", NAN);
    CU_ASSERT(isnan(energy_value(&none, &objective_row_energy, 0.95).value));
    CU_ASSERT_DOUBLE_EQUAL(energy_above_idle(&energy), 0.5 - 100 * 2e-3, 1e-12);
}

/* Ratios are of the rounds that both have; a drift of both cancels. */
static void ratios(void)
{
    const struct energy a = of("1:100/2:100/-/4:100", NAN), b = of("2:100/4:100/9:100/8:100", NAN);
    const struct bounded ratio = energy_ratio(&a, &b, &objective_row_energy, 0.95);
    CU_ASSERT_EQUAL(ratio.value, 0.5);
    CU_ASSERT_EQUAL(ratio.low, 0.5);
    CU_ASSERT_EQUAL(ratio.high, 0.5);
    CU_ASSERT(energy_value(&a, &objective_row_energy, 0.95).high > 4);
}

static void dominance(void)
{
    static const struct {
        const char *a, *b;
        bool dominates;
    } rows[] = {
        {"1:100/1:100/1:100", "2:100/2:100/2:100", true},           /* less energy, same time */
        {"1:100/1:100/1:100", "1:200/1:200/1:200", true},           /* less time, same energy */
        {"1:200/1:200/1:200", "2:100/2:100/2:100", false},          /* less energy, more time */
        {"1:100/1:100/1:100", "1:100/1:100/1:100", false},          /* a tie */
        {"1:100/1.1:100/0.9:100", "1.01:100/1:100/1.1:100", false}, /* not separated */
        {"1:100/1:101/1:99", "2:100/2:99/2:101", true},             /* times tie */
        {"1:100", "2:100", false},                                  /* one round separates nothing */
        {"-/-/1:100", "1:100/1:100/-", false},                      /* no common round */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct energy a = of(rows[i].a, NAN), b = of(rows[i].b, NAN);
        CU_ASSERT_EQUAL(energy_dominates(&a, &b, 0.95), rows[i].dominates);
    }
}

static void texts(void)
{
    static const struct {
        const char *text, *again; /* NULL: refused */
    } rows[] = {
        {"rounds=0.5:2000000/-/0.25:1000", "rounds=0.5:2000000/-/0.25:1000"},
        {"rounds=1:1 idle_w=80 group=3 of_later=7", "rounds=1:1 group=3 idle_w=80"},
        {"rounds=", "rounds="},
        {"idle_w=80", NULL},
        {"rounds=1", NULL},
        {"rounds=1:", NULL},
        {"rounds=1:2/", NULL},
        {"rounds=-1:2", NULL},
        {"rounds=1:nan", NULL},
        {"rounds=1:2/1:2/1:2/1:2/1:2/1:2/1:2/1:2/1:2", NULL},
        {"rounds=1:2 restored=2", NULL},
        {"rounds=1:2 copies=0", NULL},
        {"rounds=1:2 idle_w=cold", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error = {0};
        struct energy energy;
        struct text text = {0};
        int code = energy_parse(rows[i].text, &energy, &error);
        CU_ASSERT_EQUAL(code == 0, rows[i].again != NULL);
        CU_ASSERT_EQUAL(*error.message == '\0', code == 0);
        energy_append(&text, &energy);
        if (!code)
            CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].again);
        text_free(&text);
    }
}

/* Objectives that need the counter, and those of a space with work. */
static void objectives(void)
{
    static const struct {
        const struct objective *objective;
        bool needed;
        const struct objective *per_work;
    } rows[] = {{&objective_row_time, false, &objective_row_time_per_work},
                {&objective_row_energy, true, &objective_row_energy_per_work},
                {&objective_row_power, true, &objective_row_power},
                {&objective_row_energy_delay, true, &objective_row_energy_delay}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(energy_is_needed(rows[i].objective), rows[i].needed);
        CU_ASSERT_PTR_EQUAL(energy_objective(rows[i].objective, true), rows[i].per_work);
        CU_ASSERT_PTR_EQUAL(energy_objective(rows[i].per_work, false), rows[i].objective);
    }
}

static void lists(void)
{
    static const char all[] = "expected one or several of time, energy, power and energy_delay, separated by commas";
    static const struct {
        const char *text;
        size_t count; /* 0: refused */
        const struct objective *last;
        const char *hint;
    } rows[] = {{"time", 1, &objective_row_time, ""},
                {"energy", 1, &objective_row_energy, ""},
                {"time,energy,power,energy_delay", 4, &objective_row_energy_delay, ""},
                {"", 0, NULL, all},
                {"time,", 0, NULL, all},
                {"time,time", 0, NULL, all},
                {"energy_per_work", 0, NULL, all},
                {"tim", 0, NULL, "did you mean 'time'?"},
                {"energy,energydelay", 0, NULL, "did you mean 'energy_delay'?"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct objective *list[OBJECTIVE_COUNT];
        struct error error = {0};
        size_t count = 0;
        int code = energy_read_objectives(rows[i].text, list, &count, &error);
        CU_ASSERT_EQUAL(code, rows[i].count ? 0 : ERROR_USAGE);
        if (code == 0) {
            CU_ASSERT_EQUAL(count, rows[i].count);
            CU_ASSERT_PTR_EQUAL(list[count - 1], rows[i].last);
        } else {
            CU_ASSERT_STRING_EQUAL(error.hint, rows[i].hint);
        }
    }
}

CU_TestInfo tests_energy[] = {{"quantities", quantities}, {"ratios", ratios},         {"dominance", dominance},
                              {"texts", texts},           {"objectives", objectives}, {"lists", lists},
                              CU_TEST_INFO_NULL};
