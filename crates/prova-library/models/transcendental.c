/* The transcendental functions of <math.h>. Of each only the range is known: what it returns is a
   choice in that range, one for each call. `errno` may be set where the result is not finite or
   too small, so it is a choice, too, where it is looked at. */
enum { DOMAIN = 33, RANGE = 34 };


/* A choice from `least` to `most`; for an argument that is not a number, that. */
static double within(double x, double least, double most)
{
    double r = __prova_choice_double("the value of a function of <math.h>");
    if (x != x)
        return x;
    return r >= least && r <= most ? r : least;
}

/* Any number at all, or none. */
static double any(double x)
{
    double r = __prova_choice_double("the value of a function of <math.h>");
    return x != x ? x : r;
}

double sin(double x)
{
    if (x == __builtin_inf() || x == -__builtin_inf()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    return within(x, -1.0, 1.0);
}
double cos(double x)
{
    if (x == __builtin_inf() || x == -__builtin_inf()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    return within(x, -1.0, 1.0);
}
double atan(double x) { return within(x, -1.5707963267948968, 1.5707963267948968); }
double tanh(double x) { return within(x, -1.0, 1.0); }
double erf(double x) { return within(x, -1.0, 1.0); }
double erfc(double x) { __prova_perhaps_errno(RANGE); return within(x, 0, 2.0); }
double exp(double x) { __prova_perhaps_errno(RANGE); return within(x, 0, __builtin_inf()); }
double exp2(double x) { __prova_perhaps_errno(RANGE); return within(x, 0, __builtin_inf()); }
double exp10(double x) { __prova_perhaps_errno(RANGE); return within(x, 0, __builtin_inf()); }
double cosh(double x) { __prova_perhaps_errno(RANGE); return within(x, 1.0, __builtin_inf()); }
double expm1(double x) { __prova_perhaps_errno(RANGE); return within(x, -1.0, __builtin_inf()); }
double sinh(double x) { __prova_perhaps_errno(RANGE); return within(x, -__builtin_inf(), __builtin_inf()); }
double asinh(double x) { return within(x, -__builtin_inf(), __builtin_inf()); }
double cbrt(double x) { return within(x, -__builtin_inf(), __builtin_inf()); }
double tan(double x) { __prova_perhaps_errno(DOMAIN); return any(x); }
double lgamma(double x) { __prova_perhaps_errno(RANGE); return within(x, -__builtin_inf(), __builtin_inf()); }
double tgamma(double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return any(x); }
double asin(double x)
{
    if (x < -1.0 || x > 1.0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    return within(x, -1.5707963267948968, 1.5707963267948968);
}
double acos(double x)
{
    if (x < -1.0 || x > 1.0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    return within(x, 0, 3.1415926535897936);
}
double acosh(double x)
{
    if (x < 1.0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    return within(x, 0, __builtin_inf());
}
double log(double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inf();
    }
    if (x == __builtin_inf())
        return x;
    return within(x, -16446.0, 16385.0);
}
double log2(double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inf();
    }
    if (x == __builtin_inf())
        return x;
    return within(x, -16446.0, 16385.0);
}
double log10(double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nan("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inf();
    }
    if (x == __builtin_inf())
        return x;
    return within(x, -16446.0, 16385.0);
}
double log1p(double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return any(x); }
double atanh(double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return any(x); }
double atan2(double y, double x)
{
    __prova_perhaps_errno(RANGE);
    return within(x != x ? x : y, -3.1415926535897936, 3.1415926535897936);
}
double hypot(double x, double y)
{
    __prova_perhaps_errno(RANGE);
    if (x == __builtin_inf() || x == -__builtin_inf() || y == __builtin_inf() || y == -__builtin_inf())
        return __builtin_inf();
    return within(x != x ? x : y, 0, __builtin_inf());
}
double pow(double x, double y)
{
    if (x == 1 || y == 0)
        return 1;
    __prova_perhaps_errno(DOMAIN);
    __prova_perhaps_errno(RANGE);
    if (x >= 0)
        return within(y, 0, __builtin_inf());
    return any(y != y ? y : x);
}


/* A choice from `least` to `most`; for an argument that is not a number, that. */
static float withinf(float x, float least, float most)
{
    float r = __prova_choice_float("the value of a function of <math.h>");
    if (x != x)
        return x;
    return r >= least && r <= most ? r : least;
}

/* Any number at all, or none. */
static float anyf(float x)
{
    float r = __prova_choice_float("the value of a function of <math.h>");
    return x != x ? x : r;
}

float sinf(float x)
{
    if (x == __builtin_inff() || x == -__builtin_inff()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    return withinf(x, -1.0f, 1.0f);
}
float cosf(float x)
{
    if (x == __builtin_inff() || x == -__builtin_inff()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    return withinf(x, -1.0f, 1.0f);
}
float atanf(float x) { return withinf(x, -1.5707965f, 1.5707965f); }
float tanhf(float x) { return withinf(x, -1.0f, 1.0f); }
float erff(float x) { return withinf(x, -1.0f, 1.0f); }
float erfcf(float x) { __prova_perhaps_errno(RANGE); return withinf(x, 0, 2.0f); }
float expf(float x) { __prova_perhaps_errno(RANGE); return withinf(x, 0, __builtin_inff()); }
float exp2f(float x) { __prova_perhaps_errno(RANGE); return withinf(x, 0, __builtin_inff()); }
float exp10f(float x) { __prova_perhaps_errno(RANGE); return withinf(x, 0, __builtin_inff()); }
float coshf(float x) { __prova_perhaps_errno(RANGE); return withinf(x, 1.0f, __builtin_inff()); }
float expm1f(float x) { __prova_perhaps_errno(RANGE); return withinf(x, -1.0f, __builtin_inff()); }
float sinhf(float x) { __prova_perhaps_errno(RANGE); return withinf(x, -__builtin_inff(), __builtin_inff()); }
float asinhf(float x) { return withinf(x, -__builtin_inff(), __builtin_inff()); }
float cbrtf(float x) { return withinf(x, -__builtin_inff(), __builtin_inff()); }
float tanf(float x) { __prova_perhaps_errno(DOMAIN); return anyf(x); }
float lgammaf(float x) { __prova_perhaps_errno(RANGE); return withinf(x, -__builtin_inff(), __builtin_inff()); }
float tgammaf(float x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyf(x); }
float asinf(float x)
{
    if (x < -1.0f || x > 1.0f) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    return withinf(x, -1.5707965f, 1.5707965f);
}
float acosf(float x)
{
    if (x < -1.0f || x > 1.0f) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    return withinf(x, 0, 3.1415929f);
}
float acoshf(float x)
{
    if (x < 1.0f) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    return withinf(x, 0, __builtin_inff());
}
float logf(float x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inff();
    }
    if (x == __builtin_inff())
        return x;
    return withinf(x, -16446.0f, 16385.0f);
}
float log2f(float x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inff();
    }
    if (x == __builtin_inff())
        return x;
    return withinf(x, -16446.0f, 16385.0f);
}
float log10f(float x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanf("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_inff();
    }
    if (x == __builtin_inff())
        return x;
    return withinf(x, -16446.0f, 16385.0f);
}
float log1pf(float x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyf(x); }
float atanhf(float x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyf(x); }
float atan2f(float y, float x)
{
    __prova_perhaps_errno(RANGE);
    return withinf(x != x ? x : y, -3.1415929f, 3.1415929f);
}
float hypotf(float x, float y)
{
    __prova_perhaps_errno(RANGE);
    if (x == __builtin_inff() || x == -__builtin_inff() || y == __builtin_inff() || y == -__builtin_inff())
        return __builtin_inff();
    return withinf(x != x ? x : y, 0, __builtin_inff());
}
float powf(float x, float y)
{
    if (x == 1 || y == 0)
        return 1;
    __prova_perhaps_errno(DOMAIN);
    __prova_perhaps_errno(RANGE);
    if (x >= 0)
        return withinf(y, 0, __builtin_inff());
    return anyf(y != y ? y : x);
}


/* A choice from `least` to `most`; for an argument that is not a number, that. */
static long double withinl(long double x, long double least, long double most)
{
    long double r = __prova_choice_longdouble("the value of a function of <math.h>");
    if (x != x)
        return x;
    return r >= least && r <= most ? r : least;
}

/* Any number at all, or none. */
static long double anyl(long double x)
{
    long double r = __prova_choice_longdouble("the value of a function of <math.h>");
    return x != x ? x : r;
}

long double sinl(long double x)
{
    if (x == __builtin_infl() || x == -__builtin_infl()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    return withinl(x, -1.0l, 1.0l);
}
long double cosl(long double x)
{
    if (x == __builtin_infl() || x == -__builtin_infl()) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    return withinl(x, -1.0l, 1.0l);
}
long double atanl(long double x) { return withinl(x, -1.57079632679489661924L, 1.57079632679489661924L); }
long double tanhl(long double x) { return withinl(x, -1.0l, 1.0l); }
long double erfl(long double x) { return withinl(x, -1.0l, 1.0l); }
long double erfcl(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, 0, 2.0l); }
long double expl(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, 0, __builtin_infl()); }
long double exp2l(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, 0, __builtin_infl()); }
long double exp10l(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, 0, __builtin_infl()); }
long double coshl(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, 1.0l, __builtin_infl()); }
long double expm1l(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, -1.0l, __builtin_infl()); }
long double sinhl(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, -__builtin_infl(), __builtin_infl()); }
long double asinhl(long double x) { return withinl(x, -__builtin_infl(), __builtin_infl()); }
long double cbrtl(long double x) { return withinl(x, -__builtin_infl(), __builtin_infl()); }
long double tanl(long double x) { __prova_perhaps_errno(DOMAIN); return anyl(x); }
long double lgammal(long double x) { __prova_perhaps_errno(RANGE); return withinl(x, -__builtin_infl(), __builtin_infl()); }
long double tgammal(long double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyl(x); }
long double asinl(long double x)
{
    if (x < -1.0l || x > 1.0l) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    return withinl(x, -1.57079632679489661924L, 1.57079632679489661924L);
}
long double acosl(long double x)
{
    if (x < -1.0l || x > 1.0l) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    return withinl(x, 0, 3.14159265358979323852L);
}
long double acoshl(long double x)
{
    if (x < 1.0l) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    return withinl(x, 0, __builtin_infl());
}
long double logl(long double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_infl();
    }
    if (x == __builtin_infl())
        return x;
    return withinl(x, -16446.0l, 16385.0l);
}
long double log2l(long double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_infl();
    }
    if (x == __builtin_infl())
        return x;
    return withinl(x, -16446.0l, 16385.0l);
}
long double log10l(long double x)
{
    if (x < 0) {
        __prova_set_errno(DOMAIN);
        return __builtin_nanl("");
    }
    if (x == 0) {
        __prova_set_errno(RANGE);
        return -__builtin_infl();
    }
    if (x == __builtin_infl())
        return x;
    return withinl(x, -16446.0l, 16385.0l);
}
long double log1pl(long double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyl(x); }
long double atanhl(long double x) { __prova_perhaps_errno(DOMAIN); __prova_perhaps_errno(RANGE); return anyl(x); }
long double atan2l(long double y, long double x)
{
    __prova_perhaps_errno(RANGE);
    return withinl(x != x ? x : y, -3.14159265358979323852L, 3.14159265358979323852L);
}
long double hypotl(long double x, long double y)
{
    __prova_perhaps_errno(RANGE);
    if (x == __builtin_infl() || x == -__builtin_infl() || y == __builtin_infl() || y == -__builtin_infl())
        return __builtin_infl();
    return withinl(x != x ? x : y, 0, __builtin_infl());
}
long double powl(long double x, long double y)
{
    if (x == 1 || y == 0)
        return 1;
    __prova_perhaps_errno(DOMAIN);
    __prova_perhaps_errno(RANGE);
    if (x >= 0)
        return withinl(y, 0, __builtin_infl());
    return anyl(y != y ? y : x);
}

