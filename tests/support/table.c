#include "table.h"

#include "counted.h"

#include <stdio.h>
#include <string.h>

struct table table_on(struct process *take_server)
{
    struct table table = {.server = take_server};
    table.devices[0] = device_new(table.server);
    table.devices[1] = device_new(table.server);
    table.pairing = device_pair(table.devices[0], table.devices[1]);
    (void)snprintf(table.path, sizeof table.path, "/v1/games/%s/events", table.pairing.game);
    return table;
}

struct table table_new(void)
{
    return table_on(process_new(NULL));
}

struct table table_with(const char *const *arguments)
{
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    return table_on(server);
}

void table_free(struct table *table)
{
    device_free(table->devices[0]);
    device_free(table->devices[1]);
    process_free(table->server);
}

static struct listener *must_open(const struct table *table, const struct listen_wish *wish)
{
    struct listener *listener = listener_open(table->server, wish);
    if (listener_status(listener) != 200) {
        test_fail("%s: %s", wish->path, listener_head(listener));
    }
    return listener;
}

struct listener *listen_to(const struct table *table, const char *accept)
{
    return must_open(table, &(struct listen_wish){.path = table->path, .accept = accept});
}

struct listener *resume(const struct table *table, const char *accept, long long after)
{
    char last_id[24];
    (void)snprintf(last_id, sizeof last_id, "%lld",
                   stored_number(table->server, table->pairing.game, after));
    return must_open(
        table, &(struct listen_wish){.path = table->path, .accept = accept, .last_id = last_id});
}

struct listener *enter(const struct table *table, const char *token, const char *header)
{
    struct listener *listener = must_open(
        table, &(struct listen_wish){.path = table->path, .token = token, .header = header});
    json_decref(listener_event(listener));
    return listener;
}

void expect_event(const struct table *table, struct listener *listener, const char *type,
                  long long seq)
{
    json_t *frame = listener_event(listener);
    while (frame_is_of_pause(frame)) {
        json_decref(frame);
        frame = listener_event(listener);
    }
    long long number = frame_seq(frame) == seq
                           ? seq
                           : counted_number(table->server, table->pairing.game, frame_seq(frame));
    if (strcmp(frame_type(frame), type) != 0 || number != seq) {
        test_fail("%s %lld came, not %s %lld", frame_type(frame), number, type, seq);
    }
    json_decref(frame);
}

void expect_events(const struct table *table, struct listener *listener, const char *type,
                   long long from, long long to)
{
    for (long long seq = from; seq <= to; seq++) {
        expect_event(table, listener, type, seq);
    }
}
