// expect: true
// What was read through a pointer to volatile is kept.
extern void reach_error(void);

static int port;

int main(void)
{
    volatile int *p = &port;
    int seen;
    *p = 1;
    seen = *p;
    if (seen != 1 && seen == 1)
        reach_error();
    return 0;
}
