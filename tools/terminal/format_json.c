/* JSON: the array of the rows. */
#include "base/text.h"
#include "terminal/output_format.h"

static void write(const cJSON *rows, bool vertical, const struct prose *prose, struct text *out)
{
    (void)vertical, (void)prose;
    output_json(out, rows, true);
    text_append(out, "\n", 1);
}

const struct output_format output_format_json = {.name = "json", .nested = true, .write = write};
