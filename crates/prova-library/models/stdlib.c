void *malloc(size_t);
void free(void *);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;

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

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* Magnitude and sign of a number; what does not fit is cut at `most`, or one further for
   negative numbers of a signed type. */
static unsigned long long parse_number(const char *text, char **end, int base,
                                       unsigned long long most, int is_signed, int *negative)
{
    const char *start = text;
    unsigned long long value = 0;
    int any = 0, over = 0;
    *negative = 0;
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    if (*text == '+' || *text == '-') {
        *negative = *text == '-';
        text++;
    }
    if ((base == 0 || base == 16) && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')
        && digit_value(text[2]) < 16) {
        text += 2;
        base = 16;
    } else if (base == 0) {
        base = *text == '0' ? 8 : 10;
    }
    unsigned long long limit = is_signed && *negative ? most + 1 : most;
    for (;; text++) {
        int d = digit_value(*text);
        if (d >= base)
            break;
        any = 1;
        if (value > (limit - (unsigned long long)d) / (unsigned long long)base)
            over = 1;
        else
            value = value * (unsigned long long)base + (unsigned long long)d;
    }
    if (end)
        *end = (char *)(any ? text : start);
    if (over) {
        if (!is_signed)
            *negative = 0;
        return limit;
    }
    return value;
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    int negative;
    unsigned long long v =
        parse_number(text, end, base, (unsigned long)-1 >> 1, 1, &negative);
    return (long)(negative ? -v : v);
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    int negative;
    unsigned long long v =
        parse_number(text, end, base, (unsigned long long)-1 >> 1, 1, &negative);
    return (long long)(negative ? -v : v);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    int negative;
    unsigned long long v = parse_number(text, end, base, (unsigned long)-1, 0, &negative);
    return (unsigned long)(negative ? -v : v);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    int negative;
    unsigned long long v = parse_number(text, end, base, (unsigned long long)-1, 0, &negative);
    return negative ? -v : v;
}

int atoi(const char *text) { return (int)strtol(text, (char **)0, 10); }
long atol(const char *text) { return strtol(text, (char **)0, 10); }
long long atoll(const char *text) { return strtoll(text, (char **)0, 10); }

int rand(void)
{
    int r = __VERIFIER_nondet_int();
    __VERIFIER_assume(r >= 0);
    return r;
}

void srand(unsigned seed) { (void)seed; }

long random(void)
{
    int r = __VERIFIER_nondet_int();
    __VERIFIER_assume(r >= 0);
    return r;
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *b = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(b + (j - 1) * size, b + j * size) > 0; j--)
            for (size_t k = 0; k < size; k++) {
                char t = b[(j - 1) * size + k];
                b[(j - 1) * size + k] = b[j * size + k];
                b[j * size + k] = t;
            }
}

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

void *calloc(size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size)
        return (void *)0;
    char *block = malloc(count * size);
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
    char *block = malloc(size);
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
    if (size && count > (size_t)-1 / size)
        return (void *)0;
    return realloc(old, count * size);
}

int *__errno_location(void)
{
    static int errno_value;
    return &errno_value;
}
