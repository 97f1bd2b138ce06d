#include "scene.h"

#include <criterion/criterion.h>

struct scene scene_on(struct process *take_server, size_t people, const char *body)
{
    struct scene scene = {.server = take_server};
    cr_assert_leq(people, SCENE_PEOPLE_MAX);
    for (size_t i = 0; i < people; i++) {
        scene.people[i] = device_new(scene.server);
    }
    scene.party = party_open(scene.people[0], body);
    for (size_t i = 1; i < people; i++) {
        party_join(scene.people[i], &scene.party);
    }
    return scene;
}

struct scene scene_new(size_t people, const char *body)
{
    return scene_on(process_new(NULL), people, body);
}

void scene_free(struct scene *scene)
{
    for (size_t i = 0; scene->people[i] != NULL; i++) {
        device_free(scene->people[i]);
    }
    process_free(scene->server);
}

void scene_expect_seats(const struct scene *scene, const char *seats)
{
    party_expect_seats(scene->people[0], &scene->party, scene->people, seats);
}
