#define _GNU_SOURCE
#include "bench.h"
#include <math.h>
#include <string.h>

/* The machine is given what the real function returned (lines with `@`), and the model has to
   allow it. Where the model fixes the result, nothing is taken. */
static double a_double(void)
{
    static const double edges[] = {
        0.0, -0.0, 0.5, 1.0, -1.0, 2.0, -2.0, 1e300, -1e300, 1e-300, 709.0, 710.0, -745.0, -746.0,
        1.5707963267948966, 3.141592653589793, 0.9999999999999999, 1.0000000000000002, 5e-324,
        1.7976931348623157e308, 100.0, -100.0, 0.1,
    };
    union { double d; unsigned long long u; } v;
    switch (below(6)) {
    case 0: return edges[below(sizeof edges / sizeof *edges)];
    case 1: return (double)(int)(draw() % 2001) / 1000 - 1;
    case 2: v.u = draw64(); if (v.d == v.d) return v.d; return 1.0;
    case 3: return below(2) ? __builtin_inf() : below(2) ? -__builtin_inf() : __builtin_nan("");
    default: break;
    }
    double whole = (int)draw(), part = (double)draw() / 4294967296.0;
    return (whole + part) / 1e7;
}

static float a_float(void) { return (float)a_double(); }

static long double a_long(void)
{
    long double x = a_double();
    return below(9) ? x : x * 1e200L;
}

static void number_of(const void *value, int n)
{
    const unsigned char *b = value;
    say("@ ");
    for (int i = n; i > 0; i--) {
        put("0123456789abcdef"[b[i - 1] >> 4]);
        put("0123456789abcdef"[b[i - 1] & 15]);
    }
    end();
}

static void show(const void *x, int n, int is_nan) { if (is_nan) say(" nan"); else bytes(x, n); }


static void doubles(void)
{
    { double x = a_double(), r = sin(x); if (!(x - x != 0 && x == x)) number_of(&r, 8); line("sin"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = cos(x); if (!(x - x != 0 && x == x)) number_of(&r, 8); line("cos"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = tan(x); number_of(&r, 8); line("tan"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = atan(x); number_of(&r, 8); line("atan"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = tanh(x); number_of(&r, 8); line("tanh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = erf(x); number_of(&r, 8); line("erf"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = erfc(x); number_of(&r, 8); line("erfc"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = exp(x); number_of(&r, 8); line("exp"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = exp2(x); number_of(&r, 8); line("exp2"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = exp10(x); number_of(&r, 8); line("exp10"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = cosh(x); number_of(&r, 8); line("cosh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = expm1(x); number_of(&r, 8); line("expm1"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = sinh(x); number_of(&r, 8); line("sinh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = asinh(x); number_of(&r, 8); line("asinh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = cbrt(x); number_of(&r, 8); line("cbrt"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = lgamma(x); number_of(&r, 8); line("lgamma"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = tgamma(x); number_of(&r, 8); line("tgamma"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = asin(x); if (!(x < -1 || x > 1)) number_of(&r, 8); line("asin"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = acos(x); if (!(x < -1 || x > 1)) number_of(&r, 8); line("acos"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = acosh(x); if (!(x < 1)) number_of(&r, 8); line("acosh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = log(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 8); line("log"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = log2(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 8); line("log2"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = log10(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 8); line("log10"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = log1p(x); number_of(&r, 8); line("log1p"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), r = atanh(x); number_of(&r, 8); line("atanh"); show(&x, 8, x != x); show(&r, 8, r != r); end(); }
    { double x = a_double(), y = a_double(), r = atan2(x, y); number_of(&r, 8); line("atan2"); show(&x, 8, x != x); show(&y, 8, y != y); show(&r, 8, r != r); end(); }
    { double x = a_double(), y = a_double(), r = hypot(x, y); if (!((x == x && x - x != 0) || (y == y && y - y != 0))) number_of(&r, 8); line("hypot"); show(&x, 8, x != x); show(&y, 8, y != y); show(&r, 8, r != r); end(); }
    { double x = a_double(), y = a_double(), r = pow(x, y); if (!(x == 1 || y == 0)) number_of(&r, 8); line("pow"); show(&x, 8, x != x); show(&y, 8, y != y); show(&r, 8, r != r); end(); }
}

static void floats(void)
{
    { float x = a_float(), r = sinf(x); if (!(x - x != 0 && x == x)) number_of(&r, 4); line("sinf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = cosf(x); if (!(x - x != 0 && x == x)) number_of(&r, 4); line("cosf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = tanf(x); number_of(&r, 4); line("tanf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = atanf(x); number_of(&r, 4); line("atanf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = tanhf(x); number_of(&r, 4); line("tanhf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = erff(x); number_of(&r, 4); line("erff"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = erfcf(x); number_of(&r, 4); line("erfcf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = expf(x); number_of(&r, 4); line("expf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = exp2f(x); number_of(&r, 4); line("exp2f"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = exp10f(x); number_of(&r, 4); line("exp10f"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = coshf(x); number_of(&r, 4); line("coshf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = expm1f(x); number_of(&r, 4); line("expm1f"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = sinhf(x); number_of(&r, 4); line("sinhf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = asinhf(x); number_of(&r, 4); line("asinhf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = cbrtf(x); number_of(&r, 4); line("cbrtf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = lgammaf(x); number_of(&r, 4); line("lgammaf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = tgammaf(x); number_of(&r, 4); line("tgammaf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = asinf(x); if (!(x < -1 || x > 1)) number_of(&r, 4); line("asinf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = acosf(x); if (!(x < -1 || x > 1)) number_of(&r, 4); line("acosf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = acoshf(x); if (!(x < 1)) number_of(&r, 4); line("acoshf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = logf(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 4); line("logf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = log2f(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 4); line("log2f"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = log10f(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 4); line("log10f"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = log1pf(x); number_of(&r, 4); line("log1pf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), r = atanhf(x); number_of(&r, 4); line("atanhf"); show(&x, 4, x != x); show(&r, 4, r != r); end(); }
    { float x = a_float(), y = a_float(), r = atan2f(x, y); number_of(&r, 4); line("atan2f"); show(&x, 4, x != x); show(&y, 4, y != y); show(&r, 4, r != r); end(); }
    { float x = a_float(), y = a_float(), r = hypotf(x, y); if (!((x == x && x - x != 0) || (y == y && y - y != 0))) number_of(&r, 4); line("hypotf"); show(&x, 4, x != x); show(&y, 4, y != y); show(&r, 4, r != r); end(); }
    { float x = a_float(), y = a_float(), r = powf(x, y); if (!(x == 1 || y == 0)) number_of(&r, 4); line("powf"); show(&x, 4, x != x); show(&y, 4, y != y); show(&r, 4, r != r); end(); }
}

static void longs(void)
{
    { long double x = a_long(), r = sinl(x); if (!(x - x != 0 && x == x)) number_of(&r, 10); line("sinl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = cosl(x); if (!(x - x != 0 && x == x)) number_of(&r, 10); line("cosl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = tanl(x); number_of(&r, 10); line("tanl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = atanl(x); number_of(&r, 10); line("atanl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = tanhl(x); number_of(&r, 10); line("tanhl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = erfl(x); number_of(&r, 10); line("erfl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = erfcl(x); number_of(&r, 10); line("erfcl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = expl(x); number_of(&r, 10); line("expl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = exp2l(x); number_of(&r, 10); line("exp2l"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = exp10l(x); number_of(&r, 10); line("exp10l"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = coshl(x); number_of(&r, 10); line("coshl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = expm1l(x); number_of(&r, 10); line("expm1l"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = sinhl(x); number_of(&r, 10); line("sinhl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = asinhl(x); number_of(&r, 10); line("asinhl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = cbrtl(x); number_of(&r, 10); line("cbrtl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = lgammal(x); number_of(&r, 10); line("lgammal"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = tgammal(x); number_of(&r, 10); line("tgammal"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = asinl(x); if (!(x < -1 || x > 1)) number_of(&r, 10); line("asinl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = acosl(x); if (!(x < -1 || x > 1)) number_of(&r, 10); line("acosl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = acoshl(x); if (!(x < 1)) number_of(&r, 10); line("acoshl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = logl(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 10); line("logl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = log2l(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 10); line("log2l"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = log10l(x); if (!(x <= 0 || (x == x && x - x != 0))) number_of(&r, 10); line("log10l"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = log1pl(x); number_of(&r, 10); line("log1pl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), r = atanhl(x); number_of(&r, 10); line("atanhl"); show(&x, 10, x != x); show(&r, 10, r != r); end(); }
    { long double x = a_long(), y = a_long(), r = atan2l(x, y); number_of(&r, 10); line("atan2l"); show(&x, 10, x != x); show(&y, 10, y != y); show(&r, 10, r != r); end(); }
    { long double x = a_long(), y = a_long(), r = hypotl(x, y); if (!((x == x && x - x != 0) || (y == y && y - y != 0))) number_of(&r, 10); line("hypotl"); show(&x, 10, x != x); show(&y, 10, y != y); show(&r, 10, r != r); end(); }
    { long double x = a_long(), y = a_long(), r = powl(x, y); if (!(x == 1 || y == 0)) number_of(&r, 10); line("powl"); show(&x, 10, x != x); show(&y, 10, y != y); show(&r, 10, r != r); end(); }
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
