/* Version that a rank of another version reports; otherwise it is the same program. */
#undef CUTUNE_VERSION
#define CUTUNE_VERSION "0.0.1"
#include "session/session_team.c"
