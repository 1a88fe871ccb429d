// expect: false
// continue cleans up before the next round: the lock is free again.
extern void reach_error(void);
static int locks;

static void unlock(int *at)
{
    (void)at;
    locks--;
}
int main(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        __attribute__((cleanup(unlock))) int held = ++locks;
        if (i == 1)
            continue;
        if (i == 2 && held == 1)
            reach_error();
    }
    return 0;
}
