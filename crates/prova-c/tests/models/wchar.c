#define _GNU_SOURCE
#include "bench.h"
#include <stdlib.h>
#include <wchar.h>

static wchar_t a[64], b[64], c[64];

static void fill(wchar_t *to, unsigned most, unsigned kinds)
{
    unsigned n = below(most + 1);
    for (unsigned i = 0; i < n; i++)
        to[i] = below(9) ? (wchar_t)('a' + below(kinds)) : (wchar_t)(below(2) ? 0x20ac : -5);
    to[n] = 0;
}

static void setup(void)
{
    unsigned kinds = 1 + below(4);
    fill(a, 10, kinds);
    fill(b, 10, kinds);
    fill(c, 3, kinds);
    if (below(3) == 0)
        for (int i = 0; i < 20; i++)
            b[i] = a[i];
}

static void wide(const wchar_t *w, size_t n) { bytes(w, n * sizeof *w); }

static void at(const wchar_t *p, const wchar_t *base)
{
    if (!p)
        say(" null");
    else
        integer(p - base);
}

int main(void)
{
    EACH {
        unsigned n = below(12);
        setup();
        wchar_t w = below(3) ? a[below(8)] : L'a';
        line("wcslen"); integer(wcslen(a)); end();
        line("wcsnlen"); integer(wcsnlen(a, n)); end();
        line("wcscmp"); sign(wcscmp(a, b)); end();
        line("wcsncmp"); sign(wcsncmp(a, b, n)); end();
        line("wmemcmp"); sign(wmemcmp(a, b, n)); end();
        line("wcschr"); at(wcschr(a, w), a); end();
        line("wcsrchr"); at(wcsrchr(a, w), a); end();
        line("wcsstr"); at(wcsstr(a, c), a); end();
        line("wcsspn"); integer(wcsspn(a, c)); end();
        line("wcscspn"); integer(wcscspn(a, c)); end();
        line("wcspbrk"); at(wcspbrk(a, c), a); end();
        line("wmemchr"); at(wmemchr(a, w, n), a); end();
        wchar_t *copy = wcsdup(a);
        line("wcsdup"); wide(copy, wcslen(a) + 1); end();
        free(copy);
        line("wcscpy"); at(wcscpy(b, a), b); wide(b, 16); end();
        setup();
        line("wcpcpy"); at(wcpcpy(b, a), b); wide(b, 16); end();
        setup();
        line("wcsncpy"); at(wcsncpy(b, a, n), b); wide(b, 16); end();
        setup();
        line("wcscat"); at(wcscat(b, a), b); wide(b, 24); end();
        setup();
        line("wcsncat"); at(wcsncat(b, a, n), b); wide(b, 24); end();
        setup();
        line("wmemcpy"); at(wmemcpy(b, a, n), b); wide(b, 16); end();
        setup();
        line("wmempcpy"); at(wmempcpy(b, a, n), b); wide(b, 16); end();
        line("wmemmove"); at(wmemmove(a + below(4), a + 2, n), a); wide(a, 20); end();
        line("wmemset"); at(wmemset(b, w, n), b); wide(b, 16); end();
    }
    return finish();
}
