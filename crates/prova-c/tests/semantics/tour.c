/* A tour of the language: structures, bit-fields, unions, pointers, strings, jumps. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct P { int x, y; };
struct Big { struct P p[3]; char name[8]; double d; };
struct B { unsigned a : 3, b : 7; signed c : 5; _Bool d : 1; unsigned long long e : 40; };
union U { int i; float f; unsigned char b[4]; };
enum E { A, Bq = 5, C };

static struct P mk(int x, int y)
{
    struct P p = { x, y };
    return p;
}

static struct Big big(struct Big b, int k)
{
    b.p[1].x += k;
    b.name[0] = 'Z';
    return b;
}

int old(a, b, c) int a; char b; float c; { return a + b + (int)c; }

static int duff(int count)
{
    int n = (count + 3) / 4, r = 0;
    switch (count % 4) {
    case 0: do { r++;
    case 3:      r++;
    case 2:      r++;
    case 1:      r++;
            } while (--n > 0);
    }
    return r;
}

static int jump(int k)
{
    static void *t[] = { &&a, &&b, &&c };
    int r = 0;
    goto *t[k];
a:
    r += 1;
b:
    r += 10;
c:
    r += 100;
    return r;
}

static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

static int vla(int n)
{
    int a[n][n + 1];
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++)
            a[i][j] = i * j;
    for (int i = 0; i < n; i++)
        s += a[i][n];
    return s * 1000 + (int)sizeof a;
}

static int matrix(int n, int m, int a[n][m]) { return a[1][m - 1] + (int)sizeof a[0]; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int apply(int (*f)(int), int x) { return (*f)(x) + f(x) + (**f)(x); }

int tent;
int tent;
extern int tent;
int tent = 9;
static const char *names[] = { [C] = "c", [A] = "a", "one" };
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int g1;
int *gp = &g1;
int arr2[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };

static int into_block(int k)
{
    if (k)
        goto in;
    {
        int x;
        x = 5;
    in:
        x = k + 1;
        return x;
    }
}

int main(void)
{
    struct B b = { 5, 100, -3, 1, 0x123456789aULL };
    printf("%d %d %d %d %llx\n", b.a, b.b, b.c, b.d, (unsigned long long)b.e);
    b.a += 6;
    b.b <<= 1;
    b.c--;
    b.e *= 3;
    b.d = 4;
    printf("%d %d %d %d %llx\n", b.a, b.b, b.c, b.d, (unsigned long long)b.e);
    printf("%d\n", (b.a = 15));
    union U u;
    u.f = 1.5f;
    printf("%x %d\n", u.i, u.b[3]);
    struct Big x = { { { 1, 2 }, mk(3, 4) }, "name", 2.5 };
    struct Big y = big(x, 10);
    printf("%d %d %s %s %g\n", x.p[1].x, y.p[1].x, x.name, y.name, y.d + big(y, 1).p[1].x);
    printf("%d %d %d\n", old(1, 'a', 2.9), duff(7), duff(8));
    printf("%d %d %d %d %d\n", jump(0), jump(1), jump(2), fact(6), vla(4));
    int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
    printf("%d\n", matrix(2, 3, m));
    int q[] = { 5, 2, 9, 1, 7 };
    qsort(q, 5, sizeof *q, cmp);
    for (int i = 0; i < 5; i++)
        printf("%d ", q[i]);
    int key = 7;
    printf("%d\n", (int)((int *)bsearch(&key, q, 5, sizeof *q, cmp) - q));
    int i = 3;
    printf("%d %d\n", MAX(i, 4), tent);
    printf("%s %s %d\n", names[0], names[1], (int)(sizeof names / sizeof *names));
    char buf[32];
    strcpy(buf, "hello");
    strcat(buf, " world");
    printf("%s %d %d %s\n", buf, (int)strlen(buf), strcmp(buf, "help") < 0, strstr(buf, "wor"));
    memmove(buf + 1, buf, 5);
    memset(buf, 'x', 2);
    printf("%s %d\n", buf, atoi(" -42z"));
    g1 = 4;
    *gp += 3;
    printf("%d %d\n", g1, *(*(arr2 + 1) + 2));
    printf("%d %d %d\n", into_block(0), into_block(7), apply(fact, 4));
    int r;
    printf("%d", __builtin_add_overflow(2147483647, 1, &r));
    printf(" %d\n", r);
    printf("%d", __builtin_mul_overflow(3u, 5u, &r));
    printf(" %d\n", r);
    printf("%d %c %d %d\n", isalpha('x') != 0, toupper('q'), isdigit('a'), isspace('\n') != 0);
    struct { int n; char *s; } *dyn = calloc(3, sizeof *dyn);
    dyn[2].n = 5;
    dyn[1].s = "dyn";
    printf("%d %d %s\n", dyn[0].n, dyn[2].n, dyn[1].s);
    free(dyn);
    int z = 4;
    printf("%d %d\n", z ?: 3, ({ int t = 3; t * t; }));
    for (int a = 0, c = 10; a < c; a += 3, c--) {
        if (a == 3)
            continue;
        if (a > 6)
            break;
        printf("%d,%d ", a, c);
    }
    switch (Bq) {
    case 0: printf("0");
    case 4 ... 6: printf("r");
    default: printf("d"); break;
    case 9: printf("9");
    }
    printf("\n");
    _Bool bo = 5;
    bo += 3;
    printf("%d %d %d\n", bo, !bo, _Generic(1.0f, float: 1, double: 2));
#ifdef __SIZEOF_INT128__
    __int128 wide = (__int128)1 << 100;
    printf("%d\n", (int)(wide >> 98));
#endif
    printf("%s %s %d\n", __func__, "a\tb\x41\101", '\377');
    struct P pa[3] = { [1] = { .y = 7 } }, *pp = pa;
    pp++;
    (pp++)->x = 3;
    printf("%d %d %d\n", pa[1].x, pa[1].y, (int)(pp - pa));
    struct P cl = (struct P){ .y = 2 };
    printf("%d %d %d\n", cl.x, cl.y, ((struct P[]){ { 1, 2 }, { 3, 4 } })[1].y);
    char *e;
    printf("%ld", strtol("0x1fg", &e, 0));
    printf(" %s\n", e);
    return 42;
}
