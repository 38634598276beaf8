#include "manual/manual.h"

const struct manual_page manual_pages[] = {
    {"space", manual_space}, {"journal", manual_journal}, {"library", manual_library}};
const size_t manual_page_count = sizeof manual_pages / sizeof *manual_pages;
