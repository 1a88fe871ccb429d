// expect: true
// A constant keeps its value across a call that is given its address.
extern void reach_error(void);

static void set(const int *at)
{
    (void)at;
}
int main(void)
{
    int x = 1;
    set(&x);
    if (x != 1)
        reach_error();
    return 0;
}
