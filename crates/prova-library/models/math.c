/* <math.h>. What IEEE 754 fixes is computed exactly, to nearest; results that the standard leaves
   open are choices. Of the transcendental functions only the range is known: what they return is a
   choice in it. `errno` is set where glibc sets it. */
enum { DOMAIN = 33, RANGE = 34 };

union bits64 { double value; unsigned long long bits; };
union bits32 { float value; unsigned bits; };
union bits80 { long double value; struct { unsigned long long digits; unsigned short top; } at; };

int isnan(double x) { return x != x; }
int __isnan(double x) { return x != x; }
int isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int __isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int finite(double x)
{
    int in = x > -__builtin_inf() && x < __builtin_inf();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}
int __finite(double x)
{
    int in = x > -__builtin_inf() && x < __builtin_inf();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}

int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x == __builtin_inf() || x == -__builtin_inf())
        return 1;
    if (x == 0)
        return 2;
    return x > -2.2250738585072014e-308 && x < 2.2250738585072014e-308 ? 3 : 4;
}

int isnanf(float x) { return x != x; }
int __isnanf(float x) { return x != x; }
int isinff(float x) { return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0; }
int __isinff(float x) { return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0; }
int finitef(float x)
{
    int in = x > -__builtin_inff() && x < __builtin_inff();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}
int __finitef(float x)
{
    int in = x > -__builtin_inff() && x < __builtin_inff();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}

int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x == __builtin_inff() || x == -__builtin_inff())
        return 1;
    if (x == 0)
        return 2;
    return x > -1.17549435e-38f && x < 1.17549435e-38f ? 3 : 4;
}

int isnanl(long double x) { return x != x; }
int __isnanl(long double x) { return x != x; }
int isinfl(long double x) { return x == __builtin_infl() ? 1 : x == -__builtin_infl() ? -1 : 0; }
int __isinfl(long double x) { return x == __builtin_infl() ? 1 : x == -__builtin_infl() ? -1 : 0; }
int finitel(long double x)
{
    int in = x > -__builtin_infl() && x < __builtin_infl();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}
int __finitel(long double x)
{
    int in = x > -__builtin_infl() && x < __builtin_infl();
    int r = __prova_choice_int("what is not zero");
    return in ? r + !r : 0;
}

int __fpclassifyl(long double x)
{
    if (x != x)
        return 0;
    if (x == __builtin_infl() || x == -__builtin_infl())
        return 1;
    if (x == 0)
        return 2;
    return x > -3.3621031431120935063e-4932L && x < 3.3621031431120935063e-4932L ? 3 : 4;
}


static int is_negative(double x)
{
    union bits64 v = { x };
    return (int)(v.bits >> 63);
}

static int is_negative_float(float x)
{
    union bits32 v = { x };
    return (int)(v.bits >> 31);
}

static int is_negative_long(long double x)
{
    union bits80 v = { x };
    return v.at.top >> 15;
}

int __signbit(double x)
{
    int r = __prova_choice_int("what is not zero");
    return is_negative(x) ? r + !r : 0;
}

int __signbitf(float x)
{
    int r = __prova_choice_int("what is not zero");
    return is_negative_float(x) ? r + !r : 0;
}

int __signbitl(long double x)
{
    int r = __prova_choice_int("what is not zero");
    return is_negative_long(x) ? r + !r : 0;
}

double fabs(double x) { return x < 0 ? -x : x == 0 ? 0.0 : x; }
float fabsf(float x) { return x < 0 ? -x : x == 0 ? 0.0f : x; }
long double fabsl(long double x) { return x < 0 ? -x : x == 0 ? 0.0L : x; }

double copysign(double x, double y) { return is_negative(x) == is_negative(y) ? x : -x; }

float copysignf(float x, float y)
{
    return is_negative_float(x) == is_negative_float(y) ? x : -x;
}

long double copysignl(long double x, long double y)
{
    return is_negative_long(x) == is_negative_long(y) ? x : -x;
}

/* A result that is zero has the sign of the argument. */
static double like(double r, double x) { return r == 0 && is_negative(x) ? -0.0 : r; }

static long double like_long(long double r, long double x)
{
    return r == 0 && is_negative_long(x) ? -0.0L : r;
}

/* From 2^52 on every double is an integer, from 2^63 on every long double. */
double trunc(double x)
{
    if (!(x > -4503599627370496.0 && x < 4503599627370496.0) || x == 0)
        return x;
    return like((double)(long long)x, x);
}

long double truncl(long double x)
{
    if (!(x > -9223372036854775808.0L && x < 9223372036854775808.0L) || x == 0)
        return x;
    return like_long((long double)(long long)x, x);
}

double floor(double x)
{
    double t = trunc(x);
    return t > x ? t - 1.0 : t;
}

long double floorl(long double x)
{
    long double t = truncl(x);
    return t > x ? t - 1.0L : t;
}

double ceil(double x)
{
    double t = trunc(x);
    return t < x ? like(t + 1.0, x) : t;
}

long double ceill(long double x)
{
    long double t = truncl(x);
    return t < x ? like_long(t + 1.0L, x) : t;
}

double round(double x)
{
    double t = trunc(x), rest = x - t;
    if (rest >= 0.5)
        return t + 1.0;
    if (rest <= -0.5)
        return t - 1.0;
    return t;
}

long double roundl(long double x)
{
    long double t = truncl(x), rest = x - t;
    if (rest >= 0.5L)
        return t + 1.0L;
    if (rest <= -0.5L)
        return t - 1.0L;
    return t;
}

/* Halves go to the even neighbour. */
double rint(double x)
{
    double t = trunc(x), rest = x - t;
    if (!(rest >= 0.5 || rest <= -0.5))
        return t;
    if ((rest == 0.5 || rest == -0.5) && !((long long)t & 1))
        return t;
    return rest > 0 ? t + 1.0 : t - 1.0;
}

long double rintl(long double x)
{
    long double t = truncl(x), rest = x - t;
    if (!(rest >= 0.5L || rest <= -0.5L))
        return t;
    if ((rest == 0.5L || rest == -0.5L) && !((long long)t & 1))
        return t;
    return rest > 0 ? t + 1.0L : t - 1.0L;
}

double nearbyint(double x) { return rint(x); }
long double nearbyintl(long double x) { return rintl(x); }
double roundeven(double x) { return rint(x); }
long double roundevenl(long double x) { return rintl(x); }
float roundevenf(float x) { return (float)rint(x); }
float truncf(float x) { return (float)trunc(x); }
float floorf(float x) { return (float)floor(x); }
float ceilf(float x) { return (float)ceil(x); }
float roundf(float x) { return (float)round(x); }
float rintf(float x) { return (float)rint(x); }
float nearbyintf(float x) { return (float)rint(x); }

/* What does not fit the result is not specified. */
static long long whole(long double x, long long most)
{
    if (!(x >= -(long double)most - 1 && x <= (long double)most))
        __prova_unmodelled("rounding to an integer that does not fit");
    return (long long)x;
}

static const long longest = (long)((unsigned long)-1 >> 1);
static const long long very_longest = (long long)((unsigned long long)-1 >> 1);

long lrint(double x) { return (long)whole(rint(x), longest); }
long lrintf(float x) { return (long)whole(rint(x), longest); }
long lrintl(long double x) { return (long)whole(rintl(x), longest); }
long lround(double x) { return (long)whole(round(x), longest); }
long lroundf(float x) { return (long)whole(round(x), longest); }
long lroundl(long double x) { return (long)whole(roundl(x), longest); }
long long llrint(double x) { return (long long)whole(rint(x), very_longest); }
long long llrintf(float x) { return (long long)whole(rint(x), very_longest); }
long long llrintl(long double x) { return (long long)whole(rintl(x), very_longest); }
long long llround(double x) { return (long long)whole(round(x), very_longest); }
long long llroundf(float x) { return (long long)whole(round(x), very_longest); }
long long llroundl(long double x) { return (long long)whole(roundl(x), very_longest); }

double modf(double x, double *whole)
{
    double t = trunc(x);
    *whole = t;
    return x != x ? x : like(x == t ? 0.0 : x - t, x);
}

float modff(float x, float *whole)
{
    float t = truncf(x);
    *whole = t;
    return x != x ? x : (float)like(x == t ? 0.0f : x - t, x);
}

long double modfl(long double x, long double *whole)
{
    long double t = truncl(x);
    *whole = t;
    return x != x ? x : like_long(x == t ? 0.0L : x - t, x);
}

/* 2^n, for exponents of normal numbers. */
static double power_of_two(int n)
{
    union bits64 v;
    v.bits = (unsigned long long)(n + 1023) << 52;
    return v.value;
}

static long double long_power_of_two(int n)
{
    union bits80 v;
    v.at.digits = 0x8000000000000000ULL;
    v.at.top = (unsigned short)(n + 16383);
    return v.value;
}

static int is_ordinary(double x)
{
    return x > -__builtin_inf() && x < __builtin_inf() && x != 0;
}

static int is_ordinary_long(long double x)
{
    return x > -__builtin_infl() && x < __builtin_infl() && x != 0;
}

double frexp(double x, int *exponent)
{
    union bits64 v;
    int n = 0;
    if (!is_ordinary(x)) {
        *exponent = x == 0 ? 0 : __prova_choice_int("the exponent of what has none");
        return x;
    }
    if (x > -2.2250738585072014e-308 && x < 2.2250738585072014e-308) {
        x = x * 18014398509481984.0;
        n = -54;
    }
    v.value = x;
    *exponent = (int)(v.bits >> 52 & 0x7ff) - 1022 + n;
    v.bits = (v.bits & 0x800fffffffffffffULL) | 0x3fe0000000000000ULL;
    return v.value;
}

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

long double frexpl(long double x, int *exponent)
{
    union bits80 v;
    int n = 0;
    if (!is_ordinary_long(x)) {
        *exponent = x == 0 ? 0 : __prova_choice_int("the exponent of what has none");
        return x;
    }
    if (x > -3.3621031431120935063e-4932L && x < 3.3621031431120935063e-4932L) {
        x = x * 18446744073709551616.0L;
        n = -64;
    }
    v.value = x;
    *exponent = (v.at.top & 0x7fff) - 16382 + n;
    v.at.top = (unsigned short)((v.at.top & 0x8000) | 16382);
    return v.value;
}

/* In steps that are exact except for the last: on the way down the steps keep all digits of a
   double above the smallest normal number, so that it is rounded once. */
static double scaled(double x, int n)
{
    if (n > 1023) {
        x = x * power_of_two(1023);
        n -= 1023;
        if (n > 1023) {
            x = x * power_of_two(1023);
            n -= 1023;
            if (n > 1023)
                n = 1023;
        }
    } else if (n < -1022) {
        x = x * power_of_two(-969);
        n += 969;
        if (n < -1022) {
            x = x * power_of_two(-969);
            n += 969;
            if (n < -1022)
                n = -1022;
        }
    }
    return x * power_of_two(n);
}

static long double scaled_long(long double x, int n)
{
    if (n > 16383) {
        x = x * long_power_of_two(16383);
        n -= 16383;
        if (n > 16383) {
            x = x * long_power_of_two(16383);
            n -= 16383;
            if (n > 16383)
                n = 16383;
        }
    } else if (n < -16382) {
        x = x * long_power_of_two(-16318);
        n += 16318;
        if (n < -16382) {
            x = x * long_power_of_two(-16318);
            n += 16318;
            if (n < -16382)
                n = -16382;
        }
    }
    return x * long_power_of_two(n);
}

static double told(double r, double x)
{
    if (is_ordinary(x) && !is_ordinary(r))
        __prova_set_errno(RANGE);
    return r;
}

static float told_float(float r, float x)
{
    if (is_ordinary(x) && !is_ordinary(r))
        __prova_set_errno(RANGE);
    return r;
}

static long double told_long(long double r, long double x)
{
    if (is_ordinary_long(x) && !is_ordinary_long(r))
        __prova_set_errno(RANGE);
    return r;
}

/* A float is scaled as a double, where nothing is lost unless far more is lost anyway. */
static double scaled_float(float x, int n)
{
    return scaled(x, n > 600 ? 600 : n < -600 ? -600 : n);
}

static int as_int(long n) { return n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n; }

double ldexp(double x, int n) { return told(scaled(x, n), x); }
float ldexpf(float x, int n) { return told_float((float)scaled_float(x, n), x); }
long double ldexpl(long double x, int n) { return told_long(scaled_long(x, n), x); }
double scalbn(double x, int n) { return told(scaled(x, n), x); }
float scalbnf(float x, int n) { return told_float((float)scaled_float(x, n), x); }
long double scalbnl(long double x, int n) { return told_long(scaled_long(x, n), x); }
double scalbln(double x, long n) { return told(scaled(x, as_int(n)), x); }
float scalblnf(float x, long n) { return told_float((float)scaled_float(x, as_int(n)), x); }
long double scalblnl(long double x, long n) { return told_long(scaled_long(x, as_int(n)), x); }

int ilogb(double x)
{
    int n;
    if (!is_ordinary(x)) {
        __prova_set_errno(DOMAIN);
        return x == __builtin_inf() || x == -__builtin_inf() ? 2147483647 : -2147483647 - 1;
    }
    frexp(x, &n);
    return n - 1;
}

int ilogbf(float x) { return ilogb(x); }

int ilogbl(long double x)
{
    int n;
    if (!is_ordinary_long(x)) {
        __prova_set_errno(DOMAIN);
        return x == __builtin_infl() || x == -__builtin_infl() ? 2147483647 : -2147483647 - 1;
    }
    frexpl(x, &n);
    return n - 1;
}

double logb(double x)
{
    int n;
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inf();
    }
    if (!is_ordinary(x))
        return x * x;
    frexp(x, &n);
    return n - 1;
}

float logbf(float x) { return (float)logb(x); }

long double logbl(long double x)
{
    int n;
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_infl();
    }
    if (!is_ordinary_long(x))
        return x * x;
    frexpl(x, &n);
    return n - 1;
}

/* The rest of a division of magnitudes, by taking off the divisor's multiples by powers of two
   from the largest on: every difference is exact. `odd` is the quotient's last bit. */
static double rest_of(double x, double y, int *odd)
{
    int m, n;
    *odd = 0;
    if (x < y)
        return x;
    frexp(x, &m);
    frexp(y, &n);
    for (int shift = m - n; shift >= 0; shift--) {
        double part = scaled(y, shift);
        *odd = 0;
        if (x >= part) {
            x -= part;
            *odd = 1;
        }
    }
    return x;
}

static long double rest_of_long(long double x, long double y, int *odd)
{
    int m, n;
    *odd = 0;
    if (x < y)
        return x;
    frexpl(x, &m);
    frexpl(y, &n);
    for (int shift = m - n; shift >= 0; shift--) {
        long double part = scaled_long(y, shift);
        *odd = 0;
        if (x >= part) {
            x -= part;
            *odd = 1;
        }
    }
    return x;
}


double fmod(double x, double y)
{
    int odd;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x == __builtin_inf() || x == -__builtin_inf()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    if (y == __builtin_inf() || y == -__builtin_inf())
        return x;
    double r = rest_of(fabs(x), fabs(y), &odd);
    return is_negative(x) ? -r : r;
}

double remainder(double x, double y)
{
    int odd;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x == __builtin_inf() || x == -__builtin_inf()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    if (y == __builtin_inf() || y == -__builtin_inf())
        return x;
    double divisor = fabs(y), r = rest_of(fabs(x), divisor, &odd), other = divisor - r;
    if (r > other || (r == other && odd))
        r = r - divisor;
    return is_negative(x) ? -r : r;
}


long double fmodl(long double x, long double y)
{
    int odd;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x == __builtin_infl() || x == -__builtin_infl()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    if (y == __builtin_infl() || y == -__builtin_infl())
        return x;
    long double r = rest_of_long(fabsl(x), fabsl(y), &odd);
    return is_negative_long(x) ? -r : r;
}

long double remainderl(long double x, long double y)
{
    int odd;
    if (x != x || y != y)
        return x + y;
    if (y == 0 || x == __builtin_infl() || x == -__builtin_infl()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    if (y == __builtin_infl() || y == -__builtin_infl())
        return x;
    long double divisor = fabsl(y), r = rest_of_long(fabsl(x), divisor, &odd), other = divisor - r;
    if (r > other || (r == other && odd))
        r = r - divisor;
    return is_negative_long(x) ? -r : r;
}


float fmodf(float x, float y) { return (float)fmod(x, y); }
float remainderf(float x, float y) { return (float)remainder(x, y); }
double drem(double x, double y) { return remainder(x, y); }

/* x = m 4^k with m from 1 to 4. The digits of the root come one by one: `root` is what is found,
   `rest` what is left of m, both times the place of the next digit. One digit more than a double
   has is computed; a root cannot lie half way between two doubles, so that digit alone decides how
   the last one is rounded. */
double sqrt(double x)
{
    int e;
    if (x != x || x == 0 || x == __builtin_inf())
        return x;
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    double m = frexp(x, &e);
    int k = e & 1 ? (e - 1) / 2 : e / 2 - 1;
    unsigned long long rest = (unsigned long long)scaled(m, e & 1 ? 54 : 55), root = 0, twice = 0;
    for (unsigned long long place = 1ULL << 53; place; place >>= 1) {
        unsigned long long more = twice + place;
        if (more <= rest) {
            rest -= more;
            twice = more + place;
            root += place;
        }
        rest <<= 1;
    }
    return scaled((double)((root + (root & 1)) >> 1), k - 52);
}

float sqrtf(float x)
{
    int e;
    if (x != x || x == 0 || x == __builtin_inff())
        return x;
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    double m = frexp(x, &e);
    if (e & 1) {
        m = m * 0.5;
        e++;
    }
    unsigned long long n = (unsigned long long)scaled(m, 50), root = 0;
    for (int i = 24; i >= 0; i--) {
        unsigned long long more = root | 1ULL << i;
        if (more * more <= n)
            root = more;
    }
    unsigned long long kept = root >> 1;
    if (root & 1)
        kept++;
    return (float)scaled((double)kept, e / 2 - 24);
}

/* Which zero is taken is open. */

double fmin(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x < y ? x : y;
}

double fmax(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x > y ? x : y;
}

float fminf(float x, float y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x < y ? x : y;
}

float fmaxf(float x, float y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x > y ? x : y;
}

long double fminl(long double x, long double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x < y ? x : y;
}

long double fmaxl(long double x, long double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    if (x == y)
        return __prova_choice_uchar("which zero") & 1 ? x : y;
    return x > y ? x : y;
}


double nextafter(double x, double y)
{
    union bits64 v;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    v.value = x;
    if (x == 0) {
        v.bits = y < 0 ? 0x8000000000000001ULL : 1;
        return v.value;
    }
    if ((x < y) == (x > 0))
        v.bits++;
    else
        v.bits--;
    if (!(v.value > -2.2250738585072014e-308 && v.value < 2.2250738585072014e-308)
        && v.value > -__builtin_inf() && v.value < __builtin_inf())
        return v.value;
    if (x > -__builtin_inf() && x < __builtin_inf())
        __prova_set_errno(RANGE);
    return v.value;
}

float nextafterf(float x, float y)
{
    union bits32 v;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    v.value = x;
    if (x == 0) {
        v.bits = y < 0 ? 0x80000001u : 1;
        return v.value;
    }
    if ((x < y) == (x > 0))
        v.bits++;
    else
        v.bits--;
    if (!(v.value > -1.17549435e-38f && v.value < 1.17549435e-38f)
        && v.value > -__builtin_inff() && v.value < __builtin_inff())
        return v.value;
    if (x > -__builtin_inff() && x < __builtin_inff())
        __prova_set_errno(RANGE);
    return v.value;
}

double fdim(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    double r = x > y ? x - y : 0.0;
    if (r == __builtin_inf() && x < __builtin_inf() && y > -__builtin_inf())
        __prova_set_errno(RANGE);
    return r;
}

float fdimf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    float r = x > y ? x - y : 0.0f;
    if (r == __builtin_inff() && x < __builtin_inff() && y > -__builtin_inff())
        __prova_set_errno(RANGE);
    return r;
}

long double fdiml(long double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    long double r = x > y ? x - y : 0.0L;
    if (r == __builtin_infl() && x < __builtin_infl() && y > -__builtin_infl())
        __prova_set_errno(RANGE);
    return r;
}

