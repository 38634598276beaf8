#include "base/cores.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "root.h"

enum { FILES_MAX = 3 };

static size_t of_affinity(void)
{
    cpu_set_t mask;
    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof mask, &mask), 0);
    return (size_t)CPU_COUNT(&mask);
}

static void groups_limit(void)
{
    static const struct {
        const char *groups; /* NULL: no file */
        struct {
            const char *path, *contents;
        } files[FILES_MAX];
        double most;
    } rows[] = {
        {NULL, {{0}}, INFINITY},
        {"", {{0}}, INFINITY},
        {"0::/a/b\n", {{0}}, INFINITY},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "100000 100000\n"}}, 1},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "50000 100000\n"}}, 1},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"}}, 2},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "max 100000\n"}}, INFINITY},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "100000\n"}}, INFINITY},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "100000 0\n"}}, INFINITY},
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", ""}}, INFINITY},
        /* the groups above, and the top one */
        {"0::/a/b\n", {{"sys/fs/cgroup/a/b/cpu.max", "max 1\n"}, {"sys/fs/cgroup/a/cpu.max", "1 1\n"}}, 1},
        {"0::/a/b\n", {{"sys/fs/cgroup/cpu.max", "1 1\n"}}, 1},
        {"0::/\n", {{"sys/fs/cgroup/cpu.max", "1 1\n"}}, 1},
        {"0::/ab\n", {{"sys/fs/cgroup/a/cpu.max", "1 1\n"}}, INFINITY},
        {"0::/a\n", {{"sys/fs/cgroup/unified/a/cpu.max", "1 1\n"}}, 1},
        /* version 1 */
        {"4:memory:/m\n3:cpu:/a\n",
         {{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "1000\n"}, {"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1000\n"}},
         1},
        {"3:cpu,cpuacct:/a\n0::/\n",
         {{"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "900\n"},
          {"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "1000\n"}},
         1},
        {"3:cpu:/a\n",
         {{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n"}, {"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1000\n"}},
         INFINITY},
        {"3:cpu:/a\n", {{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "1000\n"}}, INFINITY},
        {"3:cpuset,cpuacct:/a\n",
         {{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "1000\n"}, {"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1000\n"}},
         INFINITY},
        {"3:cpuacct,cpu:/a\n",
         {{"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "1000\n"}, {"sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "1000\n"}},
         1},
        /* malformed */
        {"nothing\n:\n0:\n", {{"sys/fs/cgroup/cpu.max", "1 1\n"}}, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        root_enter(NULL, 0);
        if (rows[i].groups)
            root_write("proc/self/cgroup", rows[i].groups);
        for (size_t f = 0; f < FILES_MAX && rows[i].files[f].path; f++)
            root_write(rows[i].files[f].path, rows[i].files[f].contents);
        size_t found = cores_usable(root.path);
        if ((double)found != fmin(rows[i].most, (double)of_affinity()))
            fprintf(stderr, "row %zu: %zu\n", i, found);
        CU_ASSERT_EQUAL((double)found, fmin(rows[i].most, (double)of_affinity()));
        root_leave();
    }
}

static void affinity_limits(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET((size_t)sched_getcpu(), &one);
        _exit(sched_setaffinity(0, sizeof one, &one) ? 100 : (int)cores_usable("/nowhere"));
    }
    int status = 0;
    CU_ASSERT_EQUAL(waitpid(pid, &status, 0), pid);
    CU_ASSERT_EQUAL(WEXITSTATUS(status), 1);
}

static void here(void)
{
    CU_ASSERT(cores_usable("") >= 1 && cores_usable("") <= of_affinity());
}

CU_TestInfo tests_cores[] = {
    {"groups limit", groups_limit}, {"affinity limits", affinity_limits}, {"here", here}, CU_TEST_INFO_NULL};
