/* What a suite may tell the runner of its program. */
#ifndef CUTUNE_TESTS_UNIT_H
#define CUTUNE_TESTS_UNIT_H

/* Why a suite cannot run on this machine; NULL: it can. A program whose suites need more than its build defines it. */
const char *suite_lacks(const char *suite);

/* Begins the name of a test that makes the compilers work long and cutune hardly. They are not sanitized, but slow in a
 * sanitized program, where the runner skips the test. */
#define BY_COMPILERS "by compilers: "

#endif
