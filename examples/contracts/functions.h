/* Five small functions of a library of buffers, and what their contracts say. Each has a harness beside it, as one
   writes them for CBMC: `prova check NAME_harness.c`; the contract replaces it: `prova check functions.c --entry NAME`. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stddef.h>

struct cursor {
    const unsigned char *at;
    size_t left;
};

int add_checked(size_t a, size_t b, size_t *sum);
int skip(struct cursor *cursor, size_t count);
size_t find_byte(const unsigned char *in, size_t length, unsigned char wanted);
void copy_lower(char *to, const char *from, size_t length);
size_t next_place(size_t at, size_t size);

#endif
