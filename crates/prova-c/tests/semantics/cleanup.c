/* Functions that are called at the end of a variable's block, on every way out of it. */
int printf(const char *, ...);

static int order;

static void note(int *at) {
    order = order * 10 + *at;
    printf("clean %d\n", *at);
}

struct pair { int a, b; };

static void pair_gone(struct pair *p) { printf("pair %d %d\n", p->a, p->b); }

#define NOTED __attribute__((cleanup(note)))

static int returns(int n) {
    NOTED int x = 1;
    int y __attribute__((cleanup(note))) = 2;
    if (n == 0)
        return x + y;
    {
        NOTED int z = 3;
        if (n == 1)
            return z++ * 100 + x;
        z = 4;
    }
    x = 5;
    return x;
}

static int loops(void) {
    int i, sum = 0;
    for (i = 0; i < 5; i++) {
        NOTED int x = i;
        if (i == 1)
            continue;
        while (1) {
            NOTED int inner = 6;
            sum += inner;
            if (i == 3)
                goto out;
            break;
        }
    }
out:
    printf("sum %d\n", sum);
    return sum;
}

static int back(void) {
    int rounds = 0;
again:;
    NOTED int x = 7 + rounds;
    rounds++;
    if (rounds < 3)
        goto again;
    switch (rounds) {
    case 3: {
        NOTED int s = 1;
        struct pair p __attribute__((cleanup(pair_gone))) = {1, 2};
        p.b = 9;
        break;
    }
    default:
        printf("never\n");
    }
    return x;
}

static int expression(void) {
    int v = ({ NOTED int x = 8; x + 1; });
    struct pair p = ({ struct pair q __attribute__((cleanup(pair_gone))) = {3, 4}; q; });
    ({ NOTED int w = 2; w++; });
    for (NOTED int i = 0; i < 2; i++)
        printf("i %d\n", i);
    return v + p.a + p.b;
}

static void change(int *p) { *p = 99; }

static int value_first(void) {
    __attribute__((cleanup(change))) int x = 5;
    return x;
}

int main(void) {
    printf("%d\n", returns(0));
    printf("%d\n", returns(1));
    printf("%d\n", returns(2));
    printf("%d\n", loops());
    printf("%d\n", back());
    printf("%d\n", expression());
    printf("%d\n", value_first());
    printf("%d\n", order);
    return 3;
}
