// expect: true or unknown
// Both calls are made, in some order.
extern void reach_error(void);
static int last;

static int one(void)
{
    return last = 1;
}
static int two(void)
{
    return last = 2;
}
static int add(int a, int b)
{
    return a + b;
}
int main(void)
{
    int sum = add(one(), two());
    if (sum != 3 || last < 1)
        reach_error();
    return 0;
}
