/* Arguments behind `...`. */
#include <stdarg.h>
#include <stdio.h>

struct P { int x, y; };
struct Odd { char c[5]; };

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n--)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static double mix(const char *f, ...)
{
    va_list ap, aq;
    double s = 0;
    va_start(ap, f);
    va_copy(aq, ap);
    for (; *f; f++)
        switch (*f) {
        case 'i': s += va_arg(ap, int); break;
        case 'd': s += va_arg(ap, double); break;
        case 'l': s += va_arg(ap, long long); break;
        case 'L': s += va_arg(ap, long double); break;
        case 's': s += *va_arg(ap, char *); break;
        case 'p': {
            struct P p = va_arg(ap, struct P);
            s += p.x * 100 + p.y;
            break;
        }
        case 'o': s += va_arg(ap, struct Odd).c[4]; break;
        }
    s += va_arg(aq, int);
    va_end(ap);
    va_end(aq);
    return s;
}

static int list(int n, va_list ap)
{
    int s = 0;
    while (n-- > 0)
        s = s * 10 + va_arg(ap, int);
    return s;
}

static int pass(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int r = list(n, ap);
    va_end(ap);
    return r;
}

int main(void)
{
    struct P p = { 3, 4 };
    struct Odd o = { { 1, 2, 3, 4, 5 } };
    printf("%d %d\n", sum(4, 1, 2, 3, 4), sum(0));
    printf("%g\n", mix("idlpLso", 1, 2.5, 10000000000LL, p, 0.25L, "A", o));
    printf("%d\n", pass(3, 1, 2, 3));
    int (*through)(int, ...) = sum;
    printf("%d\n", through(2, (char)20, (short)22));
    printf("%c %5d|%-5d|%05d %x %lu %s %% %g %.2f\n", 'c', 42, 42, 42, 255u, 7ul, "str", 2.5, 1.005);
    return 0;
}
