#include "base/roofline_time.h"

#include <math.h>
#include <stdbool.h>

#include <CUnit/Basic.h>

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9 * fabs(b);
}

/* Rates in bytes/s: copy 1000, to the device 100, to the host 50, both ways at once 120. */
static void traffic(void)
{
    static const struct {
        struct traffic traffic;
        double roofline_s;
    } rows[] = {
        {{2000, 0, 0}, 2},           {{NAN, 0, 0}, NAN},
        {{2000, 300, 0}, 3},         /* a pipeline: device memory is not the bottleneck */
        {{2000, 0, 300}, 6},         /* the other direction */
        {{2000, 300, 300}, 6},       /* both directions: the slower one */
        {{2000, 300, 140}, 11. / 3}, /* both directions: the link */
        {{NAN, 300, 0}, 3},
    };
    const struct ceilings ceilings = {.copy = 1000, .link_to_device = 100, .link_to_host = 50, .link_both = 120};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT(same(roofline_time_of_traffic(&rows[i].traffic, &ceilings), 1e9 * rows[i].roofline_s));
    CU_ASSERT(isnan(roofline_time_of_traffic(&rows[0].traffic, &(struct ceilings){NAN, NAN, NAN, NAN})));
}

static void records(void)
{
    static const struct {
        double roofline_ns, bytes, copy, expected;
    } rows[] = {{5, 2000, 1000, 5}, {NAN, 2000, 1000, 2e9}, {NAN, NAN, 1000, NAN}, {NAN, 2000, NAN, NAN}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct provenance provenance = provenance_unknown();
        provenance.roofline_ns = rows[i].roofline_ns;
        provenance.bytes = rows[i].bytes;
        provenance.ceilings.copy = rows[i].copy;
        CU_ASSERT(same(roofline_time_of_record(&provenance), rows[i].expected));
    }
}

/* Per run, or per unit of work if the measured value is per unit of work. */
static void amounts(void)
{
    struct provenance provenance = provenance_unknown();
    struct measurement m = measurement_unknown(STATUS_OK);
    provenance.bytes = 2000;
    provenance.flops = 50;
    provenance.ceilings.copy = 1e12;
    struct amounts of = amounts_of(&provenance, &m);
    CU_ASSERT(of.bytes == 2000 && of.flops == 50 && of.roofline_ns == 2);
    m.value = 8;
    measurement_per_work(&m, &(struct work_amounts){4, 4000, NAN});
    of = amounts_of(&provenance, &m); /* the roofline time of all configurations is known */
    CU_ASSERT(of.bytes == 1000 && isnan(of.flops) && of.roofline_ns == 0.5);
    provenance.bytes = NAN; /* the configuration has its own traffic */
    of = amounts_of(&provenance, &m);
    CU_ASSERT(of.bytes == 1000 && of.roofline_ns == 1);
    for (int i = 0; i < 2; i++) {
        m.work = i ? NAN : 0;
        of = amounts_of(&provenance, &m);
        CU_ASSERT(isnan(of.bytes) && isnan(of.flops) && isnan(of.roofline_ns));
        CU_ASSERT_EQUAL(measurement_reach(&m), 0);
    }
}

CU_TestInfo tests_roofline_time[] = {{"amounts of a configuration", amounts},
                                     {"traffic at the device's rates", traffic},
                                     {"records", records},
                                     CU_TEST_INFO_NULL};
