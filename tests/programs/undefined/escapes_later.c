// expect: pure true, havoc true
// What is given later is not written before, and nothing changes between calls.
extern void reach_error(void);
extern void keep(int *at);
extern void tick(void);

int main(void)
{
    int x = 1;
    tick();
    if (x != 1)
        reach_error();
    keep(&x);
    x = 2;
    if (x != 2)
        reach_error();
    return 0;
}
