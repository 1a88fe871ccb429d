// expect: true or unknown
// The variable is read before the call, in a statement of its own.
extern void reach_error(void);
static int x = 1;

static int change(void)
{
    x = 10;
    return 0;
}
int main(void)
{
    int before = x, y = before + change();
    if (y != 1)
        reach_error();
    return 0;
}
