// expect: false
// A pointer to const does not make the variable constant.
extern void reach_error(void);

static void set(const int *at)
{
    *(int *)at = 2;
}
int main(void)
{
    int x = 1;
    set(&x);
    if (x != 1)
        reach_error();
    return 0;
}
