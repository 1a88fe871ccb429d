double fabs(double x) { return x < 0 ? -x : x == 0 ? 0.0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0.0f : x; }
long double fabsl(long double x) { return x < 0 ? -x : x == 0 ? 0.0L : x; }

int __signbit(double x)
{
    union { double d; unsigned long long u; } v;
    v.d = x;
    return (int)(v.u >> 63);
}

int __signbitf(float x)
{
    union { float f; unsigned u; } v;
    v.f = x;
    return (int)(v.u >> 31);
}

double copysign(double x, double y)
{
    union { double d; unsigned long long u; } a, b;
    a.d = x;
    b.d = y;
    a.u = (a.u & 0x7fffffffffffffffULL) | (b.u & 0x8000000000000000ULL);
    return a.d;
}

float copysignf(float x, float y)
{
    union { float f; unsigned u; } a, b;
    a.f = x;
    b.f = y;
    a.u = (a.u & 0x7fffffffu) | (b.u & 0x80000000u);
    return a.f;
}

/* From 2^52 on every double is an integer. */
double trunc(double x)
{
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    return copysign((double)(long long)x, x);
}

double floor(double x)
{
    double t = trunc(x);
    return t > x ? t - 1.0 : t;
}

double ceil(double x)
{
    double t = trunc(x);
    return t < x ? copysign(t + 1.0, x) : t;
}

double round(double x)
{
    double t = trunc(x);
    double rest = x - t;
    if (rest >= 0.5)
        return t + 1.0;
    if (rest <= -0.5)
        return t - 1.0;
    return t;
}

float truncf(float x) { return (float)trunc(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float roundf(float x) { return (float)round(x); }

int isnan(double x) { return x != x; }
int __isnan(double x) { return x != x; }
int isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int __isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int finite(double x) { return x > -__builtin_inf() && x < __builtin_inf(); }
int __finite(double x) { return x > -__builtin_inf() && x < __builtin_inf(); }

int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x == __builtin_inf() || x == -__builtin_inf())
        return 1;
    if (x == 0)
        return 2;
    return fabs(x) < 2.2250738585072014e-308 ? 3 : 4;
}

int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x == __builtin_inff() || x == -__builtin_inff())
        return 1;
    if (x == 0)
        return 2;
    return fabsf(x) < 1.17549435e-38f ? 3 : 4;
}

double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x > y ? x : y; }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0; }
