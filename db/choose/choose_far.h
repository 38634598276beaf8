/* Distance between devices, for choosing the nearest one: the part of choose.h that needs only integers. Like
 * choose.h, `cutune emit` copies the part between the marks into every header; it is constexpr from C++14 on. */
#ifndef CUTUNE_DB_CHOOSE_FAR_H
#define CUTUNE_DB_CHOOSE_FAR_H

#define CHOOSE_FUNCTION static inline

/* ---- emitted from here ---- */
/* The larger number over the smaller in units of 2^-20: 1 if both are unknown; at most 2048, also if one of them is
 * unknown. */
CHOOSE_FUNCTION long long choose_far_ratio(long long a, long long b)
{
    long long more = a > b ? a : b, less = a > b ? b : a;
    if (more == less)
        return 1LL << 20;
    for (; more >= 1LL << 43; more /= 2)
        less /= 2;
    return less <= 0 || more / less >= 2048 ? 1LL << 31 : (more << 20) / less;
}

/* Products of ratios have the order of sums of |log a / b|. */
CHOOSE_FUNCTION long long choose_far(int sm_count, long long l2_bytes, int other_sm_count, long long other_l2_bytes)
{
    return choose_far_ratio(sm_count, other_sm_count) * choose_far_ratio(l2_bytes, other_l2_bytes);
}

/* Kinship of compute capabilities: 2 for equal ones, 1 for the same major one, else 0. */
CHOOSE_FUNCTION int choose_kinship(int cc, int other)
{
    return cc <= 0 || other <= 0 ? 0 : cc == other ? 2 : cc / 10 == other / 10;
}
/* ---- to here ---- */

#endif
