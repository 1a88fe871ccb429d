/* Conversions and arithmetic at the edges. */
#include <stdio.h>
#include <limits.h>

int main(void)
{
    volatile int minus = -1, big = INT_MAX;
    volatile unsigned u = 4000000000u;
    volatile long long ll = -5000000000LL;
    volatile short s = -3;
    volatile unsigned char uc = 200;
    volatile float f = 16777217.0f;
    volatile double d = -2.75;
    printf("%d %d %d\n", minus < 0u, minus < 0LL, (unsigned short)minus);
    printf("%lld %u %d\n", ll / 3, u / 3, (int)(ll % 1000));
    printf("%d %d %d\n", s >> 1, (unsigned short)s >> 1, uc << 2);
    printf("%d %d\n", (signed char)uc, (char)uc + 1);
    printf("%g %d %u %lld\n", f, (int)d, (unsigned)(int)d, (long long)(d * 1e9));
    printf("%d %d %d\n", big / 2 * 2 == big, -7 / 2, -7 % 2);
    printf("%llu %lld\n", (unsigned long long)minus, (long long)u);
    printf("%d %d\n", (_Bool)0.5, (_Bool)d + (_Bool)minus);
    printf("%g %g %g\n", (float)u, (double)ll, (float)ll);
    printf("%d\n", sizeof(int) > minus);
    printf("%g %g\n", 0.1 + 0.2, (double)(0.1f + 0.2f));
    printf("%d %d\n", __builtin_ctz(40), __builtin_parity(7));
    printf("%x %llx\n", __builtin_bswap32(0x12345678u), __builtin_bswap64(0x123456789abcdef0ull));
    printf("%d %d %d\n", 'a' - 'A', '\x7f', '\n');
    printf("%ld\n", (long)(u >> 3) - (long)u);
    return 0;
}
