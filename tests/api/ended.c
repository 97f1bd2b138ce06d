#include "ended.h"

struct ended ended_game(struct process *take_server)
{
    struct ended ended = {.server = take_server};
    ended.devices[0] = device_new(ended.server);
    ended.devices[1] = device_new(ended.server);
    ended.pairing = device_pair(ended.devices[0], ended.devices[1]);
    expect_status(200, device_resign(ended.pairing.seats[0], ended.pairing.game));
    return ended;
}

void ended_free(struct ended *ended)
{
    device_free(ended->devices[0]);
    device_free(ended->devices[1]);
    process_free(ended->server);
}
