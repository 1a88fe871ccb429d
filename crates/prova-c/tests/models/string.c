#define _GNU_SOURCE
#include "bench.h"
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <unistd.h>

static char a[64], b[64], c[64];
static unsigned char x[64], y[64];

static void setup(void)
{
    static const char *alphabets[] = { "ab", "aAbB", "abcdefgh", "a,; ", "\x01\x7f\x80\xff" };
    const char *from = alphabets[below(5)];
    fill_text(a, 12, from);
    if (below(3)) {
        fill_text(b, 12, from);
    } else {
        for (int i = 0; i < 20; i++)
            b[i] = a[i];
        if (b[0] && below(2))
            b[0] ^= 0x20;
    }
    fill_text(c, 3, from);
    unsigned kinds = below(2) ? 3 : 256;
    fill_bytes(x, 16, kinds);
    fill_bytes(y, 16, kinds);
    if (below(3) == 0)
        for (int i = 0; i < 8; i++)
            y[i] = x[i];
}

static void blocks(void)
{
    unsigned n = below(17), m = below(4);
    setup();
    line("memcpy"); place(memcpy(y, x, n), y); bytes(y, 20); end();
    setup();
    line("mempcpy"); place(mempcpy(y, x, n), y); bytes(y, 20); end();
    setup();
    line("memccpy"); place(memccpy(y, x, x[below(16)], n), y); bytes(y, 20); end();
    setup();
    line("memmove"); place(memmove(x + m, x + 2, n), x); bytes(x, 24); end();
    setup();
    bcopy(x + m, x + 1, n);
    line("bcopy"); bytes(x, 24); end();
    setup();
    line("memset"); place(memset(x, (int)draw(), n), x); bytes(x, 20); end();
    setup();
    bzero(x, n);
    line("bzero"); bytes(x, 20); end();
    setup();
    explicit_bzero(x, n);
    line("explicit_bzero"); bytes(x, 20); end();
    setup();
    line("memcmp"); sign(memcmp(x, y, n)); end();
    line("bcmp"); truth(bcmp(x, y, n)); end();
    unsigned char w = below(2) ? x[below(16)] : below(256);
    line("memchr"); place(memchr(x, w, n), x); end();
    line("memrchr"); place(memrchr(x, w, n), x); end();
    x[15] = w;
    line("rawmemchr"); place(rawmemchr(x, w), x); end();
    line("memmem"); place(memmem(x, n, y, m), x); end();
    line("memmem"); place(memmem(x, 16, x + below(10), m + 1), x); end();
    line("memfrob"); place(memfrob(x, n), x); bytes(x, 20); end();
    swab(x, y, n);
    line("swab"); bytes(y, 20); end();
}

static void strings(void)
{
    unsigned n = below(14);
    int w = below(4) ? a[below(12)] : (int)below(256);
    setup();
    line("strlen"); integer(strlen(a)); end();
    line("strnlen"); integer(strnlen(a, n)); end();
    line("strcmp"); sign(strcmp(a, b)); end();
    line("strcoll"); sign(strcoll(a, b)); end();
    line("strncmp"); sign(strncmp(a, b, n)); end();
    line("strcasecmp"); sign(strcasecmp(a, b)); end();
    line("strncasecmp"); sign(strncasecmp(a, b, n)); end();
    line("strxfrm"); integer(strxfrm(b, a, n)); if (strlen(a) < n) text(b); end();
    setup();
    line("strcpy"); place(strcpy(b, a), b); bytes(b, 20); end();
    setup();
    line("stpcpy"); place(stpcpy(b, a), b); bytes(b, 20); end();
    setup();
    line("strncpy"); place(strncpy(b, a, n), b); bytes(b, 20); end();
    setup();
    line("stpncpy"); place(stpncpy(b, a, n), b); bytes(b, 20); end();
    setup();
    line("strcat"); place(strcat(b, a), b); bytes(b, 30); end();
    setup();
    line("strncat"); place(strncat(b, a, n), b); bytes(b, 30); end();
    setup();
    line("strchr"); place(strchr(a, w), a); end();
    line("index"); place(index(a, w), a); end();
    line("strchrnul"); place(strchrnul(a, w), a); end();
    line("strrchr"); place(strrchr(a, w), a); end();
    line("rindex"); place(rindex(a, w), a); end();
    line("strstr"); place(strstr(a, c), a); end();
    line("strcasestr"); place(strcasestr(a, c), a); end();
    line("strspn"); integer(strspn(a, c)); end();
    line("strcspn"); integer(strcspn(a, c)); end();
    line("strpbrk"); place(strpbrk(a, c), a); end();
    char *copy = strdup(a);
    line("strdup"); text(copy); end();
    free(copy);
    copy = strndup(a, n);
    line("strndup"); text(copy); end();
    free(copy);
}

static void tokens(void)
{
    char *rest = 0, *from, *token;
    setup();
    line("strtok");
    for (token = strtok(a, c); token; token = strtok(0, below(8) ? c : "a"))
        text(token);
    bytes(a, 16);
    end();
    setup();
    line("strtok_r");
    for (token = strtok_r(a, c, &rest); token; token = strtok_r(0, c, &rest)) {
        text(token);
        place(rest, a);
    }
    end();
    setup();
    line("strsep");
    from = a;
    while ((token = strsep(&from, c))) {
        text(token);
        place(from, a);
    }
    bytes(a, 16);
    end();
}

int main(void)
{
    EACH {
        blocks();
        strings();
        tokens();
        long long bits = below(3) ? (long long)1 << below(64) : number();
        line("ffs"); integer(ffs((int)bits)); end();
        line("ffsl"); integer(ffsl((long)bits)); end();
        line("ffsll"); integer(ffsll(bits)); end();
    }
    return finish();
}
