/* Odd corners that real programs hold. */
#include <stdio.h>
typedef struct S S; struct S { int a; S *next; };
typedef int (*fn)(int); typedef fn fns[2];
static int id(int x) { return x; }
fns table = { id, &id };
int (*get(int k))(int) { return table[k]; }
static inline int ei(int x) { return x + 1; }
static inline int il(int x) { return x + 2; }
struct Packed { char c; int i; short s; } __attribute__((packed));
struct __attribute__((aligned(32))) Al { char c; };
enum { K = sizeof(struct Packed) };
int arr[K] = { [K - 1] = 3 };
const struct { int x; const char *s; } cs[] = { { 1, "one" }, { 2, "two" } };
struct Anon { union { struct { int lo, hi; }; long long both; }; int tail; };
long fnv(const char *s) { unsigned h = 2166136261u;
    while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
    return (long)(int)h; }
static int sw(long long v) { switch (v) { case 1LL << 40: return 1; case -1: return 2; } return 0; }
int shadow = 1; int f(int shadow) { { int shadow = 5; { extern int shadow; return shadow; } } }
void nop(void) { return (void)0; }
int comma(void) { int a[2] = { (1, 2), 3 }; return a[0]; }
int cond(int c) { const char *s = c ? "yes" : 0; return s ? s[0] : 0; }
unsigned rot(unsigned x, int k) { return x << k | x >> (32 - k); }
int ptrs(void) { int a[10], *p = a, *q = a + 7; *--q = 3;
    return (int)(q - p) + (p < q) + (q[0] == 6[a]) + !!p;
    }
int strs(void) { char a[] = "abc", b[3] = "xyz", *c = "lit" "eral";
    return sizeof a + sizeof b + c[5] + a[3]; }
int ternary_struct(int k) { struct S a = { 1 }, b = { 2 }; return (k ? a : b).a + (k ? &a : &b)->a; }
int loop(void) { int i, n = 0; for (i = 10; i-- > 0;) { if (i % 3 == 0) continue;
    while (1) { n++; if (n % 4) break; goto next; } next:;
    } return n; }
int assign_chain(void) { struct S a, b, c = { 7 }; a = b = c; return a.a; }
int nested_init(void) { struct { int a; struct { char c[3];
    int d[2]; } in[2]; } v = { 1, { { "ab", { 2, 3 } }, [1].d[1] = 9 } };
    return v.in[0].d[1] * 10 + v.in[1].d[1]; }
int vlasize(int n) { typedef int row[n]; row r[3]; n = 100;
    return (int)(sizeof r / sizeof(int)) + (int)sizeof(row);
    }
int labels(int x) { void *p = x ? &&one : &&two; goto *p; one: return 1; two: return 2; }
float fl(float a, float b) { return a * b + 0.5f; }
int ci = 5; int *cip = &ci; int **cipp = &cip; int *next_el = &arr[2] + 1; char *off = (char *)&arr + 4;
int bits(void) { struct { signed a : 3; unsigned : 0;
    unsigned b : 5; } s = { 3, 31 }; s.a++; s.b++; return s.a * 100 + s.b;
    }
int stmtexpr(int n) { return ({ int t = 0; for (int i = 0; i < n; i++) t += i; t; }) + ({ goto end; end: 3; });
    }
int main(void) {
  struct Anon an = { .lo = 1, .hi = 2, .tail = 3 };
  printf("%d %d %d %d\n", get(1)(4), ei(1), il(1), K);
    printf("%d %s %d\n", arr[K - 1], cs[1].s, (int)sizeof(struct Al));
    printf("%lld %d\n", an.both, an.tail);
  printf("%ld %d %d %d\n", fnv("hello"), sw(1LL << 40), sw(-1), f(3));
    nop(); printf("%d %d %d\n", comma(), cond(1), cond(0));
    printf("%u %d %d %d\n", rot(0x80000001u, 4), ptrs(), strs(), ternary_struct(0));
  printf("%d %d %d %d\n", loop(), assign_chain(), nested_init(), vlasize(4));
    printf("%d %d %g\n", labels(1), labels(0), fl(1.1f, 2.2f));
    printf("%d %d %d\n", **cipp, (int)(next_el - arr), (int)(off - (char *)arr));
    printf("%d %d\n", bits(), stmtexpr(5));
  unsigned char b = 0x80; printf("%d %d\n", b << 24 < 0, (signed char)b >> 3);
    int x = 5; x ^= x << 1; x |= 64; x &= ~1; x %= 7; printf("%d\n", x);
    long l = 1; l <<= sizeof(long) * 8 - 1; printf("%d\n", l < 0);
  int a2[3][4]; int (*row)[4] = a2; row[1][2] = 9; printf("%d %d\n", *(*(a2 + 1) + 2), (int)(&a2[2] - a2));
    double dd = 5; dd /= 2; dd++; int im = 7; im *= 1.5;
    printf("%g %d\n", dd, im); char c = 'a'; c += 1; c = c * 2 - 97;
    printf("%d\n", c);
  return 0; }
