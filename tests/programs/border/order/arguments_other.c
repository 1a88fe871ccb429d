// expect: true or unknown
// Calls without side effects may be made in any order.
extern void reach_error(void);
static int last;

static int one(void)
{
    return 1;
}
static int two(void)
{
    return 2;
}
static int add(int a, int b)
{
    return a + b;
}
int main(void)
{
    int sum = add(one(), two());
    if (sum != 3 || last != 0)
        reach_error();
    return 0;
}
