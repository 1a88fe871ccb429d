// expect: havoc false
// A variable of an activation that called itself meanwhile.
extern void reach_error(void);
extern void get(int *to);

static void down(int n)
{
    int x = 1;
    if (n > 0)
        down(n - 1);
    get(&x);
    if (n == 1 && x == 7)
        reach_error();
}

int main(void)
{
    down(1);
    return 0;
}
