#include "process.h"
#include "schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* YAML's core schema for plain scalars: null, booleans, numbers; everything else is text. */
static json_t *scalar(const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    char *end = NULL;
    if (node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
        return json_string(text);
    }
    if (strcmp(text, "") == 0 || strcmp(text, "null") == 0 || strcmp(text, "~") == 0) {
        return json_null();
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return json_boolean(text[0] == 't');
    }
    errno = 0;
    long long whole = strtoll(text, &end, 10);
    if (*end == '\0' && errno == 0) {
        return json_integer(whole);
    }
    double number = strtod(text, &end);
    bool numeric = *end == '\0' && strpbrk(text, "0123456789") != NULL;
    return numeric ? json_real(number) : json_string(text);
}

static json_t *convert(yaml_document_t *document, int index, unsigned depth)
{
    const yaml_node_t *node = yaml_document_get_node(document, index);
    json_t *value = NULL;
    if (depth > 64) {
        test_fail("YAML is nested too deeply");
    }
    switch (node->type) {
    case YAML_SCALAR_NODE: return scalar(node);
    case YAML_SEQUENCE_NODE:
        value = json_array();
        for (const yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top; item++) {
            (void)json_array_append_new(value, convert(document, *item, depth + 1));
        }
        return value;
    case YAML_MAPPING_NODE:
        value = json_object();
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top; pair++) {
            const yaml_node_t *key = yaml_document_get_node(document, pair->key);
            const char *name = (const char *)key->data.scalar.value;
            if (json_object_get(value, name) != NULL) {
                test_fail("YAML: the key %s comes twice", name);
            }
            (void)json_object_set_new(value, name, convert(document, pair->value, depth + 1));
        }
        return value;
    case YAML_NO_NODE: break;
    }
    return json_null();
}

json_t *yaml_load(const char *path)
{
    yaml_parser_t parser;
    yaml_document_t document;
    FILE *file = fopen(path, "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) {
        test_fail("%s: %s", path, strerror(errno));
    }
    yaml_parser_set_input_file(&parser, file);
    if (!yaml_parser_load(&parser, &document)) {
        test_fail("%s:%zu: %s", path, parser.problem_mark.line + 1, parser.problem);
    }
    json_t *value = convert(&document, 1, 0);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    (void)fclose(file);
    return value;
}
