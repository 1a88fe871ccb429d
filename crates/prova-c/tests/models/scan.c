#define _GNU_SOURCE
#include "bench.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char t[60];

int __isoc99_sscanf(const char *, const char *, ...);
int __isoc99_vsscanf(const char *, const char *, va_list);

static int by_isoc99_vsscanf(const char *from, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __isoc99_vsscanf(from, format, list);
    va_end(list);
    return n;
}

static int by_vsscanf(const char *from, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsscanf(from, format, list);
    va_end(list);
    return n;
}

static void source(void)
{
    static const char *edges[] = {
        "", " ", "-", "12", "-7 8", "0x1f", "0x", "0xg", "08", "017", "1,2", "a b", "99999999999",
        "-99999999999", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "4294967295", "4294967296", "-1", "abc123", "123abc", "  x", "%5",
        "k=1", "k = 2", "+5", "--5", "1.5", "]a-", "^x",
    };
    if (below(2))
        strcpy(t, edges[below(sizeof edges / sizeof *edges)]);
    else
        fill_text(t, 12, below(2) ? "0123456789 -+" : "abk=,0x1 2%");
}

#define SCAN(format, first, second) do { \
        const char *open = format; \
        memset(a, '?', sizeof a); \
        memset(b, '?', sizeof b); \
        source(); \
        int r = sscanf(t, format, first, second); \
        line("sscanf"); text(t); integer(r); bytes(a, 14); bytes(b, 14); end(); \
        memset(a, '?', sizeof a); \
        memset(b, '?', sizeof b); \
        r = sscanf(t, open, first, second); \
        line("sscanf"); text(t); integer(r); bytes(a, 14); bytes(b, 14); end(); \
        memset(a, '?', sizeof a); \
        memset(b, '?', sizeof b); \
        r = by_vsscanf(t, open, first, second); \
        line("vsscanf"); text(t); integer(r); bytes(a, 14); bytes(b, 14); end(); \
    } while (0)

int main(void)
{
    char a[40] = { 0 }, b[40] = { 0 };
    for (int i = 0; i < 60; i++) {
        SCAN("%d%d", (int *)a, (int *)b);
        SCAN("%d %d", (int *)a, (int *)b);
        SCAN("%d,%d", (int *)a, (int *)b);
        SCAN("%u%x", (unsigned *)a, (unsigned *)b);
        SCAN("%i%n", (int *)a, (int *)b);
        SCAN("%o %s", (unsigned *)a, b);
        SCAN("%ld%lu", (long *)a, (unsigned long *)b);
        SCAN("%lld %llx", (long long *)a, (unsigned long long *)b);
        SCAN("%hd%hhd", (short *)a, (signed char *)b);
        SCAN("%s%s", a, b);
        SCAN("%3s%5s", a, b);
        SCAN("%c%c", a, b);
        SCAN("%3c %c", a, b);
        SCAN("%[a-z]%d", a, (int *)b);
        SCAN("%[^,],%s", a, b);
        SCAN("%2[0-9]%[]a-]", a, b);
        SCAN("k=%d%s", (int *)a, b);
        SCAN("k = %d %c", (int *)a, b);
        SCAN("%*d%d%n", (int *)a, (int *)b);
        SCAN("%%%d%c", (int *)a, b);
        SCAN("%2d%3x", (int *)a, (unsigned *)b);
        SCAN("%*s %n%d", (int *)a, (int *)b);
        SCAN(" %c %*c%c", a, b);
        SCAN("%zu%td", (size_t *)a, (__PTRDIFF_TYPE__ *)b);
    }
    EACH {
        int i = 3;
        source();
        int r = __isoc99_sscanf(t, "%d", &i);
        line("__isoc99_sscanf"); text(t); integer(r); integer(i); end();
        r = by_isoc99_vsscanf(t, "%x", &i);
        line("__isoc99_vsscanf"); text(t); integer(r); integer(i); end();
    }
    return finish();
}
