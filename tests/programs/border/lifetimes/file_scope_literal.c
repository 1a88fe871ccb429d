// expect: true
// A compound literal outside of functions lives for ever.
extern void reach_error(void);
static int *p = (int[]){1, 2};

static void set(void)
{
    p[1] = 7;
}
int main(void)
{
    set();
    if (p[1] != 7)
        reach_error();
    return 0;
}
