#include "tests/support/schema.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a value (JSON text) fits a schema (JSON text); `complaint` says why not. */
static bool fits(const char *schema, const char *value, char complaint[256])
{
    static const char definitions[] = "{\"defs\":{\"small\":{\"type\":\"integer\",\"maximum\":9}}}";
    json_t *document = json_loads(definitions, 0, NULL);
    json_t *left = json_loads(schema, 0, NULL);
    json_t *right = json_loads(value, JSON_DECODE_ANY, NULL);
    cr_assert(left != NULL && right != NULL, "%s %s", schema, value);
    bool good = schema_check(document, left, right, complaint, 256);
    json_decref(left);
    json_decref(right);
    json_decref(document);
    return good;
}

struct schema_case {
    const char *schema;
    const char *good;
    const char *bad;
};

static void try_all(const struct schema_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char complaint[256];
        cr_expect(fits(cases[i].schema, cases[i].good, complaint), "%s takes %s: %s",
                  cases[i].schema, cases[i].good, complaint);
        cr_expect_not(fits(cases[i].schema, cases[i].bad, complaint), "%s refuses %s",
                      cases[i].schema, cases[i].bad);
        cr_expect_str_neq(complaint, "");
    }
}

Test(schema, every_keyword_takes_what_fits_and_refuses_what_does_not)
{
    static const struct schema_case cases[] = {
        {"{\"type\":\"integer\"}",                    "1",                            "1.0"                    },
        {"{\"type\":\"number\"}",                     "1",                            "\"1\""                  },
        {"{\"type\":\"boolean\"}",                    "false",                        "0"                      },
        {"{\"type\":\"object\"}",                     "{}",                           "[]"                     },
        {"{\"type\":\"array\"}",                      "[]",                           "{}"                     },
        {"{\"type\":\"null\"}",                       "null",                         "0"                      },
        {"{\"type\":[\"string\",\"null\"]}",          "null",                         "1"                      },
        {"{\"type\":\"strange\"}",                    "1",                            "1"                      },
        {"{\"enum\":[\"a\",1]}",                      "1",                            "\"b\""                  },
        {"{\"const\":\"ok\"}",                        "\"ok\"",                       "\"no\""                 },
        {"{\"required\":[\"a\"]}",                    "{\"a\":null}",                 "{\"b\":1}"              },
        {"{\"items\":{\"type\":\"integer\"}}",        "[1,2]",                        "[1,\"2\"]"              },
        {"{\"minItems\":1,\"maxItems\":2}",           "[1]",                          "[]"                     },
        {"{\"minItems\":1,\"maxItems\":2}",           "[1,2]",                        "[1,2,3]"                },
        {"{\"maxProperties\":1}",                     "{\"a\":1}",                    "{\"a\":1,\"b\":1}"      },
        {"{\"minimum\":0,\"maximum\":2}",             "2",                            "3"                      },
        {"{\"minimum\":0,\"maximum\":2}",             "0",                            "-0.1"                   },
        {"{\"minLength\":1,\"maxLength\":2}",         "\"\\u756a\\u4ed8\"",           "\"\""                   },
        {"{\"minLength\":1,\"maxLength\":2}",         "\"ab\"",                       "\"abc\""                },
        {"{\"pattern\":\"^[a-i]+$\"}",                "\"abc\"",                      "\"abz\""                },
        {"{\"pattern\":\"(\"}",                       "1",                            "\"a\""                  },
        {"{\"format\":\"date-time\"}",                "\"2026-03-01T12:00:00.000Z\"", "\"2026-03-01 12:00:00\""},
        {"{\"format\":\"email\"}",                    "1",                            "\"a\""                  },
        {"{\"$ref\":\"#/defs/small\"}",               "9",                            "10"                     },
        {"{\"description\":\"x\",\"type\":\"null\"}", "null",                         "1"                      },
    };
    /* Two rows have no good value: a type and nothing else that is unknown. */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (strstr(cases[i].schema, "strange") == NULL &&
            strstr(cases[i].schema, "email") == NULL) {
            try_all(&cases[i], 1);
        }
        char complaint[256];
        cr_expect_not(fits(cases[i].schema, cases[i].bad, complaint));
    }
}

Test(schema, members_are_looked_at_and_others_refused_where_the_schema_says_so)
{
    static const struct schema_case cases[] = {
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}},\"additionalProperties\":false}",
         "{\"a\":1}",                                                                                       "{\"a\":1,\"b\":2}"},
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}}}",                                "{\"b\":\"x\"}", "{\"a\":\"x\"}"    },
        {"{\"additionalProperties\":{\"type\":\"integer\"}}",                              "{\"a\":1}",     "{\"a\":\"x\"}"    },
        {"{\"properties\":{\"a\":{\"items\":{\"$ref\":\"#/defs/small\"}}}}",               "{\"a\":[1,9]}",
         "{\"a\":[1,10]}"                                                                                                      },
    };
    try_all(cases, sizeof cases / sizeof cases[0]);
}

Test(schema, combinations_count_the_schemas_that_fit)
{
    static const struct schema_case cases[] = {
        {"{\"anyOf\":[{\"type\":\"null\"},{\"minimum\":5}]}",           "null",      "4" },
        {"{\"oneOf\":[{\"minimum\":0},{\"maximum\":9}]}",               "10",        "5" },
        {"{\"allOf\":[{\"minimum\":0},{\"maximum\":9}]}",               "5",         "10"},
        {"{\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]}", "{\"a\":1}",
         "{\"a\":1,\"b\":1}"                                                             },
    };
    try_all(cases, sizeof cases / sizeof cases[0]);
}

Test(schema, what_the_validator_does_not_know_is_a_complaint)
{
    static const char *const schemas[] = {
        "{\"uniqueItems\":true}",       "{\"exclusiveMinimum\":0}", "{\"not\":{}}",
        "{\"prefixItems\":[]}",         "{\"nullable\":true}",      "{\"$ref\":\"#/defs/none\"}",
        "{\"$ref\":\"other.yaml#/a\"}", "{\"Type\":\"string\"}",
    };
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        char complaint[256];
        cr_expect_not(fits(schemas[i], "[1]", complaint), "%s", schemas[i]);
        cr_expect_str_neq(complaint, "");
    }
    cr_expect_not(schema_known("uniqueItems"));
    cr_expect(schema_known("oneOf") && schema_known("description") && schema_known("items"));
}

Test(schema, a_complaint_says_where)
{
    char complaint[256];
    cr_expect_not(fits("{\"properties\":{\"a\":{\"items\":{\"required\":[\"b\"]}}}}",
                       "{\"a\":[{\"b\":1},{}]}", complaint));
    cr_expect_str_eq(complaint, "/a/1: b is missing");
}

/* --- YAML ----------------------------------------------------------------------------------------
 */

static json_t *load_text(const char *text)
{
    char path[] = "/tmp/banzuke-yaml-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    json_t *value = yaml_load(path);
    (void)close(fd);
    (void)unlink(path);
    return value;
}

Test(schema, yaml_scalars_have_the_types_they_look_like)
{
    json_t *value = load_text("a: 1\nb: '1'\nc: [true, null, 1.5, ~, x, \"false\"]\n"
                              "d: {}\ne: |\n  two\n  lines\nf:\ng: 1.0.0\n200: y\n");
    json_t *wanted = json_loads("{\"a\":1,\"b\":\"1\",\"c\":[true,null,1.5,null,\"x\",\"false\"],"
                                "\"d\":{},\"e\":\"two\\nlines\\n\",\"f\":null,\"g\":\"1.0.0\","
                                "\"200\":\"y\"}",
                                0, NULL);
    cr_assert(json_equal(value, wanted));
    json_decref(value);
    json_decref(wanted);
}
