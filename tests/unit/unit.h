/* What a suite may tell the runner of its program. */
#ifndef CUTUNE_TESTS_UNIT_H
#define CUTUNE_TESTS_UNIT_H

/* Why a suite cannot run on this machine; NULL: it can. A program whose suites need more than its build defines it. */
const char *suite_lacks(const char *suite);

/* Begin the names of tests that a sanitized program skips: those that make the compilers, which are not sanitized, work
 * long and cutune hardly, and statistics, which run the same code once for each of many seeds. */
#define BY_COMPILERS "by compilers: "
#define OVER_SEEDS   "over seeds: "

#endif
