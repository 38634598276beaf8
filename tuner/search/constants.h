/* The constants of the search: constants.def. */
#ifndef CUTUNE_SEARCH_CONSTANTS_H
#define CUTUNE_SEARCH_CONSTANTS_H

enum {
#define WHOLE(name, value, meaning) name = value,
#define REAL(name, value, meaning)
#include "search/constants.def"
#undef WHOLE
#undef REAL
};

#define WHOLE(name, value, meaning)
#define REAL(name, value, meaning) static const double name = value;
#include "search/constants.def"
#undef WHOLE
#undef REAL

#endif
