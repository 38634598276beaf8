/* Finds the most probable parameters of a Gaussian process: BFGS (Nocedal and Wright, "Numerical Optimization", 2nd
 * ed., algorithm 6.1) with backtracking over the logarithms of the length scales, the noise and the parts' shares. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/gp.h"

enum { THETA_MAX = ENCODE_FEATURES_MAX + 1 + GP_PARTS, STARTS_ROWS = 50 };

static double dot(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

struct climb {
    struct gp_likelihood *likelihood;
    size_t count, left; /* parameters; remaining evaluations */
    double theta[THETA_MAX], gradient[THETA_MAX], value, mean;
    double step[THETA_MAX], next[THETA_MAX], next_gradient[THETA_MAX];
    double inverse[THETA_MAX][THETA_MAX]; /* approximate inverse of minus the Hessian */
};

static double within(const struct climb *climb, size_t i, double theta)
{
    size_t features = climb->count - 1 - GP_PARTS;
    const struct gp_prior *prior = i < features    ? &gp_length_prior
                                   : i == features ? &gp_noise_prior
                                                   : &gp_part_priors[i - features - 1];
    return fmin(fmax(theta, log(prior->low)), log(prior->high));
}

static void reset_inverse(struct climb *climb)
{
    memset(climb->inverse, 0, sizeof climb->inverse);
    double length = sqrt(dot(climb->gradient, climb->gradient, climb->count));
    for (size_t i = 0; i < climb->count; i++)
        climb->inverse[i][i] = length > 1 ? 1 / length : 1;
}

/* Searches along the direction for a better point; false if it finds none. */
static bool search_line(struct climb *climb, const double *direction)
{
    double rise = dot(direction, climb->gradient, climb->count);
    for (double length = 1; length > 1e-3 && climb->left; length /= 3) {
        for (size_t i = 0; i < climb->count; i++)
            climb->next[i] = within(climb, i, climb->theta[i] + length * direction[i]);
        double mean, value = gp_likelihood_at(climb->likelihood, climb->next, climb->next_gradient, &mean);
        climb->left--;
        if (value >= climb->value + 1e-4 * length * rise) {
            climb->value = value;
            climb->mean = mean;
            return true;
        }
    }
    return false;
}

static void update_inverse(struct climb *climb)
{
    size_t count = climb->count;
    double change[THETA_MAX], turned[THETA_MAX];
    for (size_t i = 0; i < count; i++) {
        climb->step[i] = climb->next[i] - climb->theta[i];
        change[i] = climb->gradient[i] - climb->next_gradient[i]; /* BFGS minimises the negative value */
    }
    double curvature = dot(climb->step, change, count);
    memcpy(climb->theta, climb->next, sizeof climb->theta);
    memcpy(climb->gradient, climb->next_gradient, sizeof climb->gradient);
    if (curvature <= 1e-10)
        return;
    for (size_t i = 0; i < count; i++)
        turned[i] = dot(climb->inverse[i], change, count);
    double factor = 1 / curvature + dot(change, turned, count) / (curvature * curvature);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            climb->inverse[i][j] += factor * climb->step[i] * climb->step[j] -
                                    (turned[i] * climb->step[j] + climb->step[i] * turned[j]) / curvature;
}

static void climb_up(struct climb *climb, size_t evaluations)
{
    double direction[THETA_MAX];
    climb->left = evaluations;
    climb->value = gp_likelihood_at(climb->likelihood, climb->theta, climb->gradient, &climb->mean);
    if (isnan(climb->value))
        return;
    reset_inverse(climb);
    for (bool fresh = true; climb->left > 0;) {
        double before = climb->value;
        for (size_t i = 0; i < climb->count; i++)
            direction[i] = fmin(fmax(dot(climb->inverse[i], climb->gradient, climb->count), -2), 2);
        if (dot(direction, climb->gradient, climb->count) > 0 && search_line(climb, direction)) {
            update_inverse(climb);
            fresh = false;
            if (climb->value - before < 1e-3)
                break;
        } else if (!fresh) {
            reset_inverse(climb);
            fresh = true;
        } else {
            break;
        }
    }
}

bool gp_fit(struct gp *gp, size_t evaluations)
{
    size_t features = gp->encoding->feature_count;
    struct climb *climbs = calloc(2, sizeof *climbs);
    struct gp_likelihood *likelihood = gp_likelihood_open(gp);
    bool done = climbs && likelihood;
    /* Many observations make a second local maximum unlikely. */
    int starts = gp->inverse[0] > 0 && gp->count > STARTS_ROWS ? 1 : 2;
    for (int c = 0; done && c < starts; c++) {
        struct climb *climb = &climbs[c];
        bool warm = c + 1 == starts;
        climb->likelihood = likelihood;
        climb->count = features + 1 + GP_PARTS;
        for (size_t f = 0; f < features; f++)
            climb->theta[f] = warm && gp->inverse[f] > 0 ? -log(gp->inverse[f]) / 2 : log(gp->medians[f]);
        climb->theta[features] = log(warm ? gp->noise : gp_noise_prior.median);
        for (enum gp_part part = 0; part < GP_PARTS; part++)
            climb->theta[features + 1 + part] = log(warm ? gp->parts[part] : gp->part_medians[part]);
        climb_up(climb, evaluations);
    }
    if (done && !isnan(climbs[0].value)) {
        const struct climb *best = starts == 2 && climbs[1].value > climbs[0].value ? &climbs[1] : &climbs[0];
        for (size_t f = 0; f < features; f++)
            gp->inverse[f] = exp(-2 * best->theta[f]);
        gp->noise = exp(best->theta[features]);
        for (enum gp_part part = 0; part < GP_PARTS; part++)
            gp->parts[part] = exp(best->theta[features + 1 + part]);
        gp->mean = best->mean;
    }
    gp_likelihood_close(likelihood);
    free(climbs);
    return done;
}
