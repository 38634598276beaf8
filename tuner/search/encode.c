#include "search/encode.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(const struct value *value)
{
    return value->kind == VALUE_INT ? (double)value->integer : value->real;
}

struct ranked {
    double number;
    uint32_t value;
};

static int by_number(const void *a, const void *b)
{
    const struct ranked *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

/* Returns the values in ascending order; NULL if memory is out. */
static struct ranked *rank_values(const struct parameter *parameter)
{
    struct ranked *ranked = malloc(parameter->value_count * sizeof *ranked);
    for (uint32_t v = 0; ranked && v < parameter->value_count; v++)
        ranked[v] = (struct ranked){number(&parameter->values[v]), v};
    if (ranked)
        qsort(ranked, parameter->value_count, sizeof *ranked, by_number);
    return ranked;
}

/* Places values by their logarithms; unless all are positive, by those of value + 1 - least. */
static void fill(const struct ranked *ranked, size_t count, double *positions)
{
    double low = ranked[0].number, shift = low > 0 ? 0 : 1 - low;
    double length = log2(ranked[count - 1].number + shift) - log2(low + shift);
    for (size_t r = 0; r < count; r++)
        positions[ranked[r].value] = (log2(ranked[r].number + shift) - log2(low + shift)) / length;
}

/* Returns the exponent of the greatest power of two that divides a positive number. */
static int alignment(const struct value *value)
{
    return __builtin_ctzll((unsigned long long)value->integer);
}

/* True if alignments add information to the order of the values. */
static bool has_alignment(const struct parameter *parameter, const struct ranked *ranked)
{
    bool falls = false;
    for (size_t r = 0; r < parameter->value_count; r++) {
        const struct value *value = &parameter->values[ranked[r].value];
        if (value->kind != VALUE_INT || value->integer <= 0)
            return false;
        falls = falls || (r && alignment(value) < alignment(&parameter->values[ranked[r - 1].value]));
    }
    return falls;
}

/* The alignment makes half of the position, being a power of two the other half. */
static void fill_alignment(const struct parameter *parameter, const bool *uneven, double *positions)
{
    int low = 64, high = 0;
    for (size_t v = 0; v < parameter->value_count; v++) {
        int exponent = alignment(&parameter->values[v]);
        low = exponent < low ? exponent : low;
        high = exponent > high ? exponent : high;
    }
    for (size_t v = 0; v < parameter->value_count; v++) {
        double aligned = (double)(alignment(&parameter->values[v]) - low) / (high - low);
        positions[v] = (aligned + (uneven[v] ? 0 : 1)) / 2;
    }
}

static double *add_feature(struct encoding *encoding, struct dimension *dimension)
{
    struct feature *feature = &encoding->features[encoding->feature_count++];
    dimension->feature_count++;
    feature->positions = malloc(dimension->values * sizeof *feature->positions);
    return feature->positions;
}

/* Adds the alignment of a parameter. False if memory is out. */
static bool add_alignment(struct encoding *encoding, struct dimension *dimension, const struct parameter *parameter)
{
    double *positions = add_feature(encoding, dimension);
    dimension->uneven = malloc(parameter->value_count * sizeof *dimension->uneven);
    if (!positions || !dimension->uneven)
        return false;
    for (size_t v = 0; v < parameter->value_count; v++)
        dimension->uneven[v] = (parameter->values[v].integer & (parameter->values[v].integer - 1)) != 0;
    fill_alignment(parameter, dimension->uneven, positions);
    return true;
}

/* Adds the features of a parameter. False if memory is out. */
static bool add_features(struct encoding *encoding, struct dimension *dimension, const struct parameter *parameter)
{
    bool nominal = false;
    dimension->first_feature = encoding->feature_count;
    for (size_t v = 0; v < parameter->value_count; v++)
        nominal |= parameter->values[v].kind == VALUE_WORD;
    if (nominal) {
        encoding->features[encoding->feature_count++].nominal = true;
        dimension->feature_count = 1;
        return true;
    }
    struct ranked *ranked = rank_values(parameter);
    double *positions = ranked ? add_feature(encoding, dimension) : NULL;
    bool aligned = ranked && has_alignment(parameter, ranked);
    if (positions)
        fill(ranked, parameter->value_count, positions);
    free(ranked);
    return positions && (!aligned || add_alignment(encoding, dimension, parameter));
}

int encoding_make(struct encoding *encoding, const struct space *space, struct error *error)
{
    memset(encoding, 0, sizeof *encoding);
    for (size_t p = 0; p < space->parameter_count; p++) {
        const struct parameter *parameter = &space->parameters[p];
        struct dimension *dimension = &encoding->dimensions[encoding->count];
        if (parameter->value_count < 2)
            continue;
        *dimension = (struct dimension){.parameter = p, .values = (uint32_t)parameter->value_count};
        encoding->count++;
        if (!add_features(encoding, dimension, parameter)) {
            encoding_free(encoding);
            return error_memory(error);
        }
    }
    return 0;
}

void encoding_free(struct encoding *encoding)
{
    for (size_t f = 0; f < encoding->feature_count; f++)
        free(encoding->features[f].positions);
    for (size_t d = 0; d < encoding->count; d++)
        free(encoding->dimensions[d].uneven);
    memset(encoding, 0, sizeof *encoding);
}

void encoding_order(const struct encoding *encoding, const uint32_t *choices, uint32_t *by_dimension)
{
    for (size_t d = 0; d < encoding->count; d++)
        by_dimension[d] = choices[encoding->dimensions[d].parameter];
}

double feature_squared(const struct feature *feature, uint32_t a, uint32_t b)
{
    if (feature->nominal)
        return a == b ? 0 : 1;
    double difference = feature->positions[a] - feature->positions[b];
    return difference * difference;
}

double encoding_squared(const struct encoding *encoding, size_t dimension, uint32_t a, uint32_t b)
{
    return feature_squared(&encoding->features[encoding->dimensions[dimension].first_feature], a, b);
}
