/* Interface between a suite and the runner of its program. */
#ifndef CUTUNE_TESTS_UNIT_H
#define CUTUNE_TESTS_UNIT_H

/* Reason why a suite cannot run on this machine; NULL: it can. A program whose suites need more than its build defines
 * it. */
const char *suite_lacks(const char *suite);

/* Name prefixes of tests that a sanitized program skips. One is for tests that make the compilers, which are not
 * sanitized, work long and cutune hardly. The other is for statistics, which run the same code for each of many
 * seeds. */
#define BY_COMPILERS "by compilers: "
#define OVER_SEEDS   "over seeds: "

#endif
