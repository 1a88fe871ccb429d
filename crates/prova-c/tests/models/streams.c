/* Reads standard input by every function that does; the machine is given the same bytes. */
#define _GNU_SOURCE
#include "bench.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *gets(char *);
int _IO_getc(FILE *);
int __isoc99_scanf(const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_vscanf(const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);

static char buffer[4000], other[4000];

static void lines(void)
{
    int n = (int)below(12) - 1;
    memset(buffer, '?', 20);
    char *r = fgets(buffer, n, stdin);
    line("fgets"); integer(n); place(r, buffer); bytes(buffer, 20); end();
    n = 2 + (int)below(12);
    memset(buffer, '?', 20);
    r = fgets_unlocked(buffer, n, stdin);
    line("fgets_unlocked"); integer(n); place(r, buffer); bytes(buffer, 20); end();
    r = gets(buffer);
    line("gets"); place(r, buffer); text(buffer); end();
    static char *block;
    static size_t room;
    ssize_t l = getline(&block, &room, stdin);
    line("getline"); integer(l); if (l >= 0) text(block); integer(room); end();
    l = getdelim(&block, &room, ' ', stdin);
    line("getdelim"); integer(l); if (l >= 0) text(block); end();
    l = __getdelim(&block, &room, 'a', stdin);
    line("__getdelim"); integer(l); if (l >= 0) text(block); end();
}

static void characters(void)
{
    int c = getchar();
    line("getchar"); integer(c); end();
    if (below(2)) {
        int d = below(3) ? c : 'Q';
        int r = ungetc(d, stdin);
        line("ungetc"); integer(r); end();
    }
    line("feof"); truth(feof(stdin)); end();
    line("ferror"); truth(ferror(stdin)); end();
    line("feof_unlocked"); truth(feof_unlocked(stdin)); end();
    line("ferror_unlocked"); truth(ferror_unlocked(stdin)); end();
    line("fgetc"); integer(fgetc(stdin)); end();
    line("getc"); integer(getc(stdin)); end();
    line("_IO_getc"); integer(_IO_getc(stdin)); end();
    line("getc_unlocked"); integer(getc_unlocked(stdin)); end();
    line("fgetc_unlocked"); integer(fgetc_unlocked(stdin)); end();
    line("getchar_unlocked"); integer(getchar_unlocked()); end();
    line("ungetc"); integer(ungetc((int)below(256), stdin)); end();
    line("getchar"); integer(getchar()); end();
    size_t size = below(4), count = below(5), n;
    memset(buffer, '?', 20);
    n = fread(buffer, size, count, stdin);
    line("fread"); integer(size); integer(count); integer(n); bytes(buffer, 20); end();
    n = fread_unlocked(buffer, size, count, stdin);
    line("fread_unlocked"); integer(n); bytes(buffer, 20); end();
    line("fileno"); integer(fileno(stdin)); integer(fileno(stdout)); integer(fileno(stderr)); end();
}

static int by_vscanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vscanf(format, list);
    va_end(list);
    return n;
}

static int by_vfscanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vfscanf(stdin, format, list);
    va_end(list);
    return n;
}

static int by_isoc99_vscanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __isoc99_vscanf(format, list);
    va_end(list);
    return n;
}

static int by_isoc99_vfscanf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = __isoc99_vfscanf(stdin, format, list);
    va_end(list);
    return n;
}

static void scanned(const char *function, int r, const void *value, int n)
{
    line(function);
    integer(r);
    bytes(value, n);
    end();
}

static void scans(void)
{
    int i = 7, j = 9, n = -1, r;
    long long l = 5;
    char c = '?';
    memset(buffer, '?', 30);
    r = scanf("%d", &i);
    scanned("scanf", r, &i, 4);
    if (r != 1) {
        r = scanf("%10s", buffer);
        scanned("scanf", r, buffer, 12);
    }
    r = fscanf(stdin, "%i,%n%x", &i, &n, &j);
    scanned("fscanf", r, &i, 4); line("fscanf"); integer(n); integer(j); end();
    r = fscanf(stdin, "%5[a-z]%c", buffer, &c);
    scanned("fscanf", r, buffer, 8); line("fscanf"); integer(c); end();
    r = by_vscanf(" %*d %c%lld", &c, &l);
    scanned("vscanf", r, &l, 8); line("vscanf"); integer(c); end();
    r = by_vfscanf("%3s %u", buffer, &i);
    scanned("vfscanf", r, buffer, 5); line("vfscanf"); integer(i); end();
    r = __isoc99_scanf("%2d", &i);
    scanned("__isoc99_scanf", r, &i, 4);
    r = __isoc99_fscanf(stdin, " %c", &c);
    scanned("__isoc99_fscanf", r, &c, 1);
    r = by_isoc99_vscanf("%1s", buffer);
    scanned("__isoc99_vscanf", r, buffer, 2);
    r = by_isoc99_vfscanf("%o", &i);
    scanned("__isoc99_vfscanf", r, &i, 4);
    getchar();
}

int main(void)
{
    for (int i = 0; i < 230; i++) {
        lines();
        characters();
        scans();
    }
    return finish();
}
