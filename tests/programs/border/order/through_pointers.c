// expect: true or unknown
// The calls write different objects: no order can be seen.
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
    int *q = &y;
    both(put(p, 1), put(q, 2));
    if (x != 1 || y != 2)
        reach_error();
    return 0;
}
