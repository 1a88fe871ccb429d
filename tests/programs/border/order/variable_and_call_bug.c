// expect: false or unknown
// The variable is read before or after the call that changes it; gcc reads it after.
extern void reach_error(void);
static int x = 1;

static int change(void)
{
    x = 10;
    return 0;
}
int main(void)
{
    int y = x + change();
    if (y == 10)
        reach_error();
    return 0;
}
