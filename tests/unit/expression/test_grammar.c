/* Operands: names, calls and the sets of `in`. */
#include "evaluation.h"

static void calls_and_sets(void)
{
    static const struct expr_row rows[] = {
        {"min(A, B)", "3"},
        {"max(A, B, 9, Z)", "9"},
        {"min(A, F)", "2.5"},
        {"max(1, 2)", "2"},
        {"ceildiv(A, B)", "3"},
        {"ceildiv(6, B)", "2"},
        {"ceildiv(-A, B)", "-2"},
        {"ceildiv(-A, -B)", "3"},
        {"ceildiv(A, 2.0)", "4.0"},
        {"log2(1)", "0"},
        {"log2(N * 0 + 1024)", "10"},
        {"log2(8.0)", "3.0"},
        {"log2(6) > 2.58 && log2(6) < 2.59", "1"},
        {"abs(-A)", "7"},
        {"abs(A)", "7"},
        {"abs(-F)", "2.5"},
        {"sizeof(float)", "4"},
        {"sizeof(double2) * 2", "32"},
        {"sizeof(bfloat16)", "2"},
        {"is_pow2(64)", "1"},
        {"is_pow2(A)", "0"},
        {"is_pow2(Z)", "0"},
        {"is_pow2(M)", "0"},
        {"gcd(12, 18)", "6"},
        {"gcd(-A * 6, 4, 10)", "2"},
        {"gcd(Z, Z)", "0"},
        {"gcd(M, A)", "1"},
        {"gcd(A, Z)", "7"},
        {"lcm(4, 6)", "12"},
        {"lcm(-A, B, 2)", "42"},
        {"lcm(A, Z)", "0"},
        {"A in {7}", "1"},
        {"A in {1, 2, 3..6, 8..64 step 8}", "0"},
        {"A in {1..64 step 3}", "1"},
        {"A in {1..64 times 2, 6..8}", "1"},
        {"B * 16 in {3..96 times 2}", "1"},
        {"A in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2}", "0"}, /* long lists */
        {"A in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2, 7}", "1"},
        {"A - 5 in {2..4611686018427387904 times 2, 9..4611686018427387904 times 2, 7}", "1"},
        {"B * 15 in {3..96 times 2}", "0"},
        {"M in {-9223372036854775808..0 step 4611686018427387904}", "1"},
        {"M + 1 in {-9223372036854775808..9223372036854775807 step 2}", "0"},
        {"F in {2.5}", "1"},
        {"F in {2..3}", "0"},
        {"F * 2 in {1..9 step 2}", "1"},
        {"1e300 in {1..9223372036854775807}", "0"},
        {"A in {7.0}", "1"},
        {"W in {blue, red}", "1"},
        {"W in {1, blue, 2.5}", "0"},
        {"W in {1..5}", "0"},
        {"A in {red, 7}", "1"},
        {"(7 in {7}) in {1}", "1"},
        {"!(A in {7})", "0"},
        {"(!A) in {0}", "1"},
        {"A + 1 in {8}", "1"},
        {"(A in {7}) == 1", "1"},
        {"1 == (A in {7})", "1"},
        {"A in {7} && W in {red}", "1"},
    };
    run_rows(rows, COUNT(rows));
}

static void wrong_operands(void)
{
    static const struct expr_row rows[] = {
        {"sizeof(flaot)", "1:8 expected a type, not 'flaot'"},
        {"sizeof(1)", "1:8 expected a type, not '1'"},
        {"min(1)", "1:6 expected ',', not ')'"},
        {"log2(1, 2)", "1:7 expected ')', not ','"},
        {"min", "1:1 'min' is a function, which cannot be used in 'test'"},
        {"A(1)", "1:1 unknown function 'A'"},
        {"nothing + 1", "1:1 unknown name 'nothing'"},
        {"nothing(1)", "1:1 unknown function 'nothing'"},
        {"(A", "1:3 expected an operator or ')', but the statement ends here"},
        {"A in {}", "1:7 expected a value, not '}'"},
        {"A in 7", "1:6 expected '{', not '7'"},
    };
    run_rows(rows, COUNT(rows));
}

CU_TestInfo tests_grammar[] = {
    {"calls and sets", calls_and_sets}, {"wrong operands", wrong_operands}, CU_TEST_INFO_NULL};
