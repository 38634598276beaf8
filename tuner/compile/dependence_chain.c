#include "compile/dependence_chain.h"

#include <stdbool.h>
#include <string.h>

/* ---- Lengths ---- */

/* Executes `count` instructions; lengths[r]: length of the longest chain that ends in register r. */
static void run(const struct dependence_chain_step *steps, size_t count, double lengths[REGISTERS])
{
    for (size_t i = 0; i < count; i++) {
        const struct operands *operands = &steps[i].operands;
        double longest = 0;
        for (size_t r = 0; r < operands->read_count; r++)
            longest = lengths[operands->read[r]] > longest ? lengths[operands->read[r]] : longest;
        longest += steps[i].length;
        for (size_t w = 0; w < operands->written_count; w++) {
            double *length = &lengths[operands->written[w]];
            *length = operands->kept && *length > longest ? *length : longest;
        }
    }
}

static double greatest(const double lengths[REGISTERS])
{
    double most = 0;
    for (size_t r = 0; r < REGISTERS; r++)
        most = lengths[r] > most ? lengths[r] : most;
    return most;
}

double dependence_chain_of_loop(const struct dependence_chain_step *steps, size_t count)
{
    enum { first = 12, more = 24 }; /* iterations: 24 are a multiple of the periods 1, 2, 3, 4, 6, 8, 12 of registers */
    double before[REGISTERS], lengths[REGISTERS] = {0};
    for (int i = 0; i < first; i++)
        run(steps, count, lengths);
    memcpy(before, lengths, sizeof before);
    for (int i = 0; i < more; i++)
        run(steps, count, lengths);
    for (size_t r = 0; r < REGISTERS; r++)
        lengths[r] -= before[r];
    return greatest(lengths) / more;
}

double dependence_chain_of_code(const struct dependence_chain_step *steps, size_t count)
{
    double lengths[REGISTERS] = {0};
    run(steps, count, lengths);
    return greatest(lengths);
}

/* ---- In order ---- */

/* Issues `count` instructions, the first one behind `last`; returns the issue time of the last one. ready[r]: time
 * at which register r is ready. */
static double issue(const struct dependence_chain_step *steps, size_t count, double last, double ready[REGISTERS])
{
    for (size_t i = 0; i < count; i++) {
        const struct operands *operands = &steps[i].operands;
        last++;
        for (size_t r = 0; r < operands->read_count; r++)
            last = ready[operands->read[r]] > last ? ready[operands->read[r]] : last;
        for (size_t w = 0; w < operands->written_count; w++)
            ready[operands->written[w]] = last + steps[i].length;
    }
    return last;
}

double dependence_chain_cycles(const struct dependence_chain_step *steps, size_t count, bool loop)
{
    enum { first = 12, more = 24 };
    double ready[REGISTERS] = {0}, last = 0;
    if (!loop)
        return issue(steps, count, last, ready);
    for (int i = 0; i < first; i++)
        last = issue(steps, count, last, ready);
    double before = last;
    for (int i = 0; i < more; i++)
        last = issue(steps, count, last, ready);
    return (last - before) / more;
}

/* ---- Control ---- */

/* Goes back through an iteration. needed[r]: the branch depends on the value of r at that place. Returns the number
 * of instructions that the branch depends on. */
static size_t go_back(const struct dependence_chain_step *steps, size_t count, size_t latch, bool needed[REGISTERS])
{
    size_t control = 0;
    for (size_t i = count; i-- > 0;) {
        const struct operands *operands = &steps[i].operands;
        bool wanted = i == latch;
        for (size_t w = 0; w < operands->written_count; w++) {
            bool *written = &needed[operands->written[w]];
            wanted = wanted || (*written && steps[i].length > 0);
            *written = *written && operands->kept;
        }
        control += wanted;
        for (size_t r = 0; r < operands->read_count && wanted; r++)
            needed[operands->read[r]] = true;
    }
    return control;
}

size_t dependence_chain_control(const struct dependence_chain_step *steps, size_t count, size_t latch)
{
    bool carried[REGISTERS] = {false}, needed[REGISTERS], more;
    size_t control;
    do {
        more = false;
        memcpy(needed, carried, sizeof needed);
        control = go_back(steps, count, latch, needed);
        for (size_t r = 0; r < REGISTERS; r++) {
            more = more || (needed[r] && !carried[r]);
            carried[r] = carried[r] || needed[r];
        }
    } while (more);
    return control;
}
