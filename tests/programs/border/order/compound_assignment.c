// expect: true or unknown
// What the call returns is taken first, then it is added.
extern void reach_error(void);
static int x = 1;

static int change(void)
{
    x = 10;
    return 5;
}
int main(void)
{
    int by = change();
    x += by;
    if (x != 15)
        reach_error();
    return 0;
}
