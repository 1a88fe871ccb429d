// expect: false or unknown
// Which way a stack grows is not for programs to know.
extern void reach_error(void);

static int deeper(int *outer, int n)
{
    int local = n;
    if (n == 0)
        return 0;
    if (outer && &local < outer)
        reach_error();
    return deeper(&local, n - 1);
}

int main(void)
{
    return deeper(0, 3);
}
