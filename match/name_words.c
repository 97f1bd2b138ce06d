#include "name_words.h"

/* Sorted, friendly, and none that makes an odd pair with one of the other list. */

const char *const name_adjectives[NAME_ADJECTIVES] = {
    "Able",     "Agile",    "Alert",    "Amber",    "Ample",    "Autumn",   "Balanced", "Bold",
    "Brave",    "Breezy",   "Bright",   "Brisk",    "Calm",     "Candid",   "Careful",  "Cheerful",
    "Clear",    "Clever",   "Coastal",  "Cosy",     "Crisp",    "Curious",  "Daring",   "Deft",
    "Eager",    "Early",    "Earnest",  "Easy",     "Elegant",  "Fair",     "Faithful", "Festive",
    "Fleet",    "Fond",     "Frank",    "Fresh",    "Friendly", "Generous", "Gentle",   "Gifted",
    "Glad",     "Golden",   "Graceful", "Grand",    "Happy",    "Hardy",    "Hearty",   "Honest",
    "Humble",   "Jolly",    "Jovial",   "Keen",     "Kind",     "Lively",   "Loyal",    "Lucky",
    "Mellow",   "Merry",    "Mild",     "Mindful",  "Modest",   "Neat",     "Nimble",   "Noble",
    "Patient",  "Peaceful", "Playful",  "Pleasant", "Polite",   "Prompt",   "Proud",    "Quick",
    "Quiet",    "Ready",    "Serene",   "Silver",   "Sincere",  "Smart",    "Smooth",   "Snowy",
    "Spirited", "Spry",     "Steady",   "Still",    "Sunny",    "Swift",    "Tender",   "Thankful",
    "Tidy",     "Tranquil", "Trusty",   "Upbeat",   "Vivid",    "Warm",     "Wise",     "Witty",
};

const char *const name_nouns[NAME_NOUNS] = {
    "Acacia",  "Alder",    "Almond",   "Alpaca",  "Apple",   "Ash",      "Aspen",    "Aster",
    "Badger",  "Bamboo",   "Basil",    "Beech",   "Birch",   "Bison",    "Camellia", "Carp",
    "Cedar",   "Cherry",   "Clover",   "Condor",  "Crane",   "Cricket",  "Cypress",  "Dahlia",
    "Daisy",   "Dolphin",  "Dove",     "Eagle",   "Egret",   "Elk",      "Elm",      "Falcon",
    "Fern",    "Finch",    "Firefly",  "Flax",    "Gazelle", "Gecko",    "Gentian",  "Ginkgo",
    "Hare",    "Hawk",     "Hazel",    "Heather", "Heron",   "Hibiscus", "Hornbill", "Ibex",
    "Ibis",    "Iris",     "Ivy",      "Jasmine", "Juniper", "Kestrel",  "Kite",     "Koala",
    "Lark",    "Laurel",   "Lavender", "Lemur",   "Lilac",   "Lily",     "Linden",   "Lotus",
    "Lynx",    "Magnolia", "Magpie",   "Mallard", "Maple",   "Marigold", "Marten",   "Mimosa",
    "Moss",    "Myrtle",   "Narwhal",  "Oak",     "Olive",   "Orchid",   "Oriole",   "Osprey",
    "Otter",   "Owl",      "Panda",    "Peony",   "Petrel",  "Pine",     "Plover",   "Plum",
    "Poplar",  "Poppy",    "Puffin",   "Quail",   "Quince",  "Raven",    "Reed",     "Robin",
    "Rowan",   "Sage",     "Salmon",   "Seal",    "Sparrow", "Spruce",   "Stork",    "Sunbird",
    "Swallow", "Swan",     "Thrush",   "Thyme",   "Violet",  "Willow",   "Wren",     "Yew",
};
