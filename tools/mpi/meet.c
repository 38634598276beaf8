#include "mpi/meet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Both processes run the same program, so that the socket carries its structs. */
struct introduction {
    struct rank_place place;
    int32_t links; /* number of links that follow */
};

/* Room for a descriptor passed over the socket. */
union rights {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static bool send_link(int control, const struct rank_place *place, int socket)
{
    struct rank_place copy = *place;
    union rights rights = {0};
    struct iovec part = {.iov_base = &copy, .iov_len = sizeof copy};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights.bytes, .msg_controllen = sizeof rights.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &socket, sizeof(int));
    return sendmsg(control, &message, MSG_NOSIGNAL) == (ssize_t)sizeof copy;
}

static bool receive_link(int control, struct rank_link *link)
{
    union rights rights = {0};
    struct iovec part = {.iov_base = &link->place, .iov_len = sizeof link->place};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = rights.bytes, .msg_controllen = sizeof rights.bytes};
    ssize_t got;
    while ((got = recvmsg(control, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL)) < 0 && errno == EINTR)
        ;
    struct cmsghdr *head = got == (ssize_t)sizeof link->place ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(&link->socket, CMSG_DATA(head), sizeof(int));
    return true;
}

bool meet_tell(int control, const struct rank_place *own, const struct rank_place *places, int count, int *sockets)
{
    const struct introduction introduction = {.place = *own, .links = count};
    bool there = send(control, &introduction, sizeof introduction, MSG_NOSIGNAL) == (ssize_t)sizeof introduction;
    for (int i = 0; i < count; i++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
            return false;
        there = there && send_link(control, &places[i], ends[1]);
        close(ends[1]);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        sockets[i] = ends[0];
    }
    return true;
}

bool meet_hear(int control, struct rank *rank)
{
    struct introduction introduction;
    ssize_t got;
    *rank = (struct rank){0};
    while ((got = recv(control, &introduction, sizeof introduction, MSG_WAITALL)) < 0 && errno == EINTR)
        ;
    if (got != (ssize_t)sizeof introduction)
        return false;
    rank->place = introduction.place;
    rank->links = calloc((size_t)introduction.links + 1, sizeof *rank->links);
    while (rank->links && rank->link_count < introduction.links)
        if (!receive_link(control, &rank->links[rank->link_count++]))
            return false;
    return rank->links != NULL;
}
