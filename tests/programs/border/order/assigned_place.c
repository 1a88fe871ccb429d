// expect: true or unknown
// The place is taken before the call.
extern void reach_error(void);
static int a, b, *p = &a;

static int move(void)
{
    p = &b;
    return 3;
}
int main(void)
{
    int *here = p;
    *here = move();
    if (a != 3)
        reach_error();
    return 0;
}
