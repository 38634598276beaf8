#include "search/design.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search/constants.h"

/* Writes the positions of a configuration, one per dimension; for words, the number of the value. */
static void place(const struct encoding *encoding, const uint32_t *choices, float *positions)
{
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        const struct feature *position = &encoding->features[dimension->first_feature];
        uint32_t choice = choices[dimension->parameter];
        positions[d] = position->nominal ? (float)choice : (float)position->positions[choice];
    }
}

static float preference(const struct encoding *encoding, const uint32_t *choices)
{
    float preference = 1;
    for (size_t d = 0; d < encoding->count; d++) {
        const struct dimension *dimension = &encoding->dimensions[d];
        if (dimension->uneven && dimension->uneven[choices[dimension->parameter]])
            preference *= (float)UNEVEN;
    }
    return preference;
}

static float squared(const struct encoding *encoding, const float *a, const float *b)
{
    float sum = 0;
    for (size_t d = 0; d < encoding->count; d++) {
        float difference = a[d] - b[d];
        bool nominal = encoding->features[encoding->dimensions[d].first_feature].nominal;
        sum += nominal ? (float)(difference != 0) : difference * difference;
    }
    return sum;
}

bool design_pick(struct archive *archive, const struct encoding *encoding, struct random *random, uint64_t *index)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    float here[SPACE_PARAMETERS_MAX], nearest[DESIGN_SAMPLE], preferences[DESIGN_SAMPLE], farthest = 0;
    uint64_t indices[DESIGN_SAMPLE];
    float *sample = malloc((DESIGN_SAMPLE * encoding->count + 1) * sizeof *sample);
    if (!sample) {
        archive->failed = true;
        return false;
    }
    for (size_t s = 0; s < DESIGN_SAMPLE; s++) {
        indices[s] = valid_set_sample(archive->set, random);
        valid_set_get(archive->set, indices[s], choices);
        place(encoding, choices, sample + s * encoding->count);
        nearest[s] = (float)encoding->count + 1; /* greater than any distance */
        preferences[s] = preference(encoding, choices);
    }
    for (size_t i = 0; i < archive->count; i++) {
        valid_set_get(archive->set, archive->entries[i].index, choices);
        place(encoding, choices, here);
        for (size_t s = 0; s < DESIGN_SAMPLE; s++)
            nearest[s] = fminf(nearest[s], squared(encoding, sample + s * encoding->count, here));
    }
    for (size_t s = 0; s < DESIGN_SAMPLE; s++)
        if (nearest[s] * preferences[s] > farthest) {
            farthest = nearest[s] * preferences[s];
            *index = indices[s];
        }
    free(sample);
    return farthest > 0 || archive_fresh(archive, index);
}

size_t design_size(const struct encoding *encoding)
{
    return encoding->count + 3 < DESIGN_MOST ? encoding->count + 3 : DESIGN_MOST;
}
