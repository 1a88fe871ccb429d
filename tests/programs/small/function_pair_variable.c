// expect: true
// One of two functions, chosen by a bit of an input, from a table that could be written.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int more(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int (*functions[2])(int) = {more, twice};

int main(void)
{
    int i = __VERIFIER_nondet_int();
    int y = functions[i & 1](5);
    if (y != 6 && y != 10)
        reach_error();
    return 0;
}
