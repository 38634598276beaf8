#include "commands/show_front.h"

#include "commands/front_rows.h"
#include "journal/journal.h"
#include "terminal/output.h"

static int print(const struct front *front, struct front_row *rows, const char *format, struct error *error)
{
    for (size_t i = 0; i < front->count; i++)
        rows[i] = (struct front_row){front->configurations[i], &front->energies[i], front->points[i], false};
    if (front->library)
        rows[front->count] =
            (struct front_row){.configuration = front->library, .energy = &front->library_energy, .library = true};
    cJSON *list = front_rows(rows, front->count + (front->library != NULL), format);
    int code = list ? output_rows(list, format, false, error) : error_memory(error);
    cJSON_Delete(list);
    return code;
}

int show_front(const char *path, const char *format, struct error *error)
{
    struct arena arena = {0};
    struct journal *journal = NULL;
    struct front front = {.count = 0};
    struct front_row *rows = NULL;
    int code = journal_read(&journal, path, error);
    if (!code)
        code = front_read(journal, FRONT_CONFIDENCE, &arena, &front, error);
    if (!code && !front.count) {
        code = error_set(error, ERROR_NOT_FOUND, "%s has no energies", path);
        error_hint(error, "cutune --space FILE --objective time,energy measures them");
    }
    if (!code && !(rows = arena_array(&arena, front.count + 1, sizeof *rows)))
        code = error_memory(error);
    if (!code)
        code = print(&front, rows, format, error);
    journal_close(journal, NULL);
    arena_free(&arena);
    return code;
}
