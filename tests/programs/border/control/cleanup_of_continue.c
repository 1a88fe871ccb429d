// expect: true
// continue cleans up before the next round.
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
        if (held != 1)
            reach_error();
    }
    return 0;
}
