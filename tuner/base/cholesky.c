#include "base/cholesky.h"

#include <math.h>
#include <stdlib.h>

#include "base/float.h"

/* The upper triangle U of the factor, by strips of columns: the rows of a strip are consecutive, so that vectors
 * read them in order. A panel is the number of rows of a strip whose sums stay in registers. */
enum { STRIP = 16, PANEL = 4, LANES = FLOAT_LANES, VECTORS = STRIP / LANES };

struct strips {
    size_t count, rows; /* rows of each strip, a multiple of STRIP */
    double *values;
};

static double *strip_of(const struct strips *strips, size_t strip)
{
    return strips->values + strip * strips->rows * STRIP;
}

static bool strips_open(struct strips *strips, size_t count)
{
    strips->count = (count + STRIP - 1) / STRIP;
    strips->rows = strips->count * STRIP;
    strips->values = calloc(strips->rows * strips->rows + 1, sizeof *strips->values);
    return strips->values != NULL;
}

FLOAT_INLINE void load(float_lanes sums[PANEL][VECTORS], const double *strip, size_t first)
{
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < VECTORS; x++)
            sums[i][x] = ((const float_lanes *)(strip + (first + i) * STRIP))[x];
}

FLOAT_INLINE void store(float_lanes sums[PANEL][VECTORS], double *strip, size_t first)
{
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < VECTORS; x++)
            ((float_lanes *)(strip + (first + i) * STRIP))[x] = sums[i][x];
}

/* Subtracts from the sums of a panel the products of rows `from` .. `end` - 1 of two strips: PANEL columns of the
 * first with all of the second. */
FLOAT_INLINE void subtract(float_lanes sums[PANEL][VECTORS], const double *columns, const double *strip, size_t from,
                           size_t end)
{
    for (size_t j = from; j < end; j++) {
        const float_lanes *row = (const float_lanes *)(strip + j * STRIP);
        for (size_t i = 0; i < PANEL; i++)
            for (size_t x = 0; x < VECTORS; x++)
                sums[i][x] -= columns[j * STRIP + i] * row[x];
    }
}

/* Solves rows `first` .. `end` - 1 of a strip by forward elimination with the factor's strip of the same columns.
 * The strip's rows before `from` are 0. */
FLOAT_WIDE static void eliminate_strip(double *strip, const double *factor, size_t from, size_t first, size_t end)
{
    const double *columns = factor;
    for (; first < end; first += PANEL, columns += PANEL) {
        float_lanes sums[PANEL][VECTORS];
        load(sums, strip, first);
        subtract(sums, columns, strip, from, first);
        for (size_t i = 0; i < PANEL; i++) {
            double scale = 1 / columns[(first + i) * STRIP + i];
            for (size_t x = 0; x < VECTORS; x++) {
                for (size_t j = 0; j < i; j++)
                    sums[i][x] -= columns[(first + j) * STRIP + i] * sums[j][x];
                sums[i][x] *= scale;
            }
        }
        store(sums, strip, first);
    }
}

/* Factors the square at the end of a strip, rows `first` .. `first + STRIP - 1`, once all rows before it are solved. */
FLOAT_WIDE static bool factor_square(double *strip, size_t first)
{
    for (double *columns = strip; columns < strip + STRIP; columns += PANEL, first += PANEL) {
        float_lanes sums[PANEL][VECTORS];
        load(sums, strip, first);
        subtract(sums, columns, strip, 0, first);
        store(sums, strip, first);
        for (size_t i = 0; i < PANEL; i++) {
            double *row = strip + (first + i) * STRIP;
            for (size_t j = 0; j < i; j++) {
                double scale = columns[(first + j) * STRIP + i];
                for (size_t x = 0; x < STRIP; x++)
                    row[x] -= scale * strip[(first + j) * STRIP + x];
            }
            double pivot = columns[(first + i) * STRIP + i];
            if (!(pivot > 0))
                return false;
            pivot = 1 / sqrt(pivot);
            for (size_t x = 0; x < STRIP; x++)
                row[x] *= pivot;
        }
    }
    return true;
}

static bool factor(const struct strips *u)
{
    for (size_t s = 0; s < u->count; s++) {
        for (size_t t = 0; t < s; t++)
            eliminate_strip(strip_of(u, s), strip_of(u, t), 0, t * STRIP, (t + 1) * STRIP);
        if (!factor_square(strip_of(u, s), s * STRIP))
            return false;
    }
    return true;
}

/* Writes the inverse of the transpose of U, by columns that begin at the diagonal. */
static void invert(const struct strips *u, const struct strips *v)
{
    for (size_t s = 0; s < v->count; s++) {
        double *strip = strip_of(v, s);
        for (size_t x = 0; x < STRIP; x++)
            strip[(s * STRIP + x) * STRIP + x] = 1;
        for (size_t t = s; t < v->count; t++)
            eliminate_strip(strip, strip_of(u, t), s * STRIP, t * STRIP, (t + 1) * STRIP);
    }
}

/* A panel of the product of V's transpose and V. */
FLOAT_WIDE static void multiply(const double *columns, const double *strip, size_t from, size_t end, double *product)
{
    float_lanes sums[PANEL][VECTORS] = {{{0}}};
    subtract(sums, columns, strip, from, end);
    for (size_t i = 0; i < PANEL; i++)
        for (size_t x = 0; x < VECTORS; x++)
            sums[i][x] = -sums[i][x];
    store(sums, product, 0);
}

static void write_inverse(const struct strips *v, size_t count, double *inverse)
{
    for (size_t row = 0; row < count; row += PANEL)
        for (size_t column = 0; column <= row; column += STRIP) {
            double product[PANEL * STRIP];
            size_t from = row / STRIP * STRIP;
            multiply(strip_of(v, row / STRIP) + row % STRIP, strip_of(v, column / STRIP), from, v->rows, product);
            for (size_t i = 0; i < PANEL && row + i < count; i++)
                for (size_t x = 0; x < STRIP && column + x <= row + i; x++)
                    inverse[(row + i) * count + column + x] = product[i * STRIP + x];
        }
}

/* Reads the lower triangle; columns beyond it are those of the identity. */
static void read_matrix(const struct strips *u, const double *matrix, size_t stride, size_t count)
{
    for (size_t c = 0; c < u->rows; c++) {
        double *column = strip_of(u, c / STRIP) + c % STRIP;
        for (size_t r = 0; r <= c && c < count; r++)
            column[r * STRIP] = matrix[c * stride + r];
        if (c >= count)
            column[c * STRIP] = 1;
    }
}

static void write_factor(const struct strips *u, double *matrix, size_t stride, size_t count)
{
    for (size_t c = 0; c < count; c++)
        for (size_t r = 0; r <= c; r++)
            matrix[c * stride + r] = strip_of(u, c / STRIP)[r * STRIP + c % STRIP];
}

bool cholesky_factor(double *matrix, size_t stride, size_t count, double *inverse)
{
    struct strips u, v = {0};
    bool done = strips_open(&u, count) && (!inverse || strips_open(&v, count));
    if (done)
        read_matrix(&u, matrix, stride, count);
    done = done && factor(&u);
    if (done)
        write_factor(&u, matrix, stride, count);
    if (done && inverse) {
        invert(&u, &v);
        write_inverse(&v, count, inverse);
    }
    free(u.values);
    free(v.values);
    return done;
}
