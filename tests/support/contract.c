#include "contract.h"

#include "process.h"
#include "schema.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

json_t *contract(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static json_t *document;
    pthread_mutex_lock(&lock);
    if (document == NULL) {
        document = yaml_load("openapi.yaml");
    }
    pthread_mutex_unlock(&lock);
    return document;
}

/* Segment by segment; a {variable} fits anything. */
static bool fits_template(const char *template, const char *path)
{
    for (;;) {
        size_t a = strcspn(template, "/");
        size_t b = strcspn(path, "/?");
        bool variable = template[0] == '{' && b > 0;
        if (!variable && (a != b || strncmp(template, path, a) != 0)) {
            return false;
        }
        template += a;
        path += b;
        if (*template != '/' || *path != '/') {
            return *template == '\0' && (*path == '\0' || *path == '?');
        }
        template ++;
        path++;
    }
}

json_t *contract_operation(json_t *document, const char *method, const char *path)
{
    const char *template = NULL;
    json_t *item = NULL;
    char verb[16];
    (void)snprintf(verb, sizeof verb, "%s", strcmp(method, "HEAD") == 0 ? "GET" : method);
    for (char *at = verb; *at != '\0'; at++) {
        *at = (char)(*at | 0x20);
    }
    json_object_foreach(json_object_get(document, "paths"), template, item)
    {
        if (fits_template(template, path)) {
            return json_object_get(item, verb);
        }
    }
    return NULL;
}

json_t *contract_follow(json_t *document, json_t *value)
{
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    return reference == NULL ? value : schema_resolve(document, reference);
}

/* Every header that the document names: its form, and that it is there where it must be. */
static bool check_headers(json_t *document, json_t *response, const struct answer *answer,
                          char *complaint, size_t size)
{
    const char *name = NULL;
    json_t *header = NULL;
    json_object_foreach(json_object_get(response, "headers"), name, header)
    {
        char value[256];
        char why[512];
        header = contract_follow(document, header);
        if (!answer_header(answer, name, value, sizeof value)) {
            if (json_is_true(json_object_get(header, "required"))) {
                (void)snprintf(complaint, size, "the header %s is missing", name);
                return false;
            }
            continue;
        }
        json_t *text = json_string(value);
        bool fits =
            schema_check(document, json_object_get(header, "schema"), text, why, sizeof why);
        json_decref(text);
        if (!fits) {
            (void)snprintf(complaint, size, "header %s: %s", name, why);
            return false;
        }
    }
    return true;
}

/* A value a line, each held against the schema. */
static bool check_lines(json_t *document, json_t *schema, const struct answer *answer,
                        char *complaint, size_t size)
{
    bool good = answer->length > 0 && answer->text[answer->length - 1] == '\n';
    (void)snprintf(complaint, size, "the last line has no end");
    for (const char *at = answer->text; good && at < answer->text + answer->length;) {
        size_t length = strcspn(at, "\n");
        json_t *value = json_loadb(at, length, JSON_REJECT_DUPLICATES, NULL);
        (void)snprintf(complaint, size, "a line is no JSON");
        good = value != NULL && schema_check(document, schema, value, complaint, size);
        json_decref(value);
        at += length + 1;
    }
    return good;
}

static bool check_body(json_t *document, json_t *response, const struct answer *answer,
                       char *complaint, size_t size)
{
    char type[64];
    json_t *content = json_object_get(response, "content");
    (void)snprintf(type, sizeof type, "%.*s", (int)strcspn(answer->content_type, ";"),
                   answer->content_type);
    if (json_object_size(content) == 0) {
        if (answer->length > 0) {
            (void)snprintf(complaint, size, "a body where none is documented");
        }
        return answer->length == 0;
    }
    json_t *media = json_object_get(content, type);
    if (media == NULL) {
        (void)snprintf(complaint, size, "media type '%s' is not documented", type);
        return false;
    }
    json_t *schema = json_object_get(media, "schema");
    if (strcmp(type, "application/x-ndjson") == 0) {
        return check_lines(document, schema, answer, complaint, size);
    }
    if (strstr(type, "json") == NULL || schema == NULL) {
        return true;
    }
    return schema_check(document, schema, answer->body, complaint, size);
}

/* The schema knows all codes there are; the answer's description says which ones it has. */
static bool check_problem(json_t *response, const struct answer *answer, char *complaint,
                          size_t size)
{
    char named[96];
    char type[96];
    const char *code = json_string_value(json_object_get(answer->body, "code"));
    const char *description = json_string_value(json_object_get(response, "description"));
    if (strncmp(answer->content_type, "application/problem+json", 24) != 0) {
        return true;
    }
    (void)snprintf(named, sizeof named, "`%s`", code);
    (void)snprintf(type, sizeof type, "/problems/%s", code);
    bool good = strstr(description, named) != NULL &&
                strcmp(json_string_value(json_object_get(answer->body, "type")), type) == 0 &&
                json_integer_value(json_object_get(answer->body, "status")) == answer->status;
    if (!good) {
        (void)snprintf(complaint, size, "%s is no code of the answer %ld", code, answer->status);
    }
    return good;
}

bool contract_check(const char *method, const char *path, const struct answer *answer,
                    char *complaint, size_t size)
{
    char status[8];
    json_t *document = contract();
    json_t *operation = contract_operation(document, method, path);
    (void)snprintf(status, sizeof status, "%ld", answer->status);
    json_t *response = json_object_get(json_object_get(operation, "responses"), status);
    if (response == NULL) {
        (void)snprintf(complaint, size,
                       operation == NULL ? "no such operation" : "the status is not documented");
        return false;
    }
    response = contract_follow(document, response);
    if (!check_headers(document, response, answer, complaint, size)) {
        return false;
    }
    if (strcmp(method, "HEAD") == 0) {
        return true;
    }
    return check_body(document, response, answer, complaint, size) &&
           check_problem(response, answer, complaint, size);
}

json_t *contract_changed(const char *path, const char *value)
{
    char steps[256];
    char *rest = NULL;
    json_t *document = json_deep_copy(contract());
    json_t *at = document;
    (void)snprintf(steps, sizeof steps, "%s", path);
    const char *step = strtok_r(steps, ">", &rest);
    for (const char *next; (next = strtok_r(NULL, ">", &rest)) != NULL; step = next) {
        at = json_object_get(at, step);
        if (at == NULL) {
            test_fail("the contract has no %s in %s", step, path);
        }
    }
    if (value == NULL) {
        if (json_object_del(at, step) != 0) {
            test_fail("the contract has no %s", path);
        }
    } else {
        (void)json_object_set_new(at, step, json_loads(value, JSON_DECODE_ANY, NULL));
    }
    return document;
}
