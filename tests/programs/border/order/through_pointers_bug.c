// expect: false or unknown
// The calls write one object through two pointers, and the order can be seen.
extern void reach_error(void);
static int put(int *at, int n)
{
    *at = n;
    return n;
}
static int both(int a, int b)
{
    return a - b;
}
int main(void)
{
    int x = 0, y = 0;
    int *p = &x;
    int *q = &x;
    both(put(p, 1), put(q, 2));
    if (x == 1 && y == 0)
        reach_error();
    return 0;
}
