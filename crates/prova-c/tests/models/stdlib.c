#define _GNU_SOURCE
#include "bench.h"
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static char t[80];

void *memalign(size_t, size_t);

/* Texts that are nearly numbers. */
static void number_text(void)
{
    static const char *edges[] = {
        "", " ", "-", "+", "0", "0x", "0xg", "0x1", "-0x1", "08", "09", "010", "1 2", "--1",
        "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
        "-4294967295", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-18446744073709551615", "-18446744073709551616", "99999999999999999999999", "\t\n +5",
        "z", "Z9", "0b1", "7fffffffffffffff", "0x8000000000000000", "1e5", "\f\v\r7",
    };
    if (below(3) == 0) {
        strcpy(t, edges[below(sizeof edges / sizeof *edges)]);
    } else if (below(2)) {
        fill_text(t, 8, below(2) ? " -+0123456789" : "0x123456789abcdefz");
    } else {
        t[0] = ' ';
        t[1] = "+- 0"[below(4)];
        fill_text(t + 2, 24, "0123456789");
    }
}

static int bases(void)
{
    static const int some[] = { 0, 2, 8, 10, 10, 10, 16, 16, 36, 7, 1, -1, 37 };
    return some[below(sizeof some / sizeof *some)];
}

#define CONVERT(f) do { \
        char *to = (char *)1; \
        number_text(); \
        int base = bases(); \
        errno = 0; \
        long long r = (long long)f(t, below(9) ? &to : (char **)0, base); \
        line(#f); integer(base); text(t); integer(r); \
        if (to == (char *)1) say(" none"); else place(to, t); \
        integer(errno); end(); \
    } while (0)

#define TEXT_TO(f) do { \
        number_text(); \
        line(#f); text(t); integer(f(t)); end(); \
    } while (0)

static void integers(void)
{
    CONVERT(strtol); CONVERT(strtoll); CONVERT(strtoul); CONVERT(strtoull);
    CONVERT(strtoimax); CONVERT(strtoumax); CONVERT(strtoq); CONVERT(strtouq);
    TEXT_TO(atoi); TEXT_TO(atol); TEXT_TO(atoll);
    long long n = number(), m = number();
    if (m == 0 || m == -1 || (int)m == 0 || (int)m == -1)
        m = 3;
    if (n < -9223372036854775807LL || (int)n == -2147483647 - 1)
        n = -7;
    line("abs"); integer(abs((int)n)); end();
    line("labs"); integer(labs((long)n)); end();
    line("llabs"); integer(llabs(n)); end();
    line("imaxabs"); integer(imaxabs(n)); end();
    div_t d = div((int)n, (int)m);
    line("div"); integer(d.quot); integer(d.rem); end();
    ldiv_t l = ldiv((long)n, (long)m);
    line("ldiv"); integer(l.quot); integer(l.rem); end();
    lldiv_t q = lldiv(n, m);
    line("lldiv"); integer(q.quot); integer(q.rem); end();
    imaxdiv_t i = imaxdiv(n, m);
    line("imaxdiv"); integer(i.quot); integer(i.rem); end();
}

static void float_text(void)
{
    static const char *edges[] = {
        "", ".", "-", "1.", ".5", "-.5e1", "inf", "-INF", "Infinity", "infinit", "nan", "NaN", "-nan",
        "1e", "1e+", "1e-", "1e1", "0", "-0", "0.0", "1e22", "1e-22", "00012.50", "1.5e3x", " \t12",
        "1..2", "e5", "+7", "in", "na", "123456", "0.1", "0.3", "100e-2", "-0.0e5",
    };
    if (below(2)) {
        strcpy(t, edges[below(sizeof edges / sizeof *edges)]);
        return;
    }
    int n = 0;
    if (below(3) == 0)
        t[n++] = '-';
    int digits = 1 + below(4), point = below(5);
    for (int i = 0; i < digits; i++) {
        if (i == point)
            t[n++] = '.';
        t[n++] = (char)('0' + below(10));
    }
    if (below(2)) {
        t[n++] = "eE"[below(2)];
        if (below(2))
            t[n++] = "+-"[below(2)];
        t[n++] = (char)('0' + below(6));
    }
    t[n] = 0;
}

#define FLOAT(f, type, size) do { \
        char *to = 0; \
        float_text(); \
        type r = f(t, &to); \
        line(#f); text(t); place(to, t); \
        if (r != r) say(" nan"); else bytes(&r, size); \
        end(); \
    } while (0)

static void floats(void)
{
    FLOAT(strtod, double, 8);
    FLOAT(strtof, float, 4);
    FLOAT(strtold, long double, 10);
    float_text();
    double r = atof(t);
    line("atof"); text(t); if (r != r) say(" nan"); else bytes(&r, 8); end();
}

static int compare_ints(const void *l, const void *r)
{
    int x = *(const int *)l, y = *(const int *)r;
    return (x > y) - (x < y);
}

static int compare_with(const void *l, const void *r, void *more)
{
    int x = *(const int *)l ^ *(int *)more, y = *(const int *)r ^ *(int *)more;
    return (x > y) - (x < y);
}

static void sorting(void)
{
    int list[9], n = below(9), mask = (int)draw();
    for (int i = 0; i < n; i++)
        list[i] = (int)below(12) - 4;
    qsort(list, n, sizeof *list, compare_ints);
    line("qsort"); bytes(list, n * sizeof *list); end();
    /* Which of equal ones is found is open. */
    int key = (int)below(12) - 4, *found = bsearch(&key, list, n, sizeof *list, compare_ints);
    line("bsearch"); integer(key); if (found) integer(*found); else say(" none"); end();
    size_t count = n;
    found = lfind(&key, list, &count, sizeof *list, compare_ints);
    line("lfind"); place(found, list); integer(count); end();
    qsort_r(list, n, sizeof *list, compare_with, &mask);
    line("qsort_r"); bytes(list, n * sizeof *list); end();
    found = lsearch(&key, list, &count, sizeof *list, compare_ints);
    line("lsearch"); place(found, list); integer(count); bytes(list, count * sizeof *list); end();
}

static void blocks(void)
{
    size_t n = below(30), m = below(5);
    unsigned char *p = calloc(n, m);
    line("calloc"); truth(p != 0); bytes(p, n * m); end();
    free(p);
    p = calloc((size_t)-1 / 2 + n, 3 + m);
    line("calloc"); truth(p != 0); end();
    p = malloc(n + 1);
    line("malloc"); truth(p != 0); p[n] = 7; integer(p[n]); end();
    free(p);
    line("free"); end();
    errno = 0;
    p = malloc((size_t)-1 - n);
    line("malloc"); truth(p != 0); integer(errno); end();
    p = realloc(0, n + 1);
    line("realloc"); truth(p != 0); p[n] = 7; integer(p[n]); end();
    free(p);
    p = reallocarray(0, n + 1, m + 1);
    line("reallocarray"); truth(p != 0); p[n * m] = 7; integer(p[n * m]); end();
    free(p);
    errno = 0;
    p = reallocarray(0, (size_t)-1, m + 2);
    line("reallocarray"); truth(p != 0); integer(errno); end();
    size_t align = (size_t)8 << below(6);
    p = aligned_alloc(align, align * m);
    line("aligned_alloc"); truth(p != 0); if (m) p[align * m - 1] = 1; end();
    free(p);
    p = memalign(align, n + 1);
    line("memalign"); truth(p != 0); p[n] = 1; end();
    free(p);
    p = valloc(n + 1);
    line("valloc"); truth(p != 0); p[n] = 1; end();
    free(p);
    void *q = 0;
    errno = 0;
    int r = posix_memalign(&q, below(200), n);
    line("posix_memalign"); integer(r); truth(q != 0); integer(errno); end();
    free(q);
}

static void through_pointers(void)
{
    void *(*get)(size_t) = malloc;
    void (*give)(void *) = free;
    void *(*clear)(size_t, size_t) = calloc;
    void *(*copy)(void *, const void *, size_t) = memcpy;
    size_t n = 1 + below(20);
    unsigned char *p = get(n), *q = clear(n, 2);
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)draw();
    copy(q, p, n);
    line("malloc"); bytes(q, 2 * n); end();
    give(p);
    give(q);
}

static void random_numbers(void)
{
    unsigned state = draw();
    srand(state);
    line("srand"); end();
    int r = rand();
    line("rand"); truth(r >= 0 && r <= RAND_MAX); end();
    srandom(state);
    line("srandom"); end();
    long l = random();
    line("random"); truth(l >= 0 && l <= 2147483647); end();
    r = rand_r(&state);
    line("rand_r"); truth(r >= 0 && r <= RAND_MAX); end();
    srand48((long)draw());
    line("srand48"); end();
    double d = drand48();
    line("drand48"); truth(d >= 0 && d < 1); end();
    l = lrand48();
    line("lrand48"); truth(l >= 0 && l <= 2147483647); end();
    l = mrand48();
    line("mrand48"); truth(l >= -2147483647 - 1 && l <= 2147483647); end();
    char name[12] = "NOT_SET_";
    name[8] = (char)('A' + below(26));
    line("getenv"); truth(getenv(name) != 0); end();
    line("secure_getenv"); truth(secure_getenv(name) != 0); end();
    errno = (int)draw();
    line("__errno_location"); integer(*__errno_location()); end();
}

int main(void)
{
    EACH {
        integers();
        floats();
        sorting();
        blocks();
        through_pointers();
        random_numbers();
    }
    return finish();
}
