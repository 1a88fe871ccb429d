/* What the drivers share: numbers that look random and are the same everywhere, and ways to print
   a result. Each line that is printed starts with the function that was called; the test counts
   them. */
#include <errno.h>
#include <stdio.h>
#include <sys/types.h>

#define EACH for (int round_ = 0; round_ < 220; round_++)

static unsigned long long seed_ = 88172645463325252ULL;

static unsigned draw(void)
{
    seed_ ^= seed_ << 13;
    seed_ ^= seed_ >> 7;
    seed_ ^= seed_ << 17;
    return (unsigned)(seed_ >> 11);
}

static unsigned below(unsigned n) { return draw() % n; }

static unsigned long long draw64(void)
{
    unsigned long long high = draw();
    return high << 32 | draw();
}

/* Integers of all sizes, limits among them. */
static long long number(void)
{
    long long n = (long long)draw64();
    switch (below(6)) {
    case 0: return n % 20;
    case 1: return n % 1000;
    case 2: return (int)n;
    case 3: return (n & 1 ? 9223372036854775807LL : -9223372036854775807LL - 1) + n % 3;
    case 4: return (n & 1 ? 2147483647LL : -2147483648LL) + n % 3;
    default: return n;
    }
}

/* Output waits until the end, so that what functions take from a list of given values comes in the
   order of the calls below. */
static char output_[1 << 21];
static unsigned printed_;

static void put(int c) { output_[printed_++] = (char)c; }

static int finish(void)
{
    putchar('\n');
    for (unsigned i = 0; i < printed_; i++)
        putchar(output_[i]);
    return 0;
}

static void say(const char *text)
{
    for (int i = 0; text[i]; i++)
        put(text[i]);
}

/* Starts a line. */
static void line(const char *function) { say(function); put(' '); }

static void hex(unsigned long long n)
{
    char digits[20];
    int i = 0;
    do
        digits[i++] = "0123456789abcdef"[n & 15];
    while (n >>= 4);
    put(' ');
    while (i > 0)
        put(digits[--i]);
}

static void integer(long long n)
{
    put(' ');
    unsigned long long u = n;
    if (n < 0) {
        put('-');
        u = -u;
    }
    char digits[24];
    int i = 0;
    do
        digits[i++] = (char)('0' + u % 10);
    while (u /= 10);
    while (i > 0)
        put(digits[--i]);
}

/* Only the sign: how far from zero is open. */
static void sign(long long n) { integer(n > 0 ? 1 : n < 0 ? -1 : 0); }

/* Only whether it is zero. */
static void truth(long long n) { integer(n != 0); }

static void bytes(const void *block, size_t n)
{
    const unsigned char *b = block;
    put(' ');
    for (size_t i = 0; i < n; i++) {
        put("0123456789abcdef"[b[i] >> 4]);
        put("0123456789abcdef"[b[i] & 15]);
    }
}

static void text(const char *t)
{
    int n = 0;
    if (!t) {
        say(" (null)");
        return;
    }
    while (t[n])
        n++;
    bytes(t, n);
}

/* Where a pointer points, relative to a block. */
static void place(const void *p, const void *base)
{
    if (!p)
        say(" null");
    else
        integer((const char *)p - (const char *)base);
}

static void end(void) { put('\n'); }

/* A text of up to `most` characters from an alphabet. */
static void fill_text(char *to, unsigned most, const char *from)
{
    unsigned kinds = 0, n = below(most + 1);
    while (from[kinds])
        kinds++;
    for (unsigned i = 0; i < n; i++)
        to[i] = from[below(kinds)];
    to[n] = 0;
}

static void fill_bytes(unsigned char *to, unsigned n, unsigned kinds)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = (unsigned char)(kinds < 256 ? 250 + below(kinds) : below(256));
}
