
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "mpi/meet.h"

static struct rank_place place_of(int rank)
{
    struct rank_place place = {.rank = rank, .ranks = 4, .host_ranks = 2, .core_sharers = 3};
    snprintf(place.host, sizeof place.host, "node%d", rank);
    return place;
}

/* Runs in the child: echoes a letter over each link, in the order of ranks. Returns an error. */
static int answer(int control, int count)
{
    struct rank rank;
    if (!meet_hear(control, &rank) || rank.link_count != count || rank.place.rank != 7 || rank.place.core_sharers != 3)
        return 1;
    for (int i = 0; i < count; i++) {
        char letter = 0;
        const struct rank_place expected = place_of(i);
        if (memcmp(&rank.links[i].place, &expected, sizeof expected) != 0 ||
            read(rank.links[i].socket, &letter, 1) != 1 || letter != 'a' + i ||
            write(rank.links[i].socket, &letter, 1) != 1)
            return 2 + i;
    }
    free(rank.links);
    return 0;
}

/* Each socket leads to its rank. */
static void introduces(void)
{
    enum { MOST = 3 };
    for (int count = 0; count <= MOST; count++) {
        int ends[2], sockets[MOST], status = -1;
        struct rank_place own = place_of(7), others[MOST];
        CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        pid_t child = fork();
        if (child == 0)
            _exit(answer(ends[1], count));
        close(ends[1]);
        for (int i = 0; i < count; i++)
            others[i] = place_of(i);
        CU_ASSERT(meet_tell(ends[0], &own, others, count, sockets));
        for (int i = 0; i < count; i++) {
            char letter = (char)('a' + i);
            CU_ASSERT_EQUAL(read(sockets[i], &letter, 1), -1); /* must not block */
            CU_ASSERT_EQUAL(write(sockets[i], &letter, 1), 1);
        }
        CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
        CU_ASSERT_EQUAL(status, 0);
        for (int i = 0; i < count; i++) {
            char letter = 0;
            CU_ASSERT(read(sockets[i], &letter, 1) == 1 && letter == 'a' + i);
            CU_ASSERT_EQUAL(read(sockets[i], &letter, 1), 0); /* the child alone held the other end */
            close(sockets[i]);
        }
        close(ends[0]);
    }
}

/* A relay that ends early; a child that has ended, whose sockets are at their end. */
static void ends(void)
{
    int ends[2], sockets[2];
    char letter, introduction[4096];
    struct rank rank;
    struct rank_place own = place_of(7), others[2] = {place_of(0), place_of(1)};
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    CU_ASSERT(meet_tell(ends[0], &own, others, 1, sockets));
    close(sockets[0]);
    close(ends[0]);
    CU_ASSERT(meet_hear(ends[1], &rank) && rank.link_count == 1);
    close(rank.links[0].socket);
    free(rank.links);
    CU_ASSERT_FALSE(meet_hear(ends[1], &rank));
    close(ends[1]);
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    CU_ASSERT(meet_tell(ends[0], &own, NULL, 0, NULL)); /* for its length */
    ssize_t length = recv(ends[1], introduction, sizeof introduction, 0);
    CU_ASSERT_FATAL(length > 0);
    CU_ASSERT(meet_tell(ends[0], &own, others, 2, sockets));
    CU_ASSERT_EQUAL(recv(ends[1], introduction, (size_t)length, 0), length);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    CU_ASSERT_EQUAL(send(ends[0], introduction, (size_t)length, 0), length); /* without a link */
    CU_ASSERT_EQUAL(shutdown(ends[0], SHUT_WR), 0);
    errno = EINTR; /* from an earlier call */
    CU_ASSERT_FALSE(meet_hear(ends[1], &rank));
    free(rank.links);
    close(sockets[0]);
    close(sockets[1]);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    close(ends[1]);
    CU_ASSERT(meet_tell(ends[0], &own, others, 2, sockets));
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(read(sockets[i], &letter, 1), 0);
        close(sockets[i]);
    }
    close(ends[0]);
}

CU_TestInfo tests_meet[] = {{"each rank is introduced", introduces}, {"who has ended", ends}, CU_TEST_INFO_NULL};
