#include "tests/support/edges.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The edges of a schema, as one line: `=` before a value that fits, `!` before one that does not.
 */
struct line {
    char text[512];
};

static void add(void *context, const struct edge *edge)
{
    struct line *line = context;
    char *value = json_dumps(edge->value, JSON_ENCODE_ANY | JSON_COMPACT);
    size_t used = strlen(line->text);
    int length = snprintf(line->text + used, sizeof line->text - used, "%c%s ",
                          edge->fits ? '=' : '!', value);
    cr_assert(length > 0 && (size_t)length < sizeof line->text - used);
    free(value);
}

static void expect_edges(const char *schema, const char *wanted)
{
    struct line line = {""};
    json_t *document =
        json_pack("{s:{s:{s:s,s:i}}}", "defs", "few", "type", "integer", "maximum", 9);
    json_t *parsed = json_loads(schema, 0, NULL);
    cr_assert_not_null(parsed, "%s", schema);
    edges_each(document, parsed, add, &line);
    cr_expect_str_eq(line.text, wanted, "%s", schema);
    json_decref(parsed);
    json_decref(document);
}

Test(edges, every_bound_is_tried_at_under_and_over_it)
{
    expect_edges("{\"minimum\":1}", "!0 =1 =2 ");
    expect_edges("{\"$ref\":\"#/defs/few\"}", "=8 =9 !10 ");
    expect_edges("{\"minLength\":1,\"type\":\"string\"}", "!\"\" =\"a\" =\"aa\" =\"番\" ");
    expect_edges("{\"maxLength\":2}", "=\"a\" =\"aa\" !\"aaa\" =\"番番\" ");
    expect_edges("{\"maxLength\":2,\"description\":\"At most 2 bytes.\"}",
                 "=\"a\" =\"aa\" !\"aaa\" !\"番番\" ");
    expect_edges("{\"maxItems\":1,\"items\":{\"examples\":[7]}}", "=[] =[7] ![7,7] ");
    expect_edges("{\"maxProperties\":0}", "={} !{\"n0\":\"a\"} ");
    expect_edges("{\"enum\":[\"ab\"]}", "=\"ab\" !\"a\" !\"abb\" !\"ab\\n\" !\"Ab\" ");
    expect_edges("{\"pattern\":\"^[a-c]+$\",\"examples\":[\"ab\"]}",
                 "=\"ab\" =\"a\" =\"abb\" !\"ab\\n\" !\"Ab\" ");
}

Test(edges, an_edge_of_an_alternative_is_judged_by_the_whole)
{
    expect_edges("{\"anyOf\":[{\"type\":\"integer\",\"maximum\":5},{\"type\":\"integer\","
                 "\"minimum\":6}]}",
                 "=4 =5 =6 =5 =6 =7 ");
}

Test(edges, a_keyword_without_known_edges_fails_the_test, .signal = SIGABRT)
{
    expect_edges("{\"uniqueItems\":true}", "");
}

Test(edges, a_pattern_without_an_example_fails_the_test, .signal = SIGABRT)
{
    expect_edges("{\"pattern\":\"^a$\"}", "");
}
