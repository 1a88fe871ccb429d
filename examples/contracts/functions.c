#include "functions.h"
#include "prova.h"

int add_checked(size_t a, size_t b, size_t *sum)
{
    prova_requires(prova_valid(sum, 1));
    prova_ensures(prova_result == -1 || (prova_result == 0 && *sum == a + b && *sum >= a));
    prova_assigns(*sum);
    if (a > (size_t)-1 - b)
        return -1;
    *sum = a + b;
    return 0;
}

int skip(struct cursor *cursor, size_t count)
{
    prova_requires(prova_valid(cursor, 1));
    prova_ensures(prova_result == 0 || prova_result == -1);
    prova_ensures(cursor->left <= prova_old(cursor->left));
    prova_assigns(*cursor);
    if (count > cursor->left)
        return -1;
    cursor->at += count;
    cursor->left -= count;
    return 0;
}

size_t find_byte(const unsigned char *in, size_t length, unsigned char wanted)
{
    prova_requires(prova_valid_read(in, length));
    prova_ensures(prova_result <= length);
    prova_assigns();
    size_t i = 0;
    while (i < length && in[i] != wanted) {
        prova_invariant(i <= length);
        prova_decreases(length - i);
        i++;
    }
    return i;
}

void copy_lower(char *to, const char *from, size_t length)
{
    prova_requires(prova_valid(to, length));
    prova_requires(prova_valid_read(from, length));
    prova_assigns(prova_range(to, length));
    for (size_t i = 0; i < length; i++) {
        prova_invariant(i <= length);
        char c = from[i];
        to[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
}

size_t next_place(size_t at, size_t size)
{
    prova_requires(size > 0);
    prova_requires(at < size);
    prova_ensures(prova_result < size);
    prova_assigns();
    return (at + 1) % size;
}
