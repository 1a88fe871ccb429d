// expect: pure true, havoc false
// What was given to one function may be written by the next.
extern void reach_error(void);
extern void keep(int *at);
extern void tick(void);

int main(void)
{
    int x = 0;
    keep(&x);
    x = 1;
    tick();
    if (x != 1)
        reach_error();
    return 0;
}
