/* <stdlib.h> and the conversions of <inttypes.h>. */
void free(void *);

enum { NO_MEMORY = 12, INVALID = 22, OUT_OF_RANGE = 34 };

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { intmax_t quot, rem; } imaxdiv_t;

div_t div(int a, int b)
{
    div_t d = { a / b, a % b };
    return d;
}

ldiv_t ldiv(long a, long b)
{
    ldiv_t d = { a / b, a % b };
    return d;
}

lldiv_t lldiv(long long a, long long b)
{
    lldiv_t d = { a / b, a % b };
    return d;
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b)
{
    imaxdiv_t d = { a / b, a % b };
    return d;
}

static unsigned digit_value(char c)
{
    unsigned u = (unsigned char)c, digit = u - '0', letter = (u | 32) - 'a';
    return digit <= 9 ? digit : letter <= 25 ? letter + 10 : 99;
}

static int is_space(char c) { return (c == ' ') | ((unsigned)(c - '\t') <= 4); }

/* The number that a text starts with, modulo 2^64 where that is a negative one. What does not fit
   is cut at `most`, for negative numbers of a signed type one further (`least`). */
static unsigned long long parse_number(const char *text, char **end, int base,
                                       unsigned long long most, unsigned long long least)
{
    size_t at = 0;
    unsigned long long value = 0;
    int over = 0, negative = 0;
    if (base < 0 || base == 1 || base > 36) {
        __prova_set_errno(INVALID);
        return 0;
    }
    while (is_space(text[at]))
        at++;
    negative = text[at] == '-';
    if (negative | (text[at] == '+'))
        at++;
    if ((base == 0) | (base == 16)) {
        if (text[at] == '0' && (text[at + 1] | 32) == 'x' && digit_value(text[at + 2]) < 16) {
            at += 2;
            base = 16;
        } else if (base == 0) {
            base = text[at] == '0' ? 8 : 10;
        }
    }
    /* Where a number has so few digits that it fits in any case, nobody asks whether it does. */
    size_t start = at, last = 0, safe = start + (most >> 32 ? base > 10 ? 12 : 18 : base > 10 ? 5 : 9);
    unsigned long long limit = negative ? least : most;
    for (;; at++) {
        unsigned d = digit_value(text[at]);
        if (d >= (unsigned)base)
            break;
        if (at >= safe && !over)
            over = value > limit / (unsigned)base || value * (unsigned)base > limit - d;
        value = value * (unsigned)base + d;
        last = at + 1;
    }
    if (end)
        *end = (char *)text + last;
    if (over) {
        __prova_set_errno(OUT_OF_RANGE);
        return negative && least != most ? -least : most;
    }
    return negative ? -value : value;
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    unsigned long most = (unsigned long)-1 >> 1;
    return (long)parse_number(text, end, base, most, (unsigned long long)most + 1);
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    unsigned long long most = (unsigned long long)-1 >> 1;
    return (long long)parse_number(text, end, base, most, most + 1);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base)
{
    return strtoll(text, end, base);
}

long long strtoq(const char *restrict text, char **restrict end, int base)
{
    return strtoll(text, end, base);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    unsigned long most = -1;
    return (unsigned long)parse_number(text, end, base, most, most);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    unsigned long long most = -1;
    return parse_number(text, end, base, most, most);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base)
{
    return strtoull(text, end, base);
}

unsigned long long strtouq(const char *restrict text, char **restrict end, int base)
{
    return strtoull(text, end, base);
}

/* The standard leaves open what these do with what does not fit; glibc is followed, which takes
   the lower bits of what `strtol` returns. */
int atoi(const char *text) { return (int)strtol(text, (char **)0, 10); }
long atol(const char *text) { return strtol(text, (char **)0, 10); }
long long atoll(const char *text) { return strtoll(text, (char **)0, 10); }

/* Decimal numbers of at most 19 digits are computed exactly: a product or quotient of two doubles
   that hold their numbers exactly is rounded once. Everything else is not modelled. */
static const double powers_of_ten[23] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static int is_word(const char *text, const char *word)
{
    size_t i = 0;
    while (word[i] && (text[i] == word[i] || text[i] == word[i] - 32))
        i++;
    return !word[i];
}

struct decimal {
    unsigned long long digits;
    int exponent;
    int negative;
    int kind; /* 0 no number, 1 digits, 2 infinity, 3 not a number */
};

static struct decimal parse_decimal(const char *text, char **end)
{
    struct decimal d = { 0, 0, 0, 0 };
    size_t at = 0, last = 0;
    while (is_space(text[at]))
        at++;
    if (text[at] == '-' || text[at] == '+') {
        d.negative = text[at] == '-';
        at++;
    }
    if (is_word(text + at, "inf")) {
        d.kind = 2;
        last = at + (is_word(text + at, "infinity") ? 8 : 3);
    } else if (is_word(text + at, "nan")) {
        d.kind = 3;
        last = at + 3;
        if (text[last] == '(')
            __prova_unmodelled("`nan(...)` in a number's text");
    } else {
        if (text[at] == '0' && (text[at + 1] == 'x' || text[at + 1] == 'X'))
            __prova_unmodelled("a hexadecimal floating number in a text");
        int point = 0;
        for (;; at++) {
            if (text[at] == '.' && !point) {
                point = 1;
                continue;
            }
            if (text[at] < '0' || text[at] > '9')
                break;
            d.kind = 1;
            if (d.digits >= 100000000000000000ULL)
                __prova_unmodelled("a floating number of more than 17 digits in a text");
            d.digits = d.digits * 10 + (unsigned long long)(text[at] - '0');
            d.exponent -= point;
            last = at + 1;
        }
        if (d.kind && point && last < at)
            last = at;
        if (d.kind && (text[at] == 'e' || text[at] == 'E')) {
            size_t e = at + 1;
            int minus = text[e] == '-', exponent = 0;
            if (text[e] == '-' || text[e] == '+')
                e++;
            if (text[e] >= '0' && text[e] <= '9') {
                for (; text[e] >= '0' && text[e] <= '9'; e++)
                    if (exponent < 10000)
                        exponent = exponent * 10 + (text[e] - '0');
                d.exponent += minus ? -exponent : exponent;
                last = e;
            }
        }
    }
    if (end)
        *end = (char *)text + (d.kind ? last : 0);
    return d;
}

double strtod(const char *restrict text, char **restrict end)
{
    struct decimal d = parse_decimal(text, end);
    double value = 0;
    if (d.kind == 2)
        value = __builtin_inf();
    if (d.kind == 3)
        value = __builtin_nan("");
    if (d.kind == 1 && d.digits) {
        if (d.digits > 9007199254740992ULL || d.exponent < -22 || d.exponent > 22)
            __prova_unmodelled("a floating number in a text that is no quick one");
        value = (double)d.digits;
        if (d.exponent < 0)
            value = value / powers_of_ten[-d.exponent];
        else
            value = value * powers_of_ten[d.exponent];
    }
    return d.kind && d.negative ? -value : value;
}

double atof(const char *text) { return strtod(text, (char **)0); }

float strtof(const char *restrict text, char **restrict end)
{
    struct decimal d = parse_decimal(text, end);
    float value = 0;
    if (d.kind == 2)
        value = __builtin_inff();
    if (d.kind == 3)
        value = __builtin_nanf("");
    if (d.kind == 1 && d.digits) {
        if (d.digits > 16777216ULL || d.exponent < -10 || d.exponent > 10)
            __prova_unmodelled("a floating number in a text that is no quick one");
        value = (float)d.digits;
        if (d.exponent < 0)
            value = value / (float)powers_of_ten[-d.exponent];
        else
            value = value * (float)powers_of_ten[d.exponent];
    }
    return d.kind && d.negative ? -value : value;
}

long double strtold(const char *restrict text, char **restrict end)
{
    struct decimal d = parse_decimal(text, end);
    long double value = 0;
    if (d.kind == 2)
        value = __builtin_infl();
    if (d.kind == 3)
        value = __builtin_nanl("");
    if (d.kind == 1 && d.digits) {
        if (d.exponent < -22 || d.exponent > 22)
            __prova_unmodelled("a floating number in a text that is no quick one");
        value = (long double)d.digits;
        if (d.exponent < 0)
            value = value / (long double)powers_of_ten[-d.exponent];
        else
            value = value * (long double)powers_of_ten[d.exponent];
    }
    return d.kind && d.negative ? -value : value;
}

/* What is random comes from the world. */
/* A seed fixes what follows: who sets one twice may see the same numbers again. */
static int drawn;

static void seeded(void)
{
    if (drawn)
        __prova_unmodelled("random numbers that a second seed repeats");
}

int rand(void)
{
    drawn = 1;
    int r = __prova_input_int("rand");
    __prova_assume(r >= 0);
    return r;
}

void srand(unsigned seed)
{
    (void)seed;
    seeded();
}

void srandom(unsigned seed)
{
    (void)seed;
    seeded();
}

void srand48(long seed)
{
    (void)seed;
    seeded();
}

long random(void)
{
    drawn = 1;
    long r = __prova_input_long("random");
    __prova_assume(r >= 0 && r <= 2147483647);
    return r;
}

int rand_r(unsigned *seed)
{
    *seed = __prova_choice_uint("what `rand_r` keeps");
    int r = __prova_input_int("rand_r");
    __prova_assume(r >= 0);
    return r;
}

double drand48(void)
{
    double r = __prova_input_double("drand48");
    __prova_assume(r >= 0.0 && r < 1.0);
    return r;
}

long lrand48(void)
{
    long r = __prova_input_long("lrand48");
    __prova_assume(r >= 0 && r <= 2147483647);
    return r;
}

long mrand48(void)
{
    long r = __prova_input_long("mrand48");
    __prova_assume(r >= -2147483647 - 1 && r <= 2147483647);
    return r;
}

/* Whether a variable is set is open, and its text is not modelled. */
char *getenv(const char *name)
{
    size_t n = 0;
    while (name[n])
        n++;
    if (__prova_choice_uchar("whether there is such a variable of the environment") & 1)
        __prova_unmodelled("the text that `getenv` returns");
    return (char *)0;
}

char *secure_getenv(const char *name) { return getenv(name); }

static void swap_bytes(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

/* By insertion. Elements that compare equal may come in any order: which are compared, and how
   equal ones lie, is open. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *b = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            int order = compare(b + (j - 1) * size, b + j * size);
            if (order < 0)
                break;
            if (order == 0 && !(__prova_choice_uchar("the order of equal elements") & 1))
                break;
            swap_bytes(b + (j - 1) * size, b + j * size, size);
        }
}

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *more)
{
    char *b = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0; j--) {
            int order = compare(b + (j - 1) * size, b + j * size, more);
            if (order < 0)
                break;
            if (order == 0 && !(__prova_choice_uchar("the order of equal elements") & 1))
                break;
            swap_bytes(b + (j - 1) * size, b + j * size, size);
        }
}

/* Which of several equal elements is found is open. */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return (void *)0;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *))
{
    const char *b = base;
    for (size_t i = 0; i < *count; i++)
        if (compare(key, b + i * size) == 0)
            return (void *)(b + i * size);
    return (void *)0;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size,
              int (*compare)(const void *, const void *))
{
    char *b = base;
    const char *k = key;
    size_t n = *count;
    for (size_t i = 0; i < n; i++)
        if (compare(key, b + i * size) == 0)
            return b + i * size;
    for (size_t i = 0; i < size; i++)
        b[n * size + i] = k[i];
    *count = n + 1;
    return b + n * size;
}

void *calloc(size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size) {
        __prova_set_errno(NO_MEMORY);
        return (void *)0;
    }
    char *block = __prova_block("calloc", count * size);
    if (block)
        for (size_t i = 0; i < count * size; i++)
            block[i] = 0;
    return block;
}

size_t __prova_block_size(void *);

/* The block always moves: nobody may look whether it did, for the old pointer is dead. Of no bytes
   there is none, as glibc has it. */
void *realloc(void *old, size_t size)
{
    if (old && !size) {
        free(old);
        return (void *)0;
    }
    char *block = __prova_block("realloc", size);
    if (old && block) {
        size_t kept = __prova_block_size(old);
        if (kept > size)
            kept = size;
        for (size_t i = 0; i < kept; i++)
            block[i] = ((char *)old)[i];
        free(old);
    }
    return block;
}

void *reallocarray(void *old, size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size) {
        __prova_set_errno(NO_MEMORY);
        return (void *)0;
    }
    return realloc(old, count * size);
}

static int is_power_of_two(size_t n) { return n && !(n & (n - 1)); }

void *aligned_alloc(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment))
        __prova_unmodelled("`aligned_alloc` with an alignment that is no power of two");
    return __prova_block("aligned_alloc", size);
}

void *memalign(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment))
        __prova_unmodelled("`memalign` with an alignment that is no power of two");
    return __prova_block("memalign", size);
}

void *valloc(size_t size) { return __prova_block("valloc", size); }

/* The only one that tells by its result why there is no block. */
int posix_memalign(void **place, size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *))
        return INVALID;
    void *block = __prova_quiet_block("posix_memalign", size);
    if (!block)
        return NO_MEMORY;
    *place = block;
    return 0;
}
