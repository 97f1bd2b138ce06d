#include "edges.h"

#include "contract.h"
#include "process.h"
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edges {
    json_t *document;
    json_t *whole; /* the schema that says whether a value fits */
    json_t *part;  /* it, or one of its alternatives */
    const char *keyword;
    edge_fn *try;
    void *context;
};

static void try_as(const struct edges *edges, bool fits, json_t *take_value)
{
    edges->try(edges->context, &(struct edge){edges->keyword, fits, take_value});
    json_decref(take_value);
}

static void try_value(const struct edges *edges, json_t *take_value)
{
    char why[256];
    bool fits = schema_check(edges->document, edges->whole, take_value, why, sizeof why);
    try_as(edges, fits, take_value);
}

static void try_text(const struct edges *edges, const char *bytes, size_t length)
{
    try_value(edges, json_stringn(bytes, length));
}

/* --- by keyword ----------------------------------------------------------------------------------
 */

static void try_number(const struct edges *edges, json_t *bound)
{
    for (long long i = -1; i <= 1; i++) {
        try_value(edges, json_integer(json_integer_value(bound) + i));
    }
}

/* Where the document counts bytes, characters of three are a third as many. */
static bool counts_bytes(json_t *schema)
{
    const char *text = json_string_value(json_object_get(schema, "description"));
    return text != NULL && strstr(text, "bytes") != NULL;
}

/* One letter many times, of one byte or of three. */
static json_t *letters(const char *letter, size_t count)
{
    size_t size = strlen(letter);
    char *text = malloc(count * size + 1); /* one more, for malloc(0) may be NULL */
    if (text == NULL) {
        test_fail("no memory");
    }
    for (size_t i = 0; i < count * size; i++) {
        text[i] = letter[i % size];
    }
    json_t *value = json_stringn(text, count * size);
    free(text);
    return value;
}

static void try_length(const struct edges *edges, json_t *bound)
{
    char why[256];
    long long length = json_integer_value(bound);
    for (long long i = length == 0 ? 0 : -1; i <= 1; i++) {
        try_value(edges, letters("a", (size_t)(length + i)));
    }
    json_t *wide = letters("番", (size_t)length);
    bool fits = schema_check(edges->document, edges->whole, wide, why, sizeof why);
    bool too_long = strcmp(edges->keyword, "maxLength") == 0 && counts_bytes(edges->part);
    try_as(edges, fits && !too_long, wide);
}

static json_t *inner_value(const struct edges *edges, const char *key)
{
    json_t *schema = contract_follow(edges->document, json_object_get(edges->part, key));
    json_t *examples = json_object_get(schema, "examples");
    return json_array_size(examples) > 0 ? json_incref(json_array_get(examples, 0))
                                         : json_string("a");
}

static void try_items(const struct edges *edges, json_t *bound)
{
    long long length = json_integer_value(bound);
    for (long long i = length == 0 ? 0 : -1; i <= 1; i++) {
        json_t *array = json_array();
        while ((long long)json_array_size(array) < length + i) {
            (void)json_array_append_new(array, inner_value(edges, "items"));
        }
        try_value(edges, array);
    }
}

static void try_members(const struct edges *edges, json_t *bound)
{
    long long length = json_integer_value(bound);
    for (long long i = length == 0 ? 0 : -1; i <= 1; i++) {
        json_t *object = json_object();
        while ((long long)json_object_size(object) < length + i) {
            char name[24];
            (void)snprintf(name, sizeof name, "n%zu", json_object_size(object));
            (void)json_object_set_new(object, name, inner_value(edges, "additionalProperties"));
        }
        try_value(edges, object);
    }
}

/* A text that fits, without its last byte, with it twice, and with a line end. */
static void try_around(const struct edges *edges, const char *text)
{
    char changed[128];
    size_t length = strlen(text);
    int written = snprintf(changed, sizeof changed, "%s%c", text, text[length - 1]);
    if (written <= 0 || (size_t)written >= sizeof changed) {
        test_fail("'%s' is too long to go around it", text);
    }
    try_text(edges, text, length);
    try_text(edges, text, length - 1);
    try_text(edges, changed, length + 1);
    changed[length] = '\n';
    try_text(edges, changed, length + 1);
    changed[0] = (char)(changed[0] ^ 0x20);
    try_text(edges, changed, length);
}

static void try_words(const struct edges *edges, json_t *words)
{
    size_t index = 0;
    json_t *word = NULL;
    json_array_foreach(words, index, word)
    {
        try_around(edges, json_string_value(word));
    }
}

static void try_pattern(const struct edges *edges, json_t *pattern)
{
    json_t *examples = json_object_get(edges->part, "examples");
    if (json_array_size(examples) == 0) {
        test_fail("no example for %s", json_string_value(pattern));
    }
    try_words(edges, examples);
}

/* What a parameter takes is RFC 3339, which is more than what answers have. */
static void try_format(const struct edges *edges, json_t *format)
{
    static const struct {
        const char *text;
        bool fits;
    } times[] = {
        {"2026-02-28T23:59:59Z",          true },
        {"2026-02-29T00:00:00Z",          false},
        {"2024-02-29T00:00:00.5Z",        true },
        {"2026-00-01T00:00:00Z",          false},
        {"2026-01-01T00:00:00-23:59",     true },
        {"2026-01-01T00:00:00+24:00",     false},
        {"2026-12-31T23:59:59.999+09:00", true },
        {"2026-13-01T00:00:00Z",          false},
        {"2026-01-00T00:00:00Z",          false},
        {"2026-01-31T24:00:00Z",          false},
        {"2026-04-31T00:00:00Z",          false},
        {"2026-01-31T23:60:00Z",          false},
        {"2026-01-31T23:00:61Z",          false},
        {"9999-12-31T23:59:59.999Z",      true },
        {"10000-01-01T00:00:00Z",         false},
        {"2026-01-31T23:00:00",           false},
        {"2026-01-31",                    false},
        {"",                              false},
    };
    if (strcmp(json_string_value(format), "date-time") != 0) {
        test_fail("no edges of the format %s", json_string_value(format));
    }
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        try_as(edges, times[i].fits, json_string(times[i].text));
    }
}

/* What bounds no value by itself, or what the caller looks into. */
static void try_nothing(const struct edges *edges, json_t *bound)
{
    (void)edges;
    (void)bound;
}

/* --- all of a schema -----------------------------------------------------------------------------
 */

static void try_keyword(struct edges *edges, const char *keyword, json_t *bound)
{
    static const struct {
        const char *keyword;
        void (*try)(const struct edges *, json_t *);
    } rows[] = {
        {"minimum",              try_number },
        {"maximum",              try_number },
        {"minLength",            try_length },
        {"maxLength",            try_length },
        {"minItems",             try_items  },
        {"maxItems",             try_items  },
        {"enum",                 try_words  },
        {"pattern",              try_pattern},
        {"format",               try_format },
        {"type",                 try_nothing},
        {"properties",           try_nothing},
        {"required",             try_nothing},
        {"items",                try_nothing},
        {"anyOf",                try_nothing},
        {"description",          try_nothing},
        {"examples",             try_nothing},
        {"default",              try_nothing},
        {"maxProperties",        try_members},
        {"additionalProperties", try_nothing},
    };
    edges->keyword = keyword;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].keyword, keyword) == 0) {
            rows[i].try(edges, bound);
            return;
        }
    }
    test_fail("no edges of the keyword %s", keyword);
}

void edges_each(json_t *document, json_t *schema, edge_fn *try, void *context)
{
    struct edges edges = {document, contract_follow(document, schema), NULL, NULL, try, context};
    json_t *alternatives = json_object_get(edges.whole, "anyOf");
    const char *keyword = NULL;
    json_t *bound = NULL;
    for (size_t i = 0; i <= json_array_size(alternatives); i++) {
        edges.part =
            i == 0 ? edges.whole : contract_follow(document, json_array_get(alternatives, i - 1));
        json_object_foreach(edges.part, keyword, bound)
        {
            try_keyword(&edges, keyword, bound);
        }
    }
}
