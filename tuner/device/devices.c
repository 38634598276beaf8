/* Counts the devices. */
#include "device/messages.h"
#include "device/process.h"

static const int64_t count_timeout_ns = 60000000000;

int device_count(int *count, struct error *error)
{
    struct worker worker = {0};
    struct message message;
    char words[128];
    int code = worker_start(&worker, device_count_process, NULL, error), got;
    if (code)
        return code;
    *count = 0;
    worker_expect(&worker, count_timeout_ns);
    while ((got = worker_receive(&worker, &message)) == 0 && !worker_late(&worker))
        worker_wait((struct worker *[]){&worker}, 1, INT64_MAX);
    if (got > 0 && message.kind == MESSAGE_HELLO) {
        struct unpack unpack = unpack_start(message.bytes, message.length);
        *count = (int)unpack_u64(&unpack);
    } else if (got > 0) {
        code = message_take_error(&message, error);
    } else {
        code = worker_check_version(&worker, "device", error);
    }
    worker_stop(&worker);
    if (got <= 0 && !code)
        code = error_set(error, ERROR_WORKER, "the process that counts the devices was %s",
                         worker_epitaph(&worker, words, sizeof words));
    return code;
}
