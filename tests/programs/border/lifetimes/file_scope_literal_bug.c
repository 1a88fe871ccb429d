// expect: false
// A compound literal outside of functions may be written, and stays so.
extern void reach_error(void);
static int *p = (int[]){1, 2};

static void set(void)
{
    p[1] = 7;
}
int main(void)
{
    set();
    if (p[1] != 2)
        reach_error();
    return 0;
}
