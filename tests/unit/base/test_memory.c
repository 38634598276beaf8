#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#include "root.h"

enum { FILES_MAX = 4 };

#define MACHINE                                                                                                        \
    {                                                                                                                  \
        "proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   4000 kB\n"                                                    \
    }
#define UNIFIED "sys/fs/cgroup/a/memory."
#define OWN     "sys/fs/cgroup/memory/m/memory."

static void machine_and_groups(void)
{
    static const struct {
        const char *groups;
        struct {
            const char *path, *contents;
        } files[FILES_MAX];
        uint64_t bytes;
    } rows[] = {
        {"0::/a\n", {{0}}, UINT64_MAX},
        {"0::/a\n", {MACHINE}, 4096000},
        {"0::/a\n", {MACHINE, {UNIFIED "max", "max\n"}, {UNIFIED "current", "500\n"}}, 4096000},
        {"0::/a\n", {MACHINE, {UNIFIED "max", "2000\n"}, {UNIFIED "current", "500\n"}}, 1500},
        {"0::/a\n", {MACHINE, {UNIFIED "max", "2000\n"}, {UNIFIED "current", "2500\n"}}, 0},
        {"0::/a\n",
         {MACHINE,
          {UNIFIED "max", "2000\n"},
          {UNIFIED "current", "500\n"},
          {UNIFIED "stat", "anon 1\ninactive_file 300\nactive_file 2\n"}},
         1800},
        {"0::/a\n", {MACHINE, {UNIFIED "max", "2000\n"}}, 4096000},
        {"4:memory:/m\n0::/\n", {MACHINE, {OWN "limit_in_bytes", "9000\n"}, {OWN "usage_in_bytes", "1000\n"}}, 8000},
        {"4:cpu:/m\n0::/\n", {MACHINE, {OWN "limit_in_bytes", "9000\n"}, {OWN "usage_in_bytes", "1000\n"}}, 4096000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        root_enter(NULL, 0);
        root_write("proc/self/cgroup", rows[i].groups);
        for (size_t f = 0; f < FILES_MAX && rows[i].files[f].path; f++)
            root_write(rows[i].files[f].path, rows[i].files[f].contents);
        char here[PATH_MAX];
        CU_ASSERT_PTR_NOT_NULL(getcwd(here, sizeof here));
        CU_ASSERT_EQUAL(memory_available(here), rows[i].bytes);
        root_leave();
    }
}

static void processes(void)
{
    static const struct {
        uint64_t available;
        size_t running;
        uint64_t bytes;
        size_t count;
    } rows[] = {{1000, 0, 100, 5}, {1000, 2, 100, 6},      {1000, 1, 5000, 1},   {0, 1, 100, 1},
                {0, 4, 100, 2},    {1000, 1, 0, SIZE_MAX}, {UINT64_MAX, 0, 1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t count = memory_processes(rows[i].available, rows[i].running, rows[i].bytes);
        CU_ASSERT(rows[i].count ? count == rows[i].count : count >= (size_t)1 << 62);
    }
}

static void this_machine(void)
{
    CU_ASSERT(memory_available("") > 0);
}

CU_TestInfo tests_memory[] = {{"machine and groups", machine_and_groups},
                              {"processes", processes},
                              {"this machine", this_machine},
                              CU_TEST_INFO_NULL};
