#include "dice.h"

/* Steele's splitmix64: neighbouring numbers give states that have nothing in common. */
struct dice dice_of(uint64_t seed, uint64_t number)
{
    uint64_t mixed = seed * UINT64_C(0x9e3779b97f4a7c15) + number;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (struct dice){(mixed ^ (mixed >> 31)) | 1};
}

/* Marsaglia's xorshift. */
static uint64_t next(struct dice *dice)
{
    dice->state ^= dice->state << 13;
    dice->state ^= dice->state >> 7;
    dice->state ^= dice->state << 17;
    return dice->state;
}

uint32_t dice_below(struct dice *dice, uint32_t limit)
{
    return (uint32_t)((next(dice) >> 32) * limit >> 32);
}

bool dice_once_in(struct dice *dice, uint32_t times)
{
    return dice_below(dice, times) == 0;
}
