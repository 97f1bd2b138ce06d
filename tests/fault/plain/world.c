#include "world.h"

#include "match/verify.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { READERS = 6, WORKERS = 2 };

void world_die(const struct world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\nraces: the file is %s\n", world->db_path);
    _exit(1);
}

uint64_t world_mixed(uint64_t *state)
{
    uint64_t mix = *state += UINT64_C(0x9e3779b97f4a7c15);
    mix = (mix ^ mix >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mix = (mix ^ mix >> 27) * UINT64_C(0x94d049bb133111eb);
    return mix ^ mix >> 31;
}

static int64_t now_ms(void *context)
{
    return atomic_load(&((struct world *)context)->now_ms);
}

static void chance(void *context, void *bytes, size_t count)
{
    struct world *world = context;
    pthread_mutex_lock(&world->chance_lock);
    for (size_t i = 0; i < count; i++) {
        ((uint8_t *)bytes)[i] = (uint8_t)world_mixed(&world->chance);
    }
    pthread_mutex_unlock(&world->chance_lock);
}

static void on_fatal(void *context, enum db_status status)
{
    world_die(context, "the storage failed: %s", db_status_text(status));
}

void world_open(struct world *world, uint64_t seed)
{
    struct db_lock *lock = NULL;
    struct db_report report;
    bool later = false;
    world->env = (struct match_env){.now_ms = now_ms, .random = chance, .context = world};
    world->chance = seed;
    pthread_mutex_init(&world->chance_lock, NULL);
    (void)snprintf(world->folder, sizeof world->folder, "/tmp/banzuke-races-XXXXXX");
    if (mkdtemp(world->folder) == NULL) {
        world_die(world, "no folder");
    }
    (void)snprintf(world->db_path, sizeof world->db_path, "%s/banzuke.db", world->folder);
    (void)snprintf(world->key_path, sizeof world->key_path, "%s.key", world->db_path);
    if (db_prepare(world->db_path, 1, &lock, &later, &report) != DB_OK ||
        secrets_load(world->key_path, true, &world->env, &world->secrets) != SECRETS_OK) {
        world_die(world, "no file: %s", report.text);
    }
    db_unlock(lock);
    struct match_options options = {
        .db_path = world->db_path,
        .readers = READERS,
        .repeat_limit = 5,
        .cpu_workers = WORKERS,
        .absence_level = 5,
        .on_fatal = on_fatal,
        .context = world,
    };
    if (match_open(&options, &world->env, world->secrets, &world->match) != DB_OK) {
        world_die(world, "no service");
    }
}

void world_close(struct world *world)
{
    char path[128];
    match_stop(world->match);
    if (match_close(world->match) != DB_OK) {
        world_die(world, "no orderly end");
    }
    struct verify_options options = {.db_path = world->db_path, .key_path = world->key_path};
    struct verify_report report;
    if (verify_run(&options, NULL, NULL, &report) != DB_OK || report.differences != 0) {
        world_die(world, "verify: %s", report.first);
    }
    secrets_free(world->secrets);
    (void)printf("races: %" PRIu64 " games, %" PRIu64 " moves, no difference\n", report.games,
                 report.moves);
    static const char *const ends[] = {"", ".key", "-wal", "-shm", ".lock"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", world->db_path, ends[i]);
        (void)unlink(path);
    }
    (void)rmdir(world->folder);
}

static void wake(void *context)
{
    (void)sem_post(context);
}

struct match_op world_op(sem_t *woken)
{
    (void)sem_init(woken, 0, 0);
    return (struct match_op){.wake = wake, .context = woken};
}

enum match_status world_finish(struct match_op *op, enum match_status begun, sem_t *woken)
{
    while (begun == MATCH_WAIT && sem_wait(woken) != 0) {
    }
    (void)sem_destroy(woken);
    return begun == MATCH_WAIT ? op->status : begun;
}

int64_t world_player(struct world *world)
{
    sem_t woken;
    struct match_register command = {.op = world_op(&woken)};
    enum match_status status =
        world_finish(&command.op, match_register_begin(world->match, &command), &woken);
    if (status != MATCH_OK) {
        world_die(world, "no player");
    }
    return command.player.player_no;
}
