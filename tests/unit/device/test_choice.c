/* Names of devices, and the devices visible to a process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device_kit.h"

static void chosen(void)
{
    static const struct {
        const char *text;
        int devices;
        const char *names, *message; /* names: separated by blanks */
    } rows[] = {
        {NULL, 1, "0", ""},
        {"", 1, "0", ""},
        {"3", 1, "3", ""}, /* its process finds out if it exists */
        {"0,1,3", 1, "0 1 3", ""},
        {"all", 1, "0", ""},
        {"all", 3, "0 1 2", ""},
        {"all", 0, NULL, "no CUDA device: the driver lists none"},
        {"GPU-1f,2", 1, "GPU-1f 2", ""},
        {"MIG-GPU-5c-11/1/0", 1, "MIG-GPU-5c-11/1/0", ""},
        {"1,1", 1, NULL, "--device: 1 occurs twice"},
        {"-1", 1, NULL, "--device: '-1' is no device"},
        {"0,", 1, NULL, "--device: '' is no device"},
        {"0, 1", 1, NULL, "--device: ' 1' is no device"},
        {"GPU-", 1, NULL, "--device: 'GPU-' is no device"},
        {"GPU-x", 1, NULL, "--device: 'GPU-x' is no device"},
        {"12345", 1, NULL, "--device: '12345' is no device"},
        {"H100", 1, NULL, "--device: 'H100' is no device"},
        {"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,"
         "39,"
         "40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64",
         1, NULL, "--device: at most 64 devices work together"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_choice choice;
        struct error error = {0};
        char names[256] = "", one[DEVICE_NAME_BYTES] = "";
        fake_reset();
        fake.devices = rows[i].devices;
        CU_ASSERT_EQUAL(device_choose(rows[i].text, &choice, &error) == 0, rows[i].names != NULL);
        expect_text(error.message, rows[i].message);
        if (!rows[i].names)
            continue;
        for (size_t d = 0; d < choice.count; d++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", d ? " " : "", choice.names[d]);
        expect_text(names, rows[i].names);
        CU_ASSERT_EQUAL(device_choose_one(rows[i].text, one, &error) == 0, choice.count == 1);
        expect_text(one, choice.count == 1 ? rows[i].names : "");
    }
}

/* The shares of the processes of a host. */
static void divided(void)
{
    static const struct {
        const char *text;
        struct device_share share;
        const char *names; /* NULL: no device is left */
    } rows[] = {
        {"4,5,6", {0, 0}, "4 5 6"}, {"4,5,6", {0, 1}, "4 5 6"}, {"4,5,6", {0, 2}, "4 6"}, {"4,5,6", {1, 2}, "5"},
        {"4,5,6", {2, 3}, "6"},     {"4,5,6", {3, 4}, NULL},    {"GPU-a", {1, 2}, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device_choice choice;
        struct error error = {0};
        char names[64] = "";
        CU_ASSERT_EQUAL_FATAL(device_choose(rows[i].text, &choice, NULL), 0);
        CU_ASSERT_EQUAL(device_divide(&choice, &rows[i].share, &error), rows[i].names ? 0 : ERROR_NO_DEVICE);
        for (size_t d = 0; d < choice.count; d++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", d ? " " : "", choice.names[d]);
        expect_text(names, rows[i].names ? rows[i].names : "");
        CU_ASSERT(rows[i].names || strstr(error.message, "processes of its host share"));
    }
}

/* The environment of a device process, by that of its coordinator. */
static void hidden(void)
{
    static const struct {
        const char *given, *name, *seen; /* seen: NULL: refused */
    } rows[] = {
        {NULL, "0", "0"},           {NULL, "7", "7"},
        {NULL, "GPU-ab", "GPU-ab"}, {"", "0", ""},
        {"-1", "0", "-1"},          {"2,3", "0", "2"},
        {"2,3", "1", "3"},          {"2,3", "2", NULL},
        {"GPU-a, 3", "1", "3"},     {"GPU-a,MIG-b", "0", "GPU-a"},
        {"2,3", "GPU-c", "GPU-c"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pid_t child = fork();
        int status = 0;
        if (child == 0) {
            struct error error = {0};
            if (rows[i].given)
                setenv("CUDA_VISIBLE_DEVICES", rows[i].given, 1);
            else
                unsetenv("CUDA_VISIBLE_DEVICES");
            struct device_opening opening = {.streams = false};
            snprintf(opening.name, sizeof opening.name, "%s", rows[i].name);
            int code = device_prepare(&opening, &error);
            bool good = rows[i].seen ? !code && strcmp(getenv("CUDA_VISIBLE_DEVICES"), rows[i].seen) == 0
                                     : code == ERROR_NO_DEVICE && strstr(error.message, "hides it") && *error.hint;
            _exit(good ? 0 : 1);
        }
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_EQUAL(status, 0);
    }
}

/* One stream needs one connection to the device, unless the user sets the number. */
static void connected(void)
{
    static const struct {
        const char *given;
        bool streams;
        const char *set; /* NULL: CUDA's own */
    } rows[] = {{NULL, false, "1"}, {NULL, true, NULL}, {"4", false, "4"}, {"4", true, "4"}};
    static const char name[] = "CUDA_DEVICE_MAX_CONNECTIONS";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pid_t child = fork();
        int status = 0;
        if (child == 0) {
            const struct device_opening opening = {.name = "0", .streams = rows[i].streams};
            unsetenv("CUDA_VISIBLE_DEVICES");
            if (rows[i].given)
                setenv(name, rows[i].given, 1);
            else
                unsetenv(name);
            bool good = device_prepare(&opening, NULL) == 0;
            const char *set = getenv(name);
            good = good && (rows[i].set ? set && strcmp(set, rows[i].set) == 0 : !set);
            _exit(good ? 0 : 1);
        }
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_EQUAL(status, 0);
    }
}

CU_TestInfo tests_choice[] = {
    {"chosen", chosen}, {"divided", divided}, {"hidden", hidden}, {"connected", connected}, CU_TEST_INFO_NULL};
