#define _GNU_SOURCE
#include "bench.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[400];

int _IO_putc(int, FILE *);

static int by_vsnprintf(char *to, size_t room, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, room, format, list);
    va_end(list);
    return n;
}

static int by_vsprintf(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsprintf(to, format, list);
    va_end(list);
    return n;
}

static int by_vasprintf(char **to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vasprintf(to, format, list);
    va_end(list);
    return n;
}

static int by_vprintf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vprintf(format, list);
    va_end(list);
    return n;
}

static int by_vfprintf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vfprintf(stdout, format, list);
    va_end(list);
    return n;
}

static void show(const char *function, int n)
{
    line(function);
    integer(n);
    bytes(buffer, 60);
    end();
    memset(buffer, '?', 60);
}

/* A format as a literal, and as a text that is not known before. */
#define FORMAT(format, ...) do { \
        const char *open = format; \
        char *block = 0; \
        size_t room = below(40); \
        show("sprintf", sprintf(buffer, format, __VA_ARGS__)); \
        show("sprintf", sprintf(buffer, open, __VA_ARGS__)); \
        show("snprintf", snprintf(buffer, room, format, __VA_ARGS__)); \
        show("snprintf", snprintf(buffer, room, open, __VA_ARGS__)); \
        show("snprintf", snprintf((char *)0, 0, format, __VA_ARGS__)); \
        show("vsnprintf", by_vsnprintf(buffer, room, open, __VA_ARGS__)); \
        show("vsprintf", by_vsprintf(buffer, open, __VA_ARGS__)); \
        int n = asprintf(&block, open, __VA_ARGS__); \
        line("asprintf"); integer(n); text(block); end(); \
        free(block); \
        n = by_vasprintf(&block, open, __VA_ARGS__); \
        line("vasprintf"); integer(n); text(block); end(); \
        free(block); \
        n = printf(format, __VA_ARGS__); \
        line("printf"); integer(n); end(); \
        n = printf(open, __VA_ARGS__); \
        line("printf"); integer(n); end(); \
        printf(format, __VA_ARGS__); \
        n = fprintf(stdout, format, __VA_ARGS__); \
        line("fprintf"); integer(n); end(); \
        n = by_vprintf(open, __VA_ARGS__); \
        line("vprintf"); integer(n); end(); \
        n = by_vfprintf(open, __VA_ARGS__); \
        line("vfprintf"); integer(n); end(); \
    } while (0)

static void formats(void)
{
    int i = (int)number(), w = (int)below(30) - 12, p = (int)below(14) - 2;
    long l = (long)number();
    long long ll = number();
    unsigned u = draw();
    if (below(4) == 0)
        i = l = ll = u = 0;
    char s[20];
    signed char count = 0;
    short wide = 0;
    int at = 0;
    fill_text(s, 12, "abcxyz ");
    switch (below(24)) {
    case 0: FORMAT("%d\n", i); break;
    case 1: FORMAT("[%5d|%-5d|%05d]\n", i, i, i); break;
    case 2: FORMAT("%+d % d %+i\n", i, i, i); break;
    case 3: FORMAT("%.3d %8.3d %-8.5d|\n", i, i, i); break;
    case 4: FORMAT("%u %x %X %o\n", u, u, u, u); break;
    case 5: FORMAT("%#x %#X %#o\n", u, u, u); break;
    case 6: FORMAT("%ld %lu %lx\n", l, (unsigned long)l, (unsigned long)l); break;
    case 7: FORMAT("%lld %llu %llX\n", ll, ll, ll); break;
    case 8: FORMAT("%hhd %hd %hhu %hu\n", i, i, i, i); break;
    case 9: FORMAT("%zu %zd %jd %td\n", (size_t)u, (ssize_t)l, (long long)ll, (__PTRDIFF_TYPE__)l); break;
    case 10: FORMAT("<%s>\n", s); break;
    case 11: FORMAT("<%10s|%-10s|%.3s|%8.2s>\n", s, s, s, s); break;
    case 12: FORMAT("<%*s|%.*s>\n", w, s, p, s); break;
    case 13: FORMAT("%c%3c%-3c|\n", 'a' + i % 26, 'b', 'c'); break;
    case 14: FORMAT("100%% of %d\n", i); break;
    case 15: FORMAT("%*d|%.*d|%-*d\n", w, i, p, i, w, i); break;
    case 16: FORMAT("%012lld|%#010llx\n", ll, ll); break;
    case 17: FORMAT("%.0d|%.0x|%#.0o|%5.0u\n", i, u, u, u); break;
    case 18: FORMAT("%s%n%s\n", s, &at, s); line("printf"); integer(at); end(); break;
    case 19: FORMAT("%d%hhn,%hn\n", i, &count, &wide);
        line("printf"); integer(count); integer(wide); end(); break;
    case 20: FORMAT("%p\n", (void *)0); break;
    case 21: FORMAT("%+5d|% 05d|%-+6d|\n", i, i, i); break;
    case 22: FORMAT("no conversion%s\n", ""); break;
    default: FORMAT("%#5x|%-#8x|%#08x|%08x\n", u, u, u, u); break;
    }
}

static void plain(void)
{
    char s[20] = { 0 };
    fill_text(s, 12, "abcxyz ");
    int c = 'a' + (int)below(26), r;
    line("putchar"); integer(putchar(c)); end();
    line("putchar_unlocked"); integer(putchar_unlocked(c)); end();
    line("fputc"); integer(fputc(c, stdout)); end();
    line("fputc_unlocked"); integer(fputc_unlocked(c, stdout)); end();
    line("putc"); integer(putc(c, stdout)); end();
    line("putc_unlocked"); integer(putc_unlocked(c, stdout)); end();
    line("_IO_putc"); integer(_IO_putc(c, stdout)); end();
    size_t size = below(4), count = below(3), n = fwrite(s, size, count, stdout);
    line("fwrite"); integer(n); end();
    n = fwrite_unlocked(s, size, count, stdout);
    line("fwrite_unlocked"); integer(n); end();
    perror(s);
    line("perror"); end();
    r = puts(s);
    line("puts"); truth(r >= 0); end();
    r = fputs(s, stdout);
    line("fputs"); truth(r >= 0); end();
    r = fputs_unlocked(s, stdout);
    line("fputs_unlocked"); truth(r >= 0); end();
    putchar('\n');
    fflush(stdout);
    line("fflush"); end();
}

int main(void)
{
    for (int i = 0; i < 1000; i++)
        formats();
    EACH plain();
    return finish();
}
