#include "draft/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t classes_numbers(const struct argument_answer *member)
{
    const struct element_type *type = member->points ? NULL : member->element;
    return type && type->components == 1 ? member->bytes / type->bytes : 0;
}

/* Checks by C's layout that the members fill the class. */
static bool fill_class(const struct draft_class *class)
{
    size_t end = 0, largest = 1;
    for (size_t i = 0; i < class->count; i++) {
        size_t count = classes_numbers(&class->members[i]);
        if (!count)
            return false;
        size_t bytes = class->members[i].bytes / count;
        end = (end + bytes - 1) / bytes * bytes + class->members[i].bytes;
        largest = bytes > largest ? bytes : largest;
    }
    return class->count > 0 && (end + largest - 1) / largest * largest == class->bytes;
}

/* ---- Members in the text ---- */

/* Adds the names in `int w, h;` or `float m[4];`. False for anything else, such as a function. */
static bool add_names(struct draft *draft, struct scan_range range, struct draft_class *class)
{
    const struct scan *scan = &draft->scan;
    size_t length;
    while (range.begin < range.end) {
        size_t begin = range.begin, name = begin;
        range.begin = scan_next_part(scan, range, true, &length);
        size_t end = begin + length;
        for (size_t i = begin; i < end && !code_is_sign(&scan->tokens[i], '[') && !code_is_sign(&scan->tokens[i], '=');
             i++) {
            if (code_is_sign(&scan->tokens[i], '(') || code_is_sign(&scan->tokens[i], '{') ||
                code_is_sign(&scan->tokens[i], ':'))
                return false;
            name = scan->tokens[i].kind == CODE_WORD ? i : name;
        }
        if (class->count == ASK_MEMBERS_MAX || name >= end ||
            !(class->names[class->count++] = scan_range_text(scan, &draft->arena, (struct scan_range){name, name + 1})))
            return false;
    }
    return true;
}

static void read_members(struct draft *draft, struct scan_range body, struct draft_class *class)
{
    const struct scan *scan = &draft->scan;
    for (size_t at = body.begin; at < body.end;) {
        size_t end = at;
        while (end < body.end && !code_is_sign(&scan->tokens[end], ';'))
            end = code_is_sign(&scan->tokens[end], '{') ? scan_close(scan, end) + 1 : end + 1;
        if (!add_names(draft, (struct scan_range){at, end}, class)) {
            class->count = 0;
            return;
        }
        at = end + 1;
    }
}

/* Finds `struct NAME { ... }` or `struct { ... } NAME`. */
static bool find_class(const struct scan *scan, const char *name, struct scan_range *body)
{
    for (size_t i = 0; i + 2 < scan->count; i++) {
        const struct code_token *token = &scan->tokens[i];
        if (!code_is(token, "struct") && !code_is(token, "class"))
            continue;
        size_t open = i + 1;
        while (open < scan->count && scan->tokens[open].kind == CODE_WORD)
            open++;
        if (!code_is_sign(&scan->tokens[open], '{'))
            continue;
        *body = (struct scan_range){open + 1, scan_close(scan, open)};
        if (body->end < scan->count &&
            (code_is(&scan->tokens[open - 1], name) || code_is(&scan->tokens[body->end + 1], name)))
            return true;
    }
    return false;
}

/* ---- Learning ---- */

int classes_learn(struct draft *draft, const struct ask *ask, struct error *error)
{
    const struct answer *answer = &draft->answer;
    draft->classes = arena_array(&draft->arena, answer->parameter_count, sizeof *draft->classes);
    if (!draft->classes)
        return error_memory(error);
    for (size_t p = 0; p < answer->parameter_count; p++) {
        struct draft_class *class = &draft->classes[p];
        struct scan_range body;
        const char *type = answer->parameters[p].type, *name = type + strlen(type);
        if (answer->parameters[p].points || answer->parameters[p].element)
            continue;
        while (name > type && lexer_is_name_part(name[-1]))
            name--;
        if (*name && find_class(&draft->scan, name, &body))
            read_members(draft, body, class);
        int code =
            ask_members(ask, draft->expression, p, class->names, class->count, class->members, &class->bytes, error);
        if (code)
            return code;
        class->numbers = fill_class(class);
    }
    return 0;
}
