// expect: false or unknown
// The place is taken before or after the call that moves the pointer.
extern void reach_error(void);
static int a, b, *p = &a;

static int move(void)
{
    p = &b;
    return 3;
}
int main(void)
{
    *p = move();
    if (a == 3 || b == 3)
        reach_error();
    return 0;
}
