// expect: false or unknown
// The left side is read before or after the call that changes it; gcc reads it after.
extern void reach_error(void);
static int x = 1;

static int change(void)
{
    x = 10;
    return 5;
}
int main(void)
{
    x += change();
    if (x == 15)
        reach_error();
    return 0;
}
