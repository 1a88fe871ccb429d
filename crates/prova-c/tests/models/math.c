#define _GNU_SOURCE
#include "bench.h"
#include <math.h>
#include <string.h>

/* Numbers of all sizes; halves, integers, limits and what is no number among them. */
static double a_double(void)
{
    static const double edges[] = {
        0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.49999999999999994, 1.0, -1.0, 3.0, 4.0, 2.0, 1e300,
        4503599627370495.5, 4503599627370496.0, 4503599627370497.0, 9007199254740993.0, 5e-324,
        2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, 0.1, 10.0, -7.25,
        9223372036854775807.0, 1e19, -1e19, 2147483648.0, -2147483649.0, 1e-310, 123.75,
    };
    union { double d; unsigned long long u; } v;
    switch (below(8)) {
    case 0: return edges[below(sizeof edges / sizeof *edges)];
    case 1: return (double)(int)(draw() % 2001) / 4 - 250;
    case 2: return (double)number();
    case 3: v.u = draw64(); if (v.d == v.d) return v.d; return 1.0;
    case 4: return below(2) ? __builtin_inf() : below(2) ? -__builtin_inf() : __builtin_nan("");
    case 5: v.u = draw64() & 0x800fffffffffffffULL; return v.d;
    default: break;
    }
    double whole = (int)draw(), part = (double)draw() / 4294967296.0;
    return (whole + part) / (double)(1 + below(1000));
}

static float a_float(void) { return (float)a_double(); }

static long double a_long(void)
{
    long double x = a_double();
    if (below(2))
        x = x + (long double)draw() / 18446744073709551616.0L;
    return below(5) ? x : x * 1e300L;
}

/* Numbers that fit a type, for the functions whose results do not fit otherwise. */
static double small(void) { return (double)(int)(draw() % 8001) / 4 - 1000; }

static void show(double x) { if (x != x) say(" nan"); else bytes(&x, 8); }
static void show_float(float x) { if (x != x) say(" nan"); else bytes(&x, 4); }
static void show_long(long double x) { if (x != x) say(" nan"); else bytes(&x, 10); }


static void doubles(void)
{
    { double x = a_double(); line("fabs"); show(x); show(fabs(x)); end(); }
    { double x = a_double(); line("trunc"); show(x); show(trunc(x)); end(); }
    { double x = a_double(); line("floor"); show(x); show(floor(x)); end(); }
    { double x = a_double(); line("ceil"); show(x); show(ceil(x)); end(); }
    { double x = a_double(); line("round"); show(x); show(round(x)); end(); }
    { double x = a_double(); line("rint"); show(x); show(rint(x)); end(); }
    { double x = a_double(); line("nearbyint"); show(x); show(nearbyint(x)); end(); }
    { double x = a_double(); line("roundeven"); show(x); show(roundeven(x)); end(); }
    { double x = a_double(); line("isnan"); show(x); truth((isnan)(x)); end(); }
    { double x = a_double(); line("__isnan"); show(x); truth((__isnan)(x)); end(); }
    { double x = a_double(); line("isinf"); show(x); truth((isinf)(x)); end(); }
    { double x = a_double(); line("__isinf"); show(x); truth((__isinf)(x)); end(); }
    { double x = a_double(); line("finite"); show(x); truth((finite)(x)); end(); }
    { double x = a_double(); line("__finite"); show(x); truth((__finite)(x)); end(); }
    { double x = a_double(); line("__fpclassify"); show(x); integer(__fpclassify(x)); end(); }
    { double x = a_double(); if (x == x) { line("__signbit"); show(x); truth(__signbit(x)); end(); } }
    { double x = (double)small(); line("lrint"); show(x); integer(lrint(x)); end(); }
    { double x = (double)small(); line("lround"); show(x); integer(lround(x)); end(); }
    { double x = (double)small(); line("llrint"); show(x); integer(llrint(x)); end(); }
    { double x = (double)small(); line("llround"); show(x); integer(llround(x)); end(); }
    { double x = a_double(), y = a_double(); if (y == y && x == x) { line("copysign"); show(x); show(y); show(copysign(x, y)); end(); } }
    { double x = a_double(), w; double r = modf(x, &w); line("modf"); show(x); show(r); show(w); end(); }
    { double x = a_double(); int n; double r = frexp(x, &n); line("frexp"); show(x); show(r); if (x - x == 0) integer(n); end(); }
    { double x = a_double(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; double r = ldexp(x, n); line("ldexp"); show(x); integer(n); show(r); integer(errno); end(); }
    { double x = a_double(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; double r = scalbn(x, n); line("scalbn"); show(x); integer(n); show(r); integer(errno); end(); }
    { double x = a_double(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; double r = scalbln(x, n); line("scalbln"); show(x); integer(n); show(r); integer(errno); end(); }
    { double x = a_double(); errno = 0; int n = ilogb(x); line("ilogb"); show(x); integer(n); integer(errno); end(); }
    { double x = a_double(); errno = 0; double r = logb(x); line("logb"); show(x); show(r); end(); }
    { double x = a_double(), y = below(3) ? (double)small() : a_double(); if (below(2)) x = (double)small(); errno = 0; double r = fmod(x, y); line("fmod"); show(x); show(y); show(r); integer(errno); end(); }
    { double x = a_double(), y = below(3) ? (double)small() : a_double(); if (below(2)) x = (double)small(); errno = 0; double r = remainder(x, y); line("remainder"); show(x); show(y); show(r); integer(errno); end(); }
    { double x = a_double(), y = a_double(); double r = fmin(x, y); line("fmin"); show(x); show(y); show(r == 0 ? 0 : r); end(); }
    { double x = a_double(), y = a_double(); double r = fmax(x, y); line("fmax"); show(x); show(y); show(r == 0 ? 0 : r); end(); }
    { double x = a_double(), y = a_double(); errno = 0; double r = fdim(x, y); line("fdim"); show(x); show(y); show(r); integer(errno); end(); }
    { double x = a_double(), y = a_double(); errno = 0; double r = nextafter(x, y); line("nextafter"); show(x); show(y); show(r); integer(errno); end(); }
    { double x = a_double(); if (below(2)) x = (double)below(1000); if (below(2)) x = x * x; errno = 0; double r = sqrt(x); line("sqrt"); show(x); show(r); integer(errno); end(); }
    { double x = small(), y = small(); line("drem"); show(x); show(y); show(drem(x, y)); end(); }
}

static void floats(void)
{
    { float x = a_float(); line("fabsf"); show_float(x); show_float(fabsf(x)); end(); }
    { float x = a_float(); line("truncf"); show_float(x); show_float(truncf(x)); end(); }
    { float x = a_float(); line("floorf"); show_float(x); show_float(floorf(x)); end(); }
    { float x = a_float(); line("ceilf"); show_float(x); show_float(ceilf(x)); end(); }
    { float x = a_float(); line("roundf"); show_float(x); show_float(roundf(x)); end(); }
    { float x = a_float(); line("rintf"); show_float(x); show_float(rintf(x)); end(); }
    { float x = a_float(); line("nearbyintf"); show_float(x); show_float(nearbyintf(x)); end(); }
    { float x = a_float(); line("roundevenf"); show_float(x); show_float(roundevenf(x)); end(); }
    { float x = a_float(); line("isnanf"); show_float(x); truth((isnanf)(x)); end(); }
    { float x = a_float(); line("__isnanf"); show_float(x); truth((__isnanf)(x)); end(); }
    { float x = a_float(); line("isinff"); show_float(x); truth((isinff)(x)); end(); }
    { float x = a_float(); line("__isinff"); show_float(x); truth((__isinff)(x)); end(); }
    { float x = a_float(); line("finitef"); show_float(x); truth((finitef)(x)); end(); }
    { float x = a_float(); line("__finitef"); show_float(x); truth((__finitef)(x)); end(); }
    { float x = a_float(); line("__fpclassifyf"); show_float(x); integer(__fpclassifyf(x)); end(); }
    { float x = a_float(); if (x == x) { line("__signbitf"); show_float(x); truth(__signbitf(x)); end(); } }
    { float x = (float)small(); line("lrintf"); show_float(x); integer(lrintf(x)); end(); }
    { float x = (float)small(); line("lroundf"); show_float(x); integer(lroundf(x)); end(); }
    { float x = (float)small(); line("llrintf"); show_float(x); integer(llrintf(x)); end(); }
    { float x = (float)small(); line("llroundf"); show_float(x); integer(llroundf(x)); end(); }
    { float x = a_float(), y = a_float(); if (y == y && x == x) { line("copysignf"); show_float(x); show_float(y); show_float(copysignf(x, y)); end(); } }
    { float x = a_float(), w; float r = modff(x, &w); line("modff"); show_float(x); show_float(r); show_float(w); end(); }
    { float x = a_float(); int n; float r = frexpf(x, &n); line("frexpf"); show_float(x); show_float(r); if (x - x == 0) integer(n); end(); }
    { float x = a_float(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; float r = ldexpf(x, n); line("ldexpf"); show_float(x); integer(n); show_float(r); integer(errno); end(); }
    { float x = a_float(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; float r = scalbnf(x, n); line("scalbnf"); show_float(x); integer(n); show_float(r); integer(errno); end(); }
    { float x = a_float(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; float r = scalblnf(x, n); line("scalblnf"); show_float(x); integer(n); show_float(r); integer(errno); end(); }
    { float x = a_float(); errno = 0; int n = ilogbf(x); line("ilogbf"); show_float(x); integer(n); integer(errno); end(); }
    { float x = a_float(); errno = 0; float r = logbf(x); line("logbf"); show_float(x); show_float(r); end(); }
    { float x = a_float(), y = below(3) ? (float)small() : a_float(); if (below(2)) x = (float)small(); errno = 0; float r = fmodf(x, y); line("fmodf"); show_float(x); show_float(y); show_float(r); integer(errno); end(); }
    { float x = a_float(), y = below(3) ? (float)small() : a_float(); if (below(2)) x = (float)small(); errno = 0; float r = remainderf(x, y); line("remainderf"); show_float(x); show_float(y); show_float(r); integer(errno); end(); }
    { float x = a_float(), y = a_float(); float r = fminf(x, y); line("fminf"); show_float(x); show_float(y); show_float(r == 0 ? 0 : r); end(); }
    { float x = a_float(), y = a_float(); float r = fmaxf(x, y); line("fmaxf"); show_float(x); show_float(y); show_float(r == 0 ? 0 : r); end(); }
    { float x = a_float(), y = a_float(); errno = 0; float r = fdimf(x, y); line("fdimf"); show_float(x); show_float(y); show_float(r); integer(errno); end(); }
    { float x = a_float(), y = a_float(); errno = 0; float r = nextafterf(x, y); line("nextafterf"); show_float(x); show_float(y); show_float(r); integer(errno); end(); }
    { float x = a_float(); if (below(2)) x = (float)below(1000); if (below(2)) x = x * x; errno = 0; float r = sqrtf(x); line("sqrtf"); show_float(x); show_float(r); integer(errno); end(); }
}

static void longs(void)
{
    { long double x = a_long(); line("fabsl"); show_long(x); show_long(fabsl(x)); end(); }
    { long double x = a_long(); line("truncl"); show_long(x); show_long(truncl(x)); end(); }
    { long double x = a_long(); line("floorl"); show_long(x); show_long(floorl(x)); end(); }
    { long double x = a_long(); line("ceill"); show_long(x); show_long(ceill(x)); end(); }
    { long double x = a_long(); line("roundl"); show_long(x); show_long(roundl(x)); end(); }
    { long double x = a_long(); line("rintl"); show_long(x); show_long(rintl(x)); end(); }
    { long double x = a_long(); line("nearbyintl"); show_long(x); show_long(nearbyintl(x)); end(); }
    { long double x = a_long(); line("roundevenl"); show_long(x); show_long(roundevenl(x)); end(); }
    { long double x = a_long(); line("isnanl"); show_long(x); truth((isnanl)(x)); end(); }
    { long double x = a_long(); line("__isnanl"); show_long(x); truth((__isnanl)(x)); end(); }
    { long double x = a_long(); line("isinfl"); show_long(x); truth((isinfl)(x)); end(); }
    { long double x = a_long(); line("__isinfl"); show_long(x); truth((__isinfl)(x)); end(); }
    { long double x = a_long(); line("finitel"); show_long(x); truth((finitel)(x)); end(); }
    { long double x = a_long(); line("__finitel"); show_long(x); truth((__finitel)(x)); end(); }
    { long double x = a_long(); line("__fpclassifyl"); show_long(x); integer(__fpclassifyl(x)); end(); }
    { long double x = a_long(); if (x == x) { line("__signbitl"); show_long(x); truth(__signbitl(x)); end(); } }
    { long double x = (long double)small(); line("lrintl"); show_long(x); integer(lrintl(x)); end(); }
    { long double x = (long double)small(); line("lroundl"); show_long(x); integer(lroundl(x)); end(); }
    { long double x = (long double)small(); line("llrintl"); show_long(x); integer(llrintl(x)); end(); }
    { long double x = (long double)small(); line("llroundl"); show_long(x); integer(llroundl(x)); end(); }
    { long double x = a_long(), y = a_long(); if (y == y && x == x) { line("copysignl"); show_long(x); show_long(y); show_long(copysignl(x, y)); end(); } }
    { long double x = a_long(), w; long double r = modfl(x, &w); line("modfl"); show_long(x); show_long(r); show_long(w); end(); }
    { long double x = a_long(); int n; long double r = frexpl(x, &n); line("frexpl"); show_long(x); show_long(r); if (x - x == 0) integer(n); end(); }
    { long double x = a_long(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; long double r = ldexpl(x, n); line("ldexpl"); show_long(x); integer(n); show_long(r); integer(errno); end(); }
    { long double x = a_long(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; long double r = scalbnl(x, n); line("scalbnl"); show_long(x); integer(n); show_long(r); integer(errno); end(); }
    { long double x = a_long(); int n = below(3) ? (int)below(60) - 30 : below(2) ? (int)below(40000) - 20000 : (int)below(2400) - 1200; errno = 0; long double r = scalblnl(x, n); line("scalblnl"); show_long(x); integer(n); show_long(r); integer(errno); end(); }
    { long double x = a_long(); errno = 0; int n = ilogbl(x); line("ilogbl"); show_long(x); integer(n); integer(errno); end(); }
    { long double x = a_long(); errno = 0; long double r = logbl(x); line("logbl"); show_long(x); show_long(r); end(); }
    { long double x = a_long(), y = below(3) ? (long double)small() : a_long(); if (below(2)) x = (long double)small(); errno = 0; long double r = fmodl(x, y); line("fmodl"); show_long(x); show_long(y); show_long(r); integer(errno); end(); }
    { long double x = a_long(), y = below(3) ? (long double)small() : a_long(); if (below(2)) x = (long double)small(); errno = 0; long double r = remainderl(x, y); line("remainderl"); show_long(x); show_long(y); show_long(r); integer(errno); end(); }
    { long double x = a_long(), y = a_long(); long double r = fminl(x, y); line("fminl"); show_long(x); show_long(y); show_long(r == 0 ? 0 : r); end(); }
    { long double x = a_long(), y = a_long(); long double r = fmaxl(x, y); line("fmaxl"); show_long(x); show_long(y); show_long(r == 0 ? 0 : r); end(); }
    { long double x = a_long(), y = a_long(); errno = 0; long double r = fdiml(x, y); line("fdiml"); show_long(x); show_long(y); show_long(r); integer(errno); end(); }
}

int main(void)
{
    EACH {
        doubles();
        floats();
        longs();
    }
    return finish();
}
